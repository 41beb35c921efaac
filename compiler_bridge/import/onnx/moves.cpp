// Operators that move values without looking at them: they work on stored values too.
#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "compiler_bridge/import/onnx/importer.h"
#include "compiler_bridge/ir/shape.h"

namespace presil::import::onnx {
namespace {

// Where axis `a` of the file lies in the tensor of a value.
size_t stored_axis(const Value& value, size_t a) {
  static constexpr size_t kOfImage[] = {0, 3, 1, 2};
  return value.nhwc ? kOfImage[a] : a;
}

Value reshaped(Importer& r, const Value& value, const Shape& shape) {
  const Value x = r.plain(value);
  r.require(ir::elements(shape) == ir::elements(x.shape), [&] {
    return "x is " + ir::to_string(x.shape) + ", y " + ir::to_string(shape) +
           ", must have as many elements";
  });
  Value y{ir::kAbsent, shape, false, value.quantized};
  if (r.is_constant(x)) {
    ir::Tensor tensor = r.tensor(x);
    tensor.shape = shape;
    y.id = r.constant(std::move(tensor));
  } else {
    y.id = r.make_like(x, ir::OpKind::kReshape, ir::None{}, {x.id}, shape);
  }
  return y;
}

void reshape(Importer& r) {
  const Value x = r.in(0);
  Shape shape = r.opset() < 5 ? r.integers("shape", {}) : r.numbers(1, "its shape");
  int64_t known = 1, open = -1;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0 && r.integer("allowzero", 0) == 0 && i < x.shape.size())
      shape[i] = x.shape[i];
    r.require(shape[i] >= -1 && (shape[i] != -1 || open < 0), [&] {
      return "its shape is " + ir::to_string(shape) + ", must have one -1 at most";
    });
    r.require(shape[i] <= 1 || known <= kMostElements / shape[i], [&] {
      return "its shape is " + ir::to_string(shape) + ", must be of fewer elements";
    });
    if (shape[i] == -1) {
      open = static_cast<int64_t>(i);
    } else {
      known *= shape[i];
    }
  }
  if (open >= 0) {
    r.require(known > 0 && ir::elements(x.shape) % known == 0, [&] {
      return "its shape is " + ir::to_string(shape) + ", does not divide " + ir::to_string(x.shape);
    });
    shape[static_cast<size_t>(open)] = ir::elements(x.shape) / known;
  }
  r.give(reshaped(r, x, shape));
}

void flatten(Importer& r) {
  const Value x = r.in(0);
  const int64_t given = r.integer("axis", 1);
  const auto rank = static_cast<int64_t>(x.shape.size());
  r.require(given >= -rank && given <= rank,
            [&] { return "axis is " + std::to_string(given) + ", must be within the rank of x"; });
  const auto first = x.shape.begin(), middle = first + (given < 0 ? given + rank : given);
  const auto product = [](auto from, auto to) {
    return std::accumulate(from, to, int64_t{1}, std::multiplies<>());
  };
  r.give(reshaped(r, x, {product(first, middle), product(middle, x.shape.end())}));
}

std::vector<int64_t> axes_of(Importer& r) {
  return r.opset() < 13 ? r.integers("axes", {})
         : r.has(1)     ? r.numbers(1, "its axes")
                        : std::vector<int64_t>();
}

void squeeze(Importer& r) {
  const Value x = r.in(0);
  std::vector<bool> gone(x.shape.size(), false);
  const auto axes = axes_of(r);
  for (const int64_t axis : axes) gone[r.axis(axis, x.shape.size())] = true;
  Shape shape;
  for (size_t i = 0; i < x.shape.size(); ++i) {
    const bool goes = axes.empty() ? x.shape[i] == 1 : gone[i];
    r.require(!goes || x.shape[i] == 1, [&] {
      return "axis " + std::to_string(i) + " of " + ir::to_string(x.shape) + " must be 1";
    });
    if (!goes) shape.push_back(x.shape[i]);
  }
  r.give(reshaped(r, x, shape));
}

