// Tensors that are the bytes of others: no engine does anything for them.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler_bridge/layer/operand.h"

namespace presil::layer {

enum class Relation : uint8_t {
  kView,    ///< the output is the input under another shape, both in NHWC order
  kSlice,   ///< the output's bytes are the input's from byte `at` on
  kFlip,    ///< the input's, sign bit flipped, uint8 as int8 or back: by the DMA when it
            ///< loads the one into the SRAM from the other's memory, or stores it there
  kConcat,  ///< the output's channels are the inputs', one after another; producers write in place
  kStack,   ///< the output's bytes are the inputs', one after another; producers write in place
  kInterleave,  ///< pixel (r * stride_y + i, c * stride_x + j) of the output is pixel (r, c) of
                ///< inputs[i * stride_x + j]; producers write in place, nothing else reads them
};
const char* to_string(Relation relation);

struct InPlaceLayer {
  static constexpr const char* kWord = "in_place";
  static constexpr const char* kEngine = "none";

  Relation relation = Relation::kView;
  std::vector<TensorId> inputs;
  TensorId output = kNoTensor;
  uint64_t at = 0;
  int stride_y = 1, stride_x = 1;

  TensorId input() const { return inputs.front(); }
  Operands operands() const;
  uint64_t weight_bytes() const { return 0; }

  template <class Self, class F>
  static void fields(Self& s, F&& f);
};

InPlaceLayer view(TensorId input, TensorId output);
InPlaceLayer slice(TensorId input, TensorId output, uint64_t at);
InPlaceLayer bit_flip(TensorId input, TensorId output);
InPlaceLayer concat(std::vector<TensorId> inputs, TensorId output);
InPlaceLayer stack(std::vector<TensorId> inputs, TensorId output);
InPlaceLayer interleave(std::vector<TensorId> inputs, TensorId output, int stride_y, int stride_x);

}  // namespace presil::layer
