// Networks of whole numbers that are float32 in the file; formula in requant_shift.cpp.
#pragma once

#include <vector>

#include "compiler_bridge/import/onnx/file.h"
#include "compiler_bridge/import/onnx/importer.h"

namespace presil::import::onnx {

/// Operators whose results go to RequantShift alone compute with integers: their names get this
/// before them.
inline constexpr const char* kInteger = "integer ";
void mark_integers(File& file);

/// Of the names that mark_integers gives; no file has them.
const std::vector<Conversion>& of_integers();
const std::vector<Conversion>& of_requant_shift();
const std::vector<Conversion>& of_integer_functions();
/// iGELU and the RequantShift after it, of bytes: a table.
void integer_gelu(Importer& r);

}  // namespace presil::import::onnx
