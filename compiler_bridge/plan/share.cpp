#include "compiler_bridge/plan/share.h"

#include "compiler_bridge/plan/tiling.h"
#include "models/base/refusal.h"

namespace presil::plan {
namespace {

std::string text_of(const Extent& e) {
  return std::to_string(e.h) + "x" + std::to_string(e.w) + "x" + std::to_string(e.c);
}

}  // namespace

Classes storage_classes(const ir::Graph& graph, const std::vector<Layer>& layers) {
  Classes classes(graph.tensors.size());
  for (const Layer& layer : layers) {
    const auto* view = std::get_if<ViewLayer>(&layer.work);
    if (view == nullptr) continue;
    const Extent a = extent_of(graph.tensor(view->input));
    const Extent b = extent_of(graph.tensor(view->output));
    if (a.c == b.c) classes.unite(view->input, view->output);
  }
  return classes;
}

Sharing::Sharing(const ir::Graph& graph, const std::vector<Layer>& layers, const DlaConfig& config)
    : m_graph(graph),
      m_layers(layers),
      m_config(config),
      m_flat(graph.tensors.size()),
      m_storage(storage_classes(graph, layers)) {
  unite_views();
  // Where channels of two operands lie differently, a concatenation goes through memory; then
  // again from the start.
  do {
    m_shares.clear();
    m_cut_differently.clear();
    for (const Layer& layer : m_layers) see(layer);
  } while (!give_lanes());
}

void Sharing::unite_views() {
  for (const Layer& layer : m_layers) {
    if (const auto* parts = std::get_if<StackLayer>(&layer.work)) stack(*parts);
    if (const auto* slice = std::get_if<SliceLayer>(&layer.work)) {
      m_flat.put(slice->output, slice->input, slice->at);
    }
    const auto* view = std::get_if<ViewLayer>(&layer.work);
    if (view != nullptr) m_flat.put(view->output, view->input, 0);
  }
}

void Sharing::stack(const StackLayer& layer) {
  uint64_t at = 0;
  for (const TensorId part : layer.inputs) {
    m_flat.put(part, layer.output, at);
    at += m_graph.tensor(part).bytes();
  }
}

Share& Sharing::of(TensorId tensor) {
  const int id = m_storage.of(tensor);
  auto [it, fresh] = m_shares.try_emplace(id);
  if (fresh) it->second.extent = extent_of(m_graph.tensor(tensor));
  return it->second;
}

void Sharing::see(TensorId tensor, const Extent& extent, const Layer& layer) {
  Share& s = of(tensor);
  if (extent.c != s.extent.c || extent.h * extent.w != s.extent.h * s.extent.w) {
    throw Refusal("plan", "layer " + layer.name + " sees tensor " + m_graph.tensor(tensor).name +
                              " as " + text_of(extent) + ", another layer or its shape says " +
                              text_of(s.extent) +
                              "; wants the same channels and number of pixels. This is a defect "
                              "of the partition");
  }
  if (!s.used && !s.made) s.extent = extent;
  if (!(extent == s.extent)) m_cut_differently.insert(m_storage.of(tensor));
}

void Sharing::see(const Layer& layer) {
  if (const auto* work = std::get_if<DlaLayer>(&layer.work)) {
    const int scale = work->upsample2 ? 2 : 1;
    see(work->input, {work->in_h, work->in_w, work->in_c}, layer);
    Share& input = of(work->input);
    input.used = true;
    if (work->kernel_h > 1 && is_lane_wise(*work)) input.odd_rows = true;
    const unsigned lanes = is_lane_wise(*work) ? m_config.macs_k : m_config.macs_c;
    input.blocks_at_once = std::max(input.blocks_at_once, static_cast<int>(lanes) / kWordBytes);
    const bool takes_rows = work->op == dla::Op::kConv && !work->has_computed_weights() &&
                            work->in_c <= 8 && work->dil_x == 1 && work->stride_x <= kMostStride &&
                            work->stride_x * work->in_c <= kWordBytes;
    if (!takes_rows) input.packable = false;
    if (work->ew.operand != kNoTensor) {
      see(work->ew.operand, extent_of(m_graph.tensor(work->ew.operand)), layer);
      Share& operand = of(work->ew.operand);
      operand.used = true;
      operand.packable = false;
    }
    if (work->has_computed_weights()) see_weights(work->weights_from, layer);
    see(work->output, {work->out_h * scale, work->out_w * scale, work->out_c}, layer);
    Share& output = of(work->output);
    output.made = true;
    output.packable = false;
  } else if (const auto* dsp = std::get_if<DspLayer>(&layer.work)) {
    see_stored(*dsp, layer);
  } else if (const auto* concat = std::get_if<ConcatLayer>(&layer.work)) {
    see_concat(*concat, layer);
  } else if (const auto* interleave = std::get_if<InterleaveLayer>(&layer.work)) {
    see_interleave(*interleave, layer);
  }
}

void Sharing::see_stored(const DspLayer& dsp, const Layer& layer) {
  const auto see_one = [&](TensorId tensor) -> Share& {
    see(tensor, extent_of(m_graph.tensor(tensor)), layer);
    of(tensor).packable = false;
    return of(tensor);
  };
  for (const DspOperand& input : dsp.inputs) {
    if (input.stored) see_one(input.tensor).used = true;
  }
  for (const DspOperand& output : dsp.outputs) {
    if (output.stored) see_one(output.tensor).made = true;
  }
}

/// What the DLA made is read where it made it; anything else from its flat, whatever its form.
void Sharing::see_weights(TensorId weights, const Layer& layer) {
  const auto made = m_shares.find(m_storage.of(weights));
  if (made == m_shares.end() || !made->second.made) return;
  see(weights, extent_of(m_graph.tensor(weights)), layer);
}

void Sharing::see_concat(const ConcatLayer& concat, const Layer& layer) {
  const int whole = m_storage.of(concat.output);
  const bool in_place = m_through_memory.count(concat.output) == 0;
  Share& output = of(concat.output);
  output.made = in_place;
  output.packable = false;
  for (TensorId tensor : concat.inputs) {
    Share& input = of(tensor);
    if (!input.made || input.whole != kNoTensor || m_storage.of(tensor) == whole) {
      throw Refusal("plan", "tensor " + m_graph.tensor(tensor).name +
                                " cannot be written in place as a part of " + layer.name +
                                ": wants a tensor that the DLA makes for this concatenation "
                                "only. This is a defect of the partition");
    }
    input.whole = concat.output;
    if (!in_place) continue;
    if (input.extent.h != output.extent.h || input.extent.w != output.extent.w) {
      m_cut_differently.insert(m_storage.of(tensor));
      m_cut_differently.insert(whole);
    }
    input.parent = whole;
  }
}

void Sharing::see_interleave(const InterleaveLayer& interleave, const Layer& layer) {
  Share& output = of(interleave.output);
  output.made = true;
  output.packable = false;
  const int columns = extent_of(m_graph.tensor(interleave.output)).w;
  int index = 0;
  for (TensorId tensor : interleave.inputs) {
    Share& input = of(tensor);
    if (!input.made || input.used || input.whole != kNoTensor) {
      throw Refusal("plan", "tensor " + m_graph.tensor(tensor).name +
                                " cannot be written in place as a part of " + layer.name +
                                ": wants a tensor that the DLA makes for it only. This is a "
                                "defect of the partition");
    }
    input.whole = interleave.output;
    input.parent = m_storage.of(interleave.output);
    input.lattice = {index / interleave.stride_x, index % interleave.stride_x, interleave.stride_y,
                     interleave.stride_x, columns};
    ++index;
  }
}

bool Sharing::give_lanes() {
  for (const Layer& layer : m_layers) {
    if (const auto* work = std::get_if<DlaLayer>(&layer.work)) {
      if (!give_lanes(*work, layer)) return false;
    } else if (const auto* dsp = std::get_if<DspLayer>(&layer.work)) {
      if (!give_lanes(*dsp)) {
        m_lanes_differ = static_cast<int>(&layer - m_layers.data());
        return true;
      }
    } else if (const auto* concat = std::get_if<ConcatLayer>(&layer.work)) {
      give_lanes(*concat);
    } else if (const auto* interleave = std::get_if<InterleaveLayer>(&layer.work)) {
      if (!give_lanes(*interleave)) return false;
    }
  }
  return true;
}

bool Sharing::give_lanes(const InterleaveLayer& interleave) {
  Share& output = of(interleave.output);
  output.lanes = lanes_of(interleave.inputs.front());
  output.lanes_from = of(interleave.inputs.front()).lanes_from;
  for (TensorId tensor : interleave.inputs) {
    if (lanes_of(tensor) == output.lanes) continue;
    const TensorId from = of(tensor).lanes_from;
    m_through_memory.insert(from != kNoTensor ? from : output.lanes_from);
    return false;
  }
  return true;
}

bool Sharing::give_lanes(const DlaLayer& work, const Layer& layer) {
  Share& output = of(work.output);
  output.lanes = is_lane_wise(work) ? lanes_of(work.input) : Lanes::dense(work.out_c);
  output.lanes_from = is_lane_wise(work) ? of(work.input).lanes_from : kNoTensor;
  if (work.has_computed_weights() && !lanes_of(work.input).is_dense()) {
    m_through_memory.insert(of(work.input).lanes_from);  // rows of weights have no gaps
    return false;
  }
  if (work.ew.operand == kNoTensor) return true;
  const Lanes operand = lanes_of(work.ew.operand);
  const TensorId from = of(work.ew.operand).lanes_from;
  // A convolution can put its channels anywhere, if the compiler packs its weights.
  if (!is_lane_wise(work) && !work.has_computed_weights()) {
    output.lanes = operand;
    output.lanes_from = from;
  }
  if (output.lanes == operand) return true;
  const TensorId culprit = from != kNoTensor ? from : output.lanes_from;
  if (culprit == kNoTensor) {
    throw Refusal("plan", "layer " + layer.name + " combines tensors of " +
                              std::to_string(output.lanes.channels()) + " and " +
                              std::to_string(operand.channels()) +
                              " channels, wants as many. This is a defect of the partition");
  }
  m_through_memory.insert(culprit);
  return false;
}

bool Sharing::give_lanes(const DspLayer& dsp) {
  TensorId first = kNoTensor;  // of those that lie by lanes
  for (const DspOperand& input : dsp.inputs) {
    if (!input.stored) continue;
    if (input.blocks == DspOperand::Blocks::kRows) {
      if (!lanes_of(input.tensor).is_dense()) return false;
      continue;
    }
    if (first == kNoTensor) first = input.tensor;
    if (!(lanes_of(input.tensor) == lanes_of(first))) return false;
  }
  for (const DspOperand& output : dsp.outputs) {
    if (!output.stored || first == kNoTensor) continue;
    Share& made = of(output.tensor);
    made.lanes = lanes_of(first);
    made.lanes_from = of(first).lanes_from;
  }
  return true;
}

void Sharing::give_lanes(const ConcatLayer& concat) {
  const bool in_place = m_through_memory.count(concat.output) == 0;
  Lanes whole;
  for (TensorId tensor : concat.inputs) {
    Share& input = of(tensor);
    input.channel = whole.channels();
    if (in_place) input.block = whole.blocks();
    whole.append(lanes_of(tensor));
  }
  Share& output = of(concat.output);
  output.lanes = in_place ? whole : Lanes::dense(whole.channels());
  if (!output.lanes.is_dense()) output.lanes_from = concat.output;
}

const Lanes& Sharing::lanes_of(TensorId tensor) {
  Share& s = of(tensor);
  if (s.lanes.segments.empty()) s.lanes = Lanes::dense(s.extent.c);
  return s.lanes;
}

std::pair<int, int> Sharing::root(int id) const {
  int block = 0;
  while (m_shares.at(id).parent != kNone) {
    block += m_shares.at(id).block;
    id = m_shares.at(id).parent;
  }
  return {id, block};
}

}  // namespace presil::plan
