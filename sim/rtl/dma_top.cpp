#include "sim/rtl/dma_top.h"

#include <cstring>

#include "Vdma.h"
#include "Vdma___024root.h"
#include "Vdma_queue_frontend__pi1.h"
#include "rtl/common/queue.h"
#include "sim/rtl/axi_response.h"
#include "sim/rtl/verilated_block.h"
#include "sim/rtl/write_bridge.h"

namespace presil::rtl {
namespace {

constexpr unsigned kKindBits = 5;  // engines_pkg
constexpr unsigned kChannels = DmaPins::kChannels, kWordBytes = 16;

// dma_engine_pkg::cause_e up to the waits; no cause is that of a cycle without a command.
constexpr std::array<Cause, 6> kCauses = {Cause::kRun,        Cause::kWriteQueue, Cause::kSramPort,
                                          Cause::kReadCredit, Cause::kDrain,      Cause::kFetch};
constexpr unsigned kWaits = 32;  // CauseWait; the kind of engine is added

class VerilatedDma : public VerilatedBlock<DmaTop, Vdma> {
 public:
  VerilatedDma(uint8_t* sram, uint32_t sram_bytes, uint32_t seed)
      : VerilatedBlock("dma_rtl", seed), m_sram(sram), m_sram_bytes(sram_bytes) {
    const Vdma___024root& r = *dut().rootp;
    m_states = {&r.__PVT__dma__DOT__gen_queue__BRA__0__KET____DOT__u_queue->state,
                &r.__PVT__dma__DOT__gen_queue__BRA__1__KET____DOT__u_queue->state,
                &r.__PVT__dma__DOT__gen_queue__BRA__2__KET____DOT__u_queue->state,
                &r.__PVT__dma__DOT__gen_queue__BRA__3__KET____DOT__u_queue->state};
    reset();
  }

  void settle() override;
  DmaProbe probe() const override {
    const Vdma___024root& r = *dut().rootp;
    return {r.dma__DOT__offer_valid, r.dma__DOT__take, r.dma__DOT__clear};
  }
  uint32_t offer_index(unsigned channel) const override {
    return dut().rootp->dma__DOT__offer_index[channel];
  }
  uint32_t causes() const override { return dut().rootp->dma__DOT__cause; }
  RegisterAccess register_access() const override {
    const Vdma___024root& r = *dut().rootp;
    return {r.dma__DOT__reg_write != 0, r.dma__DOT__reg_read != 0, r.dma__DOT__reg_error != 0,
            r.dma__DOT__reg_rdata};
  }
  uint8_t queue_state(unsigned channel) const override { return *m_states[channel]; }
  bool rests() const override;
  void write_word() override;
  bool edge() override;

 private:
  void show();
  uint8_t* word_at(uint32_t address) const {
    return m_sram + address % m_sram_bytes / kWordBytes * kWordBytes;
  }

