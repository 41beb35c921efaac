#include "sim/python/arrays.h"

#include <cstring>

#include "compiler_bridge/ir/shape.h"
#include "models/base/refusal.h"

namespace py = pybind11;

namespace presil::python {

py::dtype numpy_dtype(ir::DType dtype) {
  return py::dtype(std::string(ir::to_string(dtype)));
}

py::array to_array(const reference::TensorValue& value) {
  const std::vector<py::ssize_t> shape(value.shape.begin(), value.shape.end());
  py::array array(numpy_dtype(value.dtype), shape);
  std::memcpy(array.mutable_data(), value.data.data(), value.data.size());
  return array;
}

reference::TensorValue to_value(const py::array& array, const ir::Tensor& tensor) {
  const std::vector<int64_t> shape(array.shape(), array.shape() + array.ndim());
  const std::string expected =
      std::string(ir::to_string(tensor.dtype)) + ir::to_string(tensor.shape);
  if (!array.dtype().equal(numpy_dtype(tensor.dtype)) || shape != tensor.shape) {
    const std::string got = py::cast<std::string>(py::str(array.dtype())) + ir::to_string(shape);
    throw Refusal("input", "'" + tensor.name + "' is " + got + ", expected " + expected);
  }
  const py::array dense = py::array::ensure(array, py::array::c_style);
  const auto* bytes = static_cast<const uint8_t*>(dense.data());
  return {tensor.dtype, tensor.shape, ir::Bytes(bytes, bytes + dense.nbytes())};
}

}  // namespace presil::python
