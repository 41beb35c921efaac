// The file as a whole: checked by the FlatBuffers verifier, then every index, type, shape and size.
#include <algorithm>
#include <optional>

#include "compiler_bridge/import/constants.h"
#include "compiler_bridge/import/tflite.h"
#include "compiler_bridge/import/tflite/known_numbers.h"
#include "compiler_bridge/import/tflite/reader.h"
#include "compiler_bridge/import/tflite/unlike_scales.h"
#include "compiler_bridge/import/tflite/variables.h"
#include "compiler_bridge/import/unsigned_bytes.h"
#include "compiler_bridge/ir/shape.h"
#include "models/base/refusal.h"
#include "models/base/utf8.h"

namespace presil::import {
namespace {

constexpr int64_t kMaxElements = int64_t{1} << 31;
constexpr int kMaxVersion = 32;  // the format's operators are at 15 at most today

/// As code_of names it.
std::string name_of(const Conversion& entry) {
  const std::string name = file::EnumNameBuiltin(entry.code);
  return entry.code == file::Builtin_CUSTOM ? name + ":" + entry.custom : name;
}

class Importer {
 public:
  Importer(const uint8_t* bytes, size_t size, const std::string& name,
           const CustomOperators& customs)
      : m_bytes(bytes), m_size(size), m_customs(customs) {
    m_graph.name = name;
  }

  ir::Graph import() {
    open();
    m_graph.tensors.resize(m_subgraph->tensors()->size());
    m_seen.assign(m_graph.tensors.size(), false);
    m_unsigned.assign(m_graph.tensors.size(), false);
    m_graph.inputs = ids(m_subgraph->inputs(), "the network's inputs", false);
    m_graph.outputs = ids(m_subgraph->outputs(), "the network's outputs", false);
    if (m_graph.inputs.empty() || m_graph.outputs.empty()) {
      refuse("it has " + std::to_string(m_graph.inputs.size()) + " inputs and " +
             std::to_string(m_graph.outputs.size()) + " outputs, must have at least one of each");
    }
    check_states(m_graph.inputs, {});
    check_states(m_graph.outputs, {});
    for (ir::TensorId id : m_graph.inputs) check_input(id);
    m_variables.emplace(*m_model, [this](const std::string& what) { refuse(what); });
    for (size_t i = 0; i < m_subgraph->operators()->size(); ++i) convert(i);
    m_variables->check_subgraphs();
    m_variables->keep_signed(m_unsigned);
    restore_boundary(m_graph, m_unsigned);
    m_variables->finish(m_graph);
    ir::drop_unused_tensors(m_graph);
    const RefusalContext context("import", m_graph.name + ": the network does not hold together");
    ir::verify(m_graph);
    return std::move(m_graph);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Refusal("import", m_graph.name + ": " + what);
  }

  void open() {
    const std::string size = std::to_string(m_size) + " bytes";
    if (m_size == 0) refuse("the file is empty, must be a TFLite network");
    if (m_size < 8 || !file::ModelBufferHasIdentifier(m_bytes)) {
      refuse("its " + size + " are no TFLite file: bytes 4 to 7 must be \"TFL3\"");
    }
    flatbuffers::Verifier verifier(m_bytes, m_size, 64, 10'000'000);
    if (!file::VerifyModelBuffer(verifier)) {
      refuse("the TFLite file is damaged: its tables point outside its " + size +
             "; fetch or export it again");
    }
    m_model = file::GetModel(m_bytes);
    if (m_model->version() != 3) {
      refuse("its format version is " + std::to_string(m_model->version()) + ", must be 3");
    }
    const auto* subgraphs = m_model->subgraphs();
    if (subgraphs == nullptr || subgraphs->size() == 0) {
      refuse("it holds 0 subgraphs, must have one");
    }
    m_subgraph = subgraphs->Get(0);
    if (m_subgraph->tensors() == nullptr || m_subgraph->operators() == nullptr ||
        m_model->operator_codes() == nullptr || m_model->buffers() == nullptr) {
      refuse("the TFLite file is damaged: it lacks tensors, operators, codes or buffers");
    }
  }

