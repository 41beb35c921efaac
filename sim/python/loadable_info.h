// What a loadable says about itself, as Python values.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace presil::python {

/// Keys as in rtl/soc/loadable.fbs: network, numerics, soc_name, soc_sha256, inputs, outputs,
/// tensors, layers, placements, commands, graph, ...
/// @throws Refusal where the bytes are not a loadable
pybind11::dict loadable_info(const std::string& bytes);

}  // namespace presil::python
