// models/sync on the links of the bench. A write that acts in cycle t is the model's write in
// t + 1, before what else happens there.
#include <string>
#include <utility>

#include "models/sync/sync_unit.h"
#include "testbench/sync/sync_dut.h"

namespace presil::testbench {
namespace {

constexpr uint8_t kBarrierPort = 3;

struct WaitPort {
  uint8_t queue, port;
};
WaitPort wait_port_of(unsigned wait_port) {
  if (wait_port < 8)
    return {static_cast<uint8_t>(wait_port / 4), static_cast<uint8_t>(wait_port % 4)};
  return {static_cast<uint8_t>(PRESIL_QUEUE_DMA0 + (wait_port - 8) / 2),
          static_cast<uint8_t>(wait_port % 2)};
}

class ModelDut : public SyncModel {
 public:
  explicit ModelDut(const SyncConfig& config) : m_config(config) { reset(); }

  SyncOutputs cycle(const SyncInputs& in) override {
    ++m_now;
    SyncOutputs out;
    if (in.reset) reset();
    if (m_acted) land(out);
    m_tile->time.run_until(m_now);
    if (!in.reset) links(in);
    m_tile->time.run_until(m_now);
    show(in, out);
    if (!in.reset) m_acted = std::exchange(m_asked, in.access);
    if (m_acted && !m_acted->write) {
      m_read.error = unit().bank().read(m_acted->offset, m_read.value) != Access::kOk;
    }
    return out;
  }

  std::string complaints() const override { return m_complaints; }
  uint32_t counter(uint8_t id) const override { return m_tile->unit.counter(id); }
  uint32_t get(uint32_t offset) const override { return m_tile->unit.bank().get(offset); }

 private:
  struct Tile {
    Tile(const SyncConfig& config, Cycle now) : unit(config, time) { time.run_until(now); }
    Timeline time;
    sync::SyncUnit unit;
  };
  sync::SyncUnit& unit() { return m_tile->unit; }

  void reset() {
    m_tile = std::make_unique<Tile>(m_config, m_now);
    m_asked.reset(), m_acted.reset();
    m_waits = {};
    m_barrier_asks = {};
  }

  void land(SyncOutputs& out) {
    out.answer.emplace(m_read);
    if (m_acted->write) {
      m_tile->time.advance(m_now);
      out.answer->error = unit().bank().write(m_acted->offset, m_acted->value) != Access::kOk;
      out.answer->value = 0;
    }
    m_acted.reset();
  }

  void links(const SyncInputs& in) {
    for (unsigned p = 0; p < kSyncPorts; ++p) {
      if (in.waits[p] == m_waits[p].asked) continue;
      const auto [queue, port] = wait_port_of(p);
      m_waits[p] = {in.waits[p], false};
      if (!in.waits[p].valid) {
        unit().port(queue).withdraw(queue, port);
        continue;
      }
      unit().port(queue).when_met(queue, port, in.waits[p].id, in.waits[p].value,
                                  [this, p](Cycle) { m_waits[p].answered = true; });
    }
    for (uint8_t q = 0; q < PRESIL_LINKED_QUEUES; ++q) {
      const SyncInputs::Signal& s = in.signals[q];
      if (s.valid) unit().port(q).signal(m_now, s.id, s.add);
      const SyncInputs::Barrier& b = in.barriers[q];
      const uint8_t missing = b.valid ? missing_of(b) : 0;
      const SyncInputs::Wait ask{missing != 0, missing, missing != 0 ? b.value : 0};
      if (ask == m_barrier_asks[q]) continue;
      m_barrier_asks[q] = ask;
      unit().port(q).withdraw(q, kBarrierPort);
      if (ask.valid) unit().port(q).when_met(q, kBarrierPort, ask.id, ask.value, [](Cycle) {});
    }
  }

  /// The lowest counter of the range that has not reached the value; 0: all have.
  uint8_t missing_of(const SyncInputs::Barrier& b) {
    for (unsigned i = 0; i < b.count; ++i) {
      const auto id = static_cast<uint8_t>(b.first + i);
      if (!unit().port(0).met(id, b.value)) return id;
    }
    return 0;
  }

  void show(const SyncInputs& in, SyncOutputs& out) {
    for (unsigned p = 0; p < kSyncPorts; ++p) {
      out.met[p] = unit().port(0).met(in.waits[p].id, in.waits[p].value);
      out.signaller[p] = static_cast<uint8_t>(unit().signaller(in.waits[p].id));
      if (in.waits[p].valid && !in.reset && m_waits[p].answered != out.met[p]) {
        m_complaints += "port " + std::to_string(p) + " was answered in another cycle\n";
      }
    }
    for (unsigned q = 0; q < PRESIL_LINKED_QUEUES; ++q) {
      out.barrier_met[q] = in.barriers[q].valid && missing_of(in.barriers[q]) == 0;
    }
    const sync::Bank& bank = unit().bank();
    out.irq = (bank.get(PRESIL_SYNC_REG_IRQ_STATUS) & bank.get(PRESIL_SYNC_REG_IRQ_ENABLE)) != 0;
  }

  struct Asked {
    SyncInputs::Wait asked;
    bool answered = false;
  };
  SyncConfig m_config;
  Cycle m_now = -1;
  std::unique_ptr<Tile> m_tile;
  std::array<Asked, kSyncPorts> m_waits;
  std::array<SyncInputs::Wait, PRESIL_LINKED_QUEUES> m_barrier_asks;
  std::optional<SyncInputs::Access> m_asked, m_acted;
  SyncOutputs::Answer m_read;
  std::string m_complaints;
};

}  // namespace

std::unique_ptr<SyncModel> make_sync_model(const SyncConfig& config) {
  return std::make_unique<ModelDut>(config);
}

}  // namespace presil::testbench
