// Jobs that give way at layer borders, on the mock: which has the engines when, with which streams,
// counters and SRAM; and what is refused.
#include <gmock/gmock.h>

#include "driver/core/crc.h"
#include "driver/core/dsp.h"
#include "rtl/dsp/dsp_view.h"
#include "tests/driver/device_fixture.h"

namespace presil::driver {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr uint32_t kSram = 1 << 16;  // of each of these networks

/// Three layers of the DLA, one command each, between a load and a store, then the host's table
/// y = x + 1 from the input to the output as the fourth layer.
LoadableMaker four_layers() {
  LoadableMaker m = four_queues();
  m.change_image = [offset = m.host[0].tensors_offset](std::vector<uint8_t>& image) {
    image[offset + offsetof(presil_host_tensor, region)] = PRESIL_REGION_INPUTS;
  };
  m.job_span = 3;
  m.dla = {m.dla[0], m.dla[0], m.dla[0]};
  m.dma[0][0].signal_add = m.dma[1][0].signal_add = m.host[0].signal_add = 3;
  m.dma[1][0].wait0_value = m.host[0].wait0_value = 3;
  m.program = {PRESIL_QUEUE_DMA0, PRESIL_QUEUE_DLA,      PRESIL_QUEUE_DLA,
               PRESIL_QUEUE_DLA,  PRESIL_QUEUE_DMA0 + 1, PRESIL_QUEUE_HOST};
  m.layers = 4;
  m.change_map = [](std::vector<std::array<int, 3>>& map) {
    const std::array<int, 6> layers = {0, 0, 1, 2, 2, 3};
    for (size_t tag = 0; tag < layers.size(); ++tag) map[tag][2] = layers[tag];
  };
  return m;
}

class Preempt : public DeviceTest {
 protected:
  presil_network* load_at(uint32_t sram, bool preemptible,
                          const LoadableMaker& maker = four_layers()) {
    buffers.emplace_back(network_storage.size());
    const auto file = maker.finish();
    presil_network* loaded = nullptr;
    EXPECT_EQ(presil_network_load(device, file.data(), file.size(), buffers.back().data(),
                                  bytes_of(buffers.back()), &loaded),
              PRESIL_OK)
        << text();
    EXPECT_EQ(presil_network_set_sram(loaded, sram), PRESIL_OK) << text();
    if (preemptible) {
      EXPECT_EQ(every_layer(loaded), PRESIL_OK) << text();
    }
    return loaded;
  }
  static presil_status every_layer(presil_network* n) {
    return presil_network_set_preemptible(n, nullptr, PRESIL_EVERY_LAYER);
  }
  uint32_t start(presil_network* n, uint8_t seed, uint8_t priority) {
    std::memset(presil_network_input(n, 0), seed, 256);
    presil_job_options options{};
    options.priority = priority;
    uint32_t job = UINT32_MAX;
    EXPECT_EQ(presil_job_start(n, &options, &job), PRESIL_OK) << text();
    return job;
  }
  void expect_ends(presil_network* n, uint32_t job, uint8_t seed) {
    ASSERT_EQ(presil_job_wait(n, job, 0), PRESIL_OK) << text();
    const auto* out = static_cast<const uint8_t*>(presil_job_output(n, job, 0));
    ASSERT_NE(out, nullptr);
    for (int i = 0; i < 256; ++i) ASSERT_EQ(out[i], static_cast<uint8_t>(seed + 1)) << i;
  }
  std::vector<presil_event_kind> log(uint32_t job) {
    presil_event events[PRESIL_EVENTS];
    std::vector<presil_event_kind> kinds;
    const uint32_t count = presil_events(device, events, PRESIL_EVENTS);
    for (uint32_t i = 0; i < count; ++i) {
      if (events[i].job == job) kinds.push_back(events[i].kind);
    }
    return kinds;
  }
  presil_job_info poll(presil_network* n, uint32_t job) {
    presil_job_info info{};
    EXPECT_EQ(presil_job_poll(n, job, &info), PRESIL_OK) << text();
    return info;
  }
  /// Until the job has passed so many borders.
  void pass(presil_network* n, uint32_t job, unsigned borders) {
    while (poll(n, job).borders < borders) mock.port()->wait(mock.port()->self, 1000);
  }

