// Real functions of an int8 value that runtimes tabulate in float32, and the rectifiers and roots
// that LiteRT computes with its own kernels under both rule sets.
#pragma once

#include "compiler_bridge/passes/int8_table.h"

namespace presil::passes {

using ir::Numerics;
using ir::Quantization;

Int8Table exp_table(const Quantization& x, const Quantization& y);
Int8Table log_table(const Quantization& x, const Quantization& y);   ///< y's least up to 0
Int8Table sqrt_table(const Quantization& x, const Quantization& y);  ///< cut; below 0 that of 0
Int8Table elu_table(const Quantization& x, const Quantization& y, Numerics numerics);
Int8Table gelu_table(const Quantization& x, const Quantization& y, bool approximate);
Int8Table rsqrt_table(const ir::Op& op, const Quantization& x, const Quantization& y,
                      Numerics numerics);
Int8Table abs_table(const ir::Op& op, const Quantization& x, const Quantization& y,
                    Numerics numerics);
Int8Table neg_table();  ///< of the stored value
/// One slope for all: `stored`, of quantisation alpha.
Int8Table prelu_table(const ir::Op& op, const Quantization& x, const Quantization& y,
                      const Quantization& alpha, int stored, Numerics numerics);
/// x within bounds.
Int8Table clamp_table(const ir::Op& op, const Quantization& x, const Quantization& y, float low,
                      float high);

}  // namespace presil::passes
