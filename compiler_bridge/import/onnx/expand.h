// Operators on stored values (QLinearConv and its kin) as the standard defines them: dequantised
// operands, the operator of real numbers, its result quantised. The importer sees the latter alone.
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/import/onnx/file.h"

namespace presil::import::onnx {

/// Replaces each such node by those; other nodes stay. Refuses (presil::Refusal) one that lacks
/// operands, or whose bias or attributes have no such form.
void expand(File& file, const std::string& name);

/// What the name of a real result ends with: before it stands that of the stored one.
inline constexpr const char* kReal = "/real";

/// Names of the operators that are replaced: those of onnxruntime with their domain.
const std::vector<std::string>& expanded();

}  // namespace presil::import::onnx
