// SHA-256, as loadables carry it.
#pragma once

#include <cstddef>
#include <string>

#include "models/soc/soc_config.h"

namespace presil {

/// 64 lower-case hexadecimal digits.
std::string sha256(const void* bytes, size_t size);

/// The stamp of a configuration: SHA-256 of canonical_text(config).
std::string soc_sha256(const SocConfig& config);

}  // namespace presil
