// Rescales that round nothing: by one power of two, which is not below 1.
#pragma once

#include <optional>

#include "compiler_bridge/ir/graph.h"

namespace presil::passes {

/// k, where the rescale multiplies all values by exactly 2^k, k >= 0; nullopt: by something else.
inline std::optional<int> power_of(const ir::Graph& graph, const ir::Op& rescale) {
  const ir::Tensor &m = graph.tensor(rescale.input(1)), &t = graph.tensor(rescale.input(2));
  if (m.dtype != ir::DType::kInt32 || !m.is_constant() || !t.is_constant()) return std::nullopt;
  if (m.elements() != 1 || t.elements() != 1) return std::nullopt;
  const int shift = *t.values<int8_t>();
  for (int k = 0; shift >= 0 && shift + k <= 30; ++k) {
    if (*m.values<int32_t>() == 1 << (shift + k)) return k;
  }
  return std::nullopt;
}

}  // namespace presil::passes
