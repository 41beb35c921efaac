// rtl/common/queue_frontend.sv and models/common/queue_frontend side by side, cycle by cycle: reads
// asked for, commands offered, every register and the interrupt line, while a random driver rings,
// stops, aborts, starts and cancels, a random engine takes, ends and fails, and the memory is late
// and errs. A register written in cycle t of the RTL is written in cycle t + 1 of the model.
#include "models/common/queue_frontend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "Vqueue_frontend.h"
#include "rtl/dma/dma_bank.h"
#include "testbench/common/read_responder.h"

namespace presil {
namespace {

constexpr unsigned kWords = 40, kPitch = 256, kPrefetch = 2, kTaken = 3;  // as CMakeLists.txt says
constexpr uint64_t kMemory = 0x80000000, kMemoryBytes = 1 << 16, kStreams = 0x4000;

struct Memory : BytePort {
  std::vector<uint8_t> bytes = std::vector<uint8_t>(kMemoryBytes);
  uint8_t* bytes_at(uint64_t address, size_t) override {
    return &bytes[(address - kMemory) % kMemoryBytes];
  }
};

/// Reads that the model expects, until the RTL has asked for them: one a cycle.
struct Requests : BurstPort {
  struct Request {
    Burst burst;
    std::function<void(const BurstTimes&)> done;
  };
  std::deque<Request> expected, under_way;
  bool shown = false;  // the first one is at AR, not yet accepted

  void request(const Burst& burst, std::function<void(const BurstTimes&)> done) override {
    expected.push_back({burst, std::move(done)});
  }
  /// The model asks for two reads at once where AR takes a cycle each: a queue that stops before
  /// the second has shown itself does not ask for it.
  void drop(Cycle now) {
    while (expected.size() > (shown ? 1u : 0u)) {
      auto done = std::move(expected.back().done);
      expected.pop_back();
      BurstTimes times;
      times.first = times.last = now - 1;
      done(times);
    }
  }
};

struct Counters : CounterPort {
  std::array<uint32_t, 256> value{};
  std::function<void(Cycle)> then;
  uint8_t id = 0;
  uint32_t expected = 0;

  bool met(uint8_t i, uint32_t v) const override {
    return i == 0 || static_cast<int32_t>(value[i] - v) >= 0;
  }
  void when_met(uint8_t, uint8_t, uint8_t i, uint32_t v, std::function<void(Cycle)> f) override {
    id = i, expected = v, then = std::move(f);
  }
  void signal(Cycle, uint8_t, uint16_t) override {}
};

/// The bits of offer_job_o: job_pkg::entry_t, the first member on top, arrays with place 0 lowest.
std::vector<bool> bits_of(const JobEntry& job) {
  std::vector<bool> bits;
  const auto append = [&](unsigned field) {
    const unsigned width = JobEntry::format().fields[field].width;
    for (unsigned i = 0; i < width; ++i) bits.push_back(job.get(field) >> i & 1);
  };
  append(PRESIL_JOB_ENTRY_CRC);
  for (unsigned i = 0; i < 8; ++i) append(PRESIL_JOB_ENTRY_REGION_LIMIT0 + i);
  for (unsigned i = 0; i < 8; ++i) append(PRESIL_JOB_ENTRY_REGION_BASE0 + i);
  for (unsigned i = PRESIL_JOB_ENTRY_REGION_BASE0; i-- > 0;) append(i);
  return bits;
}

class Bench {
 public:
  explicit Bench(unsigned seed)
      : m_random(seed), m_responder([this](uint64_t a) { return memory.bytes_at(a, 16); }, seed) {
    context.randReset(2);
    context.randSeed(static_cast<int>(seed));
    for (uint8_t& byte : memory.bytes) byte = static_cast<uint8_t>(m_random());
    counters.value.fill(seed % 2 ? 0xfffffff0u : 0u);
    model.on_offer([this](const Offer& offer) { m_offer = offer; });
    model.on_abort([this] { m_abort = m_aborting = true; });
    model.on_interrupt([this](bool level) { m_line = level; });
    dut.clk_i = 0;
    dut.rst_ni = 1;
    dut.check_error_i = 0;  // no checker here
    dut.eval();
    dut.rst_ni = 0;
    dut.eval();
    dut.rst_ni = 1;
    const uint32_t first = seed % 3 == 0 ? 65530 : 0;  // head and tail pass 65535
    m_plan = {{PRESIL_QUEUE_REG_HEAD, first},
              {PRESIL_QUEUE_REG_TAIL, first},
              {PRESIL_QUEUE_REG_CONTROL, 1}};
    place_ring();
  }

