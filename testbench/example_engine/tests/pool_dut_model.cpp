#include <algorithm>
#include <optional>

#include "models/sync/sync_unit.h"
#include "pool_cases.h"
#include "pool_dut.h"
#include "pool_engine.h"

namespace presil::pool::bench {
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

// The first beat of a read 50 cycles after AR, a beat a cycle, in order.
class Reads : public BurstPort {
 public:
  void request(const Burst& burst, std::function<void(const BurstTimes&)> done) override {
    BurstTimes times;
    times.first = std::max(burst.at + 50, m_free);
    times.last = times.first + burst.bytes / 16 - 1;
    m_free = times.last + 1;
    done(times);
  }

 private:
  Cycle m_free = 0;
};

/// Each word by its bank, as the RTL's port meets it.
class Known : public Contention {
 public:
  Known(const Others& others, const std::vector<uint8_t>& sram) : m_others(others), m_sram(sram) {}
  void begin(const Command& c) override { m_words = test::words_of(c, m_sram); }
  bool denies(Cycle at, Access access, uint64_t index) override {
    const uint32_t address = (access == Access::kRead ? m_words.read : m_words.written).at(index);
    return m_others.takes(at, address / kWord % kBanks);
  }

 private:
  const Others m_others;
  const std::vector<uint8_t>& m_sram;
  test::Words m_words;
};

class Model : public Dut {
 public:
  explicit Model(const Others& others)
      : m_memory(kMemoryBase, memory),
        m_sram(0, sram),
        m_sync(SyncConfig{}, m_time),
        m_banks(kBanks),
        m_known(others, sram),
        m_engine({m_time, m_reads, m_memory, m_sram, m_sync.port(kQueue), &m_banks, kQueue,
                  Parameters().sram_bytes, nullptr},
                 Parameters(), others.known ? &m_known : nullptr) {
    constexpr Cycle kLong = Cycle{1} << 32;
    m_banks.announce(0, 0, kLong, static_cast<uint64_t>(kLong) * kBanks * others.taken / 256);
    m_engine.observe([this](const CommandRecord& record) {
      ended.push_back({record.index, record.tag, record.end});
    });
    m_engine.on_interrupt([this](bool level) { m_irq = level; });
  }

  // What is written over AXI4-Lite in cycle t acts in t + 1, as the model's write in t + 2.
  void step() override {
    ++m_now;
    if (m_write && m_now == m_write->due) {
      m_time.advance(m_now);
      m_engine.bank().write(m_write->offset, m_write->value);
      m_write.reset();
    }
    m_time.run_until(m_now);
  }
  Cycle now() const override { return m_now; }
  void write(uint32_t offset, uint32_t value) override {
    m_write = Write{m_now + 3, offset, value};
  }
  uint32_t read(uint32_t offset) override {
    for (int i = 0; i < 3; ++i) step();
    uint32_t value = 0;
    m_engine.bank().read(offset, value);
    return value;
  }
  bool irq() const override { return m_irq; }
  void signal(Cycle when, uint8_t id, uint16_t add) override {
    m_sync.port(kOther).signal(when, id, add);
  }
  uint32_t counter(uint8_t id) const override { return m_sync.counter(id); }

 private:
  struct Write {
    Cycle due;
    uint32_t offset, value;
  };
  Timeline m_time;
  Bytes m_memory, m_sram;
  Reads m_reads;
  sync::SyncUnit m_sync;
  BankLoad m_banks;
  Known m_known;
  Engine m_engine;
  Cycle m_now = 0;
  std::optional<Write> m_write;
  bool m_irq = false;
};

}  // namespace

std::unique_ptr<Dut> make_model(const Others& others) {
  return std::make_unique<Model>(others);
}

}  // namespace presil::pool::bench
