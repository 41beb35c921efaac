// Graphs by hand: what presil.Builder adds op by op. Every operator of compiler_bridge/ir comes
// through its line in op_kinds.h and its fields in attributes.h; nothing here knows one by name.
#pragma once

#include <pybind11/pybind11.h>

namespace presil::python {

/// GraphBuilder, op_table.
void bind_graph_builder(pybind11::module_& m);

}  // namespace presil::python
