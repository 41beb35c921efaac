// Custom operators that the importing program knows: name, options as text, shapes.
#include <flatbuffers/flexbuffers.h>

#include "compiler_bridge/import/tflite/reader.h"
#include "compiler_bridge/ir/shape.h"

namespace presil::import {
namespace {

constexpr size_t kMostBytes = 4096;  // the verifier's time is a square

/// A map in the FlexBuffers format as JSON; other bytes as {"bytes": [1, 2]}.
std::string options_of(const OpReader& r) {
  const auto* stored = r.from.custom_options();
  const size_t size = stored == nullptr ? 0 : stored->size();
  if (size == 0) return "";
  r.require(size <= kMostBytes, [&] {
    return "its custom options are " + std::to_string(size) + " bytes, must be at most " +
           std::to_string(kMostBytes);
  });
  // A copy that is aligned, and ends in zeros where a key without an end has one.
  std::vector<uint8_t> bytes(stored->begin(), stored->end());
  bytes.resize(size + sizeof(uint64_t), 0);
  if (flexbuffers::VerifyBuffer(bytes.data(), size)) {
    const flexbuffers::Reference root = flexbuffers::GetRoot(bytes.data(), size);
    std::string text;
    if (root.IsMap()) root.ToString(true, true, text);
    if (!text.empty()) return text;
  }
  std::string text;
  for (size_t i = 0; i < size; ++i) text += (i > 0 ? ", " : "") + std::to_string(bytes[i]);
  return "{\"bytes\": [" + text + "]}";
}

}  // namespace

void custom(const OpReader& r, const std::string& code, const CustomShapes& shapes) {
  for (size_t i = 0; i < r.op.inputs.size(); ++i) {
    r.require(r.has(i), [&] {
      return "its input " + std::to_string(i) + " is left out, which a kernel cannot be told";
    });
  }
  r.op.attributes = ir::Custom{code, options_of(r), ""};
  if (!shapes) return;
  const std::vector<std::vector<int64_t>> made = shapes(r.graph, r.op);
  r.require(made.size() == r.op.outputs.size(), [&] {
    return "its kernel is registered with " + std::to_string(made.size()) + " results, it has " +
           std::to_string(r.op.outputs.size());
  });
  for (size_t i = 0; i < made.size(); ++i) {
    std::vector<int64_t>& stated = r.graph.tensor(r.op.outputs[i]).shape;
    r.require(stated.empty() || stated == made[i], [&] {
      return "its result " + std::to_string(i) + " is " + ir::to_string(stated) +
             " in the file, its kernel is registered to make it " + ir::to_string(made[i]);
    });
    stated = made[i];
  }
}

}  // namespace presil::import
