#include <algorithm>

#include "compiler_bridge/import/format.h"
#include "models/base/refusal.h"

namespace presil::import {

const Format* format_of(const Source& source) {
  for (Match match : {Match::kSure, Match::kLikely}) {
    for (const Format& format : formats()) {
      if (format.recognise(source.bytes, source.size) == match) return &format;
    }
  }
  for (const Format& format : formats()) {
    if (source.extension == format.extension) return &format;
  }
  return nullptr;
}

namespace {

bool has_whole_inputs(const ir::Graph& graph) {
  return std::any_of(graph.ops.begin(), graph.ops.end(), [&](const ir::Op& op) {
    if (op.kind != ir::OpKind::kQuantize || graph.producer(op.input(0)) >= 0) return false;
    const ir::Quantization& q = graph.tensor(op.output()).quantization;
    return q.per_tensor() && q.scale() == 1.0f && q.zero_point() == 0;
  });
}

}  // namespace

ir::Graph import_network(const Source& source) {
  if (const Format* format = format_of(source)) {
    ir::Graph graph = format->import(source);
    if (source.signed_inputs && !has_whole_inputs(graph)) {
      throw Refusal("import",
                    source.name + ": inputs are said to be signed, and no input is of " +
                        "whole numbers that RequantShift scales; leave out :inputs=signed");
    }
    return graph;
  }
  std::string known;
  for (const Format& format : formats()) {
    known += (known.empty() ? "" : ", ") + std::string(format.name) + " (" + format.extension + ")";
  }
  throw Refusal("import", source.name + ": the file is of no format that is known, or damaged; " +
                              "known are " + known + "; export the network again");
}

}  // namespace presil::import
