// rtl/sync on the links of the bench: packed ports, AXI4-Lite, clock and reset.
#include "Vsync.h"
#include "Vsync_small.h"
#include "testbench/common/axi_lite.h"
#include "testbench/sync/sync_dut.h"

namespace presil::testbench {
namespace {

/// `width` bits of a packed port, element `index`.
template <class Port>
void put(Port& port, unsigned index, unsigned width, uint32_t value) {
  if constexpr (std::is_integral_v<Port>) {
    const Port mask = static_cast<Port>(((uint64_t{1} << width) - 1) << index * width);
    port =
        (port & ~mask) | (static_cast<Port>(static_cast<uint64_t>(value) << index * width) & mask);
  } else {
    const unsigned bit = index * width % 32;
    const uint32_t mask = (width == 32 ? ~0u : (1u << width) - 1) << bit;
    uint32_t& word = port[index * width / 32];
    word = (word & ~mask) | (value << bit & mask);
  }
}

/// As put, of a port of several words.
template <class Port>
uint32_t taken(const Port& port, unsigned index, unsigned width) {
  const unsigned at = index * width;
  uint64_t words = port[at / 32];
  if (at % 32 + width > 32) words |= uint64_t{port[at / 32 + 1]} << 32;
  return static_cast<uint32_t>(words >> at % 32 & ((uint64_t{1} << width) - 1));
}

template <class Top>
class RtlDut : public SyncDut {
 public:
  explicit RtlDut(unsigned seed) : m_master(seed) {
    m_context.randReset(2);
    m_context.randSeed(static_cast<int>(seed));
    m_top = std::make_unique<Top>(&m_context);
    m_top->clk_i = 0;
    m_top->rst_ni = 1;
    m_top->eval();
  }

  SyncOutputs cycle(const SyncInputs& in) override {
    SyncOutputs out;
    Top& top = *m_top;
    top.rst_ni = !in.reset;
    if (in.reset) m_master.reset();
    drive(in);
    if (in.access && !in.reset) ask(*in.access);
    m_answer.reset();
    m_master.drive(top);
    top.eval();
    m_checker.cycle(top, in.reset);
    if (!in.reset) m_master.sample(top);
    out.answer = m_answer;
    out.irq = top.irq_o;
    for (unsigned p = 0; p < kSyncPorts; ++p) {
      out.met[p] = top.wait_met_o >> p & 1;
      out.signaller[p] = static_cast<uint8_t>(taken(top.wait_signaller_o, p, 5));
    }
    for (unsigned q = 0; q < PRESIL_LINKED_QUEUES; ++q)
      out.barrier_met[q] = top.barrier_met_o >> q & 1;
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
    return out;
  }

  std::string complaints() const override { return m_checker.violations().text(); }

 private:
  void drive(const SyncInputs& in) {
    Top& top = *m_top;
    for (unsigned q = 0; q < PRESIL_LINKED_QUEUES; ++q) {
      put(top.signal_valid_i, q, 1, in.signals[q].valid);
      put(top.signal_id_i, q, 8, in.signals[q].id);
      put(top.signal_add_i, q, 16, in.signals[q].add);
      put(top.barrier_valid_i, q, 1, in.barriers[q].valid);
      put(top.barrier_first_i, q, 8, in.barriers[q].first);
      put(top.barrier_count_i, q, 8, in.barriers[q].count);
      put(top.barrier_value_i, q, 32, in.barriers[q].value);
    }
    for (unsigned p = 0; p < kSyncPorts; ++p) {
      put(top.wait_valid_i, p, 1, in.waits[p].valid);
      put(top.wait_id_i, p, 8, in.waits[p].id);
      put(top.wait_value_i, p, 32, in.waits[p].value);
    }
  }
  void ask(const SyncInputs::Access& access) {
    if (access.write) {
      m_master.write(access.offset, access.value, [this](uint8_t resp) {
        m_answer = SyncOutputs::Answer{0, resp != AxiLiteMaster::kOkay};
      });
    } else {
      m_master.read(access.offset, [this](uint32_t value, uint8_t resp) {
        m_answer = SyncOutputs::Answer{value, resp != AxiLiteMaster::kOkay};
      });
    }
  }

  VerilatedContext m_context;
  std::unique_ptr<Top> m_top;
  AxiLiteMaster m_master;
  AxiLiteChecker m_checker;
  std::optional<SyncOutputs::Answer> m_answer;
};

}  // namespace

std::unique_ptr<SyncDut> make_sync_rtl(unsigned seed) {
  return std::make_unique<RtlDut<Vsync>>(seed);
}
std::unique_ptr<SyncDut> make_small_sync_rtl(unsigned seed) {
  return std::make_unique<RtlDut<Vsync_small>>(seed);
}

}  // namespace presil::testbench
