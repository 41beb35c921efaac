// The importer of ONNX files, fed with mutations that know the format.
#pragma once

#include <memory>
#include <vector>

#include "testbench/fuzz/targets.h"

namespace presil::fuzz {

std::unique_ptr<Target> onnx_target();

/// Small sound ONNX files, together one of each operator that is taken: onnx_networks.cpp
std::vector<File> onnx_networks();

}  // namespace presil::fuzz
