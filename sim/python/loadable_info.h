// What a loadable says about itself, as Python values.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "models/soc/soc_config.h"

namespace presil::python {

/// Bytes that Python holds: a file of a large network is not copied to be looked at.
struct ByteView {
  const uint8_t* data = nullptr;
  size_t size = 0;
};

/// Keys as in rtl/soc/loadable.fbs: network, numerics, soc_name, soc_sha256, inputs, outputs,
/// tensors, layers, placements, commands, ...
/// @throws Refusal where the bytes are not a loadable
pybind11::dict loadable_info(ByteView bytes);

/// The imported graph that it carries; none in a stripped one.
/// @throws Refusal where the bytes are not a loadable
std::optional<ir::Graph> loadable_graph(ByteView bytes);

/// Its streams and its memory, as emit/stream.h and emit/memory_map.h write them; and a loadable
/// with the streams that a text says.
/// @throws Refusal where the bytes are not a loadable, or the text is not its streams
std::string stream_text(ByteView bytes);
std::string memory_map(ByteView bytes);
pybind11::bytes assemble(const std::string& text, ByteView bytes);

/// What compiler_bridge/replay finds: wrong (a sentence or None), commands, accesses, bytes,
/// data_flow.
/// @throws Refusal where the bytes are not a loadable
pybind11::dict check_memory(ByteView bytes);

/// For each layer the cycles that dla_timing alone gives for its DLA commands: each cold, all
/// inputs there, nothing else in the system. What a layer cannot go below.
std::vector<int64_t> dla_alone(ByteView bytes, const DlaConfig& config);

}  // namespace presil::python
