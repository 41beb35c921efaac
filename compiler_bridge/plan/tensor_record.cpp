#include "compiler_bridge/plan/tensor_record.h"

#include <algorithm>

namespace presil::plan {
namespace {

bool is_read(const Layout& layout, TensorId tensor) {
  const auto reads = [&](int index) {
    const std::vector<TensorId> read = stored_tensors(layout.layers[size_t(index)]).read;
    return std::any_of(read.begin(), read.end(),
                       [&](TensorId t) { return layout.share_bytes(t, tensor); });
  };
  return std::any_of(layout.steps.begin(), layout.steps.end(), reads);
}

TensorRecord in_linear(const Addresses& places, TensorId tensor, uint64_t bytes) {
  TensorRecord record;
  record.placed = true;
  record.flat = true;
  record.space = places.linear_space(tensor);
  record.offset = places.linear_offset(tensor);
  record.bytes = bytes;
  return record;
}

TensorRecord in_storage(const ir::Graph& graph, const Layout& layout, const Addresses& places,
                        TensorId tensor) {
  const Extent extent = extent_of(graph.tensor(tensor));
  const Lanes& lanes = layout.place(tensor).lanes;
  const View view =
      places.stored(tensor, extent.w, {0, extent.h, 0, extent.w, 0, 0}, 0, lanes.blocks());
  TensorRecord record;
  record.placed = true;
  record.space = view.space;
  record.offset = view.base;
  record.x_pitch = view.x_step;
  record.row_pitch = view.row_pitch;
  record.block_pitch = view.block_pitch;
  record.bytes = uint64_t(view.block_pitch) * uint64_t(lanes.blocks());
  if (!lanes.is_dense()) record.lane_channel = lanes.channel_of_lane();
  return record;
}

}  // namespace

std::vector<TensorRecord> record_tensors(const ir::Graph& graph, const Layout& layout,
                                         const Addresses& places) {
  std::vector<TensorRecord> records(graph.tensors.size());
  for (size_t t = 0; t < records.size(); ++t) {
    const TensorPlace& place = layout.places[t];
    if (place.flat != kNone) {
      records[t] = in_linear(places, static_cast<int>(t), graph.tensors[t].bytes());
    } else if (!place.lattice.is_whole()) {
      continue;  // a part of an interleaved tensor, which has a record of its own
    } else if (place.storage != kNone && places.storage(static_cast<int>(t)).load == kNone &&
               places.kept(static_cast<int>(t)).keep != Keep::kLinear &&
               is_read(layout, static_cast<int>(t))) {
      records[t] = in_storage(graph, layout, places, static_cast<int>(t));
    }
  }
  return records;
}

}  // namespace presil::plan
