#include "tests/memory/dram_reference.h"

#include <algorithm>
#include <string>

namespace presil::memory::reference {

namespace {

constexpr unsigned kAtom = 64, kBurst = 256, kPassed = 64, kLeast = 64, kPatience = 1024;

}  // namespace

Controller::Controller(const DramConfig& config) : c(config) {
  const int64_t ps = int64_t{kAtom} * 1000000 * c.channels / c.peak_mb_per_s;
  m_atom = std::max<int64_t>((ps + c.clock_ps / 2) / c.clock_ps, c.command_column);
  m_spaced = std::max<int64_t>(m_atom, c.t_ccd_l);
  // The map from its lowest word up.
  unsigned groups = 0, banks = 0;
  std::vector<std::pair<std::string, unsigned>> words;
  std::string text = c.map + "-";
  for (size_t at = 0, end; (end = text.find('-', at)) != std::string::npos; at = end + 1) {
    const std::string word = text.substr(at, end - at);
    const size_t digit = word.find_first_of("0123456789");
    const unsigned bits =
        digit == std::string::npos ? 0 : static_cast<unsigned>(std::stoi(word.substr(digit)));
    words.insert(words.begin(), {word.substr(0, digit), bits});
  }
  for (const auto& [name, bits] : words) groups += name == "group" ? bits : 0;
  unsigned group = 0;
  for (const auto& [name, bits] : words) {
    if (name != "col" && bits != 0 && m_cut == 0) m_cut = 1u << m_row_bit;
    if (name == "group") m_bank_bits.push_back({m_row_bit, bits, group}), group += bits;
    if (name == "bank") m_bank_bits.push_back({m_row_bit, bits, groups + banks}), banks += bits;
    m_row_bit += bits;
  }
  if (m_cut == 0 || m_cut > kBurst) m_cut = kBurst;
  m_groups = 1u << groups;
  m_banks = 1u << (groups + banks);
  m_bank.resize(m_banks);
  for (unsigned b = 0; b < m_banks; ++b)
    m_bank[b].refresh_due =
        c.refresh == DramRefresh::kPerBank ? int64_t{c.t_refi_pb} * (b + 1) : INT64_MAX;
  m_refresh_due = c.t_refi;
  m_group_cas.assign(m_groups, {kLong, kLong});
  m_group_activate.assign(m_groups, kLong);
  m_activates.assign(4, kLong);
}

Controller::Waiting Controller::place(const Access& a, unsigned token) const {
  Waiting w;
  w.write = a.write;
  w.token = token;
  w.row = a.address >> m_row_bit;
  w.bank = 0;
  for (const auto& [from, bits, to] : m_bank_bits)
    w.bank |= static_cast<unsigned>(a.address >> from & ((1u << bits) - 1)) << to;
  unsigned banks = 0;
  while (1u << banks < m_banks) ++banks;
  if (c.bank_hash != 0) w.bank = static_cast<unsigned>((w.bank ^ w.row ^ w.row >> banks) % m_banks);
  w.group = w.bank % m_groups;
  w.atoms = static_cast<unsigned>((a.address + a.bytes - 1) / kAtom - a.address / kAtom + 1);
  return w;
}

void Controller::push(int64_t, const Access& access, unsigned token) {
  unsigned parts = 0;
  for (uint64_t at = access.address; at < access.address + access.bytes; ++parts) {
    const uint64_t end = std::min(access.address + access.bytes, (at / m_cut + 1) * m_cut);
    m_queue.push_back(place({at, static_cast<unsigned>(end - at), access.write}, token));
    at = end;
  }
  m_left.push_back({token, parts});
}

unsigned Controller::waiting(bool write) const {
  return static_cast<unsigned>(std::count_if(m_queue.begin(), m_queue.end(),
                                             [=](const Waiting& w) { return w.write == write; }));
}

/// @return whether anyone may go
bool Controller::choose_side(int64_t now) {
  for (const Waiting& w : m_queue)
    if (w.begun) return true;  // a burst is not left in its middle
  const unsigned w = waiting(true), r = waiting(false);
  const unsigned places = c.write_queue * (kBurst / m_cut);
  const unsigned high = std::max(1u, places * c.write_high / 100);
  const unsigned low = std::min(high - 1, places * c.write_low / 100);
  const bool was = m_draining;
  if (w == 0) {
    m_draining = m_overdue = false;
    m_served = kLeast;
    return r != 0;
  }
  if (r == 0) {
    if (!m_draining && w < high && now < m_last_read + c.write_idle) return false;
    if (!m_draining) m_overdue = false;
    m_draining = true;
  } else if (m_draining) {
    const bool more = w > (m_overdue ? 0 : low) || m_served < c.write_least;
    m_draining =
        more && m_served < c.write_queue * kBurst / kAtom * (m_cut == kBurst ? 1 : kBurst / m_cut);
  } else if (m_served >= kPatience) {
    m_draining = m_overdue = true;
  } else if (w >= high && m_served >= kLeast) {
    m_draining = true;
    m_overdue = false;
  }
  if (was != m_draining) m_served = 0;
  return true;
}

bool Controller::may_precharge(const Bank& b, int64_t now) const {
  return now >= b.activated + c.t_ras && now >= b.read + c.t_rtp &&
         now >= b.written + c.t_wl + c.t_dqss + m_atom + c.t_wr;
}

/// The first clock in which a column access to an open row may go.
int64_t Controller::may_access(const Waiting& w) const {
  const Bank& b = m_bank[w.bank];
  const auto& group = m_group_cas[w.group];
  int64_t at = std::max(b.activated + c.t_rcd, m_cas[w.write] + m_atom);
  at = std::max({at, group[w.write] + m_spaced, m_bus_free[1]});
  if (w.write)
    return std::max(
        at, m_cas[0] + std::max<int64_t>(int64_t{c.t_rl} + c.t_dqsck + 2 - c.t_wl, 0) + m_atom);
  const int64_t written = c.t_wl + c.t_dqss + m_atom;
  return std::max(
      {at, m_cas[1] + written + c.t_wtr, group[1] + written + std::max(c.t_wtr, c.t_wtr_l)});
}

void Controller::precharge(Bank& b, int64_t now, unsigned clocks) {
  b.open = b.closes = false;
  b.precharged = now;
  if (clocks != 0) m_bus_free[0] = now + clocks;
}

void Controller::keep_pages(int64_t now) {
  for (unsigned i = 0; i < m_banks; ++i) {
    Bank& b = m_bank[i];
    if (!b.open || !may_precharge(b, now)) continue;
    const bool asked_for =
        std::any_of(m_queue.begin(), m_queue.end(), [=](const Waiting& w) { return w.bank == i; });
    if (b.closes) precharge(b, now, 0);
    if (c.page == DramPage::kAdaptive && b.open && !asked_for && now >= b.used + c.t_idle)
      precharge(b, now, 0);
  }
}

bool Controller::refresh_banks(int64_t now) {
  for (Bank& b : m_bank) {
    if (now < b.refresh_due) continue;
    if (b.open) {
      if (!may_precharge(b, now)) continue;
      precharge(b, now, c.command_precharge);
      return true;
    }
    if (now < b.precharged + c.t_rp) continue;
    b.refreshed = now;
    b.refresh_due += int64_t{c.t_refi_pb} * m_banks;
    m_bus_free[0] = now + c.command_precharge;
    return true;
  }
  return false;
}

bool Controller::refresh_all(int64_t now) {
  if (now < m_refresh_due) return false;
  bool closed = true;
  for (Bank& b : m_bank) {
    closed &= !b.open && now >= b.precharged + c.t_rp;
    if (!b.open || !may_precharge(b, now)) continue;
    precharge(b, now, c.command_precharge);
    return true;
  }
  if (!closed) return true;
  for (Bank& b : m_bank) b.refreshed = now;
  m_refresh_due += c.t_refi;
  return true;
}

bool Controller::has_hit(unsigned bank, bool write) const {
  return std::any_of(m_queue.begin(), m_queue.end(), [&](const Waiting& w) {
    return w.bank == bank && w.write == write && w.row == m_bank[bank].row;
  });
}

bool Controller::column(int64_t now, std::vector<unsigned>& done) {
  size_t best = m_queue.size();
  std::vector<bool> older(m_banks);  // an older access to the bank waits
  for (size_t i = 0; i < m_queue.size() && best == m_queue.size(); ++i) {
    const Waiting& w = m_queue[i];
    if (w.write != m_draining) continue;
    const Bank& b = m_bank[w.bank];
    const bool first = !older[w.bank];
    older[w.bank] = true;
    if (!b.open || b.closes || b.row != w.row || may_access(w) > now) continue;
    if (!w.begun && (now >= b.refresh_due || (!first && b.passed >= kPassed))) continue;
    if (!w.begun &&
        std::any_of(m_queue.begin(), m_queue.end(), [](const Waiting& o) { return o.begun; }))
      continue;
    best = i;
  }
  if (best == m_queue.size()) return false;
  Waiting& w = m_queue[best];
  Bank& b = m_bank[w.bank];
  const bool first =
      std::none_of(m_queue.begin(), m_queue.begin() + static_cast<std::ptrdiff_t>(best),
                   [&](const Waiting& o) { return o.bank == w.bank && o.write == w.write; });
  b.passed = first ? 0 : b.passed + 1;
  turnarounds += w.write != m_last_write;
  m_last_write = w.write;
  m_cas[w.write] = m_group_cas[w.group][w.write] = now;
  (w.write ? b.written : b.read) = now;
  b.used = now + m_atom;
  m_bus_free[1] = now + c.command_column;
  if (c.command_buses == 1) m_bus_free[0] = std::max(m_bus_free[0], m_bus_free[1]);
  data_end = std::max(data_end, now + m_atom);
  ++m_served;
  if (!w.write) m_last_read = now;
  w.begun = --w.atoms != 0;
  if (w.begun) return true;
  const unsigned bank = w.bank;
  const auto left =
      std::find_if(m_left.begin(), m_left.end(), [&](const auto& l) { return l.first == w.token; });
  if (--left->second == 0) {
    done.push_back(left->first);
    m_left.erase(left);
  }
  m_queue.erase(m_queue.begin() + static_cast<std::ptrdiff_t>(best));
  if (c.page == DramPage::kClosed) b.closes = !has_hit(bank, false) && !has_hit(bank, true);
  return true;
}

void Controller::rows(int64_t now) {
  const bool fits =
      std::max(c.command_activate, c.command_precharge) + c.command_column <= m_spaced;
  int64_t next_column = INT64_MAX;
  std::vector<bool> older(m_banks);
  for (const Waiting& w : m_queue) {
    if (w.write != m_draining) continue;
    const Bank& b = m_bank[w.bank];
    const bool first = !older[w.bank];
    older[w.bank] = true;
    if (!b.open || b.row != w.row || (!fits && !w.begun)) continue;
    if (first || b.passed < kPassed || w.begun) next_column = std::min(next_column, may_access(w));
  }
  if (c.command_buses == 2) next_column = INT64_MAX;
  std::vector<bool> seen(m_banks);
  for (const Waiting& w : m_queue) {
    if (w.write != m_draining || seen[w.bank]) continue;
    seen[w.bank] = true;
    Bank& b = m_bank[w.bank];
    if (now >= b.refresh_due || b.closes) continue;
    const unsigned clocks = b.open ? c.command_precharge : c.command_activate;
    if (next_column < now + clocks) continue;
    if (b.open) {
      if (b.row == w.row || (b.passed < kPassed && has_hit(w.bank, m_draining)) ||
          !may_precharge(b, now))
        continue;
      precharge(b, now, clocks);
    } else {
      if (now < b.precharged + c.t_rp ||
          now < b.refreshed + (c.refresh == DramRefresh::kAllBanks ? c.t_rfc_ab : c.t_rfc_pb))
        continue;
      if (now < m_activates[3] + c.t_rrd || now < m_activates[0] + c.t_faw ||
          now < m_group_activate[w.group] + c.t_rrd_l)
        continue;
      b.open = true;
      b.row = w.row;
      b.activated = m_group_activate[w.group] = now;
      m_activates.erase(m_activates.begin());
      m_activates.push_back(now);
      m_bus_free[0] = now + clocks;
    }
    if (c.command_buses == 1) m_bus_free[1] = std::max(m_bus_free[1], m_bus_free[0]);
    return;
  }
}

std::vector<unsigned> Controller::clock(int64_t now) {
  std::vector<unsigned> done;
  keep_pages(now);
  const bool anyone = choose_side(now);
  if (now >= m_bus_free[1] && anyone &&
      (c.refresh != DramRefresh::kAllBanks || now < m_refresh_due ||
       std::any_of(m_queue.begin(), m_queue.end(), [](const Waiting& w) { return w.begun; }))) {
    const bool went = column(now, done);
    if (went && c.command_buses == 1) return done;
  }
  if (now < m_bus_free[0]) return done;
  if (c.refresh == DramRefresh::kPerBank && refresh_banks(now)) return done;
  if (c.refresh == DramRefresh::kAllBanks && refresh_all(now)) return done;
  if (anyone) rows(now);
  return done;
}

}  // namespace presil::memory::reference
