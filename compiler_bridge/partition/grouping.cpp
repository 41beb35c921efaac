#include "compiler_bridge/partition/grouping.h"

#include <algorithm>
#include <stdexcept>

#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/engine/engine_compiler.h"
#include "compiler_bridge/engine/joined.h"
#include "compiler_bridge/partition/dla_grouping.h"
#include "compiler_bridge/partition/dsp_layer.h"
#include "compiler_bridge/partition/host_layer.h"
#include "compiler_bridge/partition/movement.h"
#include "compiler_bridge/placement/explain.h"
#include "models/base/refusal.h"

namespace presil::partition {
namespace {

using K = ir::OpKind;
using rules::Engine;

class Grouper {
 public:
  Grouper(ir::Graph& graph, const SocConfig& soc, const Limits& limits, const UserKernels& kernels)
      : m_soc(soc),
        m_limits(limits),
        m_kernels(kernels),
        m_groups(graph),
        m_movement(m_groups, static_cast<int>(soc.dla.macs_c)),
        m_dla(m_groups, m_movement, limits.not_fused) {
    for (int i = 0; i < m_groups.op_count(); ++i) choose_engine(i);
  }

  Grouping run() {
    const auto for_each = [&](auto step) {
      for (int i = 0; i < m_groups.op_count(); ++i) {
        if (m_groups.group_of(i) >= 0) continue;
        step(i);
      }
    };
    // What an engine from outside computes; then in the order of the DLA's post-processing: what
    // accumulates, tables after it, element-wise after those, upsampling last; then what needs no
    // command and what the host does.
    for_each([&](int i) { place_outside(i); });
    for_each([&](int i) { m_dla.start_accumulating(i); });
    for_each([&](int i) { m_dla.place_table(i); });
    for_each([&](int i) { m_dla.place_elementwise(i); });
    for_each([&](int i) { m_dla.place_upsampling(i); });
    for_each([&](int i) { m_movement.place_view(i); });
    for_each([&](int i) { m_movement.place_slice(i); });
    for_each([&](int i) { m_movement.place_interleave(i); });
    for_each([&](int i) { m_movement.place_concat(i); });
    for_each([&](int i) { m_movement.place_stack(i); });
    for_each([&](int i) { m_movement.place_copy(i); });
    for_each([&](int i) { m_movement.place_bit_flip(i, m_limits.why_not_on(Engine::kDma, i)); });
    for_each([&](int i) {
      if (!m_groups.runs_on(i, Engine::kDsp)) return;
      const bool custom = m_groups.op(i).kind == K::kCustom;
      m_groups.start(i, custom ? user_layer(m_groups.graph(), m_groups.op(i),
                                            m_kernels.at(m_groups.op(i).output()))
                               : dsp_layer(m_groups.graph(), m_groups.op(i)));
    });
    for_each([&](int i) { m_groups.start(i, host_layer(m_groups.graph(), m_groups.op(i))); });
    return m_groups.take();
  }

 private:
  void choose_engine(int i) {
    const ir::Op& op = m_groups.op(i);
    std::vector<rules::Verdict> told, all;
    for (const Engine engine : rules::engines_of(m_soc)) {
      rules::Verdict verdict = rules::take(engine, m_groups.graph(), op, m_soc);
      const rules::Verdict* learnt = why_not_on(engine, i);
      if (learnt != nullptr) verdict = *learnt;
      if (verdict.yes()) {
        m_groups.give_next(engine, std::move(told));
        return;
      }
      const bool known = verdict.kind != rules::Verdict::Kind::kUnknown;
      if (engine != Engine::kNone || known) all.push_back(verdict);
      // The first engine that knows the kind says why not; that nothing else is a view says
      // nothing. A custom op is here because the DSP has a kernel for it.
      const bool telling =
          op.kind == K::kReshape || (engine == Engine::kDla && op.kind != K::kCustom);
      const bool would = learnt != nullptr && engine != Engine::kDla;
      const bool near = engine == Engine::kDsp && !verdict.remedy.empty();
      if ((telling && told.empty()) || would || near) told.push_back(std::move(verdict));
    }
    throw Refusal("partition", std::string(ir::to_string(op.kind)) + " \"" + op.name +
                                   "\" runs nowhere: " + placement::lines(all));
  }

  /// Products in bytes are the DLA's: not where the DSP cannot prepare or finish them either.
  const rules::Verdict* why_not_on(Engine engine, int i) {
    const bool bytes = rules::is_byte_product(m_groups.graph(), m_groups.op(i));
    if (bytes && engine == Engine::kDsp) return nullptr;
    const rules::Verdict* own = m_limits.why_not_on(engine, i);
    if (own != nullptr || !bytes || engine != Engine::kDla) return own;
    return m_limits.why_not_on(Engine::kDsp, i);
  }

  /// The longest pattern that an engine from outside computes, as it says itself.
  void place_outside(int i) {
    if (!placement::is_outside(m_groups.engine(i))) return;
    const engine::Joined& joined = engine::engine_of(rules::to_string(m_groups.engine(i)));
    const engine::Lowered lowered = joined.compiler->lower(m_groups.graph(), i, joined.in(m_soc));
    const int group = m_groups.start(i, lowered.work);
    for (const int op : lowered.ops) {
      if (op == i) continue;
      if (op < 0 || op >= m_groups.op_count() || m_groups.group_of(op) >= 0) {
        throw std::logic_error("engine " + joined.name + ": lower() joins operator " +
                               std::to_string(op) + ", which it cannot have");
      }
      m_groups.join(op, group);
    }
  }

  const SocConfig& m_soc;
  const Limits& m_limits;
  const UserKernels& m_kernels;
  GroupBuilder m_groups;
  Movement m_movement;
  DlaGrouping m_dla;
};

}  // namespace

Grouping group_ops(ir::Graph& graph, const SocConfig& soc, const Limits& limits,
                   const UserKernels& kernels) {
  return Grouper(graph, soc, limits, kernels).run();
}

}  // namespace presil::partition
