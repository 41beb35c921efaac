#include "pool_tile.h"

#include <cstring>
#include <utility>

#include "pool/pool.h"
#include "rtl/common/job_entry.h"

namespace presil::pool::test {
namespace {

constexpr Cycle kAccess = 8;  // from one access of the host to its next
constexpr uint64_t kStream = 0x1000;

}  // namespace

Tile::Tile(sc_core::sc_module_name name, const EngineLibrary& library, const rtl::EngineRtl& rtl,
           platform::BlockKind kind, const platform::BlockKinds& kinds, std::vector<uint8_t> bytes)
    : sc_module(name),
      host("host"),
      sram(0, bytes.size()),
      m_queue(PRESIL_POOL_REG_QUEUE),
      m_time("time", 1000),
      m_sync(SyncConfig{}, m_time.timeline()) {
  sram.all = std::move(bytes);
  const auto queue = static_cast<uint8_t>(library.description().first_queue);
  const platform::EngineBlockPlace place{m_config,
                                         library,
                                         {128, 2},  // as engine.yaml says
                                         kinds,
                                         queue,
                                         m_time,
                                         m_reads,
                                         memory,
                                         sram,
                                         m_sync.port(queue),
                                         [this](auto watcher) { m_sync.watch(std::move(watcher)); },
                                         banks};
  m_block = std::make_unique<rtl::OutsideBlock>(place, kind, rtl);
  host.bind(m_block->registers());
  m_block->on_interrupt([this](bool level) {
    m_irq = level;
    if (level) m_time.stop();
  });
  m_block->observe([this](const CommandRecord& record) { records.push_back(record); });
  m_block->observe_model([this](const CommandRecord& record) { model_records.push_back(record); });
}

uint32_t Tile::access(bool write, uint32_t offset, uint32_t value) {
  tlm::tlm_generic_payload payload;
  sc_core::sc_time delay;
  payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload.set_address(offset);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
  payload.set_data_length(sizeof value);
  payload.set_streaming_width(sizeof value);
  m_time.pass(kAccess);
  host->b_transport(payload, delay);
  m_time.pass(kAccess);
  return value;
}

void Tile::write(uint32_t offset, uint32_t value) {
  access(true, offset, value);
}
uint32_t Tile::read(uint32_t offset) {
  return access(false, offset, 0);
}

void Tile::submit(const std::vector<Command>& commands) {
  if (m_jobs == 0) {
    write(m_queue + PRESIL_QUEUE_REG_RING_BASE, static_cast<uint32_t>(kMemory));
    write(m_queue + PRESIL_QUEUE_REG_RING_BASE_HI, static_cast<uint32_t>(kMemory >> 32));
    write(m_queue + PRESIL_QUEUE_REG_IRQ_ENABLE, 0xf);
    write(m_queue + PRESIL_QUEUE_REG_CONTROL, PRESIL_QUEUE_CONTROL_ENABLE_MASK);
  }
  for (size_t i = 0; i < commands.size(); ++i) {
    uint32_t words[Command::kWords];
    commands[i].encode(words);
    std::memcpy(&memory.all.at(kStream + i * Command::kPitch), words, sizeof words);
  }
  JobEntry job;
  job.stream_address = kMemory + kStream;
  job.command_count = static_cast<uint32_t>(commands.size());
  job.sync_count = 20;
  job.irq_at_end = true;
  uint32_t words[JobEntry::kWords];
  job.encode(words);
  std::memcpy(&memory.all.at(m_jobs % 4 * JobEntry::kBytes), words, sizeof words);
  write(m_queue + PRESIL_QUEUE_REG_TAIL, ++m_jobs);
}

bool Tile::wait(Cycle limit) {
  const Cycle end = m_time.cycle() + limit;
  for (Cycle before = -1; !m_irq && m_time.pending() && m_time.cycle() > before;) {
    before = m_time.cycle();
    m_time.run_before(end);
  }
  return m_irq;
}

}  // namespace presil::pool::test
