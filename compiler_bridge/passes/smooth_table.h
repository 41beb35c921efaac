// Logistic, tanh and hard swish of an int8 value, as the rule sets define them: fixed-point
// polynomials under tflite (TFLite Micro's kernels), a rounded real function under xnnpack.
#pragma once

#include "compiler_bridge/passes/int8_table.h"

namespace presil::passes {

Int8Table logistic_table(const ir::Op& op, const ir::Quantization& x, const ir::Quantization& y,
                         ir::Numerics numerics);
Int8Table tanh_table(const ir::Op& op, const ir::Quantization& x, const ir::Quantization& y,
                     ir::Numerics numerics);
/// The same under both: XNNPACK has none, LiteRT runs TFLite's kernel.
Int8Table hard_swish_table(const ir::Op& op, const ir::Quantization& x, const ir::Quantization& y);

}  // namespace presil::passes
