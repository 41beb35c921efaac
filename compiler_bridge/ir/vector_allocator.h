// A FlatBuffer that is built in the vector which it ends up in: no copy of all of it at the end.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace presil::ir {

class VectorAllocator : public flatbuffers::Allocator {
 public:
  uint8_t* allocate(size_t size) override {
    m_bytes.resize(size);
    return m_bytes.data();
  }
  void deallocate(uint8_t*, size_t) override { m_bytes = std::vector<uint8_t>(); }
  uint8_t* reallocate_downward(uint8_t* old, size_t old_size, size_t size, size_t back,
                               size_t front) override {
    std::vector<uint8_t> larger(size);
    memcpy_downward(old, old_size, larger.data(), size, back, front);
    m_bytes = std::move(larger);
    return m_bytes.data();
  }

  /// What the builder has finished. The builder is of no use any more.
  std::vector<uint8_t> take(const flatbuffers::FlatBufferBuilder& builder) {
    const auto unused = builder.GetBufferPointer() - m_bytes.data();
    std::vector<uint8_t> bytes = std::move(m_bytes);
    bytes.erase(bytes.begin(), bytes.begin() + unused);
    return bytes;
  }

 private:
  std::vector<uint8_t> m_bytes;  ///< a builder fills it from its end
};

}  // namespace presil::ir
