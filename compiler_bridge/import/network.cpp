#include "compiler_bridge/import/format.h"
#include "models/base/refusal.h"

namespace presil::import {

const Format* format_of(const Source& source) {
  for (Match match : {Match::kSure, Match::kLikely}) {
    for (const Format& format : formats()) {
      if (format.recognise(source.bytes, source.size) == match) return &format;
    }
  }
  for (const Format& format : formats()) {
    if (source.extension == format.extension) return &format;
  }
  return nullptr;
}

ir::Graph import_network(const Source& source) {
  if (const Format* format = format_of(source)) return format->import(source);
  std::string known;
  for (const Format& format : formats()) {
    known += (known.empty() ? "" : ", ") + std::string(format.name) + " (" + format.extension + ")";
  }
  throw Refusal("import", source.name + ": the file is of no format that is known, or damaged; " +
                              "known are " + known + "; export the network again");
}

}  // namespace presil::import
