#include "pool_compiler.h"

#include <algorithm>

#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/rules/image.h"
#include "pool_tiles.h"
#include "pool_timing.h"

namespace presil::pool {
namespace {

using ir::OpKind;
using rules::Subject;

constexpr char kTwoSteps[] = "pool in two steps of smaller windows and strides";

const ir::Pool2d& window_of(const Subject& s) {
  return s.op.as<ir::Pool2d>();
}

std::vector<rules::Rule> tensor_rules() {
  return {rules::int8_values(), rules::computed(), rules::one_image(), rules::channels()};
}

std::vector<rules::Rule> window_rules() {
  std::vector<rules::Rule> all = tensor_rules();
  const auto add = [&](const std::string& what, int most, auto value) {
    all.push_back(rules::within(what, 1, most, kTwoSteps, value));
  };
  add("kernel height", Command::kKernelHMax,
      [](const Subject& s) { return window_of(s).kernel_h; });
  add("kernel width", Command::kKernelWMax, [](const Subject& s) { return window_of(s).kernel_w; });
  add("stride down", Command::kStrideYMax, [](const Subject& s) { return window_of(s).stride_h; });
  add("stride to the right", Command::kStrideXMax,
      [](const Subject& s) { return window_of(s).stride_w; });
  return all;
}

std::vector<rules::Rule> resize_rules(const engine::Instance& instance) {
  std::vector<rules::Rule> all = tensor_rules();
  all.push_back(rules::within("columns of the result", 1,
                              static_cast<int64_t>(instance.parameter("table_entries")),
                              "resize in two steps of fewer columns",
                              [](const Subject& s) { return rules::image_of(s.out())->w; }));
  return all;
}

PoolLayer::Kind kind_of(OpKind kind) {
  switch (kind) {
    case OpKind::kMaxPool2d:
      return PoolLayer::Kind::kMax;
    case OpKind::kAveragePool2d:
      return PoolLayer::Kind::kAverage;
    case OpKind::kResizeNearest:
      return PoolLayer::Kind::kNearest;
    default:
      return PoolLayer::Kind::kBilinear;
  }
}

const PoolLayer& layer_of(const layer::Work& work) {
  return *work.as<PoolLayer>();
}

}  // namespace

layer::Work PoolCompiler::read(layer::FieldReader& reader) const {
  return layer::read_work<PoolLayer>(reader);
}

std::vector<rules::Entry> PoolCompiler::rules(const engine::Instance& instance) const {
  return {{OpKind::kMaxPool2d, "int8", window_rules()},
          {OpKind::kAveragePool2d, "int8", window_rules()},
          {OpKind::kResizeNearest, "int8", resize_rules(instance)},
          {OpKind::kResizeBilinear, "int8", resize_rules(instance)}};
}

engine::Lowered PoolCompiler::lower(ir::Graph& graph, int op, const engine::Instance&) const {
  const ir::Op& o = graph.ops.at(size_t(op));
  const ir::Tensor &x = graph.tensor(o.input(0)), &y = graph.tensor(o.output());
  const rules::Image in = *rules::image_of(x), out = *rules::image_of(y);
  PoolLayer layer;
  layer.op = kind_of(o.kind);
  layer.input = o.input(0), layer.output = o.output();
  layer.in_h = int(in.h), layer.in_w = int(in.w), layer.channels = int(in.c);
  layer.out_h = int(out.h), layer.out_w = int(out.w);
  if (layer.resizes()) {
    const auto& p = o.as<ir::Resize>();
    layer.align_corners = p.align_corners, layer.half_pixel_centers = p.half_pixel_centers;
    layer.rounds_up =
        layer.op == PoolLayer::Kind::kBilinear && graph.numerics == ir::Numerics::kXnnpack;
    return {{op}, layer};
  }
  const auto& p = o.as<ir::Pool2d>();
  const common::Clamp clamp = common::clamp_of(p.act, y, common::numerics_of(graph, o));
  layer.clamp_low = clamp.min, layer.clamp_high = clamp.max;
  layer.rounds_up = p.ties_up;
  layer.kernel_h = p.kernel_h, layer.kernel_w = p.kernel_w;
  layer.stride_y = p.stride_h, layer.stride_x = p.stride_w;
  layer.pad_top = p.pad_top, layer.pad_left = p.pad_left;
  return {{op}, layer};
}

engine::Tile PoolCompiler::most(const layer::Work& work, const engine::Instance& instance) const {
  const auto rows =
      layer_of(work).resizes() ? instance.parameter("table_entries") : uint64_t{Command::kOutHMax};
  return {0, static_cast<int>(rows), 0, static_cast<int>(Command::kBlocksMax)};
}

engine::Part PoolCompiler::reads(const layer::Work& work, size_t, const engine::Tile& tile) const {
  return part_read(layer_of(work), tile);
}

std::vector<uint8_t> PoolCompiler::constants(const layer::Work& work,
                                             const engine::Tile& tile) const {
  return tables(layer_of(work), tile);
}

Cycle PoolCompiler::cycles(const layer::Work& work, const engine::Tile& tile,
                           const engine::Instance&) const {
  return estimate(command_of(layer_of(work), tile));
}

std::vector<uint32_t> PoolCompiler::command(const layer::Work& work, const engine::Tile& tile,
                                            const std::vector<engine::Address>& reads,
                                            const engine::Address& result,
                                            uint32_t constants) const {
  const engine::Address& x = reads.front();
  Command c = command_of(layer_of(work), tile);
  c.in_base = x.base, c.in_row_pitch = x.row_pitch, c.in_block_pitch = x.block_pitch;
  c.out_base = result.base, c.out_row_pitch = result.row_pitch;
  c.out_block_pitch = result.block_pitch;
  if (layer_of(work).resizes()) c.table_base = constants;
  std::vector<uint32_t> words(Command::kWords, 0);
  c.encode(words.data());
  return words;
}

std::vector<engine::Bytes> PoolCompiler::touched(const uint32_t* words) const {
  return pool::touched(Command::decode(words));
}

}  // namespace presil::pool
