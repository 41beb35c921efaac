// Weights of a layer: bytes that never change. Copies of a layer share them, often with the
// constant of the graph that they are, so that a network's weights lie in memory once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace presil::layer {

class Weights {
 public:
  Weights() = default;
  Weights(std::vector<int8_t> values) {
    const auto owner = std::make_shared<const std::vector<int8_t>>(std::move(values));
    m_size = owner->size();
    m_data = {owner, owner->data()};
  }
  /// The bytes of a constant, as they are.
  explicit Weights(const std::shared_ptr<const std::vector<uint8_t>>& constant)
      : m_data(constant, reinterpret_cast<const int8_t*>(constant->data())),
        m_size(constant->size()) {}

  const int8_t* data() const { return m_data.get(); }
  size_t size() const { return m_size; }
  int8_t operator[](size_t i) const { return m_data.get()[i]; }

 private:
  std::shared_ptr<const int8_t> m_data;
  size_t m_size = 0;
};

}  // namespace presil::layer
