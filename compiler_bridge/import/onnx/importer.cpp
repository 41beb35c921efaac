#include "compiler_bridge/import/onnx/importer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "compiler_bridge/import/constants.h"
#include "compiler_bridge/import/onnx.h"
#include "compiler_bridge/import/onnx/expand.h"
#include "compiler_bridge/import/onnx/requant_shift.h"
#include "compiler_bridge/import/unsigned_bytes.h"
#include "compiler_bridge/ir/shape.h"
#include "models/base/refusal.h"
#include "models/base/utf8.h"

namespace presil::import::onnx {
namespace {

const std::vector<const std::vector<Conversion>*>& families() {
  static const std::vector<const std::vector<Conversion>*> all = {
      &of_windows(),    &of_functions(), &of_moves(),         &of_products(),         &of_numbers(),
      &of_reductions(), &of_sums(),      &of_requant_shift(), &of_integer_functions()};
  return all;
}

const Conversion* find(const std::string& op) {
  for (const auto* family : families()) {
    for (const Conversion& one : *family) {
      if (op == one.op) return &one;
    }
  }
  for (const Conversion& one : of_integers()) {
    if (op == one.op) return &one;
  }
  return nullptr;
}

// Bytes of a constant with its axes in another order: axis i of the result is axis perm[i].
ir::Bytes permuted(const ir::Tensor& tensor, const std::vector<size_t>& perm) {
  const size_t width = size_of(tensor.dtype), rank = perm.size();
  std::vector<size_t> steps(rank, width), extents(rank);
  for (size_t i = rank; i-- > 1;) {
    steps[i - 1] = steps[i] * static_cast<size_t>(tensor.shape[i]);
  }
  for (size_t i = 0; i < rank; ++i) extents[i] = static_cast<size_t>(tensor.shape[perm[i]]);
  ir::Bytes bytes(tensor.bytes());
  std::vector<size_t> at(rank, 0);
  for (size_t to = 0; to < bytes.size(); to += width) {
    size_t from = 0;
    for (size_t i = 0; i < rank; ++i) from += at[i] * steps[perm[i]];
    std::memcpy(bytes.data() + to, tensor.data->data() + from, width);
    for (size_t i = rank; i-- > 0;) {
      if (++at[i] < extents[i]) break;
      at[i] = 0;
    }
  }
  return bytes;
}

std::string without_end(const std::string& text, const std::string& end) {
  const size_t at = text.rfind(end);
  return at != std::string::npos && at + end.size() == text.size() ? text.substr(0, at) : text;
}

bool moves_nothing(const Shape& nchw) {
  return nchw[1] == 1 || nchw[2] * nchw[3] == 1;
}

}  // namespace

Shape to_nhwc(const Shape& shape) {
  return {shape[0], shape[2], shape[3], shape[1]};
}

Importer::Importer(const File& file, std::string name, bool signed_inputs)
    : m_file(file), m_signed_inputs(signed_inputs) {
  m_graph.name = std::move(name);
  m_graph.numerics = ir::Numerics::kOnnx;
  m_done.resize(file.nodes.size(), false);
  for (size_t i = 0; i < file.nodes.size(); ++i) {
    for (const std::string& input : file.nodes[i].inputs) m_readers[input].push_back(i);
  }
  for (const Edge& output : file.outputs) ++m_output_uses[output.name];
}

ir::Graph Importer::import() {
  std::vector<bool> was_unsigned;
  for (const Edge& edge : m_file.inputs) {
    ir::Tensor tensor;
    tensor.name = printable(edge.name), tensor.dtype = edge.dtype, tensor.shape = edge.shape;
    const ir::TensorId id = m_graph.add(std::move(tensor));
    m_graph.inputs.push_back(id);
    m_values[edge.name] = {id, edge.shape, false, false};
  }
  for (size_t i = 0; i < m_file.nodes.size(); ++i) {
    if (!m_done[i]) convert(i);
  }
  for (const Edge& edge : m_file.outputs) {
    const auto found = m_values.find(edge.name);
    if (found == m_values.end()) {
      throw Refusal("import", m_graph.name + ": output \"" + printable(edge.name) +
                                  "\" is made by no operator");
    }
    Value value = dequantized(plain(found->second));
    if (tensor(value).is_constant()) {
      throw Refusal("import", m_graph.name + ": output \"" + printable(edge.name) +
                                  "\" is a constant, must be computed");
    }
    const bool given = m_graph.producer(value.id) < 0, twice = m_graph.is_output(value.id);
    if (given || twice) {  // an input, or another output: this one has a name of its own
      value.id = make_like(value, ir::OpKind::kReshape, ir::None{}, {value.id}, value.shape);
    }
    m_graph.tensor(value.id).name = printable(edge.name);
    m_graph.outputs.push_back(value.id);
  }
  was_unsigned.resize(m_graph.tensors.size(), false);
  for (const ir::TensorId id : m_unsigned) was_unsigned[static_cast<size_t>(id)] = true;
  restore_boundary(m_graph, was_unsigned);
  ir::drop_unused_tensors(m_graph);
  ir::verify(m_graph);
  return std::move(m_graph);
}

void Importer::convert(size_t index) {
  m_node = &m_file.nodes[index];
  m_index = index;
  const Conversion* conversion = find(m_node->op);
  if (conversion == nullptr) {
    refuse(
        "this operator cannot be imported; `presil ops --onnx` lists those that can; replace it, "
        "or cut the network before it");
  }
  if (!computes_numbers(*this)) conversion->convert(*this);
}

std::string Importer::called() const {
  std::string name = m_node->name;
  if (name.empty() && !m_node->outputs.empty()) name = m_node->outputs[0];
  return "op " + std::to_string(m_node->index) + ", " + m_node->op + " \"" + name + "\"";
}

void Importer::refuse(const std::string& what) const {
  throw Refusal("import", m_graph.name + ": " + printable(called() + ": " + what));
}

bool Importer::has(size_t input) const {
  return input < m_node->inputs.size() && !m_node->inputs[input].empty();
}

Value Importer::in(size_t input) {
  require(has(input), [&] { return "its input " + std::to_string(input) + " is missing"; });
  const std::string& name = m_node->inputs[input];
  const auto known = m_values.find(name);
  if (known != m_values.end()) return known->second;
  const auto constant = m_file.constants.find(name);
  require(constant != m_file.constants.end(), [&] {
    return "its input \"" + name + "\" is made by no operator before it, and is no constant";
  });
  const Value value{m_graph.add(constant->second), constant->second.shape, false, false};
  return m_values[name] = value;
}

std::vector<int64_t> Importer::numbers(size_t input, const std::string& what) {
  const ir::Tensor& from = tensor(in(input));
  require(
      from.is_constant() && (from.dtype == ir::DType::kInt64 || from.dtype == ir::DType::kInt32),
      [&] { return what + " must be a constant of int64 or int32"; });
  std::vector<int64_t> found;
  for (int64_t i = 0; i < from.elements(); ++i) {
    const bool wide = from.dtype == ir::DType::kInt64;
    found.push_back(wide ? from.values<int64_t>()[i] : from.values<int32_t>()[i]);
  }
  return found;
}

std::vector<float> Importer::reals(size_t input, const std::string& what) {
  const ir::Tensor& from = tensor(in(input));
  require(from.is_constant() && from.dtype == ir::DType::kFloat32,
          [&] { return what + " must be a constant of float32"; });
  return {from.values<float>(), from.values<float>() + from.elements()};
}

int64_t Importer::integer(const std::string& name, int64_t otherwise) const {
  const auto found = m_node->attributes.find(name);
  return found == m_node->attributes.end() ? otherwise : found->second.i;
}

float Importer::real(const std::string& name, float otherwise) const {
  const auto found = m_node->attributes.find(name);
  return found == m_node->attributes.end() ? otherwise : found->second.f;
}

std::string Importer::text(const std::string& name, const std::string& otherwise) const {
  const auto found = m_node->attributes.find(name);
  return found == m_node->attributes.end() ? otherwise : found->second.s;
}

std::vector<int64_t> Importer::integers(const std::string& name,
                                        const std::vector<int64_t>& otherwise) const {
  const auto found = m_node->attributes.find(name);
  return found == m_node->attributes.end() ? otherwise : found->second.ints;
}

size_t Importer::axis(int64_t given, size_t rank) const {
  const auto most = static_cast<int64_t>(rank);
  require(given >= -most && given < most, [&] {
    return "axis is " + std::to_string(given) + ", must be " + std::to_string(-most) + ".." +
           std::to_string(most - 1);
  });
  return static_cast<size_t>(given < 0 ? given + most : given);
}

Value Importer::plain(const Value& value) {
  if (!value.nhwc) return value;
  const auto known = m_plain.find(value.id);
  if (known != m_plain.end()) return known->second;
  Value made{ir::kAbsent, value.shape, false, value.quantized};
  made.id = moves_nothing(value.shape)
                ? make_like(value, ir::OpKind::kReshape, ir::None{}, {value.id}, value.shape)
                : make_like(value, ir::OpKind::kTranspose, ir::Transpose{{0, 3, 1, 2}}, {value.id});
  m_image[made.id] = value;
  return m_plain[value.id] = made;
}

Value Importer::image(const Value& value) {
  if (value.nhwc) return value;
  const auto known = m_image.find(value.id);
  if (known != m_image.end()) return known->second;
  Value made{ir::kAbsent, value.shape, true, value.quantized};
  if (is_constant(value)) {
    ir::Tensor turned = tensor(value);
    turned.data = std::make_shared<const ir::Bytes>(permuted(turned, {0, 2, 3, 1}));
    turned.shape = to_nhwc(turned.shape);
    made.id = m_graph.add(std::move(turned));
  } else if (moves_nothing(value.shape)) {
    made.id = make_like(value, ir::OpKind::kReshape, ir::None{}, {value.id}, to_nhwc(value.shape));
  } else {
    made.id = make_like(value, ir::OpKind::kTranspose, ir::Transpose{{0, 2, 3, 1}}, {value.id});
  }
  m_plain[made.id] = value;
  return m_image[value.id] = made;
}

Value Importer::dequantized(const Value& value) {
  if (!value.quantized) return value;
  const auto known = m_real.find(value.id);
  if (known != m_real.end()) return known->second;
  Value made = value;
  made.quantized = false;
  if (is_constant(value)) {
    const ir::Tensor& from = tensor(value);
    ir::Tensor real;
    real.name = from.name, real.dtype = ir::DType::kFloat32, real.shape = from.shape;
    real.data = import::dequantized(from);
    require(real.data != nullptr, [&] {
      return "its constant \"" + from.name + "\" is " + ir::type_of(from) +
             ", must be int8, uint8 or int16 where real numbers are computed with";
    });
    made.id = m_graph.add(std::move(real));
  } else {
    made.id = make(ir::OpKind::kDequantize, ir::None{}, {value.id}, {}, ir::DType::kFloat32);
  }
  return m_real[value.id] = made;
}

Value Importer::quantized_input(const Value& value, const ir::Quantization& quantization) {
  const auto [known, fresh] = m_stored_inputs.try_emplace(value.id);
  if (fresh) {
    known->second = value;
    known->second.quantized = true;
    known->second.id =
        make(ir::OpKind::kQuantize, ir::Quantize{}, {value.id}, quantization, ir::DType::kInt8);
  }
  return known->second;
}

Value Importer::reshaped_from(const Value& value) const {
  const int maker = m_graph.producer(value.id);
  if (maker < 0 || m_graph.ops[static_cast<size_t>(maker)].kind != ir::OpKind::kReshape) {
    return value;
  }
  const ir::TensorId id = m_graph.ops[static_cast<size_t>(maker)].input(0);
  return {id, m_graph.tensor(id).shape, false, value.quantized};
}

bool Importer::add_to_bias(const Value& value, const std::vector<int32_t>& more, size_t input) {
  const auto readers = m_readers.find(m_node->inputs.at(input));
  if (readers == m_readers.end() || readers->second.size() != 1) return false;
  if (m_output_uses.count(readers->first) != 0) return false;
  const int maker = m_graph.producer(value.id);
  if (maker < 0) return false;
  ir::Op& sums = m_graph.ops[static_cast<size_t>(maker)];
  if (sums.kind != ir::OpKind::kConvSums) return false;
  ir::Tensor bias = m_graph.tensor(sums.input(2));
  if (!bias.is_constant()) return false;
  const size_t own = static_cast<size_t>(bias.elements()), count = std::max(own, more.size());
  ir::Bytes bytes(count * sizeof(int32_t));
  for (size_t i = 0; i < count; ++i) {
    const int64_t sum =
        int64_t{bias.values<int32_t>()[own == 1 ? 0 : i]} + more[more.size() == 1 ? 0 : i];
    if (sum < INT32_MIN || sum > INT32_MAX) return false;
    const auto narrow = static_cast<int32_t>(sum);
    std::memcpy(bytes.data() + i * sizeof narrow, &narrow, sizeof narrow);
  }
  bias.shape = {static_cast<int64_t>(count)};
  bias.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  const ir::TensorId grown = m_graph.add(std::move(bias));
  m_graph.ops[static_cast<size_t>(maker)].inputs[2] = grown;
  return true;
}

ir::TensorId Importer::constant(ir::Tensor tensor) {
  return m_graph.add(std::move(tensor));
}

void Importer::set_quantization(const Value& value, const ir::Quantization& quantization) {
  ir::Tensor& stored = m_graph.tensor(value.id);
  if (stored.dtype == ir::DType::kUint8) {  // an input of the network; restore_boundary knows it
    stored.quantization = quantization;
    for (int64_t& z : stored.quantization.zero_points) z += 128;
    make_signed(stored, "\"" + stored.name + "\"");
    set_unsigned(value);
  }
  require(stored.dtype == ir::DType::kInt8 || stored.dtype == ir::DType::kInt16,
          [&] { return "x is " + ir::type_of(stored) + ", must be int8, uint8 or int16"; });
  if (!stored.quantization.present()) stored.quantization = quantization;
  require(stored.quantization == quantization, [&] {
    return "its scale or zero point is not that of x, which is " + ir::type_of(stored);
  });
}

ir::TensorId Importer::make(ir::OpKind kind, ir::Attributes attributes,
                            std::vector<ir::TensorId> inputs, const ir::Quantization& quantization,
                            ir::DType dtype, std::optional<Shape> shape) {
  ir::Tensor result;
  result.dtype = dtype, result.quantization = quantization;
  if (m_node != nullptr) result.name = printable(without_end(this->result(), kReal));
  if (shape) result.shape = *shape;
  const bool follows = !shape;
  ir::Op op;
  op.kind = kind, op.name = result.name, op.attributes = std::move(attributes);
  op.inputs = std::move(inputs);
  op.outputs = {m_graph.add(std::move(result))};
  op.source_ops = {m_node == nullptr ? 0 : static_cast<int>(m_node->index)};
  if (follows) m_graph.tensor(op.output()).shape = ir::infer_shapes(m_graph, op).at(0);
  int64_t elements = 1;
  for (const int64_t extent : m_graph.tensor(op.output()).shape) {
    if (extent > 0 && elements >= kMostElements / extent) {
      throw Refusal("import", m_graph.name + ": operator \"" + op.name + "\" makes a tensor of " +
                                  ir::to_string(m_graph.tensor(op.output()).shape) +
                                  ", must have fewer than 2^31 elements");
    }
    elements *= std::max<int64_t>(1, extent);
  }
  const ir::TensorId id = op.output();
  m_graph.add(std::move(op));
  return id;
}

ir::TensorId Importer::make_like(const Value& like, ir::OpKind kind, ir::Attributes attributes,
                                 std::vector<ir::TensorId> inputs, std::optional<Shape> shape) {
  const ir::Quantization quantization = tensor(like).quantization;
  const ir::TensorId id = make(kind, std::move(attributes), std::move(inputs), quantization,
                               tensor(like).dtype, std::move(shape));
  if (m_unsigned.count(like.id) != 0) m_unsigned.insert(id);
  return id;
}

void Importer::give(const Value& value, size_t k) {
  require(k < m_node->outputs.size(),
          [&] { return "its result " + std::to_string(k) + " is missing"; });
  const std::string& name = m_node->outputs[k];
  require(m_values.count(name) == 0 && m_file.constants.count(name) == 0,
          [&] { return "its result \"" + name + "\" is made twice"; });
  m_values[name] = value;
}

void Importer::give(const Value& value, const Quantizer& quantizer) {
  for (const size_t node : quantizer.nodes) m_done[node] = true;
  if (gives_unsigned(m_file.nodes[quantizer.nodes.back()])) set_unsigned(value);
  m_values[quantizer.output] = value;
}

}  // namespace presil::import::onnx

namespace presil::import {

ir::Graph import_onnx(const uint8_t* bytes, size_t size, const std::string& name,
                      const std::string& folder, bool signed_inputs) {
  onnx::File file = onnx::read(bytes, size, name, folder);
  onnx::expand(file, name);
  onnx::mark_integers(file);
  return onnx::Importer(file, name, signed_inputs).import();
}

std::vector<std::string> onnx_operators() {
  std::vector<std::string> names;
  for (const auto* family : onnx::families()) {
    for (const onnx::Conversion& one : *family) names.emplace_back(one.op);
  }
  for (const std::string& one : onnx::expanded()) names.push_back(one);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace presil::import
