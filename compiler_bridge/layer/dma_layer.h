// What the DMA does by itself.
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/common/moves.h"
#include "compiler_bridge/layer/operand.h"

namespace presil::layer {

/// Bytes moved from memory to memory: dense NHWC tensors.
struct DmaLayer {
  static constexpr const char* kWord = "dma";
  static constexpr const char* kEngine = "dma";

  struct Move {
    TensorId input = kNoTensor;
    common::Move bytes;

    template <class Self, class F>
    static void fields(Self& s, F&& f);
  };
  std::vector<Move> moves;  ///< all together write every byte of the output once
  TensorId output = kNoTensor;
  bool flip_sign = false;  ///< bit 7 of every byte
  std::string kernel;      ///< of the host, that would do it instead

  Operands operands() const;
  uint64_t weight_bytes() const { return 0; }

  template <class Self, class F>
  static void fields(Self& s, F&& f);
};

}  // namespace presil::layer
