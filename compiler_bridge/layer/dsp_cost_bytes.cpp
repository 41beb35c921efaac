// Bytes of floats and int16, and what sums of their products become.
#include "compiler_bridge/layer/dsp_cost_family.h"
#include "driver/kernels/dsp/cost.h"

namespace presil::layer {
namespace {

/// [ranges of a row, elements of each, whether they are one]
uint64_t dynamic_range(const CostArguments& a) {
  return presil_dsp_cycles_dynamic_range(a.rows * a.at(0), a.at(1), a.at(2) != 0);
}

/// [ranges of a row, sets of scales of a row, input]
uint64_t dynamic_scale(const CostArguments& a) {
  return presil_dsp_cycles_dynamic_scale(a.rows * a.at(0), a.rows * a.at(1),
                                         static_cast<uint32_t>(a.at(2)));
}

/// [pixels of a row, channels, whether each has its scale, input]
uint64_t dynamic_bytes(const CostArguments& a) {
  return presil_dsp_cycles_dynamic_bytes(a.rows * a.at(0), a.at(1), a.at(2) != 0,
                                         static_cast<uint32_t>(a.at(3)));
}

/// [pixels of a row, channels, whether each has its scale, order]
uint64_t dynamic_result(const CostArguments& a) {
  return presil_dsp_cycles_dynamic_result(a.rows * a.at(0), a.at(1), a.at(2) != 0,
                                          static_cast<uint32_t>(a.at(3)));
}

/// [pixels of a row, channels]
uint64_t wide_bytes(const CostArguments& a) {
  return presil_dsp_cycles_wide_bytes(a.rows * a.at(0), a.at(1));
}

/// [pixels of a row, channels, rule]
uint64_t wide_result(const CostArguments& a) {
  return presil_dsp_cycles_wide_result(a.rows * a.at(0), a.at(1), static_cast<uint32_t>(a.at(2)));
}

}  // namespace

const std::vector<CostFunction>& byte_costs() {
  static const std::vector<CostFunction> all = {
      {"dynamic_range", dynamic_range}, {"dynamic_scale", dynamic_scale},
      {"dynamic_bytes", dynamic_bytes}, {"dynamic_result", dynamic_result},
      {"wide_bytes", wide_bytes},       {"wide_result", wide_result},
  };
  return all;
}

}  // namespace presil::layer
