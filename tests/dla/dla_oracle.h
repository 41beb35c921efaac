// The DLA written down once more for tests: one output value at a time, straight from the tables of
// rtl/dla/README.md, sharing nothing with models/dla. And random commands to try it on.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "models/soc/soc_config.h"
#include "rtl/dla/dla_command.h"

namespace presil::dla::test {

/// SRAM after the command.
std::vector<uint8_t> oracle(const Command& command, const DlaConfig& config,
                            const std::vector<uint8_t>& sram);

/// Double rounding, float requantisation and rule divide of one value.
int64_t double_rounding(int64_t x, int64_t multiplier, int shift);
int64_t float_requantisation(int64_t x, uint32_t scale_bits);
int64_t rule_divide(int64_t x, int64_t count);

/// A legal command whose inputs and outputs lie apart in `sram_bytes`; small shapes of every kind.
Command random_command(std::mt19937& random, const DlaConfig& config, uint32_t sram_bytes);

/// Random bytes, with multipliers and shifts of sensible size where the command's parameters are.
std::vector<uint8_t> random_sram(std::mt19937& random, const Command& command, uint32_t sram_bytes);

}  // namespace presil::dla::test
