#include "pool_timing.h"

#include <algorithm>

namespace presil::pool {
namespace {

constexpr Cycle cycles_take_to_port = 2;
constexpr Cycle cycles_tables_to_taps = 1;
constexpr Cycle cycles_tap_to_result = 8;

}  // namespace

bool Shares::denies(Cycle at, Access, uint64_t) {
  return m_banks.lost(at, 1) != 0;
}

Timing::Timing(const Command& c, Cycle taken, Contention* contention)
    : m_command(c), m_contention(contention), m_now(taken) {
  if (c.op == Op::kNop) {
    m_now += 1;
    m_cycles.start = 1;
    return;
  }
  if (m_contention != nullptr) m_contention->begin(c);
  m_now += cycles_take_to_port;
  m_cycles.start = cycles_take_to_port;
  if (const unsigned words = table_words(c)) {
    while (s_read < words) request(Contention::Access::kRead, m_cycles.start);
    m_now += cycles_tables_to_taps;
    m_cycles.start += cycles_tables_to_taps;
  }
}

// A cycle of the port. @return whether the word is granted
bool Timing::request(Contention::Access access, Cycle& cause) {
  uint64_t& count = access == Contention::Access::kRead ? s_read : s_written;
  const bool denied = m_contention != nullptr && m_contention->denies(m_now, access, count);
  ++m_now;
  ++(denied ? m_cycles.bank : cause);
  if (!denied) ++count;
  return !denied;
}

void Timing::write() {
  if (request(Contention::Access::kWritten, m_cycles.run)) m_results.pop_front();
}

// In each cycle a result goes first, also before a tap that was denied in the cycle before.
void Timing::read(unsigned taps) {
  while (taps > 0) {
    if (!m_results.empty() && m_results.front() <= m_now) {
      write();
    } else if (m_contention == nullptr) {  // none is denied: all taps up to the next result
      const Cycle left = taps;
      const Cycle until = m_results.empty() ? left : std::min(left, m_results.front() - m_now);
      m_now += until;
      m_cycles.run += until;
      s_read += static_cast<uint64_t>(until);
      taps -= static_cast<unsigned>(until);
    } else if (request(Contention::Access::kRead, m_cycles.run)) {
      --taps;
    }
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
