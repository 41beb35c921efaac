// Importers alone, fed with mutations that know their format.
#pragma once

#include <memory>
#include <vector>

#include "testbench/fuzz/targets.h"

namespace presil::fuzz {

std::unique_ptr<Target> onnx_target();
std::unique_ptr<Target> tosa_target();

/// Small sound ONNX files, together one of each operator that is taken: onnx_networks.cpp
std::vector<File> onnx_networks();

}  // namespace presil::fuzz
