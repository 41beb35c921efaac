// The list form of a SoC's engines: an entry for each, `{kind: dla, name: dla1, macs_k: 32}`. It
// says what the sections of the kinds say (`dla: {units: 2, macs_k: 32}`), and is read as these
// are.
#pragma once

#include <yaml-cpp/node/node.h>

#include <string>
#include <vector>

#include "sim/socs/soc_file.h"

namespace presil::socs {

/// "line 3: "; empty for a text of one's own making
std::string at_line(int line);

/// Is it a kind of presil's own that a list names?
bool is_listed_kind(const std::string& kind);

/// The sections' parameters. A kind that is not listed has units 0.
/// @throws Refusal for an entry that is none, instances that are not alike or have other names than
/// theirs, a kind that is there too often or is missing
std::vector<Override> parameters_of(const YAML::Node& list);

}  // namespace presil::socs
