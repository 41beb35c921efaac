// A network of one command of the engine, written by hand: the input by DMA channel 0 to the SRAM,
// the command, its result by channel 1 to the output.
#pragma once

#include <cstdint>
#include <vector>

#include "models/soc/soc_config.h"
#include "pool/pool_command.h"
#include "tests/driver/loadable_maker.h"

namespace presil::pool::test {

inline constexpr uint32_t kIn = 8, kOut = 4;  // 8 x 8 pixels of 16 channels to 4 x 4
inline constexpr uint32_t kInBytes = kIn * kIn * 16, kOutBytes = kOut * kOut * 16;

/// The largest of each 2 x 2 pixels, once channel 0 has loaded the input.
Command largest(uint8_t queue);

driver::LoadableMaker network_of(const Command& c, uint8_t queue, const SocConfig& config);

}  // namespace presil::pool::test
