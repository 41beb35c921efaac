#include "sim/rtl/dla_top.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "Vdla.h"
#include "Vdla___024root.h"
#include "sim/rtl/verilated_block.h"

namespace presil::rtl {
namespace {

constexpr unsigned kKindBits = 5;  // engines_pkg
constexpr unsigned kWordBytes = 16, kAddressBits = 24, kMostPorts = 32;

// dla_counters: count_q in the order of the counter registers.
constexpr std::array<Cause, 5> kCauses = {Cause::kRun, Cause::kFeatureBank, Cause::kWeights,
                                          Cause::kPost, Cause::kStart};
constexpr unsigned kFirstCause = 1, kFirstWait = 10, kPlaces = kFirstWait + 3 * kSignallers;

/// The cause that a place of count_q counts; kCount for those of cycles without a command.
Cause cause_of(unsigned place) {
  if (place >= kFirstCause && place < kFirstCause + kCauses.size()) {
    return kCauses[place - kFirstCause];
  }
  if (place < kFirstWait || place >= kPlaces) return Cause::kCount;
  const unsigned wait = place - kFirstWait;
  const Cause groups[] = {Cause::kWaitIn, Cause::kWaitWeights, Cause::kWaitOut};
  return wait_for(groups[wait / kSignallers], static_cast<Signaller>(wait % kSignallers));
}

/// `width` (up to 32) bits from bit `at` of a wide value.
uint32_t bits(const EData* words, unsigned at, unsigned width) {
  const unsigned word = at / 32, shift = at % 32;
  uint64_t value = words[word];
  if (shift + width > 32) value |= uint64_t{words[word + 1]} << 32;
  return static_cast<uint32_t>(value >> shift & ((uint64_t{1} << width) - 1));
}

class VerilatedDla : public VerilatedBlock<DlaTop, Vdla> {
 public:
  VerilatedDla(const SocConfig& config, uint8_t* sram, uint32_t seed)
      : VerilatedBlock("dla_rtl", seed),
        m_features(config.dla.feat_ports),
        m_groups(config.dla.macs_k / 16),
        m_ports(std::min(m_features + 2 * m_groups + config.dla.weight_ports, kMostPorts)),
        m_sram(sram),
        m_sram_bytes(config.sram.bytes) {
    reset();
    words = {};
  }

  void settle() override;
  DlaProbe probe() const override;
  RegisterAccess register_access() const override;
  uint8_t queue_state() const override;
  DlaCauses causes() const override;
  void write_words() override;
  bool edge() override;

 private:
  uint8_t* word_at(unsigned port) const {
    return m_sram + bits(dut().sram_addr_o.data(), kAddressBits * port, kAddressBits) %
                        m_sram_bytes / kWordBytes * kWordBytes;
  }

