// SoC descriptions: presets of this folder (sim/socs/<name>.yaml) and files of the same form.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/soc/soc_config.h"

namespace presil::socs {

/// One "name=value" of the command line's --set.
using Override = std::pair<std::string, std::string>;

/// What a list of engines says, as the sections of its kinds say it: {"dla.units", "2"}, ...
/// @param text  YAML of the list alone
/// @throws Refusal as parse_soc
std::vector<Override> parse_engines(const std::string& text);

/// @param text  YAML: parameters of SocConfig, grouped as in edge.yaml; absent ones keep edge's
/// value
/// @throws Refusal naming the line, the parameter, what was got and what is required
SocConfig parse_soc(const std::string& text, const std::string& name,
                    const std::vector<Override>& overrides = {});

}  // namespace presil::socs
