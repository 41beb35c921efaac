#include <optional>

#include "models/dla/dla_engine.h"
#include "testbench/dla/dla_dut.h"

namespace presil::dla::bench {

uint32_t ReadTimes::random() {
  m_state ^= m_state << 13;
  m_state ^= m_state >> 17;
  m_state ^= m_state << 5;
  return m_state >> 3;
}

ReadTimes::Times ReadTimes::next(Cycle at, unsigned beats) {
  m_asked = std::max(at, m_asked + 1);
  Times times;
  const unsigned span = m_pace.latency_max - m_pace.latency_min + 1;
  Cycle t = std::max(m_asked + m_pace.latency_min + random() % span, m_free);
  unsigned gaps = m_pace.gap == 0 ? 0 : random() % (m_pace.gap + 1);
  for (unsigned i = 0; i < beats; ++i) {
    if (gaps > 0 && random() % 3 == 0) --gaps, ++t;
    times.beats.push_back(t++);
  }
  times.first = times.beats.front();
  times.last = times.beats.back();
  times.error = m_pace.error != 0 && random() % m_pace.error == 0;
  m_free = t;
  return times;
}

namespace {

class Bytes : public BytePort {
 public:
  Bytes(uint64_t base, std::vector<uint8_t>& bytes) : m_base(base), m_bytes(bytes) {}
  uint8_t* bytes_at(uint64_t address, size_t bytes) override {
    if (address < m_base || address - m_base + bytes > m_bytes.size()) return nullptr;
    return m_bytes.data() + (address - m_base);
  }

 private:
  uint64_t m_base;
  std::vector<uint8_t>& m_bytes;
};

class Reads : public BurstPort {
 public:
  explicit Reads(const Pace& pace) : m_times(pace) {}
  void request(const Burst& burst, std::function<void(const BurstTimes&)> done) override {
    const ReadTimes::Times t = m_times.next(burst.at, burst.bytes / 16);
    BurstTimes times;
    times.first = t.first;
    times.last = t.last;
    times.error = t.error;
    done(times);
  }

 private:
  ReadTimes m_times;
};

class Model : public Dut {
 public:
  Model(const SocConfig& config, const Pace& pace)
      : m_memory(kMemoryBase, memory),
        m_sram(0, sram),
        m_reads(pace),
        m_sync(config.sync, m_time),
        m_engine(PRESIL_QUEUE_DLA, sized(config), m_time, m_reads, m_memory, m_sram, m_sync.port(PRESIL_QUEUE_DLA)) {
    m_engine.observe([this](const CommandRecord& record) {
      ended.push_back({record.index, record.tag, record.offered, record.end});
    });
    m_engine.on_interrupt([this](bool level) { m_irq = level; });
  }

  const char* name() const override { return "model"; }
  // What is written over AXI4-Lite in cycle t acts in t + 1, as the model's write in t + 2.
  void step() override {
    ++m_now;
    if (m_write && m_now == m_write->due) {
      m_time.advance(m_now);
      m_refused = m_engine.bank().write(m_write->offset, m_write->value) != Access::kOk;
      m_write.reset();
    }
    m_time.run_until(m_now);
  }
  Cycle now() const override { return m_now; }
  void write(uint32_t offset, uint32_t value) override {
    m_write = Write{m_now + 3, offset, value};
  }
  bool read(uint32_t offset, uint32_t& value) override {
    step();
    step();
    step();
    return m_engine.bank().read(offset, value) == Access::kOk;
  }
  bool irq() const override { return m_irq; }
  bool refused() const override { return m_refused; }
  void signal(Cycle when, uint8_t id, uint16_t add) override {
    m_sync.port(PRESIL_QUEUE_DMA0).signal(when, id, add);
  }
  uint32_t counter(uint8_t id) const override { return m_sync.counter(id); }

 private:
  struct Write {
    Cycle due;
    uint32_t offset, value;
  };
  const SocConfig& sized(const SocConfig& config) {
    memory.resize(kMemoryBytes);
    sram.resize(config.sram.bytes);
    return config;
  }

  Timeline m_time;
  Bytes m_memory, m_sram;
  Reads m_reads;
  sync::SyncUnit m_sync;
  Engine m_engine;
  Cycle m_now = 0;
  std::optional<Write> m_write;
  bool m_irq = false, m_refused = false;
};

}  // namespace

std::unique_ptr<Dut> make_model(const SocConfig& config, const Pace& pace) {
  return std::make_unique<Model>(config, pace);
}

}  // namespace presil::dla::bench
