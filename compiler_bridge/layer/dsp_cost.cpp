#include "compiler_bridge/layer/dsp_cost.h"

#include <algorithm>
#include <map>
#include <set>

#include "compiler_bridge/layer/dsp_cost_family.h"
#include "compiler_bridge/layer/dsp_cost_terms.h"
#include "driver/kernels/dsp/cost.h"
#include "driver/kernels/dsp/prebuilt/cost_fit.h"
#include "models/base/refusal.h"

namespace presil::layer {
namespace {

/// Candidates that a turn of the kernel is certain to deal with (driver/kernels/dsp/sort.h).
constexpr uint64_t kTurn = 2048;

/// [runs, run]: of a row, so many stretches of so many elements; no runs: all rows are one stretch.
/// Further arguments are of terms_of alone.
template <uint32_t per_hundred>
uint64_t elements(const CostArguments& a) {
  const uint64_t runs = a.at(0) == 0 ? 1 : a.rows * a.at(0);
  const uint64_t run = a.at(0) == 0 ? a.rows * a.at(1) : a.at(1);
  return presil_dsp_cycles_elements(runs, run, per_hundred);
}

/// [whether one operand is an element for each run, runs, run] of a row
template <uint32_t per_hundred>
uint64_t shared(const CostArguments& a) {
  const uint64_t runs = a.rows * a.at(1), run = a.at(2);
  return a.at(0) != 0 ? presil_dsp_cycles_shared(runs, run, per_hundred)
                      : presil_dsp_cycles_shared(0, runs * run, per_hundred);
}

/// [length] of a row
template <uint64_t (*cycles)(uint64_t rows, uint64_t length)>
uint64_t along_rows(const CostArguments& a) {
  return cycles(a.rows, a.at(0));
}

/// [elements of a row, kept of them]
uint64_t top_k(const CostArguments& a) {
  return presil_dsp_cycles_top_k(a.rows, a.at(0), a.at(1));
}

/// [cycles of all rows, rows]: as the author of a kernel states it
uint64_t stated(const CostArguments& a) {
  return std::max<uint64_t>(1, a.at(0) * a.rows / a.at(1));
}

/// [steps of all batches, inputs, units]
uint64_t lstm(const CostArguments& a) {
  return presil_dsp_cycles_lstm_i8(a.at(0), a.at(1), a.at(2));
}

/// [rows of the head, classes]
uint64_t yolo_decode(const CostArguments& a) {
  return presil_dsp_cycles_yolo_decode(a.at(0), a.at(1));
}

/// [boxes, classes, whether channels are last]
uint64_t box_decode(const CostArguments& a) {
  return presil_dsp_cycles_box_decode(a.at(0), a.at(1), a.at(2));
}

/// [rows, classes, candidates, boxes taken]
uint64_t nms(const CostArguments& a) {
  return presil_dsp_cycles_nms(a.at(0), a.at(1), a.at(2), a.at(3));
}

/// The same, candidates in turns, each of which looks at all rows again.
uint64_t nms_in_turns(const CostArguments& a) {
  return (1 + a.at(2) / kTurn) * nms(a);
}

/// [boxes, classes, candidates, boxes looked at]
uint64_t detection(const CostArguments& a) {
  return presil_dsp_cycles_detection_post_process(a.at(0), a.at(1), a.at(2), a.at(3));
}

uint64_t detection_in_turns(const CostArguments& a) {
  return (1 + a.at(2) / kTurn) * detection(a);
}

const std::vector<CostFunction>& own_functions() {
  constexpr uint32_t kClamp = PRESIL_DSP_PAIR_F32_CLAMP;
  static const std::vector<CostFunction> all = {
      {"table_i8", elements<PRESIL_DSP_TABLE_I8>},
      {"add_i8_tflite", elements<PRESIL_DSP_ADD_I8_TFLITE>},
      {"add_i8_tflite_shared", shared<PRESIL_DSP_ADD_I8_TFLITE_SHARED>},
      {"add_i8_xnnpack", elements<PRESIL_DSP_ADD_I8_XNNPACK>},
      {"add_i8_xnnpack_shared", shared<PRESIL_DSP_ADD_I8_XNNPACK_SHARED>},
      {"mul_i8_tflite", elements<PRESIL_DSP_MUL_I8_TFLITE>},
      {"mul_i8_tflite_shared", shared<PRESIL_DSP_MUL_I8_TFLITE_SHARED>},
      {"mul_i8_xnnpack", elements<PRESIL_DSP_MUL_I8_XNNPACK>},
      {"mul_i8_xnnpack_shared", shared<PRESIL_DSP_MUL_I8_XNNPACK_SHARED>},
      {"squared_difference_i8", elements<PRESIL_DSP_SQUARED_DIFFERENCE_I8>},
      {"squared_difference_i8_shared", shared<PRESIL_DSP_SQUARED_DIFFERENCE_I8_SHARED>},
      {"prelu_i8", elements<PRESIL_DSP_PRELU_I8>},
      {"prelu_i8_shared", shared<PRESIL_DSP_PRELU_I8_SHARED>},
      {"larger_i8", elements<PRESIL_DSP_LARGER_I8>},
      {"quantise_tflite", elements<PRESIL_DSP_QUANTISE_TFLITE>},
      {"quantise_xnnpack", elements<PRESIL_DSP_QUANTISE_XNNPACK>},
      {"dequantise", elements<PRESIL_DSP_DEQUANTISE>},
      {"requantise", elements<PRESIL_DSP_REQUANTISE>},
      {"cast_whole", elements<PRESIL_DSP_CAST_WHOLE>},
      {"cast_words", elements<PRESIL_DSP_CAST_WORDS>},
      {"cast_floats", elements<PRESIL_DSP_CAST_FLOATS>},
      {"cast_truth", elements<PRESIL_DSP_CAST_TRUTH>},
      {"clamp_f32", elements<PRESIL_DSP_FUNCTION_CLAMP>},
      {"exp_f32", elements<PRESIL_DSP_FUNCTION_EXP>},
      {"logistic_f32", elements<PRESIL_DSP_FUNCTION_LOGISTIC>},
      {"tanh_f32", elements<PRESIL_DSP_FUNCTION_TANH>},
      {"gelu_f32", elements<PRESIL_DSP_FUNCTION_GELU>},
      {"log_f32", elements<PRESIL_DSP_FUNCTION_LOG>},
      {"leaky_relu_f32", elements<PRESIL_DSP_FUNCTION_LEAKY_RELU>},
      {"hard_swish_f32", elements<PRESIL_DSP_FUNCTION_HARD_SWISH>},
      {"elu_f32", elements<PRESIL_DSP_FUNCTION_ELU>},
      {"sqrt_f32", elements<PRESIL_DSP_FUNCTION_SQRT>},
      {"rsqrt_f32", elements<PRESIL_DSP_FUNCTION_RSQRT>},
      {"square_f32", elements<PRESIL_DSP_FUNCTION_SQUARE>},
      {"round_f32", elements<PRESIL_DSP_FUNCTION_ROUND>},
      {"pair_f32", elements<PRESIL_DSP_PAIR_F32>},
      {"pair_f32_clamped", elements<PRESIL_DSP_PAIR_F32 + kClamp>},
      {"pair_f32_div", elements<PRESIL_DSP_PAIR_F32_DIV>},
      {"pair_f32_div_clamped", elements<PRESIL_DSP_PAIR_F32_DIV + kClamp>},
      {"prelu_f32", elements<PRESIL_DSP_PRELU_F32>},
      {"pow_f32", elements<PRESIL_DSP_POWER_F32>},
      {"pow_f32_whole", elements<PRESIL_DSP_POWER_F32_WHOLE>},
      {"in_double", elements<PRESIL_DSP_DOUBLE_F32>},
      {"softmax_i8", along_rows<presil_dsp_cycles_softmax_i8>},
      {"softmax_table_i8", along_rows<presil_dsp_cycles_softmax_table_i8>},
      {"softmax_f32", along_rows<presil_dsp_cycles_softmax_f32>},
      {"layer_norm_f32", along_rows<presil_dsp_cycles_layer_norm_f32>},
      {"top_k", top_k},
      {"lstm_i8", lstm},
      {"stated", stated},
      {"yolo_decode", yolo_decode},
      {"box_decode", box_decode},
      {"nms", nms},
      {"nms_in_turns", nms_in_turns},
      {"detection_post_process", detection},
      {"detection_post_process_in_turns", detection_in_turns},
  };
  return all;
}

using Function = uint64_t (*)(const CostArguments&);

const std::map<std::string, Function>& functions() {
  static const std::map<std::string, Function> all = [] {
    std::map<std::string, Function> by_name;
    for (const auto* family :
         {&own_functions(), &byte_costs(), &move_costs(), &reduce_costs(), &window_costs()}) {
      for (const CostFunction& one : *family) by_name.emplace(one.name, one.cycles);
    }
    return by_name;
  }();
  return all;
}

/// Detections are scalar code, copies as fast as the memory; what is stated is as it is stated.
bool is_of_vectors(const std::string& function) {
  static const std::set<std::string> kOthers = {"stated",
                                                "nms",
                                                "nms_in_turns",
                                                "detection_post_process",
                                                "detection_post_process_in_turns",
                                                "moved",
                                                "padded",
                                                "concat",
                                                "gather",
                                                "top_k",
                                                "yolo_decode",
                                                "box_decode",
                                                "in_double"};
  return kOthers.count(function) == 0;
}

const presil_dsp_fit* fit_of(const std::string& line) {
  static const std::map<std::string, const presil_dsp_fit*> all = [] {
    std::map<std::string, const presil_dsp_fit*> by_line;
    for (const presil_dsp_fit& fit : presil_dsp_fits) by_line.emplace(fit.line, &fit);
    return by_line;
  }();
  const auto found = all.find(line);
  return found == all.end() ? nullptr : found->second;
}

/// As driver/kernels/dsp/prebuilt/cost_fit.h says.
uint64_t fitted(const presil_dsp_fit& fit, const std::vector<double>& terms,
                const DspConfig& config) {
  const double by[] = {1, 512.0 / config.vlen, 256.0 / config.dlen,
                       config.vlen / (2.0 * config.dlen)};
  const double second = config.arithmetic_sequencers > 1 ? fit.second : 1;
  double cycles = 0;
  for (size_t i = 0; i < terms.size(); ++i) {
    const double* weight = fit.terms[i];
    const double narrow = weight[1] * by[1] + weight[2] * by[2] + weight[3] * by[3];
    cycles += terms[i] * (weight[0] + second * narrow);
  }
  return std::max<uint64_t>(1, static_cast<uint64_t>(cycles + 0.5));
}

}  // namespace

uint64_t CostArguments::at(size_t i) const {
  if (i < values.size()) return static_cast<uint64_t>(values[i]);
  throw Refusal("dsp cost", "a function has " + std::to_string(values.size()) +
                                " arguments, must have more than " + std::to_string(i));
}

uint64_t cycles_of(const DspCost& cost, int64_t rows) {
  if (cost.function.empty()) return 0;
  const auto found = functions().find(cost.function);
  if (found == functions().end()) {
    throw Refusal("dsp cost",
                  "there is no cost function " + cost.function +
                      "; compiler_bridge/layer/dsp_cost.cpp lists those that there are");
  }
  return found->second({static_cast<uint64_t>(rows), cost.arguments});
}

uint64_t cycles_of(const DspCost& cost, int64_t rows, const DspConfig& config) {
  const uint64_t stated = cycles_of(cost, rows);
  if (stated <= PRESIL_DSP_CYCLES_ENTRY) return stated;
  const DspTerms terms = terms_of(cost, rows, config.vlen);
  if (const presil_dsp_fit* fit = fit_of(terms.line)) return fitted(*fit, terms.terms, config);
  if (!is_of_vectors(cost.function)) return stated;
  return fitted(*fit_of(""), {1, static_cast<double>(stated - PRESIL_DSP_CYCLES_ENTRY)}, config);
}

}  // namespace presil::layer
