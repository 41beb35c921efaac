// What goes wrong while a job runs: what is reported, in which words, and that the next job is
// exact.
#include <gmock/gmock.h>

#include <cstdlib>
#include <utility>

#include "models/common/command_crc.h"
#include "rtl/common/field.h"
#include "rtl/common/job.h"
#include "rtl/common/queue.h"
#include "rtl/dla/dla.h"
#include "rtl/dla/dla_command.h"
#include "rtl/dma/dma.h"
#include "rtl/dma/dma_command.h"
#include "rtl/soc/address_map.h"
#include "rtl/soc/loadable_generated.h"
#include "rtl/sync/sync.h"
#include "tests/soc/platform_fixture.h"

namespace presil::tests {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

/// Jobs in lock-step take a hundred times as long.
bool all_cases() {
#ifdef PRESIL_LOCKSTEP
  return std::getenv("PRESIL_ALL") != nullptr;
#else
  return true;
#endif
}

class FaultTest : public PlatformTest {
 protected:
  /// The next write to `address` is lost, those after it are not.
  void lose_one(uint64_t address) {
    m_lost = false;
    port.lose = [this, address](uint64_t a, uint32_t) {
      const bool now = a == address && !m_lost;
      m_lost = m_lost || now;
      return now;
    };
  }
  void expect_the_next_job_exact(uint32_t seed) {
    ASSERT_EQ(run(seed), PRESIL_OK) << text();
    expect_exact(seed);
  }
  /// Changes the next entry of the ring of the queue with these registers, when its doorbell rings.
  /// Opens the device anew, to learn where the ring is.
  void change_next_entry(uint64_t queue, std::function<void(uint32_t* words)> change) {
    presil_close(device);
    m_ring = 0;
    m_change = std::move(change);
    port.lose = [this, queue](uint64_t address, uint32_t value) {
      constexpr uint32_t kRingEntries = 4;  // as the driver sets it up
      if (address == queue + PRESIL_QUEUE_REG_RING_BASE) m_ring |= value;
      if (address == queue + PRESIL_QUEUE_REG_RING_BASE_HI) m_ring |= uint64_t{value} << 32;
      if (address == queue + PRESIL_QUEUE_REG_TAIL && m_change) {
        const uint64_t slot = (value - 1) % kRingEntries * PRESIL_JOB_ENTRY_BYTES;
        std::exchange(m_change, nullptr)(words_at(m_ring + slot));
        write_crc(*presil_job_entry_format(), words_at(m_ring + slot));
      }
      return false;
    };
    SetUp();
  }
  uint32_t* words_at(uint64_t address) {
    return reinterpret_cast<uint32_t*>(const_cast<uint8_t*>(soc.system(address)));
  }
  static void set(uint32_t* entry, unsigned field, uint64_t value) {
    presil_field_set(entry, &presil_job_entry_fields()[field], static_cast<int64_t>(value));
  }
  /// Else the front end stops before it looks at the words.
  static void write_crc(const presil_command_format& format, uint32_t* words) {
    const presil_field* field = crc_field_of(format);
    presil_field_set(words, field, crc_of(words, format.word_count, *field));
  }
  /// The first byte after the DRAM.
  uint64_t nowhere() const { return PRESIL_DRAM_BASE + config.dram.bytes; }

  static constexpr uint64_t kDla = PRESIL_TILE_BASE(0) + PRESIL_TILE_DLA + PRESIL_DLA_REG_QUEUE;
  static constexpr uint64_t kDma0 =
      PRESIL_TILE_BASE(0) + PRESIL_TILE_DMA + PRESIL_DMA_REG_CHANNEL(0);
  bool m_lost = false;

