// Tensors of the interpreter as numpy arrays, and back.
#pragma once

#include <pybind11/numpy.h>

#include "compiler_bridge/reference/reference.h"

namespace presil::python {

/// "int8", "float32", ... of a dtype.
pybind11::dtype numpy_dtype(ir::DType dtype);

/// A copy of the value as an array of its shape and type.
pybind11::array to_array(const reference::TensorValue& value);

/// @throws Refusal where the array's type or shape is not the tensor's
reference::TensorValue to_value(const pybind11::array& array, const ir::Tensor& tensor);

}  // namespace presil::python
