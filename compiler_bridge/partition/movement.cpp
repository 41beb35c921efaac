#include "compiler_bridge/partition/movement.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "compiler_bridge/common/moves.h"
#include "compiler_bridge/layer/dma_layer.h"
#include "compiler_bridge/layer/in_place_layer.h"
#include "compiler_bridge/partition/dla_layer.h"
#include "compiler_bridge/partition/product.h"
#include "compiler_bridge/rules/image.h"

namespace presil::partition {

using K = ir::OpKind;
using rules::Engine;

namespace {

bool joins_parts(layer::Relation relation) {
  return relation == layer::Relation::kConcat || relation == layer::Relation::kInterleave ||
         relation == layer::Relation::kStack;
}

/// Its results are in blocks, whatever happens: it can write them in place as parts of others.
bool makes_blocked(const layer::Work& work) {
  const layer::Operands operands = work.operands();
  return std::all_of(operands.begin(), operands.end(), [](const layer::Operand& operand) {
    return !operand.write || operand.form == layer::Operand::Form::kBlocked;
  });
}

}  // namespace

ir::TensorId Movement::add_shaped(ir::TensorId like, const rules::Image& image) {
  ir::Tensor tensor = m_graph.tensor(like);
  tensor.name += "/rows";
  tensor.shape = {image.h, image.w, image.c};
  return m_graph.add(std::move(tensor));
}

ir::TensorId Movement::shown_as(ir::TensorId x, const rules::Image& image, int reader) {
  const ir::TensorId view = add_shaped(x, image);
  m_groups.add(reader, layer::view(x, view));
  m_bytes.put(view, x, 0);
  m_shown.insert(x);
  return view;
}

// ---- transpositions

ir::TensorId Movement::identity() {
  if (m_identity == ir::kAbsent) m_identity = add_identity(m_graph, m_lanes);
  return m_identity;
}

ir::TensorId Movement::transposed(ir::TensorId x, int reader) {
  const ir::TensorId y = add_transposed(m_graph, x);
  if (m_graph.tensor(y).is_constant()) return y;
  m_groups.add(reader, transposition(m_graph, x, y, identity()), "transpose");
  return y;
}

// As matrices: x or a view of it becomes y, or what a reshape makes of y for all that read it, or a
// tensor of which y is a view.
void Movement::start_transpose(int i) {
  const rules::Matrices of = *rules::matrices_of(m_graph, m_groups.op(i));
  const rules::Image from{of.count, of.rows, of.columns}, to{of.count, of.columns, of.rows};
  const auto is = [&](ir::TensorId id, const rules::Image& image) {
    const auto own = rules::image_of(m_graph.tensor(id));
    return own && *own == image;
  };
  ir::TensorId x = m_groups.op(i).input(0), y = m_groups.op(i).output();
  if (!is(x, from)) x = shown_as(x, from, i);
  std::vector<int> joined;
  while (!is(y, to)) {
    const int reader = m_groups.only_reader(y);
    if (reader < 0 || m_groups.op(reader).kind != K::kReshape ||
        !m_groups.runs_on(reader, Engine::kNone))
      break;
    joined.push_back(reader);
    y = m_groups.op(reader).output();
  }
  if (is(y, to)) {
    const int group = m_groups.start(i, transposition(m_graph, x, y, identity()), "transpose");
    for (const int reshape : joined) m_groups.join(reshape, group);
    return;
  }
  y = m_groups.op(i).output();
  const ir::TensorId made = add_shaped(y, to);
  m_groups.add(i, transposition(m_graph, x, made, identity()), "transpose");
  m_groups.start(i, layer::view(made, y));
  m_bytes.put(y, made, 0);
}

// ---- the same bytes

void Movement::place_view(int i) {
  if (!m_groups.runs_on(i, Engine::kNone) || m_groups.op(i).kind != K::kReshape) return;
  m_groups.start(i, layer::view(m_groups.op(i).input(0), m_groups.op(i).output()));
  m_bytes.put(m_groups.op(i).output(), m_groups.op(i).input(0), 0);
}

// Neighbouring bytes stay where they are, if no bit flip is due and none are needed elsewhere.
void Movement::place_slice(int i) {
  if (m_groups.op(i).kind != K::kStridedSlice) return;
  const ir::TensorId x = m_groups.op(i).input(0), y = m_groups.op(i).output();
  const std::vector<common::Move> moves = common::moves_of(m_graph, m_groups.op(i));
  const bool input = std::count(m_graph.inputs.begin(), m_graph.inputs.end(), m_bytes.holder(x));
  if (!moves.front().loops.empty() || !(input || made_here(x))) return;
  const auto at = static_cast<uint64_t>(moves.front().from);
  if (!m_bytes.may_lie_in(y, x, at)) return;
  m_groups.give(i, Engine::kNone);
  m_groups.start(i, layer::slice(x, y, at));
  m_bytes.put(y, x, at);
}

void Movement::place_copy(int i) {
  if (!m_groups.runs_on(i, Engine::kDma)) return;
  static const std::map<K, const char*> kKernels = {
      {K::kReshape, "copy"},        {K::kConcat, "concat"},
      {K::kTranspose, "transpose"}, {K::kStridedSlice, "strided_slice"},
      {K::kTile, "tile"},           {K::kMirrorPad, "mirror_pad"}};
  layer::DmaLayer layer{{}, m_groups.op(i).output(), false, kKernels.at(m_groups.op(i).kind)};
  for (const common::Move& move : common::moves_of(m_graph, m_groups.op(i))) {
    layer.moves.push_back({m_groups.op(i).input(move.input), move});
  }
  m_groups.start(i, std::move(layer));
}

// A bit flip is done where the DMA moves bytes in any case: into the SRAM for layers of the DLA,
// or out of it after one. Else it moves them for this alone.
void Movement::place_bit_flip(int i, const rules::Verdict* slow) {
  if (!m_groups.runs_on(i, Engine::kNone) || m_groups.op(i).kind != K::kQuantize) return;
  const bool in = m_graph.tensor(m_groups.op(i).output()).dtype == ir::DType::kInt8;
  if (in ? only_dla_reads(m_groups.op(i).output()) : dla_makes(m_groups.op(i).input(0))) {
    m_groups.start(i, layer::bit_flip(m_groups.op(i).input(0), m_groups.op(i).output()));
    return;
  }
  m_groups.give(i, slow == nullptr ? Engine::kDma : Engine::kHost);
  auto& verdicts = m_groups.verdicts(i);
  verdicts = {placement::verdict(
      Engine::kNone, rules::Verdict::Kind::kRule,
      {in ? "a consumer of y" : "the producer of x", "another than the dla", "the dla"})};
  if (slow != nullptr) {
    verdicts.push_back(*slow);
    return;
  }
  const ir::TensorId x = m_groups.op(i).input(0), y = m_groups.op(i).output();
  const auto bytes = static_cast<int64_t>(m_graph.tensor(x).bytes());
  m_groups.start(i, layer::DmaLayer{{{x, common::whole(bytes)}}, y, true, "quantise"});
}

/// The DLA's layers alone read the tensor, and not as a view.
bool Movement::only_dla_reads(ir::TensorId id) const {
  if (m_graph.is_output(id) || m_shown.count(id) != 0) return false;
  const std::vector<int>& readers = m_groups.readers(id);
  return !readers.empty() && std::all_of(readers.begin(), readers.end(), [&](int reader) {
    const int group = m_groups.group_of(reader);
    if (group < 0) return false;
    const layer::Work& work = m_groups.work_of(group);
    if (const auto* in_place = work.in_place()) return joins_parts(in_place->relation);
    const layer::Operands operands = work.operands();
    return std::all_of(operands.begin(), operands.end(), [&](const layer::Operand& operand) {
      return operand.tensor != id || operand.form == layer::Operand::Form::kBlocked;
    });
  });
}

/// A layer of the DLA makes the tensor, or what it is a view of.
bool Movement::dla_makes(ir::TensorId id) const {
  for (;;) {
    if (m_groups.is_appended(id)) return true;
    const int group = m_groups.group_that_makes(id);
    if (group < 0) return false;
    const layer::Work& work = m_groups.work_of(group);
    const auto* in_place = work.in_place();
    if (in_place == nullptr) return makes_blocked(work);
    if (in_place->relation != layer::Relation::kView) {
      return in_place->relation == layer::Relation::kConcat ||
             in_place->relation == layer::Relation::kInterleave;
    }
    id = in_place->input();
  }
}

// ---- parts of others

// An input is written in place by the DLA layer that makes it for this op alone; else a pass
// copies it there.
void Movement::place_interleave(int i) {
  if (m_groups.op(i).kind != K::kInterleave || !m_groups.runs_on(i, Engine::kDla)) return;
  const auto& a = m_groups.op(i).as<ir::Interleave>();
  const int group =
      m_groups.start(i, layer::interleave({}, m_groups.op(i).output(), a.stride_h, a.stride_w));
  std::vector<ir::TensorId> parts;
  for (const ir::TensorId x : std::vector<ir::TensorId>(m_groups.op(i).inputs)) {
    const bool in_place = m_groups.only_reader(x) == i && written_in_place(x) && !is_interleaved(x);
    parts.push_back(in_place ? x : copy_into(x, i));
    m_joined.push_back(parts.back());
  }
  set_parts(group, std::move(parts));
}

void Movement::set_parts(int group, std::vector<ir::TensorId> parts) {
  layer::InPlaceLayer whole = *m_groups.work_of(group).in_place();
  whole.inputs = std::move(parts);
  m_groups.work_of(group) = std::move(whole);
}

bool Movement::is_interleaved(ir::TensorId x) const {
  const int group = m_groups.group_that_makes(x);
  if (group < 0) return false;
  const auto* in_place = m_groups.work_of(group).in_place();
  return in_place != nullptr && in_place->relation == layer::Relation::kInterleave;
}

// An input is written in place by the DLA layer that makes it, if it belongs to no other
// concatenation; else a pass copies it there. (Passes have requantised it.)
void Movement::place_concat(int i) {
  if (m_groups.op(i).kind != K::kConcat || !m_groups.runs_on(i, Engine::kDla)) return;
  if (rules::stacks(m_graph, m_groups.op(i))) return;
  const int group = m_groups.start(i, layer::concat({}, m_groups.op(i).output()));
  std::vector<ir::TensorId> parts;
  for (const ir::TensorId x : std::vector<ir::TensorId>(m_groups.op(i).inputs)) {
    parts.push_back(written_in_place(x) ? x : copy_into(x, i));
    m_joined.push_back(parts.back());
  }
  set_parts(group, std::move(parts));
}

// An input is written in place by its producer; else a pass of the DLA copies it there.
void Movement::place_stack(int i) {
  if (m_groups.op(i).kind != K::kConcat || !m_groups.runs_on(i, Engine::kDla) ||
      !rules::stacks(m_graph, m_groups.op(i))) {
    return;
  }
  const ir::TensorId y = m_groups.op(i).output();
  const int group = m_groups.start(i, layer::stack({}, y));
  std::vector<ir::TensorId> parts;
  uint64_t at = 0;
  for (const ir::TensorId x : std::vector<ir::TensorId>(m_groups.op(i).inputs)) {
    const bool in_place = made_here(x) && m_bytes.may_lie_in(x, y, at);
    parts.push_back(in_place ? x : copy_into(x, i));
    m_bytes.put(parts.back(), y, at);
    at += m_graph.tensor(x).bytes();
  }
  set_parts(group, std::move(parts));
}

/// A layer makes the tensor or what it is a view of: neither a bit flip nor the caller.
bool Movement::made_here(ir::TensorId x) const {
  const ir::TensorId holder = m_bytes.holder(x);
  if (m_groups.is_appended(holder)) return true;
  const int maker = m_groups.producer(holder);
  return maker >= 0 &&
         (m_groups.op(maker).kind != K::kQuantize || !m_groups.runs_on(maker, Engine::kNone));
}

bool Movement::written_in_place(ir::TensorId x) const {
  if (m_graph.is_output(x)) return false;
  if (std::count(m_joined.begin(), m_joined.end(), x) != 0) return false;
  const int group = m_groups.group_that_makes(x);
  if (group < 0) return false;
  return is_interleaved(x) || makes_blocked(m_groups.work_of(group));
}

ir::TensorId Movement::copy_into(ir::TensorId x, int reader) {
  const ir::Quantization& to = m_graph.tensor(m_groups.op(reader).output()).quantization;
  if (m_graph.tensor(x).quantization != to) {
    throw std::logic_error("partition: passes put no table before a concatenation");
  }
  ir::Tensor copy = m_graph.tensor(x);
  copy.name += "/copy";
  const ir::TensorId id = m_graph.add(std::move(copy));
  m_groups.add(reader, pass(m_graph, x, id), "copy");
  return id;
}

}  // namespace presil::partition