 private:
  uint64_t m_ring = 0;
  std::function<void(uint32_t*)> m_change;
};

TEST_F(FaultTest, a_timeout_names_engine_command_layer_and_signaller) {
  load(digits());
  EXPECT_EQ(run(1, 1000), PRESIL_TIMED_OUT);
  EXPECT_THAT(text(), HasSubstr("job 0 did not end within 1000 ns; dla command "));
  EXPECT_THAT(text(),
              ContainsRegex("dma[0-9] command [0-9]+ \\(layer [^)]+\\) waits for counter 1 to "
                            "reach [0-9]+, it is [0-9]+: dla command [0-9]+ \\(layer [^)]+\\) "
                            "should signal it"));
  EXPECT_EQ(presil_job_cancel(network, job), PRESIL_CANCELLED) << text();
  expect_the_next_job_exact(2);
}

// Wherever a job is stopped, nothing of it is left in the engines.
TEST_F(FaultTest, a_job_cancelled_at_any_time_leaves_the_next_exact) {
  load(digits_with_boxes());
  const Cycle begin = soc.now();
  ASSERT_EQ(run(0), PRESIL_OK) << text();
  const Cycle whole = soc.now() - begin;  // a cycle is a nanosecond at 1 GHz
  ASSERT_EQ(config.clock_mhz, 1000u);
  const uint32_t kPlaces = all_cases() ? 16 : 4;
  uint32_t stopped = 0;
  for (uint32_t i = 0; i < kPlaces; ++i) {
    const presil_status status = run(i, static_cast<uint64_t>(whole) * (2 * i + 1) / (2 * kPlaces));
    if (status == PRESIL_OK) continue;  // the host's last task began in time
    ASSERT_EQ(status, PRESIL_TIMED_OUT) << text();
    ASSERT_EQ(presil_job_cancel(network, job), PRESIL_CANCELLED) << text();
    ++stopped;
    expect_the_next_job_exact(100 + i);
  }
  EXPECT_GE(stopped, kPlaces / 2);
}

TEST_F(FaultTest, a_job_that_timed_out_can_be_waited_for_again) {
  load(digits());
  ASSERT_EQ(run(3, 1000), PRESIL_TIMED_OUT);
  EXPECT_EQ(presil_job_wait(network, job, 0), PRESIL_OK) << text();
  expect_exact(3);
}

TEST_F(FaultTest, a_lost_doorbell_is_a_hang_by_name) {
  load(digits());
  lose_one(PRESIL_TILE_BASE(0) + PRESIL_TILE_DMA + PRESIL_DMA_REG_CHANNEL(0) +
           PRESIL_QUEUE_REG_TAIL);
  EXPECT_EQ(run(4), PRESIL_TIMED_OUT);
  ASSERT_TRUE(m_lost);
  EXPECT_THAT(text(), HasSubstr("job 0 hangs: nothing in the system can ever happen again"));
  EXPECT_THAT(text(), HasSubstr("dma0 has nothing to run, yet its counter 4 is 0 of "));
  EXPECT_THAT(text(), ContainsRegex("dla command 0 \\(layer [^)]+\\) waits for counter 4"));
  EXPECT_EQ(presil_job_cancel(network, job), PRESIL_CANCELLED) << text();
  expect_the_next_job_exact(5);
}

TEST_F(FaultTest, a_lost_signal_of_the_host_is_a_hang_by_name) {
  load(host_before_dla());
  lose_one(PRESIL_TILE_BASE(0) + PRESIL_TILE_SYNC + PRESIL_SYNC_REG_SIGNAL);
  EXPECT_EQ(run(6), PRESIL_TIMED_OUT);
  ASSERT_TRUE(m_lost);
  EXPECT_THAT(text(), HasSubstr("job 0 hangs: nothing in the system can ever happen again"));
  EXPECT_THAT(text(), ContainsRegex("host .*counter 3"));
  EXPECT_EQ(presil_job_cancel(network, job), PRESIL_CANCELLED) << text();
  expect_the_next_job_exact(7);
}

// A job entry sends the constants to where no memory is, so the bus answers with an error.
TEST_F(FaultTest, a_bus_error_stops_with_block_command_layer_and_address) {
  change_next_entry(kDma0,
                    [this](uint32_t* e) { set(e, PRESIL_JOB_ENTRY_REGION_BASE0, nowhere()); });
  load(digits());
  EXPECT_EQ(run(10), PRESIL_HARDWARE);
  EXPECT_THAT(text(),
              ContainsRegex("dma0 command [0-9]+ \\(layer [^)]+\\): the hardware stopped: a "
                            "data access was answered with a bus error \\(code 13, .*address "
                            "0x"));
  expect_the_next_job_exact(11);
}

TEST_F(FaultTest, a_stream_where_no_memory_is_stops_its_engine_at_its_first_command) {
  for (const auto& [queue, block] : {std::pair(kDla, "dla"), std::pair(kDma0, "dma0")}) {
    change_next_entry(queue,
                      [this](uint32_t* e) { set(e, PRESIL_JOB_ENTRY_STREAM_ADDRESS, nowhere()); });
    load(digits());
    EXPECT_EQ(run(12), PRESIL_HARDWARE);
    EXPECT_THAT(text(), HasSubstr(block + std::string(" command 0 (layer ")));
    EXPECT_THAT(text(), HasSubstr("fetching a command or job entry was answered with a bus error "
                                  "(code 14"));
    expect_the_next_job_exact(13);
    unload();
  }
}

/// SLVERR where there is memory.
class ErringTest : public FaultTest {
 protected:
  using Which = std::function<bool(const Burst&)>;