  void run(Cycle cycles) {
    for (Cycle t = 1; t < cycles && !::testing::Test::HasFatalFailure(); ++t) {
      if (t % 2000 == 0) new_pace();
      step(t);
    }
  }

  unsigned offers = 0, errors = 0, aborts = 0, stops = 0, barriers = 0;
  std::array<unsigned, 16> codes{};

 private:
  unsigned random(unsigned n) { return m_random() % n; }

  uint32_t read(uint32_t offset) {
    uint32_t value = 0;
    bank.read(kBase + offset, value);
    return value;
  }

  void new_pace() {
    m_responder.pace.latency_max = 1 + random(40);
    m_responder.pace.gap = 1 + random(3);
    m_responder.pace.error = random(2) ? 0 : 60;
    m_ready = 1 + random(3);
    m_take = 1 + random(20);
    m_end = 1 + random(30);
  }

  void step(Cycle t) {
    m_abort = false;
    if (m_write) {
      time.advance(t);
      const bool refused = bank.write(kBase + m_write->first, m_write->second) != Access::kOk;
      ASSERT_EQ(refused, m_write_refused) << "write of " << m_write->first << " cycle " << t;
      m_write.reset();
    }
    if (m_abort) m_offer.reset(), m_taken.clear(), ++aborts;
    compare_registers(t);
    if (::testing::Test::HasFatalFailure()) return;
    const uint32_t state = read(PRESIL_QUEUE_REG_STATUS);
    if (state > PRESIL_QUEUE_STATE_WAITING || m_error_arrived) requests.drop(t);
    m_error_arrived = false;

    // counters, then what the model does in this cycle
    ++counters.value[1 + random(63)];
    if (counters.then && random(8) == 0) counters.value[counters.id] += random(4);
    if (counters.then && counters.met(counters.id, counters.expected)) {
      time.at(t, Phase::kCounters,
              [then = std::exchange(counters.then, nullptr), t]() mutable { then(t); });
    }
    const bool offered_before = m_offer.has_value();
    time.run_until(t);
    offers += !offered_before && m_offer;

    compare_offer(t);
    if (::testing::Test::HasFatalFailure()) return;
    engine();
    bus(t);
    if (::testing::Test::HasFatalFailure()) return;
    write();
    dut.clk_i = 1;
    dut.eval();
    dut.clk_i = 0;
    dut.eval();
  }

  void compare_registers(Cycle t) {
    dut.reg_write_i = 0;
    dut.take_i = dut.complete_i = dut.fail_i = dut.aborted_i = dut.r_valid_i = 0;
    for (uint32_t offset : {uint32_t{PRESIL_QUEUE_REG_STATUS},
                            uint32_t{PRESIL_QUEUE_REG_IRQ_STATUS}, uint32_t{PRESIL_QUEUE_REG_HEAD},
                            uint32_t{PRESIL_QUEUE_REG_TAIL}, random(24) * 4, random(256)}) {
      const bool current =
          offset == PRESIL_QUEUE_REG_CURRENT_JOB || offset == PRESIL_QUEUE_REG_CURRENT_COMMAND;
      if (current && m_taken.empty() && !m_offer) continue;  // nothing in progress
      dut.reg_read_i = 1;
      dut.reg_offset_i = offset;
      dut.eval();
      uint32_t value = 0;
      const bool ok = bank.read(kBase + offset, value) == Access::kOk;
      ASSERT_EQ(dut.reg_error_o == 0, ok) << "register " << offset << " cycle " << t;
      ASSERT_EQ(dut.reg_rdata_o, value) << "register " << offset << " cycle " << t;
    }
    dut.reg_read_i = 0;
    ASSERT_EQ(dut.irq_o != 0, m_line) << "cycle " << t;
    ASSERT_EQ(dut.abort_o != 0, m_abort) << "cycle " << t;
  }