  std::vector<Buffer> buffers;
};

TEST_F(Preempt, a_layer_is_a_segment_of_each_queue) {
  presil_network* n = load_at(0, true);
  uint32_t layers[8] = {};
  ASSERT_EQ(presil_network_borders(n, layers, 8), 4u);
  EXPECT_THAT(std::vector(layers, layers + 4), ElementsAre(0, 1, 2, 3));
  const uint32_t job = start(n, 1, 0);
  EXPECT_EQ(engines.entries[PRESIL_QUEUE_DLA].command_count, 1u);
  expect_ends(n, job, 1);
  EXPECT_EQ(engines.entries[PRESIL_QUEUE_DLA].tag, job);
  EXPECT_THAT(log(job),
              ElementsAre(PRESIL_EVENT_SUBMITTED, PRESIL_EVENT_STARTED, PRESIL_EVENT_ENDED));
  for (const unsigned q : {PRESIL_QUEUE_DLA, PRESIL_QUEUE_DMA0, PRESIL_QUEUE_HOST})
    EXPECT_EQ(mock.count(PRESIL_QUEUE_COUNTER(q)), 3u) << q;
}

TEST_F(Preempt, some_layers_alone_begin_at_a_border) {
  presil_network* n = load_at(0, false);
  const uint32_t chosen[] = {2, 0};
  ASSERT_EQ(presil_network_set_preemptible(n, chosen, 2), PRESIL_OK) << text();
  uint32_t layers[2] = {};
  ASSERT_EQ(presil_network_borders(n, layers, 2), 2u);
  EXPECT_THAT(std::vector(layers, layers + 2), ElementsAre(0, 2));
  const uint32_t job = start(n, 3, 0);
  EXPECT_EQ(engines.entries[PRESIL_QUEUE_DLA].command_count, 2u);
  expect_ends(n, job, 3);
}

TEST_F(Preempt, a_job_of_higher_priority_goes_first_at_the_next_border) {
  presil_network *low = load_at(0, true), *high = load_at(kSram, false);
  const uint32_t first = start(low, 1, 0), second = start(high, 2, 1);
  EXPECT_EQ(poll(high, second).state, PRESIL_JOB_QUEUED);
  pass(low, first, 1);
  EXPECT_EQ(poll(high, second).state, PRESIL_JOB_RUNNING);
  EXPECT_EQ(poll(low, first).state, PRESIL_JOB_QUEUED);
  EXPECT_EQ(poll(low, first).held, 1u);
  EXPECT_EQ(engines.entries[PRESIL_QUEUE_DLA].sram_base, kSram);
  EXPECT_EQ(engines.entries[PRESIL_QUEUE_DLA].command_count, 3u);
  expect_ends(high, second, 2);
  expect_ends(low, first, 1);
  EXPECT_EQ(engines.entries[PRESIL_QUEUE_DLA].sram_base, 0u);
  EXPECT_THAT(log(first), ElementsAre(PRESIL_EVENT_SUBMITTED, PRESIL_EVENT_STARTED,
                                      PRESIL_EVENT_HELD, PRESIL_EVENT_RESUMED, PRESIL_EVENT_ENDED));
  const uint32_t third = start(low, 5, 0);
  expect_ends(low, third, 5);
}

TEST_F(Preempt, one_of_the_same_priority_does_not) {
  presil_network *a = load_at(0, true), *b = load_at(kSram, false);
  const uint32_t first = start(a, 1, 1), second = start(b, 2, 1);
  expect_ends(b, second, 2);
  expect_ends(a, first, 1);
  EXPECT_THAT(log(first),
              ElementsAre(PRESIL_EVENT_SUBMITTED, PRESIL_EVENT_STARTED, PRESIL_EVENT_ENDED));
}

TEST_F(Preempt, where_the_sram_is_shared_the_job_that_has_begun_ends_first) {
  for (const uint32_t at : {0u, kSram - 16}) {
    presil_network *low = load_at(0, true), *high = load_at(at, false);
    const uint32_t first = start(low, 1, 0), second = start(high, 2, 1);
    expect_ends(high, second, 2);
    EXPECT_EQ(poll(low, first).state, PRESIL_JOB_ENDED) << at;
    EXPECT_EQ(poll(low, first).held, 0u);
    expect_ends(low, first, 1);
    presil_network_unload(low), presil_network_unload(high);
  }
}

TEST_F(Preempt, so_does_one_of_the_same_network) {
  presil_network* n = load_at(0, true);
  ASSERT_EQ(presil_network_set_in_flight(n, 2), PRESIL_OK);
  const uint32_t first = start(n, 1, 0), second = start(n, 2, 9);
  expect_ends(n, second, 2);
  EXPECT_EQ(poll(n, first).held, 0u);
  expect_ends(n, first, 1);
}

TEST_F(Preempt, three_priorities_are_held_in_each_other) {
  presil_network *low = load_at(0, true), *middle = load_at(kSram, true),
                 *high = load_at(2 * kSram, false);
  const uint32_t first = start(low, 1, 0);
  pass(low, first, 1);
  const uint32_t second = start(middle, 2, 1);
  pass(middle, second, 2);
  const uint32_t third = start(high, 3, 2);
  expect_ends(high, third, 3);
  EXPECT_EQ(poll(middle, second).held, 1u);
  expect_ends(low, first, 1);
  EXPECT_EQ(poll(middle, second).state, PRESIL_JOB_ENDED);
  expect_ends(middle, second, 2);
}

TEST_F(Preempt, a_network_on_hold_stops_at_its_next_border) {
  presil_network *low = load_at(0, true), *other = load_at(kSram, false),
                 *overlapping = load_at(16, false);
  const uint32_t first = start(low, 1, 9);
  presil_network_hold(low, true);
  pass(low, first, 1);
  const uint32_t second = start(overlapping, 2, 5), third = start(other, 3, 0);
  expect_ends(other, third, 3);
  EXPECT_EQ(poll(low, first).state, PRESIL_JOB_QUEUED);
  EXPECT_EQ(poll(overlapping, second).state, PRESIL_JOB_QUEUED) << "it needs SRAM that is kept";
  presil_network_hold(low, false);
  EXPECT_EQ(poll(low, first).state, PRESIL_JOB_RUNNING);
  expect_ends(overlapping, second, 2);
  expect_ends(low, first, 1);
  presil_network_hold(low, true);
  presil_network_hold(low, true);
  const uint32_t fourth = start(low, 4, 0), fifth = start(overlapping, 5, 0);
  expect_ends(overlapping, fifth, 5);  // nothing of `low` has begun
  EXPECT_EQ(poll(low, fourth).state, PRESIL_JOB_QUEUED);
  presil_network_unload(low);
  const uint32_t sixth = start(overlapping, 6, 0);
  expect_ends(overlapping, sixth, 6);
  presil_network_hold(nullptr, true);
}

TEST_F(Preempt, a_held_job_is_cancelled_without_the_engines) {
  presil_network *low = load_at(0, true), *high = load_at(kSram, false);
  const uint32_t first = start(low, 1, 0), second = start(high, 2, 1);
  pass(low, first, 1);
  ASSERT_EQ(poll(high, second).state, PRESIL_JOB_RUNNING);
  mock.writes.clear();
  EXPECT_EQ(presil_job_cancel(low, first), PRESIL_CANCELLED);
  EXPECT_TRUE(mock.writes.empty());
  expect_ends(high, second, 2);
  const uint32_t third = start(low, 3, 0);
  expect_ends(low, third, 3);
}

TEST_F(Preempt, a_held_job_goes_on_after_the_other_was_cancelled) {
  presil_network *low = load_at(0, true), *high = load_at(kSram, false);
  const uint32_t first = start(low, 1, 0), second = start(high, 2, 1);
  pass(low, first, 1);
  EXPECT_EQ(presil_job_cancel(high, second), PRESIL_CANCELLED);
  expect_ends(low, first, 1);
  EXPECT_EQ(log(first).back(), PRESIL_EVENT_ENDED);
  const uint32_t third = start(high, 3, 0);
  expect_ends(high, third, 3);
}

TEST_F(Preempt, a_segment_that_loses_its_engines_begins_the_job_again) {
  presil_network *a = load_at(0, true), *b = load_at(kSram, true);
  const uint32_t first = start(a, 1, 0);
  pass(a, first, 2);
  const uint32_t second = start(b, 2, 9);
  pass(b, second, 1);
  mock.fail(PRESIL_QUEUE_DLA, queue::ErrorCode::kBusError, 0, second);
  EXPECT_EQ(presil_job_wait(b, second, 0), PRESIL_HARDWARE);
  EXPECT_THAT(text(), HasSubstr("dla command 1 (layer odd_layer): the hardware stopped"));
  expect_ends(a, first, 1);
  EXPECT_EQ(log(first).back(), PRESIL_EVENT_ENDED);
}

TEST_F(Preempt, a_segment_that_cannot_end_is_named_by_its_place_in_the_stream) {
  presil_network* n = load_at(0, true);
  const uint32_t job = start(n, 1, 0);
  pass(n, job, 1);
  engines.silent = {PRESIL_QUEUE_DLA};
  pass(n, job, 2);  // its command is on its way
  EXPECT_EQ(presil_job_wait(n, job, 100000), PRESIL_TIMED_OUT);
  EXPECT_THAT(text(), HasSubstr("dla command 2 (layer layer2) runs"));
  engines.silent.clear();
  EXPECT_EQ(presil_job_cancel(n, job), PRESIL_CANCELLED);
  const uint32_t next = start(n, 4, 0);
  expect_ends(n, next, 4);
}

TEST_F(Preempt, a_segment_of_the_dsp_begins_with_its_image) {
  mock.host.set_engines_kinds(mock.host.engines_kinds() | 1u << PRESIL_ENGINE_DSP);
  presil_close(device);
  open();
  LoadableMaker m = four_layers();
  const std::vector<uint8_t> image(64, 0x13);
  dsp::Command select = dsp::Command::make(dsp::Op::kSelect);
  select.image_offset = m.constant(image.data(), image.size(), 16);
  select.image_bytes = 64;
  select.image_crc = presil_crc32(image.data(), image.size());
  select.signal = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DSP);
  select.signal_add = 1;
  dsp::Command run = dsp::Command::make(dsp::Op::kRun);
  run.entry = PRESIL_DSP_ITCM;
  run.args_base = 0x2000, run.args_bytes = 64;
  run.regions_base = 0x2100, run.region_count = 2;
  run.watchdog = 1000;
  run.image_crc = select.image_crc;
  run.signal = select.signal, run.signal_add = 1;
  m.dsp = {select, run, run};
  m.dsp_images = {{select.image_offset, 64, select.image_crc, {}}};
  m.program = {PRESIL_QUEUE_DSP,      PRESIL_QUEUE_DMA0, PRESIL_QUEUE_DLA,
               PRESIL_QUEUE_DSP,      PRESIL_QUEUE_DLA,  PRESIL_QUEUE_DLA,
               PRESIL_QUEUE_DMA0 + 1, PRESIL_QUEUE_DSP,  PRESIL_QUEUE_HOST};
  m.layers = 6;
  m.change_map = [](std::vector<std::array<int, 3>>& map) {
    const std::array<int, 9> layers = {4, 0, 0, 1, 2, 3, 3, 4, 5};
    for (size_t tag = 0; tag < layers.size(); ++tag) map[tag][2] = layers[tag];
  };
  presil_network* n = load_at(0, true, m);
  ASSERT_EQ(presil_network_borders(n, nullptr, 0), 6u) << "its select begins no layer";
  const uint32_t job = start(n, 1, 0);
  EXPECT_EQ(engines.entries[PRESIL_QUEUE_DSP].command_count, 1u);
  expect_ends(n, job, 1);
  const JobEntry& entry = engines.entries[PRESIL_QUEUE_DSP];
  EXPECT_EQ(entry.command_count, 2u);
  dsp::Command again = dsp::Command::decode(
      reinterpret_cast<const uint32_t*>(mock.bytes_at(entry.stream_address, 64)));
  EXPECT_EQ(again.op, dsp::Op::kSelect);
  EXPECT_EQ(again.image_crc, select.image_crc);
  EXPECT_EQ(again.signal, 0);
  EXPECT_EQ(mock.count(PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DSP)), 3u);
}

