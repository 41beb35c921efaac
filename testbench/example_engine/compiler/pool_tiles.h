// A layer's tiles: what they read, their tables, their commands.
#pragma once

#include <vector>

#include "compiler_bridge/engine/engine_compiler.h"
#include "pool/pool_command.h"
#include "pool_layer.h"

namespace presil::pool {

engine::Part part_read(const PoolLayer& layer, const engine::Tile& tile);

/// Positions of the columns, then those of the tile's rows, from its first input row on; windows
/// have none.
std::vector<uint8_t> tables(const PoolLayer& layer, const engine::Tile& tile);

/// All but addresses, waits, signal and tag.
Command command_of(const PoolLayer& layer, const engine::Tile& tile);

std::vector<engine::Bytes> touched(const Command& command);

}  // namespace presil::pool