  void compare_offer(Cycle t) {
    dut.barrier_met_i = 0;
    dut.eval();
    m_barrier = dut.barrier_valid_o;
    if (m_barrier) {
      bool met = true;
      for (unsigned i = 0; i < dut.barrier_count_o; ++i) {
        met &= counters.met(static_cast<uint8_t>(dut.barrier_first_o + i), dut.barrier_value_o);
      }
      dut.barrier_met_i = met;
      barriers += met;
      m_barrier = !met;
      dut.eval();
    }
    ASSERT_EQ(dut.offer_valid_o != 0, m_offer.has_value()) << "cycle " << t;
    if (!m_offer) return;
    for (unsigned i = 0; i < kWords; ++i) ASSERT_EQ(dut.offer_words_o[i], m_offer->words[i]) << t;
    ASSERT_EQ(dut.offer_index_o, m_offer->index) << "cycle " << t;
    ASSERT_EQ(dut.offer_last_o != 0, m_offer->last) << "cycle " << t;
    const std::vector<bool> job = bits_of(m_offer->job->entry);
    for (size_t i = 0; i < job.size(); ++i) {
      ASSERT_EQ((dut.offer_job_o[i / 32] >> i % 32 & 1) != 0, job[i]) << "bit " << i << " of " << t;
    }
  }

  // Ends, takes and fails commands as an engine of up to kTaken may.
  void engine() {
    dut.waiting_i = random(4) == 0;
    if (!m_barrier) model.waiting(dut.waiting_i);
    if (m_aborting) {
      dut.aborted_i = random(4) == 0;
      if (dut.aborted_i) m_aborting = false, model.aborted();
      return;
    }
    const size_t held = m_taken.size();
    dut.complete_i = held != 0 && random(m_end) == 0;
    dut.complete_irq_i = random(2);
    if (dut.complete_i) {
      m_taken.pop_front();
      model.complete(dut.complete_irq_i);
    }
    const std::optional<Offer> offered = m_offer;
    const bool fails = random(150) == 0;
    const size_t older = dut.complete_i + random(static_cast<unsigned>(held) + 1);
    dut.take_i = m_offer && held < kTaken && random(m_take) == 0;
    if (dut.take_i) {
      m_taken.push_back({m_offer->job, m_offer->index});
      m_offer.reset();
      model.take();
    }
    if (!fails || (older < held ? false : older > held || !offered)) return;
    const Held failed =
        older < held ? m_taken[older - dut.complete_i] : Held{offered->job, offered->index};
    const uint64_t address = m_random();
    const uint8_t code = 3 + random(11), rule = random(20), word = random(40);
    dut.fail_i = 1;
    dut.fail_older_i = older;
    set_error(code, rule, word, address);
    m_taken.resize(older - dut.complete_i);
    m_offer.reset();
    model.fail(*failed.job, failed.index,
               {static_cast<presil_queue_error_code>(code), rule, word, address});
  }

  void set_error(uint8_t code, uint8_t rule, uint8_t word, uint64_t address) {
    dut.fail_error_i = uint64_t{code} << 56 | uint64_t{rule} << 48 | uint64_t{word} << 40 | address;
  }

