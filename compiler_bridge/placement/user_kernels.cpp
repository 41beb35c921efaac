#include "compiler_bridge/placement/user_kernels.h"

#include <presil/dsp_kernel.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "compiler_bridge/placement/explain.h"
#include "compiler_bridge/plan/cost.h"
#include "compiler_bridge/plan/dsp_arguments.h"
#include "compiler_bridge/plan/dsp_plan.h"
#include "models/base/refusal.h"

namespace presil::placement {
namespace {

using partition::UserKernel;
using Kind = Verdict::Kind;

[[noreturn]] void refuse(const std::string& what) {
  throw Refusal("kernels", what);
}

std::string named(const ir::Op& op) {
  const bool custom = op.kind == ir::OpKind::kCustom;
  return (custom ? op.as<ir::Custom>().code : ir::to_string(op.kind)) + " '" + op.name + "'";
}

Verdict verdict_of(const UserKernel& kernel, Kind kind, Finding finding = {}) {
  Verdict made = verdict(Engine::kDsp, kind, std::move(finding));
  made.kernel = kernel.kernel, made.image = kernel.image->name;
  return made;
}

/// Why the kernel cannot be called for the op; nullopt: it can.
std::optional<Finding> uncallable(const ir::Graph& graph, const ir::Op& op,
                                  const UserKernel& kernel) {
  const int64_t rows = partition::rows_along(graph.tensor(op.output()), kernel.rows);
  for (const auto* list : {&op.inputs, &op.outputs}) {
    for (const ir::TensorId id : *list) {
      if (id == ir::kAbsent) return Finding{"an input", "left out", "given"};
      const ir::Tensor& tensor = graph.tensor(id);
      if (tensor.shape.size() > PRESIL_DSP_MAX_RANK) {
        return Finding{"number of axes of " + ir::type_of(tensor),
                       std::to_string(tensor.shape.size()),
                       "at most " + std::to_string(PRESIL_DSP_MAX_RANK)};
      }
      if (kernel.rows < 0 || tensor.is_constant()) continue;
      if (rows == 0 || partition::rows_along(tensor, kernel.rows) != rows) {
        return Finding{"axis " + std::to_string(kernel.rows) + " of " + ir::type_of(tensor),
                       "not one of rows", "as long in each tensor and after axes of 1"};
      }
    }
  }
  const size_t tensors = op.inputs.size() + op.outputs.size() + (kernel.scratch_bytes != 0 ? 1 : 0);
  if (tensors > PRESIL_DSP_MAX_TENSORS) {
    return Finding{"number of tensors, with scratch,", std::to_string(tensors),
                   "at most " + std::to_string(PRESIL_DSP_MAX_TENSORS)};
  }
  const uint64_t block = plan::argument_bytes(partition::user_layer(graph, op, kernel));
  if (block > PRESIL_DSP_MAX_BLOCK) {
    return Finding{"argument block", std::to_string(block) + " bytes",
                   "at most " + std::to_string(PRESIL_DSP_MAX_BLOCK)};
  }
  return std::nullopt;
}

/// Cycles of a layer by itself, as the plan estimates them; 0: they do not stand alone.
Cycle cycles_of(const layer::Layer& layer, const std::string& kind, const ir::Graph& graph,
                const SocConfig& config) {
  if (const auto* dsp = layer.work.as<layer::DspLayer>()) {
    return plan::dsp_cycles(*dsp, plan::moved_operands(*dsp), config);
  }
  if (const auto* copy = layer.work.as<layer::DmaLayer>()) {
    return plan::copy_cycles(*copy, graph, config);
  }
  if (const auto* host = layer.work.as<layer::HostLayer>()) {
    return plan::host_cycles(*host, kind, graph, config);
  }
  return 0;
}

}  // namespace

UserKernelChoice::UserKernelChoice(const ir::Graph& imported, const SocConfig& config,
                                   const std::vector<UserKernel>& kernels,
                                   const std::map<int, std::vector<Verdict>>& verdicts)
    : m_imported(imported), m_config(config), m_verdicts(verdicts) {
  std::vector<bool> has_kernel(imported.ops.size(), false);
  for (const UserKernel& kernel : kernels) {
    admit(kernel);
    has_kernel[static_cast<size_t>(kernel.op)] = true;
  }
  for (size_t i = 0; i < imported.ops.size(); ++i) {
    const ir::Op& op = imported.ops[i];
    if (op.kind != ir::OpKind::kCustom || has_kernel[i]) continue;
    refuse("custom operator " + named(op) +
           " has no kernel; register one that takes it (--kernels, driver/kernels/dsp/README.md)");
  }
}

void UserKernelChoice::admit(const UserKernel& kernel) {
  const ir::Op& op = op_of(kernel);
  const bool custom = op.kind == ir::OpKind::kCustom;
  if (kernel.image->entry(kernel.kernel) == 0) {
    std::string has;
    for (const std::string& name : kernel.image->kernels()) has += (has.empty() ? "" : ", ") + name;
    refuse("'" + kernel.image->name + "' has no kernel " + kernel.kernel + ", it has " + has);
  }
  if (m_config.dsp.units == 0) {
    if (custom) {
      refuse("custom operator " + named(op) + " has " + kernel.label() + ", and SoC '" +
             m_config.name +
             "' has no DSP to run it (dsp.units is 0); choose a SoC with one, "
             "such as edge, or give this one a DSP (--set dsp.units=1)");
    }
    m_verdicts[kernel.op] = {verdict_of(kernel, Kind::kAbsent, {"dsp.units", "", ""})};
    return;
  }
  if (const auto image = dsp_image::unfit(*kernel.image, m_config.dsp)) {
    const Verdict unfit = verdict(Engine::kDsp, Kind::kRule, *image);
    refuse("'" + kernel.image->name + "' cannot run on the DSP: " + text(unfit));
  }
  if (const auto call = uncallable(m_imported, op, kernel)) {
    const Verdict verdict = verdict_of(kernel, Kind::kCall, *call);
    if (custom) refuse(named(op) + ": " + kernel.label() + " " + text(verdict));
    m_verdicts[kernel.op] = {verdict};
    return;
  }
  if (custom || kernel.prefer) {
    m_taken.emplace(op.output(), kernel);
  } else {
    m_asked.push_back(kernel);
  }
}

const ir::Op& UserKernelChoice::op_of(const UserKernel& kernel) const {
  return m_imported.ops.at(static_cast<size_t>(kernel.op));
}

ir::Graph UserKernelChoice::graph() const {
  ir::Graph graph = m_imported;
  for (ir::Op& op : graph.ops) {
    const auto taken = m_taken.find(op.output());
    if (taken == m_taken.end()) continue;
    if (op.kind != ir::OpKind::kCustom) op.attributes = ir::Custom{ir::to_string(op.kind), "", ""};
    op.kind = ir::OpKind::kCustom;
    op.as<ir::Custom>().kernel = taken->second.kernel;
  }
  return graph;
}

bool UserKernelChoice::decide(const partition::Partition& without, const ir::Graph& graph) {
  bool any = false;
  for (const UserKernel& kernel : m_asked) {
    Verdict verdict = compared(kernel, without, graph);
    if (verdict.yes()) {
      m_taken.emplace(op_of(kernel).output(), kernel);
      any = true;
    } else {
      m_verdicts[kernel.op] = {std::move(verdict)};
    }
  }
  m_asked.clear();
  return any;
}

Verdict UserKernelChoice::compared(const UserKernel& kernel, const partition::Partition& without,
                                   const ir::Graph& graph) const {
  const Placement& placement = without.placements.at(static_cast<size_t>(kernel.op));
  const layer::Layer* layer =
      placement.layer < 0 ? nullptr : &without.layers[static_cast<size_t>(placement.layer)];
  const bool alone =
      layer != nullptr && layer->graph_ops.size() == 1 && placement.why != Why::kFolded;
  const Engine chosen = engine_named(placement.engine);
  const Cycle other = alone ? cycles_of(*layer, placement.op, graph, m_config) : 0;
  if (other == 0) {
    Verdict verdict = verdict_of(kernel, Kind::kNotAsked);
    verdict.remedy = "prefer: true gives it to the kernel", verdict.chosen = chosen;
    return verdict;
  }
  const layer::DspLayer call = partition::user_layer(m_imported, op_of(kernel), kernel);
  const Cycle cycles = plan::dsp_cycles(call, plan::moved_operands(call), m_config);
  if (cycles == 0) return verdict_of(kernel, Kind::kSram);
  Verdict verdict = verdict_of(kernel, cycles < other ? Kind::kTaken : Kind::kCost);
  verdict.cycles = cycles, verdict.chosen = chosen, verdict.chosen_cycles = other;
  return verdict;
}

void UserKernelChoice::leave(ir::TensorId made, const Verdict& why) {
  const auto taken = m_taken.find(made);
  const UserKernel kernel = taken->second;
  const ir::Op& op = op_of(kernel);
  if (op.kind == ir::OpKind::kCustom) {
    refuse("custom operator " + named(op) + " does not fit the SRAM with " + kernel.label() + ": " +
           text(why) + (kernel.rows < 0 ? "; let it be cut into rows (rows: AXIS)" : ""));
  }
  m_verdicts[kernel.op] = {verdict_of(kernel, why.kind, {why.rule, why.got, why.limit})};
  m_taken.erase(taken);
}

void UserKernelChoice::annotate(std::vector<Placement>& placements) const {
  const auto verdicts_of = [&](int op) -> auto& {
    return placements[static_cast<size_t>(op)].verdicts;
  };
  for (const auto& [op, verdicts] : m_verdicts) {
    verdicts_of(op).insert(verdicts_of(op).end(), verdicts.begin(), verdicts.end());
  }
  for (const auto& [made, kernel] : m_taken) {
    if (kernel.rule.empty()) continue;
    verdicts_of(kernel.op).push_back(verdict_of(kernel, Kind::kTaken, {"", "", kernel.rule}));
  }
}

}  // namespace presil::placement
