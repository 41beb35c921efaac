#include "compiler_bridge/import/tflite/known_numbers.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "compiler_bridge/ir/shape.h"

namespace presil::import {
namespace {

using Numbers = std::vector<int64_t>;
using Shape = std::vector<int64_t>;

constexpr int64_t kMost = 4096;  // shapes are short; long constants are data

bool counts(const ir::Tensor& tensor) {
  return (tensor.dtype == ir::DType::kInt32 || tensor.dtype == ir::DType::kInt64) &&
         tensor.elements() <= kMost;
}

/// nullopt: computed by the network, or not of that kind.
std::optional<Numbers> numbers_of(const ir::Graph& graph, ir::TensorId id) {
  if (id == ir::kAbsent) return {};
  const ir::Tensor& tensor = graph.tensor(id);
  if (!tensor.is_constant() || !counts(tensor)) return {};
  // A damaged file may make a constant the result of an operator that gives it another shape.
  if (tensor.data->size() != tensor.bytes()) return {};
  Numbers numbers;
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    numbers.push_back(tensor.dtype == ir::DType::kInt64 ? tensor.values<int64_t>()[i]
                                                        : tensor.values<int32_t>()[i]);
  }
  return numbers;
}

bool set(ir::Graph& graph, ir::TensorId id, const Numbers& numbers) {
  ir::Tensor& tensor = graph.tensor(id);
  const size_t size = ir::size_of(tensor.dtype);
  if (static_cast<size_t>(tensor.elements()) != numbers.size()) return false;
  ir::Bytes bytes(numbers.size() * size);
  for (size_t i = 0; i < numbers.size(); ++i) {
    std::memcpy(bytes.data() + i * size, &numbers[i], size);  // little-endian: the low bytes
  }
  tensor.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  return true;
}

bool is_free(const ir::Graph& graph, const ir::Op& op) {
  return op.outputs.size() == 1 && counts(graph.tensor(op.output())) &&
         !graph.is_output(op.output());
}

int64_t product(const Shape& shape, size_t from, size_t to) {
  int64_t count = 1;
  for (size_t i = from; i < to; ++i) count *= shape[i];
  return count;
}

std::optional<Numbers> joined(const ir::Graph& graph, const ir::Op& op) {
  const auto axis = static_cast<size_t>(op.as<ir::Concat>().axis);
  Numbers y;
  const Shape& shape = graph.tensor(op.output()).shape;
  for (int64_t row = 0; row < product(shape, 0, axis); ++row) {
    for (const ir::TensorId id : op.inputs) {
      const auto x = numbers_of(graph, id);
      const Shape& own = graph.tensor(id).shape;
      if (!x || own.size() != shape.size()) return {};
      const int64_t piece = product(own, axis, own.size());
      if (static_cast<int64_t>(x->size()) != piece * product(shape, 0, axis)) return {};
      y.insert(y.end(), x->begin() + row * piece, x->begin() + (row + 1) * piece);
    }
  }
  return y;
}

/// Elements that a slice of one axis takes; of more axes, what lies in one is asked again.
void slice(const ir::StridedSlice& a, const Shape& shape, const Numbers& x, size_t axis,
           int64_t offset, Numbers& y) {
  if (axis == shape.size()) return y.push_back(x.at(static_cast<size_t>(offset)));
  for (int64_t i = 0; i < a.size[axis]; ++i) {
    slice(a, shape, x, axis + 1, offset * shape[axis] + a.begin[axis] + i * a.step[axis], y);
  }
}

bool stays_inside(const ir::StridedSlice& a, const Shape& shape) {
  if (shape.size() > 8) return false;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (a.size[i] < 1 || a.size[i] > shape[i]) return false;
    if (a.begin[i] < 0 || a.begin[i] >= shape[i]) return false;
    const int64_t last = a.begin[i] + (a.size[i] - 1) * a.step[i];
    if (last < 0 || last >= shape[i]) return false;
  }
  return true;
}

