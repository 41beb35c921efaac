// Values of each sequence from its end on: what the graph requires of them.
#include "compiler_bridge/ir/shape_case.h"
#include "compiler_bridge/ir/type_case.h"

namespace presil::ir {

shapes::Shapes shapes::reverse_sequence(const Case& c) {
  const auto& a = c.op.as<ReverseSequence>();
  const Shape& x = c.in(0);
  const auto rank = static_cast<int>(x.size());
  c.require(a.axis >= 0 && a.axis < rank && a.batch_axis >= 0 && a.batch_axis < rank &&
                a.axis != a.batch_axis,
            [&] {
              return "its axes are " + text(a.axis) + " and " + text(a.batch_axis) + ", x is " +
                     to_string(x) + ": they must be two of its axes";
            });
  const Shape lengths = {x[static_cast<size_t>(a.batch_axis)]};
  c.require(c.in(1) == lengths, [&] {
    return "lengths are " + to_string(c.in(1)) + ", must be " + to_string(lengths) +
           ": one for each sequence of x " + to_string(x);
  });
  return x;
}

const char* const types::words::reverse_sequence = "any, lengths int32 or int64";
void types::reverse_sequence(const Case& c) {
  moved(c);
  c.require(c.in(1).dtype == DType::kInt32 || c.in(1).dtype == DType::kInt64,
            [&] { return "lengths are " + type_of(c.in(1)) + ", must be int32 or int64"; });
}

}  // namespace presil::ir
