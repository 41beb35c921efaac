#include <cstring>
#include <deque>
#include <optional>

#include "Vdla.h"
#include "Vdla___024root.h"
#include "models/common/queue_frontend.h"
#include "rtl/dla/dla.h"
#include "testbench/dla/dla_dut.h"
#include "verilated.h"

namespace presil::dla::bench {
namespace {

// Bits of a packed port: a number, or words.
template <class Port>
uint32_t bits(const Port& port, unsigned at, unsigned width) {
  uint64_t value = 0;
  if constexpr (std::is_integral_v<Port>) {
    value = port >> at;
  } else {
    value = port[at / 32];
    if (at % 32 + width > 32) value |= uint64_t{port[at / 32 + 1]} << 32;
    value >>= at % 32;
  }
  return static_cast<uint32_t>(value & ((uint64_t{1} << width) - 1));
}

class Rtl : public Dut {
 public:
  Rtl(const SocConfig& config, const Pace& pace, uint32_t seed)
      : m_top(seeded(m_context, seed)), m_times(pace), m_sync(config.sync, m_time) {
    const DlaConfig& d = config.dla;
    m_features = d.feat_ports;
    m_outputs = d.macs_k / 16;
    m_ports = m_features + 2 * m_outputs + d.weight_ports;
    memory.resize(kMemoryBytes);
    sram.resize(config.sram.bytes);
    m_top.clk_i = 0;
    m_top.cfg_aw_valid_i = m_top.cfg_w_valid_i = m_top.cfg_ar_valid_i = 0;
    m_top.cfg_b_ready_i = m_top.cfg_r_ready_i = 1;
    m_top.cfg_w_strb_i = 0xf;
    m_top.r_valid_i = m_top.wait_met_i = m_top.wait_signaller_i = m_top.barrier_met_i = 0;
    m_top.rst_ni = 1;
    m_top.eval();
    m_top.rst_ni = 0;
    for (int i = 0; i < 4; ++i) {
      m_top.clk_i = i % 2;
      m_top.eval();
    }
    m_top.clk_i = 0;
    m_top.eval();
    m_top.rst_ni = 1;
  }
  ~Rtl() override { m_top.final(); }

  const char* name() const override { return "RTL"; }
  Cycle now() const override { return m_now; }
  bool irq() const override { return m_irq; }
  bool refused() const override { return m_refused; }
  void write(uint32_t offset, uint32_t value) override {
    m_top.cfg_aw_valid_i = m_top.cfg_w_valid_i = 1;
    m_top.cfg_aw_addr_i = static_cast<uint16_t>(offset);
    m_top.cfg_w_data_i = value;
  }
  bool read(uint32_t offset, uint32_t& value) override {
    m_top.cfg_ar_valid_i = 1;
    m_top.cfg_ar_addr_i = static_cast<uint16_t>(offset);
    step();
    m_top.cfg_ar_valid_i = 0;
    step();
    step();
    value = m_read;
    return m_read_resp == 0;
  }
  void signal(Cycle when, uint8_t id, uint16_t add) override {
    m_sync.port(PRESIL_QUEUE_DMA0).signal(when, id, add);
  }
  uint32_t counter(uint8_t id) const override { return m_sync.counter(id); }

  void step() override {
    ++m_now;
    m_time.run_until(m_now);
    beat();
    m_top.ar_ready_i = m_now % 3 != 0;  // the cycle of AR counts from when it is valid
    m_top.wait_met_i = m_top.barrier_met_i = 0;
    m_top.eval();
    while (answer_sync()) m_top.eval();
    sample();
    m_top.clk_i = 1;
    m_top.eval();
    m_top.clk_i = 0;
    m_top.cfg_aw_valid_i = m_top.cfg_w_valid_i = 0;
    std::memcpy(&m_top.sram_rdata_i[0], m_read_words, sizeof(uint32_t) * 4 * m_ports);
  }

 private:
  struct Beat {
    Cycle at;
    uint64_t address;
    bool last, error;
  };
  static VerilatedContext* seeded(VerilatedContext& context, uint32_t seed) {
    context.randReset(2);
    context.randSeed(static_cast<int>(seed));
    return &context;
  }

  void beat() {
    m_top.r_valid_i = 0;
    if (m_beats.empty() || m_beats.front().at > m_now) return;
    const Beat& beat = m_beats.front();
    m_top.r_valid_i = 1;
    const uint64_t at = beat.address - kMemoryBase;
    const bool there = at + 16 <= memory.size();
    if (there) std::memcpy(&m_top.r_data_i[0], &memory[at], 16);
    m_top.r_resp_i = !there ? 3 : beat.error ? 2 : 0;  // DECERR, SLVERR
    m_top.r_last_i = beat.last;
    m_beats.pop_front();
  }