void unsqueeze(Importer& r) {
  const Value x = r.in(0);
  const auto axes = axes_of(r);
  const size_t rank = x.shape.size() + axes.size();
  std::vector<bool> fresh(rank, false);
  for (const int64_t axis : axes) fresh[r.axis(axis, rank)] = true;
  Shape shape;
  size_t next = 0;
  for (size_t i = 0; i < rank; ++i) {
    r.require(fresh[i] || next < x.shape.size(), [] { return "its axes must be distinct"; });
    shape.push_back(fresh[i] ? 1 : x.shape[next++]);
  }
  r.give(reshaped(r, x, shape));
}

void transpose(Importer& r) {
  const Value x = r.in(0);
  const size_t rank = x.shape.size();
  std::vector<int64_t> reversed(rank);
  std::iota(reversed.rbegin(), reversed.rend(), 0);
  const auto perm = r.integers("perm", reversed);
  r.require(perm.size() == rank && std::is_permutation(perm.begin(), perm.end(), reversed.begin()),
            [&] { return "perm must name each axis of " + ir::to_string(x.shape) + " once"; });
  Value y{x.id, {}, false, x.quantized};
  ir::Transpose how;
  for (const int64_t axis : perm) {
    y.shape.push_back(x.shape[static_cast<size_t>(axis)]);
    how.perm.push_back(static_cast<int64_t>(stored_axis(x, static_cast<size_t>(axis))));
  }
  // Often nothing moves: the tensor is in that order already.
  if (!std::is_sorted(how.perm.begin(), how.perm.end())) {
    y.id = r.make_like(x, ir::OpKind::kTranspose, how, {x.id});
  }
  r.give(y);
}

void concat(Importer& r) {
  std::vector<Value> values;
  for (size_t i = 0; i < r.node().inputs.size(); ++i) values.push_back(r.in(i));
  r.require(!values.empty(), [] { return "it has no inputs"; });
  const size_t rank = values[0].shape.size();
  const size_t axis = r.axis(r.integer("axis", 1), rank);
  const bool images =
      rank == 4 && std::any_of(values.begin(), values.end(), [](const Value& v) { return v.nhwc; });
  const bool stored = std::all_of(values.begin(), values.end(), [&](const Value& v) {
    return v.quantized && r.tensor(v).dtype == r.tensor(values[0]).dtype;
  });
  const bool alike = stored && std::all_of(values.begin(), values.end(), [&](const Value& v) {
                       return r.tensor(v).quantization == r.tensor(values[0]).quantization;
                     });
  const auto quantizer = stored ? r.quantizer(false) : std::nullopt;
  const bool requantised = quantizer && quantizer->dtype == ir::DType::kInt8;
  Shape shape = values[0].shape;
  shape[axis] = 0;
  std::vector<ir::TensorId> ids;
  for (Value& value : values) {
    r.require(value.shape.size() == rank, [] { return "its inputs must have as many axes"; });
    shape[axis] += value.shape[axis];
    const bool steps = requantised && !(r.tensor(value).quantization == quantizer->quantization);
    if (steps || (!requantised && !alike)) value = r.dequantized(value);
    if (steps) {  // in real numbers, as the standard has it: a pass makes a table of both
      value.id = r.make(ir::OpKind::kQuantize, ir::Quantize{}, {value.id}, quantizer->quantization,
                        quantizer->dtype);
    }
    value = images ? r.image(value) : r.plain(value);
    ids.push_back(value.id);
  }
  ir::Concat how;
  how.axis = static_cast<int>(stored_axis(values[0], axis));
  if (requantised) {
    const ir::TensorId y =
        r.make(ir::OpKind::kConcat, how, ids, quantizer->quantization, quantizer->dtype);
    return r.give({y, shape, images, false}, *quantizer);
  }
  r.give({r.make_like(values[0], ir::OpKind::kConcat, how, ids), shape, images, alike});
}