  /// Tensor ids of a list; each is taken over from the file when it is first named.
  std::vector<ir::TensorId> ids(const flatbuffers::Vector<int32_t>* list, const std::string& where,
                                bool optional) {
    std::vector<ir::TensorId> result;
    if (list == nullptr) return result;
    for (int32_t id : *list) {
      if (id == ir::kAbsent && optional) {
        result.push_back(id);
        continue;
      }
      result.push_back(take(id, where));
    }
    return result;
  }

  ir::TensorId take(int32_t id, const std::string& where) {
    if (id < 0 || static_cast<size_t>(id) >= m_seen.size()) {
      refuse(where + " name tensor " + std::to_string(id) + ", the file has 0.." +
             std::to_string(static_cast<int64_t>(m_seen.size()) - 1));
    }
    if (!m_seen[static_cast<size_t>(id)]) {
      m_seen[static_cast<size_t>(id)] = true;
      ir::Tensor& taken = m_graph.tensor(id) = tensor(static_cast<uint32_t>(id));
      m_unsigned[static_cast<size_t>(id)] = make_signed(
          taken, m_graph.name + ": tensor " + std::to_string(id) + " \"" + taken.name + "\"");
    }
    return id;
  }

  ir::DType dtype(file::TensorType type, const std::string& subject) const {
    switch (type) {
      case file::TensorType_Int8:
        return ir::DType::kInt8;
      case file::TensorType_Uint8:
        return ir::DType::kUint8;
      case file::TensorType_Int16:
        return ir::DType::kInt16;
      case file::TensorType_Int32:
        return ir::DType::kInt32;
      case file::TensorType_Int64:
        return ir::DType::kInt64;
      case file::TensorType_Float32:
        return ir::DType::kFloat32;
      case file::TensorType_Bool:
        return ir::DType::kBool;
      default:
        refuse(subject + " has element type " + file::EnumNameTensorType(type) + " (" +
               std::to_string(type) +
               "), must be int8, uint8, int16, int32, int64, float32 or bool");
    }
  }

  ir::Tensor tensor(uint32_t index) const {
    const file::Tensor& from = *m_subgraph->tensors()->Get(index);
    ir::Tensor tensor;
    if (from.name() != nullptr) tensor.name = printable(from.name()->string_view());
    const std::string subject = "tensor " + std::to_string(index) + " \"" + tensor.name + "\"";
    // Constants of half precision are read as float32, by DEQUANTIZE before their consumers.
    const bool halves = from.type() == file::TensorType_Float16 && has_data(from);
    tensor.dtype = halves ? ir::DType::kFloat32 : dtype(from.type(), subject);
    if (from.sparsity() != nullptr) refuse(subject + " is stored sparse, must be dense");
    int64_t count = 1;
    if (from.shape() != nullptr) {
      for (int32_t extent : *from.shape()) {
        if (extent < 1 || extent > kMaxElements / count) {
          refuse(
              subject + " has an extent of " + std::to_string(extent) +
              ", must have fixed shapes of at least 1 and at most 2^31 elements together; export "
              "the network with a fixed input shape");
        }
        count *= extent;
        tensor.shape.push_back(extent);
      }
    }
    // Files may keep the scale that a float was to get.
    if (tensor.dtype != ir::DType::kFloat32) {
      tensor.quantization = quantization(from, subject, tensor);
    }
    if (!from.is_variable()) set_data(from, subject, tensor);  // a state starts at 0
    return tensor;
  }

  ir::Quantization quantization(const file::Tensor& from, const std::string& subject,
                                const ir::Tensor& tensor) const {
    ir::Quantization q;
    const file::Quantization* stored = from.quantization();
    if (stored == nullptr || stored->scale() == nullptr || stored->scale()->size() == 0) return q;
    if (stored->details_type() != file::QuantizationDetails_NONE) {
      refuse(subject + " is quantised in a custom way, must have scale and zero point");
    }
    q.scales.assign(stored->scale()->begin(), stored->scale()->end());
    if (stored->zero_point() != nullptr) {
      // Copied as bytes: a damaged file may hold its numbers at odd places.
      q.zero_points.resize(stored->zero_point()->size());
      std::copy_n(stored->zero_point()->Data(), q.zero_points.size() * sizeof(int64_t),
                  reinterpret_cast<uint8_t*>(q.zero_points.data()));
    }
    // One zero point, or none, may stand for all.
    if (q.zero_points.size() <= 1) {
      q.zero_points.resize(q.scales.size(), q.zero_points.empty() ? 0 : q.zero_points[0]);
    }
    if (q.scales.size() > 1) {
      // Some files give a bias the axis of its weights; a vector has only one.
      q.axis = tensor.shape.size() == 1 ? 0 : stored->quantized_dimension();
    }
    if (q.axis >= static_cast<int>(tensor.shape.size()) || (q.scales.size() > 1 && q.axis < 0)) {
      refuse(subject + " is quantised along axis " + std::to_string(q.axis) + " of " +
             ir::to_string(tensor.shape));
    }
    return q;
  }