  void bus(Cycle t) {
    if (const auto beat = m_responder.beat(t)) {
      dut.r_valid_i = 1;
      for (unsigned i = 0; i < 4; ++i) dut.r_data_i[i] = beat->data[i];
      dut.r_resp_i = beat->resp;
      dut.r_last_i = beat->last;
      if (beat->last) {
        BurstTimes times;
        times.first = times.last = t;
        times.error = m_error_arrived = beat->failed;
        requests.under_way.front().done(times);
        requests.under_way.pop_front();
      }
    }
    dut.ar_ready_i = random(m_ready) == 0;
    dut.eval();
    ASSERT_EQ(dut.ar_valid_o != 0, !requests.expected.empty()) << "cycle " << t;
    ASSERT_TRUE(dut.r_ready_o) << "cycle " << t;
    requests.shown = dut.ar_valid_o && !dut.ar_ready_i;
    if (!dut.ar_valid_o) return;
    const Burst& burst = requests.expected.front().burst;
    ASSERT_EQ(dut.ar_addr_o, burst.address) << "cycle " << t;
    ASSERT_EQ((dut.ar_len_o + 1u) * 16, burst.bytes) << "cycle " << t;
    if (requests.shown) return;
    m_responder.accept(t, burst.address, dut.ar_len_o + 1u);
    requests.under_way.push_back(std::move(requests.expected.front()));
    requests.expected.pop_front();
  }

  // -------------------------------------------------------------------------------- the driver
  void place_ring() {
    m_ring = kMemory + 0x1000 * random(4);
    m_size_log2 = 2 + random(3);
    m_plan.push_back({PRESIL_QUEUE_REG_RING_BASE, static_cast<uint32_t>(m_ring)});
    m_plan.push_back({PRESIL_QUEUE_REG_RING_BASE_HI, static_cast<uint32_t>(m_ring >> 32)});
    m_plan.push_back({PRESIL_QUEUE_REG_RING_SIZE_LOG2, m_size_log2});
  }

  JobEntry job() {
    JobEntry job;
    job.tag = m_random();
    job.stream_address = kMemory + kStreams + 256 * random(64);
    job.command_count = 1 + random(7);
    job.irq_at_end = random(2);
    job.barrier = random(3) == 0;
    job.sync_base = random(63);
    job.sync_count = random(64 - job.sync_base);
    uint32_t lowest = counters.value[1];
    for (unsigned i = 1; i < 64; ++i) {
      if (static_cast<int32_t>(counters.value[i] - lowest) < 0) lowest = counters.value[i];
    }
    job.value_base = static_cast<int32_t>(lowest + random(4));
    job.sram_base = 16 * random(1000);
    for (uint64_t& base : job.region_base) base = uint64_t{m_random()} << 8;
    for (uint16_t& limit : job.region_limit) limit = static_cast<uint16_t>(m_random());
    switch (random(60)) {  // some are refused
      case 0:
        job.valid = false;
        break;
      case 1:
        job.stop_on_error = false;
        break;
      case 2:
        job.isa_version = 2;
        break;
      case 3:
        job.stream_address += 16;
        break;
      case 4:
        job.command_count = random(2) << 24;
        break;
      case 5:
        job.sram_base += 4;
        break;
      case 6:
        job.context = 4 + random(252);
        break;
      case 7:
        job.sync_count = 64 - job.sync_base;
        break;
      default:
        job.context = random(4);
        break;
    }
    return job;
  }

  void ring() {
    const uint16_t head = read(PRESIL_QUEUE_REG_HEAD), tail = read(PRESIL_QUEUE_REG_TAIL);
    const unsigned size = 1u << m_size_log2, queued = static_cast<uint16_t>(tail - head);
    if (queued == 0 && random(3) == 0) place_ring();
    if (queued >= size) {
      if (random(40) == 0) m_plan.push_back({PRESIL_QUEUE_REG_TAIL, head + size + 1u + random(9)});
      return;
    }
    uint32_t words[JobEntry::kWords];
    job().encode(words);
    if (random(100) == 0) words[random(2) ? 5 : 28 + random(3)] |= 1u << (16 + random(16));
    std::memcpy(memory.bytes_at(m_ring + tail % (1u << m_size_log2) * 128, 128), words, 128);
    m_plan.push_back({PRESIL_QUEUE_REG_TAIL, static_cast<uint16_t>(tail + 1)});
  }

  void control(uint32_t bits) { m_plan.push_back({PRESIL_QUEUE_REG_CONTROL, bits | 1}); }