std::optional<Numbers> picked(const ir::Graph& graph, const ir::Op& op, const Numbers& x) {
  const auto indices = numbers_of(graph, op.input(1));
  const Shape& shape = graph.tensor(op.input(0)).shape;
  if (!indices || shape.size() != 1) return {};
  Numbers y;
  for (const int64_t i : *indices) {
    if (i < 0 || i >= shape[0]) return {};
    y.push_back(x[static_cast<size_t>(i)]);
  }
  return y;
}

std::optional<Numbers> moved(const ir::Graph& graph, const ir::Op& op) {
  if (op.kind == ir::OpKind::kConcat) return joined(graph, op);
  const auto x = numbers_of(graph, op.input(0));
  if (!x) return {};
  switch (op.kind) {
    case ir::OpKind::kReshape:
    case ir::OpKind::kCast:
      return x;
    case ir::OpKind::kGather:
      return picked(graph, op, *x);
    case ir::OpKind::kStridedSlice: {
      const auto& a = op.as<ir::StridedSlice>();
      const Shape& shape = graph.tensor(op.input(0)).shape;
      if (!stays_inside(a, shape)) return {};
      Numbers y;
      slice(a, shape, *x, 0, 0, y);
      return y;
    }
    default:
      return {};
  }
}

/// nullopt: there is no such number, or the operator is none of these.
std::optional<int64_t> calculated(file::Builtin code, int64_t a, int64_t b) {
  int64_t y = 0;
  switch (code) {
    case file::Builtin_ADD:
      return __builtin_add_overflow(a, b, &y) ? std::optional<int64_t>() : y;
    case file::Builtin_SUB:
      return __builtin_sub_overflow(a, b, &y) ? std::optional<int64_t>() : y;
    case file::Builtin_MUL:
      return __builtin_mul_overflow(a, b, &y) ? std::optional<int64_t>() : y;
    case file::Builtin_DIV:
    case file::Builtin_FLOOR_DIV:
      if (a < 0 || b <= 0) return {};  // below 0 the two differ; shapes are not
      return a / b;
    case file::Builtin_FLOOR_MOD:
      if (a < 0 || b <= 0) return {};
      return a % b;
    case file::Builtin_MAXIMUM:
      return std::max(a, b);
    case file::Builtin_MINIMUM:
      return std::min(a, b);
    default:
      return {};
  }
}

}  // namespace

bool calculates(file::Builtin code) {
  return code == file::Builtin_REDUCE_PROD || calculated(code, 1, 1).has_value();
}

bool moves_known_numbers(ir::Graph& graph, const ir::Op& op) {
  if (!is_free(graph, op)) return false;
  const auto y = moved(graph, op);
  return y && set(graph, op.output(), *y);
}

bool calculates_known_numbers(ir::Graph& graph, file::Builtin code, const ir::Op& op) {
  if (op.inputs.size() != 2 || !is_free(graph, op)) return false;
  const auto a = numbers_of(graph, op.input(0)), b = numbers_of(graph, op.input(1));
  if (!a || !b) return false;
  Numbers y;
  if (code == file::Builtin_REDUCE_PROD) {
    int64_t all = 1;
    for (const int64_t n : *a) {
      if (__builtin_mul_overflow(all, n, &all)) return false;
    }
    // Along a vector's only axis, whichever way it is named.
    if (graph.tensor(op.input(0)).shape.size() != 1 || b->size() != 1) return false;
    return set(graph, op.output(), {all});
  }
  if (a->size() != b->size() && a->size() != 1 && b->size() != 1) return false;
  for (size_t i = 0; i < std::max(a->size(), b->size()); ++i) {
    const auto n =
        calculated(code, a->size() == 1 ? (*a)[0] : (*a)[i], b->size() == 1 ? (*b)[0] : (*b)[i]);
    if (!n) return false;
    y.push_back(*n);
  }
  return set(graph, op.output(), y);
}

}  // namespace presil::import
