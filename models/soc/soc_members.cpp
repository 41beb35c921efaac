// Copies of a description, compiled here and not in every file that has a SoC.
#include "models/soc/soc_config.h"

namespace presil {

SocConfig::SocConfig() = default;
SocConfig::SocConfig(const SocConfig&) = default;
SocConfig::SocConfig(SocConfig&&) noexcept = default;
SocConfig& SocConfig::operator=(const SocConfig&) = default;
SocConfig& SocConfig::operator=(SocConfig&&) noexcept = default;
SocConfig::~SocConfig() = default;

}  // namespace presil
