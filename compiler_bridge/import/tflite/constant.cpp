// Operators whose result is known when the file is read: they leave a constant and no operator.
#include <cstring>

#include "compiler_bridge/import/tflite/reader.h"
#include "compiler_bridge/ir/shape.h"

namespace presil::import {
namespace {

constexpr int64_t kMost = int64_t{1} << 24;  ///< elements of a constant that is made here

/// As the result's type, int32 or int64, has them.
ir::Bytes stored(const OpReader& r, const std::vector<int64_t>& values) {
  const ir::DType type = r.out().dtype;
  r.require(type == ir::DType::kInt32 || type == ir::DType::kInt64, [&] {
    return "its result is " + ir::type_of(r.out()) + ", which counts; must be int32 or int64";
  });
  const size_t size = ir::size_of(type);
  ir::Bytes bytes(values.size() * size);
  for (size_t i = 0; i < values.size(); ++i) {
    std::memcpy(bytes.data() + i * size, &values[i], size);  // little-endian: the low bytes
  }
  return bytes;
}

/// Extents of x, which the file fixes.
void shape(const OpReader& r) {
  const std::vector<int64_t> extents = r.in(0).shape;
  r.become_constant({static_cast<int64_t>(extents.size())}, stored(r, extents));
}

void rank(const OpReader& r) {
  r.become_constant({}, stored(r, {static_cast<int64_t>(r.in(0).shape.size())}));
}

void zeros_like(const OpReader& r) {
  const std::vector<int64_t> extents = r.in(0).shape;
  const int64_t count = r.in(0).elements();
  r.require(count <= kMost, [&] {
    return "x is " + ir::to_string(extents) + ", must be at most " + std::to_string(kMost) +
           " zeros";
  });
  r.become_constant(extents, ir::Bytes(static_cast<size_t>(count) * ir::size_of(r.out().dtype), 0));
}

void fill(const OpReader& r) {
  const std::vector<int64_t> extents = r.integers(0, "dims");
  const ir::Tensor& value = r.in(1);
  r.require(value.is_constant() && value.elements() == 1 && value.dtype == r.out().dtype, [&] {
    return "its value is " + ir::type_of(value) + (value.is_constant() ? "" : ", computed") +
           ", expected one constant of its result's type " + ir::to_string(r.out().dtype);
  });
  int64_t count = 1;
  for (const int64_t extent : extents) {
    r.require(extent >= 1 && extent <= kMost / count, [&] {
      return "dims are " + ir::to_string(extents) + ", must be 1 or more each, 2^24 together";
    });
    count *= extent;
  }
  ir::Bytes bytes;
  for (int64_t i = 0; i < count; ++i) {
    bytes.insert(bytes.end(), value.data->begin(), value.data->end());
  }
  r.become_constant(extents, std::move(bytes));
}

void range(const OpReader& r) {
  const int64_t start = r.integers(0, "start").at(0), limit = r.integers(1, "limit").at(0);
  const int64_t delta = r.integers(2, "delta").at(0);
  const auto small = [](int64_t n) { return n >= -(kMost << 24) && n <= kMost << 24; };
  const bool sound = small(start) && small(limit) && small(delta) && delta != 0;
  const int64_t way = !sound ? 0 : delta > 0 ? limit - start : start - limit;
  const int64_t step = !sound ? 1 : delta > 0 ? delta : -delta;
  r.require(way >= 1 && (way + step - 1) / step <= kMost, [&] {
    return "start, limit and delta are " + std::to_string(start) + ", " + std::to_string(limit) +
           " and " + std::to_string(delta) + ", must be 1.." + std::to_string(kMost) + " numbers";
  });
  std::vector<int64_t> values;
  for (int64_t i = 0; i < (way + step - 1) / step; ++i) values.push_back(start + i * delta);
  r.become_constant({static_cast<int64_t>(values.size())}, stored(r, values));
}

}  // namespace

std::vector<Conversion> constant_conversions() {
  return {
      {file::Builtin_SHAPE, ir::OpKind::kReshape, 1, 1, types::kAny, shape},
      {file::Builtin_ZEROS_LIKE, ir::OpKind::kReshape, 1, 1, types::kPlain, zeros_like},
      {file::Builtin_FILL, ir::OpKind::kReshape, 2, 2, types::kIndices, fill},
      {file::Builtin_RANGE, ir::OpKind::kReshape, 3, 3, types::kIndices, range},
      {file::Builtin_RANK, ir::OpKind::kReshape, 1, 1, types::kAny, rank},
  };
}

}  // namespace presil::import