  /// The nth of these bursts fails: the job ends, the one after it is exact.
  void expect_stopped(const std::string& why, uint32_t nth, const Which& which) {
    SCOPED_TRACE("burst " + std::to_string(nth));
    Burst failed;
    soc.fail_bursts([&](const Burst& burst) {
      if (!which(burst) || nth-- != 0) return false;
      failed = burst;
      return true;
    });
    EXPECT_EQ(run(++m_seed), PRESIL_HARDWARE);
    soc.fail_bursts({});
    ASSERT_NE(failed.bytes, 0u) << "no burst has failed";
    EXPECT_THAT(text(), HasSubstr(why));
    const bool dla = failed.master == PRESIL_QUEUE_DLA;
    EXPECT_EQ(presil_error(device)->block,
              dla ? std::string("dla") : "dma" + std::to_string(failed.master - PRESIL_QUEUE_DMA0));
    expect_the_next_job_exact(++m_seed);
  }
  /// Longer than a command and a job entry are.
  static bool is_data(const Burst& b) { return b.bytes > 4 * dla::Command::kWords; }

 private:
  uint32_t m_seed = 30;
};

TEST_F(ErringTest, a_fetch_that_fails_stops_its_engine_and_the_job) {
  load(digits());
  const auto expect = [this](unsigned queue, uint32_t nth) {
    expect_stopped("fetching a command or job entry was answered with a bus error (code 14", nth,
                   [queue](const Burst& b) { return b.master == queue && !b.write; });
  };
  for (const uint32_t nth : {0u, 1u, 5u}) expect(PRESIL_QUEUE_DLA, nth);  // the entry, a command
  for (const uint32_t nth : {0u, 1u}) expect(PRESIL_QUEUE_DMA0, nth);     // then come data
}

TEST_F(ErringTest, a_burst_of_data_that_fails_stops_its_channel_and_the_job) {
  load(digits());
  for (const bool write : {false, true}) {
    for (const uint32_t nth : {0u, 7u}) {
      expect_stopped("a data access was answered with a bus error (code 13", nth,
                     [write](const Burst& b) { return b.write == write && is_data(b); });
    }
  }
}

TEST_F(FaultTest, a_job_entry_that_the_hardware_refuses_stops_the_job_before_its_first_command) {
  for (const uint64_t queue : {kDla, kDma0}) {
    change_next_entry(queue, [](uint32_t* e) { set(e, PRESIL_JOB_ENTRY_CONTEXT, 4); });
    load(digits());
    EXPECT_EQ(run(14), PRESIL_HARDWARE);
    EXPECT_THAT(text(), HasSubstr("(code 2"));
    expect_the_next_job_exact(15);
    unload();
  }
}

TEST_F(FaultTest, a_change_of_a_command_is_found_by_its_crc) {
#ifdef PRESIL_LOCKSTEP
  GTEST_SKIP() << "SKIPPED: the front end in SystemVerilog does not look at the CRC yet";
#endif
  load(digits());
  auto* words = reinterpret_cast<uint32_t*>(
      region(PRESIL_REGION_CONSTANTS) +
      (*loadable::GetLoadable(digits().loadable.data())->streams())[0]->offset());
  words[1] ^= 1u << 17;  // its tag, which no check looks at
  EXPECT_EQ(run(16), PRESIL_HARDWARE);
  EXPECT_THAT(text(), HasSubstr(" command 0: the hardware stopped: it does not have the CRC of its "
                                "words, memory has changed: load the network again (code 18"));
  words[1] ^= 1u << 17;
  expect_the_next_job_exact(17);
}

/// The last command of a queue that `change` accepts and changes, in the loaded network's image.
class ImageTest : public FaultTest {
 protected:
  template <class Command, class Change>
  uint32_t change_one(const Subject& subject, uint8_t queue, Change change) {
    const auto& l = *loadable::GetLoadable(subject.loadable.data());
    for (const auto* stream : *l.streams()) {
      if (stream->queue() != queue) continue;
      for (uint32_t i = stream->commands(); i-- > 0;) {
        auto* words = reinterpret_cast<uint32_t*>(region(PRESIL_REGION_CONSTANTS) +
                                                  stream->offset() + i * Command::kPitch);
        m_saved.assign(words, words + Command::kWords);
        m_at = words;
        if (!change(Command::decode(words), words)) continue;
        write_crc(Command::format(), words);  // as if it had been loaded so
        return i;
      }
    }
    ADD_FAILURE() << "no such command";
    return 0;
  }
  void restore() { std::copy(m_saved.begin(), m_saved.end(), m_at); }
  void expect_stopped(const char* block, uint32_t index, const std::string& why) {
    EXPECT_THAT(text(), ContainsRegex(block + (" command " + std::to_string(index)) +
                                      " \\(layer [^)]+\\): the hardware stopped: " + why));
    EXPECT_STREQ(presil_error(device)->block, block);
    EXPECT_EQ(presil_error(device)->command, index);
    EXPECT_STRNE(presil_error(device)->layer, "");
  }

