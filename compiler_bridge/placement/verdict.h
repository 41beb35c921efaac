// What an engine, or a kernel of the user, says of an operator: a record. explain.h words it.
#pragma once

#include <cstdint>
#include <string>

#include "compiler_bridge/placement/engine.h"

namespace presil::placement {

/// One limit that is not kept: `rule` is `got`, must be `limit`.
struct Finding {
  std::string rule;   ///< what is limited: "kernel height"
  std::string got;    ///< "17"
  std::string limit;  ///< "1..16"
};

struct Verdict {
  enum class Kind : uint8_t {
    kTaken,     ///< it computes the operator; of a kernel of the user `limit` says what it takes
    kRule,      ///< `rule` is `got`, must be `limit`
    kUnknown,   ///< it does not compute operators of the kind `got`
    kAbsent,    ///< the SoC has none of it: `rule` is the parameter
    kSram,      ///< `got` bytes of SRAM are needed in the smallest tiles, sram.bytes is `limit`
    kImage,     ///< the DSP cannot hold the program: `rule` of it is `got`, must be `limit`
    kCost,      ///< another engine takes fewer cycles; `rule` and `got`: what it costs much by
    kCall,      ///< a kernel of the user cannot be called: `rule` is `got`, must be `limit`
    kNotAsked,  ///< a kernel of the user: the operator is no layer of its own without it
  };
  Engine engine = Engine::kNone;
  Kind kind = Kind::kTaken;
  std::string rule = {}, got = {}, limit = {};
  std::string remedy = {};        ///< ends a "To run it there, "; "": nothing would help
  std::string kernel = {};        ///< of the user, as PRESIL_KERNEL names it,
  std::string image = {};         ///< and its file; "": the engine's own
  int64_t cycles = 0;             ///< kCost: of this engine, as estimated,
  Engine chosen = Engine::kNone;  ///< and of the one that is chosen
  int64_t chosen_cycles = 0;

  bool yes() const { return kind == Kind::kTaken; }
  bool of_user() const { return !image.empty() && kind != Kind::kImage; }
};

inline Verdict verdict(Engine engine, Verdict::Kind kind, Finding finding,
                       const std::string& remedy = "") {
  Verdict v{engine, kind};
  v.rule = std::move(finding.rule), v.got = std::move(finding.got);
  v.limit = std::move(finding.limit), v.remedy = remedy;
  return v;
}

/// `chosen` takes fewer cycles.
inline Verdict slower(Engine engine, int64_t cycles, Engine chosen, int64_t chosen_cycles) {
  Verdict v{engine, Verdict::Kind::kCost};
  v.cycles = cycles, v.chosen = chosen, v.chosen_cycles = chosen_cycles;
  return v;
}

}  // namespace presil::placement
