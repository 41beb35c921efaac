// The bytes of a tile: SRAM and DRAM, and which of them a system address means. No time.
#pragma once

#include <cstdint>
#include <optional>

#include "models/common/ports.h"
#include "models/memory/memory_errors.h"
#include "rtl/soc/address_map.h"

namespace presil::memory {

/// Zeroed bytes at addresses 0 .. size - 1; pages come into being when they are first touched, so
/// that a gigabyte of DRAM costs what the network uses of it.
class Bytes : public BytePort {
 public:
  explicit Bytes(uint64_t size);
  ~Bytes() override;
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  uint64_t size() const { return m_size; }
  uint8_t* data() { return m_data; }
  uint8_t* bytes_at(uint64_t address, size_t bytes) override {
    return address <= m_size && bytes <= m_size - address ? m_data + address : nullptr;
  }
  std::optional<uint64_t> read(uint64_t address, uint64_t bytes) override {
    if (!m_errors.any()) return {};
    return m_errors.read(address, bytes);
  }
  void written(uint64_t address, uint64_t bytes) override {
    if (m_errors.any()) m_errors.written(address, bytes);
  }
  MemoryErrors& errors() { return m_errors; }

 private:
  uint64_t m_size;
  uint8_t* m_data;
  MemoryErrors m_errors;
};

/// The tile's SRAM: 16-byte words, word-interleaved over the banks.
class Sram : public Bytes {
 public:
  static constexpr unsigned kWordBytes = 16;
  explicit Sram(const SramConfig& config) : Bytes(config.bytes), m_banks(config.banks) {}
  unsigned banks() const { return m_banks; }
  unsigned bank_of(uint64_t address) const {
    return static_cast<unsigned>(address / kWordBytes % m_banks);
  }

 private:
  unsigned m_banks;
};

/// The target of a system address.
enum class Slave : uint8_t { kDram, kSram, kNone };

/// The 40-bit system address space as tile `tile` sees it: its own SRAM window, and DRAM.
class SystemBytes : public BytePort {
 public:
  SystemBytes(Sram& sram, Bytes& dram, unsigned tile = 0)
      : m_sram(sram), m_dram(dram), m_window(PRESIL_TILE_BASE(tile) + PRESIL_TILE_SRAM) {}

  Slave slave_of(uint64_t address, uint64_t bytes) const;
  uint8_t* bytes_at(uint64_t address, size_t bytes) override;
  std::optional<uint64_t> read(uint64_t address, uint64_t bytes) override;
  void written(uint64_t address, uint64_t bytes) override;

 private:
  Sram& m_sram;
  Bytes& m_dram;
  uint64_t m_window;
};

}  // namespace presil::memory