  bool has_data(const file::Tensor& from) const {
    const auto& buffers = *m_model->buffers();
    if (from.buffer() == 0 || from.buffer() >= buffers.size()) return false;
    return stored(*buffers.Get(from.buffer()), "").size > 0;
  }

  struct Stored {
    const uint8_t* data;
    size_t size;
  };

  /// A buffer's bytes: in the flatbuffer, or after it where the buffer has an offset in the file.
  Stored stored(const file::Buffer& buffer, const std::string& subject) const {
    if (buffer.offset() <= 1) {
      const auto* data = buffer.data();
      return data == nullptr ? Stored{nullptr, 0} : Stored{data->data(), data->size()};
    }
    if (buffer.offset() > m_size || buffer.size() > m_size - buffer.offset()) {
      refuse(subject + " has its " + std::to_string(buffer.size()) + " bytes at offset " +
             std::to_string(buffer.offset()) + ", the file has " + std::to_string(m_size) +
             "; fetch or export it again");
    }
    return {m_bytes + buffer.offset(), buffer.size()};
  }

  void set_data(const file::Tensor& from, const std::string& subject, ir::Tensor& tensor) const {
    const auto& buffers = *m_model->buffers();
    if (from.buffer() >= buffers.size()) {
      refuse(subject + " names buffer " + std::to_string(from.buffer()) + ", the file has 0.." +
             std::to_string(static_cast<int64_t>(buffers.size()) - 1));
    }
    const Stored bytes = stored(*buffers.Get(from.buffer()), subject);
    if (from.buffer() == 0 || bytes.size == 0) return;
    const bool halves = from.type() == file::TensorType_Float16;
    const size_t expected = halves ? tensor.bytes() / 2 : tensor.bytes();
    if (bytes.size != expected) {
      refuse(subject + " holds " + std::to_string(bytes.size) + " bytes, its type " +
             (halves ? "float16" + ir::to_string(tensor.shape) : ir::type_of(tensor)) +
             " requires " + std::to_string(expected));
    }
    if (halves) {
      tensor.data = std::make_shared<const ir::Bytes>(widen_halves(bytes.data, expected));
      return;
    }
    tensor.data = std::make_shared<const ir::Bytes>(bytes.data, bytes.data + bytes.size);
  }

  /// Only the batch may be left open in the file; it is run as the shape says, one by one.
  void check_input(ir::TensorId id) const {
    const file::Tensor& from = *m_subgraph->tensors()->Get(static_cast<uint32_t>(id));
    const std::string subject = "input \"" + m_graph.tensor(id).name + "\"";
    if (m_graph.tensor(id).is_constant()) refuse(subject + " is a constant");
    if (from.shape_signature() == nullptr) return;
    for (uint32_t i = 1; i < from.shape_signature()->size(); ++i) {
      if (from.shape_signature()->Get(i) < 0) {
        refuse(subject + " leaves axis " + std::to_string(i) +
               " open, must have fixed shapes; export the network with a fixed input shape");
      }
    }
  }

  std::pair<file::Builtin, std::string> code_of(size_t index, const file::Operator& from) const {
    const auto& codes = *m_model->operator_codes();
    const std::string subject = "op " + std::to_string(index);
    if (from.opcode_index() >= codes.size()) {
      refuse(subject + " names operator code " + std::to_string(from.opcode_index()) +
             ", the file has 0.." + std::to_string(static_cast<int64_t>(codes.size()) - 1));
    }
    const file::OperatorCode& code = *codes.Get(from.opcode_index());
    // Old files have the short number only, new ones both; the larger is meant.
    const int number = std::max<int>(code.code(), code.short_code());
    std::string name = file::EnumNameBuiltin(static_cast<file::Builtin>(number));
    if (name.empty()) name = "number " + std::to_string(number);
    if (code.version() < 1 || code.version() > kMaxVersion) {
      refuse(subject + ", " + name + ", is of version " + std::to_string(code.version()) +
             ", must be 1.." + std::to_string(kMaxVersion) +
             "; export the network with an older converter");
    }
    if (number == file::Builtin_CUSTOM && code.custom_code() != nullptr) {
      name += ":" + printable(code.custom_code()->string_view());
    }
    return {static_cast<file::Builtin>(number), name};
  }

