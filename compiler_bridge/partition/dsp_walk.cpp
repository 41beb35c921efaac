#include "compiler_bridge/partition/dsp_walk.h"

#include <numeric>

#include "compiler_bridge/partition/dsp_lowering.h"
#include "driver/kernels/dsp/params.h"

namespace presil::partition {
namespace {

/// Elements of a row where rows could have any length: a burst of bytes.
constexpr int64_t kRow = 64;

struct Axis {
  int64_t extent = 1;
  std::vector<bool> own;  ///< by input: false where it is broadcast
};

std::vector<Axis> axes_of(const ir::Graph& graph, const std::vector<layer::TensorId>& inputs,
                          const std::vector<int64_t>& y) {
  std::vector<Axis> axes;
  for (size_t i = 0; i < y.size(); ++i) {
    if (y[i] == 1) continue;
    Axis axis{y[i], {}};
    for (const layer::TensorId id : inputs) {
      const std::vector<int64_t>& x = graph.tensor(id).shape;
      const size_t absent = y.size() - x.size();
      axis.own.push_back(i >= absent && x[i - absent] != 1);
    }
    if (!axes.empty() && axes.back().own == axis.own) {
      axes.back().extent *= axis.extent;
    } else {
      axes.push_back(std::move(axis));
    }
  }
  if (axes.empty()) axes.push_back({1, std::vector<bool>(inputs.size(), true)});
  return axes;
}

std::vector<Walk::Shared> shared_of(const std::vector<Axis>& axes) {
  const std::vector<bool>& run = axes.back().own;
  std::vector<Walk::Shared> shared(run.size(), Walk::Shared::kNone);
  if (axes.size() < 2 || run.size() != 2 || axes.back().extent > PRESIL_DSP_LONG_RUN) return shared;
  const std::vector<bool>& runs = axes[axes.size() - 2].own;
  for (const size_t k : {size_t{0}, size_t{1}}) {
    if (!run[1 - k] || !runs[1 - k] || run[k] == runs[k]) continue;
    shared[k] = run[k] ? Walk::Shared::kRun : Walk::Shared::kElement;
  }
  return shared;
}

}  // namespace

Walk walk(const ir::Graph& graph, const std::vector<layer::TensorId>& inputs,
          layer::TensorId output) {
  std::vector<Axis> axes = axes_of(graph, inputs, graph.tensor(output).shape);
  Walk w;
  const bool one = axes.size() == 1;
  if (one) {
    const Axis all = axes.front();
    const int64_t length = std::gcd(all.extent, kRow);
    axes = {{all.extent / length, all.own}, {length, all.own}};
  }
  w.rows = axes.front().extent;
  w.run = axes.back().extent;
  w.runs = one ? 0 : 1;
  w.shared = shared_of(axes);
  for (size_t i = 1; i + 1 < axes.size(); ++i) w.runs *= axes[i].extent;
  std::vector<int64_t> row;
  for (size_t i = 1; i < axes.size(); ++i) row.push_back(axes[i].extent);
  w.output = in_rows(graph, output, row);
  for (size_t k = 0; k < inputs.size(); ++k) {
    std::vector<int64_t> own;
    for (size_t i = 1; i < axes.size(); ++i) own.push_back(axes[i].own[k] ? axes[i].extent : 1);
    const bool cut = axes.front().own[k];
    w.inputs.push_back(cut ? in_rows(graph, inputs[k], own) : whole_as(graph, inputs[k], own));
  }
  return w;
}

}  // namespace presil::partition
