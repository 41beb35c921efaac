// The only file that sees what Verilator made of histogram.sv.
#include "testbench/example_block/histogram_top.h"

#include "Vhistogram.h"
#include "sim/rtl/verilated_axi_top.h"

namespace presil::example {

std::unique_ptr<rtl::AxiTop> make_histogram_top(uint32_t seed) {
  return std::make_unique<rtl::VerilatedAxiTop<Vhistogram>>(seed);
}

}  // namespace presil::example
