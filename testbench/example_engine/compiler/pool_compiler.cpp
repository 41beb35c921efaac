#include "pool_compiler.h"

#include <algorithm>

#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/rules/image.h"
#include "pool_timing.h"

namespace presil::pool {
namespace {

constexpr char kTwoSteps[] = "pool in two steps of smaller windows and strides";

const ir::Pool2d& window_of(const rules::Subject& s) {
  return s.op.as<ir::Pool2d>();
}

std::vector<rules::Rule> window_rules() {
  using rules::Subject, rules::within;
  return {rules::int8_values(),
          rules::computed(),
          rules::one_image(),
          within("kernel height", 1, Command::kKernelHMax, kTwoSteps,
                 [](const Subject& s) { return window_of(s).kernel_h; }),
          within("kernel width", 1, Command::kKernelWMax, kTwoSteps,
                 [](const Subject& s) { return window_of(s).kernel_w; }),
          within("stride down", 1, Command::kStrideYMax, kTwoSteps,
                 [](const Subject& s) { return window_of(s).stride_h; }),
          within("stride to the right", 1, Command::kStrideXMax, kTwoSteps,
                 [](const Subject& s) { return window_of(s).stride_w; }),
          rules::channels()};
}

/// Input rows, or columns, that `out` results of an axis read, at most.
int reach(int out, int stride, int kernel, int size) {
  return std::min((out - 1) * stride + kernel, size);
}

engine::Cut cut_of(const PoolLayer& layer, int rows, int blocks) {
  const int read = reach(rows, layer.stride_y, layer.kernel_h, layer.in_h);
  const int pixels = read * layer.in_w + rows * layer.out_w;
  return {rows, layer.out_w, blocks, uint64_t{kWord} * unsigned(pixels) * unsigned(blocks)};
}

}  // namespace

std::vector<rules::Entry> PoolCompiler::rules(const engine::Instance&) const {
  return {{ir::OpKind::kMaxPool2d, "int8", window_rules()},
          {ir::OpKind::kAveragePool2d, "int8", window_rules()}};
}

std::optional<engine::Lowered> PoolCompiler::lower(ir::Graph& graph, int op,
                                                   const engine::Instance& instance) const {
  const ir::Op& o = graph.ops.at(size_t(op));
  const rules::Subject subject{graph, o, instance.soc.dla, instance.soc.dsp};
  for (const rules::Entry& entry : rules(instance)) {
    if (entry.kind != o.kind) continue;
    for (const rules::Rule& rule : entry.rules) {
      if (rule.finding(subject)) return std::nullopt;
    }
    const auto& p = o.as<ir::Pool2d>();
    const rules::Image in = *rules::image_of(subject.in(0)), out = *rules::image_of(subject.out());
    const common::Clamp clamp = common::clamp_of(p.act, subject.out(), graph.numerics);
    PoolLayer layer;
    layer.op =
        o.kind == ir::OpKind::kMaxPool2d ? PoolLayer::Window::kMax : PoolLayer::Window::kAverage;
    layer.ties_up = p.ties_up;
    layer.input = o.input(0), layer.output = o.output();
    layer.in_h = int(in.h), layer.in_w = int(in.w), layer.channels = int(in.c);
    layer.out_h = int(out.h), layer.out_w = int(out.w);
    layer.kernel_h = p.kernel_h, layer.kernel_w = p.kernel_w;
    layer.stride_y = p.stride_h, layer.stride_x = p.stride_w;
    layer.pad_top = p.pad_top, layer.pad_left = p.pad_left;
    layer.clamp_low = clamp.min, layer.clamp_high = clamp.max;
    return engine::Lowered{{op}, layer::Work(layer)};
  }
  return std::nullopt;
}

// The whole layer, then half as many rows again and again, then so a block at a time.
std::vector<engine::Cut> PoolCompiler::cuts(const ir::Graph&, const layer::Work& work,
                                            const engine::Instance&) const {
  const PoolLayer& layer = *work.as<PoolLayer>();
  std::vector<engine::Cut> cuts;
  for (const int blocks : {layer.blocks(), 1}) {
    if (!cuts.empty() && blocks == cuts.back().blocks) break;
    for (int rows = layer.out_h;; rows = (rows + 1) / 2) {
      cuts.push_back(cut_of(layer, rows, blocks));
      if (rows == 1) break;
    }
  }
  return cuts;
}

Command command_of(const PoolLayer& layer, const engine::Cut& cut) {
  Command c = Command::make(layer.op == PoolLayer::Window::kMax ? Op::kMax : Op::kAverage);
  if (c.op == Op::kAverage) c.rounding = layer.ties_up ? Rounding::kUp : Rounding::kAway;
  c.clamp_low = static_cast<int8_t>(layer.clamp_low);
  c.clamp_high = static_cast<int8_t>(layer.clamp_high);
  const int rows = (cut.rows - 1) * layer.stride_y + layer.kernel_h - layer.pad_top;
  c.in_h = static_cast<uint16_t>(std::clamp(rows, 1, layer.in_h));
  c.in_w = static_cast<uint16_t>(layer.in_w);
  c.out_h = static_cast<uint16_t>(cut.rows);
  c.out_w = static_cast<uint16_t>(cut.columns);
  c.blocks = static_cast<uint16_t>(cut.blocks);
  c.kernel_h = static_cast<uint8_t>(layer.kernel_h);
  c.kernel_w = static_cast<uint8_t>(layer.kernel_w);
  c.stride_y = static_cast<uint8_t>(layer.stride_y);
  c.stride_x = static_cast<uint8_t>(layer.stride_x);
  c.pad_top = static_cast<uint8_t>(layer.pad_top);
  c.pad_left = static_cast<uint8_t>(layer.pad_left);
  return c;
}

Cycle PoolCompiler::cycles(const ir::Graph&, const layer::Work& work, const engine::Cut& cut,
                           const engine::Instance&) const {
  return estimate(command_of(*work.as<PoolLayer>(), cut));
}

std::unique_ptr<plan::EngineScheduler> PoolCompiler::scheduler(plan::Scheduling&,
                                                               plan::TensorMoves&,
                                                               const engine::Instance&) const {
  return nullptr;
}

}  // namespace presil::pool