  /// Operators have no name in the file: they go by their first result's.
  std::string name_of_first(const flatbuffers::Vector<int32_t>* list) const {
    if (list == nullptr || list->size() == 0) return "";
    const int32_t id = list->Get(0);
    if (id < 0 || static_cast<uint32_t>(id) >= m_subgraph->tensors()->size()) return "";
    const auto* name = m_subgraph->tensors()->Get(static_cast<uint32_t>(id))->name();
    return name == nullptr ? "" : printable(name->string_view());
  }

  [[noreturn]] void refuse_operator(const std::string& called, file::Builtin code) const {
    switch (code) {
      case file::Builtin_WHERE:
      case file::Builtin_UNIQUE:
        refuse(
            called +
            ": the size of its result depends on values, must have fixed shapes; replace it by a "
            "select or cut the network before it");
      default:
        refuse(called + ": this operator cannot be imported; `presil ops` lists those that can, " +
               (code == file::Builtin_CUSTOM
                    ? "replace it, cut the network before it, or register "
                      "a kernel for it (--kernels, driver/kernels/dsp/README.md)"
                    : "replace it or cut the network before it"));
    }
  }

  void convert(size_t index) {
    const file::Operator& from = *m_subgraph->operators()->Get(static_cast<uint32_t>(index));
    const auto [code, code_name] = code_of(index, from);
    ir::Op op;
    op.name = name_of_first(from.outputs());
    std::string called = "op " + std::to_string(index) + ", " + code_name;
    if (!op.name.empty()) called += " \"" + op.name + "\"";
    if (is_of_variables(code)) {
      m_variables->convert(m_graph, code, from, called,
                           [&](int32_t id) { return take(id, called); });
      return;
    }
    const auto& table = conversions();
    const auto entry = std::find_if(
        table.begin(), table.end(), [sought = code, full = code_name](const Conversion& c) {
          return c.code == sought && (sought != file::Builtin_CUSTOM || full == name_of(c));
        });
    const auto known = code == file::Builtin_CUSTOM && entry == table.end()
                           ? m_customs.find(code_name.substr(code_name.find(':') + 1))
                           : m_customs.end();
    const bool custom = known != m_customs.end();
    if (entry == table.end() && !custom && !calculates(code)) refuse_operator(called, code);
    op.outputs = ids(from.outputs(), called + ": its outputs", false);
    op.inputs = ids(from.inputs(), called + ": its inputs", true);
    refuse_given_results(op, called);
    if (calculates_known_numbers(m_graph, code, op)) return;
    if (entry == table.end() && !custom) refuse_operator(called, code);
    op.kind = custom ? ir::OpKind::kCustom : entry->kind;
    op.attributes = ir::info(op.kind).defaults;
    op.source_ops = {static_cast<int>(index)};
    check_states(op.inputs, custom ? std::vector<size_t>() : entry->states);
    std::vector<ir::Op> following;
    const OpReader reader{m_graph.name, index, code, from, m_graph, m_unsigned, op, following};
    if (custom) {
      import::custom(reader, known->first, known->second);
      m_graph.add(std::move(op));
      return;
    }
    check_signature(reader, *entry);
    if (folds(op)) return;
    entry->convert(reader);
    if (!op.outputs.empty()) add_scaled(std::move(op));  // else it became a constant
    for (ir::Op& more : following) add_scaled(std::move(more));
  }

  void add_scaled(ir::Op op) {
    std::vector<ir::Op> table = with_scale_of_x(m_graph, op);
    add(std::move(op));
    for (ir::Op& more : table) add(std::move(more));
  }

