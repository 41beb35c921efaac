#include "models/soc/host_prices.h"

#include <iterator>

#include "models/soc/host_prices_fit.h"

namespace presil {
namespace {

using Kernels = std::map<std::string, KernelPrice>;

/// Every kernel at the price of an element that is given, and its bytes at the caches' rate.
Kernels assumed(double element, double bytes_per_cycle) {
  Kernels kernels;
  for (const HostKernelFit& fit : kHostKernelFits) {
    kernels[fit.kernel] = {0, element, 1 / bytes_per_cycle};
  }
  return kernels;
}

/// Softmax counts its inputs; nms, detections, box_decode the scores.
void assume(Kernels& kernels, double copy, double softmax, double boxes) {
  kernels["copy"].element = copy;
  for (const char* name : {"softmax_i8", "softmax_i8_table", "softmax_f32"}) {
    kernels[name].element = softmax;
  }
  kernels["nms"].element = 2 * boxes;
  kernels["detection_post_process"].element = 4 * boxes;
  kernels["box_decode"].element = boxes;
}

// Assumed, not executed, of cores whose caches hide the DRAM; the driver's code by 1.3 cycles an
// instruction of `--host aarch64`.
HostPrices application(const char* base, double bytes_per_cycle, double softmax) {
  HostPrices p{base, 2300, 2400, 2000, 4, 64, 200, 100, bytes_per_cycle, {}};
  p.kernels = assumed(4, bytes_per_cycle);
  assume(p.kernels, 0.25, softmax, 1);
  p.kernels["yolo_decode"].element = 8;
  return p;
}

// The same, without vectors and without an operating system between interrupt and driver.
HostPrices microcontroller() {
  HostPrices p{"assumed_micro", 2300, 2400, 2000, 4, 64, 40, 100, 4, {}};
  p.kernels = assumed(8, 4);
  assume(p.kernels, 0.5, 40, 2);
  p.kernels["yolo_decode"].element = 24;
  return p;
}

HostPrices none() {
  HostPrices p;
  p.base = "none";
  p.bytes_per_cycle = 1024;
  for (const HostKernelFit& fit : kHostKernelFits) p.kernels[fit.kernel] = {};
  return p;
}

std::vector<HostPrices> all_lists() {
  std::vector<HostPrices> lists = {application("assumed_edge", 8, 20),
                                   application("assumed_big", 16, 4), microcontroller()};
  for (size_t i = 0; i < std::size(kHostFits); ++i) {
    lists.push_back(kHostFits[i]);
    for (const HostKernelFit& fit : kHostKernelFits) {
      lists.back().kernels[fit.kernel] = fit.prices[i];
    }
  }
  lists.push_back(none());
  return lists;
}

}  // namespace

const std::vector<HostPrices>& host_prices() {
  static const std::vector<HostPrices> lists = all_lists();
  return lists;
}

}  // namespace presil
