// The file as a whole: checked by the FlatBuffers verifier, then every name, type, shape and size.
#include "compiler_bridge/import/tosa/importer.h"

#include <cstring>

#include "compiler_bridge/import/tosa.h"
#include "compiler_bridge/ir/shape.h"
#include "models/base/refusal.h"
#include "models/base/utf8.h"

namespace presil::import::tosa {
namespace {

constexpr int64_t kMaxElements = int64_t{1} << 31;
constexpr size_t kMaxRank = 6;
constexpr size_t kMost48Bits = 6;  // bytes of one in the file

std::string text_of(const flatbuffers::String* text) {
  return text == nullptr ? "" : text->str();
}

template <class T>
size_t count(const flatbuffers::Vector<T>* list) {
  return list == nullptr ? 0 : list->size();
}

/// Little-endian integers of `width` bytes, as int64.
std::vector<int64_t> integers(const uint8_t* bytes, size_t count, size_t width, bool is_unsigned) {
  std::vector<int64_t> values(count);
  for (size_t i = 0; i < count; ++i) {
    uint64_t value = 0;
    for (size_t k = 0; k < width; ++k) value |= uint64_t{bytes[i * width + k]} << (8 * k);
    const uint64_t sign = uint64_t{1} << (8 * width - 1);
    if (!is_unsigned && width < 8) value = (value ^ sign) - sign;
    values[i] = static_cast<int64_t>(value);
  }
  return values;
}

}  // namespace

Importer::Importer(const uint8_t* bytes, size_t size, std::string name)
    : m_bytes(bytes), m_size(size) {
  m_graph.name = std::move(name);
  m_graph.numerics = ir::Numerics::kTosa;
}

std::string Importer::called() const {
  return "operator " + std::to_string(m_index) + ", " + file::EnumNameOp(code()) + " \"" +
         printable(m_result) + "\"";
}

void Importer::refuse(const std::string& what) const {
  throw Refusal("import", m_graph.name + ": " + (m_op == nullptr ? "" : called() + ": ") + what);
}

void Importer::open() {
  if (m_size < 8 || std::memcmp(m_bytes + 4, "TOSA", 4) != 0) {
    refuse("its " + std::to_string(m_size) +
           " bytes are no TOSA file: bytes 4 to 7 must be \"TOSA\"");
  }
  flatbuffers::Verifier verifier(m_bytes, m_size, 64, 10'000'000);
  if (!file::VerifyGraphBuffer(verifier)) {
    refuse("the file is damaged: the FlatBuffers verifier finds offsets outside it");
  }
  const file::Graph& graph = *file::GetGraph(m_bytes);
  const file::Version& v = *graph.version();
  if (v.major() != 1 || v.minor() < 0 || v.minor() > 1) {
    refuse("it is of TOSA " + std::to_string(v.major()) + "." + std::to_string(v.minor()) + "." +
           std::to_string(v.patch()) + ", must be of 1.0 or 1.1; export the network again");
  }
  if (count(graph.regions()) == 0 || count(graph.regions()->Get(0)->blocks()) == 0) {
    refuse("it has no block of operators; export the network again");
  }
  m_block = graph.regions()->Get(0)->blocks()->Get(0);
}

ir::Graph Importer::import() {
  open();
  for (size_t i = 0; i < count(m_block->tensors()); ++i) {
    const file::Tensor* tensor = m_block->tensors()->Get(static_cast<uint32_t>(i));
    m_stated[text_of(tensor->name())] = tensor;
  }
  take_inputs();
  for (size_t i = 0; i < count(m_block->shapes()); ++i) {
    const file::Shape* shape = m_block->shapes()->Get(static_cast<uint32_t>(i));
    const size_t bytes = count(shape->data());
    const bool padded = shape->rank() == 0 && bytes <= 8;  // writers store no empty list
    if ((bytes != 8 * size_t{shape->rank()} && !padded) || shape->rank() > 64) {
      refuse("shape \"" + printable(text_of(shape->name())) + "\" of rank " +
             std::to_string(shape->rank()) + " holds " + std::to_string(bytes) +
             " bytes, must be 8 for each of at most 64 numbers");
    }
    if (bytes != 0 || shape->rank() == 0) {
      const uint8_t* data = bytes == 0 ? nullptr : shape->data()->data();
      m_numbers[text_of(shape->name())] = integers(data, shape->rank(), 8, false);
    }
  }
  for (size_t i = 0; i < count(m_block->operators()); ++i) convert(i);
  m_op = nullptr;
  for (size_t i = 0; i < count(m_block->outputs()); ++i) {
    const std::string name = text_of(m_block->outputs()->Get(static_cast<uint32_t>(i)));
    const auto found = m_tensors.find(name);
    if (found == m_tensors.end()) {
      refuse("\"" + printable(name) + "\" is an output that no operator makes");
    }
    ir::TensorId id = found->second;
    if (tensor(id).is_constant()) {  // an output is what an operator makes
      m_result = name, m_made = 0;
      id = make(ir::OpKind::kReshape, ir::None{}, {id}, tensor(id).dtype, tensor(id).shape);
    }
    m_graph.outputs.push_back(id);
  }
  if (m_graph.outputs.empty()) refuse("it has no outputs, must have at least one");
  m_zero_points.write(m_graph);
  write_unsigned_edges(m_graph);
  ir::drop_unused_tensors(m_graph);
  const RefusalContext context("import", m_graph.name + ": the network does not hold together");
  ir::verify(m_graph);
  return std::move(m_graph);
}

void Importer::take_inputs() {
  for (size_t i = 0; i < count(m_block->inputs()); ++i) {
    const std::string name = text_of(m_block->inputs()->Get(static_cast<uint32_t>(i)));
    const file::Tensor* from = stated(name);
    if (from == nullptr) {
      refuse("input \"" + printable(name) +
             "\" is no tensor of the file (a shape must be constant)");
    }
    ir::Tensor tensor;
    tensor.name = printable(name);
    tensor.dtype = type_of(*from);
    tensor.shape = shape_of(*from);
    if (m_tensors.count(name) != 0) refuse("input \"" + printable(name) + "\" is there twice");
    m_tensors[name] = m_graph.add(std::move(tensor));
    m_graph.inputs.push_back(m_tensors[name]);
  }
}

const file::Tensor* Importer::stated(const std::string& name) const {
  const auto found = m_stated.find(name);
  return found == m_stated.end() ? nullptr : found->second;
}

ir::DType Importer::type_of(const file::Tensor& from) const {
  switch (from.type()) {
    case file::DType_BOOL:
      return ir::DType::kBool;
    case file::DType_INT8:
      return ir::DType::kInt8;
    case file::DType_INT16:
      return ir::DType::kInt16;
    case file::DType_INT32:
      return ir::DType::kInt32;
    case file::DType_INT48:
      return ir::DType::kInt64;
    case file::DType_FP32:
      return ir::DType::kFloat32;
    default:
      refuse("tensor \"" + printable(text_of(from.name())) + "\" is of type " +
             (from.type() <= file::DType_MAX ? file::EnumNameDType(from.type())
                                             : std::to_string(from.type())) +
             ", must be BOOL, INT8, INT16, INT32, INT48 or FP32; convert the network to one");
  }
}

/// An open first extent is one sample.
Shape Importer::shape_of(const file::Tensor& from) const {
  const std::string subject = "tensor \"" + printable(text_of(from.name())) + "\"";
  if (from.is_unranked()) refuse(subject + " has no rank; export the network with fixed shapes");
  if (count(from.shape()) > kMaxRank) {
    refuse(subject + " has " + std::to_string(count(from.shape())) + " axes, must have at most " +
           std::to_string(kMaxRank));
  }
  Shape shape;
  int64_t elements = 1;
  for (size_t i = 0; i < count(from.shape()); ++i) {
    int64_t extent = from.shape()->Get(static_cast<uint32_t>(i));
    if (i == 0 && extent == -1) extent = 1;
    if (extent <= 0) {
      refuse(subject + ": its axis " + std::to_string(i) + " has extent " + std::to_string(extent) +
             ", must be at least 1; export the network with fixed shapes");
    }
    elements *= extent;
    if (elements >= kMaxElements) {
      refuse(subject + " has 2^31 elements or more, must have fewer");
    }
    shape.push_back(extent);
  }
  return shape;
}

void Importer::take_constant(const file::Tensor& from) {
  ir::Tensor tensor;
  tensor.name = printable(text_of(from.name()));
  tensor.dtype = type_of(from);
  tensor.shape = shape_of(from);
  const auto elements = static_cast<size_t>(tensor.elements());
  const bool wide = from.type() == file::DType_INT48;
  const size_t expected = elements * (wide ? kMost48Bits : ir::size_of(tensor.dtype));
  if (from.size() != 0 && count(from.data()) == 0) {
    refuse("constant \"" + tensor.name +
           "\" has its data outside of the FlatBuffer, which is not read; export it within 2 GiB");
  }
  // Some writers fill up to a multiple of eight.
  if (count(from.data()) < expected || count(from.data()) >= expected + 8) {
    refuse("constant \"" + tensor.name + "\" holds " + std::to_string(count(from.data())) +
           " bytes, its type and shape require " + std::to_string(expected));
  }
  const uint8_t* data = from.data()->data();
  if (wide) {
    const std::vector<int64_t> values = integers(data, elements, kMost48Bits, false);
    ir::Bytes bytes(elements * 8);
    std::memcpy(bytes.data(), values.data(), bytes.size());
    tensor.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  } else {
    ir::Bytes bytes(data, data + expected);
    if (tensor.dtype == ir::DType::kBool) {
      for (uint8_t& byte : bytes) byte = byte != 0;
    }
    tensor.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  }
  give(m_graph.add(std::move(tensor)));
}

bool Importer::has_own_attributes() const {
  return m_op->attribute() != nullptr &&
         static_cast<uint32_t>(m_op->attribute_type()) == static_cast<uint32_t>(m_op->op());
}

void Importer::convert(size_t index) {
  m_op = m_block->operators()->Get(static_cast<uint32_t>(index));
  m_index = index, m_made = 0;
  m_result = count(m_op->outputs()) == 0 ? "" : text_of(m_op->outputs()->Get(0));
  if (code() == file::Op_CONST_SHAPE && m_numbers.count(m_result) != 0) return;
  require(count(m_op->outputs()) == 1, [&] {
    return "it has " + std::to_string(count(m_op->outputs())) + " results, must have 1";
  });
  if (code() == file::Op_CONST) {
    const file::Tensor* from = stated(m_result);
    require(from != nullptr, [] { return "its result is no tensor of the file"; });
    return take_constant(*from);
  }
  const auto found = conversions().find(code());
  if (found == conversions().end()) {
    refuse(std::string("the operator is not taken") +
           (code() > file::Op_MAX ? " (number " + std::to_string(code()) + ")" : "") +
           "; `presil ops --tosa` lists those that are");
  }
  const Conversion& conversion = found->second;
  require(inputs() >= conversion.min_inputs && inputs() <= conversion.max_inputs, [&] {
    return "it has " + std::to_string(inputs()) + " inputs, must have " +
           std::to_string(conversion.min_inputs) +
           (conversion.min_inputs == conversion.max_inputs
                ? ""
                : ".." + std::to_string(conversion.max_inputs));
  });
  conversion.convert(*this);
  const file::Tensor* from = stated(m_result);
  if (from == nullptr || m_numbers.count(m_result) != 0) return;
  const ir::Tensor& made = tensor(m_tensors.at(m_result));
  require(type_of(*from) == made.dtype, [&] {
    return "its result is " + std::string(ir::to_string(type_of(*from))) +
           " in the file, it makes " + ir::to_string(made.dtype);
  });
  bool same = count(from->shape()) == made.shape.size();
  for (size_t i = 0; same && i < made.shape.size(); ++i) {
    const int32_t extent = from->shape()->Get(static_cast<uint32_t>(i));
    same = extent == -1 || extent == made.shape[i];
  }
  require(same, [&] {
    Shape shape;
    for (size_t i = 0; i < count(from->shape()); ++i) {
      shape.push_back(from->shape()->Get(static_cast<uint32_t>(i)));
    }
    return "its result is " + ir::to_string(shape) + " in the file, it makes " +
           ir::to_string(made.shape);
  });
}

ir::TensorId Importer::in(size_t input) const {
  const std::string name = text_of(m_op->inputs()->Get(static_cast<uint32_t>(input)));
  const auto found = m_tensors.find(name);
  if (found != m_tensors.end()) return found->second;
  refuse("it reads \"" + printable(name) +
         "\", which no earlier operator makes: it is missing, out of order or part of a cycle");
}

ir::DType Importer::result_type() const {
  const file::Tensor* from = stated(m_result);
  if (from == nullptr) refuse("its result is no tensor of the file");
  return type_of(*from);
}

std::vector<int64_t> Importer::numbers(size_t input, const std::string& what) const {
  const std::string name = text_of(m_op->inputs()->Get(static_cast<uint32_t>(input)));
  const auto found = m_numbers.find(name);
  if (found != m_numbers.end()) return found->second;
  const ir::Tensor& from = tensor(in(input));
  require(from.is_constant() && from.dtype != ir::DType::kFloat32,
          [&] { return what + " is computed by the network, must be a constant"; });
  return integers(from.data->data(), static_cast<size_t>(from.elements()), ir::size_of(from.dtype),
                  from.dtype == ir::DType::kBool);
}

int Importer::zero_point(size_t input, const std::string& what, bool is_unsigned) const {
  const std::vector<int64_t> values = numbers(input, what);
  require(values.size() == 1,
          [&] { return what + " has " + std::to_string(values.size()) + " values, must have 1"; });
  const size_t bits = 8 * ir::size_of(type(input));
  const int64_t sign = is_unsigned && values[0] < 0 ? int64_t{1} << bits : 0;
  return static_cast<int>(values[0] + sign);
}

std::vector<int64_t> Importer::list(const flatbuffers::Vector<int32_t>* values, const char* what,
                                    size_t expected) const {
  require(count(values) == expected, [&] {
    return std::string(what) + " has " + std::to_string(count(values)) + " numbers, must have " +
           std::to_string(expected);
  });
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < expected; ++i) numbers.push_back(values->Get(static_cast<uint32_t>(i)));
  return numbers;
}

int Importer::axis(int32_t given, size_t rank) const {
  require(given >= 0 && static_cast<size_t>(given) < rank, [&] {
    return "axis is " + std::to_string(given) + ", must be 0.." +
           std::to_string(static_cast<int64_t>(rank) - 1);
  });
  return given;
}

}  // namespace presil::import::tosa

namespace presil::import {

ir::Graph import_tosa(const uint8_t* bytes, size_t size, const std::string& name) {
  return tosa::Importer(bytes, size, name).import();
}

std::vector<std::string> tosa_operators() {
  std::vector<std::string> names;
  for (const auto& [op, conversion] : tosa::conversions()) {
    names.push_back(tosa::file::EnumNameOp(op));
  }
  return names;
}

}  // namespace presil::import
