// Timing of memories that one can buy, by name: what `dram.preset` sets.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace presil {

struct DramPreset {
  std::string name;    ///< "ddr4_2400"
  std::string source;  ///< of its values
  /// Parameters without "dram.", and their values: those that belong to the device and its map. A
  /// channel, with its peak; queues and policies of the controller are left as they are.
  std::vector<std::pair<std::string, std::string>> values;
};

const std::vector<DramPreset>& dram_presets();

}  // namespace presil
