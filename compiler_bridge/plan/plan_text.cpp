#include "compiler_bridge/plan/plan_text.h"

#include "rtl/soc/address_map.h"

namespace presil::plan {
namespace {

std::string region_name(unsigned region) {
  switch (region) {
    case PRESIL_REGION_CONSTANTS:
      return "constants";
    case PRESIL_REGION_INPUTS:
      return "inputs";
    case PRESIL_REGION_OUTPUTS:
      return "outputs";
    default:
      return "scratch";
  }
}

std::string steps(int first, int last) {
  return "steps " + std::to_string(first) + ".." + std::to_string(last);
}

std::string tensor_name(const ir::Graph& graph, TensorId tensor) {
  return "%" + std::to_string(tensor) + " \"" + graph.tensor(tensor).name + "\"";
}

std::string extent_text(const Extent& e) {
  return std::to_string(e.h) + "x" + std::to_string(e.w) + "x" + std::to_string(e.c);
}

std::string ring_text(const char* what, const Ring& ring) {
  if (!ring.used()) return "";
  return std::string(", ") + what + " " + std::to_string(ring.buffers.size()) + " x " +
         std::to_string(ring.entry_bytes) + " B";
}

std::string tiling_text(const LayerPlan& p) {
  const Tiling& t = p.tiling;
  std::string text = "tiles of " + std::to_string(t.rows) + " rows, " + std::to_string(t.columns) +
                     " columns, " + std::to_string(t.blocks) + " blocks";
  if (t.in_blocks != 0) text += ", sums in parts of " + std::to_string(t.in_blocks) + " blocks";
  text += std::string(", ") + (t.blocks_outer ? "blocks" : "pixels") + " outer, depth " +
          std::to_string(t.depth) + (p.packed ? ", packed" : "");
  text += ring_text("input", p.input) + ring_text("operand", p.operand);
  text += ring_text("output", p.output);
  text += p.weights_resident ? ", weights resident" : ring_text("weights", p.parameter_block);
  return text + ring_text("sums", p.sums);
}

std::string dsp_text(const LayerPlan& p) {
  std::string text = std::to_string(p.dsp.tiles) + " tiles";
  for (const Ring& ring : p.dsp.operands) text += ring_text("operand", ring);
  return text + ring_text("scratch", p.dsp.scratch) + ring_text("arguments", p.parameter_block);
}

std::string outside_text(const LayerPlan& p) {
  std::string text = "tiles of " + std::to_string(p.outside.rows) + " rows, " +
                     std::to_string(p.outside.blocks) + " blocks";
  for (const Ring& ring : p.outside.operands) text += ring_text("operand", ring);
  return text + ring_text("constants", p.parameter_block);
}

const char* to_string(Keep keep) {
  return keep == Keep::kSram     ? "SRAM"
         : keep == Keep::kLinear ? "memory, dense"
                                 : "memory, in blocks";
}

std::string access_text(const Access& a) {
  if (a.space == kNowhere)
    return a.begin == kArrived ? "arrival" : a.begin == kSelected ? "select" : "dispatch";
  const std::string where =
      a.space == kSram ? "sram" : region_name(static_cast<unsigned>(a.space - 1));
  return where + " " + std::to_string(a.begin) + ".." + std::to_string(a.end);
}

}  // namespace

std::string layout_text(const ir::Graph& graph, const Layout& layout) {
  std::string text;
  for (int step = 0; step < layout.step_count(); ++step) {
    const Layer& layer = layout.layer_at(step);
    text += "step " + std::to_string(step) + " " + layer.op + " \"" + layer.name + "\"\n";
  }
  for (size_t i = 0; i < layout.blocked_buffers.size(); ++i) {
    const BlockedBuffer& s = layout.blocked_buffers[i];
    text += "blocked buffer " + std::to_string(i) + ": " +
            (s.form == Form::kC16 ? "c16 " : "rows ") + extent_text(s.extent) + ", " +
            std::to_string(s.bytes()) + " B, " + steps(s.first, s.last) +
            (s.load != kNone ? ", loaded" : "") + ":";
    for (const TensorId t : s.tensors) {
      const TensorPlace& p = layout.place(t);
      text += " " + tensor_name(graph, t) + " at block " + std::to_string(p.block);
    }
    text += "\n";
  }
  for (size_t i = 0; i < layout.linear_buffers.size(); ++i) {
    const LinearBuffer& f = layout.linear_buffers[i];
    text += "linear buffer " + std::to_string(i) + ": " + region_name(f.region) + ", " +
            std::to_string(f.bytes) + " B, " + steps(f.first, f.last) + ":";
    for (const TensorId t : f.tensors) {
      text += " " + tensor_name(graph, t) + " at " + std::to_string(layout.place(t).linear_at);
    }
    text += "\n";
  }
  for (const Load& load : layout.loads) {
    text += "load blocked buffer " + std::to_string(load.storage) + " from " +
            tensor_name(graph, load.from) + (load.flip_sign ? ", sign bit inverted" : "") +
            ", ready at " + std::to_string(load.ready) + ", first used at " +
            std::to_string(load.first_use) + "\n";
  }
  return text;
}

std::string tiles_text(const Layout& layout, const Plan& plan) {
  std::string text;
  for (int step = 0; step < layout.step_count(); ++step) {
    const LayerPlan& p = plan.layers[size_t(step)];
    const bool dla = p.tiling.rows != 0, dsp = p.dsp.tiles != 0;
    text += "step " + std::to_string(step) + " \"" + layout.layer_at(step).name + "\": " +
            (dla                     ? tiling_text(p)
             : dsp                   ? dsp_text(p)
             : p.outside.blocks != 0 ? outside_text(p)
                                     : "whole") +
            "\n";
  }
  for (size_t i = 0; i < plan.blocked_buffers.size(); ++i) {
    const KeptBuffer& kept = plan.blocked_buffers[i];
    text += "blocked buffer " + std::to_string(i) + ": " + to_string(kept.keep);
    if (kept.buffer != kNone) text += " at " + std::to_string(plan.offset_of(kept.buffer));
    text += "\n";
  }
  for (size_t i = 0; i < plan.linear_buffers.size(); ++i) {
    const int buffer = plan.linear_buffers[i];
    if (buffer == kNone) continue;
    text += "linear buffer " + std::to_string(i) + ": SRAM at " +
            std::to_string(plan.offset_of(buffer)) + "\n";
  }
  return text + "SRAM peak " + std::to_string(plan.placing.peak) + " B, weights loaded " +
         std::to_string(plan.prefetch) + " steps ahead, about " + std::to_string(plan.cycles) +
         " cycles\n";
}

std::string schedule_text(const Layout& layout, const Schedule& schedule) {
  std::string text;
  for (const ScheduledCommand& c : schedule.commands) {
    text += presil_queue_name(c.queue);
    text += " " + std::to_string(c.index) + ":";
    if (c.layer != kNone) {
      text += " \"" + layout.layers[size_t(c.layer)].name + "\" tile " + std::to_string(c.tile);
    }
    for (const bool write : {false, true}) {
      bool any = false;
      for (const Access& access : c.accesses) {
        if (access.write != write) continue;
        text += std::string(any ? ", " : write ? "; writes " : "; reads ") + access_text(access);
        any = true;
      }
    }
    text += "\n";
  }
  return text;
}

}  // namespace presil::plan
