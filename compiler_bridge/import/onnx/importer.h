// What conversions of ONNX operators work with: values by name, their layout, whether they are
// stored quantised; and the graph that they add to.
//
// An image is N, C, H, W in the file and N, H, W, C in the graph. A value knows which of both its
// tensor is; operators that see no layout keep it, those that do ask for one, and a transpose is
// added where it is the other. What DequantizeLinear gives is kept as stored values until an
// operator needs real ones: moves work on them, and an operator whose operands all are so, and
// whose result goes to QuantizeLinear alone, computes with integers.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler_bridge/import/onnx/file.h"
#include "compiler_bridge/ir/graph.h"

namespace presil::import::onnx {

using Shape = std::vector<int64_t>;

inline constexpr int64_t kMostElements = int64_t{1} << 31;  ///< of a tensor

struct Value {
  ir::TensorId id = ir::kAbsent;
  Shape shape;             ///< as in the file
  bool nhwc = false;       ///< the tensor is N, H, W, C of `shape`, which is N, C, H, W
  bool quantized = false;  ///< real numbers in the file, stored values in the tensor
};

/// Where the result of an operator goes, if that is to one QuantizeLinear alone.
struct Quantizer {
  ir::Activation act = ir::Activation::kNone;
  ir::DType dtype = ir::DType::kInt8;
  ir::Quantization quantization;
  std::string output;         ///< of the QuantizeLinear
  std::vector<size_t> nodes;  ///< those that the operator takes with it
};

/// A sum of an operator's result and a constant row, which nothing else reads.
struct Sum {
  Value row;
  std::string output;
  size_t node = 0;
};

class Importer {
 public:
  /// signed_inputs: of a network of whole numbers, whose file does not say it
  Importer(const File& file, std::string name, bool signed_inputs);
  ir::Graph import();

  // ---- for conversions, of the node that is converted
  const Node& node() const { return *m_node; }
  int64_t opset() const { return m_file.opset; }
  [[noreturn]] void refuse(const std::string& what) const;
  template <class What>
  void require(bool holds, What what) const {
    if (!holds) refuse(what());
  }

  bool has(size_t input) const;
  Value in(size_t input);
  /// Constant numbers that say how, not what: shapes, axes, limits. Refuses what is computed.
  std::vector<int64_t> numbers(size_t input, const std::string& what);
  std::vector<float> reals(size_t input, const std::string& what);
  /// An attribute, or what holds without it.
  int64_t integer(const std::string& name, int64_t otherwise) const;
  float real(const std::string& name, float otherwise) const;
  std::string text(const std::string& name, const std::string& otherwise) const;
  std::vector<int64_t> integers(const std::string& name,
                                const std::vector<int64_t>& otherwise) const;
  size_t axis(int64_t given, size_t rank) const;

  bool is_constant(const Value& value) const { return m_graph.tensor(value.id).is_constant(); }
  const ir::Tensor& tensor(const Value& value) const { return m_graph.tensor(value.id); }
  /// The same in the file's order of axes, in N, H, W, C (@pre four axes), as real numbers.
  Value plain(const Value& value);
  Value image(const Value& value);
  Value dequantized(const Value& value);

  bool is_input(const Value& value) const {
    return m_graph.producer(value.id) < 0 && !is_constant(value);
  }
  bool signed_inputs() const { return m_signed_inputs; }
  /// An input of the network as stored values, one tensor for all that ask.
  Value quantized_input(const Value& value, const ir::Quantization& quantization);

  /// What `value` is a reshape of; itself where it is none.
  Value reshaped_from(const Value& value) const;
  /// Adds `more`, one for each channel or for all, to the constant bias of the sums that `value`
  /// is, of the node's `input`. @return false: it is no such sum, or others read it too
  bool add_to_bias(const Value& value, const std::vector<int32_t>& more, size_t input = 0);