void slice(Importer& r) {
  const Value x = r.in(0);
  const bool old = r.opset() < 10;
  const auto begins = old ? r.integers("starts", {}) : r.numbers(1, "starts");
  const auto ends = old ? r.integers("ends", {}) : r.numbers(2, "ends");
  std::vector<int64_t> axes(begins.size()), steps(begins.size(), 1);
  std::iota(axes.begin(), axes.end(), 0);
  if (old) axes = r.integers("axes", axes);
  if (!old && r.has(3)) axes = r.numbers(3, "axes");
  if (!old && r.has(4)) steps = r.numbers(4, "steps");
  r.require(
      ends.size() == begins.size() && axes.size() == begins.size() && steps.size() == begins.size(),
      [] { return "starts, ends, axes and steps must be as many"; });
  const size_t rank = x.shape.size();
  ir::StridedSlice how;
  how.begin.assign(rank, 0), how.step.assign(rank, 1), how.size.assign(rank, 0);
  Value y{ir::kAbsent, x.shape, x.nhwc, x.quantized};
  for (size_t i = 0; i < rank; ++i) how.size[stored_axis(x, i)] = x.shape[i];
  for (size_t k = 0; k < begins.size(); ++k) {
    const size_t axis = r.axis(axes[k], rank), at = stored_axis(x, axis);
    const int64_t extent = x.shape[axis], step = steps[k];
    r.require(step > 0, [&] { return "step is " + std::to_string(step) + ", must be above 0"; });
    const auto inside = [&](int64_t value) {
      return std::clamp<int64_t>(value < 0 ? value + extent : value, 0, extent);
    };
    const int64_t begin = inside(begins[k]), end = inside(ends[k]);
    r.require(end > begin, [&] {
      return "it takes nothing of axis " + std::to_string(axis) + " of " + ir::to_string(x.shape);
    });
    how.begin[at] = begin, how.step[at] = step;
    how.size[at] = y.shape[axis] = (end - begin + step - 1) / step;
  }
  const Shape stored = y.nhwc ? to_nhwc(y.shape) : y.shape;
  y.id = r.make_like(x, ir::OpKind::kStridedSlice, how, {x.id}, stored);
  r.give(y);
}

void split(Importer& r) {
  const Value x = r.in(0);
  const size_t rank = x.shape.size(), parts = r.node().outputs.size();
  const size_t axis = r.axis(r.integer("axis", 0), rank);
  const int64_t extent = x.shape[axis];
  std::vector<int64_t> sizes;
  if (r.opset() < 13) {
    sizes = r.integers("split", {});
  } else if (r.has(1)) {
    sizes = r.numbers(1, "its sizes");
  }
  const auto count = static_cast<int64_t>(parts);
  const int64_t each = count > 0 ? (extent + count - 1) / count : 0;  // the last may be smaller
  for (int64_t left = extent; sizes.size() < parts && left > 0; left -= each) {
    sizes.push_back(std::min(each, left));
  }
  const auto is_part = [&](int64_t size) { return size > 0 && size <= extent; };
  r.require(sizes.size() == parts && std::all_of(sizes.begin(), sizes.end(), is_part) &&
                std::accumulate(sizes.begin(), sizes.end(), int64_t{0}) == extent,
            [&] { return "its parts must add up to " + std::to_string(extent); });
  int64_t begin = 0;
  for (size_t k = 0; k < parts; ++k) {
    ir::StridedSlice how;
    how.begin.assign(rank, 0), how.step.assign(rank, 1), how.size.assign(rank, 0);
    Value y{ir::kAbsent, x.shape, x.nhwc, x.quantized};
    y.shape[axis] = sizes[k];
    for (size_t i = 0; i < rank; ++i) how.size[stored_axis(x, i)] = y.shape[i];
    how.begin[stored_axis(x, axis)] = begin;
    begin += sizes[k];
    y.id =
        r.make_like(x, ir::OpKind::kStridedSlice, how, {x.id}, y.nhwc ? to_nhwc(y.shape) : y.shape);
    r.give(y, k);
  }
}

