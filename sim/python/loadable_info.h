// What a loadable says about itself, as Python values.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <vector>

#include "rtl/soc/soc_config.h"

namespace presil::python {

/// Keys as in rtl/soc/loadable.fbs: network, numerics, soc_name, soc_sha256, inputs, outputs,
/// tensors, layers, placements, commands, graph, ...
/// @throws Refusal where the bytes are not a loadable
pybind11::dict loadable_info(const std::string& bytes);

/// Its streams and its memory, as emit/stream.h and emit/memory_map.h write them; and a loadable
/// with the streams that a text says.
/// @throws Refusal where the bytes are not a loadable, or the text is not its streams
std::string stream_text(const std::string& bytes);
std::string memory_map(const std::string& bytes);
pybind11::bytes assemble(const std::string& text, const std::string& bytes);

/// What compiler_bridge/replay finds: wrong (a sentence or None), commands, accesses, bytes,
/// data_flow.
/// @throws Refusal where the bytes are not a loadable
pybind11::dict check_memory(const std::string& bytes);

/// For each layer the cycles that dla_timing alone gives for its DLA commands: each cold, all
/// inputs there, nothing else in the system. What a layer cannot go below.
std::vector<int64_t> dla_alone(const std::string& bytes, const DlaConfig& config);

}  // namespace presil::python