TEST_F(Preempt, commands_that_are_not_in_an_order_are_refused) {
  presil_network* n = load_at(0, false, four_queues());  // the DLA's before what loads for it
  EXPECT_EQ(every_layer(n), PRESIL_REFUSED);
  EXPECT_EQ(text(),
            "driver: the network cannot be cut at its layers: a command waits for one that is "
            "numbered after it");
  EXPECT_EQ(presil_network_borders(n, nullptr, 0), 0u);
  EXPECT_EQ(presil_network_set_preemptible(n, nullptr, 1), PRESIL_REFUSED);
  EXPECT_EQ(presil_network_set_preemptible(nullptr, nullptr, 0), PRESIL_REFUSED);
}

TEST_F(Preempt, the_sram_of_a_network_lies_inside_the_socs) {
  presil_network* n = load_at(0, false);
  EXPECT_EQ(presil_network_sram_bytes(n), kSram);
  const uint32_t most = (1u << 20) - kSram;
  EXPECT_EQ(presil_network_set_sram(n, most), PRESIL_OK);
  for (const uint32_t wrong : {most + 16, most - 8, UINT32_MAX}) {
    EXPECT_EQ(presil_network_set_sram(n, wrong), PRESIL_REFUSED) << wrong;
    EXPECT_THAT(text(), HasSubstr("must be a multiple of 16 up to 983040: it has 65536 bytes of "
                                  "1048576"));
  }
}

