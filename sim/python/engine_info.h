// Engines and their queues as Python sees them: presil's own and those that are loaded.
#pragma once

#include <pybind11/pybind11.h>

namespace presil::python {

void bind_engines(pybind11::module_& m);

}  // namespace presil::python
