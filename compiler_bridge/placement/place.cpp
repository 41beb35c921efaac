#include "compiler_bridge/placement/place.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "compiler_bridge/partition/partition.h"
#include "compiler_bridge/passes/pass.h"
#include "compiler_bridge/placement/explain.h"
#include "compiler_bridge/placement/faster.h"
#include "compiler_bridge/placement/judge.h"
#include "compiler_bridge/rules/rules.h"
#include "models/base/refusal.h"

namespace presil::placement {
namespace {

void refuse_fallback(const partition::Partition& partition) {
  for (const Placement& p : partition.placements) {
    if (p.engine != to_string(Engine::kHost)) continue;
    throw Refusal("compile", p.op + " " + p.name + " would run on the host (" + p.reason() +
                                 "), and --no-fallback requires every op on an engine");
  }
}

/// A job entry limits a region in pages, with 16 bits.
void refuse_large_region(const std::string& what, uint64_t bytes) {
  const uint64_t most = uint64_t{65535} * 4096;
  if (bytes <= most) return;
  throw Refusal("compile", "the network's " + what + " take " + std::to_string(bytes) +
                               " bytes, a job has " + std::to_string(most) +
                               " for them; make its tensors smaller");
}

/// Layers that fit in no way, and of which nothing can go elsewhere.
[[noreturn]] void refuse_misfits(const Placed& placed) {
  const plan::Misfit& first = placed.misfits.front();
  const layer::Layer& layer = placed.partition.layers[static_cast<size_t>(first.layer)];
  const size_t others = placed.misfits.size() - 1;
  uint64_t most = 0;
  for (const plan::Misfit& misfit : placed.misfits) most = std::max(most, misfit.needed);
  constexpr uint64_t kStep = 4096;  // sram.bytes is a multiple of it
  most = (most + kStep - 1) / kStep * kStep;
  throw Refusal(
      "plan",
      "layer " + layer.name + " (" + layer.op + ") " + text(first.verdict) +
          (others == 0   ? ""
           : others == 1 ? ", and another layer does not fit either"
                         : ", and " + std::to_string(others) + " other layers do not fit either") +
          "; use a SoC with more SRAM, sram.bytes of " + std::to_string(most) + " or more");
}

/// The kernel of the user that does not fit, with its verdict.
const plan::Misfit* unfit_kernel(const Placed& placed) {
  for (const plan::Misfit& misfit : placed.misfits) {
    const layer::Layer& layer = placed.partition.layers[static_cast<size_t>(misfit.layer)];
    if (!layer.work.kernel_name().image.empty()) return &misfit;
  }
  return nullptr;
}

class Placer {
 public:
  Placer(const ir::Graph& imported, const SocConfig& config, const PlaceOptions& options,
         plan::Search& search)
      : m_imported(imported),
        m_config(config),
        m_options(options),
        m_search(search),
        m_kernels(imported, config, options.kernels, options.kernel_verdicts) {}

  Placed run() {
    begin();
    const size_t most = Decisions::most_rounds(m_prepared.ops.size() + m_imported.ops.size(),
                                               rules::engines_of(m_config).size()) *
                        (2 * m_options.kernels.size() + 1);
    for (size_t round = 0; round < most; ++round) {
      Placed placed;
      const std::vector<Learnt> learnt = round_of(placed);
      if (const plan::Misfit* misfit = unfit_kernel(placed)) {
        m_kernels.leave(made_by(placed, *misfit), misfit->verdict);
        begin();
      } else if (m_decisions.add(learnt)) {
        continue;
      } else if (!placed.misfits.empty()) {
        refuse_misfits(placed);
      } else if (!learnt.empty()) {
        throw std::logic_error("placement: an engine was chosen that an operator had left");
      } else if (m_kernels.undecided() && m_kernels.decide(placed.partition, placed.graph)) {
        begin();
      } else {
        refuse_large_region("tensors in DRAM", placed.plan.scratch_bytes);
        m_kernels.annotate(placed.partition.placements);
        return placed;
      }
    }
    throw std::logic_error("placement: rounds do not end");
  }

  const std::set<std::string>& passes_without() const { return m_passes_without; }

