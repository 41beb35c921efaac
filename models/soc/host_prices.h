// What a native host takes for its work, by the core that it stands for: lists that `host.base`
// chooses from.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "models/soc/soc_config.h"

namespace presil {

/// Assumed ones, first that of `edge`; of each core that executes the driver as firmware, fitted to
/// runs on `edge` by tests/bench/fit_prices.py; and `none`, a host that takes no time.
const std::vector<HostConfig>& host_prices();

/// Null: there is no such list.
const HostConfig* host_prices_of(const std::string& base);

/// What a price can be of: every kernel of driver/kernels/host, by what presil_kernel_price calls
/// it.
const std::set<std::string>& priced_kernels();

}  // namespace presil
