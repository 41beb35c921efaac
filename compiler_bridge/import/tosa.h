// TOSA files to graphs.
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/import/format.h"

namespace presil::import {

/// Reads the first block of the first region of a .tosa file (TOSA 1.0, FlatBuffers). Integers stay
/// the integers that the file has; zero points and RESCALEs are attributes of operators. The graph
/// comes back verified, with numerics kTosa; tensors of int8 and int16 have scale 1 and the zero
/// point that the operators around them state.
/// @param name of the graph, usually the file's stem
/// Refuses (presil::Refusal): what is no TOSA file or a damaged one, other versions, shapes that
/// the file leaves open (but an open batch, which is 1), and operators or types outside
/// tosa_operators(), naming the operator.
ir::Graph import_tosa(const uint8_t* bytes, size_t size, const std::string& name);

/// Names of the operators that import_tosa takes, in the order of the format's numbers.
std::vector<std::string> tosa_operators();

}  // namespace presil::import
