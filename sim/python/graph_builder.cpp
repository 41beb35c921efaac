#include "sim/python/graph_builder.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/ir/shape.h"
#include "compiler_bridge/ir/type_rules.h"
#include "models/base/closest.h"
#include "models/base/refusal.h"
#include "sim/python/arrays.h"

namespace py = pybind11;

namespace presil::python {
namespace {

constexpr ir::Activation kActivations[] = {ir::Activation::kNone, ir::Activation::kRelu,
                                           ir::Activation::kRelu6, ir::Activation::kReluN1To1};

[[noreturn]] void refuse(const std::string& what) {
  throw Refusal("builder", what);
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

py::object to_python(ir::Activation value) {
  return py::str(ir::to_string(value));
}
template <class T>
py::object to_python(const T& value) {
  return py::cast(value);
}

void from_python(const py::handle& given, ir::Activation& value) {
  const auto name = given.cast<std::string>();
  for (const ir::Activation act : kActivations) {
    if (name != ir::to_string(act)) continue;
    value = act;
    return;
  }
  throw py::cast_error(name);
}
template <class T>
void from_python(const py::handle& given, T& value) {
  value = given.cast<T>();
}

std::string kind_of(ir::Activation) {
  return "none, relu, relu6 or relu_n1_to_1";
}
std::string kind_of(bool) {
  return "True or False";
}
std::string kind_of(int) {
  return "an integer of 32 bits";
}
std::string kind_of(float) {
  return "a number";
}
std::string kind_of(const std::string&) {
  return "a text";
}
template <class T>
std::string kind_of(const std::vector<T>&) {
  return std::is_integral_v<T> ? "a list of integers" : "a list of numbers";
}

/// Puts given values into the fields that they name.
void set_attributes(ir::Op& op, const std::string& subject, const py::dict& given) {
  std::vector<std::string> known;
  size_t taken = 0;
  std::visit(
      [&](auto& a) {
        std::decay_t<decltype(a)>::fields(a, [&](const char* name, auto& field) {
          known.push_back(name);
          if (!given.contains(name)) return;
          ++taken;
          const py::object value = given[name];
          try {
            from_python(value, field);
          } catch (const py::cast_error&) {
            refuse(subject + ": " + name + " is " + py::repr(value).cast<std::string>() +
                   ", expected " + kind_of(field));
          }
        });
      },
      op.attributes);
  if (taken == given.size()) return;
  for (const auto& [name, value] : given) {
    const auto text = py::str(name).cast<std::string>();
    if (std::find(known.begin(), known.end(), text) != known.end()) continue;
    refuse(subject + " has no attribute '" + text + "', it has: " + joined(known));
  }
}

ir::DType dtype_named(const std::string& name) {
  std::vector<std::string> known;
  for (int i = 0; i <= static_cast<int>(ir::DType::kBool); ++i) {
    known.push_back(ir::to_string(static_cast<ir::DType>(i)));
    if (name == known.back()) return static_cast<ir::DType>(i);
  }
  refuse("there is no type '" + name + "', expected one of " + joined(known));
}

/// A tensor as Python describes it; no shape: what the operator's rule says.
struct Type {
  std::string dtype;
  std::optional<std::vector<int64_t>> shape;
  std::vector<float> scales;
  std::vector<int64_t> zero_points;
  int axis = -1;
};

ir::Tensor tensor_of(const std::string& name, const Type& type) {
  ir::Tensor tensor;
  tensor.name = name;
  tensor.dtype = dtype_named(type.dtype);
  tensor.shape = type.shape.value_or(std::vector<int64_t>());
  tensor.quantization = {type.scales, type.zero_points, type.axis};
  return tensor;
}

class GraphBuilder {
 public:
  GraphBuilder(const std::string& name, const std::string& numerics) {
    m_graph.name = name;
    for (const auto rules : {ir::Numerics::kTflite, ir::Numerics::kXnnpack, ir::Numerics::kOnnx}) {
      if (numerics == ir::to_string(rules)) m_graph.numerics = rules;
    }
  }

  ir::TensorId input(const std::string& name, const Type& type) {
    const ir::TensorId id = m_graph.add(sound(tensor_of(name, type)));
    m_graph.inputs.push_back(id);
    return id;
  }

  ir::TensorId constant(const std::string& name, const Type& type, const py::array& values) {
    ir::Tensor tensor = tensor_of(name, type);
    tensor.data = std::make_shared<const ir::Bytes>(to_value(values, tensor).data);
    return m_graph.add(sound(std::move(tensor)));
  }

  std::vector<ir::TensorId> op(const std::string& kind, const std::string& name,
                               const std::vector<ir::TensorId>& inputs, const py::dict& attributes,
                               const std::vector<Type>& types,
                               const std::vector<std::string>& names) {
    const ir::OpInfo* info = ir::find_op(kind);
    if (info == nullptr) {
      std::vector<std::string> known;
      for (const ir::OpInfo& one : ir::op_table()) known.emplace_back(one.name);
      refuse("there is no operator '" + kind + "'" + did_you_mean(kind, known) +
             "; Builder.operators() has all");
    }
    const std::string subject = kind + " '" + name + "'";
    const bool too_many = !info->variadic && inputs.size() > info->inputs.size();
    if (inputs.size() < info->min_inputs || too_many) {
      refuse(subject + " got " + std::to_string(inputs.size()) + " inputs, expected " +
             joined(info->inputs) + (info->variadic ? " and more of the last" : ""));
    }
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i] == ir::kAbsent && (i < info->min_inputs || info->variadic)) {
        refuse(subject + ": its input " + info->inputs[std::min(i, info->inputs.size() - 1)] +
               " is None, which only an optional input may be");
      }
    }
    ir::Op op{info->kind, name, inputs, {}, info->defaults, {}};
    set_attributes(op, subject, attributes);
    op.source_ops = {static_cast<int>(m_graph.ops.size())};
    for (size_t i = 0; i < types.size(); ++i) {
      op.outputs.push_back(m_graph.add(tensor_of(names[i], types[i])));
    }
    settle(op, types);
    return m_graph.add(std::move(op)).outputs;
  }

