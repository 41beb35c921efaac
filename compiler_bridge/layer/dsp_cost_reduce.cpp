// Many elements to one.
#include <algorithm>

#include "compiler_bridge/layer/dsp_cost_family.h"
#include "driver/kernels/dsp/cost.h"

namespace presil::layer {
namespace {

/// How the kernel goes about it (driver/kernels/dsp/reduce.h), in the terms of
/// driver/kernels/dsp/cost.h.
struct Reduction {
  uint32_t of_row = 0;    ///< where terms of a result lie dense, alone; 0: it has no such way
  uint32_t of_dense = 0;  ///< where results lie side by side
  uint32_t of_lanes = 0;  ///< where they lie apart, without their loads
  uint64_t width = 64;    ///< results at a time
  enum { kWords, kSumI8, kMostI8, kArgI8 } how = kWords;
};

uint64_t reduced(const CostArguments& a, const Reduction& by) {
  const ReducedAxes axes = reduced_axes(a);
  const uint64_t terms = axes.terms, results = axes.results, last = axes.last;
  const int gone = axes.gone;
  const bool dense = axes.dense;
  if (by.of_row != 0 && gone == 1 && !dense && axes.few()) {
    return by.how == Reduction::kMostI8 ? presil_dsp_cycles_most_i8_rows(results, terms)
                                        : presil_dsp_cycles_reduce_rows(results, terms, by.of_row);
  }
  if (by.how == Reduction::kArgI8 && gone == 1 && !dense) {
    return presil_dsp_cycles_arg_rows_i8(results, terms);
  }
  if (by.how == Reduction::kMostI8 && dense) {
    return presil_dsp_cycles_most_i8(results / last, last, terms);
  }
  const uint64_t lots = results / last * ((last + by.width - 1) / by.width);
  const uint64_t apart = dense ? 0 : lots * terms * std::min(last, by.width);
  if (by.of_lanes == 0) return apart + presil_dsp_cycles_reduce_f32(lots, terms);
  if (dense && (by.how == Reduction::kSumI8 || by.how == Reduction::kArgI8)) {
    return presil_dsp_cycles_reduce_i8(lots, terms, by.of_dense);
  }
  return apart + presil_dsp_cycles_reduce(lots, terms, dense ? by.of_dense : by.of_lanes);
}

uint64_t most_f32(const CostArguments& a) {
  return reduced(a, {PRESIL_DSP_ROW_MOST_F32, 0, 0, 128});
}
uint64_t sum_f32(const CostArguments& a) {
  return reduced(a, {PRESIL_DSP_ROW_SUM_F32, 0, 0, 128});
}
uint64_t sum_i8(const CostArguments& a) {
  return reduced(
      a, {PRESIL_DSP_ROW_SUM_I8, PRESIL_DSP_SUM_I8, PRESIL_DSP_WORDS, 64, Reduction::kSumI8});
}
uint64_t most_i8(const CostArguments& a) {
  return reduced(
      a, {PRESIL_DSP_ROW_SUM_F32, PRESIL_DSP_WORDS, PRESIL_DSP_WORDS, 64, Reduction::kMostI8});
}
uint64_t words(const CostArguments& a) {
  return reduced(
      a, {PRESIL_DSP_ROW_SUM_F32, PRESIL_DSP_WORDS, PRESIL_DSP_WORDS, 64, Reduction::kWords});
}
uint64_t arg_i8(const CostArguments& a) {
  return reduced(
      a, {PRESIL_DSP_ROW_ARG_I8, PRESIL_DSP_ARG_I8, PRESIL_DSP_ARG_I8, 64, Reduction::kArgI8});
}
uint64_t arg_words(const CostArguments& a) {
  return reduced(a, {0, PRESIL_DSP_ARG_WORDS, PRESIL_DSP_ARG_WORDS, 64, Reduction::kWords});
}
uint64_t arg_f32(const CostArguments& a) {
  return reduced(a, {PRESIL_DSP_ROW_ARG_F32, PRESIL_DSP_ARG_WORDS, PRESIL_DSP_ARG_WORDS, 64,
                     Reduction::kWords});
}

}  // namespace

ReducedAxes reduced_axes(const CostArguments& a) {
  ReducedAxes axes;
  for (size_t i = 0; i < a.values.size(); i += 2) {
    const uint64_t extent = i == 0 ? a.rows : a.at(i);
    if (extent == 1) continue;
    axes.dense = a.at(i + 1) == 0;
    if (axes.dense) {
      axes.results *= extent, axes.last = extent;
    } else {
      axes.terms *= extent, ++axes.gone;
    }
  }
  return axes;
}

bool ReducedAxes::few() const {
  constexpr uint64_t kFewTerms = 64, kFewResults = 16;
  return results == 1 || terms >= kFewTerms || last < kFewResults;
}

const std::vector<CostFunction>& reduce_costs() {
  static const std::vector<CostFunction> all = {
      {"reduce_most_f32", most_f32},
      {"reduce_sum_f32", sum_f32},
      {"reduce_sum_i8", sum_i8},
      {"reduce_most_i8", most_i8},
      {"reduce", words},
      {"arg_i8", arg_i8},
      {"arg", arg_words},
      {"arg_f32", arg_f32},
  };
  return all;
}

}  // namespace presil::layer
