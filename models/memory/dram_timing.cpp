#include "models/memory/dram_timing.h"

#include <algorithm>

#include "models/soc/dram_map.h"

namespace presil::memory {

DramTiming::DramTiming(const DramConfig& c, unsigned bank_count)
    // 64 B at peak MB/s: 64 * 10^6 / peak ps; the division loses less than a ps per atom
    : clock(c.clock_ps),
      atom(int64_t{kAtomBytes} * 1000000 * c.channels / c.peak_mb_per_s),
      spaced(atom),
      refresh(c.setting == DramSetting::kIdeal ? DramRefresh::kNone : c.refresh),
      page(c.setting == DramSetting::kIdeal ? DramPage::kOpen : c.page),
      read_latency(c.setting == DramSetting::kIdeal ? c.ideal_latency_ps : c.read_latency_ps),
      two_buses(c.command_buses == 2 || c.setting == DramSetting::kIdeal),
      banks(c.setting != DramSetting::kIdeal) {
  const auto ps = [this](int64_t clocks) { return clocks * clock; };
  activate = ps(c.command_activate);
  precharge = ps(c.command_precharge);
  column = ps(c.command_column);
  if (banks) {
    atom = std::max(atom, column);
    spaced = std::max(atom, ps(c.t_ccd_l));
  }
  rcd = ps(c.t_rcd);
  rp = ps(c.t_rp);
  ras = ps(c.t_ras);
  rrd = ps(c.t_rrd);
  rrd_group = std::max(rrd, ps(c.t_rrd_l));
  faw = ps(c.t_faw);
  idle = ps(c.t_idle);
  const bool per_bank = refresh == DramRefresh::kPerBank;
  refresh_interval = ps(per_bank ? int64_t{c.t_refi_pb} * bank_count : c.t_refi);
  refresh_time = ps(per_bank ? c.t_rfc_pb : c.t_rfc_ab);
  // The data of the last read have passed the pins, with 2 clocks for the strobe, when those of a
  // write come; the data of the last write have been written WTR before a read, WR before a
  // precharge.
  const int64_t read_out = ps(int64_t{c.t_rl} + c.t_dqsck + 2) - ps(c.t_wl);
  const int64_t written = ps(int64_t{c.t_wl} + c.t_dqss) + atom;
  turn = {std::max<int64_t>(read_out, 0) + atom, written + ps(c.t_wtr)};
  turn_group = std::max(turn[1], written + ps(c.t_wtr_l));
  to_precharge = {ps(c.t_rtp), written + ps(c.t_wr)};
  if (!banks) turn = {atom, atom};
}

}  // namespace presil::memory
