#include "sim/python/user_kernels.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "compiler_bridge/dsp_image/dsp_image.h"
#include "compiler_bridge/partition/dsp_user.h"
#include "compiler_bridge/placement/explain.h"
#include "sim/python/arrays.h"

namespace py = pybind11;

namespace presil::python {
namespace {

py::object to_python(ir::Activation value) {
  return py::str(ir::to_string(value));
}
template <class T>
py::object to_python(const T& value) {
  return py::cast(value);
}

py::list tensor_dicts(const ir::Graph& graph, const std::vector<ir::TensorId>& ids) {
  py::list list;
  for (const ir::TensorId id : ids) {
    list.append(id == ir::kAbsent ? py::object(py::none()) : python::tensor_dict(graph.tensor(id)));
  }
  return list;
}

}  // namespace

py::dict tensor_dict(const ir::Tensor& tensor) {
  py::dict d;
  d["name"] = tensor.name;
  d["dtype"] = ir::to_string(tensor.dtype);
  d["shape"] = tensor.shape;
  d["scales"] = tensor.quantization.scales;
  d["zero_points"] = tensor.quantization.zero_points;
  d["constant"] = tensor.is_constant();
  return d;
}

py::dict op_dict(const ir::Graph& graph, const ir::Op& op) {
  py::dict attributes;
  std::visit(
      [&](const auto& a) {
        std::decay_t<decltype(a)>::fields(
            a, [&](const char* name, const auto& value) { attributes[name] = to_python(value); });
      },
      op.attributes);
  py::dict d;
  d["kind"] = ir::to_string(op.kind);
  d["name"] = op.name;
  d["attributes"] = attributes;
  d["inputs"] = tensor_dicts(graph, op.inputs);
  d["outputs"] = tensor_dicts(graph, op.outputs);
  d["input_ids"] = op.inputs;
  d["output_ids"] = op.outputs;
  return d;
}

reference::CustomOperator custom_operator(const py::object& custom) {
  if (custom.is_none()) return {};
  return [&custom](const ir::Graph& graph, const ir::Op& op,
                   const std::vector<reference::TensorValue>& inputs) {
    py::gil_scoped_acquire acquire;
    py::list arrays;
    for (const auto& value : inputs) arrays.append(to_array(value));
    const auto results = custom(op_dict(graph, op), arrays).cast<std::vector<py::array>>();
    std::vector<reference::TensorValue> values;
    for (size_t i = 0; i < std::min(results.size(), op.outputs.size()); ++i) {
      values.push_back(to_value(results[i], graph.tensor(op.outputs[i])));
    }
    return values;
  };
}

import::CustomOperators custom_operators(const py::dict& shapes){import::CustomOperators operators;
for (const auto& [name, function] : shapes) {
  const auto call = py::reinterpret_borrow<py::object>(function);
  operators[name.cast<std::string>()] = [call](const ir::Graph& graph, const ir::Op& op) {
    return call(op_dict(graph, op)).cast<std::vector<std::vector<int64_t>>>();
  };
}
return operators;
}  // namespace presil::python

void bind_user_kernels(py::module_& m) {
  using dsp_image::Image;
  using partition::UserKernel;
  py::class_<Image, std::shared_ptr<Image>>(m, "DspImage")
      .def(py::init([](const py::bytes& elf, const std::string& name) {
        const std::string_view bytes = elf;
        return dsp_image::read_image({bytes.begin(), bytes.end()}, name);
      }))
      .def_readonly("name", &Image::name)
      .def_property_readonly("bytes", [](const Image& image) { return image.bytes.size(); })
      .def_property_readonly("kernels", &Image::kernels);
  using placement::Verdict;
  py::class_<Verdict>(m, "KernelVerdict")
      .def(py::init([](const std::string& kernel, const std::string& image, const std::string& rule,
                       const std::string& got, const std::string& limit) {
             Verdict v = placement::verdict(placement::Engine::kDsp, Verdict::Kind::kRule,
                                            {rule, got, limit});
             v.kernel = kernel, v.image = image;
             return v;
           }),
           py::kw_only(), py::arg("kernel"), py::arg("image"), py::arg("rule"), py::arg("got"),
           py::arg("limit"))
      .def_property_readonly("line", [](const Verdict& v) {
        return placement::kernel_text(v.kernel, v.image) + " " + placement::text(v);
      });
  py::class_<UserKernel>(m, "UserKernel")
      .def(py::init([](int op, const std::shared_ptr<Image>& image, const std::string& kernel,
                       const std::string& rule, const py::bytes& params, uint64_t cycles, int rows,
                       uint64_t scratch_bytes, bool prefer) {
             const std::string_view bytes = params;
             return UserKernel{op,     image, kernel,        rule,  {bytes.begin(), bytes.end()},
                               cycles, rows,  scratch_bytes, prefer};
           }),
           py::kw_only(), py::arg("op"), py::arg("image"), py::arg("kernel"), py::arg("rule"),
           py::arg("params"), py::arg("cycles"), py::arg("rows"), py::arg("scratch_bytes"),
           py::arg("prefer"));
}

}  // namespace presil::python
