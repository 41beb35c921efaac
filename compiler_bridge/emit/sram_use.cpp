#include "compiler_bridge/emit/sram_use.h"

#include <algorithm>

#include "compiler_bridge/partition/name.h"

namespace presil::emit {
namespace {

bool touches(const plan::ScheduledCommand& command, const SramUse& use) {
  return std::any_of(command.accesses.begin(), command.accesses.end(), [&](const auto& access) {
    return access.space == plan::kSram && access.begin < use.end && use.begin < access.end;
  });
}

/// Names of tensors that are the same bytes: "a = b".
std::string names_of(const std::vector<std::string>& names,
                     const std::vector<layer::TensorId>& tensors) {
  std::string text;
  for (layer::TensorId t : tensors) {
    text += (text.empty() ? "" : " = ") + names[static_cast<size_t>(t)];
  }
  return text;
}

}  // namespace

std::vector<SramUse> sram_use(const ir::Graph& graph, const ir::Graph& imported,
                              const plan::Layout& layout, const plan::Plan& plan,
                              const plan::Schedule& schedule) {
  std::vector<SramUse> uses;
  const std::vector<std::string> names = partition::short_names(graph, imported);
  const auto add = [&](int buffer, const std::string& what) {
    const plan::Buffer& b = plan.buffers[static_cast<size_t>(buffer)];
    const uint64_t at = plan.offset_of(buffer);
    uses.push_back({what, at, at + b.bytes, b.first, b.last, {}});
  };
  for (size_t i = 0; i < layout.blocked_buffers.size(); ++i) {
    if (plan.blocked_buffers[i].keep != plan::Keep::kSram) continue;
    add(plan.blocked_buffers[i].buffer,
        "tensor " + names_of(names, layout.blocked_buffers[i].tensors));
  }
  for (size_t i = 0; i < layout.linear_buffers.size(); ++i) {
    if (!plan.is_resident(static_cast<int>(i))) continue;
    add(plan.linear_buffers[i],
        "dense tensor " + names_of(names, layout.linear_buffers[i].tensors));
  }
  for (size_t step = 0; step < plan.layers.size(); ++step) {
    const plan::LayerPlan& p = plan.layers[step];
    const std::string layer = " of " + layout.layer_at(static_cast<int>(step)).name;
    const std::string part = p.dsp.tiles > 1 ? " tile" : "";
    for (int b : p.input.buffers) add(b, "input tile" + layer);
    for (int b : p.operand.buffers) add(b, "second operand tile" + layer);
    for (int b : p.output.buffers) add(b, "output tile" + layer);
    for (int b : p.sums.buffers) add(b, "partial sums" + layer);
    for (size_t i = 0; i < p.dsp.operands.size(); ++i) {
      const layer::Operands operands = layout.layer_at(static_cast<int>(step)).work.operands();
      const bool input = !operands[i].write;
      for (int b : p.dsp.operands[i].buffers) add(b, (input ? "input" : "output") + part + layer);
    }
    for (size_t i = 0; i < p.outside.operands.size(); ++i) {
      const bool result = i + 1 == p.outside.operands.size();
      for (int b : p.outside.operands[i].buffers) {
        add(b, (result ? "output tile" : "input tile") + layer);
      }
    }
    for (int b : p.dsp.scratch.buffers) add(b, "scratch" + layer);
    for (int b : p.parameter_block.buffers) {
      if (p.weights_resident) break;  // of the layer that loaded them
      const char* what = p.outside.blocks != 0 ? "constants"
                         : p.dsp.tiles != 0    ? "constants, arguments"
                                               : "weights, parameters, table";
      add(b, what + layer);
    }
  }

  // Two buffers with a byte in common never live at the same step, so step and bytes name one.
  std::vector<int> step_of;
  for (size_t step = 0; step < layout.steps.size(); ++step) {
    const auto layer = static_cast<size_t>(layout.steps[step]);
    if (step_of.size() <= layer) step_of.resize(layer + 1, plan::kNone);
    step_of[layer] = static_cast<int>(step);
  }
  for (size_t tag = 0; tag < schedule.commands.size(); ++tag) {
    const plan::ScheduledCommand& command = schedule.commands[tag];
    if (command.layer == plan::kNone) continue;
    const int step = step_of[static_cast<size_t>(command.layer)];
    for (SramUse& use : uses) {
      if (step < use.first || step > use.last || !touches(command, use)) continue;
      use.commands.push_back(static_cast<uint32_t>(tag));
    }
  }
  return uses;
}

}  // namespace presil::emit
