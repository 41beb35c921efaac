#include "models/soc/host_prices.h"

#include <iterator>

#include "models/soc/host_prices_fit.h"

namespace presil {
namespace {

std::vector<HostPrices> all_lists() {
  std::vector<HostPrices> lists;
  for (size_t i = 0; i < std::size(kHostFits); ++i) {
    lists.push_back(kHostFits[i]);
    for (const HostKernelFit& fit : kHostKernelFits) {
      lists.back().kernels[fit.kernel] = fit.prices[i];
    }
  }
  HostPrices none;
  none.base = "none";
  none.bytes_per_cycle = 1024;
  for (const HostKernelFit& fit : kHostKernelFits) none.kernels[fit.kernel] = {};
  lists.push_back(none);
  return lists;
}

}  // namespace

const std::vector<HostPrices>& host_prices() {
  static const std::vector<HostPrices> lists = all_lists();
  return lists;
}

}  // namespace presil
