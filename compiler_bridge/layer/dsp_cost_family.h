// The functions of DspCost, one list per family.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace presil::layer {

struct CostArguments {
  uint64_t rows;  ///< of the command
  const std::vector<int64_t>& values;

  /// Refuses (presil::Refusal) what is not there.
  uint64_t at(size_t i) const;
};

struct CostFunction {
  const char* name;
  uint64_t (*cycles)(const CostArguments& arguments);
};

/// What arguments of a reduction say, [of each axis: its extent, whether it goes]; the first one is
/// the rows.
struct ReducedAxes {
  uint64_t terms = 1, results = 1, last = 1;  ///< last: extent of the last axis that stays
  int gone = 0;
  bool dense = true;  ///< the last axis stays

  /// Terms that lie dense are computed a row at a time.
  bool few() const;
};
ReducedAxes reduced_axes(const CostArguments& arguments);

const std::vector<CostFunction>& byte_costs();
const std::vector<CostFunction>& move_costs();
const std::vector<CostFunction>& reduce_costs();
const std::vector<CostFunction>& window_costs();

}  // namespace presil::layer
