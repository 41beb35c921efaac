// Vector conversions between 32-bit floats and integers of 16, 32 and 64 bits.
#include "models/dsp/dsp_families.h"
#include "models/dsp/dsp_float.h"
#include "models/dsp/dsp_host_float.h"

namespace presil::dsp::PRESIL_DSP_LANES {
namespace {

enum class Round { kByFrm, kToZero };

bool active(const Call& c, size_t i) {
  return c.mask == nullptr || c.mask[i] != 0;
}

template <class I, Round round>
void to_integer_exactly(const Call& c) {
  Hart& h = *c.hart;
  Binary32 m(round == Round::kToZero ? kRtz : static_cast<Rounding>(h.frm));
  I* d = lanes<I>(c.d);
  const auto* a = lanes<uint32_t>(c.s2);
  for (size_t k = c.begin, n = c.n; k < n; ++k) {
    // What follows in the source is read before it is overwritten, also where d is wider.
    if (!active(c, k)) continue;
    d[k] = kIsSigned<I> ? static_cast<I>(m.to_signed(a[k], kBits<I>))
                        : static_cast<I>(m.to_unsigned(a[k], kBits<I>));
  }
  h.fflags |= m.flags();
}

/// Rounded to integers by the host, if all of them fit. False: one does not, or is a NaN.
template <class I, Round round>
[[gnu::noinline]] bool host_to_integer(I* d, const float* a, size_t begin, size_t n) {
  const float low = static_cast<float>(kLeast<I>), high = -low;
  uint32_t outside = 0;
  PRESIL_DSP_LANE_LOOP
  for (size_t i = begin; i < n; ++i) {
    const float r = round == Round::kToZero ? __builtin_truncf(a[i]) : __builtin_rintf(a[i]);
    const bool fits = r >= low && r < high;
    outside |= fits ? 0 : 1;
    d[i] = static_cast<I>(static_cast<int32_t>(fits ? r : 0.0f));
  }
  return outside == 0;
}

template <class I, Round round>
void to_integer(const Call& c) {
#if defined(__SSE4_1__)
  // int16 and int32, all elements: the host rounds several at a time. It says inexact for rint
  // only, so what is cut off towards zero is computed exactly.
  if constexpr (kIsSigned<I> && sizeof(I) <= 4 && round == Round::kByFrm) {
    Hart& h = *c.hart;
    if (c.mask == nullptr && h.frm != kRmm) {
      const HostFloat host(h.frm);
      I* result = lanes<I>(h.result.data());
      if (host_to_integer<I, round>(result, lanes<float>(c.s2), c.begin, c.n) && host.plain()) {
        if (host.inexact()) h.fflags |= kNx;
        if (c.begin < c.n)
          std::memcpy(lanes<I>(c.d) + c.begin, result + c.begin, (c.n - c.begin) * sizeof(I));
        return;
      }
    }
  }
#endif
  to_integer_exactly<I, round>(c);
}

template <class I>
[[gnu::noinline]] void host_from_integer(float* d, const I* a, size_t begin, size_t n) {
  PRESIL_DSP_LANE_LOOP
  for (size_t i = begin; i < n; ++i) d[i] = static_cast<float>(a[i]);
}

template <class I>
void from_integer(const Call& c) {
  Hart& h = *c.hart;
  const I* a = lanes<I>(c.s2);
  if constexpr (kIsSigned<I> && sizeof(I) <= 4) {
    if (c.mask == nullptr && h.frm != kRmm) {
      const HostFloat host(h.frm);
      host_from_integer<I>(lanes<float>(c.d), a, c.begin, c.n);
      if (host.inexact()) h.fflags |= kNx;
      return;
    }
  }
  Binary32 m(static_cast<Rounding>(h.frm));
  auto* d = lanes<uint32_t>(c.d);
  for (size_t k = c.begin, n = c.n; k < n; ++k)
    if (active(c, k))
      d[k] = kIsSigned<I> ? m.from_signed(static_cast<int64_t>(a[k]))
                          : m.from_unsigned(static_cast<uint64_t>(a[k]));
  h.fflags |= m.flags();
}

// The row of SEW: of a widening conversion the source's, of a narrowing one the result's.
Kernels at_32(Kernel k) {
  return {{{nullptr, nullptr, k, nullptr}, {}}};
}
Kernels at_16(Kernel k) {
  return {{{nullptr, k, nullptr, nullptr}, {}}};
}

constexpr Shape kSame{Width::kSew, Width::kSew, Width::kNone, kRounds, Commit::kItself, 0};
constexpr Shape kWidens{Width::kWide, Width::kSew, Width::kNone, kRounds, Commit::kItself, 0};
constexpr Shape kNarrows{Width::kSew, Width::kWide, Width::kNone, kRounds, Commit::kItself, 0};
constexpr Round kFrm = Round::kByFrm, kZero = Round::kToZero;

}  // namespace

Rows vector_convert_rows() {
  constexpr Group kF = Group::kOpf;
  constexpr Class kV = Class::kVector, kLong = Class::kVectorLong;
  static const VectorRow rows[] = {
      {18, kF, "vfcvt.xu.f.v", kUnary, kSame, kV, at_32(to_integer<uint32_t, kFrm>), 0},
      {18, kF, "vfcvt.x.f.v", kUnary, kSame, kV, at_32(to_integer<int32_t, kFrm>), 1},
      {18, kF, "vfcvt.rtz.xu.f.v", kUnary, kSame, kV, at_32(to_integer<uint32_t, kZero>), 6},
      {18, kF, "vfcvt.rtz.x.f.v", kUnary, kSame, kV, at_32(to_integer<int32_t, kZero>), 7},
      {18, kF, "vfcvt.f.xu.v", kUnary, kSame, kV, at_32(from_integer<uint32_t>), 2},
      {18, kF, "vfcvt.f.x.v", kUnary, kSame, kV, at_32(from_integer<int32_t>), 3},
      {18, kF, "vfwcvt.xu.f.v", kUnary, kWidens, kLong, at_32(to_integer<uint64_t, kFrm>), 8},
      {18, kF, "vfwcvt.x.f.v", kUnary, kWidens, kLong, at_32(to_integer<int64_t, kFrm>), 9},
      {18, kF, "vfwcvt.rtz.xu.f.v", kUnary, kWidens, kLong, at_32(to_integer<uint64_t, kZero>), 14},
      {18, kF, "vfwcvt.rtz.x.f.v", kUnary, kWidens, kLong, at_32(to_integer<int64_t, kZero>), 15},
      {18, kF, "vfwcvt.f.xu.v", kUnary, kWidens, kLong, at_16(from_integer<uint16_t>), 10},
      {18, kF, "vfwcvt.f.x.v", kUnary, kWidens, kLong, at_16(from_integer<int16_t>), 11},
      {18, kF, "vfncvt.xu.f.w", kUnary, kNarrows, kLong, at_16(to_integer<uint16_t, kFrm>), 16},
      {18, kF, "vfncvt.x.f.w", kUnary, kNarrows, kLong, at_16(to_integer<int16_t, kFrm>), 17},
      {18, kF, "vfncvt.rtz.xu.f.w", kUnary, kNarrows, kLong, at_16(to_integer<uint16_t, kZero>),
       22},
      {18, kF, "vfncvt.rtz.x.f.w", kUnary, kNarrows, kLong, at_16(to_integer<int16_t, kZero>), 23},
      {18, kF, "vfncvt.f.xu.w", kUnary, kNarrows, kLong, at_32(from_integer<uint64_t>), 18},
      {18, kF, "vfncvt.f.x.w", kUnary, kNarrows, kLong, at_32(from_integer<int64_t>), 19},
  };
  return rows;
}

}  // namespace presil::dsp::PRESIL_DSP_LANES
