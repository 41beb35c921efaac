#include "driver/kernels/host/float_math.h"

namespace presil::kernels {
namespace {

// exp(r) = 1 + r + r^2 * tail(r) for |r| up to half of ln 2.
float tail(float r) {
  float q = fused(0x1.a0d2cep-13f, r, 0x1.6e879cp-10f);
  q = fused(q, r, 0x1.11121p-7f);
  q = fused(q, r, 0x1.555382p-5f);
  q = fused(q, r, 0x1.555554p-3f);
  return fused(q, r, 0.5f);
}

}  // namespace

float exp_f32(float x) {
  if (is_nan(x)) return number_or_nan(x);
  if (x < -87.3f) return 0.0f;
  if (x > 0x1.62e42ep+6f) return infinity();
  const float shifter = 12582912.0f;
  const float shifted = fused(x, 0x1.715476p+0f, shifter);
  const float n = shifted - shifter;
  const float r = fused(n, 0x1.bd0106p-13f, fused(n, -0.693359375f, x));
  const float p = fused(tail(r), r * r, r + 1.0f);
  return from_bits(to_bits(p) + ((to_bits(shifted) - to_bits(shifter)) << 23));
}

float expm1_f32(float x) {
  return magnitude(x) < 0.34375f ? fused(tail(x), x * x, x) : exp_f32(x) - 1.0f;
}

float logistic_f32(float x) {
  const float e = exp_f32(-magnitude(x));
  const float p = 1.0f / (1.0f + e);
  return number_or_nan(x < 0.0f ? e * p : p);
}

float tanh_f32(float x) {
  if (is_nan(x)) return number_or_nan(x);
  if (magnitude(x) >= 10.0f) return with_sign(1.0f, x);
  const float m = expm1_f32(2.0f * magnitude(x));
  return with_sign(m / (m + 2.0f), x);
}

}  // namespace presil::kernels
