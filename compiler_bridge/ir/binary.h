// A graph as bytes (FlatBuffers, graph.fbs), as the loadable carries it.
#pragma once

#include "compiler_bridge/ir/graph.h"

namespace presil::ir {

Bytes to_bytes(const Graph& graph);

/// Checks the buffer, then every value, then verify(graph).
/// Refuses (presil::Refusal) bytes that are not such a graph; never reads outside them.
Graph from_bytes(const uint8_t* bytes, size_t size);
inline Graph from_bytes(const Bytes& bytes) {
  return from_bytes(bytes.data(), bytes.size());
}

}  // namespace presil::ir