  /// Before anything gives them another shape: that of a constant holds for its bytes.
  void refuse_given_results(const ir::Op& op, const std::string& called) const {
    for (const ir::TensorId id : op.outputs) {
      const ir::Tensor& tensor = m_graph.tensor(id);
      if (!tensor.is_constant()) continue;
      refuse(called + ": its result " + std::to_string(id) + " \"" + tensor.name +
             "\" is a constant, must be a tensor that it computes");
    }
  }

  void add(ir::Op op) {
    if (!moves_known_numbers(m_graph, op)) m_graph.add(std::move(op));
  }

  /// A constant that DEQUANTIZE makes of a smaller one is there from the start.
  bool folds(const ir::Op& op) {
    if (op.kind != ir::OpKind::kDequantize || !m_graph.tensor(op.input(0)).is_constant()) {
      return false;
    }
    const ir::Tensor& from = m_graph.tensor(op.input(0));
    ir::Tensor& to = m_graph.tensor(op.output());
    const auto values = dequantized(from);
    if (to.dtype != ir::DType::kFloat32 || to.shape != from.shape || !values) return false;
    to.data = values;
    return true;
  }

  /// Only what an operator knows as its state may be a variable.
  void check_states(const std::vector<ir::TensorId>& inputs, const std::vector<size_t>& states) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i] == ir::kAbsent || std::count(states.begin(), states.end(), i) != 0) continue;
      const auto index = static_cast<uint32_t>(inputs[i]);
      if (!m_subgraph->tensors()->Get(index)->is_variable()) continue;
      refuse("tensor " + std::to_string(index) + " \"" + m_graph.tensor(inputs[i]).name +
             "\" keeps its value between runs, which is not supported");
    }
  }

  void check_signature(const OpReader& r, const Conversion& entry) const {
    const size_t count = r.op.inputs.size();
    r.require(count >= entry.min_inputs && count <= entry.max_inputs, [&] {
      return "it has " + std::to_string(count) + " inputs, expected " +
             std::to_string(entry.min_inputs) + ".." + std::to_string(entry.max_inputs);
    });
    const size_t results = r.op.outputs.size();
    r.require(results >= entry.min_outputs && results <= entry.max_outputs, [&] {
      const std::string least = std::to_string(entry.min_outputs);
      const std::string most = std::to_string(entry.max_outputs);
      return "it has " + std::to_string(results) + " outputs, expected " +
             (entry.min_outputs == entry.max_outputs ? most : least + ".." + most);
    });
    for (size_t i = 0; i < entry.min_inputs; ++i) {
      r.require(r.has(i), [&] { return "its input " + std::to_string(i) + " is missing"; });
    }
    std::string expected;
    bool fits = false;
    const bool is_unsigned = r.is_unsigned(entry.data);
    const ir::DType stored = is_unsigned ? ir::DType::kUint8 : r.in(entry.data).dtype;
    for (ir::DType type : entry.types) {
      expected += (expected.empty() ? "" : " or ") + std::string(to_string(type));
      fits = fits || stored == type;
    }
    r.require(fits, [&] {
      return "its input is " + (is_unsigned ? "uint8" : ir::type_of(r.in(entry.data))) +
             ", must be " + expected +
             (entry.types == types::kFloat ? "" : "; quantise the network to int8 first");
    });
  }

  const uint8_t* m_bytes;
  size_t m_size;
  const CustomOperators& m_customs;
  const file::Model* m_model = nullptr;
  const file::SubGraph* m_subgraph = nullptr;
  std::vector<bool> m_seen;      ///< tensors taken over
  std::vector<bool> m_unsigned;  ///< of those: uint8 in the file, int8 in the graph
  std::optional<Variables> m_variables;
  ir::Graph m_graph;
};

}  // namespace

ir::Graph import_tflite(const uint8_t* bytes, size_t size, const std::string& name,
                        const CustomOperators& customs) {
  return Importer(bytes, size, name, customs).import();
}

std::vector<ImportableOp> importable_ops() {
  std::vector<ImportableOp> list;
  for (const Conversion& entry : conversions()) {
    std::string types;
    for (ir::DType type : entry.types) {
      types += (types.empty() ? "" : ", ") + std::string(ir::to_string(type));
    }
    list.push_back({name_of(entry), entry.kind, types});
  }
  return list;
}

}  // namespace presil::import