void pad(Importer& r) {
  const Value x = r.in(0);
  const size_t rank = x.shape.size();
  const std::string mode = r.text("mode", "constant");
  r.require(mode == "constant" && !r.has(3),
            [&] { return "its mode is \"" + mode + "\", must be constant, over all axes"; });
  const auto pads = r.opset() < 11 ? r.integers("pads", {}) : r.numbers(1, "its pads");
  const bool valued = r.opset() >= 11 && r.has(2);
  const std::vector<float> given = valued ? r.reals(2, "its value") : std::vector<float>{};
  const float value = given.empty() ? r.real("value", 0) : given[0];
  const auto is_pad = [](int64_t n) { return n >= 0 && n < kMostElements; };
  r.require(pads.size() == 2 * rank && std::all_of(pads.begin(), pads.end(), is_pad), [&] {
    return "its pads must be " + std::to_string(2 * rank) + " numbers from 0 to 2^31 - 1";
  });
  const Value from = x.quantized && value == 0 ? x : r.dequantized(x);
  ir::Pad how;
  how.before.assign(rank, 0), how.after.assign(rank, 0);
  Value y{ir::kAbsent, x.shape, x.nhwc, from.quantized};
  for (size_t i = 0; i < rank; ++i) {
    how.before[stored_axis(x, i)] = pads[i];
    how.after[stored_axis(x, i)] = pads[rank + i];
    y.shape[i] += pads[i] + pads[rank + i];
  }
  if (from.quantized) {
    how.value = r.tensor(from).quantization.zero_point();
  } else {
    std::memcpy(&how.value, &value, sizeof value);
  }
  y.id = r.make_like(from, ir::OpKind::kPad, how, {from.id});
  r.give(y);
}

void blocks(Importer& r, ir::OpKind kind) {
  const Value x = r.in(0);
  const int64_t block = r.integer("blocksize", 0);
  r.require(x.shape.size() == 4 && block >= 1 && block < 256, [&] {
    return "blocksize is " + std::to_string(block) + " of " + ir::to_string(x.shape);
  });
  r.require(r.text("mode", "DCR") == "DCR",
            [] { return "its mode is CRD, must be DCR: blocks before channels"; });
  const Value from = r.image(x);
  Value y{r.make_like(from, kind, ir::Blocks{static_cast<int>(block)}, {from.id}),
          {},
          true,
          from.quantized};
  const Shape& stored = r.tensor(y).shape;
  y.shape = {stored[0], stored[3], stored[1], stored[2]};
  r.give(y);
}

void depth_to_space(Importer& r) {
  blocks(r, ir::OpKind::kDepthToSpace);
}
void space_to_depth(Importer& r) {
  blocks(r, ir::OpKind::kSpaceToDepth);
}

/// Constant indices; negative ones count from the end.
void gather(Importer& r) {
  const Value x = r.plain(r.in(0));
  const size_t axis = r.axis(r.integer("axis", 0), x.shape.size());
  const Shape from = r.in(1).shape;
  std::vector<int64_t> indices = r.numbers(1, "its indices");
  const int64_t extent = x.shape[axis];
  for (int64_t& index : indices) {
    r.require(index >= -extent && index < extent, [&] {
      return "it gathers at " + std::to_string(index) + " of " + std::to_string(extent);
    });
    index += index < 0 ? extent : 0;
  }
  ir::Tensor places;
  places.dtype = ir::DType::kInt32, places.shape = from;
  const std::vector<int32_t> narrow(indices.begin(), indices.end());
  const auto* bytes = reinterpret_cast<const uint8_t*>(narrow.data());
  places.data = std::make_shared<const ir::Bytes>(bytes, bytes + narrow.size() * sizeof(int32_t));
  ir::Gather how;
  how.axis = static_cast<int>(axis);
  const ir::TensorId at = r.constant(std::move(places));
  Value y{r.make_like(x, ir::OpKind::kGather, how, {x.id, at}), {}, false, x.quantized};
  y.shape = r.tensor(y).shape;
  r.give(y);
}

}  // namespace

const std::vector<Conversion>& of_moves() {
  static const std::vector<Conversion> table = {{"DepthToSpace", depth_to_space},
                                                {"Gather", gather},
                                                {"Pad", pad},
                                                {"SpaceToDepth", space_to_depth},
                                                {"Split", split},
                                                {"Concat", concat},
                                                {"Flatten", flatten},
                                                {"Reshape", reshape},
                                                {"Slice", slice},
                                                {"Squeeze", squeeze},
                                                {"Transpose", transpose},
                                                {"Unsqueeze", unsqueeze}};
  return table;
}

}  // namespace presil::import::onnx
