// A SoC's description in Python.
#pragma once

#include <pybind11/pybind11.h>

namespace presil::python {

/// Class Soc, and what reads the text of one.
void bind_soc(pybind11::module_& m);

}  // namespace presil::python