TEST_F(Preempt, counters_have_a_row_for_each_part_and_one_too_few_is_refused) {
  presil_network* n = load_at(0, true);
  ASSERT_EQ(presil_network_borders(n, nullptr, 0), 4u);
  std::vector<uint64_t> rows(size_t{4} * presil_network_counters(n, nullptr, 0), 77);
  presil_job_options options{};
  options.counters = rows.data();
  options.counter_rows = 3;
  uint32_t job = 0;
  EXPECT_EQ(presil_job_start(n, &options, &job), PRESIL_REFUSED);
  EXPECT_THAT(text(), HasSubstr("the array of counters has 3 rows, requires 4"));
  options.counter_rows = 4;
  ASSERT_EQ(presil_job_start(n, &options, &job), PRESIL_OK) << text();
  EXPECT_EQ(presil_job_wait(n, job, 0), PRESIL_OK) << text();
  for (const uint64_t count : rows) EXPECT_EQ(count, 0u);  // the mock's counters stand still
}

TEST_F(Preempt, nothing_changes_under_a_job) {
  presil_network* n = load_at(0, false);
  const uint32_t job = start(n, 1, 0);
  EXPECT_EQ(presil_network_set_sram(n, 16), PRESIL_REFUSED);
  EXPECT_EQ(every_layer(n), PRESIL_REFUSED);
  EXPECT_EQ(text(), "driver: a job of this network is in flight; wait for it or cancel it first");
  expect_ends(n, job, 1);
}

TEST_F(Preempt, the_copies_are_given_back) {
  presil_network* n = load_at(0, false);
  const size_t before = mock.allocations();
  ASSERT_EQ(every_layer(n), PRESIL_OK);
  EXPECT_EQ(mock.allocations(), before + 2);
  ASSERT_EQ(presil_network_set_preemptible(n, nullptr, 0), PRESIL_OK);
  EXPECT_EQ(mock.allocations(), before);
  mock.allocations_left = 1;
  EXPECT_EQ(every_layer(n), PRESIL_NO_MEMORY);
  EXPECT_THAT(text(), HasSubstr("no memory for a network in 4 segments"));
  EXPECT_EQ(mock.allocations(), before);
  mock.allocations_left = SIZE_MAX;
  const uint32_t job = start(n, 1, 0);
  expect_ends(n, job, 1);
}

}  // namespace
}  // namespace presil::driver
