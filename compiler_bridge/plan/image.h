// The bytes that a loadable puts into memory as they are: constants now, streams at the end.
#pragma once

#include <cstddef>
#include <cstdint>
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
  const std::vector<uint8_t>& bytes() const { return m_bytes; }
  /// Gives the memory back, which `= {}` and clear() of a vector do not.
  void clear() { m_bytes = std::vector<uint8_t>(); }

 private:
  std::vector<uint8_t> m_bytes;
};

}  // namespace presil::plan