 private:
  /// With the kernels of the user that are chosen, from the rules alone.
  void begin() {
    m_search.stage("passes");
    const ir::Graph graph = m_kernels.graph();
    m_passes_without = m_options.passes_without.value_or(std::set<std::string>());
    for (const passes::Pass& pass : passes::standard_passes()) {
      const bool asked = pass.divides && !m_options.passes_without;
      if (asked && is_taken_outside(graph, *pass.divides)) m_passes_without.insert(pass.name);
    }
    m_prepared = passes::prepare(graph, m_passes_without);
    m_decisions = {};
    for (const Engine engine : m_options.without) {
      const Verdict left_out = verdict(engine, Verdict::Kind::kAbsent, {"left out", "", ""});
      for (size_t op = 0; op < m_prepared.ops.size(); ++op) {
        m_decisions.limits.not_on[engine].emplace(static_cast<int>(op), left_out);
      }
    }
    m_without.reset();
  }

  /// By an engine that is not presil's own: an operator of this kind, as it is.
  bool is_taken_outside(const ir::Graph& graph, ir::OpKind kind) const {
    const std::vector<Engine> engines = rules::engines_of(m_config);
    return std::any_of(graph.ops.begin(), graph.ops.end(), [&](const ir::Op& op) {
      return op.kind == kind && std::any_of(engines.begin(), engines.end(), [&](Engine engine) {
               return is_outside(engine) && rules::take(engine, graph, op, m_config).yes();
             });
    });
  }

  /// As far as all is well. @return what is not
  std::vector<Learnt> round_of(Placed& p) {
    m_search.stage("partition");
    p.graph = m_prepared;
    p.partition =
        partition::partition(p.graph, m_config, m_imported, m_decisions.limits, m_kernels.taken());
    const Round round{p, m_config, m_decisions, m_options.fallback};
    std::vector<Learnt> learnt = of_layers(round);
    if (!learnt.empty()) return learnt;
    if (!m_options.fallback) refuse_fallback(p.partition);
    m_search.stage("layout");
    p.layout = plan::lay_out(p.graph, p.partition.layers, m_config);
    m_search.begin(p.layout.steps.size());
    learnt = of_layout(round);
    if (!learnt.empty()) return learnt;
    refuse_large_region("inputs", p.layout.input_bytes);
    refuse_large_region("outputs", p.layout.output_bytes);
    plan::Arranged arranged =
        plan::arrange(p.graph, p.partition.layers, m_config, std::move(p.layout), m_search);
    p.layout = std::move(arranged.layout);
    p.plan = std::move(arranged.plan);
    p.others = std::move(arranged.others);
    p.misfits = std::move(arranged.misfits);
    learnt = unfit_layers(round);
    if (!p.misfits.empty() || !has_outside(p)) return learnt;
    return slow_outside(p, without_outside(), m_config);
  }

  /// The network on the SoC as it is but for engines from outside; kernels of the user as now, so
  /// that its operators are the same.
  const Placed& without_outside() {
    if (m_without) return *m_without;
    SocConfig config = m_config;
    config.engines.clear();
    PlaceOptions options = m_options;
    options.passes_without = m_passes_without;
    options.kernels.clear();
    for (const auto& [result, kernel] : m_kernels.taken()) {
      options.kernels.push_back(kernel);
      options.kernels.back().prefer = true;
    }
    plan::Search search = m_search.anew();
    m_without = Placer(m_imported, config, options, search).run();
    return *m_without;
  }

  static ir::TensorId made_by(const Placed& placed, const plan::Misfit& misfit) {
    const layer::Layer& layer = placed.partition.layers[static_cast<size_t>(misfit.layer)];
    return layer::written(layer.work.operands()).front();
  }

  const ir::Graph& m_imported;
  const SocConfig& m_config;
  const PlaceOptions& m_options;
  plan::Search& m_search;
  UserKernelChoice m_kernels;
  ir::Graph m_prepared;
  std::set<std::string> m_passes_without;
  Decisions m_decisions;
  std::optional<Placed> m_without;
};

}  // namespace

Placed place(const ir::Graph& imported, const SocConfig& config, const PlaceOptions& options,
             plan::Search& search) {
  Placer placer(imported, config, options, search);
  Placed placed = placer.run();
  if (options.passes_without || placer.passes_without().empty()) return placed;
  // Whole for an engine from outside, or divided for the DLA: what takes fewer cycles.
  PlaceOptions all = options;
  all.passes_without.emplace();
  plan::Search again = search.anew();
  Placed divided = Placer(imported, config, all, again).run();
  return cycles_of(divided, config) < cycles_of(placed, config) ? std::move(divided)
                                                                : std::move(placed);
}

}  // namespace presil::placement
