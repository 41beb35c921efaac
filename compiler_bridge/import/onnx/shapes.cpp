// Whole numbers that follow from shapes and constants: what exporters compute shapes with. They are
// computed here, so nothing of them is left to run.
#include <algorithm>
#include <cstring>
#include <functional>

#include "compiler_bridge/import/onnx/importer.h"
#include "compiler_bridge/ir/shape.h"
#include "models/base/utf8.h"

namespace presil::import::onnx {
namespace {

constexpr int64_t kMost = 1 << 20;  // numbers of a constant that is computed

struct Numbers {
  std::vector<int64_t> values;
  Shape shape;
};

std::optional<Numbers> known(Importer& r, size_t input) {
  if (!r.has(input)) return {};
  const ir::Tensor& from = r.tensor(r.in(input));
  const bool wide = from.dtype == ir::DType::kInt64;
  if (!from.is_constant() || !(wide || from.dtype == ir::DType::kInt32)) return {};
  if (from.elements() > kMost) return {};
  Numbers found{{}, from.shape};
  for (int64_t i = 0; i < from.elements(); ++i) {
    found.values.push_back(wide ? from.values<int64_t>()[i] : from.values<int32_t>()[i]);
  }
  return found;
}

void give(Importer& r, const std::vector<int64_t>& values, const Shape& shape) {
  ir::Tensor tensor;
  tensor.name = r.node().outputs.empty() ? "" : printable(r.node().outputs[0]);
  tensor.dtype = ir::DType::kInt64, tensor.shape = shape;
  ir::Bytes bytes(values.size() * sizeof(int64_t));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  tensor.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  r.give({r.constant(std::move(tensor)), shape, false, false});
}

using Function = std::function<int64_t(int64_t, int64_t)>;

bool pair(Importer& r, const Function& function) {
  const auto a = known(r, 0), b = known(r, 1);
  if (!a || !b) return false;
  const size_t m = a->values.size(), n = b->values.size();
  if (m != n && ((m != 1 && n != 1) || m == 0 || n == 0)) return false;
  std::vector<int64_t> values(std::max(m, n));
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = function(a->values[m == 1 ? 0 : i], b->values[n == 1 ? 0 : i]);
  }
  give(r, values, a->shape.size() >= b->shape.size() && m >= n ? a->shape : b->shape);
  return true;
}

bool concat(Importer& r) {
  if (r.node().inputs.empty()) return false;
  std::vector<int64_t> values;
  for (size_t i = 0; i < r.node().inputs.size(); ++i) {
    const auto part = known(r, i);
    if (!part || part->shape.size() != 1) return false;
    values.insert(values.end(), part->values.begin(), part->values.end());
  }
  give(r, values, {static_cast<int64_t>(values.size())});
  return true;
}

bool gather(Importer& r) {
  const auto x = known(r, 0), at = known(r, 1);
  if (!x || !at || x->shape.size() != 1) return false;
  std::vector<int64_t> values;
  const auto extent = static_cast<int64_t>(x->values.size());
  for (const int64_t index : at->values) {
    r.require(index >= -extent && index < extent, [&] {
      return "index " + std::to_string(index) + " is outside of " + std::to_string(extent) +
             " numbers";
    });
    values.push_back(x->values[static_cast<size_t>(index < 0 ? index + extent : index)]);
  }
  give(r, values, at->shape);
  return true;
}

bool slice(Importer& r) {
  const auto x = known(r, 0);
  if (!x || x->shape.size() != 1 || r.opset() < 10) return false;
  const auto begin = known(r, 1), end = known(r, 2);
  const auto step = r.has(4) ? known(r, 4) : std::optional<Numbers>(Numbers{{1}, {1}});
  if (!begin || !end || !step || begin->values.size() != 1 ||
      step->values != std::vector<int64_t>{1})
    return false;
  const auto extent = static_cast<int64_t>(x->values.size());
  const auto inside = [&](int64_t value) {
    return std::clamp<int64_t>(value < 0 ? value + extent : value, 0, extent);
  };
  const int64_t first = inside(begin->values[0]), last = std::max(first, inside(end->values[0]));
  give(r, {x->values.begin() + first, x->values.begin() + last}, {last - first});
  return true;
}

}  // namespace

void shape_of(Importer& r) {
  const Shape shape = r.in(0).shape;
  give(r, shape, {static_cast<int64_t>(shape.size())});
}

void constant_of_shape(Importer& r) {
  const std::vector<int64_t> shape = r.numbers(0, "its shape");
  int64_t count = 1;
  for (const int64_t extent : shape) {
    r.require(extent >= 0 && (extent == 0 || count <= kMost / extent), [&] {
      return "y is " + ir::to_string(shape) + ", must have at most " + std::to_string(kMost) +
             " elements";
    });
    count *= extent;
  }
  ir::Tensor tensor;
  tensor.dtype = ir::DType::kFloat32, tensor.shape = shape;
  ir::Bytes one(sizeof(float), 0);
  const auto value = r.node().attributes.find("value");
  if (value != r.node().attributes.end() && value->second.tensor) {
    tensor.dtype = value->second.tensor->dtype;
    one = *value->second.tensor->data;
  }
  r.require(one.size() == size_of(tensor.dtype), [] { return "its value must be one number"; });
  ir::Bytes bytes;
  for (int64_t i = 0; i < count; ++i) bytes.insert(bytes.end(), one.begin(), one.end());
  tensor.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  r.give({r.constant(std::move(tensor)), shape, false, false});
}

/// A cast between whole numbers is nothing to a constant; others are refused.
void cast(Importer& r) {
  constexpr int64_t kInt32 = 6, kInt64 = 7;
  const int64_t to = r.integer("to", 0);
  const auto x = known(r, 0);
  r.require(x && (to == kInt32 || to == kInt64),
            [] { return "it casts an operand, must cast whole numbers that follow from shapes"; });
  give(r, x->values, x->shape);
}

bool computes_numbers(Importer& r) {
  const std::string& op = r.node().op;
  if (op == "Add") return pair(r, std::plus<>());
  if (op == "Sub") return pair(r, std::minus<>());
  if (op == "Mul") return pair(r, std::multiplies<>());
  if (op == "Div") {
    const auto b = known(r, 1);
    if (!b || std::count(b->values.begin(), b->values.end(), 0) != 0) return false;
    return pair(r, std::divides<>());
  }
  if (op == "Concat") return concat(r);
  if (op == "Gather") return gather(r);
  return op == "Slice" && slice(r);
}

}  // namespace presil::import::onnx
