#include "compiler_bridge/reference/fixed_functions.h"

#include <limits>

#include "compiler_bridge/reference/fixed_point.h"

namespace presil::reference {
namespace {

constexpr int32_t kOne31 = std::numeric_limits<int32_t>::max();  // 1 in Q31, as near as it gets

/// exp(r) for r in [-1/4, 0), Q31: with t = r + 1/8,
/// exp(-1/8) * (1 + t + t^2/2 + t^3/6 + t^4/24).
int32_t exp_of_quarter(int32_t r) {
  constexpr int32_t kExpOfMinusEighth = 1895147668;  // exp(-1/8) * 2^31
  constexpr int32_t kOneThird = 715827883;           // 2^31 / 3
  const int32_t t = r + (1 << 28);
  const int32_t t2 = doubling_high_mul(t, t);
  const int32_t t3 = doubling_high_mul(t2, t);
  const int32_t t4 = doubling_high_mul(t2, t2);
  const int32_t t4_over_4 = rounding_shift_right(t4, 2);
  // ((t^4/4 + t^3) / 3 + t^2) / 2
  const int32_t tail = rounding_shift_right(doubling_high_mul(t4_over_4 + t3, kOneThird) + t2, 1);
  return kExpOfMinusEighth + doubling_high_mul(kExpOfMinusEighth, t + tail);
}

/// 2 / (1 + a) in Q29, that is 1 / d with d = (1 + a) / 2 in [1/2, 1).
int32_t inverse_of_half_sum(int32_t a) {
  constexpr int32_t k48Over17 = 1515870810;        // Q29
  constexpr int32_t kMinus32Over17 = -1010580540;  // Q29
  const int64_t sum = static_cast<int64_t>(a) + kOne31;
  const auto d = static_cast<int32_t>((sum + 1) / 2);  // halves go up; sum >= 0
  int32_t x = k48Over17 + doubling_high_mul(d, kMinus32Over17);
  for (int i = 0; i < 3; ++i) {
    const int32_t error = (1 << 29) - doubling_high_mul(d, x);   // 1 - d * x, Q29
    x += saturating_shift_left(doubling_high_mul(x, error), 2);  // Q27 to Q29
  }
  return x;
}

}  // namespace

int32_t exp_of_negative(int32_t x, int integer_bits) {
  if (x == 0) return kOne31;
  constexpr int32_t kFactors[] = {
      // exp(-2^e) * 2^31, e = -2 .. 4
      1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
  const int fraction_bits = 31 - integer_bits;
  const int32_t quarter = 1 << (fraction_bits - 2);
  const int32_t r = (x & (quarter - 1)) - quarter;
  const int32_t remainder = r - x;
  int32_t result = exp_of_quarter(saturating_shift_left(r, integer_bits));
  for (int e = -2; e <= 4 && e < integer_bits; ++e) {
    if ((remainder & (1 << (fraction_bits + e))) != 0) {
      result = doubling_high_mul(result, kFactors[e + 2]);
    }
  }
  return result;
}

int32_t one_over_one_plus(int32_t a) {
  // Half of 2 / (1 + a): the same bits as Q30; then to Q31.
  return saturating_shift_left(inverse_of_half_sum(a), 1);
}

int32_t one_minus_over_one_plus(int32_t a) {
  // 2 / (1 + a) - 1, Q29 to Q31.
  return saturating_shift_left(inverse_of_half_sum(a) - (1 << 29), 2);
}

Scale inverse_root(int32_t v) {
  if (v <= 1) return {2147483647, 0};
  constexpr int32_t kHalfRootOf2 = 1518500250;  // Q31
  constexpr int32_t kThreeHalves = (1 << 28) + (1 << 27);
  int32_t w = v;
  int k = 0;
  for (; w >= 1 << 29; w /= 4) --k;
  for (; w < 1 << 27; w *= 4) ++k;
  const int32_t half = rounding_shift_right(w >> 1, 1);
  int32_t t = 1 << 28;
  for (int step = 0; step < 5; ++step) {
    // Three fractions of 28 bits: 22 are left of their product.
    const int32_t cube = saturating_shift_left(doubling_high_mul(doubling_high_mul(t, t), t), 6);
    const int32_t next = doubling_high_mul(kThreeHalves, t) - doubling_high_mul(half, cube);
    t = saturating_shift_left(next, 3);
  }
  return {doubling_high_mul(t, kHalfRootOf2), k - 11};
}

}  // namespace presil::reference
