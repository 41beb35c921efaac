// The table of operators, put together from the families.
#include <algorithm>

#include "compiler_bridge/import/tflite/reader.h"

namespace presil::import {

void nothing(const OpReader&) {}

const std::vector<Conversion>& conversions() {
  static const std::vector<Conversion> table = [] {
    std::vector<Conversion> all;
    for (const auto& family :
         {window_conversions(), product_conversions(), function_conversions(), number_conversions(),
          move_conversions(), block_conversions(), index_conversions(), constant_conversions(),
          parts_conversions(), detection_conversions()}) {
      all.insert(all.end(), family.begin(), family.end());
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Conversion& a, const Conversion& b) { return a.code < b.code; });
    return all;
  }();
  return table;
}

}  // namespace presil::import
