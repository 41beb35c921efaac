// What goes wrong while a job runs: who is told, in which words, and that the next job is exact.
#include <gmock/gmock.h>

#include "rtl/common/field.h"
#include "rtl/common/job.h"
#include "rtl/common/queue.h"
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

class FaultTest : public PlatformTest {
 protected:
  /// The next write to `address` is lost, those behind it are not.
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
  bool m_lost = false;
};

TEST_F(FaultTest, a_timeout_names_engine_command_layer_and_who_should_signal) {
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
  constexpr uint32_t kPlaces = 16;
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
  load(digits_with_boxes());
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
  const uint64_t dma0 = PRESIL_TILE_BASE(0) + PRESIL_TILE_DMA + PRESIL_DMA_REG_CHANNEL(0);
  presil_close(device);
  constexpr uint32_t kRingEntries = 4;  // as the driver sets it up
  uint64_t ring = 0;
  bool once = true;
  port.lose = [&](uint64_t address, uint32_t value) {
    if (address == dma0 + PRESIL_QUEUE_REG_RING_BASE) ring |= value;
    if (address == dma0 + PRESIL_QUEUE_REG_RING_BASE_HI) ring |= uint64_t{value} << 32;
    if (address == dma0 + PRESIL_QUEUE_REG_TAIL && once) {
      const uint64_t slot = (value - 1) % kRingEntries * PRESIL_JOB_ENTRY_BYTES;
      auto* entry = reinterpret_cast<uint32_t*>(const_cast<uint8_t*>(soc.system(ring + slot)));
      presil_field_set(entry, &presil_job_entry_fields()[PRESIL_JOB_ENTRY_REGION_BASE0],
                       static_cast<int64_t>(PRESIL_DRAM_BASE + config.dram.bytes));
      once = false;
    }
    return false;
  };
  SetUp();
  load(digits());
  EXPECT_EQ(run(10), PRESIL_HARDWARE);
  EXPECT_THAT(text(),
              ContainsRegex("dma0 command [0-9]+ \\(layer [^)]+\\): the hardware stopped: a "
                            "data access was answered with a bus error \\(code 13, .*address "
                            "0x"));
  expect_the_next_job_exact(11);
}

/// The last command of a queue that `changed` accepts and changes, in the loaded network's image.
class ImageTest : public FaultTest {
 protected:
  template <class Change>
  uint32_t change_one(const Subject& subject, uint8_t queue, Change change) {
    const auto& l = *loadable::GetLoadable(subject.loadable.data());
    for (const auto* stream : *l.streams()) {
      if (stream->queue() != queue) continue;
      for (uint32_t i = stream->commands(); i-- > 0;) {
        auto* words = reinterpret_cast<uint32_t*>(region(PRESIL_REGION_CONSTANTS) +
                                                  stream->offset() + i * dma::Command::kPitch);
        dma::Command c = dma::Command::decode(words);
        if (!change(c)) continue;
        m_saved.assign(words, words + dma::Command::kWords);
        m_at = words;
        c.encode(words);
        return i;
      }
    }
    ADD_FAILURE() << "no such command";
    return 0;
  }
  void restore() { std::copy(m_saved.begin(), m_saved.end(), m_at); }

 private:
  std::vector<uint32_t> m_saved;
  uint32_t* m_at = nullptr;
};

// Something writes to the image after it was checked: the hardware's own checks stop the command.
TEST_F(ImageTest, a_command_that_leaves_its_region_stops_with_block_command_and_layer) {
  load(digits());
  const uint32_t index = change_one(digits(), PRESIL_QUEUE_DMA0, [](dma::Command& c) {
    if (c.op != dma::Op::kCopy || c.src_space != dma::Space::kSystem) return false;
    c.src_base = (uint64_t{1} << 28) - 4096;
    return true;
  });
  EXPECT_EQ(run(8), PRESIL_HARDWARE);
  EXPECT_THAT(text(), ContainsRegex("dma0 command " + std::to_string(index) +
                                    " \\(layer [^)]+\\): the hardware stopped: an address is "
                                    "outside the SRAM or its region \\(code 10"));
  EXPECT_STREQ(presil_error(device)->block, "dma0");
  EXPECT_EQ(presil_error(device)->command, index);
  EXPECT_STRNE(presil_error(device)->layer, "");
  restore();
  expect_the_next_job_exact(9);
}

}  // namespace
}  // namespace presil::tests
