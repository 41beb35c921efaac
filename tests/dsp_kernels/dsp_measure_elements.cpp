#include <cmath>

#include "driver/kernels/dsp/cost.h"
#include "driver/kernels/dsp/params.h"
#include "tests/dsp_kernels/dsp_measure.h"

namespace presil::dsp {
namespace {

constexpr int64_t kElements = 16384;

struct Row {
  const char *kernel, *what;
  double bound;
  uint32_t cost;
  bool gated;
};

template <class Params>
Measured of(const Row& row, const std::vector<TensorValue>& in, const TensorValue& out,
            const Params& params) {
  Rig rig;
  std::vector<Operand> operands;
  for (const TensorValue& x : in) operands.push_back({x, {}});
  const Ran ran = rig.run(row.kernel, operands, {{out, {}}}, params);
  const auto n = static_cast<uint64_t>(kElements);
  return {row.kernel,
          row.what,
          "element",
          n,
          cycles_of(ran),
          row.bound,
          presil_dsp_cycles_elements(1, n, row.cost),
          row.gated};
}

/// Rows of `run` elements with one element for each, or one row for all.
Measured shared(const char* kernel, const char* what, int64_t run, bool column, double bound,
                uint32_t cost, const presil_dsp_pair_i8& params) {
  Rig rig;
  Random random(1);
  const int64_t rows = kElements / run;
  const std::vector<int64_t> one =
      column ? std::vector<int64_t>{rows, 1} : std::vector<int64_t>{run};
  const TensorValue x = random_bytes(random, {rows, run}), b = random_bytes(random, one);
  const Ran ran = rig.run(kernel, {{x, {}}, {b, {}}}, {{x, {}}}, params);
  const auto r = static_cast<uint64_t>(rows), n = static_cast<uint64_t>(run);
  return {kernel,
          std::string(what) + (column ? ", an element for each " : ", one row of ") +
              std::to_string(run),
          "element",
          r * n,
          cycles_of(ran),
          bound,
          presil_dsp_cycles_shared(column ? r : 0, column ? n : r * n, cost),
          false};
}

Measured softmax(int64_t rows, int64_t depth) {
  Rig rig;
  Random random(1);
  const TensorValue x = random_floats(random, {rows, depth}, -8, 8);
  const Ran ran = rig.run("softmax_f32", {{x, {}}}, {{x, {}}}, presil_dsp_softmax_f32{1.0f});
  const auto r = static_cast<uint64_t>(rows), d = static_cast<uint64_t>(depth);
  return {"softmax_f32",
          std::to_string(rows) + " x " + std::to_string(depth),
          "element",
          r * d,
          cycles_of(ran),
          2.9 + 150.0 / static_cast<double>(depth),
          presil_dsp_cycles_softmax_f32(r, d)};
}

Measured layer_norm(int64_t rows, int64_t depth) {
  Rig rig;
  Random random(1);
  const TensorValue x = random_floats(random, {rows, depth}, -8, 8),
                    row = random_floats(random, {depth}, -8, 8);
  const Ran ran = rig.run("layer_norm_f32", {{x, {}}, {row, {}}, {row, {}}}, {{x, {}}},
                          presil_dsp_layer_norm_f32{1e-3f});
  const auto r = static_cast<uint64_t>(rows), d = static_cast<uint64_t>(depth);
  return {"layer_norm_f32",
          std::to_string(rows) + " x " + std::to_string(depth),
          "element",
          r * d,
          cycles_of(ran),
          9.0 / 8 + 24.0 / static_cast<double>(depth),
          presil_dsp_cycles_layer_norm_f32(r, d)};
}

}  // namespace

std::vector<Measured> measure_elements() {
  Random random(1);
  const TensorValue bytes = random_bytes(random, {kElements}),
                    half = random_bytes(random, {kElements}, ir::DType::kInt16),
                    words = random_bytes(random, {kElements}, ir::DType::kInt32),
                    real = random_floats(random, {kElements}, -8, 8),
                    plus = random_floats(random, {kElements}, 1, 8);
  const auto pair = [](uint32_t numerics) {
    return presil_dsp_pair_i8{
        numerics, 0,  3, -5, 7, 1 << 30, 1500000000, 1 << 30, 0, -1, numerics == 1 ? 20 : -18,
        -128,     127};
  };
  const auto product = [](uint32_t numerics) {
    return presil_dsp_pair_i8{numerics,
                              0,
                              3,
                              -5,
                              7,
                              0,
                              0,
                              numerics == 1 ? 0x3c000000 : 1 << 30,
                              0,
                              0,
                              numerics == 1 ? 0 : -6,
                              -128,
                              127};
  };
  const auto function = [](uint32_t f) { return presil_dsp_function_f32{f, 0.1f, 0.0f, INFINITY}; };
  const auto of_pair = [](uint32_t f) { return presil_dsp_pair_f32{f, -INFINITY, INFINITY}; };
  std::vector<Measured> list;
  list.push_back(of({"add_i8", "tflite", 2.0, PRESIL_DSP_ADD_I8_TFLITE, true}, {bytes, bytes},
                    bytes, pair(0)));
  list.push_back(of({"add_i8", "xnnpack", 0.88, PRESIL_DSP_ADD_I8_XNNPACK, true}, {bytes, bytes},
                    bytes, pair(1)));
  list.push_back(of({"mul_i8", "tflite", 1.0, PRESIL_DSP_MUL_I8_TFLITE, true}, {bytes, bytes},
                    bytes, product(0)));
  list.push_back(of({"mul_i8", "xnnpack", 0.88, PRESIL_DSP_MUL_I8_XNNPACK, true}, {bytes, bytes},
                    bytes, product(1)));
  list.push_back(of({"prelu_i8", "a slope for each", 1.8, PRESIL_DSP_PRELU_I8, true},
                    {bytes, bytes}, bytes,
                    presil_dsp_pair_i8{0, 0, 3, -5, 7, 1 << 30, 0, 1 << 30, -1, 0, -8, -128, 127}));
  list.push_back(
      of({"squared_difference_i8", "both rules", 2.0, PRESIL_DSP_SQUARED_DIFFERENCE_I8, true},
         {bytes, bytes}, bytes, pair(0)));
  const presil_dsp_pair_i8 slopes{0, 0, 3, -5, 7, 1 << 30, 0, 1 << 30, -1, 0, -8, -128, 127};
  for (const bool column : {true, false}) {
    list.push_back(shared("squared_difference_i8", "both rules", 24, column, 0.69,
                          PRESIL_DSP_SQUARED_DIFFERENCE_I8_SHARED, pair(0)));
    list.push_back(
        shared("add_i8", "tflite", 32, column, 1.1, PRESIL_DSP_ADD_I8_TFLITE_SHARED, pair(0)));
    list.push_back(
        shared("add_i8", "xnnpack", 96, column, 0.63, PRESIL_DSP_ADD_I8_XNNPACK_SHARED, pair(1)));
    list.push_back(
        shared("mul_i8", "tflite", 512, column, 0.82, PRESIL_DSP_MUL_I8_TFLITE_SHARED, product(0)));
    list.push_back(
        shared("mul_i8", "xnnpack", 8, column, 0.82, PRESIL_DSP_MUL_I8_XNNPACK_SHARED, product(1)));
    list.push_back(
        shared("prelu_i8", "both rules", 48, column, 1.8, PRESIL_DSP_PRELU_I8_SHARED, slopes));
  }
  list.push_back(of({"larger_i8", "both rules", 0.094, PRESIL_DSP_LARGER_I8, false}, {bytes, bytes},
                    bytes, presil_dsp_larger_i8{0}));
  list.push_back(of({"quantise", "tflite, to int8", 0.88, PRESIL_DSP_QUANTISE_TFLITE, true}, {real},
                    bytes, presil_dsp_quantise{0, 0.1f, 3}));
  list.push_back(of({"quantise", "xnnpack, to int8", 0.5, PRESIL_DSP_QUANTISE_XNNPACK, true},
                    {real}, bytes, presil_dsp_quantise{1, 0.1f, 3}));
  list.push_back(of({"dequantise", "of int8", 0.31, PRESIL_DSP_DEQUANTISE, true}, {bytes}, real,
                    presil_dsp_quantise{0, 0.1f, 3}));
  list.push_back(of({"requantise", "int16 to int8", 1.06, PRESIL_DSP_REQUANTISE, true}, {half},
                    bytes, presil_dsp_requantise{0, 1 << 30, -6, 0, 3}));
  const auto cast = [&](const char* what, double bound, uint32_t cost, const TensorValue& x,
                        const TensorValue& y, bool gated = true) {
    list.push_back(of({"cast", what, bound, cost, gated}, {x}, y, presil_dsp_cast{0}));
  };
  cast("int8 to float32", 0.25, PRESIL_DSP_CAST_WHOLE, bytes, real, false);
  cast("int32 to int8", 0.38, PRESIL_DSP_CAST_WHOLE, words, bytes);
  cast("float32 to int8", 0.56, PRESIL_DSP_CAST_FLOATS, real, bytes);
  cast("float32 to int32", 0.38, PRESIL_DSP_CAST_WORDS, real, words);
  list.push_back(of({"cast", "bool to float32", 0.69, PRESIL_DSP_CAST_TRUTH, true}, {bytes}, real,
                    presil_dsp_cast{1}));
  list.push_back(of({"function_f32", "relu", 0.25, PRESIL_DSP_FUNCTION_CLAMP, false}, {real}, real,
                    function(PRESIL_DSP_CLAMP)));
  list.push_back(of({"function_f32", "exp", 2.4, PRESIL_DSP_FUNCTION_EXP, true}, {real}, real,
                    function(PRESIL_DSP_EXP)));
  list.push_back(of({"function_f32", "logistic", 4.8, PRESIL_DSP_FUNCTION_LOGISTIC, true}, {real},
                    real, function(PRESIL_DSP_LOGISTIC)));
  list.push_back(of({"function_f32", "tanh", 4.1, PRESIL_DSP_FUNCTION_TANH, true}, {real}, real,
                    function(PRESIL_DSP_TANH)));
  list.push_back(of({"function_f32", "gelu, tanh form", 5.1, PRESIL_DSP_FUNCTION_GELU, true},
                    {real}, real, function(PRESIL_DSP_GELU_TANH)));
  list.push_back(of({"function_f32", "log", 9.4, PRESIL_DSP_FUNCTION_LOG, true}, {plus}, real,
                    function(PRESIL_DSP_LOG)));
  list.push_back(of({"pair_f32", "pow", 20.5, PRESIL_DSP_POWER_F32, true}, {plus, real}, real,
                    of_pair(PRESIL_DSP_POW)));
  list.push_back(of({"pair_f32", "pow, all to 3", 2.1, PRESIL_DSP_POWER_F32_WHOLE, false},
                    {real, tensor_of<float>(ir::DType::kFloat32, {1}, {3.0f})}, real,
                    of_pair(PRESIL_DSP_POW)));
  list.push_back(of({"pair_f32", "prelu", 0.38, PRESIL_DSP_PRELU_F32, false}, {real, plus}, real,
                    of_pair(PRESIL_DSP_PRELU)));
  list.push_back(
      of({"pair_f32", "add a row of 32", 0.38, PRESIL_DSP_PAIR_F32, false},
         {random_floats(random, {kElements / 32, 32}, -8, 8), random_floats(random, {32}, -8, 8)},
         random_floats(random, {kElements / 32, 32}, -8, 8), of_pair(PRESIL_DSP_ADD)));
  list.push_back(of({"pair_f32", "add", 0.38, PRESIL_DSP_PAIR_F32, false}, {real, plus}, real,
                    of_pair(PRESIL_DSP_ADD)));
  list.push_back(of({"pair_f32", "div", 2.0, PRESIL_DSP_PAIR_F32_DIV, true}, {real, plus}, real,
                    of_pair(PRESIL_DSP_DIV)));
  list.push_back(softmax(16, 1001));
  list.push_back(softmax(64, 100));
  list.push_back(layer_norm(99, 64));
  list.push_back(layer_norm(197, 192));
  return list;
}

}  // namespace presil::dsp
