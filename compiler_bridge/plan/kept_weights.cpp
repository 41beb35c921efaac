#include "compiler_bridge/plan/kept_weights.h"

#include <algorithm>
#include <map>

namespace presil::plan {
namespace {

/// Steps that read the same bytes, ascending.
using Readers = std::vector<int>;

std::vector<Readers> shared_blocks(const EnginePlanners& planners, const Plan& plan) {
  std::map<std::vector<uint8_t>, Readers> by_bytes;
  for (int step = 0; step < static_cast<int>(plan.layers.size()); ++step) {
    std::vector<uint8_t> bytes = planners.of(step).whole_parameter_block(plan, step);
    if (!bytes.empty()) by_bytes[std::move(bytes)].push_back(step);
  }
  std::vector<std::pair<size_t, Readers>> sized;
  for (auto& [bytes, readers] : by_bytes) {
    if (readers.size() > 1) sized.push_back({bytes.size(), std::move(readers)});
  }
  std::sort(sized.begin(), sized.end());
  std::vector<Readers> shared;
  for (auto& [size, readers] : sized) shared.push_back(std::move(readers));
  return shared;
}

int buffer_of(const Plan& plan, int step) {
  return plan.layers[size_t(step)].parameter_block.buffers.front();
}

/// The plan's buffers, with the first `count` blocks resident from their first to their last
/// reader.
std::vector<Buffer> buffers_with(const Plan& plan, const std::vector<Readers>& shared,
                                 size_t count) {
  std::vector<Buffer> buffers = plan.buffers;
  for (size_t i = 0; i < count; ++i) {
    for (const int reader : shared[i]) {
      Buffer& buffer = buffers[size_t(buffer_of(plan, reader))];
      if (reader == shared[i].front()) {
        buffer.last = shared[i].back();
      } else {
        buffer = {0, buffer.align, 1, 0};  // never
      }
    }
  }
  return buffers;
}

}  // namespace

void keep_weights(const Layout& layout, const SocConfig& config, const EnginePlanners& planners,
                  Plan& plan) {
  if (layout.images.empty()) return;
  const std::vector<Readers> shared = shared_blocks(planners, plan);
  // The most blocks that fit, by halving what is between.
  size_t fits = 0, fails = shared.size() + 1;
  for (size_t tried = shared.size(); fits + 1 < fails; tried = (fits + fails) / 2) {
    std::vector<Buffer> buffers = buffers_with(plan, shared, tried);
    Placing placing;
    placing.peak = highest_pressure(buffers).bytes;
    if (placing.peak <= config.sram.bytes) placing = place_buffers(buffers);
    (placing.peak <= config.sram.bytes ? fits : fails) = tried;
  }
  if (fits == 0) return;
  plan.placing = place_buffers(buffers_with(plan, shared, fits));
  plan.buffers = buffers_with(plan, shared, fits);
  for (size_t i = 0; i < fits; ++i) {
    const int resident = buffer_of(plan, shared[i].front());
    for (const int reader : shared[i]) {
      LayerPlan& layer = plan.layers[size_t(reader)];
      layer.parameter_block.buffers = {resident};
      layer.weights_resident = reader != shared[i].front();
    }
  }
}

}  // namespace presil::plan
