#include "models/dsp/dsp_config.h"

#include <string>

#include "models/base/refusal.h"

namespace presil::dsp {
namespace {

void require_power(const char* name, unsigned got, unsigned least, unsigned most) {
  if (got >= least && got <= most && (got & (got - 1)) == 0) return;
  throw Refusal("dsp", std::string(name) + " is " + std::to_string(got) +
                           ", must be a power of two, " + std::to_string(least) + " .. " +
                           std::to_string(most) + "; set it in the SoC's file");
}

}  // namespace

void check(const Config& config) {
  require_power("vlen", config.vlen, 128, 1024);
  require_power("dlen", config.dlen, 64, 512);
  require_power("elen", config.elen, 32, 64);
  require_power("arithmetic_sequencers", config.arithmetic_sequencers, 1, 2);
}

Vtype Vtype::of(uint64_t value, const Config& config) {
  Vtype t;
  if (value > 0xff || (value >> 3 & 7) > 3 || (value & 7) == 4) return t;
  t.m_bits = static_cast<uint16_t>(value);
  // A fractional LMUL must leave space to hold one element of SEW in LMUL x ELEN bits.
  const int lmul = t.lmul_log2();
  const unsigned room = lmul < 0 ? config.elen >> -lmul : config.elen;
  if (t.sew() > room) return Vtype{};
  return t;
}

}  // namespace presil::dsp
