#include "sim/rtl/sync_top.h"

#include <cstring>
#include <stdexcept>

#include "Vsync.h"
#include "Vsync___024root.h"
#include "sim/rtl/verilated_block.h"
#include "verilated_save.h"

namespace presil::rtl {
namespace {

class StateWriter : public VerilatedSerialize {
 public:
  StateWriter() { m_isOpen = true; }
  void flush() override {
    bytes.insert(bytes.end(), m_bufp, m_cp);
    m_cp = m_bufp;
  }
  std::vector<uint8_t> bytes;
};

class StateReader : public VerilatedDeserialize {
 public:
  explicit StateReader(const std::vector<uint8_t>& bytes) {
    if (bytes.size() > bufferSize()) throw std::logic_error("sync rtl: its state is too large");
    std::memcpy(m_bufp, bytes.data(), bytes.size());
    m_endp = m_bufp + bytes.size();
    m_isOpen = true;
  }

 private:
  void fill() override {}  // all of it is there
};

/// Element `index`, `width` bits, of a packed port of zeros.
template <class Port>
void put(Port& port, unsigned index, unsigned width, uint32_t value) {
  if constexpr (std::is_integral_v<Port>) {
    port = static_cast<Port>(port | static_cast<Port>(value) << index * width);
  } else {
    port[index * width / 32] |= value << index * width % 32;
  }
}

/// Element `index`, `width` bits up to 32, of a packed port of several words.
template <class Port>
uint32_t taken(const Port& port, unsigned index, unsigned width) {
  const unsigned at = index * width;
  uint64_t words = port[at / 32];
  if (at % 32 + width > 32) words |= uint64_t{port[at / 32 + 1]} << 32;
  return static_cast<uint32_t>(words >> at % 32 & ((uint64_t{1} << width) - 1));
}

constexpr unsigned kKindBits = 5;  // engines_pkg

class VerilatedSync : public VerilatedBlock<SyncTop, Vsync> {
 public:
  explicit VerilatedSync(uint32_t seed) : VerilatedBlock("sync_rtl", seed) { reset(); }

  void settle() override;
  void edge() override { high(); }
  uint32_t counter(unsigned id) const override { return counts()[id]; }
  unsigned counters() const override { return std::size(counts().m_storage); }
  std::vector<uint8_t> state() override;
  void set_state(const std::vector<uint8_t>& state) override;

 private:
  const decltype(Vsync___024root::sync__DOT__u_counters__DOT__count_q)& counts() const {
    return dut().rootp->sync__DOT__u_counters__DOT__count_q;
  }
};

void VerilatedSync::settle() {
  Vsync& d = dut();
  const SyncPins::In& in = pins.in;
  drive(in.cfg);
  d.signal_valid_i = 0;
  d.signal_id_i = {};
  d.signal_add_i = {};
  d.barrier_valid_i = 0;
  d.barrier_first_i = {};
  d.barrier_count_i = {};
  for (unsigned q = 0; q < SyncPins::kQueues; ++q) {
    const SyncPins::Signal& signal = in.signals[q];
    put(d.signal_valid_i, q, 1, signal.valid);
    put(d.signal_id_i, q, 8, signal.id);
    put(d.signal_add_i, q, 16, signal.add);
    const SyncPins::Wait& barrier = in.barriers[q];
    put(d.barrier_valid_i, q, 1, barrier.valid);
    put(d.barrier_first_i, q, 8, barrier.id);
    put(d.barrier_count_i, q, 8, 1);
    d.barrier_value_i[q] = barrier.value;
  }
  d.wait_valid_i = 0;
  d.wait_id_i = {};
  for (unsigned p = 0; p < SyncPins::kPorts; ++p) {
    put(d.wait_valid_i, p, 1, in.waits[p].valid);
    put(d.wait_id_i, p, 8, in.waits[p].id);
    d.wait_value_i[p] = in.waits[p].value;
  }
  low();

  SyncPins::Out& out = pins.out;
  sense(pins.in.cfg);
  out.irq = d.irq_o;
  for (unsigned p = 0; p < SyncPins::kPorts; ++p) {
    out.met[p] = d.wait_met_o >> p & 1;
    out.signaller[p] = static_cast<uint8_t>(taken(d.wait_signaller_o, p, kKindBits));
  }
  for (unsigned q = 0; q < SyncPins::kQueues; ++q) out.barrier_met[q] = d.barrier_met_o >> q & 1;
  out.answer = answer();
}

std::vector<uint8_t> VerilatedSync::state() {
  StateWriter writer;
  writer << dut();
  writer.flush();
  return std::move(writer.bytes);
}

void VerilatedSync::set_state(const std::vector<uint8_t>& state) {
  StateReader reader(state);
  reader >> dut();
}

}  // namespace

std::unique_ptr<SyncTop> make_sync_top(uint32_t seed) {
  return std::make_unique<VerilatedSync>(seed);
}

}  // namespace presil::rtl
