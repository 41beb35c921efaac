// AXI4-Lite of the register ports (cfg_*), for any Verilated top that has them: a master with
// random pace, and a checker of the protocol. The test moves the clock:
//
//   master.drive(dut);  dut.eval();  checker.cycle(dut);  master.sample(dut);  // then the edge
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <random>

#include "testbench/common/violations.h"

namespace presil::testbench {

class AxiLiteMaster {
 public:
  static constexpr uint8_t kOkay = 0, kSlvErr = 2;

  struct Pace {
    unsigned ask = 1;   ///< a new address or datum is offered in one of `ask` cycles
    unsigned take = 1;  ///< an answer is taken in one of `take` cycles
  };
  using Written = std::function<void(uint8_t resp)>;
  using ReadDone = std::function<void(uint32_t data, uint8_t resp)>;

  explicit AxiLiteMaster(uint32_t seed) : m_random(seed) {}
  Pace pace;

  /// Writes are done in order, and reads; between the two there is none.
  void write(uint16_t address, uint32_t data, Written done = {}, uint8_t strobes = 0xf) {
    m_addresses.push_back(address);
    m_data.push_back({data, strobes});
    m_written.push_back(std::move(done));
  }
  void read(uint16_t address, ReadDone done = {}) {
    m_reads.push_back(address);
    m_read.push_back(std::move(done));
  }
  /// Every access has been answered.
  bool idle() const { return m_written.empty() && m_read.empty(); }
  /// Drops everything, as a reset does.
  void reset() { *this = AxiLiteMaster(m_random(), pace); }

  /// Sets the inputs of this cycle.
  template <class Top>
  void drive(Top& dut) {
    m_aw |= !m_addresses.empty() && m_random() % pace.ask == 0;
    m_w |= !m_data.empty() && m_random() % pace.ask == 0;
    m_ar |= !m_reads.empty() && m_random() % pace.ask == 0;
    dut.cfg_aw_valid_i = m_aw;
    dut.cfg_aw_addr_i = m_aw ? m_addresses.front() : m_random();
    dut.cfg_w_valid_i = m_w;
    dut.cfg_w_data_i = m_w ? m_data.front().data : m_random();
    dut.cfg_w_strb_i = (m_w ? m_data.front().strobes : m_random()) & 0xf;
    dut.cfg_ar_valid_i = m_ar;
    dut.cfg_ar_addr_i = m_ar ? m_reads.front() : m_random();
    dut.cfg_b_ready_i = m_random() % pace.take == 0;
    dut.cfg_r_ready_i = m_random() % pace.take == 0;
  }

  /// Looks at the outputs of this cycle, before its edge.
  template <class Top>
  void sample(const Top& dut) {
    if (m_aw && dut.cfg_aw_ready_o) m_addresses.pop_front(), m_aw = false;
    if (m_w && dut.cfg_w_ready_o) m_data.pop_front(), m_w = false;
    if (m_ar && dut.cfg_ar_ready_o) m_reads.pop_front(), m_ar = false;
    if (dut.cfg_b_valid_o && dut.cfg_b_ready_i && !m_written.empty()) {
      const Written done = std::move(m_written.front());
      m_written.pop_front();
      if (done) done(dut.cfg_b_resp_o);
    }
    if (dut.cfg_r_valid_o && dut.cfg_r_ready_i && !m_read.empty()) {
      const ReadDone done = std::move(m_read.front());
      m_read.pop_front();
      if (done) done(dut.cfg_r_data_o, dut.cfg_r_resp_o);
    }
  }

 private:
  AxiLiteMaster(uint32_t seed, Pace p) : pace(p), m_random(seed) {}
  struct Datum {
    uint32_t data;
    uint8_t strobes;
  };
  std::mt19937 m_random;
  bool m_aw = false, m_w = false, m_ar = false;  // is offered
  std::deque<uint16_t> m_addresses, m_reads;
  std::deque<Datum> m_data;
  std::deque<Written> m_written;
  std::deque<ReadDone> m_read;
};

class AxiLiteChecker {
 public:
  template <class Top>
  void cycle(const Top& dut, bool in_reset = false) {
    m_violations.next_cycle();
    const bool aw = m_aw.cycle(dut.cfg_aw_valid_i, dut.cfg_aw_ready_o, dut.cfg_aw_addr_i, in_reset);
    const bool w = m_w.cycle(dut.cfg_w_valid_i, dut.cfg_w_ready_o,
                             {dut.cfg_w_data_i, uint32_t{dut.cfg_w_strb_i}}, in_reset);
    const bool ar = m_ar.cycle(dut.cfg_ar_valid_i, dut.cfg_ar_ready_o, dut.cfg_ar_addr_i, in_reset);
    const bool b = m_b.cycle(dut.cfg_b_valid_o, dut.cfg_b_ready_i, dut.cfg_b_resp_o, in_reset);
    const bool r = m_r.cycle(dut.cfg_r_valid_o, dut.cfg_r_ready_i,
                             {dut.cfg_r_data_o, uint32_t{dut.cfg_r_resp_o}}, in_reset);
    if (in_reset) {
      m_violations.unless(!dut.cfg_b_valid_o && !dut.cfg_r_valid_o, "an answer in reset");
      m_addresses = m_data = m_reads = 0;
      return;
    }
    if (dut.cfg_b_valid_o) {  // what comes in this cycle is not yet answered in it
      m_violations.unless(m_addresses != 0 && m_data != 0, "B without its AW and W");
      m_violations.unless(dut.cfg_b_resp_o != 1, "B answers EXOKAY");
    }
    if (dut.cfg_r_valid_o) {
      m_violations.unless(m_reads != 0, "R without its AR");
      m_violations.unless(dut.cfg_r_resp_o != 1, "R answers EXOKAY");
    }
    m_addresses += aw - b;
    m_data += w - b;
    m_reads += ar - r;
  }
  const Violations& violations() const { return m_violations; }

 private:
  Violations m_violations;
  StreamChecker<uint32_t> m_aw{"AW", m_violations}, m_ar{"AR", m_violations},
      m_b{"B", m_violations};
  StreamChecker<std::array<uint32_t, 2>> m_w{"W", m_violations}, m_r{"R", m_violations};
  int m_addresses = 0, m_data = 0, m_reads = 0;  // taken, not answered
};

}  // namespace presil::testbench
