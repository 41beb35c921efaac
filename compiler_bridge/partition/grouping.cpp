#include "compiler_bridge/partition/grouping.h"

#include <algorithm>

#include "compiler_bridge/common/scales.h"
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
        common::scales_of(m_groups.op(i), [&] { step(i); });
      }
    };
    // In the order of the post-processing: what accumulates, tables after it, element-wise after
    // those, upsampling last; then what needs no command and what the host does.
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
    for_each([&](int i) {
      const auto slow = m_limits.not_on_dma.find(i);
      m_movement.place_bit_flip(i, slow == m_limits.not_on_dma.end() ? nullptr : &slow->second);
    });
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
    for (const Engine engine : rules::kEngines) {
      if (!rules::has(m_soc, engine)) continue;
      rules::Verdict verdict = rules::take(engine, m_groups.graph(), op, m_soc);
      const rules::Verdict* learnt = learnt_of(engine, i);
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

  /// What was learnt of an engine that its rules do not know; null: nothing.
  const rules::Verdict* learnt_of(Engine engine, int i) const {
    static const std::map<int, rules::Verdict> kNothing;
    const auto& limits = engine == Engine::kDla   ? m_limits.not_on_dla
                         : engine == Engine::kDma ? m_limits.not_on_dma
                         : engine == Engine::kDsp ? m_limits.not_on_dsp
                                                  : kNothing;
    const auto found = limits.find(i);
    return found == limits.end() ? nullptr : &found->second;
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