 private:
  std::vector<uint32_t> m_saved;
  uint32_t* m_at = nullptr;
};

// Something writes to the image after it was checked: the hardware's own checks stop the command.
TEST_F(ImageTest, a_command_that_leaves_its_region_stops_with_block_command_and_layer) {
  load(digits());
  const uint32_t index =
      change_one<dma::Command>(digits(), PRESIL_QUEUE_DMA0, [](dma::Command c, uint32_t* words) {
        if (c.op != dma::Op::kCopy || c.src_space != dma::Space::kSystem) return false;
        c.src_base = (uint64_t{1} << 28) - 4096;
        c.encode(words);
        return true;
      });
  EXPECT_EQ(run(8), PRESIL_HARDWARE);
  expect_stopped("dma0", index, "an address is outside the SRAM or its region \\(code 10");
  restore();
  expect_the_next_job_exact(9);
}

TEST_F(ImageTest, a_broken_command_of_the_dla_stops_with_its_code_whatever_is_broken) {
  struct Case {
    unsigned field;
    int64_t value;
    unsigned code;
  };
  load(digits());
  uint32_t seed = 20;
  for (const Case& broken : {Case{PRESIL_DLA_COMMAND_ISA_VERSION, 9, 3},
                             {PRESIL_DLA_COMMAND_OP, 15, 4},
                             {PRESIL_DLA_COMMAND_BLOCK_ROWS, 0, 6},
                             {PRESIL_DLA_COMMAND_W_BITS, 1, 7},
                             {PRESIL_DLA_COMMAND_OUT_BASE, 8, 8},
                             {PRESIL_DLA_COMMAND_ACT_MIN, 127, 9},
                             {PRESIL_DLA_COMMAND_W_BASE, 0xfffff0, 10},
                             {PRESIL_DLA_COMMAND_WAIT_IN, 255, 11}}) {
    if (!all_cases() && broken.code % 3 != 0) continue;
    SCOPED_TRACE("code " + std::to_string(broken.code));
    const uint32_t index = change_one<dla::Command>(
        digits(), PRESIL_QUEUE_DLA, [&](const dla::Command& c, uint32_t* words) {
          if (c.op != dla::Op::kConv) return false;
          if (broken.field == PRESIL_DLA_COMMAND_ACT_MIN && c.act_max == 127) {
            dla::Command other = c;
            other.act_max = 0;
            other.encode(words);
          }
          presil_field_set(words, &dla::Command::format().fields[broken.field], broken.value);
          return true;
        });
    EXPECT_EQ(run(++seed), PRESIL_HARDWARE);
    expect_stopped("dla", index, ".*\\(code " + std::to_string(broken.code) + "[,)]");
    restore();
    expect_the_next_job_exact(++seed);
  }
}

}  // namespace
}  // namespace presil::tests
