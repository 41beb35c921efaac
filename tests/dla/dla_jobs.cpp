#include "tests/dla/dla_jobs.h"

#include <algorithm>
#include <cstring>

#include "models/dla/dla_check.h"
#include "models/dla/dla_shape.h"
#include "rtl/dla/dla.h"
#include "rtl/soc/address_map.h"
#include "tests/dla/dla_oracle.h"

namespace presil::dla::test {
namespace {

constexpr uint32_t kWindow = 1 << 18, kUsed = kWindow - 4096;
constexpr uint64_t kRing = bench::kMemoryBase, kStream = bench::kMemoryBase + 0x4000;
constexpr uint32_t kQueue = PRESIL_DLA_REG_QUEUE;
constexpr unsigned kSignals = 3000;  // cycles after the doorbell in which others signal

class Dice {
 public:
  explicit Dice(std::mt19937& random) : m_random(random) {}
  uint32_t below(uint32_t n) { return m_random() % n; }
  bool one_in(uint32_t n) { return below(n) == 0; }

 private:
  std::mt19937& m_random;
};

// One bit of one word, so that the command is refused.
void break_one(Dice& dice, Job::Words& words, const SocConfig& config, const JobEntry& entry) {
  for (;;) {
    Job::Words changed = words;
    changed[dice.one_in(4) ? 0 : dice.below(Command::kWords)] ^= 1u << dice.below(32);
    if (!check(changed.data(), config.dla, entry.sram_base, entry.sync_count, config.sram.bytes)) {
      continue;
    }
    words = changed;
    return;
  }
}

}  // namespace

Job random_job(std::mt19937& random, const SocConfig& config, const JobShape& shape,
               Totals& totals) {
  Dice dice(random);
  Job job;
  JobEntry& entry = job.entry;
  entry.tag = random();
  entry.irq_at_end = true;
  entry.stream_address = kStream;
  entry.command_count = 1 + dice.below(shape.commands);
  entry.sync_base = static_cast<uint8_t>(dice.below(9));
  entry.sync_count = 12;
  entry.sram_base = 16 * dice.below(128);
  uint32_t most = 0;
  for (const auto& [id, total] : totals) most = std::max(most, total);
  entry.value_base =
      static_cast<int32_t>(dice.one_in(2) ? most + dice.below(3) : 0u - dice.below(9));
  entry.barrier = shape.waits && dice.one_in(4);
  if (shape.broken) job.broken = static_cast<int>(dice.below(entry.command_count));
  job.sram.resize(config.sram.bytes);
  for (uint8_t& byte : job.sram) byte = static_cast<uint8_t>(random());

  const auto signal_up_to = [&](uint8_t id, uint32_t value) {
    const auto missing = static_cast<int32_t>(value - totals[id]);
    if (missing <= 0) return;
    job.signals.push_back(
        {static_cast<Cycle>(dice.below(kSignals)), id, static_cast<uint16_t>(missing)});
    totals[id] = value;
  };
  if (entry.barrier) {
    for (unsigned i = 1; i <= entry.sync_count; ++i) {
      signal_up_to(static_cast<uint8_t>(entry.sync_base + i),
                   static_cast<uint32_t>(entry.value_base));
    }
  }
  const uint8_t own =
      static_cast<uint8_t>(entry.sync_base + PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DLA));
  const auto draw_wait = [&](uint8_t& id, int32_t& value) {
    if (!shape.waits || !dice.one_in(4)) return;
    id = static_cast<uint8_t>(dice.one_in(3) ? 1 : 2 + dice.below(6));
    const uint8_t absolute = static_cast<uint8_t>(entry.sync_base + id);
    if (absolute != own) signal_up_to(absolute, totals[absolute] + 1 + dice.below(2));
    value = static_cast<int32_t>(totals[absolute] - static_cast<uint32_t>(entry.value_base));
  };
  unsigned window = 0;
  for (unsigned i = 0; i < entry.command_count; ++i) {
    Command c;
    if (window < config.sram.bytes / kWindow && !(shape.waits && dice.one_in(8))) {
      c = random_command(random, config.dla, kUsed);
      const std::vector<uint8_t> sram = random_sram(random, c, kUsed);
      std::copy(sram.begin(), sram.end(), job.sram.begin() + window * kWindow + entry.sram_base);
      c = relocated(c, window * kWindow);
      ++window;
    } else {
      c = Command::make(Op::kNop);
    }
    c.tag = random();
    c.irq = shape.waits && dice.one_in(4);
    c.fence = shape.waits && dice.one_in(5);
    draw_wait(c.wait_weights, c.wait_weights_value);
    draw_wait(c.wait_in, c.wait_in_value);
    draw_wait(c.wait_out, c.wait_out_value);
    if (shape.waits && !dice.one_in(3)) {
      c.signal = 1;
      c.signal_add = static_cast<uint16_t>(1 + dice.below(3));
      if (job.broken < 0 || static_cast<int>(i) < job.broken) totals[own] += c.signal_add;
    }
    Job::Words words;
    c.encode(words.data());
    if (static_cast<int>(i) == job.broken) break_one(dice, words, config, entry);
    job.commands.push_back(words);
  }
  return job;
}

