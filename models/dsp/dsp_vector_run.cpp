// Executes a vector instruction: operands, its loop, results to vd under the mask.
#include "models/dsp/dsp_families.h"
#include "models/dsp/dsp_vector_state.h"

namespace presil::dsp::PRESIL_DSP_LANES {
namespace {

template <class T>
void blend(uint8_t* to, const uint8_t* from, const uint8_t* active, size_t begin, size_t n) {
  T* d = lanes<T>(to);
  const T* s = lanes<T>(from);
  PRESIL_DSP_LANE_LOOP
  for (size_t i = begin; i < n; ++i) d[i] = active[i] != 0 ? s[i] : d[i];
}

void blend_by_width(const VectorOp& v, uint8_t* to, const Call& c) {
  switch (v.d_log2) {
    case 0:
      return blend<uint8_t>(to, c.d, c.mask, c.begin, c.n);
    case 1:
      return blend<uint16_t>(to, c.d, c.mask, c.begin, c.n);
    case 2:
      return blend<uint32_t>(to, c.d, c.mask, c.begin, c.n);
    default:
      return blend<uint64_t>(to, c.d, c.mask, c.begin, c.n);
  }
}

Decoded* run_elements(Hart& h, Decoded* o) {
  const VectorOp& v = *o->in.vector;
  start(h, o);
  const Call c = call_of(h, *o, v);
  v.kernel(c);
  h.vstart = 0;
  return o + 1;
}

// v0 is an operand.
Decoded* run_carry(Hart& h, Decoded* o) {
  const VectorOp& v = *o->in.vector;
  start(h, o);
  Call c = call_of(h, *o, v);
  c.mask = active_elements(h);
  v.kernel(c);
  h.vstart = 0;
  return o + 1;
}

Decoded* run_masked(Hart& h, Decoded* o) {
  const VectorOp& v = *o->in.vector;
  start(h, o);
  Call c = call_of(h, *o, v);
  c.mask = active_elements(h);
  uint8_t* vd = c.d;
  c.d = h.result.data();
  v.kernel(c);
  blend_by_width(v, vd, c);
  h.vstart = 0;
  return o + 1;
}

// Illegal where vstart is not 0.
template <Handler run>
Decoded* from_start(Hart& h, Decoded* o) {
  if (h.vstart != 0) return trap(h, o, Cause::kIllegal, 0);
  return run(h, o);
}

// Illegal where frm is not a rounding mode.
template <Handler run>
Decoded* with_frm(Hart& h, Decoded* o) {
  if (h.frm > 4) return trap(h, o, Cause::kIllegal, 0);
  return run(h, o);
}

enum class With { kNothing, kMask, kCarry };

template <With with>
Decoded* run_bits(Hart& h, Decoded* o) {
  const VectorOp& v = *o->in.vector;
  start(h, o);
  Call c = call_of(h, *o, v);
  if (with != With::kNothing) c.mask = active_elements(h);
  uint8_t* vd = c.d;
  c.d = h.result.data();
  v.kernel(c);
  set_bits(vd, c.d, with == With::kMask ? c.mask : nullptr, c.begin, c.n);
  h.vstart = 0;
  return o + 1;
}

template <bool masked, bool from_start, bool rounds>
Decoded* run_itself(Hart& h, Decoded* o) {
  if ((from_start && h.vstart != 0) || (rounds && h.frm > 4)) return trap(h, o, Cause::kIllegal, 0);
  const VectorOp& v = *o->in.vector;
  start(h, o);
  Call c = call_of(h, *o, v);
  if (masked) c.mask = active_elements(h);
  v.kernel(c);
  h.vstart = 0;
  return o + 1;
}

}  // namespace

Handler handler_of(const VectorInfo& info, bool masked) {
  const unsigned flags = info.shape.flags;
  const bool carry = (flags & kCarry) != 0;
  if ((flags & kFromStart) != 0 && info.shape.commit == Commit::kElements)
    return masked ? from_start<run_masked> : from_start<run_elements>;
  if ((flags & kFromStart) != 0 && info.shape.commit == Commit::kBits)
    return masked ? from_start<run_bits<With::kMask>> : from_start<run_bits<With::kNothing>>;
  switch (info.shape.commit) {
    case Commit::kElements:
      return carry ? run_carry : masked ? run_masked : run_elements;
    case Commit::kBits:
      if ((flags & kRounds) != 0)
        return masked ? with_frm<run_bits<With::kMask>> : with_frm<run_bits<With::kNothing>>;
      return carry    ? run_bits<With::kCarry>
             : masked ? run_bits<With::kMask>
                      : run_bits<With::kNothing>;
    default:
      break;
  }
  constexpr Handler kHandlers[8] = {run_itself<false, false, false>, run_itself<true, false, false>,
                                    run_itself<false, true, false>,  run_itself<true, true, false>,
                                    run_itself<false, false, true>,  run_itself<true, false, true>,
                                    run_itself<false, true, true>,   run_itself<true, true, true>};
  return kHandlers[(masked ? 1 : 0) | ((flags & kFromStart) != 0 ? 2 : 0) |
                   ((flags & kRounds) != 0 ? 4 : 0)];
}

const Lanes& lanes() {
  static const Lanes all{
      {vector_integer_rows(), vector_multiply_rows(), vector_fixed_rows(), vector_reduce_rows(),
       vector_mask_rows(), vector_permute_rows(), vector_float_rows(), vector_convert_rows()},
      handler_of};
  return all;
}

}  // namespace presil::dsp::PRESIL_DSP_LANES
