#include "compiler_bridge/plan/share.h"

#include "compiler_bridge/layer/in_place_layer.h"
#include "compiler_bridge/plan/tiling.h"
#include "models/base/refusal.h"

namespace presil::plan {

using layer::Relation;

namespace {

std::string text_of(const Extent& e) {
  return std::to_string(e.h) + "x" + std::to_string(e.w) + "x" + std::to_string(e.c);
}

}  // namespace

Classes blocked_classes(const ir::Graph& graph, const Layers& layers) {
  Classes classes(graph.tensors.size());
  for (const Layer& layer : layers) {
    const layer::InPlaceLayer* view = layer.work.in_place();
    if (view == nullptr || view->relation != Relation::kView) continue;
    const Extent a = extent_of(graph.tensor(view->input()));
    const Extent b = extent_of(graph.tensor(view->output));
    if (a.c == b.c) classes.unite(view->input(), view->output);
  }
  return classes;
}

Sharing::Sharing(const ir::Graph& graph, const Layers& layers, const DlaConfig& config)
    : m_graph(graph),
      m_layers(layers),
      m_config(config),
      m_linear(graph.tensors.size()),
      m_storage(blocked_classes(graph, layers)) {
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
    const layer::InPlaceLayer* in_place = layer.work.in_place();
    if (in_place == nullptr) continue;
    if (in_place->relation == Relation::kStack) stack(*in_place);
    const bool part =
        in_place->relation == Relation::kView || in_place->relation == Relation::kSlice;
    if (part) m_linear.put(in_place->output, in_place->input(), in_place->at);
  }
}

void Sharing::stack(const layer::InPlaceLayer& parts) {
  uint64_t at = 0;
  for (const TensorId part : parts.inputs) {
    m_linear.put(part, parts.output, at);
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
                              "; requires the same channels and number of pixels. This is a defect "
                              "of the partition");
  }
  if (!s.used && !s.made) s.extent = extent;
  if (extent == s.extent) return;
  m_cut_differently.insert(m_storage.of(tensor));
  s.packable = false;  // each of the dense rows begins a word: rows of another length do not
}

void Sharing::see(const Layer& layer) {
  const layer::InPlaceLayer* in_place = layer.work.in_place();
  if (in_place == nullptr) {
    for (const Operand& operand : layer.work.operands()) see(operand, layer);
  } else if (in_place->relation == Relation::kConcat) {
    see_concat(*in_place, layer);
  } else if (in_place->relation == Relation::kInterleave) {
    see_interleave(*in_place, layer);
  }
}

void Sharing::see(const Operand& operand, const Layer& layer) {
  const TensorId tensor = operand.tensor;
  const Extent extent = operand.extent.value_or(extent_of(m_graph.tensor(tensor)));
  if (operand.form == Operand::Form::kEither) {
    // What has been made in blocks is read there; anything else in its linear form.
    const auto made = m_shares.find(m_storage.of(tensor));
    if (made != m_shares.end() && made->second.made) see(tensor, extent, layer);
    return;
  }
  if (operand.form != Operand::Form::kBlocked) return;
  see(tensor, extent, layer);
  Share& share = of(tensor);
  (operand.write ? share.made : share.used) = true;
  if (operand.four_rows) share.odd_rows = true;
  if (!operand.packable) share.packable = false;
  if (operand.at_once == Operand::AtOnce::kOne) return;
  const bool rows = operand.at_once == Operand::AtOnce::kRows;
  const unsigned lanes = rows ? m_config.macs_k : m_config.macs_c;
  share.blocks_at_once = std::max(share.blocks_at_once, static_cast<int>(lanes) / kWordBytes);
}

void Sharing::see_concat(const layer::InPlaceLayer& concat, const Layer& layer) {
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
                                ": requires a tensor that the DLA makes for this concatenation "
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

void Sharing::see_interleave(const layer::InPlaceLayer& interleave, const Layer& layer) {
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
                                ": requires a tensor that the DLA makes for it only. This is a "
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
    const layer::InPlaceLayer* in_place = layer.work.in_place();
    if (in_place == nullptr) {
      if (!give_lanes(layer.work.operands(), layer)) return false;
      if (m_lanes_differ != kNone) return true;
    } else if (in_place->relation == Relation::kConcat) {
      give_lanes_of_concat(*in_place);
    } else if (in_place->relation == Relation::kInterleave) {
      if (!give_lanes_of_interleave(*in_place)) return false;
    }
  }
  return true;
}

bool Sharing::give_lanes_of_interleave(const layer::InPlaceLayer& interleave) {
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

bool Sharing::give_lanes(const Operands& operands, const Layer& layer) {
  using Lane = Operand::Lanes;
  const auto has = [&](const Operand& operand, bool write, Lane lanes) {
    return operand.form == Operand::Form::kBlocked && operand.write == write &&
           operand.lanes == lanes;
  };
  // Those of the results: of the first operand that has to be like them, if they may.
  Share results;
  bool given = false;
  for (const Operand& o : operands) {
    if (!has(o, true, Lane::kDense)) continue;
    given = true;
    results.lanes = Lanes::dense(of(o.tensor).extent.c);
  }
  for (const Operand& o : operands) {
    if (given || !has(o, false, Lane::kAligned)) continue;
    given = true;
    results.lanes = lanes_of(o.tensor);
    results.lanes_from = of(o.tensor).lanes_from;
  }
  for (const Operand& o : operands) {
    if (o.form != Operand::Form::kBlocked || !o.write) continue;
    Share& made = of(o.tensor);
    made.lanes = given ? results.lanes : Lanes::dense(made.extent.c);
    made.lanes_from = results.lanes_from;
  }
  for (const Operand& o : operands) {
    const bool fits = has(o, false, Lane::kDense)     ? lanes_of(o.tensor).is_dense()
                      : has(o, false, Lane::kAligned) ? lanes_of(o.tensor) == results.lanes
                                                      : true;
    if (!fits) return refuse_lanes(o, results, layer);
  }
  return true;
}

bool Sharing::refuse_lanes(const Operand& operand, const Share& results, const Layer& layer) {
  if (operand.by_choice) {
    m_lanes_differ = static_cast<int>(&layer - m_layers.data());
    return true;
  }
  const TensorId from = of(operand.tensor).lanes_from;
  const TensorId culprit = from != kNoTensor ? from : results.lanes_from;
  if (culprit == kNoTensor) {
    throw Refusal("plan", "layer " + layer.name + " combines tensors of " +
                              std::to_string(results.lanes.channels()) + " and " +
                              std::to_string(lanes_of(operand.tensor).channels()) +
                              " channels, requires as many. This is a defect of the partition");
  }
  m_through_memory.insert(culprit);
  return false;
}

void Sharing::give_lanes_of_concat(const layer::InPlaceLayer& concat) {
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
