#include <algorithm>
#include <cstring>
#include <deque>
#include <utility>

#include "Vpool.h"
#include "models/common/queue_frontend.h"
#include "models/sync/sync_unit.h"
#include "pool_dut.h"
#include "verilated.h"

namespace presil::pool::bench {
namespace {

class Rtl : public Dut {
 public:
  Rtl(const Others& others, uint32_t seed)
      : m_others(others), m_top(seeded(m_context, seed)), m_sync(SyncConfig{}, m_time) {
    m_top.clk_i = 0;
    m_top.cfg_aw_valid_i = m_top.cfg_w_valid_i = m_top.cfg_ar_valid_i = 0;
    m_top.cfg_b_ready_i = m_top.cfg_r_ready_i = m_top.ar_ready_i = 1;
    m_top.cfg_w_strb_i = 0xf;
    m_top.r_valid_i = m_top.wait_met_i = m_top.wait_signaller_i = m_top.barrier_met_i = 0;
    m_top.sram_gnt_i = 0;
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

  Cycle now() const override { return m_now; }
  bool irq() const override { return m_irq; }
  void write(uint32_t offset, uint32_t value) override {
    m_top.cfg_aw_valid_i = m_top.cfg_w_valid_i = 1;
    m_top.cfg_aw_addr_i = static_cast<uint16_t>(offset);
    m_top.cfg_w_data_i = value;
  }
  uint32_t read(uint32_t offset) override {
    m_top.cfg_ar_valid_i = 1;
    m_top.cfg_ar_addr_i = static_cast<uint16_t>(offset);
    step();
    m_top.cfg_ar_valid_i = 0;
    step();
    step();
    return m_read;
  }
  void signal(Cycle when, uint8_t id, uint16_t add) override {
    m_sync.port(kOther).signal(when, id, add);
  }
  uint32_t counter(uint8_t id) const override { return m_sync.counter(id); }

  void step() override {
    ++m_now;
    m_time.run_until(m_now);
    beat();
    m_top.wait_met_i = m_top.barrier_met_i = 0;
    m_top.eval();
    while (answer_sync()) m_top.eval();
    m_top.sram_gnt_i =
        m_top.sram_req_o != 0 && !m_others.takes(m_now, m_top.sram_addr_o / kWord % kBanks);
    m_top.eval();
    sample();
    m_top.clk_i = 1;
    m_top.eval();
    m_top.clk_i = 0;
    m_top.cfg_aw_valid_i = m_top.cfg_w_valid_i = 0;
    std::memcpy(&m_top.sram_rdata_i[0], m_word, kWord);
  }

 private:
  static constexpr unsigned kKindBits = 5;  // KindBits of engines_pkg
  struct Beat {
    Cycle at;
    uint64_t address;
    bool last;
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
    m_top.r_resp_i = 0;
    m_top.r_last_i = beat.last;
    std::memcpy(&m_top.r_data_i[0], &memory.at(beat.address - kMemoryBase), 16);
    m_beats.pop_front();
  }

  // @return whether an input has changed
  bool answer_sync() {
    const auto before = std::make_pair(m_top.wait_met_i, m_top.barrier_met_i);
    CounterPort& port = m_sync.port(kQueue);
    m_top.wait_met_i = m_top.wait_signaller_i = 0;
    for (unsigned p = 0; p < 2; ++p) {
      if ((m_top.wait_valid_o >> p & 1) == 0) continue;
      const auto id = static_cast<uint8_t>(m_top.wait_id_o >> 8 * p);
      const auto value = static_cast<uint32_t>(m_top.wait_value_o >> 32 * p);
      m_top.wait_met_i |= static_cast<unsigned>(port.met(id, value)) << p;
      m_top.wait_signaller_i |= static_cast<unsigned>(JobContext::signaller_of(id))
                                << kKindBits * p;
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
    if (m_top.cfg_r_valid_o) m_read = m_top.cfg_r_data_o;
    if (m_top.ar_valid_o) {
      Cycle at = std::max(m_now + 50, m_free);
      const unsigned beats = m_top.ar_len_o + 1u;
      for (unsigned i = 0; i < beats; ++i) {
        m_beats.push_back({at++, m_top.ar_addr_o + 16 * i, i + 1 == beats});
      }
      m_free = at;
    }
    if (m_top.sram_req_o && m_top.sram_gnt_i) {
      uint8_t* bytes = &sram.at(m_top.sram_addr_o);
      if (m_top.sram_we_o) {
        std::memcpy(bytes, &m_top.sram_wdata_o[0], kWord);
      } else {
        std::memcpy(m_word, bytes, kWord);
      }
    }
    if (m_top.signal_valid_o) {
      m_sync.port(kQueue).signal(m_now, m_top.signal_id_o, m_top.signal_add_o);
    }
    if (m_top.done_valid_o) ended.push_back({m_top.done_index_o, m_top.done_tag_o, m_now});
  }

  const Others m_others;
  VerilatedContext m_context;
  Vpool m_top;
  Timeline m_time;
  sync::SyncUnit m_sync;
  Cycle m_now = 0, m_free = 0;
  std::deque<Beat> m_beats;
  uint8_t m_word[kWord] = {};
  uint32_t m_read = 0;
  bool m_irq = false;
};

}  // namespace

std::unique_ptr<Dut> make_rtl(const Others& others, uint32_t seed) {
  return std::make_unique<Rtl>(others, seed);
}

}  // namespace presil::pool::bench