  size_t tensors() const { return m_graph.tensors.size(); }
  /// Tensors from number `size` on go: they were added for something that was then refused.
  void forget(size_t size) {
    m_graph.tensors.resize(std::min(size, m_graph.tensors.size()));
    const auto gone = [&](ir::TensorId id) { return static_cast<size_t>(id) >= size; };
    auto& inputs = m_graph.inputs;
    inputs.erase(std::remove_if(inputs.begin(), inputs.end(), gone), inputs.end());
  }

  std::vector<int64_t> shape(ir::TensorId id) const { return m_graph.tensor(id).shape; }

  ir::Graph build(const std::vector<ir::TensorId>& outputs) const {
    ir::Graph graph = m_graph;
    graph.outputs = outputs;
    ir::verify(graph);
    return graph;
  }

 private:
  /// Refuses a scale, zero point, shape or payload that does not fit, where it is given.
  static ir::Tensor sound(ir::Tensor tensor) {
    ir::Graph alone;
    alone.add(tensor);
    ir::verify(alone);
    return tensor;
  }

  /// Shapes of the results by the operator's rule, then whether all fits.
  void settle(const ir::Op& op, const std::vector<Type>& types) {
    const std::vector<ir::Shape> shapes = ir::infer_shapes(m_graph, op);
    for (size_t i = 0; i < types.size(); ++i) {
      ir::Tensor& tensor = m_graph.tensor(op.outputs[i]);
      if (types[i].shape && *types[i].shape != shapes[i]) {
        refuse(std::string(ir::to_string(op.kind)) + " '" + op.name + "': " +
               ir::info(op.kind).output_name(i) + " is said to be " + ir::to_string(tensor.shape) +
               ", its inputs make it " + ir::to_string(shapes[i]) + "; leave the shape out");
      }
      tensor.shape = shapes[i];
      sound(tensor);
    }
    ir::check_types(m_graph, op);
  }

  ir::Graph m_graph;
};

/// {"op": "conv2d", "inputs": [...], "required": 2, "outputs": ["y"], "attributes": {"groups": 1}}
py::list operators() {
  py::list rows;
  for (const ir::OpInfo& info : ir::op_table()) {
    py::dict attributes;
    std::visit(
        [&](const auto& a) {
          std::decay_t<decltype(a)>::fields(
              a, [&](const char* name, const auto& value) { attributes[name] = to_python(value); });
        },
        info.defaults);
    py::dict row;
    row["op"] = info.name;
    row["inputs"] = info.inputs;
    row["required"] = info.min_inputs;
    row["variadic"] = info.variadic;
    row["outputs"] = info.outputs;
    row["variadic_outputs"] = info.variadic_outputs;
    row["attributes"] = attributes;
    rows.append(row);
  }
  return rows;
}

}  // namespace

void bind_graph_builder(py::module_& m) {
  py::class_<Type>(m, "TensorType")
      .def(py::init([](const std::string& dtype, std::optional<std::vector<int64_t>> shape,
                       const std::vector<float>& scales, const std::vector<int64_t>& zero_points,
                       int axis) {
        return Type{dtype, std::move(shape), scales, zero_points, axis};
      }));
  py::class_<GraphBuilder>(m, "GraphBuilder")
      .def(py::init<const std::string&, const std::string&>())
      .def("input", &GraphBuilder::input)
      .def("constant", &GraphBuilder::constant)
      .def("op", &GraphBuilder::op)
      .def_property_readonly("tensors", &GraphBuilder::tensors)
      .def("forget", &GraphBuilder::forget)
      .def("shape", &GraphBuilder::shape)
      .def("build", &GraphBuilder::build);
  m.def("operators", operators);
}

}  // namespace presil::python
