// What a core is: its cycles. Read from a file of cores/.
#pragma once

#include <string>

#include "models/dsp/dsp_config.h"

namespace presil::rv64 {

struct Config {
  std::string name = "rv64";
  dsp::ScalarTiming scalar;
  unsigned trap_entry = 4, trap_return = 4;  ///< cycles
};

/// Reads a core's file.
/// @throws Refusal that names the file, the key, its value, what is required
Config read_config(const std::string& file);
/// The same of a text; `file` is its name in refusals.
Config parse_config(const std::string& text, const std::string& file);

}  // namespace presil::rv64
