// TFLite's svdf of int8 with a state of int16, or, as TFLite Micro has it too, of int8; both rule
// sets take it as it is: XNNPACK has none, LiteRT computes it by TFLite's own kernel.
//   newest = multiply(sum of w_f * (x - z_x), Scale of s_x * s_wf / s_s), saturated to the
//            state's type, whose zero point is 0
//   last_state: per filter, the state without its oldest value, then `newest`
//   y = z_y + multiply(bias + sum over the unit's filters of w_t * last_state,
//       Scale of s_s * s_wt / s_y), saturated to int8
// Scales from the left: in double as TFLite Micro, under xnnpack in float32. Sums of int32 wrap.
// The file's clamp plays no part.
#include <algorithm>

#include "compiler_bridge/reference/accumulate.h"
#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/fixed_point.h"
#include "compiler_bridge/reference/requantize.h"

namespace presil::reference::operators {
namespace {

Scale quotient(const Case& c, const ir::Tensor& a, const ir::Tensor& b, const ir::Tensor& y) {
  const float p = a.quantization.scale(), q = b.quantization.scale(), r = y.quantization.scale();
  const double fine = static_cast<double>(p) * static_cast<double>(q) / static_cast<double>(r);
  return to_scale(c.tflite() ? fine : static_cast<double>(p * q / r));
}

int32_t within(int64_t value, const Range& range) {
  return static_cast<int32_t>(std::clamp<int64_t>(value, range.low, range.high));
}

template <class State>
void run(const Case& c) {
  const auto rank = static_cast<size_t>(c.attributes<ir::Svdf>().rank);
  const auto batches = static_cast<size_t>(c.in(0).shape[0]);
  const auto inputs = static_cast<size_t>(c.in(0).shape[1]);
  const auto filters = static_cast<size_t>(c.in(1).shape[0]);
  const auto memory = static_cast<size_t>(c.in(2).shape[1]);
  const Scale into_state = quotient(c, c.in(0), c.in(1), c.out(1));
  const Scale into_y = quotient(c, c.out(1), c.in(2), c.out(0));
  const Range state_range = range_of(c.out(1).dtype);
  const auto weights = centred(c.read<int8_t>(1), filters * inputs, 0);
  for (size_t b = 0; b < batches; ++b) {
    const auto x =
        centred(c.read<int8_t>(0) + b * inputs, inputs, c.in(0).quantization.zero_point());
    State* last = c.write<State>(1) + b * filters * memory;
    for (size_t unit = 0; unit < filters / rank; ++unit) {
      int32_t sum = c.has(3) ? c.read<int32_t>(3)[unit] : 0;
      for (size_t f = unit * rank; f < (unit + 1) * rank; ++f) {
        State* row = last + f * memory;
        for (size_t t = 0; t + 1 < memory; ++t) {
          row[t] = c.has(4) ? c.read<State>(4)[(b * filters + f) * memory + t + 1] : State{0};
        }
        const int32_t product = dot(x.data(), weights.data() + f * inputs, inputs);
        const int32_t newest = multiply(product, into_state);
        row[memory - 1] = static_cast<State>(within(newest, state_range));
        for (size_t t = 0; t < memory; ++t) {
          const int64_t term = int64_t{c.read<State>(2)[f * memory + t]} * row[t];
          sum = wrapping_add(sum, static_cast<int32_t>(term));
        }
      }
      const int64_t y = int64_t{multiply(sum, into_y)} + c.out().quantization.zero_point();
      c.write<int8_t>(0)[b * (filters / rank) + unit] = static_cast<int8_t>(within(y, {-128, 127}));
    }
  }
}

}  // namespace

void svdf(const Case& c) {
  c.out(1).dtype == ir::DType::kInt16 ? run<int16_t>(c) : run<int8_t>(c);
}

}  // namespace presil::reference::operators
