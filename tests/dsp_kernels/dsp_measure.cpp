#include "tests/dsp_kernels/dsp_measure.h"

#include <cstdio>
#include <stdexcept>

namespace presil::dsp {

std::vector<Measured> measure_all() {
  std::vector<Measured> all;
  for (const auto& family :
       {measure_tables(), measure_elements(), measure_moves(), measure_reduce(), measure_image(),
        measure_bytes(), measure_recurrent(), measure_detection()})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

uint64_t cycles_of(const Ran& ran) {
  if (ran.refused != 0) throw std::runtime_error(ran.where + " " + std::to_string(ran.refused));
  return ran.cycles;
}

std::string table_of(const std::vector<Measured>& list) {
  std::string text;
  for (const Measured& m : list) {
    char row[256];
    const double each = static_cast<double>(m.cycles) / static_cast<double>(m.count);
    std::snprintf(row, sizeof row, "| %s | %s | %llu | %.3g per %s | %.3g | %.2f |\n",
                  m.kernel.c_str(), m.shape.c_str(), static_cast<unsigned long long>(m.cycles),
                  each, m.of.c_str(), m.bound, each / m.bound);
    text += row;
  }
  return text;
}

}  // namespace presil::dsp
