// A tile without SystemC for tests of the DSP as a block: timeline, sync, crossbar, memories, DSP.
// Programs are put together by the tests' assembler, images and streams written to DRAM, jobs to
// the ring, and the doorbell rung as a driver would.
#pragma once

#include <cstring>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/base/crc.h"
#include "models/dsp/dsp_engine.h"
#include "models/noc/crossbar.h"
#include "models/sync/sync_unit.h"
#include "tests/common/shown_causes.h"
#include "tests/dsp/dsp_assembler.h"

namespace presil::dsp {

struct DspTile {
  static constexpr uint64_t kRing = PRESIL_DRAM_BASE, kStreams = PRESIL_DRAM_BASE + 0x10000;
  static constexpr uint64_t kImages = PRESIL_DRAM_BASE + 0x100000;  // region 0
  static constexpr uint64_t kData = PRESIL_DRAM_BASE + 0x200000;    // region 3
  static constexpr uint32_t kRegionBytes = 1 << 20;
  static constexpr uint32_t kArgs = 0x8000, kTable = 0x9000;  // in SRAM
  static constexpr uint8_t kWaited = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DMA0),
                           kOwn = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DSP);

  explicit DspTile(const SocConfig& soc = {}) : config(soc) {
    engine.observe([this](const CommandRecord& record) {
      records.push_back(record);
      test::show_causes(m_shown, record.cycles);
      const auto text = m_texts.find({record.job, record.index});
      if (text == m_texts.end() || text->second.empty()) return;
      m_shown.command(text->second.front());
      text->second.pop_front();  // jobs of a test share their tag
    });
    write(PRESIL_QUEUE_REG_RING_BASE, static_cast<uint32_t>(kRing));
    write(PRESIL_QUEUE_REG_RING_BASE_HI, static_cast<uint32_t>(kRing >> 32));
    write(PRESIL_QUEUE_REG_RING_SIZE_LOG2, 2);
    write(PRESIL_QUEUE_REG_CONTROL, PRESIL_QUEUE_CONTROL_ENABLE_MASK);
  }

  void write(uint32_t offset, uint32_t value) {
    engine.bank().write(PRESIL_DSP_REG_QUEUE + offset, value);
  }
  uint32_t read(uint32_t offset) {
    uint32_t value = 0;
    engine.bank().read(PRESIL_DSP_REG_QUEUE + offset, value);
    return value;
  }
  uint32_t state() { return read(PRESIL_QUEUE_REG_STATUS); }
  uint32_t error() { return read(PRESIL_QUEUE_REG_ERROR) & PRESIL_QUEUE_ERROR_CODE_MASK; }
  uint32_t rule() {
    return (read(PRESIL_QUEUE_REG_ERROR) & PRESIL_QUEUE_ERROR_RULE_MASK) >>
           PRESIL_QUEUE_ERROR_RULE_SHIFT;
  }

  /// Puts a program at `offset` of region 0; a return after it. @return its select
  Command image(const Assembler& program, uint32_t offset = 0) {
    std::vector<uint8_t> bytes = program.bytes();
    bytes.resize((bytes.size() + 15) / 16 * 16);
    std::memcpy(map.bytes_at(kImages + offset, bytes.size()), bytes.data(), bytes.size());
    Command c = Command::make(Op::kSelect);
    c.tag = 1;
    c.image_offset = offset;
    c.image_bytes = static_cast<uint32_t>(bytes.size());
    c.image_crc = crc32(bytes.data(), bytes.size());
    return c;
  }
  /// A region table entry in SRAM.
  void region(unsigned k, uint32_t offset, uint32_t bytes, uint32_t what, uint32_t reserved = 0) {
    const uint32_t words[4] = {offset, bytes, what, reserved};
    std::memcpy(sram.data() + kTable + 16 * k, words, sizeof words);
  }
  static constexpr uint32_t kReads = PRESIL_DSP_REGION_READ, kWrites = PRESIL_DSP_REGION_WRITE;
  static constexpr uint32_t kInSram = PRESIL_DSP_REGION_SPACE_SRAM;
  static constexpr uint32_t tensor(uint32_t index) {
    return index << PRESIL_DSP_REGION_TENSOR_SHIFT;
  }
  /// Runs the program of a select from its first instruction, with `regions` regions.
  static Command run(const Command& select, unsigned regions = 1, uint32_t tag = 2) {
    Command c = Command::make(Op::kRun);
    c.tag = tag;
    c.region_count = static_cast<uint8_t>(regions);
    c.entry = PRESIL_DSP_ITCM;
    c.args_base = kArgs;
    c.args_bytes = 64;
    c.watchdog = 100000;
    c.regions_base = kTable;
    c.image_crc = select.image_crc;
    c.signal = kOwn;
    c.signal_add = 1;
    return c;
  }
  JobEntry place(const std::vector<Command>& commands) {
    JobEntry job;
    job.valid = true;
    job.stop_on_error = true;
    job.tag = 77;
    job.stream_address = kStreams + m_stream_at;
    job.command_count = static_cast<uint32_t>(commands.size());
    job.sync_count = 40;
    job.region_base[0] = kImages;
    job.region_base[3] = kData;
    job.region_limit[0] = job.region_limit[3] = kRegionBytes >> 12;
    for (const Command& command : commands) {
      uint32_t words[Command::kWords];
      command.encode(words);
      std::memcpy(map.bytes_at(kStreams + m_stream_at, sizeof words), words, sizeof words);
      const auto index = static_cast<uint32_t>(&command - commands.data());
      m_texts[{job.tag, index}].push_back(command.to_text());
      m_stream_at += Command::kPitch;
    }
    m_stream_at = (m_stream_at + 255) & ~255u;
    return job;
  }
  void ring(const JobEntry& job) {
    uint32_t words[JobEntry::kWords];
    job.encode(words);
    const uint32_t tail = read(PRESIL_QUEUE_REG_TAIL);
    std::memcpy(map.bytes_at(kRing + tail % 4 * 128, 128), words, 128);
    write(PRESIL_QUEUE_REG_TAIL, tail + 1);
  }
  void submit(const std::vector<Command>& commands) { ring(place(commands)); }
  /// Past the job that failed.
  void recover() {
    write(PRESIL_QUEUE_REG_HEAD, read(PRESIL_QUEUE_REG_TAIL));
    write(PRESIL_QUEUE_REG_CONTROL,
          PRESIL_QUEUE_CONTROL_ENABLE_MASK | PRESIL_QUEUE_CONTROL_START_MASK);
    engine.bank().write(PRESIL_DSP_REG_TRAP_CONTROL, 1);
  }
  const CommandRecord* record(uint32_t tag) const {
    for (const CommandRecord& r : records) {
      if (r.tag == tag) return &r;
    }
    return nullptr;
  }

  test::Shown& shown() { return m_shown; }

  SocConfig config;
  Cycle period_ps = (1000000 + config.clock_mhz / 2) / config.clock_mhz;
  Timeline time;
  memory::Sram sram{config.sram};
  memory::Bytes dram{config.dram.bytes};
  memory::SystemBytes map{sram, dram};
  noc::Crossbar crossbar{config, period_ps, time, map};
  sync::SyncUnit sync{config.sync, time};
  BankLoad banks{config.sram.banks};
  Engine engine{
      config, time, crossbar.port(PRESIL_QUEUE_DSP), map, sram, sync.port(PRESIL_QUEUE_DSP), banks};
  std::vector<CommandRecord> records;

 private:
  uint32_t m_stream_at = 0;
  std::map<std::pair<uint32_t, uint32_t>, std::deque<std::string>> m_texts;  // by job and index
  test::Shown m_shown{"dsp", {"model"}};
};

/// What a queue stopped with, for messages.
inline std::string to_text(DspTile& tile) {
  const Bank& b = tile.engine.bank();
  return "error " + std::to_string(tile.error()) + " rule " + std::to_string(tile.rule()) +
         " cause " + std::to_string(int(b.trap_cause())) + " pc " + std::to_string(b.trap_pc()) +
         " address " + std::to_string(b.trap_address()) + " code " + std::to_string(b.trap_code());
}

/// rd = address of the first byte of region k. Uses the own registers.
inline void region_base(Assembler& a, unsigned rd, unsigned k) {
  a.li(rd, static_cast<int32_t>(PRESIL_DSP_OWN));
  a("ld", {rd, PRESIL_DSP_OWN_REGION_BASE(k), rd});
}
/// Ends with `value`.
inline void give_back(Assembler& a, int value) {
  a("addi", {10, 0, value});
  a("jalr", {0, 0, 1});
}

}  // namespace presil::dsp
