// Kernels of the user, and custom operators as Python sees them.
#pragma once

#include <pybind11/pybind11.h>

#include "compiler_bridge/import/tflite.h"
#include "compiler_bridge/reference/reference.h"

namespace presil::python {

/// {"name", "dtype", "shape", "scales", "zero_points", "constant"}
pybind11::dict tensor_dict(const ir::Tensor& tensor);
/// {"kind", "name", "attributes", "inputs", "outputs", "input_ids", "output_ids"}: tensors in full
/// (None: left out), and their indices in the graph.
pybind11::dict op_dict(const ir::Graph& graph, const ir::Op& op);

/// Calls custom(op_dict, [array]) -> [array]; None: no function.
reference::CustomOperator custom_operator(const pybind11::object& custom);
/// {"name": shapes(op_dict) -> [shape]}
import::CustomOperators custom_operators(const pybind11::dict& shapes);

/// DspImage, UserKernel.
void bind_user_kernels(pybind11::module_& m);

}  // namespace presil::python
