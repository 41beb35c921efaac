#include "compiler_bridge/import/format.h"

#include <cstring>

#include "compiler_bridge/import/tosa.h"

namespace presil::import {

const Format& tosa_format() {
  static const Format format = {
      "TOSA", ".tosa",
      [](const uint8_t* bytes, size_t size) {
        return size >= 8 && std::memcmp(bytes + 4, "TOSA", 4) == 0 ? Match::kSure : Match::kNo;
      },
      [](const Source& source) { return import_tosa(source.bytes, source.size, source.name); }};
  return format;
}

}  // namespace presil::import
