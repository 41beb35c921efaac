// Pooling on the DLA: 16 channels by up to 16 taps a step (rtl/dla/README.md).
#include "compiler_bridge/rules/rule.h"

namespace presil::rules {
namespace {

const ir::Pool2d& pool(const Subject& s) {
  return s.op.as<ir::Pool2d>();
}

std::vector<Rule> window() {
  return {computed(1),
          one_image(),
          within("kernel height", 1, 63, [](const Subject& s) { return pool(s).kernel_h; }),
          within("kernel width", 1, 63, [](const Subject& s) { return pool(s).kernel_w; }),
          within("row stride", 1, 7,
                 [](const Subject& s) { return s.out().shape.at(1) == 1 ? 1 : pool(s).stride_h; }),
          within("column stride", 1, 7,
                 [](const Subject& s) { return s.out().shape.at(2) == 1 ? 1 : pool(s).stride_w; }),
          channels()};
}

// The divisor is one number a command; at a padded border fewer taps take part.
Rule no_padding() {
  return {"no padding: the divisor is the same everywhere", [](const Subject& s) -> std::string {
            const ir::Pool2d& p = pool(s);
            if ((p.pad_top | p.pad_left | p.pad_bottom | p.pad_right) == 0) return "";
            return "average pool has padding (top " + std::to_string(p.pad_top) + ", left " +
                   std::to_string(p.pad_left) + ", bottom " + std::to_string(p.pad_bottom) +
                   ", right " + std::to_string(p.pad_right) +
                   "), wants none: at the border fewer taps are averaged";
          }};
}

}  // namespace

std::vector<Entry> dla_pool_entries() {
  Entry average{ir::OpKind::kAveragePool2d, "int8", window()};
  average.rules.push_back(within("taps", 2, 4096, [](const Subject& s) {
    return int64_t{pool(s).kernel_h} * pool(s).kernel_w;
  }));
  average.rules.push_back(no_padding());
  Entry max{ir::OpKind::kMaxPool2d, "int8", window()};
  max.rules.push_back(
      within("padding at the top", 0, 31, [](const Subject& s) { return pool(s).pad_top; }));
  max.rules.push_back(
      within("padding on the left", 0, 31, [](const Subject& s) { return pool(s).pad_left; }));
  return {average, max};
}

}  // namespace presil::rules
