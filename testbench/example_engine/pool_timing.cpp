#include "pool_timing.h"

namespace presil::pool {
namespace {

constexpr Cycle cycles_take_to_port = 2;
constexpr Cycle cycles_tables_to_taps = 1;
constexpr Cycle cycles_tap_to_result = 8;

}  // namespace

Timing::Timing(const Command& c, Cycle taken, BankLoad* banks)
    : m_command(c), m_banks(banks), m_now(taken) {
  if (c.op == Op::kNop) {
    m_now += 1;
    m_cycles.start = 1;
    return;
  }
  m_now += cycles_take_to_port;
  m_cycles.start = cycles_take_to_port;
  if (const unsigned words = table_words(c)) {
    access(words, m_cycles.start);
    s_read += words;
    m_now += cycles_tables_to_taps;
    m_cycles.start += cycles_tables_to_taps;
  }
}

// Words one after the other. Those that lose a cycle ask again, and may lose again.
void Timing::access(Cycle words, Cycle& cause) {
  m_now += words;
  cause += words;
  if (m_banks == nullptr) return;
  for (Cycle ask = words; ask > 0;) {
    ask = static_cast<Cycle>(m_banks->lost(m_now - 1, static_cast<uint64_t>(ask)));
    m_now += ask;
    m_cycles.bank += ask;
  }
}

void Timing::write() {
  m_results.pop_front();
  access(1, m_cycles.run);
  ++s_written;
}

void Timing::read(unsigned taps) {
  s_read += taps;
  for (Cycle left = taps; left > 0;) {
    if (!m_results.empty() && m_results.front() <= m_now) {
      write();
      continue;
    }
    const Cycle until = m_results.empty() ? left : std::min(left, m_results.front() - m_now);
    access(until, m_cycles.run);
    left -= until;
  }
  m_results.push_back(m_now - 1 + cycles_tap_to_result);
}

bool Timing::row() {
  if (m_command.op == Op::kNop || m_row == unsigned{m_command.blocks} * m_command.out_h) {
    return false;
  }
  const unsigned y = m_row++ % m_command.out_h;
  for (unsigned x = 0; x < m_command.out_w; ++x) read(taps_of_result(m_command, y, x));
  return true;
}

Cycle Timing::end() {
  while (!m_results.empty()) {
    if (m_results.front() > m_now) {
      m_cycles.drain += m_results.front() - m_now;
      m_now = m_results.front();
    }
    write();
  }
  return m_now;
}

Cycle estimate(const Command& c) {
  Timing timing(c, 0, nullptr);
  while (timing.row()) {
  }
  return timing.end();
}

}  // namespace presil::pool
