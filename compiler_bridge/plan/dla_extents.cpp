#include "compiler_bridge/plan/dla_extents.h"

namespace presil::plan {
namespace {

constexpr int kChannelsOfBlock = 16;

int blocks_of(int channels) {
  return (channels + kChannelsOfBlock - 1) / kChannelsOfBlock;
}

}  // namespace

std::map<std::string, Extents> extents_of(const Layout& layout) {
  std::map<std::string, Extents> all;
  for (int step = 0; step < layout.step_count(); ++step) {
    const Layer& layer = layout.layer_at(step);
    const auto* dla = layer.work.as<layer::DlaLayer>();
    if (dla == nullptr) continue;
    all[layer.name] = {dla->out_h, dla->out_w, blocks_of(dla->out_c), blocks_of(dla->in_c)};
  }
  return all;
}

}  // namespace presil::plan
