#include "models/memory/dram_channel.h"

#include <algorithm>
#include <stdexcept>

namespace presil::memory {

namespace {

unsigned lowest_bit(unsigned mask) {
  return static_cast<unsigned>(__builtin_ctz(mask));
}

}  // namespace

DramChannel::DramChannel(const DramConfig& config, const DramMap& map, unsigned parts,
                         Cycle period_ps, unsigned index, DramListener& listener,
                         DramStatistics& statistics)
    : m_map(map),
      t(config, map.banks()),
      m_period_ps(period_ps),
      m_index(index),
      m_group_mask(map.groups() - 1),
      m_listener(listener),
      s(statistics),
      m_banks(map.banks()),
      m_groups(map.groups()),
      m_commands(t),
      m_drain(config, std::max(1u, config.write_queue / config.channels) * parts),
      m_next(m_drain),
      m_entries(size_t{config.read_queue + config.write_queue} * parts) {
  for (size_t i = m_entries.size(); i-- > 0;) m_free.push_back(static_cast<uint16_t>(i));
  // per bank: round robin, one bank every interval / banks
  const int64_t share = t.refresh_interval / static_cast<int64_t>(m_banks.size());
  int64_t due = 0;
  for (Bank& bank : m_banks) {
    bank.open = !t.banks;
    due += share;
    bank.refresh_due = t.refresh == DramRefresh::kNone      ? kNeverPs
                       : t.refresh == DramRefresh::kPerBank ? due
                                                            : t.refresh_interval;
  }
}

void DramChannel::push(int64_t now, const DramBurst& burst) {
  const unsigned side = burst.write ? 1 : 0;
  if (m_free.empty()) throw std::logic_error("memory::Dram: more bursts than its queues hold");
  // what arrives in a clock is seen by what is decided in it
  if (now > std::max(m_now, m_last_column + t.clock)) take_turn();
  m_now = std::max(m_now, now);
  if (m_count[0] + m_count[1] == 0) m_waiting_since = m_now;
  const uint16_t index = m_free.back();
  m_free.pop_back();
  Entry& e = m_entries[index];
  e.burst = burst;
  e.arrival = now;
  e.age = m_next_age++;
  e.atoms = static_cast<uint8_t>(atoms_of(burst.address, burst.bytes));
  e.activated = false;
  const DramPlace place = t.banks ? m_map.place(burst.address) : DramPlace{};
  e.row = place.row;
  e.bank = static_cast<uint8_t>(place.bank);
  // The rest of what is on the bus counts as waiting for its master.
  const int64_t rest = std::max<int64_t>(0, m_bus_free - now);
  e.before = m_lost;
  const bool of_tile = m_last_tile == burst.tile;
  e.before.others = by_others(burst) - (of_tile && m_last_master == burst.master ? 0 : rest);
  e.before.tiles = by_other_tiles(burst) - (of_tile || m_last_tile == kNoTile ? 0 : rest);
  Bank& bank = m_banks[e.bank];
  if (t.page == DramPage::kAdaptive && bank.open && now > bank.idle_from + t.idle &&
      ((m_mask[0] | m_mask[1]) >> e.bank & 1) == 0)
    close(bank, std::max(bank.precharge, bank.idle_from + t.idle));
  List& list = bank.lists[side];
  e.next = kNone;
  e.previous = list.tail;
  (list.tail == kNone ? list.head : m_entries[list.tail].next) = index;
  list.tail = index;
  if (list.hit == kNone && bank.open && bank.row == e.row) list.hit = index;
  m_mask[side] |= 1u << e.bank;
  ++m_count[side];
  plan();
}

// What has been planned for the time after a burst counts when the burst has ended: not what comes
// during it is too late.
void DramChannel::take_turn() {
  if (m_count[0] + m_count[1] != 0) m_drain = m_next;
}

// The earliest commands over the banks with work; ties: the oldest.
void DramChannel::plan() {
  m_plan = m_column = m_row = Plan{};
  m_wake = kNeverPs;
  if (m_count[0] + m_count[1] == 0) return;
  if (t.refresh != DramRefresh::kNone) refresh(m_now);
  m_next = m_drain;
  const WriteDrain::Turn turn = m_next.turn(m_now, m_count[0], m_count[1]);
  if (turn == WriteDrain::Turn::kNobody) {
    m_plan.at = m_drain.wakes_at();
    return;
  }
  m_side = turn == WriteDrain::Turn::kWrite ? 1 : 0;
  m_column_from = std::max({m_now, m_cas[m_side], m_commands.column_from()});
  m_row_from = m_commands.row_from(m_now, std::min(t.activate, t.precharge));
  for (unsigned mask = m_mask[m_side]; mask != 0; mask &= mask - 1) plan_bank(lowest_bit(mask));
  choose();
}

void DramChannel::plan_bank(unsigned index) {
  const Bank& bank = m_banks[index];
  const List& list = bank.lists[m_side];
  Plan p;
  p.bank = index;
  // Hits may pass an older access to another row, but only for a bounded time.
  const bool hit = list.hit != kNone && (list.hit == list.head || list.passed < kBatchAtoms);
  p.age = m_entries[hit ? list.hit : list.head].age;
  const Group& group = m_groups[index & m_group_mask];
  if (hit) {
    p.action = Action::kCas;
    p.at = std::max({m_column_from, bank.cas, group.cas[m_side]});
  } else {
    p.action = Action::kRow;
    p.at = bank.open ? std::max(m_row_from, bank.precharge)
                     : std::max({m_row_from, bank.activate, m_rrd, group.activate,
                                 m_faw[m_oldest_activate]});
  }
  if (bank.refresh_due <= p.at) {  // comes before the command, which is then another one
    m_wake = std::min(m_wake, bank.refresh_due);
    return;
  }
  Plan& best = hit ? m_column : m_row;
  if (p.comes_before(best)) best = p;
}

// Column accesses go first, and commands to rows keep none of them waiting where they have room.
void DramChannel::choose() {
  m_plan = m_column;
  if (m_row.at != kNeverPs) {
    Plan row = m_row;
    const int64_t length = length_of(m_banks[row.bank]);
    row.at = m_commands.row_from(row.at, length);
    const int64_t end = m_commands.rows_give_way() ? row.at + length : row.at + 1;
    if (end <= m_column.at) m_plan = row;
  }
  if (m_wake <= m_plan.at) {
    m_plan = Plan{};
    m_plan.at = m_wake;
  }
}

void DramChannel::step() {
  const Plan p = m_plan;
  m_now = p.at;
  if (m_now > m_last_column) take_turn();
  Bank& bank = m_banks[p.bank];
  if (p.action == Action::kCas) {
    access(bank, p.at);
  } else if (p.action == Action::kRow) {
    row_command(bank, p.at);
  }
  plan();
}

// A burst has one column access per atom, back to back.
void DramChannel::access(Bank& bank, int64_t at) {
  const unsigned side = m_side;
  List& list = bank.lists[side];
  const uint16_t index = list.hit;
  const Entry entry = m_entries[index];
  log(side == 1 ? DramCommand::kWrite : DramCommand::kRead, bank, at, entry.atoms);
  lose(bank, at);
  const int64_t last = at + (entry.atoms - 1) * t.spaced, length = last + t.atom - at;
  m_last_column = last;
  m_commands.columns(at, last, t.spaced);
  m_cas[side] = at + length;
  m_cas[side ^ 1] = std::max(m_cas[side ^ 1], last + t.turn[side]);
  Group& group = m_groups[entry.bank & m_group_mask];
  group.cas[side] = last + t.spaced;
  if (side == 1) group.cas[0] = last + t.turn_group;
  bank.precharge = std::max(bank.precharge, last + t.to_precharge[side]);
  bank.idle_from = at + length;
  list.passed = index == list.head ? 0 : list.passed + entry.atoms;
  unlink(bank, index, list);
  if (side == 1)
    m_drain.written(entry.atoms);
  else
    m_drain.read(last, entry.atoms);
  if (t.page == DramPage::kClosed && bank.lists[0].hit == kNone && bank.lists[1].hit == kNone)
    close(bank, bank.precharge);
  if (m_last_side != side) ++s.turnarounds;
  m_last_side = side;
  m_bus_free = at + length;
  s.busy_ps += entry.atoms * t.atom;
  s.traffic.add(at, length, entry.atoms * kAtomBytes);
  if (!entry.activated) ++s.row_hits;
  answer(entry, at);
  m_served += length;
  m_last_master = entry.burst.master;
  m_last_tile = entry.burst.tile;
  if (m_last_tile == kNoTile) {
    m_served_background += length;
    return;
  }
  Served& served = m_served_of[m_last_tile];
  served.of[m_last_master] += length;
  served.all += length;
}

void DramChannel::unlink(Bank& bank, uint16_t index, List& list) {
  const Entry& e = m_entries[index];
  (e.previous == kNone ? list.head : m_entries[e.previous].next) = e.next;
  (e.next == kNone ? list.tail : m_entries[e.next].previous) = e.previous;
  list.hit = e.next;  // nothing older is a hit
  while (list.hit != kNone && m_entries[list.hit].row != bank.row)
    list.hit = m_entries[list.hit].next;
  const unsigned side = e.burst.write ? 1 : 0;
  if (list.head == kNone) m_mask[side] &= ~(1u << e.bank);
  --m_count[side];
  m_free.push_back(index);
}

// Its row is closed by the device itself, or by a command that has waited for a free clock.
void DramChannel::close(Bank& bank, int64_t at) {
  log(DramCommand::kAutoPrecharge, bank, at);
  bank.open = false;
  bank.activate = at + t.rp;
  for (List& list : bank.lists) list.hit = kNone;
}

// The bank's oldest access needs another row: close the open one, or open its own.
void DramChannel::row_command(Bank& bank, int64_t at) {
  m_commands.row(at, length_of(bank));
  if (bank.open) {
    log(DramCommand::kPrecharge, bank, at);
    bank.open = false;
    bank.activate = at + t.rp;
    for (List& list : bank.lists) list.hit = kNone;
    return;
  }
  Entry& entry = m_entries[bank.lists[m_side].head];
  entry.activated = true;
  bank.open = true;
  bank.row = entry.row;
  bank.cas = at + t.rcd;
  bank.precharge = at + t.ras;
  m_rrd = at + t.rrd;
  m_groups[entry.bank & m_group_mask].activate = at + t.rrd_group;
  m_faw[m_oldest_activate] = at + t.faw;
  m_oldest_activate = (m_oldest_activate + 1) % 4;
  ++s.activates;
  log(DramCommand::kActivate, bank, at);
  for (List& list : bank.lists) {
    list.hit = list.head;
    while (list.hit != kNone && m_entries[list.hit].row != bank.row)
      list.hit = m_entries[list.hit].next;
  }
}

// What the bus lost before this access since it was last accounted for, by the reason of this bank:
// the other direction's end, the refresh of the bank, else its rows.
void DramChannel::lose(const Bank& bank, int64_t at) {
  const int64_t from = std::max(m_bus_free, m_waiting_since);
  if (at <= from) return;
  const int64_t turned = m_last_side == m_side ? from : std::clamp(m_cas[m_side], from, at);
  const int64_t refresh = std::max<int64_t>(
      0, std::min(at, bank.refresh_to + t.rcd) - std::max(turned, bank.refresh_from));
  m_lost.turnaround += turned - from;
  m_lost.refresh += refresh;
  m_lost.row += at - turned - refresh;
}

int64_t DramChannel::by_others(const DramBurst& burst) const {
  if (burst.tile == kNoTile) return m_served - m_served_background;
  return m_served - m_served_of[burst.tile].of[burst.master];
}

int64_t DramChannel::by_other_tiles(const DramBurst& burst) const {
  if (burst.tile == kNoTile) return 0;
  return m_served - m_served_background - m_served_of[burst.tile].all;
}

void DramChannel::answer(const Entry& entry, int64_t at) {
  const DramBurst& burst = entry.burst;
  if (burst.tile != kNoTile) {
    DramStatistics::Tile& tile = s.tiles[burst.tile];
    ++(burst.write ? tile.writes : tile.reads);
    (burst.write ? tile.atoms_written : tile.atoms_read) += entry.atoms;
  }
  if (burst.write) {
    ++s.writes;
    s.atoms_written += entry.atoms;
    s.written_bytes[burst.master] += burst.bytes;
    m_listener.write_decided(burst.token);
    return;
  }
  DramTimes times;
  times.first_ps = at + t.read_latency;
  times.atom_ps = t.spaced;
  times.atoms = entry.atoms;
  int64_t rest = at - entry.arrival;  // every part is at most what is left
  const auto part = [&rest](int64_t now, int64_t before) {
    const int64_t ps = std::clamp<int64_t>(now - before, 0, rest);
    rest -= ps;
    return ps;
  };
  times.refresh_ps = part(m_lost.refresh, entry.before.refresh);
  times.turnaround_ps = part(m_lost.turnaround, entry.before.turnaround);
  times.row_ps = part(m_lost.row, entry.before.row);
  times.busy_ps = part(by_others(burst), entry.before.others);
  times.tiles_ps =
      std::clamp<int64_t>(by_other_tiles(burst) - entry.before.tiles, 0, times.busy_ps);
  if (burst.tile != kNoTile) s.tiles[burst.tile].waited_ps += times.tiles_ps;
  times.own_ps = rest;
  ++s.reads;
  s.atoms_read += entry.atoms;
  s.read_bytes[burst.master] += burst.bytes;
  const auto latency = static_cast<size_t>((times.first_ps - entry.arrival) / m_period_ps);
  ++s.latency[std::min(latency, s.latency.size() - 1)];
  m_listener.read_decided(burst.token, times);
}

// ------------------------------------------------------------------------------------- refresh

// A refresh is carried out when its bank is looked at next: nothing has happened there since.
void DramChannel::refresh(int64_t until) {
  if (t.refresh == DramRefresh::kAllBanks) {
    while (m_banks[0].refresh_due <= until) refresh_all();
    return;
  }
  for (unsigned mask = m_mask[0] | m_mask[1]; mask != 0; mask &= mask - 1) {
    Bank& bank = m_banks[lowest_bit(mask)];
    while (bank.refresh_due <= until) refresh_bank(bank);
  }
}

void DramChannel::refresh_bank(Bank& bank) {
  int64_t at = std::max(bank.refresh_due, bank.open ? bank.precharge : bank.activate);
  if (bank.open) {
    close(bank, at);
    at = bank.activate;
  }
  log(DramCommand::kRefresh, bank, at);
  ++s.refreshes;
  bank.refresh_from = bank.refresh_due;
  bank.refresh_to = bank.activate = at + t.refresh_time;
  bank.refresh_due += t.refresh_interval;
}

void DramChannel::refresh_all() {
  const int64_t due = m_banks[0].refresh_due;
  int64_t at = due;
  for (Bank& bank : m_banks) {
    if (bank.open) close(bank, std::max(due, bank.precharge));
    at = std::max(at, bank.activate);
  }
  ++s.refreshes;
  for (Bank& bank : m_banks) {
    log(DramCommand::kRefresh, bank, at);
    bank.refresh_from = due;
    bank.refresh_to = bank.activate = at + t.refresh_time;
    bank.refresh_due += t.refresh_interval;
  }
}

void DramChannel::log(DramCommand::Kind kind, const Bank& bank, int64_t at, unsigned atoms) {
  if (m_observer == nullptr) return;
  const auto index = static_cast<unsigned>(&bank - m_banks.data());
  m_observer->command({kind, m_index, index, bank.row, atoms, at, t.spaced});
}

}  // namespace presil::memory
