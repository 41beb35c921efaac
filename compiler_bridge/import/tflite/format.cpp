#include "compiler_bridge/import/format.h"

#include <cstring>

#include "compiler_bridge/import/tflite.h"

namespace presil::import {

const Format& tflite_format() {
  static const Format format = {
      "TFLite", ".tflite",
      [](const uint8_t* bytes, size_t size) {
        return size >= 8 && std::memcmp(bytes + 4, "TFL3", 4) == 0 ? Match::kSure : Match::kNo;
      },
      [](const Source& source) {
        return import_tflite(source.bytes, source.size, source.name, source.customs);
      }};
  return format;
}

}  // namespace presil::import
