#include "tests/dla/dla_alone.h"

#include <algorithm>

namespace presil::dla::test {

Alone::Alone()
    : m_config(bench::built_as()), m_rtl(bench::make_rtl(m_config, {}, 1)), m_driver(*m_rtl) {}

Outcome Alone::run(const Command& command, std::vector<uint8_t>& sram, Cycle limit) {
  const Report report = m_driver.run(job_of(command, sram, m_config), limit);
  Outcome outcome;
  if (!report.finished || report.ended.size() != 1) return outcome;
  outcome.end = report.ended[0].end - report.ended[0].offered;
  outcome.steps = report.counters.back();
  for (const bench::Word& word : report.words) outcome.addresses.push_back(word.address);
  std::copy_n(m_rtl->sram.begin(), sram.size(), sram.begin());
  return outcome;
}

}  // namespace presil::dla::test
