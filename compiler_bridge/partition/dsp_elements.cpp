// What is computed element by element: functions of one or two values, from one type to another.
#include <cmath>
#include <cstdlib>

#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/common/standard_pair.h"
#include "compiler_bridge/partition/dsp_lowering.h"
#include "compiler_bridge/partition/dsp_walk.h"
#include "compiler_bridge/partition/host_float.h"
#include "compiler_bridge/partition/host_parts.h"
#include "compiler_bridge/passes/int8_table.h"
#include "driver/kernels/dsp/params.h"
#include "driver/kernels/host/kernels.h"

namespace presil::partition {
namespace {

using K = ir::OpKind;

// Numbers are those of the host's kernels.
static_assert(int{PRESIL_DSP_GELU_TANH} == int{PRESIL_F32_GELU_TANH}, "a function");
static_assert(int{PRESIL_DSP_ROUND} == int{PRESIL_F32_ROUND}, "a function");
static_assert(int{PRESIL_DSP_POW} == int{PRESIL_F32_POW}, "a pair");
static_assert(int{PRESIL_DSP_PRELU} == int{PRESIL_F32_PRELU}, "a pair");
static_assert(int{PRESIL_DSP_LOG} == int{PRESIL_F32_LOG}, "a function");
static_assert(int{PRESIL_DSP_SQUARED_DIFFERENCE} == int{PRESIL_F32_SQUARED_DIFFERENCE}, "a pair");

struct Kernel {
  const char* name;
  const char* cost;  ///< DspCost::function
  const char* host;
};

/// A kernel that writes an operand out where short runs share it (driver/kernels/dsp/pairs.h).
bool writes_out(const Kernel& kernel, size_t operand) {
  const std::string name = kernel.name;
  if (name == "prelu_i8") return operand == 1;
  return name == "add_i8" || name == "mul_i8" || name == "squared_difference_i8";
}

template <class Params>
layer::DspLayer each(const ir::Graph& graph, const std::vector<layer::TensorId>& inputs,
                     layer::TensorId output, const Kernel& kernel, const Params& params) {
  const Walk w = walk(graph, inputs, output);
  layer::DspLayer layer;
  layer.kernel = kernel.name;
  layer.inputs = w.inputs;
  layer.outputs = {w.output};
  layer.params = bytes_of(params);
  layer.rows = w.rows;
  layer.cost = {kernel.cost, {w.runs, w.run}};
  for (size_t k = 0; k < w.shared.size(); ++k) {
    if (w.shared[k] == Walk::Shared::kNone || !writes_out(kernel, k)) continue;
    const bool element = w.shared[k] == Walk::Shared::kElement;
    layer.cost = {std::string(kernel.cost) + "_shared", {element ? 1 : 0, w.runs, w.run}};
  }
  takes_blocks(graph, layer, layer::DspOperand::Blocks::kLanes, inputs.size());
  layer.host_kernel = kernel.host;
  layer.host_elements = static_cast<uint64_t>(graph.tensor(output).elements());
  return layer;
}

const char* cost_of_pair(const presil_pair_f32_attributes& a) {
  if (a.function == PRESIL_DSP_PRELU) return "prelu_f32";
  const bool clamps = std::isfinite(a.low) || std::isfinite(a.high);
  if (a.function == PRESIL_DSP_DIV) return clamps ? "pair_f32_div_clamped" : "pair_f32_div";
  return clamps ? "pair_f32_clamped" : "pair_f32";
}

presil_dsp_pair_i8 pair_params(const common::ElementWiseScales& s) {
  presil_dsp_pair_i8 p{};
  p.a_zero = s.a_zero, p.b_zero = s.b_zero, p.out_zero = s.out_zero;
  p.a_mult = s.a_mult, p.b_mult = s.b_mult, p.out_mult = s.out_mult;
  p.a_shift = s.a_shift, p.b_shift = s.b_shift, p.out_shift = s.out_shift;
  p.act_min = s.clamp.min, p.act_max = s.clamp.max;
  return p;
}

/// What the kernel leaves to its scalar core at worst: all of it.
layer::DspCost in_double(const layer::DspLayer& layer) {
  return {"in_double", layer.cost.arguments};
}

/// One exponent for all that is a small whole number.
bool is_few(const ir::Tensor& exponent) {
  if (!exponent.is_constant() || exponent.elements() != 1) return false;
  const float e = *exponent.values<float>();
  return e >= 2 && e <= PRESIL_DSP_WHOLE_POWERS && std::floor(e) == e;
}

layer::DspLayer power(ir::Graph& graph, const ir::Op& op) {
  const presil_pair_f32_attributes a = pair_of(op);
  const char* cost = is_few(graph.tensor(op.input(1))) ? "pow_f32_whole" : "pow_f32";
  layer::DspLayer layer = each(graph, op.inputs, op.output(), {"pair_f32", cost, "pair_f32"},
                               presil_dsp_pair_f32{a.function, a.low, a.high});
  layer.longest = in_double(layer);
  layer.host_kernel = presil_f32_pair_price(a.function);
  layer.host_elements *= presil_f32_pair_weight(a.function);
  return layer;
}

layer::DspLayer larger(ir::Graph& graph, const ir::Op& op) {
  return each(graph, op.inputs, op.output(), {"larger_i8", "larger_i8", "pair"},
              presil_dsp_larger_i8{op.kind == K::kMinimum ? 1u : 0u});
}

/// A row that is the same for all rows of y, and short: the kernel repeats it.
bool has_short_row(const ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor& y = graph.tensor(op.output());
  for (const size_t k : {size_t{0}, size_t{1}}) {
    const ir::Tensor &row = graph.tensor(op.input(k)), &other = graph.tensor(op.input(1 - k));
    const int64_t n = row.elements();
    if (n > 1 && n <= PRESIL_DSP_SHORT_ROW && row.shape.back() == n && y.shape.back() == n &&
        other.shape == y.shape && row.shape != y.shape) {
      return true;
    }
  }
  return false;
}

layer::DspLayer pair_floats(ir::Graph& graph, const ir::Op& op) {
  const presil_pair_f32_attributes a = pair_of(op);
  const presil_dsp_pair_f32 params{a.function, a.low, a.high};
  layer::DspLayer layer =
      each(graph, op.inputs, op.output(), {"pair_f32", cost_of_pair(a), "pair_f32"}, params);
  layer.host_kernel = presil_f32_pair_price(a.function);
  if (has_short_row(graph, op)) layer.cost.arguments = {0, layer.cost.arguments.at(1), 1};
  return layer;
}

layer::DspLayer pair(ir::Graph& graph, const ir::Op& op) {
  if (is_float(graph, op)) return pair_floats(graph, op);
  if (op.kind == K::kMaximum || op.kind == K::kMinimum) return larger(graph, op);
  const ir::Tensor &a = graph.tensor(op.input(0)), &b = graph.tensor(op.input(1));
  const ir::Tensor& y = graph.tensor(op.output());
  if (op.kind == K::kSquaredDifference) {
    return each(graph, op.inputs, op.output(),
                {"squared_difference_i8", "squared_difference_i8", "squared_difference_i8"},
                pair_params(common::squared_difference_scales(op, a, b, y)));
  }
  const bool mul = op.kind == K::kMul, subtract = op.kind == K::kSub;
  const common::PairWords words = common::pair_words(graph, op);
  const bool tflite = words.rule == ir::Numerics::kTflite;
  presil_dsp_pair_i8 p = pair_params(words.scales);
  p.numerics = tflite ? 0 : numerics_of(graph);
  p.subtract = subtract && tflite ? 1 : 0;  // under xnnpack the sign is in b_mult
  const Kernel product{"mul_i8", tflite ? "mul_i8_tflite" : "mul_i8_xnnpack", "mul_i8"};
  const Kernel sum{"add_i8", tflite ? "add_i8_tflite" : "add_i8_xnnpack", "add_i8"};
  return each(graph, op.inputs, op.output(), mul ? product : sum, p);
}

const char* cost_of_function(uint32_t function) {
  switch (function) {
    case PRESIL_DSP_CLAMP:
      return "clamp_f32";
    case PRESIL_DSP_LEAKY_RELU:
      return "leaky_relu_f32";
    case PRESIL_DSP_HARD_SWISH:
      return "hard_swish_f32";
    case PRESIL_DSP_LOGISTIC:
      return "logistic_f32";
    case PRESIL_DSP_TANH:
      return "tanh_f32";
    case PRESIL_DSP_ELU:
      return "elu_f32";
    case PRESIL_DSP_GELU_TANH:
      return "gelu_f32";
    case PRESIL_DSP_EXP:
      return "exp_f32";
    case PRESIL_DSP_LOG:
      return "log_f32";
    case PRESIL_DSP_SQRT:
      return "sqrt_f32";
    case PRESIL_DSP_RSQRT:
      return "rsqrt_f32";
    case PRESIL_DSP_ABS:
    case PRESIL_DSP_NEG:
    case PRESIL_DSP_SQUARE:
      return "square_f32";
    default:
      return "round_f32";
  }
}

layer::DspLayer function(ir::Graph& graph, const ir::Op& op) {
  const presil_function_f32_attributes a = function_of(op);
  const presil_dsp_function_f32 params{a.function, a.slope, a.low, a.high};
  layer::DspLayer layer =
      each(graph, op.inputs, op.output(),
           {"function_f32", cost_of_function(a.function), "function_f32"}, params);
  if (a.function == PRESIL_DSP_LOG) layer.longest = in_double(layer);
  layer.host_kernel = presil_f32_function_price(a.function);
  layer.host_elements *= presil_f32_function_weight(a.function);
  return layer;
}

layer::DspLayer by_table(ir::Graph& graph, layer::TensorId x, layer::TensorId table,
                         layer::TensorId y, const char* host) {
  layer::DspLayer layer =
      each(graph, {x}, y, {"table_i8", "table_i8", host}, presil_dsp_table_i8{});
  layer.inputs.front().dtype = layer.outputs.front().dtype = ir::DType::kInt8;
  layer.inputs.push_back(whole(graph, table));
  return layer;
}

layer::DspLayer lut(ir::Graph& graph, const ir::Op& op) {
  return by_table(graph, op.input(0), op.input(1), op.output(), "lut_i8");
}

bool is_byte(const ir::Tensor& tensor) {
  return tensor.dtype == ir::DType::kInt8 || tensor.dtype == ir::DType::kUint8;
}

/// As int8 of the same real values: those have the sign bit flipped.
ir::Quantization as_int8(const ir::Tensor& tensor) {
  ir::Quantization q = tensor.quantization;
  if (tensor.dtype == ir::DType::kUint8) q.zero_points = {q.zero_point() - 128};
  return q;
}

// Bytes to bytes: by x as it is stored, y as it is stored.
layer::DspLayer requantise_bytes(ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor x = graph.tensor(op.input(0)), y = graph.tensor(op.output());
  const passes::Int8Table values =
      passes::requantize_table(op, as_int8(x), as_int8(y), graph.numerics);
  const unsigned x_sign = x.dtype == ir::DType::kUint8 ? 0x80 : 0;
  const unsigned y_sign = y.dtype == ir::DType::kUint8 ? 0x80 : 0;
  std::vector<int8_t> table;
  for (unsigned stored = 0; stored < values.size(); ++stored) {
    table.push_back(static_cast<int8_t>(static_cast<uint8_t>(values[stored ^ x_sign]) ^ y_sign));
  }
  const ir::TensorId id = add_constant(graph, y.name + "/table", ir::DType::kInt8, {256}, table);
  return by_table(graph, op.input(0), id, op.output(), "requantise");
}

/// A power of two, of which nothing is lost far from the ends of floats: x times 1 / scale is then
/// rounded as x / scale is, and both rule sets send halves to the even number.
bool has_exact_reciprocal(float scale) {
  int exponent = 0;
  return std::frexp(scale, &exponent) == 0.5f && std::abs(exponent) <= 100;
}

layer::DspLayer quantize(ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor &x = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
  if (is_byte(x) && is_byte(y)) return requantise_bytes(graph, op);
  if (x.dtype == ir::DType::kFloat32) {
    const float scale = y.quantization.scale();
    presil_dsp_quantise params{numerics_of(graph), scale, y.quantization.zero_point()};
    if (graph.numerics == ir::Numerics::kOnnx) {
      params.numerics = has_exact_reciprocal(scale) ? 1 : 2;
      const char* cost = params.numerics == 1 ? "quantise_xnnpack" : "quantise_tflite";
      return each(graph, op.inputs, op.output(), {"quantise", cost, "quantise"}, params);
    }
    const bool tflite = ir::by_fixed_point(graph.numerics);
    const char* cost = tflite ? "quantise_tflite" : "quantise_xnnpack";
    return each(graph, op.inputs, op.output(), {"quantise", cost, "quantise"}, params);
  }
  // XNNPACK has no integers wider than bytes: TFLite's own kernel under both numerics.
  const common::FixedPoint scale =
      common::fixed_point(op, static_cast<double>(x.quantization.scale()) /
                                  static_cast<double>(y.quantization.scale()));
  presil_dsp_requantise params{};
  params.multiplier = scale.multiplier, params.shift = scale.shift;
  params.in_zero = x.quantization.zero_point(), params.out_zero = y.quantization.zero_point();
  return each(graph, op.inputs, op.output(), {"requantise", "requantise", "requantise"}, params);
}

layer::DspLayer dequantize(ir::Graph& graph, const ir::Op& op) {
  const ir::Quantization& q = graph.tensor(op.input(0)).quantization;
  const presil_dsp_quantise params{numerics_of(graph), q.scale(), q.zero_point()};
  return each(graph, op.inputs, op.output(), {"dequantise", "dequantise", "dequantise"}, params);
}

// TFLite Micro divides in double, LiteRT in float32.
layer::DspLayer prelu(ir::Graph& graph, const ir::Op& op) {
  if (is_float(graph, op)) return pair_floats(graph, op);
  const ir::Quantization &qx = graph.tensor(op.input(0)).quantization,
                         &qa = graph.tensor(op.input(1)).quantization,
                         &qy = graph.tensor(op.output()).quantization;
  const double x = qx.scale(), alpha = qa.scale(), y = qy.scale();
  const float quotient = qx.scale() / qy.scale(), product = qx.scale() * qa.scale() / qy.scale();
  const bool tflite = ir::by_fixed_point(graph.numerics);
  const common::FixedPoint above = common::fixed_point(op, tflite ? x / y : quotient);
  const common::FixedPoint below = common::fixed_point(op, tflite ? x * alpha / y : product);
  presil_dsp_pair_i8 p{};
  p.a_zero = qx.zero_point(), p.b_zero = qa.zero_point(), p.out_zero = qy.zero_point();
  p.a_mult = above.multiplier, p.a_shift = above.shift;
  p.out_mult = below.multiplier, p.out_shift = below.shift;
  p.act_min = -128, p.act_max = 127;
  return each(graph, op.inputs, op.output(), {"prelu_i8", "prelu_i8", "prelu"}, p);
}

layer::DspLayer cast(ir::Graph& graph, const ir::Op& op) {
  using D = ir::DType;
  const D from = graph.tensor(op.input(0)).dtype, to = graph.tensor(op.output()).dtype;
  const presil_dsp_cast params{from == D::kBool || to == D::kBool ? 1u : 0u};
  const char* cost = params.truth != 0     ? "cast_truth"
                     : from != D::kFloat32 ? "cast_whole"
                     : to == D::kFloat32   ? "cast_whole"
                     : to == D::kInt32     ? "cast_words"
                                           : "cast_floats";
  const char* host = from == D::kFloat32 ? "cast_from_float" : "cast";
  return each(graph, op.inputs, op.output(), {"cast", cost, host}, params);
}

}  // namespace

std::vector<DspLowering> dsp_element_lowerings() {
  std::vector<DspLowering> all = {
      {K::kLut, lut},   {K::kQuantize, quantize}, {K::kDequantize, dequantize},
      {K::kCast, cast}, {K::kPow, power},         {K::kPrelu, prelu}};
  for (const K kind :
       {K::kAdd, K::kSub, K::kMul, K::kDiv, K::kSquaredDifference, K::kMaximum, K::kMinimum}) {
    all.push_back({kind, pair});
  }
  for (const K kind : {K::kRelu,      K::kRelu6,    K::kReluN1To1, K::kRelu0To1, K::kLeakyRelu,
                       K::kHardSwish, K::kLogistic, K::kTanh,      K::kElu,      K::kGelu,
                       K::kExp,       K::kLog,      K::kSqrt,      K::kRsqrt,    K::kAbs,
                       K::kNeg,       K::kSquare,   K::kFloor,     K::kCeil,     K::kRound}) {
    all.push_back({kind, function});
  }
  return all;
}

}  // namespace presil::partition
