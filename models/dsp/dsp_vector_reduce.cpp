// Integer reductions: element 0 of vd is the fold of element 0 of vs1 and all active elements.
#include "models/dsp/dsp_families.h"

namespace presil::dsp::PRESIL_DSP_LANES {
namespace {

#define MEANING(Name, expression)        \
  struct Name {                          \
    template <class T>                   \
    static T f(T a, T b) {               \
      return static_cast<T>(expression); \
    }                                    \
  };
MEANING(Sum, Free<T>(a) + Free<T>(b))
MEANING(And, a& b)
MEANING(Or, a | b)
MEANING(Xor, a ^ b)
MEANING(Min, a < b ? a : b)
MEANING(Max, a > b ? a : b)
#undef MEANING

/// D: the result's lane; S: an element's.
template <class F, class D, class S>
void reduce_loop(const Call& c) {
  if (c.n == 0) return;
  const S* a = lanes<S>(c.s2);
  D r = *lanes<D>(c.s1);
  if (c.mask == nullptr) {
    for (size_t i = 0, n = c.n; i < n; ++i) r = F::template f<D>(r, static_cast<D>(a[i]));
  } else {
    for (size_t i = 0, n = c.n; i < n; ++i)
      if (c.mask[i] != 0) r = F::template f<D>(r, static_cast<D>(a[i]));
  }
  *lanes<D>(c.d) = r;
}

template <class F, Sign s>
Kernels reduce() {
  return {{{reduce_loop<F, Lane<8, s>, Lane<8, s>>, reduce_loop<F, Lane<16, s>, Lane<16, s>>,
            reduce_loop<F, Lane<32, s>, Lane<32, s>>, reduce_loop<F, Lane<64, s>, Lane<64, s>>},
           {}}};
}
template <Sign s>
Kernels widening_sum() {
  return {{{reduce_loop<Sum, Lane<16, s>, Lane<8, s>>, reduce_loop<Sum, Lane<32, s>, Lane<16, s>>,
            reduce_loop<Sum, Lane<64, s>, Lane<32, s>>, nullptr},
           {}}};
}

constexpr Shape kReduce{Width::kOne, Width::kSew, Width::kOne, kFromStart, Commit::kItself, 's'};
constexpr Shape kReduceWide{Width::kOneWide, Width::kSew,     Width::kOneWide,
                            kFromStart,      Commit::kItself, 's'};

}  // namespace

Rows vector_reduce_rows() {
  constexpr Group kM = Group::kOpm;
  constexpr Class kR = Class::kVectorReduce;
  static const VectorRow rows[] = {
      {0b000000, kM, "vredsum", kVV, kReduce, kR, reduce<Sum, kUnsigned>()},
      {0b000001, kM, "vredand", kVV, kReduce, kR, reduce<And, kUnsigned>()},
      {0b000010, kM, "vredor", kVV, kReduce, kR, reduce<Or, kUnsigned>()},
      {0b000011, kM, "vredxor", kVV, kReduce, kR, reduce<Xor, kUnsigned>()},
      {0b000100, kM, "vredminu", kVV, kReduce, kR, reduce<Min, kUnsigned>()},
      {0b000101, kM, "vredmin", kVV, kReduce, kR, reduce<Min, kSigned>()},
      {0b000110, kM, "vredmaxu", kVV, kReduce, kR, reduce<Max, kUnsigned>()},
      {0b000111, kM, "vredmax", kVV, kReduce, kR, reduce<Max, kSigned>()},
      {0b110000, Group::kOpi, "vwredsumu", kVV, kReduceWide, kR, widening_sum<kUnsigned>()},
      {0b110001, Group::kOpi, "vwredsum", kVV, kReduceWide, kR, widening_sum<kSigned>()},
  };
  return rows;
}

}  // namespace presil::dsp::PRESIL_DSP_LANES
