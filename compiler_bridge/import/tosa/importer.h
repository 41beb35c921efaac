// What conversions of TOSA operators work with: tensors by name, constant shapes, and the graph
// that they add to.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler_bridge/import/tosa/zero_points.h"
#include "compiler_bridge/ir/graph.h"
#include "tosa_generated.h"

namespace presil::import::tosa {

using Shape = std::vector<int64_t>;

class Importer {
 public:
  Importer(const uint8_t* bytes, size_t size, std::string name);
  ir::Graph import();

  // ---- for conversions, of the operator that is converted
  file::Op code() const { return m_op->op(); }
  [[noreturn]] void refuse(const std::string& what) const;
  template <class What>
  void require(bool holds, const What& what) const {
    if (!holds) refuse(what());
  }
  /// Its attributes; refused where the file has none, or another operator's.
  template <class T>
  const T& options() const {
    if (!has_own_attributes()) refuse("its attributes are missing, or of another operator");
    return *static_cast<const T*>(m_op->attribute());
  }
  size_t inputs() const { return m_op->inputs() == nullptr ? 0 : m_op->inputs()->size(); }
  ir::TensorId in(size_t input) const;
  const ir::Tensor& tensor(ir::TensorId id) const { return m_graph.tensor(id); }
  ir::DType type(size_t input) const { return tensor(in(input)).dtype; }
  /// Of the result, as the file states it.
  ir::DType result_type() const;
  /// Numbers that say how: a constant shape, or a constant tensor of integers.
  std::vector<int64_t> numbers(size_t input, const std::string& what) const;
  /// A zero point: one constant number. @param is_unsigned the bits are those of an unsigned one
  int zero_point(size_t input, const std::string& what, bool is_unsigned = false) const;
  /// A list of the attributes of `count` numbers.
  std::vector<int64_t> list(const flatbuffers::Vector<int32_t>* values, const char* what,
                            size_t count) const;
  /// An axis of `rank` axes.
  int axis(int32_t given, size_t rank) const;

  ir::TensorId constant(const std::string& what, ir::DType dtype, Shape shape,
                        const std::vector<int64_t>& values);
  /// The first input, a constant, in another shape.
  ir::TensorId reshaped(const Shape& shape);
  /// Adds an operator; the shape of its result follows from its inputs unless it is stated.
  ir::TensorId make(ir::OpKind kind, ir::Attributes attributes, std::vector<ir::TensorId> inputs,
                    ir::DType dtype, std::optional<Shape> shape = std::nullopt);
  /// The same numbers in another type; a constant stays one.
  ir::TensorId cast(ir::TensorId id, ir::DType dtype);
  /// Within least..most, which are numbers of its type.
  ir::TensorId clamp(ir::TensorId id, int64_t least, int64_t most);
  /// The operator's result.
  void give(ir::TensorId id);
  /// The operator's result is a constant shape.
  void give_numbers(std::vector<int64_t> numbers);

  ZeroPoints& zero_points() { return m_zero_points; }

 private:
  void open();
  void take_inputs();
  void take_constant(const file::Tensor& from);
  void convert(size_t index);
  const file::Tensor* stated(const std::string& name) const;
  Shape shape_of(const file::Tensor& from) const;
  ir::DType type_of(const file::Tensor& from) const;
  bool has_own_attributes() const;
  const std::string& result() const { return m_result; }
  std::string called() const;

  const uint8_t* m_bytes;
  size_t m_size;
  const file::Block* m_block = nullptr;
  const file::Operator* m_op = nullptr;
  size_t m_index = 0;
  size_t m_made = 0;     ///< operators made for this one
  std::string m_result;  ///< name of its first result
  ir::Graph m_graph;
  std::map<std::string, const file::Tensor*> m_stated;
  std::map<std::string, ir::TensorId> m_tensors;
  std::map<std::string, std::vector<int64_t>> m_numbers;  ///< constant shapes
  ZeroPoints m_zero_points;
};

/// One operator of the format: what it becomes. A new one is a line in its family's table.
struct Conversion {
  file::Op op;
  size_t min_inputs, max_inputs;
  void (*convert)(Importer& importer);
};
const std::vector<Conversion>& of_products();
const std::vector<Conversion>& of_windows();
const std::vector<Conversion>& of_pairs();
const std::vector<Conversion>& of_functions();
const std::vector<Conversion>& of_reductions();
const std::vector<Conversion>& of_moves();
const std::vector<Conversion>& of_scales();
/// All of them, by the format's numbers.
const std::map<file::Op, Conversion>& conversions();

}  // namespace presil::import::tosa