  void plan() {
    const uint32_t state = read(PRESIL_QUEUE_REG_STATUS);
    if (state == PRESIL_QUEUE_STATE_ERROR || state == PRESIL_QUEUE_STATE_STOPPED) {
      if (random(8) != 0) return;
      ++(state == PRESIL_QUEUE_STATE_ERROR ? errors : stops);
      ++codes[read(PRESIL_QUEUE_REG_ERROR) & 15];
      const uint16_t head = read(PRESIL_QUEUE_REG_HEAD), tail = read(PRESIL_QUEUE_REG_TAIL);
      if (head != tail && random(3) != 0) {
        m_plan.push_back({PRESIL_QUEUE_REG_HEAD, static_cast<uint16_t>(head + 1)});
      }
      control(PRESIL_QUEUE_CONTROL_START_MASK);
      return;
    }
    const unsigned dice = random(2000);
    if (dice < 3) control(PRESIL_QUEUE_CONTROL_STOP_MASK);
    if (dice >= 3 && dice < 6) control(PRESIL_QUEUE_CONTROL_ABORT_MASK);
    if (dice >= 6 && dice < 9) control(PRESIL_QUEUE_CONTROL_START_MASK);  // ignored
    if (dice >= 10 && dice < 40) m_plan.push_back({PRESIL_QUEUE_REG_IRQ_STATUS, random(16)});
    if (dice >= 40 && dice < 50) m_plan.push_back({PRESIL_QUEUE_REG_IRQ_ENABLE, random(16)});
    if (dice >= 50 && dice < 60) m_plan.push_back({0x80 + random(128), m_random()});  // unmapped
    if (dice >= 60 && dice < 65) m_plan.push_back({PRESIL_QUEUE_REG_STATUS, 5});      // read-only
    if (dice >= 100 && dice < 150) ring();
  }

  void write() {
    if (m_plan.empty()) plan();
    if (m_plan.empty()) return;
    m_write = m_plan.front();
    m_plan.pop_front();
    dut.reg_write_i = 1;
    dut.reg_offset_i = m_write->first;
    dut.reg_wdata_i = m_write->second;
    dut.eval();
    m_write_refused = dut.reg_error_o;
  }

  struct Held {
    std::shared_ptr<const JobContext> job;
    uint32_t index;
  };
  static constexpr uint32_t kBase = PRESIL_DMA_REG_CHANNEL(0);

  std::mt19937 m_random;
  VerilatedContext context;
  Vqueue_frontend dut{&context};
  Timeline time;
  Memory memory;
  Requests requests;
  Counters counters;
  testbench::ReadResponder m_responder;
  dma::Bank bank;  // its first channel has the queue's registers
  QueueFrontend model{{PRESIL_QUEUE_DMA0, kWords, kPitch, kPrefetch},
                      queue::View(bank, kBase),
                      time,
                      requests,
                      memory,
                      counters};

  std::optional<Offer> m_offer;
  std::deque<Held> m_taken;
  bool m_abort = false, m_aborting = false, m_line = false, m_barrier = false;
  bool m_error_arrived = false, m_write_refused = false;
  unsigned m_ready = 1, m_take = 1, m_end = 1;

  std::deque<std::pair<uint32_t, uint32_t>> m_plan;
  std::optional<std::pair<uint32_t, uint32_t>> m_write;
  uint64_t m_ring = 0;
  unsigned m_size_log2 = 2;
};

TEST(RtlQueue, asks_offers_and_reports_as_the_model_in_every_cycle) {
  std::array<unsigned, 16> codes{};
  for (unsigned seed = 1; seed <= 8 && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Bench bench(seed);
    bench.run(20000);
    EXPECT_GT(bench.offers, 200u);
    EXPECT_GT(bench.errors, 10u);
    EXPECT_GT(bench.stops, 3u);
    EXPECT_GT(bench.aborts, 3u);
    EXPECT_GT(bench.barriers, 10u);
    for (unsigned i = 0; i < 16; ++i) codes[i] += bench.codes[i];
  }
  for (unsigned code = 1; code < 16; ++code) EXPECT_GT(codes[code], 0u) << "error code " << code;
}

}  // namespace
}  // namespace presil
