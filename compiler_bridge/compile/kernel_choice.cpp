#include "compiler_bridge/compile/kernel_choice.h"

#include <presil/dsp_kernel.h>

#include "compiler_bridge/plan/cost.h"
#include "compiler_bridge/plan/dsp_arguments.h"
#include "compiler_bridge/plan/dsp_plan.h"
#include "models/base/refusal.h"

namespace presil::compile {
namespace {

using partition::UserKernel;

[[noreturn]] void refuse(const std::string& what) {
  throw Refusal("kernels", what);
}

std::string named(const ir::Op& op) {
  const bool custom = op.kind == ir::OpKind::kCustom;
  return (custom ? op.as<ir::Custom>().code : ir::to_string(op.kind)) + " '" + op.name + "'";
}

/// Why the kernel cannot be called for the op; "": it can.
std::string call_objection(const ir::Graph& graph, const ir::Op& op, const UserKernel& kernel) {
  const int64_t rows = partition::rows_along(graph.tensor(op.output()), kernel.rows);
  for (const auto* list : {&op.inputs, &op.outputs}) {
    for (const ir::TensorId id : *list) {
      if (id == ir::kAbsent) return "it leaves an input out, which a kernel cannot be told";
      const ir::Tensor& tensor = graph.tensor(id);
      if (tensor.shape.size() > PRESIL_DSP_MAX_RANK) {
        return ir::type_of(tensor) + " has more than the " + std::to_string(PRESIL_DSP_MAX_RANK) +
               " axes that a kernel sees";
      }
      if (kernel.rows < 0 || tensor.is_constant()) continue;
      if (rows == 0 || partition::rows_along(tensor, kernel.rows) != rows) {
        return "axis " + std::to_string(kernel.rows) + " of " + ir::type_of(tensor) +
               " is not one of rows, as many in each tensor and behind axes of 1";
      }
    }
  }
  const size_t tensors = op.inputs.size() + op.outputs.size() + (kernel.scratch_bytes != 0 ? 1 : 0);
  if (tensors > PRESIL_DSP_MAX_TENSORS) {
    return "it has " + std::to_string(tensors) + " tensors, scratch included, a kernel at most " +
           std::to_string(PRESIL_DSP_MAX_TENSORS);
  }
  const uint64_t block = plan::argument_bytes(partition::user_layer(graph, op, kernel));
  if (block > PRESIL_DSP_MAX_BLOCK) {
    return "its arguments are " + std::to_string(block) + " bytes, a kernel's at most " +
           std::to_string(PRESIL_DSP_MAX_BLOCK);
  }
  return "";
}

/// Cycles of a layer by itself, as the plan reckons them; 0: they do not stand alone.
Cycle cycles_of(const plan::Layer& layer, const std::string& kind, const ir::Graph& graph,
                const SocConfig& config) {
  if (const auto* dsp = std::get_if<plan::DspLayer>(&layer.work)) {
    return plan::dsp_cycles(*dsp, plan::moved_operands(*dsp), config);
  }
  if (const auto* copy = std::get_if<plan::CopyLayer>(&layer.work)) {
    return plan::copy_cycles(*copy, config);
  }
  if (const auto* host = std::get_if<plan::HostLayer>(&layer.work)) {
    return plan::host_cycles(*host, kind, graph, config);
  }
  return 0;
}

}  // namespace

KernelChoice::KernelChoice(const ir::Graph& imported, const SocConfig& config,
                           const std::vector<UserKernel>& kernels,
                           const std::map<int, std::string>& objections)
    : m_imported(imported), m_config(config), m_notes(objections) {
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

void KernelChoice::admit(const UserKernel& kernel) {
  const ir::Op& op = op_of(kernel);
  const bool custom = op.kind == ir::OpKind::kCustom;
  if (kernel.image->entry(kernel.kernel) == 0) {
    std::string has;
    for (const std::string& name : kernel.image->kernels()) has += (has.empty() ? "" : ", ") + name;
    refuse("'" + kernel.image->name + "' has no kernel " + kernel.kernel + ", it has " + has);
  }
  if (m_config.dsp.units == 0) {
    if (custom) {
      refuse("custom operator " + named(op) + " has " + kernel.who() + ", and SoC '" +
             m_config.name +
             "' has no DSP to run it (dsp.units is 0); choose a SoC with one, "
             "such as edge, or give this one a DSP (--set dsp.units=1)");
    }
    m_notes[kernel.op] = kernel.who() + " has no DSP to run on (dsp.units)";
    return;
  }
  const std::string image = dsp_image::objection(*kernel.image, m_config.dsp);
  if (!image.empty()) refuse("'" + kernel.image->name + "' " + image);
  const std::string call = call_objection(m_imported, op, kernel);
  if (!call.empty()) {
    if (custom) refuse(named(op) + " cannot be given to " + kernel.who() + ": " + call);
    m_notes[kernel.op] = kernel.who() + " cannot be called: " + call;
    return;
  }
  if (custom || kernel.prefer) {
    m_taken.emplace(op.output(), kernel);
  } else {
    m_asked.push_back(kernel);
  }
}

const ir::Op& KernelChoice::op_of(const UserKernel& kernel) const {
  return m_imported.ops.at(static_cast<size_t>(kernel.op));
}

ir::Graph KernelChoice::graph() const {
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

bool KernelChoice::decide(const plan::Partition& without, const ir::Graph& graph) {
  bool any = false;
  for (const UserKernel& kernel : m_asked) {
    const std::string why_not = dearer(kernel, without, graph);
    if (why_not.empty()) {
      m_taken.emplace(op_of(kernel).output(), kernel);
      any = true;
    } else {
      m_notes[kernel.op] = why_not;
    }
  }
  m_asked.clear();
  return any;
}

std::string KernelChoice::dearer(const UserKernel& kernel, const plan::Partition& without,
                                 const ir::Graph& graph) const {
  const plan::Placement& placement = without.placements.at(static_cast<size_t>(kernel.op));
  const plan::Layer* layer =
      placement.layer < 0 ? nullptr : &without.layers[static_cast<size_t>(placement.layer)];
  const bool alone = layer != nullptr && layer->graph_ops.size() == 1 &&
                     placement.reason.rfind("folded into", 0) != 0;
  const Cycle other = alone ? cycles_of(*layer, placement.op, graph, m_config) : 0;
  if (other == 0) {
    const bool nothing = placement.engine == rules::to_string(rules::Engine::kNone);
    return kernel.who() + " is not asked, for " +
           (nothing ? "it needs no engine"
                    : "the " + placement.engine + " computes it by the way") +
           " (prefer: true gives it to the kernel)";
  }
  const plan::DspLayer call = partition::user_layer(m_imported, op_of(kernel), kernel);
  const Cycle cycles = plan::dsp_cycles(call, plan::moved_operands(call), m_config);
  if (cycles == 0) return kernel.who() + " does not fit the SRAM";
  if (cycles < other) return "";
  const bool dsp = placement.engine == "dsp";
  return "about " + std::to_string(cycles) + " cycles by " + kernel.who() + ", " +
         (dsp ? "presil's own" : "the " + placement.engine) + " takes " + std::to_string(other);
}

void KernelChoice::leave(ir::TensorId made, const std::string& why) {
  const std::string sentence = why.substr(why.find(": ") + 2);  // without the engine
  const auto taken = m_taken.find(made);
  const UserKernel kernel = taken->second;
  const ir::Op& op = op_of(kernel);
  if (op.kind == ir::OpKind::kCustom) {
    refuse("custom operator " + named(op) + " does not fit the SRAM with " + kernel.who() + ": " +
           sentence + (kernel.rows < 0 ? "; let it be cut into rows (rows: AXIS)" : ""));
  }
  m_notes[kernel.op] = kernel.who() + ": " + sentence;
  m_taken.erase(taken);
}

void KernelChoice::annotate(std::vector<plan::Placement>& placements) const {
  for (const auto& [op, note] : m_notes)
    placements[static_cast<size_t>(op)].reason += "; dsp: " + note;
  for (const auto& [made, kernel] : m_taken) {
    if (!kernel.rule.empty()) {
      placements[static_cast<size_t>(kernel.op)].reason += " (" + kernel.rule + ")";
    }
  }
}

}  // namespace presil::compile
