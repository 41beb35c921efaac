// Elements that move to another index: slides, gathers, compress, moves from and to scalars.
#include "models/dsp/dsp_families.h"

namespace presil::dsp::PRESIL_DSP_LANES {
namespace {

template <class T>
void slide_up(const Call& c) {
  T* d = lanes<T>(c.d);
  const T* was = lanes<T>(c.was);
  const T* a = lanes<T>(c.s2);
  const size_t by = c.scalar < c.n ? static_cast<size_t>(c.scalar) : c.n;
  if (d != was)
    for (size_t i = c.begin; i < by; ++i) d[i] = was[i];
  const size_t from = by > c.begin ? by : c.begin;
  if (from < c.n) std::memcpy(d + from, a + (from - by), (c.n - from) * sizeof(T));
}

template <class T>
void slide_down(const Call& c) {
  T* d = lanes<T>(c.d);
  const T* a = lanes<T>(c.s2);
  const size_t by = c.scalar < c.vlmax ? static_cast<size_t>(c.scalar) : c.vlmax;
  const size_t left = c.vlmax - by;  // elements that there are from `by` on
  const size_t end = left < c.n ? left : c.n;
  if (c.begin < end) std::memmove(d + c.begin, a + c.begin + by, (end - c.begin) * sizeof(T));
  for (size_t i = end > c.begin ? end : c.begin; i < c.n; ++i) d[i] = 0;
}

template <class T>
void slide_one_up(const Call& c) {
  T* d = lanes<T>(c.d);
  const T* a = lanes<T>(c.s2);
  for (size_t i = c.begin, n = c.n; i < n; ++i) d[i] = i == 0 ? static_cast<T>(c.scalar) : a[i - 1];
}

template <class T>
void slide_one_down(const Call& c) {
  if (c.begin >= c.n) return;
  T* d = lanes<T>(c.d);
  const T* a = lanes<T>(c.s2);
  std::memmove(d + c.begin, a + c.begin + 1, (c.n - 1 - c.begin) * sizeof(T));
  d[c.n - 1] = static_cast<T>(c.scalar);
}

template <class T, class I>
void gather(const Call& c) {
  T* d = lanes<T>(c.d);
  const T* a = lanes<T>(c.s2);
  const I* at = lanes<I>(c.s1);
  for (size_t i = c.begin, n = c.n; i < n; ++i) d[i] = at[i] < c.vlmax ? a[at[i]] : T(0);
}

template <class T>
void gather_one(const Call& c) {
  T* d = lanes<T>(c.d);
  const T value = c.scalar < c.vlmax ? lanes<T>(c.s2)[c.scalar] : T(0);
  for (size_t i = c.begin, n = c.n; i < n; ++i) d[i] = value;
}

template <class T>
void compress(const Call& c) {
  T* d = lanes<T>(c.d);
  const T* a = lanes<T>(c.s2);
  size_t to = 0;
  for (size_t i = 0, n = c.n; i < n; ++i)
    if ((c.s1[i / 8] >> (i % 8) & 1) != 0) d[to++] = a[i];
}

template <class T>
void to_x(const Call& c) {
  c.hart->x[c.op->rd] = static_cast<uint64_t>(static_cast<int64_t>(*lanes<T>(c.s2)));
}
template <class T>
void from_x(const Call& c) {
  if (c.begin < c.n) *lanes<T>(c.d) = static_cast<T>(c.scalar);
}
void to_f(const Call& c) {
  std::memcpy(&c.hart->f[c.op->rd], c.s2, 4);
}

template <class T, unsigned registers>
void move_whole(const Call& c) {
  const size_t bytes = registers * c.hart->config.vlenb(), from = c.begin * sizeof(T);
  if (from < bytes) std::memmove(c.d + from, c.s2 + from, bytes - from);
}

#define BY_SEW(loop) \
  { loop<uint8_t>, loop<uint16_t>, loop<uint32_t>, loop<uint64_t> }
#define SIGNED_BY_SEW(loop) \
  { loop<int8_t>, loop<int16_t>, loop<int32_t>, loop<int64_t> }

Kernels vector_kernels(std::array<Kernel, 4> k) {
  return {{k, {}}};
}
Kernels scalar_kernels(std::array<Kernel, 4> k) {
  return {{{}, k}};
}
Kernels of_32(Kernel k) {
  return {{{nullptr, nullptr, k, nullptr}, {nullptr, nullptr, k, nullptr}}};
}

template <unsigned registers>
Kernels whole() {
  return vector_kernels({move_whole<uint8_t, registers>, move_whole<uint16_t, registers>,
                         move_whole<uint32_t, registers>, move_whole<uint64_t, registers>});
}

constexpr Shape kUp{Width::kSew, Width::kSew, Width::kNone, kNoOverlap, Commit::kElements, 'v'};
constexpr Shape kDown{Width::kSew, Width::kSew, Width::kNone, 0, Commit::kElements, 'v'};
constexpr Shape kGather{Width::kSew, Width::kSew, Width::kSew, kNoOverlap, Commit::kElements, 'v'};
constexpr Shape kGatherIndex16{Width::kSew, Width::kSew,       Width::k16,
                               kNoOverlap,  Commit::kElements, 'v'};
constexpr Shape kCompress{
    Width::kSew, Width::kSew, Width::kMask, kNoOverlap | kNoMask | kFromStart, Commit::kItself, 0};
constexpr Shape kToScalar{Width::kNone, Width::kOne, Width::kNone, kNoMask, Commit::kItself, 0};
constexpr Shape kFromScalar{Width::kOne, Width::kNone, Width::kNone, kNoMask, Commit::kItself, 0};
constexpr Shape kWhole1{Width::kReg1, Width::kReg1, Width::kNone, kNoMask, Commit::kItself, 0};
constexpr Shape kWhole2{Width::kReg2, Width::kReg2, Width::kNone, kNoMask, Commit::kItself, 0};
constexpr Shape kWhole4{Width::kReg4, Width::kReg4, Width::kNone, kNoMask, Commit::kItself, 0};
constexpr Shape kWhole8{Width::kReg8, Width::kReg8, Width::kNone, kNoMask, Commit::kItself, 0};

}  // namespace

Rows vector_permute_rows() {
  constexpr Group kI = Group::kOpi, kM = Group::kOpm, kF = Group::kOpf;
  constexpr Class kSlide = Class::kVectorSlide, kOne = Class::kVectorGatherOne,
                  kAny = Class::kVectorGather, kOut = Class::kVectorToScalar;
  static const VectorRow rows[] = {
      {0b001110, kI, "vslideup", kVX | kVU, kUp, kSlide, scalar_kernels(BY_SEW(slide_up))},
      {0b001111, kI, "vslidedown", kVX | kVU, kDown, kSlide, scalar_kernels(BY_SEW(slide_down))},
      {0b001110, kM, "vslide1up", kVX, kUp, kSlide, scalar_kernels(BY_SEW(slide_one_up))},
      {0b001111, kM, "vslide1down", kVX, kDown, kSlide, scalar_kernels(BY_SEW(slide_one_down))},
      {0b001110, kF, "vfslide1up", kVF, kUp, kSlide, of_32(slide_one_up<uint32_t>)},
      {0b001111, kF, "vfslide1down", kVF, kDown, kSlide, of_32(slide_one_down<uint32_t>)},
      {0b001100, kI, "vrgather", kVV, kGather, kAny,
       vector_kernels({gather<uint8_t, uint8_t>, gather<uint16_t, uint16_t>,
                       gather<uint32_t, uint32_t>, gather<uint64_t, uint64_t>})},
      {0b001100, kI, "vrgather", kVX | kVU, kUp, kOne, scalar_kernels(BY_SEW(gather_one))},
      {0b001110, kI, "vrgatherei16", kVV, kGatherIndex16, kAny,
       vector_kernels({gather<uint8_t, uint16_t>, gather<uint16_t, uint16_t>,
                       gather<uint32_t, uint16_t>, gather<uint64_t, uint16_t>})},
      {0b010111, kM, "vcompress.vm", kVV, kCompress, kAny, vector_kernels(BY_SEW(compress))},
      {0b010000, kM, "vmv.x.s", kUnary, kToScalar, kOut, vector_kernels(SIGNED_BY_SEW(to_x)), 0},
      {0b010000, kM, "vmv.s.x", kVX, kFromScalar, Class::kVector, scalar_kernels(BY_SEW(from_x)),
       -1, 0},
      {0b010000, kF, "vfmv.f.s", kUnary, kToScalar, kOut, of_32(to_f), 0},
      {0b010000, kF, "vfmv.s.f", kVF, kFromScalar, Class::kVector, of_32(from_x<uint32_t>), -1, 0},
      {0b100111, kI, "vmv1r.v", kWholeMove, kWhole1, kSlide, whole<1>(), 0},
      {0b100111, kI, "vmv2r.v", kWholeMove, kWhole2, kSlide, whole<2>(), 1},
      {0b100111, kI, "vmv4r.v", kWholeMove, kWhole4, kSlide, whole<4>(), 3},
      {0b100111, kI, "vmv8r.v", kWholeMove, kWhole8, kSlide, whole<8>(), 7},
  };
  return rows;
}

}  // namespace presil::dsp::PRESIL_DSP_LANES