  /// Adds a constant.
  ir::TensorId constant(ir::Tensor tensor);
  /// Says of a tensor of int8 that it is uint8 in the file, where it is an edge of the network.
  void set_unsigned(const Value& value) { m_unsigned.insert(value.id); }
  /// Whether its bytes are uint8 in the file.
  bool is_unsigned(const Value& value) const {
    return tensor(value).dtype == ir::DType::kUint8 || m_unsigned.count(value.id) != 0;
  }
  /// Of a Clip: the least and the greatest that it lets through; refuses what is computed.
  std::pair<float, float> limits(const Node& node) const;
  /// Whether a QuantizeLinear gives uint8.
  bool gives_unsigned(const Node& node) const;
  /// Says of an integer tensor what its values mean; refuses another meaning than it has.
  void set_quantization(const Value& value, const ir::Quantization& quantization);
  /// Adds an operator; shape and, of operators that keep it, type follow from the first input.
  /// shape: of the tensor, where it does not follow.
  ir::TensorId make(ir::OpKind kind, ir::Attributes attributes, std::vector<ir::TensorId> inputs,
                    const ir::Quantization& quantization, ir::DType dtype,
                    std::optional<Shape> shape = std::nullopt);
  /// The same with the type of `like`.
  ir::TensorId make_like(const Value& like, ir::OpKind kind, ir::Attributes attributes,
                         std::vector<ir::TensorId> inputs,
                         std::optional<Shape> shape = std::nullopt);
  /// The node's result k.
  void give(const Value& value, size_t k = 0);

  /// See Quantizer. relus: activations between are taken too.
  /// after: a sum that is taken with it before them.
  std::optional<Quantizer> quantizer(bool relus, const std::optional<Sum>& after = std::nullopt);
  /// The Add of a constant of `width` values that follows the node, where that alone reads it.
  std::optional<Sum> sum_with_row(int64_t width);
  void give(const Value& value, const Sum& sum);
  /// The result of an operator that took a quantizer with it.
  void give(const Value& value, const Quantizer& quantizer);
  /// Of signed or unsigned bytes with a zero point as the graph has them: int8.
  std::optional<ir::Quantization> quantization(const Node& node, ir::DType* dtype = nullptr);

 private:
  const std::string& result() const;
  const ir::Tensor* constant_of(const Node& node, size_t input) const;
  /// The one node after `index` that reads a value; `index` becomes its.
  const Node* only_reader(const std::string& name, size_t& index) const;
  ir::TensorId take(const std::string& name);
  void convert(size_t index);
  std::string called() const;

  const File& m_file;
  bool m_signed_inputs;
  ir::Graph m_graph;
  const Node* m_node = nullptr;
  size_t m_index = 0;
  std::map<std::string, Value> m_values;
  std::map<std::string, std::vector<size_t>> m_readers;  ///< nodes, by the value's name
  std::map<std::string, size_t> m_output_uses;           ///< of the network
  std::vector<bool> m_done;                              ///< nodes that another has taken with it
  std::map<ir::TensorId, Value> m_plain, m_image, m_real, m_stored_inputs;
  std::set<ir::TensorId> m_unsigned;  ///< int8 in the graph, uint8 in the file
};

/// One operator of the format: what it becomes. A new one is a line in its family's table.
struct Conversion {
  const char* op;
  void (*convert)(Importer& importer);
};
const std::vector<Conversion>& of_windows();
const std::vector<Conversion>& of_functions();
const std::vector<Conversion>& of_moves();
const std::vector<Conversion>& of_products();
const std::vector<Conversion>& of_numbers();
const std::vector<Conversion>& of_reductions();
const std::vector<Conversion>& of_sums();

/// Whole numbers of shapes (shapes.cpp). @return whether the node has computed some
bool computes_numbers(Importer& importer);
void shape_of(Importer& importer);
void constant_of_shape(Importer& importer);
void cast(Importer& importer);

/// "[1,3,8,8]" of the file's order.
Shape to_nhwc(const Shape& shape);

}  // namespace presil::import::onnx
