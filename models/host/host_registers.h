// What the host finds in its tile: sizes, identity, time, and the interrupt lines of the blocks,
// gathered into one line to the host.
#pragma once

#include <string>

#include "models/common/queue_frontend.h"
#include "models/common/timeline.h"
#include "rtl/host/host_bank.h"

namespace presil::host {

class HostRegisters {
 public:
  /// @param stamp SHA-256 of the configuration, 64 hexadecimal digits; empty: unknown
  HostRegisters(const SocConfig& config, const std::string& stamp, Timeline& timeline);
  HostRegisters(const HostRegisters&) = delete;
  HostRegisters& operator=(const HostRegisters&) = delete;

  Bank& bank() { return m_bank; }
  void on_interrupt(InterruptLine line) { m_line = std::move(line); }

  void set_dla_line(bool level);
  void set_dma_line(bool level);
  void set_sync_line(bool level);

 private:
  void update();

  Bank m_bank;
  Timeline& m_timeline;
  InterruptLine m_line;
  bool m_level = false;
};

}  // namespace presil::host
