// What the ARM computes.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler_bridge/layer/operand.h"

namespace presil::layer {

/// A kernel of driver/kernels/host on NHWC tensors in memory.
struct HostLayer {
  static constexpr const char* kWord = "host";
  static constexpr const char* kEngine = "host";

  uint32_t kernel = 0;
  std::vector<TensorId> inputs;
  std::vector<TensorId> outputs;
  std::vector<uint8_t> attributes;  ///< the kernel's own struct, see driver/kernels/host/kernels.h

  Operands operands() const;
  uint64_t weight_bytes() const { return 0; }

  template <class Self, class F>
  static void fields(Self& s, F&& f);
};

}  // namespace presil::layer
