// A file format of networks, and the registry of those that are taken.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"

namespace presil::import {

/// Shapes of the results of a custom operator, whose inputs are known.
using CustomShapes =
    std::function<std::vector<std::vector<int64_t>>(const ir::Graph& graph, const ir::Op& op)>;
/// Custom operators that are taken as they are (ir::Custom), by their names in the file. No
/// function: the file states their shapes.
using CustomOperators = std::map<std::string, CustomShapes>;

/// A file in memory.
struct Source {
  const uint8_t* bytes = nullptr;
  size_t size = 0;
  std::string name;       ///< of the graph, usually the file's stem
  std::string extension;  ///< ".onnx"; says what is meant where the contents say nothing
  std::string folder;  ///< of the file, in which a format may keep data beside it; empty: nowhere
  CustomOperators customs;
  /// What files of networks of whole numbers do not say: inputs are bytes -128..127, not 0..255.
  bool signed_inputs = false;
};

/// What a file's contents say of its format.
enum class Match { kNo, kLikely, kSure };

struct Format {
  const char* name;       ///< "TFLite"
  const char* extension;  ///< ".tflite"
  /// Whether the file begins as one of the format does; kSure: it has the format's identifier.
  Match (*recognise)(const uint8_t* bytes, size_t size);
  /// Refuses (presil::Refusal) what is damaged or cannot be taken; the graph is verified.
  ir::Graph (*import)(const Source& source);
};

/// One for each room of compiler_bridge/import, in the order of the rooms' names.
const std::vector<Format>& formats();

/// Null: neither the contents nor, where those say nothing, the extension tell.
const Format* format_of(const Source& source);

/// The graph of a file of any format, told by what the file contains. Refuses as the format does,
/// and a file of none.
ir::Graph import_network(const Source& source);

}  // namespace presil::import
