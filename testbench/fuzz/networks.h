// Small sound networks, together one of each operator that can be imported and of each type that
// activations have: what is mutated.
#pragma once

#include <vector>

#include "testbench/fuzz/mutator.h"

namespace presil::fuzz {

std::vector<File> small_networks();

// Of them: function_networks.cpp
File functions();
File reductions();
File numbers();
File float_functions();
File choices();

}  // namespace presil::fuzz
