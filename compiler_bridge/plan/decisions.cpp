#include "compiler_bridge/plan/decisions.h"

#include <tuple>

#include "models/base/refusal.h"

namespace presil::plan {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Refusal("decisions", what);
}

template <class Value>
const Value& found(const std::map<std::string, Value>& in, const std::string& name,
                   const char* kind) {
  const auto at = in.find(name);
  if (at != in.end()) return at->second;
  refuse(std::string("there is no ") + kind + " '" + name + "' in this network's plan; " +
         "compile without decisions to see what there is");
}

}  // namespace

bool operator==(const Tiling& a, const Tiling& b) {
  const auto all = [](const Tiling& t) {
    return std::tie(t.rows, t.columns, t.blocks, t.blocks_outer, t.depth, t.in_blocks);
  };
  return all(a) == all(b);
}

std::string to_string(const Tiling& t) {
  return std::to_string(t.rows) + " rows, " + std::to_string(t.columns) + " columns, " +
         std::to_string(t.blocks) + " blocks, " + (t.blocks_outer ? "blocks" : "pixels") +
         " outside, " + std::to_string(t.depth) + " deep, " + std::to_string(t.in_blocks) +
         " input blocks";
}

const Tiling* Decisions::tiling_of(const std::string& layer) const {
  const auto at = tilings.find(layer);
  return at == tilings.end() ? nullptr : &at->second;
}

std::vector<std::string> buffer_names(const Layout& layout) {
  std::vector<std::string> names(layout.blocked_buffers.size());
  const auto name = [&](const std::vector<TensorId>& tensors, const std::string& text) {
    for (const TensorId tensor : tensors) {
      const int storage = layout.place(tensor).storage;
      if (storage != kNone && names[size_t(storage)].empty()) names[size_t(storage)] = text;
    }
  };
  for (int step = 0; step < layout.step_count(); ++step) {
    const Layer& layer = layout.layer_at(step);
    name(stored_tensors(layer).read, layer.name + "/input");
    name(stored_tensors(layer).made, layer.name);
  }
  return names;
}

Decisions decisions_of(const Layout& layout, const Plan& plan) {
  Decisions all;
  all.prefetch = plan.prefetch;
  for (int step = 0; step < layout.step_count(); ++step) {
    const Layer& layer = layout.layer_at(step);
    const Tiling& tiling = plan.layers[size_t(step)].tiling;
    if (tiling.rows > 0) all.tilings[layer.name] = tiling;
  }
  const std::vector<std::string> names = buffer_names(layout);
  for (size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty()) all.kept[names[i]] = plan.blocked_buffers[i].keep == Keep::kSram;
  }
  return all;
}

void check_decided(const Decisions& said, const Decisions& done) {
  if (said.prefetch && *said.prefetch != *done.prefetch) {
    refuse("weights were to be loaded " + std::to_string(*said.prefetch) +
           " layers ahead, which does not fit; the plan that does loads them " +
           std::to_string(*done.prefetch) + " ahead");
  }
  for (const auto& [name, tiling] : said.tilings) {
    const Tiling& other = found(done.tilings, name, "layer of the DLA");
    if (tiling == other) continue;
    refuse("layer '" + name + "' was to be cut into " + to_string(tiling) +
           ", which it cannot be beside the other decisions; it is cut into " + to_string(other));
  }
  for (const auto& [name, keep] : said.kept) {
    if (found(done.kept, name, "buffer") == keep) continue;
    refuse("buffer '" + name + "' was to be " + (keep ? "in the SRAM whole" : "in memory") +
           ", which it cannot be beside the other decisions");
  }
}

}  // namespace presil::plan
