#include "compiler_bridge/placement/text.h"

#include <iterator>

#include "compiler_bridge/placement/explain.h"

namespace presil::placement {
namespace {

const char* to_string(Verdict::Kind kind) {
  static constexpr const char* kNames[] = {"taken", "rule", "unknown", "absent",   "sram",
                                           "image", "cost", "call",    "not_asked"};
  static_assert(std::size(kNames) == static_cast<size_t>(Verdict::Kind::kNotAsked) + 1);
  return kNames[static_cast<size_t>(kind)];
}

std::string print(const Verdict& v) {
  const std::string kernel = v.of_user() ? kernel_text(v.kernel, v.image) + " " : "";
  const std::string remedy = v.remedy.empty() ? "" : "; remedy: " + v.remedy;
  return std::string("  ") + placement::to_string(v.engine) + " " + to_string(v.kind) + ": " +
         kernel + text(v) + remedy + "\n";
}

std::string print(const Placement& p) {
  std::string line = p.op + " \"" + p.name + "\": " + p.engine;
  if (p.layer >= 0) line += ", layer " + std::to_string(p.layer);
  line += std::string(", ") + to_string(p.why);
  if (!p.into.empty()) line += " into " + p.into + " \"" + p.into_layer + "\"";
  if (!p.kernel.empty()) line += " " + p.kernel + (p.image.empty() ? "" : " of " + p.image);
  line += "\n";
  for (const Verdict& verdict : p.verdicts) line += print(verdict);
  return line;
}

}  // namespace

std::string print(const std::vector<Placement>& placements) {
  std::string text;
  for (const Placement& placement : placements) text += print(placement);
  return text;
}

}  // namespace presil::placement