  std::array<const CData*, kChannels> m_states;
  uint8_t* m_sram;
  uint32_t m_sram_bytes;
  const uint8_t* m_written = nullptr;  // the word of this cycle, where it is in the SRAM already
  uint8_t m_before[kWordBytes];        // what was there
};

void VerilatedDma::settle() {
  Vdma& d = dut();
  const DmaPins::In& in = pins.in;
  drive(in.cfg);
  d.f_ar_ready_i = d.ar_ready_i = d.sram_r_ready_i = d.sram_w_ready_i = 1;
  d.f_r_valid_i = in.fetch != nullptr;
  if (in.fetch != nullptr) {
    std::memcpy(d.f_r_data_i.data(), in.fetch->data, kWordBytes);
    d.f_r_id_i = in.fetch->id;
    d.f_r_resp_i = in.fetch->resp;
    d.f_r_last_i = in.fetch->last;
  }
  d.r_valid_i = in.read != nullptr;
  if (in.read != nullptr) {
    std::memcpy(d.r_data_i.data(), in.read->data, kWordBytes);
    d.r_id_i = in.read->id;
    d.r_resp_i = in.read->resp;
    d.r_last_i = in.read->last;
  }
  d.aw_ready_i = in.aw_ready;
  d.w_ready_i = in.w_ready;
  d.b_valid_i = in.b_valid;
  d.b_id_i = in.b_id;
  d.b_resp_i = axi_response(true, in.b_error);
  d.wait_met_i = static_cast<CData>(in.met);
  QData signallers = 0;
  for (unsigned i = 0; i < DmaPins::kWaits; ++i) {
    signallers |= QData{in.signaller[i]} << kKindBits * i;
  }
  d.wait_signaller_i = signallers;
  d.barrier_met_i = static_cast<CData>(in.barrier_met);
  low();
  show();
}

void VerilatedDma::show() {
  Vdma& d = dut();
  DmaPins::Out& out = pins.out;
  sense(pins.in.cfg);
  out.irq = d.irq_o;
  out.read_ready = d.r_ready_o;
  out.fetch.valid = d.f_ar_valid_o;
  if (out.fetch.valid) {
    const unsigned beats = d.f_ar_len_o + 1u;
    out.fetch = {true, d.f_ar_id_o, d.f_ar_addr_o, beats, beats * kWordBytes};
  }
  out.read.valid = d.ar_valid_o;
  if (out.read.valid) {
    out.read = {true, d.ar_id_o, d.ar_addr_o, d.ar_len_o + 1u, d.ar_bytes_o};
  }
  out.write.valid = d.aw_valid_o;
  if (out.write.valid) {
    out.write = {true, d.aw_id_o, d.aw_addr_o, d.aw_len_o + 1u, d.aw_bytes_o};
  }
  out.w_valid = d.w_valid_o;
  if (out.w_valid) {
    out.w_last = d.w_last_o;
    out.w_strobes = d.w_strb_o;
    out.w_bytes = reinterpret_cast<const uint8_t*>(d.w_data_o.data());
  }
  out.wait = d.wait_valid_o;
  for (unsigned i = 0; out.wait >> i != 0; ++i) {
    if ((out.wait >> i & 1) == 0) continue;
    out.wait_id[i] = static_cast<uint8_t>(d.wait_id_o >> 8 * i);
    out.wait_value[i] = d.wait_value_o[i];
  }
  out.signal = d.signal_valid_o;
  out.barrier = d.barrier_valid_o;
  out.done = d.done_valid_o;
  if ((out.signal | out.barrier | out.done) == 0) return;
  for (unsigned c = 0; c < kChannels; ++c) {
    out.signal_id[c] = static_cast<uint8_t>(d.signal_id_o >> 8 * c);
    out.signal_add[c] = static_cast<uint16_t>(d.signal_add_o >> 16 * c);
    out.barrier_first[c] = static_cast<uint8_t>(d.barrier_first_o >> 8 * c);
    out.barrier_count[c] = static_cast<uint8_t>(d.barrier_count_o >> 8 * c);
    out.barrier_value[c] = d.barrier_value_o[c];
    out.done_index[c] = d.done_index_o[c];
    out.done_tag[c] = d.done_tag_o[c];
  }
}

bool VerilatedDma::rests() const {
  for (unsigned c = 0; c < kChannels; ++c) {
    switch (queue_state(c)) {
      case PRESIL_QUEUE_STATE_IDLE:
      case PRESIL_QUEUE_STATE_STOPPED:
      case PRESIL_QUEUE_STATE_ERROR:
        break;
      case PRESIL_QUEUE_STATE_WAITING:
        if ((dut().rootp->dma__DOT__busy >> c & 1) == 0) break;
        return false;
      default:
        return false;
    }
  }
  return true;
}

void VerilatedDma::write_word() {
  const Vdma& d = dut();
  if (m_written != nullptr || !d.sram_w_valid_o) return;
  const uint32_t address = d.sram_w_addr_o, strobes = d.sram_w_strb_o;
  const auto* bytes = reinterpret_cast<const uint8_t*>(d.sram_w_data_o.data());
  uint8_t* word = word_at(address);
  std::memcpy(m_before, word, kWordBytes);
  write_strobed(word, bytes, strobes);
  m_written = word;
  if (on_write) on_write(d.sram_w_channel_o, address, bytes, static_cast<uint16_t>(strobes));
}

// A word that is read in the cycle in which it is written is read as it was.
bool VerilatedDma::edge() {
  Vdma& d = dut();
  const bool reads = d.sram_r_valid_o, writes = d.sram_w_valid_o;
  write_word();
  uint8_t read[kWordBytes];
  if (reads) {
    const uint8_t* word = word_at(d.sram_r_addr_o);
    std::memcpy(read, word == m_written ? m_before : word, kWordBytes);
  }
  m_written = nullptr;
  high();
  if (reads) std::memcpy(d.sram_r_data_i.data(), read, kWordBytes);
  return reads || writes;
}

}  // namespace

Cause DmaTop::cause_in(uint32_t causes, unsigned channel) {
  const unsigned code = causes >> kCauseBits * channel & ((1u << kCauseBits) - 1);
  if (code >= kWaits) return wait_for(Cause::kWait, static_cast<Signaller>(code - kWaits));
  return code < kCauses.size() ? kCauses[code] : Cause::kCount;
}

std::unique_ptr<DmaTop> make_dma_top(uint8_t* sram, uint32_t sram_bytes, uint32_t seed) {
  return std::make_unique<VerilatedDma>(sram, sram_bytes, seed);
}

}  // namespace presil::rtl
