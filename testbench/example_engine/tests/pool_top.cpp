// A small SoC in SystemC: the engine, the tile's SRAM and counters, a memory. A program drives it
// by the driver's port alone (presil/port.h), as it would on silicon: it puts a job into the ring,
// rings, sleeps until the interrupt, and looks at the result.
#include <presil/port.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdio>
#include <cstring>
#include <random>
#include <systemc>

#include "models/sync/sync_unit.h"
#include "pool.h"
#include "pool_cases.h"
#include "rtl/common/job_entry.h"

namespace presil::pool {
namespace {

constexpr uint64_t kSram = PRESIL_TILE_SRAM, kMemory = PRESIL_DRAM_BASE;
constexpr uint8_t kQueueNumber = PRESIL_QUEUE_DMA0;  // free in this SoC

class Bytes : public BytePort {
 public:
  Bytes(uint64_t base, size_t bytes) : m_base(base), m_bytes(bytes) {}
  uint8_t* bytes_at(uint64_t address, size_t bytes) override {
    if (address < m_base || address - m_base + bytes > m_bytes.size()) return nullptr;
    return m_bytes.data() + (address - m_base);
  }
  std::vector<uint8_t>& all() { return m_bytes; }

 private:
  uint64_t m_base;
  std::vector<uint8_t> m_bytes;
};

class Reads : public BurstPort {
 public:
  void request(const Burst& burst, std::function<void(const BurstTimes&)> done) override {
    BurstTimes times;
    times.first = burst.at + 50;
    times.last = times.first + burst.bytes / 16 - 1;
    done(times);
  }
};

class Top : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Top> host;

  explicit Top(sc_core::sc_module_name name)
      : sc_module(name),
        host("host"),
        m_time("time", 1000),
        m_memory(kMemory, 1 << 20),
        m_sram(0, Parameters().sram_bytes),
        m_sync(SyncConfig{}, m_time.timeline()),
        m_engine("engine", m_time,
                 {m_time.timeline(), m_reads, m_memory, m_sram, m_sync.port(kQueueNumber), nullptr,
                  kQueueNumber, Parameters().sram_bytes, nullptr},
                 Parameters()) {
    host.bind(m_engine.registers);
    m_engine.engine().on_interrupt([this](bool level) {
      m_irq = level;
      if (level) m_time.stop();
    });
    m_port.self = this;
    m_port.read32 = [](void* self, uint64_t address) {
      return static_cast<Top*>(self)->access(tlm::TLM_READ_COMMAND, address, 0);
    };
    m_port.write32 = [](void* self, uint64_t address, uint32_t value) {
      static_cast<Top*>(self)->access(tlm::TLM_WRITE_COMMAND, address, value);
    };
    m_port.alloc = [](void* self, size_t bytes, size_t align, presil_memory* memory) {
      return static_cast<Top*>(self)->alloc(bytes, align, memory);
    };
    m_port.wait = [](void* self, uint64_t timeout_ns) {
      Top& top = *static_cast<Top*>(self);
      const bool endless = timeout_ns > uint64_t{1} << 52;
      const Cycle limit =
          endless ? Timeline::kNever : top.m_time.cycle() + static_cast<Cycle>(timeout_ns);
      while (!top.m_irq && top.m_time.pending() && top.m_time.cycle() < limit) {
        const Cycle before = top.m_time.cycle();
        top.m_time.run_before(limit);
        const bool beyond = top.m_time.cycle() == before;  // what happens next
        if (!top.m_irq && beyond && !endless) top.m_time.pass(limit - before);
      }
      return top.m_irq              ? PRESIL_WAIT_INTERRUPT
             : top.m_time.pending() ? PRESIL_WAIT_TIMED_OUT
                                    : PRESIL_WAIT_DEAD;
    };
    m_port.now_ns = [](void* self) {
      return static_cast<uint64_t>(static_cast<Top*>(self)->m_time.cycle());  // 1 GHz
    };
  }

  const presil_port& port() const { return m_port; }
  std::vector<uint8_t>& sram() { return m_sram.all(); }

