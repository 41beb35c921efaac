// Operators that only move values.
#include <algorithm>

#include "compiler_bridge/import/tflite/reader.h"
#include "compiler_bridge/ir/shape.h"

namespace presil::import {
namespace {

/// The result's shape says it; the parameter only has to be no surprise.
void reshape(const OpReader& r) {
  if (r.has(1)) r.integers(1, "shape");
  r.keep_inputs(1);
}

/// Of floats the activation becomes an operator of its own.
void clamp_after(const OpReader& r, ir::Concat& a) {
  if (a.act == ir::Activation::kNone) return;
  const ir::OpKind clamp = a.act == ir::Activation::kRelu    ? ir::OpKind::kRelu
                           : a.act == ir::Activation::kRelu6 ? ir::OpKind::kRelu6
                                                             : ir::OpKind::kReluN1To1;
  const ir::TensorId y = r.op.output();
  ir::Tensor before = r.graph.tensor(y);
  before.name += "/concat";
  r.op.outputs = {r.graph.add(std::move(before))};
  r.following.push_back({clamp, r.op.name, {r.op.output()}, {y}, ir::None{}, r.op.source_ops});
  a.act = ir::Activation::kNone;
}

void concatenation(const OpReader& r) {
  const auto& o = r.options<file::Concatenation>();
  ir::Concat a;
  a.axis = static_cast<int>(axis_of(r, o.axis(), r.out().shape.size()));
  a.act = r.activation(o.activation());
  // Unlike bytes are requantised; how depends on what they are in the file.
  for (size_t i = 0; i < r.op.inputs.size(); ++i) {
    if (!r.is_unsigned(i)) continue;  // or absent
    a.in_float = a.in_float || r.in(i).quantization != r.out().quantization;
  }
  if (r.out().dtype == ir::DType::kFloat32) clamp_after(r, a);
  r.op.attributes = a;
}

/// The one element of a constant as `ir::Pad::value` has it.
int stored_value(const OpReader& r, const ir::Tensor& value) {
  switch (value.dtype) {
    case ir::DType::kInt8:
      return value.values<int8_t>()[0];
    case ir::DType::kInt16:
      return value.values<int16_t>()[0];
    case ir::DType::kInt32:
    case ir::DType::kFloat32:  // its bits
      return value.values<int32_t>()[0];
    case ir::DType::kInt64: {
      const int64_t wide = value.values<int64_t>()[0];
      r.require(wide == static_cast<int32_t>(wide),
                [&] { return "its value is " + std::to_string(wide) + ", must fit in 32 bits"; });
      return static_cast<int32_t>(wide);
    }
    default:
      return value.values<uint8_t>()[0];
  }
}

void pad(const OpReader& r) {
  const auto paddings = r.integers(1, "paddings");
  const size_t rank = r.in(0).shape.size();
  r.require(paddings.size() == 2 * rank, [&] {
    return "paddings hold " + std::to_string(paddings.size()) +
           " numbers, expected two per axis of x " + ir::to_string(r.in(0).shape);
  });
  ir::Pad a;
  for (size_t i = 0; i < rank; ++i) {
    a.before.push_back(paddings[2 * i]);
    a.after.push_back(paddings[2 * i + 1]);
  }
  const ir::Tensor& x = r.in(0);
  a.value = x.quantization.per_tensor() ? x.quantization.zero_point() : 0;
  if (r.has(2)) {
    const ir::Tensor& value = r.in(2);
    r.require(value.is_constant() && value.elements() == 1 && value.dtype == x.dtype, [&] {
      return "its value is " + ir::type_of(value) + ", expected one constant of x's type " +
             ir::to_string(x.dtype);
    });
    a.value = stored_value(r, value);
  }
  r.op.attributes = a;
  r.keep_inputs(1);
}

void transpose(const OpReader& r) {
  ir::Transpose a;
  for (int64_t axis : r.integers(1, "perm")) {
    a.perm.push_back(axis_of(r, axis, r.in(0).shape.size()));
  }
  r.op.attributes = a;
  r.keep_inputs(1);
}

/// What STRIDED_SLICE says of one axis of x.
struct Range {
  int64_t begin, end, stride;
  bool from_edge, to_edge, shrink, counted;  ///< counted: end is how many from begin on
};

/// One for each axis of x: an ellipsis stands for as many whole axes as the others leave, and new
/// axes, of one element, are only in y's shape.
std::vector<Range> ranges(const OpReader& r) {
  const auto& o = r.options<file::StridedSlice>();
  const auto begin = r.integers(1, "begin"), end = r.integers(2, "end");
  const auto stride = r.integers(3, "strides");
  const auto& x = r.in(0).shape;
  const auto bit = [](int mask, size_t i) { return (mask >> i & 1) != 0; };
  const bool sound =
      begin.size() < 31 && end.size() == begin.size() && stride.size() == begin.size();
  size_t named = 0, ellipses = 0;
  for (size_t i = 0; sound && i < begin.size(); ++i) {
    const bool ellipsis = bit(o.ellipsis_mask(), i);
    ellipses += ellipsis ? 1 : 0;
    named += ellipsis || bit(o.new_axis_mask(), i) ? 0 : 1;
  }
  r.require(sound && named <= x.size() && ellipses <= 1, [&] {
    return "begin, end and strides hold " + std::to_string(begin.size()) + ", " +
           std::to_string(end.size()) + " and " + std::to_string(stride.size()) +
           " numbers, expected as many, at most one per axis of " + ir::to_string(x) +
           " besides new axes and one ellipsis";
  });
  const Range whole{0, 0, 1, true, true, false, false};
  std::vector<Range> all;
  for (size_t i = 0; i < begin.size(); ++i) {
    if (bit(o.ellipsis_mask(), i)) {
      all.insert(all.end(), x.size() - named, whole);
    } else if (!bit(o.new_axis_mask(), i)) {
      all.push_back({begin[i], end[i], stride[i], bit(o.begin_mask(), i), bit(o.end_mask(), i),
                     bit(o.shrink_axis_mask(), i), o.offset()});
    }
  }
  all.resize(x.size(), whole);
  return all;
}

/// begin and end count from the end when negative and are cut to the axis; shrunk axes take one
/// element and go.
void strided_slice(const OpReader& r) {
  const auto all = ranges(r);
  const auto& x = r.in(0).shape;
  ir::StridedSlice a;
  for (size_t i = 0; i < x.size(); ++i) {
    const Range& range = all[i];
    const int64_t step = range.stride;
    constexpr int64_t kMost = (int64_t{1} << 31) - 1;
    r.require(step != 0 && step >= -kMost && step <= kMost, [&] {
      return "the stride of axis " + std::to_string(i) + " is " + std::to_string(step) +
             ", must be 1.." + std::to_string(kMost) + " or the same below 0";
    });
    const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? x[i] : x[i] - 1;
    const auto edge = [&](int64_t value) {
      return std::clamp(value < 0 ? value + x[i] : value, low, high);
    };
    const int64_t first = range.from_edge ? (step > 0 ? 0 : x[i] - 1) : edge(range.begin);
    int64_t last = range.to_edge ? (step > 0 ? x[i] : -1) : edge(range.end);
    if (range.counted && !range.to_edge) {
      last = std::clamp(first + std::clamp(range.end, -kMost, kMost), low, high);
    }
    if (range.shrink) last = first + step;
    a.begin.push_back(first);
    a.size.push_back(range.shrink ? 1 : (last - first + step - (step > 0 ? 1 : -1)) / step);
    a.step.push_back(a.size.back() == 1 ? 1 : step);
  }
  r.op.attributes = a;
  r.keep_inputs(1);
}

/// The result's shape says it.
void expand_dims(const OpReader& r) {
  r.integers(1, "axis");
  r.keep_inputs(1);
}

}  // namespace

std::vector<Conversion> move_conversions() {
  return {
      {file::Builtin_CONCATENATION, ir::OpKind::kConcat, 1, 1024, types::kAny, concatenation},
      {file::Builtin_RESHAPE, ir::OpKind::kReshape, 1, 2, types::kAny, reshape},
      {file::Builtin_PAD, ir::OpKind::kPad, 2, 2, types::kAny, pad},
      {file::Builtin_TRANSPOSE, ir::OpKind::kTranspose, 2, 2, types::kAny, transpose},
      {file::Builtin_SQUEEZE, ir::OpKind::kReshape, 1, 1, types::kAny, nothing},
      {file::Builtin_STRIDED_SLICE, ir::OpKind::kStridedSlice, 4, 4, types::kAny, strided_slice},
      {file::Builtin_PADV2, ir::OpKind::kPad, 3, 3, types::kAny, pad},
      {file::Builtin_EXPAND_DIMS, ir::OpKind::kReshape, 2, 2, types::kAny, expand_dims},
  };
}

}  // namespace presil::import