  // @return whether an input has changed
  bool answer_sync() {
    const auto before = std::make_pair(m_top.wait_met_i, m_top.barrier_met_i);
    CounterPort& port = m_sync.port(PRESIL_QUEUE_DLA);
    m_top.wait_met_i = m_top.wait_signaller_i = 0;
    for (unsigned p = 0; p < 3; ++p) {
      const auto id = static_cast<uint8_t>(bits(m_top.wait_id_o, 8 * p, 8));
      if ((m_top.wait_valid_o >> p & 1) == 0) continue;
      m_top.wait_met_i |= static_cast<unsigned>(port.met(id, bits(m_top.wait_value_o, 32 * p, 32)))
                          << p;
      const uint8_t relative = static_cast<uint8_t>(id - sync_base);
      m_top.wait_signaller_i |= static_cast<unsigned>(JobContext::signaller_of(relative)) << 5 * p;
    }
    m_top.barrier_met_i = 0;
    if (m_top.barrier_valid_o) {
      bool met = true;
      for (unsigned i = 0; i < m_top.barrier_count_o; ++i) {
        met &= port.met(static_cast<uint8_t>(m_top.barrier_first_o + i), m_top.barrier_value_o);
      }
      m_top.barrier_met_i = met;
    }
    return before != std::make_pair(m_top.wait_met_i, m_top.barrier_met_i);
  }

  void sample() {
    m_irq = m_top.irq_o != 0;
    if (m_top.cfg_b_valid_o) m_refused = m_top.cfg_b_resp_o != 0;
    if (m_top.cfg_r_valid_o) m_read = m_top.cfg_r_data_o, m_read_resp = m_top.cfg_r_resp_o;
    if (m_top.ar_valid_o && !m_asked) {  // the first cycle of this request
      const unsigned beats = m_top.ar_len_o + 1u;
      const ReadTimes::Times times = m_times.next(m_now, beats);
      for (unsigned i = 0; i < beats; ++i) {
        m_beats.push_back({times.beats[i], m_top.ar_addr_o + 16 * i, i + 1 == beats,
                           times.error && i + 1 == beats});
      }
    }
    m_asked = m_top.ar_valid_o && !m_top.ar_ready_i;
    for (unsigned p = 0; p < m_ports; ++p) {
      if ((m_top.sram_req_o >> p & 1) == 0) continue;
      const uint32_t address = bits(m_top.sram_addr_o, 24 * p, 24);
      uint8_t* bytes = &sram.at(address);
      if (p >= m_features && p < m_features + m_outputs) {
        std::memcpy(bytes, &m_top.sram_wdata_o[4 * (p - m_features)], 16);
        words.push_back({address, static_cast<unsigned>(ended.size())});
      } else {
        std::memcpy(&m_read_words[4 * p], bytes, 16);
      }
    }
    if (m_top.signal_valid_o) {
      m_sync.port(PRESIL_QUEUE_DLA).signal(m_now, m_top.signal_id_o, m_top.signal_add_o);
    }
    if (m_top.rootp->dla__DOT__abort_q) m_offered.clear();
    if (m_top.rootp->dla__DOT__u_engine__DOT__new_offer) m_offered.push_back(m_now);
    if (m_top.done_valid_o) {
      ended.push_back({m_top.done_index_o, m_top.done_tag_o, m_offered.front(), m_now});
      m_offered.pop_front();
    }
  }

  VerilatedContext m_context;
  Vdla m_top;
  ReadTimes m_times;
  Timeline m_time;
  sync::SyncUnit m_sync;
  Cycle m_now = 0;
  unsigned m_features, m_outputs, m_ports;
  std::deque<Beat> m_beats;
  std::deque<Cycle> m_offered;  // of commands in flight
  uint32_t m_read_words[64] = {};
  uint32_t m_read = 0;
  uint8_t m_read_resp = 0;
  bool m_irq = false, m_refused = false, m_asked = false;
};

}  // namespace

std::unique_ptr<Dut> make_rtl(const SocConfig& config, const Pace& pace, uint32_t seed) {
  return std::make_unique<Rtl>(config, pace, seed);
}

SocConfig built_as() {
  SocConfig config;
  Rtl rtl(config, {}, 1);
  const auto read = [&rtl](uint32_t offset) {
    uint32_t value = 0;
    rtl.read(offset, value);
    return value;
  };
  const uint32_t array = read(PRESIL_DLA_REG_ARRAY), ports = read(PRESIL_DLA_REG_PORTS);
  const uint32_t lanes = read(PRESIL_DLA_REG_LANES);
  config.dla.macs_k = array & 0xffff;
  config.dla.macs_c = array >> 16;
  config.dla.feat_ports = ports & 0xff;
  config.dla.weight_ports = ports >> 8 & 0xff;
  config.dla.acc_depth = read(PRESIL_DLA_REG_ACC) & 0xffff;
  config.dla.post_lanes = lanes & 0xffff;
  config.dla.ew_lanes = lanes >> 16;
  config.sram.bytes = read(PRESIL_DLA_REG_SRAM);
  return config;
}

}  // namespace presil::dla::bench
