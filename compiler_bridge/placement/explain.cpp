#include "compiler_bridge/placement/explain.h"

#include <cctype>
#include <iterator>

namespace presil::placement {
namespace {

using Kind = Verdict::Kind;

std::string must_be(const Verdict& v) {
  return v.rule + " is " + v.got + ", must be " + v.limit;
}

/// Cycles of this engine and of the one that is chosen.
std::string cost(const Verdict& v) {
  const bool own = v.of_user() && v.chosen == Engine::kDsp;
  const std::string most = v.rule.empty() ? "" : " (" + v.rule + ": " + v.got + ")";
  const std::string what = v.engine == Engine::kDsp ? " cycles with transfers" : " cycles";
  return "about " + std::to_string(v.cycles) + what + most + ", " +
         (own ? "presil's own" : std::string("the ") + to_string(v.chosen)) + " takes " +
         std::to_string(v.chosen_cycles);
}

std::string sram(const Verdict& v) {
  if (v.got.empty()) return "does not fit the SRAM";
  return "needs " + v.got + " bytes of SRAM even in the smallest tiles, sram.bytes is " + v.limit;
}

/// After the name of a kernel of the user.
std::string text_of_kernel(const Verdict& v) {
  switch (v.kind) {
    case Kind::kRule:
      return v.limit.empty() ? "does not take it: " + v.got : "requires " + v.limit + "; " + v.got;
    case Kind::kAbsent:
      return "has no DSP to run on (" + v.rule + ")";
    case Kind::kCost:
      return "takes " + cost(v);
    case Kind::kCall:
      return "cannot be called: " + must_be(v);
    case Kind::kNotAsked:
      return std::string("is not asked: ") +
             (v.chosen == Engine::kNone
                  ? "the operator needs no engine"
                  : std::string("the ") + to_string(v.chosen) + " computes it in another layer") +
             " (" + v.remedy + ")";
    default:
      return sram(v);
  }
}

std::string parenthesised(const std::vector<Verdict>& verdicts) {
  return verdicts.empty() ? "" : " (" + lines(verdicts) + ")";
}

/// Of engines, and what a kernel that is chosen takes; kernels that are not are `notes`.
std::vector<Verdict> of_engines(const Placement& p) {
  std::vector<Verdict> own;
  for (const Verdict& v : p.verdicts) {
    if (!v.of_user() || v.yes()) own.push_back(v);
  }
  return own;
}

std::vector<Verdict> notes(const Placement& p) {
  std::vector<Verdict> notes;
  for (const Verdict& v : p.verdicts) {
    if (v.of_user() && !v.yes()) notes.push_back(v);
  }
  return notes;
}

std::string reason_of_engines(const Placement& p) {
  switch (p.why) {
    case Why::kWithinLimits:
      return "within the " + p.engine + "'s limits" + parenthesised(of_engines(p));
    case Why::kComputedWeights:
      return "its second operand becomes weights once it is computed";
    case Why::kFused:
      return "fused into " + p.into + " '" + p.into_layer + "'";
    case Why::kFolded:
      return "folded into " + p.into + " '" + p.into_layer + "'";
    case Why::kRemoved:
      return "removed: nothing that is read depends on it, or it leaves its input as it is";
    case Why::kView:
      return "a view: the same bytes under another shape";
    case Why::kSlice:
      return "a view: neighbouring bytes of what it is cut from";
    case Why::kSignBit:
      return "no work: the dma flips bit 7 of every byte on its way";
    case Why::kConcat:
      return "no work: the inputs are written side by side";
    case Why::kStack:
      return "its inputs are written to their addresses in memory, one after another";
    case Why::kInterleave:
      return "in phases, each written between the others";
    case Why::kMoved:
      return "moved from memory to memory" + parenthesised(of_engines(p));
    case Why::kKernel:
      return kernel_text(p.kernel, p.image) + parenthesised(of_engines(p));
    case Why::kRefused:
      break;
  }
  return lines(of_engines(p));
}

std::string capitalised(std::string text) {
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

/// Of the first engine that was asked and knows the operator.
std::string refused(const std::string& where, const Verdict& v) {
  const std::string engine = to_string(v.engine);
  switch (v.kind) {
    case Kind::kUnknown:
      return where + ": the " + engine + " " + text(v) + ".";
    case Kind::kCost:
      return where + ": the " + engine + " takes " + text(v) + ".";
    default:
      return where + ". The " + engine + " does not take it: " + text(v) + ".";
  }
}

}  // namespace

const char* to_string(Why why) {
  static constexpr const char* kNames[] = {
      "within_limits", "computed_weights", "fused", "folded",     "removed", "view",   "slice",
      "sign_bit",      "concat",           "stack", "interleave", "moved",   "kernel", "refused"};
  static_assert(std::size(kNames) == static_cast<size_t>(Why::kRefused) + 1);
  return kNames[static_cast<size_t>(why)];
}

std::string kernel_text(const std::string& kernel, const std::string& image) {
  return "kernel " + kernel + (image.empty() ? "" : " of " + image);
}

std::string text(const Verdict& v) {
  if (v.kind == Kind::kTaken) return v.limit;
  if (v.of_user()) return text_of_kernel(v);
  switch (v.kind) {
    case Kind::kUnknown:
      return "does not compute " + v.got;
    case Kind::kAbsent:
      return "the SoC has none (" + v.rule + ")";
    case Kind::kSram:
      return sram(v);
    case Kind::kImage:
      return v.image + ": " + must_be(v);
    case Kind::kCost:
      return cost(v);
    default:
      return must_be(v);
  }
}

std::string line(const Verdict& v) {
  if (v.engine == Engine::kNone || v.kind == Kind::kTaken) return text(v);
  const std::string kernel = v.of_user() ? kernel_text(v.kernel, v.image) + " " : "";
  return std::string(to_string(v.engine)) + ": " + kernel + text(v);
}

std::string lines(const std::vector<Verdict>& verdicts) {
  std::string all;
  for (const Verdict& v : verdicts) all += (all.empty() ? "" : "; ") + line(v);
  return all;
}

std::string Placement::reason() const {
  std::string said = reason_of_engines(*this);
  for (const Verdict& note : notes(*this)) said += "; " + line(note);
  return said;
}

std::string Placement::remedy() const {
  const std::vector<Verdict> own = of_engines(*this);
  return why == Why::kRefused && !own.empty() ? own.front().remedy : "";
}

std::string sentence(const Placement& p) {
  const std::string subject = p.op + " '" + p.name + "'";
  if (p.engine == to_string(Engine::kNone))
    return subject + " needs no engine: " + p.reason() + ".";
  const std::string where = subject + " runs on the " + p.engine;
  std::vector<Verdict> others = of_engines(p);
  std::string said = where + ": " + reason_of_engines(p) + ".", remedy;
  if (p.why == Why::kRefused && !others.empty()) {
    const Verdict first = others.front();
    if (!first.remedy.empty()) {
      remedy = first.engine == Engine::kNone
                   ? " To save that, " + first.remedy + "."
                   : " To run it on the " + std::string(to_string(first.engine)) + ", " +
                         first.remedy + ".";
    }
    said = first.engine == Engine::kNone ? where + ": " + text(first) + "." : refused(where, first);
    others.erase(others.begin());
  } else {
    others.clear();  // said above
  }
  for (const Verdict& v : others) {
    const bool costs = v.kind == Kind::kCost;
    said += std::string(" The ") + to_string(v.engine) +
            (costs ? " takes " : " does not take it: ") + text(v) + ".";
  }
  for (const Verdict& note : notes(p)) {
    said += " " + capitalised(kernel_text(note.kernel, note.image)) + " " + text(note) + ".";
  }
  return said + remedy;
}

}  // namespace presil::placement
