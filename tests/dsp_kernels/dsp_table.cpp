// Prints the table of cycles in driver/kernels/dsp/README.md. With VLEN, DLEN and the number of
// arithmetic sequencers it prints lines instead, for driver/kernels/dsp/fit_cost.py: kernel, shape,
// cycles on such a DSP, what cost.h says of `edge`.
#include <cstdio>
#include <cstdlib>

#include "tests/dsp_kernels/dsp_measure.h"

int main(int argc, char** argv) {
  using presil::dsp::Rig;
  const bool sweep = argc == 4;
  if (sweep) {
    Rig::standard().vlen = static_cast<unsigned>(std::atoi(argv[1]));
    Rig::standard().dlen = static_cast<unsigned>(std::atoi(argv[2]));
    Rig::standard().arithmetic_sequencers = static_cast<unsigned>(std::atoi(argv[3]));
    presil::dsp::check(Rig::standard());
  }
  const auto list = presil::dsp::measure_all();
  if (!sweep) return std::fputs(presil::dsp::table_of(list).c_str(), stdout) < 0;
  for (const auto& m : list) {
    std::printf("%s\t%s\t%llu\t%llu\n", m.kernel.c_str(), m.shape.c_str(),
                static_cast<unsigned long long>(m.cycles),
                static_cast<unsigned long long>(m.estimate));
  }
}
