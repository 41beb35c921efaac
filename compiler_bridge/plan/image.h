// The bytes that a loadable puts into memory as they are: constants now, streams at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace presil::plan {

class Image {
 public:
  /// Appends `size` bytes at the next multiple of `align`. @return their offset
  uint64_t add(const void* bytes, size_t size, uint64_t align);
  template <class T>
  uint64_t add(const std::vector<T>& values, uint64_t align) {
    return add(values.data(), values.size() * sizeof(T), align);
  }
  /// The same, or where the same bytes have been shared before.
  uint64_t share(const std::vector<uint8_t>& bytes, uint64_t align);
  const std::vector<uint8_t>& bytes() const { return m_bytes; }
  /// Gives the memory back, which `= {}` and clear() of a vector do not.
  void clear() { m_bytes = std::vector<uint8_t>(); }

 private:
  struct Shared {
    uint64_t offset = 0, size = 0;
  };
  std::unordered_multimap<size_t, Shared> m_shared;  ///< by hash
  std::vector<uint8_t> m_bytes;
};

}  // namespace presil::plan
