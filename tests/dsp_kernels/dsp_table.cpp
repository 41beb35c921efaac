// Prints the table of cycles in driver/kernels/dsp/README.md; with an argument also what cost.h
// says.
#include <cstdio>

#include "tests/dsp_kernels/dsp_measure.h"

int main(int argc, char**) {
  const auto list = presil::dsp::measure_all();
  if (argc == 1) return std::fputs(presil::dsp::table_of(list).c_str(), stdout) < 0;
  for (const auto& m : list) {
    std::printf("%-22s %-28s %10llu, cost.h %10llu: %.2f\n", m.kernel.c_str(), m.shape.c_str(),
                static_cast<unsigned long long>(m.cycles),
                static_cast<unsigned long long>(m.estimate),
                static_cast<double>(m.estimate) / static_cast<double>(m.cycles));
  }
}
