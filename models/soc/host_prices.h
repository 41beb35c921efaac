// What a native host takes for its work, by the core that it stands for: lists that `host.base`
// chooses from. A task takes
//
//   cycles_call + its kernel's call + elements * element + bytes * byte
//   + lines of its bytes * cycles_cache_line.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace presil {

/// Cycles of one kernel of driver/kernels/host.
struct KernelPrice {
  double call = 0;     ///< besides what every task takes
  double element = 0;  ///< for each that presil_kernel_elements counts: MACs, taps, results
  double byte = 0;     ///< of operands and results
};

struct HostPrices {
  std::string base;                  ///< of the list
  unsigned cycles_submit = 0;        ///< driver's code of a job's submission, besides queues
  unsigned cycles_submit_queue = 0;  ///< the same for each queue: ring entry, its CRC
  unsigned cycles_return = 0;        ///< driver's code from its last interrupt to the program
  unsigned cycles_cache_line = 0;    ///< a line cleaned or invalidated, besides its bytes' way
  unsigned cache_line_bytes = 0;     ///< a power of two; 0: it has no data cache
  unsigned cycles_interrupt = 0;     ///< interrupt line to first register access of the driver
  unsigned cycles_call = 0;          ///< a task read, checked and prepared, whatever its kernel
  double bytes_per_cycle = 1;        ///< of DRAM, in copies of the program and cleaned lines
  std::map<std::string, KernelPrice> kernels;  ///< of every kernel, by its name
};

/// Assumed ones, first that of `edge`; of each core that executes the driver as firmware, fitted to
/// runs on `edge` by tests/bench/fit_prices.py; and `none`, a host that takes no time.
const std::vector<HostPrices>& host_prices();

}  // namespace presil
