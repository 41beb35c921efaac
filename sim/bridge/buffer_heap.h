// Hands out pieces of the simulated DRAM to the driver: first fit over one range of addresses.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace presil::bridge {

class BufferHeap {
 public:
  BufferHeap(uint64_t base, uint64_t bytes) : m_base(base), m_end(base + bytes) {}

  /// @param align a power of two
  /// @return address, nothing where no gap is large enough
  std::optional<uint64_t> allocate(uint64_t bytes, uint64_t align);
  void release(uint64_t address) { m_blocks.erase(address); }

 private:
  uint64_t m_base, m_end;
  std::map<uint64_t, uint64_t> m_blocks;  ///< address to end, not overlapping
};

}  // namespace presil::bridge