  // In the order of sram_req_o: features; of each 16 rows outputs, then second operands; weights.
  const unsigned m_features, m_groups, m_ports;
  uint8_t* m_sram;
  uint32_t m_sram_bytes;
  bool m_written = false;  // the words of this cycle
};

void VerilatedDla::settle() {
  Vdla& d = dut();
  const QueuePins::In& in = pins.in;
  drive(in.cfg);
  drive(in.r_valid, in.r);
  d.wait_met_i = 0;
  d.wait_signaller_i = 0;
  for (unsigned i = 0; i < kWaits; ++i) {
    d.wait_met_i |= static_cast<CData>(in.met[i] << i);
    d.wait_signaller_i |= static_cast<SData>(in.signaller[i] << kKindBits * i);
  }
  d.barrier_met_i = in.barrier_met;
  low();

  QueuePins::Out& out = pins.out;
  sense(pins.in.cfg);
  out.irq = d.irq_o;
  out.ar_valid = d.ar_valid_o;
  out.r_ready = d.r_ready_o;
  out.signal = d.signal_valid_o;
  out.barrier = d.barrier_valid_o;
  out.done = d.done_valid_o;
  for (unsigned i = 0; i < kWaits; ++i) {
    out.wait[i] = d.wait_valid_o >> i & 1;
    if (!out.wait[i]) continue;
    out.wait_id[i] = static_cast<uint8_t>(d.wait_id_o >> 8 * i);
    out.wait_value[i] = d.wait_value_o[i];
  }
  if (out.ar_valid) {
    out.ar_address = d.ar_addr_o;
    out.ar_beats = d.ar_len_o + 1u;
  }
  if (out.signal) {
    out.signal_id = d.signal_id_o;
    out.signal_add = d.signal_add_o;
  }
  if (out.barrier) {
    out.barrier_first = d.barrier_first_o;
    out.barrier_count = d.barrier_count_o;
    out.barrier_value = d.barrier_value_o;
  }
  if (out.done) {
    out.done_index = d.done_index_o;
    out.done_tag = d.done_tag_o;
  }
}

RegisterAccess VerilatedDla::register_access() const {
  const Vdla___024root& r = *dut().rootp;
  return {r.dla__DOT__reg_write != 0, r.dla__DOT__reg_read != 0, r.dla__DOT__reg_error != 0,
          r.dla__DOT__reg_rdata};
}

uint8_t VerilatedDla::queue_state() const {
  return dut().rootp->dla__DOT__u_queue__DOT__state;
}

DlaProbe VerilatedDla::probe() const {
  const Vdla___024root& r = *dut().rootp;
  DlaProbe probe;
  probe.reset = r.dla__DOT__abort_q;
  probe.offered = r.dla__DOT__u_engine__DOT__new_offer;
  probe.index = r.dla__DOT__offer_index;
  const unsigned start = r.dla__DOT__u_engine__DOT__start, slot = r.dla__DOT__u_engine__DOT__slot;
  probe.loader = start & 1;
  probe.sequencer = start >> 1 & 1;
  probe.loader_slot = slot & 1;
  probe.sequencer_slot = slot >> 1 & 1;
  return probe;
}

DlaCauses VerilatedDla::causes() const {
  const Vdla___024root& r = *dut().rootp;
  DlaCauses causes;
  for (unsigned place = 0; place < kPlaces; ++place) {
    const Cause cause = cause_of(place);
    if (cause == Cause::kCount) continue;
    causes.before.add(cause, static_cast<Cycle>(r.dla__DOT__u_counters__DOT__count_q[place]));
  }
  causes.with = causes.before;
  const Cause now = cause_of(r.dla__DOT__u_counters__DOT__which);
  if (now != Cause::kCount) causes.with.add(now, 1);
  return causes;
}

void VerilatedDla::write_words() {
  if (m_written) return;
  m_written = true;
  for (unsigned o = 0; o < m_groups; ++o) {
    if ((dut().sram_req_o >> (m_features + o) & 1) == 0) continue;
    uint8_t* word = word_at(m_features + o);
    std::memcpy(word, &dut().sram_wdata_o[4 * o], kWordBytes);
    ++words.written;
    if (on_write) on_write(static_cast<uint32_t>(word - m_sram), word);
  }
}

bool VerilatedDla::edge() {
  Vdla& d = dut();
  const uint32_t requests = d.sram_req_o;
  const uint8_t* read[kMostPorts] = {};
  if (requests != 0) {
    write_words();
    for (unsigned port = 0; port < m_ports; ++port) {
      const bool writes = port >= m_features && port < m_features + m_groups;
      if (!writes && (requests >> port & 1) != 0) read[port] = word_at(port);
    }
  }
  m_written = false;
  high();
  if (requests != 0) {
    for (unsigned port = 0; port < m_ports; ++port) {
      if (read[port] == nullptr) continue;
      std::memcpy(&d.sram_rdata_i[4 * port], read[port], kWordBytes);
      ++words.read;
    }
  }
  return requests != 0;
}

}  // namespace

std::unique_ptr<DlaTop> make_dla_top(const SocConfig& config, uint8_t* sram, uint32_t seed) {
  return std::make_unique<VerilatedDla>(config, sram, seed);
}

}  // namespace presil::rtl