 private:
  uint32_t access(tlm::tlm_command command, uint64_t address, uint32_t value) {
    tlm::tlm_generic_payload payload;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    host->b_transport(payload, delay);
    if (!payload.is_response_ok())
      std::printf("register %#llx: bus error\n", static_cast<unsigned long long>(address));
    return value;
  }
  int alloc(size_t bytes, size_t align, presil_memory* memory) {
    m_used = (m_used + align - 1) / align * align;
    if (m_used + bytes > m_memory.all().size()) return 1;
    *memory = {m_memory.all().data() + m_used, kMemory + m_used, bytes};
    m_used += bytes;
    return 0;
  }

  Timekeeper m_time;
  Bytes m_memory, m_sram;
  Reads m_reads;
  sync::SyncUnit m_sync;
  Pool m_engine;
  presil_port m_port{};
  size_t m_used = 0;
  bool m_irq = false;
};

/// Runs the commands as one job. @return cycles from doorbell to interrupt, 0: it failed
uint64_t run(const presil_port& port, const std::vector<Command>& commands) {
  presil_memory ring{}, stream{};
  if (port.alloc(port.self, 4096, 4096, &ring) != 0 ||
      port.alloc(port.self, commands.size() * Command::kPitch, 256, &stream) != 0) {
    return 0;
  }
  for (size_t i = 0; i < commands.size(); ++i) {
    uint32_t words[Command::kWords];
    commands[i].encode(words);
    std::memcpy(static_cast<uint8_t*>(stream.host) + i * Command::kPitch, words, sizeof words);
  }
  JobEntry job;
  job.stream_address = stream.address;
  job.command_count = static_cast<uint32_t>(commands.size());
  job.sync_count = 12;
  job.irq_at_end = true;
  uint32_t words[JobEntry::kWords];
  job.encode(words);
  std::memcpy(ring.host, words, sizeof words);

  const auto set = [&](uint32_t offset, uint32_t value) {
    port.write32(port.self, PRESIL_POOL_REG_QUEUE + offset, value);
  };
  set(PRESIL_QUEUE_REG_RING_BASE, static_cast<uint32_t>(ring.address));
  set(PRESIL_QUEUE_REG_RING_BASE_HI, static_cast<uint32_t>(ring.address >> 32));
  set(PRESIL_QUEUE_REG_CONTROL, PRESIL_QUEUE_CONTROL_ENABLE_MASK);
  set(PRESIL_QUEUE_REG_IRQ_ENABLE,
      PRESIL_QUEUE_IRQ_ENABLE_JOB_DONE_MASK | PRESIL_QUEUE_IRQ_ENABLE_ERROR_MASK);
  const uint64_t began = port.now_ns(port.self);
  set(PRESIL_QUEUE_REG_TAIL, 1);
  if (port.wait(port.self, 1000000) != PRESIL_WAIT_INTERRUPT) return 0;
  const uint32_t status =
      port.read32(port.self, PRESIL_POOL_REG_QUEUE + PRESIL_QUEUE_REG_IRQ_STATUS);
  return status == PRESIL_QUEUE_IRQ_STATUS_JOB_DONE_MASK ? port.now_ns(port.self) - began : 0;
}

}  // namespace
}  // namespace presil::pool

int sc_main(int, char**) {
  using namespace presil::pool;
  Top top("top");
  std::mt19937 random(1);
  for (uint8_t& byte : top.sram()) byte = static_cast<uint8_t>(random());
  std::vector<test::Case> cases{test::window(Op::kMax, 28, 28, 2, 2, 0, 2),
                                test::window(Op::kAverage, 14, 14, 7, 7, 0, 1),
                                test::resize(Op::kBilinear, {7, 14}, {7, 14}, 2),
                                test::resize(Op::kNearest, {7, 14}, {7, 14}, 2)};
  std::vector<Command> commands;
  uint32_t at = 0;
  for (test::Case& k : cases) {
    at = test::place(k, at, top.sram());
    commands.push_back(k.command);
  }
  std::vector<std::vector<int8_t>> oracle;
  for (const test::Case& k : cases) oracle.push_back(test::expected(k, top.sram()));
  const uint64_t cycles = run(top.port(), commands);
  for (size_t i = 0; i < cases.size(); ++i) {
    if (test::found(cases[i], top.sram()) == oracle[i]) continue;
    std::printf("command %zu differs\n", i);
    return 1;
  }
  std::printf("%zu commands, %llu cycles, every byte as expected\n", cases.size(),
              static_cast<unsigned long long>(cycles));
  return cycles == 0;
}
