#include "compiler_bridge/import/format.h"

#include "compiler_bridge/import/onnx.h"

namespace presil::import {

const Format& onnx_format() {
  static const Format format = {"ONNX", ".onnx",
                                [](const uint8_t* bytes, size_t size) {
                                  return onnx::is_onnx(bytes, size) ? Match::kLikely : Match::kNo;
                                },
                                [](const Source& source) {
                                  return import_onnx(source.bytes, source.size, source.name,
                                                     source.folder, source.signed_inputs);
                                }};
  return format;
}

}  // namespace presil::import
