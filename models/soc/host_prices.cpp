#include "models/soc/host_prices.h"

#include <algorithm>
#include <iterator>

#include "models/soc/host_prices_fit.h"

namespace presil {
namespace {

/// As `edge`, with other ways to DRAM.
HostConfig assumed(const char* base, double bytes_per_cycle) {
  HostConfig host;
  host.base = base;
  host.bytes_per_cycle = bytes_per_cycle;
  for (auto& [kernel, price] : host.kernels) price.byte = 1 / bytes_per_cycle;
  return host;
}

/// Twice the bytes, as its bus; softmax in vectors.
HostConfig application() {
  HostConfig host = assumed("assumed_big", 16);
  for (auto& [kernel, price] : host.kernels) {
    if (kernel.rfind("softmax", 0) == 0) price.element = 4;
  }
  return host;
}

/// Without vectors, and without an operating system between interrupt and driver.
HostConfig microcontroller() {
  HostConfig host = assumed("assumed_micro", 4);
  host.cycles_interrupt = 40;
  for (auto& [kernel, price] : host.kernels) price.element *= kernel == "yolo_decode" ? 3 : 2;
  return host;
}

std::vector<HostConfig> all_lists() {
  std::vector<HostConfig> lists = {HostConfig(), application(), microcontroller()};
  for (size_t i = 0; i < std::size(kHostFits); ++i) {
    lists.push_back(kHostFits[i]);
    for (const HostKernelFit& fit : kHostKernelFits) {
      lists.back().kernels[fit.kernel] = fit.prices[i];
    }
  }
  lists.push_back({"none", 0, 0, 0, 0, 0, 0, 0, 1024, {{kOtherKernels, {}}}});
  return lists;
}

}  // namespace

std::map<std::string, KernelPrice> assumed_kernel_prices() {
  return {
      {kOtherKernels, {0, 4, 0.125}}, {"box_decode", {0, 1, 0.125}},
      {"copy", {0, 0.25, 0.125}},     {"detection_post_process", {0, 4, 0.125}},
      {"nms", {0, 2, 0.125}},         {"softmax_f32", {0, 20, 0.125}},
      {"softmax_i8", {0, 20, 0.125}}, {"softmax_i8_table", {0, 20, 0.125}},
      {"yolo_decode", {0, 8, 0.125}},
  };
}

const std::vector<HostConfig>& host_prices() {
  static const std::vector<HostConfig> lists = all_lists();
  return lists;
}

const HostConfig* host_prices_of(const std::string& base) {
  const std::vector<HostConfig>& lists = host_prices();
  const auto found = std::find_if(lists.begin(), lists.end(),
                                  [&](const HostConfig& list) { return list.base == base; });
  return found == lists.end() ? nullptr : &*found;
}

const std::set<std::string>& priced_kernels() {
  static const std::set<std::string> names = [] {
    std::set<std::string> all;
    for (const HostKernelFit& fit : kHostKernelFits) all.insert(fit.kernel);
    return all;
  }();
  return names;
}

}  // namespace presil