Job job_of(const Command& command, const std::vector<uint8_t>& sram, const SocConfig& config) {
  Job job;
  job.entry.irq_at_end = true;
  job.entry.stream_address = kStream;
  job.entry.sync_count = 12;
  job.commands.emplace_back();
  command.encode(job.commands[0].data());
  job.sram = sram;
  job.sram.resize(config.sram.bytes);
  return job;
}

bool in_order(std::vector<uint32_t> written, const Command& c, const DlaConfig& config) {
  if (c.op == Op::kNop) return written.empty();
  std::vector<uint32_t> addresses;
  const unsigned copies = c.upsample2 ? 2 : 1, words = output_pixel_bytes(c) / 16;
  const unsigned group = config.macs_k / 16;  // blocks that are written side by side
  for (unsigned first = 0; first < c.out_blocks; first += group) {
    const unsigned last = std::min<unsigned>(first + group, c.out_blocks);
    for (unsigned y = 0; y < c.out_h; ++y) {
      for (unsigned x = 0; x < c.out_w; ++x) {
        for (unsigned i = 0; i < copies * copies * words; ++i) {
          const unsigned row = y * copies + (copies == 2 ? i / 2 : 0);
          const unsigned column = x * copies + (copies == 2 ? i % 2 : 0);
          const size_t access = addresses.size();
          for (unsigned b = first; b < last; ++b) {
            addresses.push_back(c.out_base + b * c.out_cb_pitch + row * c.out_row_pitch +
                                column * c.out_x_step + (copies == 1 ? 16 * i : 0));
          }
          if (addresses.size() > written.size()) return false;
          std::sort(addresses.begin() + static_cast<ptrdiff_t>(access), addresses.end());
          std::sort(written.begin() + static_cast<ptrdiff_t>(access),
                    written.begin() + static_cast<ptrdiff_t>(addresses.size()));
        }
      }
    }
  }
  return written == addresses;
}

// ------------------------------------------------------------------------------------- driver

Driver::Driver(bench::Dut& dut) : m_dut(dut) {
  write(kQueue + PRESIL_QUEUE_REG_RING_BASE, static_cast<uint32_t>(kRing));
  write(kQueue + PRESIL_QUEUE_REG_RING_BASE_HI, static_cast<uint32_t>(kRing >> 32));
  write(kQueue + PRESIL_QUEUE_REG_IRQ_ENABLE, PRESIL_QUEUE_IRQ_STATUS_JOB_DONE_MASK |
                                                  PRESIL_QUEUE_IRQ_STATUS_ERROR_MASK |
                                                  PRESIL_QUEUE_IRQ_STATUS_STOPPED_MASK);
  write(kQueue + PRESIL_QUEUE_REG_CONTROL, PRESIL_QUEUE_CONTROL_ENABLE_MASK);
}

void Driver::write(uint32_t offset, uint32_t value) {
  m_dut.write(offset, value);
  for (int i = 0; i < 3; ++i) m_dut.step();
}

uint32_t Driver::read(uint32_t offset) {
  uint32_t value = 0;
  m_dut.read(offset, value);
  return value;
}

uint32_t Driver::wait(Cycle limit) {
  for (Cycle t = 0; t < limit && !m_dut.irq(); ++t) m_dut.step();
  if (!m_dut.irq()) return 0;
  const uint32_t status = read(kQueue + PRESIL_QUEUE_REG_IRQ_STATUS);
  write(kQueue + PRESIL_QUEUE_REG_IRQ_STATUS, status);
  return status;
}

