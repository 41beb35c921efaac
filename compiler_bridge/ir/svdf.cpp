// Filters of rank one over time: what the graph requires of them.
#include "compiler_bridge/ir/shape_case.h"
#include "compiler_bridge/ir/type_case.h"

namespace presil::ir {

shapes::Shapes shapes::svdf(const Case& c) {
  c.require_rank(0, 2), c.require_rank(1, 2), c.require_rank(2, 2);
  const int64_t batch = c.in(0)[0], inputs = c.in(0)[1], filters = c.in(1)[0];
  const int64_t memory = c.in(2)[1], rank = c.op.as<Svdf>().rank;
  c.require(rank >= 1 && filters % rank == 0, [&] {
    return "rank is " + text(rank) + ", must divide the " + text(filters) + " filters";
  });
  const Shape state = {batch, filters * memory};
  const Shape expected[] = {
      {batch, inputs}, {filters, inputs}, {filters, memory}, {filters / rank}, state};
  for (size_t i = 1; i < 5; ++i) {
    if (!c.has(i)) continue;
    c.require(c.in(i) == expected[i], [&] {
      return info(c.op.kind).inputs[i] + " is " + to_string(c.in(i)) + ", must be " +
             to_string(expected[i]) + ": " + text(filters) + " filters of rank " + text(rank) +
             ", x " + to_string(c.in(0));
    });
  }
  return std::vector<Shape>{{batch, filters / rank}, state};
}

/// The state of int8, which TFLite Micro alone has, or of int16. Its zero point is 0: with another
/// one TFLite Micro's releases differ in whether they add it before or after they saturate.
const char* const types::words::svdf = "int8, state int8 or int16";
void types::svdf(const Case& c) {
  const auto& names = info(c.op.kind).inputs;
  const Tensor &time = c.in(2), &last = c.out(1);
  c.require_int8(c.in(0), "x");
  c.require_int8(c.in(1), names[1]);
  c.require_int8(c.out(), "y");
  c.require(last.dtype == DType::kInt8 || last.dtype == DType::kInt16,
            [&] { return "last_state is " + type_of(last) + ", must be int8 or int16"; });
  c.require_quantized(last, "last_state");
  c.require(last.quantization.zero_point() == 0,
            [&] { return "last_state is " + type_of(last) + ", a state's zero point must be 0"; });
  if (last.dtype == DType::kInt8) c.require_tflite(last, "last_state");
  c.require_type(time, names[2], last.dtype);
  c.require_quantized(time, names[2]);
  for (const size_t i : {size_t{1}, size_t{2}}) {
    c.require(c.in(i).is_constant(), [&] { return names[i] + " is computed, must be a constant"; });
    c.require(c.in(i).quantization.zero_point() == 0,
              [&] { return names[i] + " is " + type_of(c.in(i)) + ", its zero point must be 0"; });
  }
  if (c.op.input(3) != kAbsent) {
    c.require_type(c.in(3), "bias", DType::kInt32);
    c.require(c.in(3).is_constant(), "bias is computed, must be a constant");
  }
  if (c.op.input(4) == kAbsent) return;
  const Tensor& state = c.in(4);
  c.require(state.dtype == last.dtype && state.quantization == last.quantization, [&] {
    return "state is " + type_of(state) + ", must be of the type of last_state, " + type_of(last);
  });
}

}  // namespace presil::ir
