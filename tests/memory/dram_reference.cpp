#include "tests/memory/dram_reference.h"

#include <algorithm>

namespace presil::memory::reference {

namespace {

constexpr int64_t kAtomClocks = 8;

struct Waiting {
  bool write;
  unsigned bank;
  uint32_t row;
  unsigned atoms;  // still to be accessed
};

struct BankState {
  bool open = false;
  uint32_t row = 0;
  int64_t activated = -10000, precharged = -10000, read = -10000, written = -10000;
  int64_t refreshed = -10000, refresh_due = 0;
  unsigned passed = 0;
};

class Controller {
 public:
  explicit Controller(const DramConfig& config) : c(config) {
    for (unsigned b = 0; b < 8; ++b) banks[b].refresh_due = int64_t{c.t_refi_pb} * (b + 1);
  }

  size_t waiting() const { return queue.size(); }
  unsigned writes() const {
    return static_cast<unsigned>(
        std::count_if(queue.begin(), queue.end(), [](const Waiting& w) { return w.write; }));
  }

  void push(const Access& a) {
    Waiting w;
    w.write = a.write;
    w.row = static_cast<uint32_t>(a.address >> 15);
    w.bank = static_cast<unsigned>(a.address >> 10 & 7) ^ (w.row & 7) ^ (w.row >> 3 & 7);
    w.atoms = static_cast<unsigned>((a.address + a.bytes - 1) / 64 - a.address / 64 + 1);
    queue.push_back(w);
  }

  void clock(int64_t now) {
    choose_side();
    if (refresh(now) || column(now)) return;
    row(now);
  }
  int64_t data_end = 0;

 private:
  void choose_side() {
    const unsigned w = writes();
    const auto r = static_cast<unsigned>(queue.size()) - w;
    if (w == 0 || r == 0) {
      draining = r == 0 && w > 0;
      side_atoms = draining && w >= 12 ? 0 : 64;
    } else if (draining ? w <= 2 || side_atoms >= 64
                        : (w >= 12 && side_atoms >= 64) || side_atoms >= 256) {
      draining = !draining;
      side_atoms = 0;
    }
  }

  bool may_precharge(const BankState& b, int64_t now) const {
    return now >= b.activated + c.t_ras && now >= b.read + c.t_rtp &&
           now >= b.written + c.t_wl + 1 + kAtomClocks + c.t_wr;
  }

  bool refresh(int64_t now) {
    for (BankState& b : banks) {
      if (now < b.refresh_due) continue;
      if (b.open) {
        if (!may_precharge(b, now)) continue;
        b.open = false;
        b.precharged = now;
        return true;
      }
      if (now < b.precharged + c.t_rp) continue;
      b.refreshed = now;
      b.refresh_due += int64_t{c.t_refi_pb} * 8;
      return true;
    }
    return false;
  }

  bool column(int64_t now) {
    if (now < last_cas + kAtomClocks) return false;
    if (draining && now < last_read + c.t_rl + c.t_dqsck + kAtomClocks - c.t_wl + 2) return false;
    if (!draining && now < last_write + c.t_wl + 1 + kAtomClocks + c.t_wtr) return false;
    for (size_t i = 0; i < queue.size(); ++i) {
      Waiting& w = queue[i];
      BankState& b = banks[w.bank];
      if (w.write != draining || !b.open || b.row != w.row) continue;
      if (now < b.activated + c.t_rcd || now >= b.refresh_due) continue;
      const size_t oldest = oldest_of(w.bank);
      if (i != oldest && b.passed >= 64) continue;
      b.passed = i == oldest ? 0 : b.passed + 1;
      last_cas = now;
      (w.write ? last_write : last_read) = now;
      (w.write ? b.written : b.read) = now;
      data_end = std::max(data_end, now + kAtomClocks);
      ++side_atoms;
      if (--w.atoms == 0) queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(i));
      return true;
    }
    return false;
  }

  size_t oldest_of(unsigned bank) const {
    size_t i = 0;
    while (queue[i].bank != bank || queue[i].write != draining) ++i;
    return i;
  }

  void row(int64_t now) {
    std::array<bool, 8> seen{};
    for (size_t i = 0; i < queue.size(); ++i) {
      const Waiting& w = queue[i];
      if (w.write != draining || seen[w.bank]) continue;
      seen[w.bank] = true;
      BankState& b = banks[w.bank];
      if (now >= b.refresh_due) continue;
      if (b.open) {
        bool expected = b.row == w.row;
        for (const Waiting& other : queue)
          expected |= b.passed < 64 && other.write == draining && other.bank == w.bank &&
                      other.row == b.row;
        if (expected || !may_precharge(b, now)) continue;
        b.open = false;
        b.precharged = now;
        return;
      }
      if (now < b.precharged + c.t_rp || now < b.refreshed + c.t_rfc_pb) continue;
      if (now < activates[3] + c.t_rrd || now < activates[0] + c.t_faw) continue;
      b.open = true;
      b.row = w.row;
      b.activated = now;
      std::rotate(activates.begin(), activates.begin() + 1, activates.end());
      activates[3] = now;
      return;
    }
  }

  DramConfig c;
  std::vector<Waiting> queue;
  std::array<BankState, 8> banks;
  std::array<int64_t, 4> activates{-10000, -10000, -10000, -10000};
  int64_t last_cas = -10000, last_read = -10000, last_write = -10000;
  bool draining = false;
  unsigned side_atoms = 64;
};

}  // namespace

int64_t clocks_of(const DramConfig& config, const std::vector<Access>& list, unsigned outstanding) {
  Controller controller(config);
  size_t next = 0;
  int64_t now = 0;
  for (; next < list.size() || controller.waiting() != 0; ++now) {
    while (next < list.size() && controller.waiting() < outstanding &&
           (!list[next].write || controller.writes() < config.write_queue)) {
      controller.push(list[next++]);
    }
    controller.clock(now);
  }
  return controller.data_end;
}

}  // namespace presil::memory::reference