Report Driver::run(const Job& job, Cycle limit) {
  constexpr uint32_t kGo = PRESIL_QUEUE_CONTROL_ENABLE_MASK | PRESIL_QUEUE_CONTROL_START_MASK;
  m_dut.sram = job.sram;
  m_dut.sync_base = job.entry.sync_base;
  m_dut.ended.clear();
  m_dut.words.clear();
  for (size_t i = 0; i < job.commands.size(); ++i) {
    std::memcpy(&m_dut.memory[kStream - bench::kMemoryBase + Command::kPitch * i],
                job.commands[i].data(), sizeof job.commands[i]);
  }
  uint32_t entry[JobEntry::kWords];
  job.entry.encode(entry);
  if (job.entry_words) std::copy(job.entry_words->begin(), job.entry_words->end(), entry);
  std::memcpy(&m_dut.memory[m_jobs % 4 * JobEntry::kBytes], entry, sizeof entry);

  Report report;
  const Cycle doorbell = m_dut.now();
  for (const Signal& s : job.signals) m_dut.signal(doorbell + 4 + s.after, s.id, s.add);
  write(kQueue + PRESIL_QUEUE_REG_TAIL, ++m_jobs + job.doorbell_beyond);
  if (job.abort_after >= 0) {
    while (m_dut.ended.size() < static_cast<size_t>(job.abort_after) &&
           m_dut.now() < doorbell + limit) {
      m_dut.step();
    }
    for (Cycle t = 0; t < job.abort_delay; ++t) m_dut.step();
    write(kQueue + PRESIL_QUEUE_REG_CONTROL,
          PRESIL_QUEUE_CONTROL_ENABLE_MASK | PRESIL_QUEUE_CONTROL_ABORT_MASK);
    report.aborted = (wait(limit) & PRESIL_QUEUE_IRQ_STATUS_STOPPED_MASK) != 0;
    m_dut.words.clear();
    write(kQueue + PRESIL_QUEUE_REG_CONTROL, kGo);
  }
  const uint32_t status = wait(limit);
  report.finished = status != 0;
  for (unsigned i = 0; i < report.error.size(); ++i) {
    report.error[i] = read(kQueue + PRESIL_QUEUE_REG_ERROR + 4 * i);
  }
  if (status & PRESIL_QUEUE_IRQ_STATUS_ERROR_MASK) {
    write(kQueue + PRESIL_QUEUE_REG_TAIL, m_jobs);
    write(kQueue + PRESIL_QUEUE_REG_HEAD, m_jobs);
    write(kQueue + PRESIL_QUEUE_REG_CONTROL, kGo);
  }
  const Cycle quiet = job.signals.empty() ? 0 : doorbell + kSignals;  // nothing signals any more
  for (Cycle t = 0; t < 16 || m_dut.now() < quiet + 16; ++t) m_dut.step();
  write(PRESIL_DLA_REG_COUNTERS_CONTROL,
        PRESIL_DLA_COUNTERS_CONTROL_SNAPSHOT_MASK | PRESIL_DLA_COUNTERS_CONTROL_CLEAR_MASK);
  const auto count = [&](uint32_t at) {
    report.counters.push_back(read(PRESIL_DLA_REG_COUNTERS + at) |
                              uint64_t{read(PRESIL_DLA_REG_COUNTERS + at + 4)} << 32);
  };
  for (uint32_t at = PRESIL_DLA_COUNTERS_REG_CYCLES; at <= PRESIL_DLA_COUNTERS_REG_IDLE; at += 8)
    count(at);
  for (unsigned k = 0; k < PRESIL_ENGINE_KINDS; ++k) count(PRESIL_DLA_COUNTERS_REG_WAIT_IN(k));
  for (unsigned k = 0; k < PRESIL_ENGINE_KINDS; ++k) count(PRESIL_DLA_COUNTERS_REG_WAIT_WEIGHTS(k));
  for (unsigned k = 0; k < PRESIL_ENGINE_KINDS; ++k) count(PRESIL_DLA_COUNTERS_REG_WAIT_OUT(k));
  count(PRESIL_DLA_COUNTERS_REG_COMMANDS);
  count(PRESIL_DLA_COUNTERS_REG_STEPS);
  report.ended = m_dut.ended;
  for (bench::Ended& ended : report.ended) ended.offered -= doorbell, ended.end -= doorbell;
  report.words = m_dut.words;
  for (unsigned id = 1; id < 64; ++id)
    report.sync.push_back(m_dut.counter(static_cast<uint8_t>(id)));
  return report;
}

}  // namespace presil::dla::test
