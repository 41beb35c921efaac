// What conversions add to the graph.
#include <cstring>
#include <limits>

#include "compiler_bridge/import/tosa/importer.h"
#include "compiler_bridge/ir/shape.h"
#include "models/base/utf8.h"

namespace presil::import::tosa {

ir::TensorId Importer::constant(const std::string& what, ir::DType dtype, Shape shape,
                                const std::vector<int64_t>& values) {
  ir::Tensor tensor;
  tensor.name = printable(m_result) + "/" + what;
  tensor.dtype = dtype;
  tensor.shape = std::move(shape);
  const size_t width = ir::size_of(dtype);
  ir::Bytes bytes(values.size() * width);
  for (size_t i = 0; i < values.size(); ++i) {  // little-endian: the low bytes come first
    std::memcpy(bytes.data() + i * width, &values[i], width);
  }
  tensor.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  return m_graph.add(std::move(tensor));
}

ir::TensorId Importer::reshaped(const Shape& shape) {
  ir::Tensor tensor = this->tensor(in(0));
  tensor.name = printable(m_result);
  tensor.shape = shape;
  return m_graph.add(std::move(tensor));
}

ir::TensorId Importer::make(ir::OpKind kind, ir::Attributes attributes,
                            std::vector<ir::TensorId> inputs, ir::DType dtype,
                            std::optional<Shape> shape) {
  const std::string part = m_made++ == 0 ? "" : "/" + std::to_string(m_made);
  ir::Tensor tensor;
  tensor.name = printable(m_result) + part;
  tensor.dtype = dtype;
  if (shape) tensor.shape = *shape;
  ir::Op op;
  op.kind = kind;
  op.name = tensor.name;
  op.attributes = std::move(attributes);
  op.inputs = std::move(inputs);
  op.source_ops = {static_cast<int>(m_index)};
  op.outputs = {m_graph.add(std::move(tensor))};
  const ir::TensorId made = op.outputs[0];
  if (!shape) m_graph.tensor(made).shape = ir::infer_shapes(m_graph, op).at(0);
  m_graph.add(std::move(op));
  return made;
}

ir::TensorId Importer::cast(ir::TensorId id, ir::DType dtype) {
  const ir::Tensor& from = tensor(id);
  if (from.dtype == dtype) return id;
  const bool whole = from.dtype != ir::DType::kFloat32 && dtype != ir::DType::kFloat32;
  if (!from.is_constant() || !whole || dtype == ir::DType::kBool) {
    return make(ir::OpKind::kCast, ir::None{}, {id}, dtype);
  }
  std::vector<int64_t> values(static_cast<size_t>(from.elements()));
  const size_t width = ir::size_of(from.dtype);
  for (size_t i = 0; i < values.size(); ++i) {
    const uint8_t* byte = from.data->data() + i * width;
    const bool negative = from.dtype != ir::DType::kBool && (byte[width - 1] & 0x80) != 0;
    values[i] = negative ? -1 : 0;
    std::memcpy(&values[i], byte, width);
  }
  return constant("as_" + std::string(ir::to_string(dtype)), dtype, from.shape, values);
}

ir::TensorId Importer::clamp(ir::TensorId id, int64_t least, int64_t most) {
  const ir::Tensor from = tensor(id);
  const size_t bits = 8 * ir::size_of(from.dtype);
  const int64_t lowest = -(int64_t{1} << (bits - 1)), highest = (int64_t{1} << (bits - 1)) - 1;
  const auto one_of_both = [&](ir::OpKind kind, int64_t bound, const char* what) {
    const ir::TensorId other = constant(what, from.dtype, Shape(from.shape.size(), 1), {bound});
    const ir::TensorId made = make(kind, ir::None{}, {id, other}, from.dtype);
    m_zero_points.alike(id, made), m_zero_points.alike(id, other);
    id = made;
  };
  if (least > lowest) one_of_both(ir::OpKind::kMaximum, least, "least");
  if (most < highest) one_of_both(ir::OpKind::kMinimum, most, "most");
  return id;
}

void Importer::give(ir::TensorId id) {
  require(m_tensors.count(m_result) == 0, [] { return "its result has been made before"; });
  m_tensors[m_result] = id;
}

void Importer::give_numbers(std::vector<int64_t> numbers) {
  m_numbers[m_result] = std::move(numbers);
}

const std::map<file::Op, Conversion>& conversions() {
  static const std::map<file::Op, Conversion> all = [] {
    std::map<file::Op, Conversion> map;
    for (const auto* family : {&of_products(), &of_windows(), &of_pairs(), &of_functions(),
                               &of_reductions(), &of_moves(), &of_scales()}) {
      for (const Conversion& each : *family) map.emplace(each.op, each);
    }
    return map;
  }();
  return all;
}

}  // namespace presil::import::tosa
