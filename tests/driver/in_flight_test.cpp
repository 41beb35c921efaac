// Several jobs at once on the mock: in the rings, in line, of several networks; cancelled, failed,
// timed out, told by callbacks.
#include <gmock/gmock.h>

#include <atomic>
#include <cstdlib>
#include <random>
#include <thread>

#include "tests/driver/device_fixture.h"

namespace presil::driver {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Four queues as four_queues(), and the host's table y = x + 1 from the input to the output, so
/// that a job's result shows whose input it had.
LoadableMaker through_all(bool overlaps = false) {
  LoadableMaker m = four_queues();
  m.overlaps = overlaps;
  m.change_image = [offset = m.host[0].tensors_offset](std::vector<uint8_t>& image) {
    image[offset + offsetof(presil_host_tensor, region)] = PRESIL_REGION_INPUTS;
  };
  return m;
}

/// The host's task alone.
LoadableMaker host_only() {
  LoadableMaker m = through_all();
  m.dla.clear();
  m.dma[0].clear();
  m.dma[1].clear();
  m.host[0].wait0 = 0;
  m.host[0].wait0_value = 0;
  return m;
}

class InFlight : public DeviceTest {
 protected:
  presil_network* load_next(const LoadableMaker& maker) {
    buffers.emplace_back(network_storage.size());
    const auto file = maker.finish();
    presil_network* loaded = nullptr;
    EXPECT_EQ(presil_network_load(device, file.data(), file.size(), buffers.back().data(),
                                  bytes_of(buffers.back()), &loaded),
              PRESIL_OK)
        << text();
    return loaded;
  }
  uint32_t start(presil_network* n, uint8_t seed, uint8_t priority = 0) {
    std::memset(presil_network_input(n, 0), seed, 256);
    presil_job_options options{};
    options.priority = priority;
    uint32_t job = UINT32_MAX;
    EXPECT_EQ(presil_job_start(n, &options, &job), PRESIL_OK) << text();
    return job;
  }
  /// Every byte of the job's output is seed + 1.
  static void expect_output(const presil_network* n, uint32_t job, uint8_t seed) {
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

  std::vector<Buffer> buffers;
};

TEST_F(InFlight, two_jobs_have_buffers_of_their_own) {
  presil_network* n = load_next(through_all());
  ASSERT_EQ(presil_network_set_in_flight(n, 2), PRESIL_OK) << text();
  const uint32_t first = start(n, 10), second = start(n, 20);
  const uint64_t inputs = engines.entries[PRESIL_QUEUE_DMA0].region_base[PRESIL_REGION_INPUTS];
  EXPECT_EQ(inputs, presil_network_region_address(n, PRESIL_REGION_INPUTS));
  ASSERT_EQ(presil_job_wait(n, second, 0), PRESIL_OK) << text();
  const JobEntry& e = engines.entries[PRESIL_QUEUE_DMA0];
  EXPECT_EQ(e.tag, second);
  EXPECT_NE(e.region_base[PRESIL_REGION_INPUTS], inputs);
  EXPECT_EQ(e.region_base[PRESIL_REGION_CONSTANTS],
            presil_network_region_address(n, PRESIL_REGION_CONSTANTS));
  ASSERT_EQ(presil_job_wait(n, first, 0), PRESIL_OK) << text();
  expect_output(n, first, 10);
  expect_output(n, second, 20);
}

TEST_F(InFlight, a_third_job_of_two_is_refused_and_named) {
  presil_network* n = load_next(through_all());
  ASSERT_EQ(presil_network_set_in_flight(n, 2), PRESIL_OK);
  const uint32_t first = start(n, 1);
  start(n, 2);
  uint32_t job = 0;
  EXPECT_EQ(presil_job_submit(n, &job), PRESIL_REFUSED);
  EXPECT_EQ(text(), "driver: job 0 is in flight; wait for it or cancel it first");
  ASSERT_EQ(presil_job_wait(n, first, 0), PRESIL_OK);
  EXPECT_EQ(presil_job_submit(n, &job), PRESIL_OK);
  EXPECT_EQ(job, 2u);
}

TEST_F(InFlight, without_waits_for_the_job_before_a_barrier_holds_the_next_one) {
  presil_network* n = load_next(through_all(false));
  EXPECT_FALSE(presil_network_overlaps(n));
  ASSERT_EQ(presil_network_set_in_flight(n, 2), PRESIL_OK);
  start(n, 1);
  const uint32_t second = start(n, 2);
  ASSERT_EQ(presil_job_wait(n, second, 0), PRESIL_OK) << text();
  EXPECT_TRUE(engines.entries[PRESIL_QUEUE_DLA].barrier);
  EXPECT_EQ(engines.entries[PRESIL_QUEUE_DLA].value_base, 1);  // one job_span
}

TEST_F(InFlight, with_them_it_follows_at_once) {
  presil_network* n = load_next(through_all(true));
  EXPECT_TRUE(presil_network_overlaps(n));
  ASSERT_EQ(presil_network_set_in_flight(n, 2), PRESIL_OK);
  start(n, 1);
  const uint32_t second = start(n, 2);
  ASSERT_EQ(presil_job_wait(n, second, 0), PRESIL_OK) << text();
  EXPECT_FALSE(engines.entries[PRESIL_QUEUE_DLA].barrier);
}

TEST_F(InFlight, counters_that_the_job_before_does_not_use_are_raised_for_the_barrier) {
  presil_network* a = load_next(through_all());  // host (3), DLA (1), dma0 (4), dma1 (5)
  start(a, 1);
  presil_network* b = load_next(through_all());
  mock.trace.clear();
  const uint32_t second = start(b, 2);
  // Ids 2 and 6 to 11 have no queue in a; each is one job_span after.
  std::vector<std::string> signals;
  for (const std::string& event : mock.trace) {
    if (event.rfind("signal", 0) == 0) signals.push_back(event);
  }
  EXPECT_THAT(signals, ElementsAre("signal 2+1", "signal 6+1", "signal 7+1", "signal 8+1",
                                   "signal 9+1", "signal 10+1", "signal 11+1"));
  ASSERT_EQ(presil_job_wait(b, second, 0), PRESIL_OK) << text();
  EXPECT_TRUE(engines.entries[PRESIL_QUEUE_DLA].barrier);
  for (unsigned id = 1; id <= 11; ++id)
    EXPECT_EQ(mock.count(id), id == 1 || (id >= 3 && id <= 5) ? 2u : 1u) << id;
}

TEST_F(InFlight, jobs_beyond_the_depth_go_by_priority) {
  ASSERT_EQ(presil_device_set_depth(device, 1), PRESIL_OK);
  std::vector<presil_network*> networks;
  std::vector<uint32_t> jobs;
  const std::vector<uint8_t> priorities = {0, 1, 5, 1};
  for (const uint8_t priority : priorities) {
    networks.push_back(load_next(host_only()));
    jobs.push_back(start(networks.back(), priority, priority));
  }
  for (size_t i = 0; i < jobs.size(); ++i) {
    ASSERT_EQ(presil_job_wait(networks[i], jobs[i], 0), PRESIL_OK) << text();
  }
  presil_event events[PRESIL_EVENTS];
  const uint32_t count = presil_events(device, events, PRESIL_EVENTS);
  std::vector<uint32_t> started;
  for (uint32_t i = 0; i < count; ++i) {
    if (events[i].kind == PRESIL_EVENT_STARTED) started.push_back(events[i].job);
  }
  EXPECT_THAT(started, ElementsAre(0, 2, 1, 3));
}

TEST_F(InFlight, a_queued_job_is_cancelled_without_a_register) {
  ASSERT_EQ(presil_device_set_depth(device, 1), PRESIL_OK);
  presil_network *a = load_next(through_all()), *b = load_next(through_all());
  const uint32_t first = start(a, 1), second = start(b, 2);
  EXPECT_EQ(poll(b, second).state, PRESIL_JOB_QUEUED);
  mock.writes.clear();
  EXPECT_EQ(presil_job_cancel(b, second), PRESIL_CANCELLED);
  EXPECT_TRUE(mock.writes.empty());
  EXPECT_EQ(presil_job_wait(b, second, 0), PRESIL_REFUSED);
  EXPECT_EQ(presil_job_wait(a, first, 0), PRESIL_OK) << text();
  expect_output(a, first, 1);
}

TEST_F(InFlight, a_running_job_is_cancelled_and_the_others_begin_again) {
  presil_network *a = load_next(through_all()), *b = load_next(through_all());
  const uint32_t first = start(a, 1), second = start(b, 2);
  EXPECT_EQ(presil_job_cancel(a, first), PRESIL_CANCELLED);
  EXPECT_EQ(presil_job_wait(b, second, 0), PRESIL_OK) << text();
  expect_output(b, second, 2);
  EXPECT_THAT(log(second),
              ElementsAre(PRESIL_EVENT_SUBMITTED, PRESIL_EVENT_STARTED, PRESIL_EVENT_RESTARTED,
                          PRESIL_EVENT_STARTED, PRESIL_EVENT_ENDED));
  EXPECT_THAT(log(first),
              ElementsAre(PRESIL_EVENT_SUBMITTED, PRESIL_EVENT_STARTED, PRESIL_EVENT_CANCELLED));
}

TEST_F(InFlight, an_engine_that_stops_fails_the_job_it_was_at) {
  presil_network *a = load_next(through_all()), *b = load_next(through_all());
  const uint32_t first = start(a, 1), second = start(b, 2);
  mock.at(150, [&] { mock.fail(PRESIL_QUEUE_DMA0, queue::ErrorCode::kBusError, 0, second); });
  EXPECT_EQ(presil_job_wait(a, first, 0), PRESIL_OK) << text();
  expect_output(a, first, 1);
  EXPECT_EQ(presil_job_wait(b, second, 0), PRESIL_HARDWARE);
  EXPECT_THAT(text(), HasSubstr("dma0 command 0 (layer odd_layer): the hardware stopped"));
  EXPECT_THAT(presil_network_error(b)->text, HasSubstr("dma0 command 0"));
  const uint32_t third = start(b, 3);
  EXPECT_EQ(presil_job_wait(b, third, 0), PRESIL_OK) << text();
  expect_output(b, third, 3);
}

TEST_F(InFlight, a_job_that_cannot_end_times_out_and_is_named_to_those_after_it) {
  presil_network *a = load_next(through_all()), *b = load_next(through_all());
  engines.silent = {PRESIL_QUEUE_DLA};
  const uint32_t first = start(a, 1), second = start(b, 2);
  EXPECT_EQ(presil_job_wait(b, second, 100000), PRESIL_TIMED_OUT);
  EXPECT_THAT(text(), HasSubstr("job 1 did not end within 100000 ns"));
  engines.silent.clear();
  EXPECT_EQ(presil_job_cancel(a, first), PRESIL_CANCELLED);
  EXPECT_EQ(presil_job_wait(b, second, 0), PRESIL_OK) << text();
  expect_output(b, second, 2);
}

TEST_F(InFlight, callbacks_tell_ends_and_may_submit) {
  presil_network* n = load_next(through_all());
  struct State {
    std::vector<std::pair<uint32_t, presil_status>> jobs;
  } state;
  presil_job_options options{};
  options.user = &state;
  options.ended = [](void* user, presil_network* network, uint32_t job, presil_status status) {
    auto& told = static_cast<State*>(user)->jobs;
    told.push_back({job, status});
    presil_job_options again{};
    again.user = user;
    again.ended = [](void* u, presil_network*, uint32_t j, presil_status s) {
      static_cast<State*>(u)->jobs.push_back({j, s});
    };
    uint32_t next = 0;
    EXPECT_EQ(presil_job_start(network, &again, &next), PRESIL_OK);
  };
  uint32_t job = 0;
  ASSERT_EQ(presil_job_start(n, &options, &job), PRESIL_OK);
  while (presil_device_service(device) != 0) mock.port()->wait(mock.port()->self, 1000);
  EXPECT_THAT(state.jobs, ElementsAre(std::pair(0u, PRESIL_OK), std::pair(1u, PRESIL_OK)));
}

TEST_F(InFlight, polling_sees_the_states_and_times) {
  presil_network* n = load_next(through_all());
  mock.now_ns = 5;
  const uint32_t job = start(n, 7);
  EXPECT_EQ(poll(n, job).state, PRESIL_JOB_RUNNING);
  while (poll(n, job).state != PRESIL_JOB_ENDED) mock.port()->wait(mock.port()->self, 1000);
  const presil_job_info info = poll(n, job);
  EXPECT_EQ(info.status, PRESIL_OK);
  EXPECT_EQ(info.submitted_ns, 5u);
  EXPECT_EQ(info.started_ns, 5u);
  EXPECT_GE(info.ended_ns, 5u + mock.task_ns);
  EXPECT_EQ(info.host_tasks, 1u);
  EXPECT_EQ(info.restarts, 0u);
  EXPECT_EQ(presil_job_wait(n, job, 0), PRESIL_OK);
  presil_job_info none;
  EXPECT_EQ(presil_job_poll(n, job, &none), PRESIL_REFUSED);
}

TEST_F(InFlight, buffers_of_the_program_are_used_in_place) {
  presil_network* n = load_next(through_all());
  presil_buffer in{}, out{}, small{};
  ASSERT_EQ(presil_buffer_alloc(device, 4096, &in), PRESIL_OK);
  ASSERT_EQ(presil_buffer_alloc(device, 4096, &out), PRESIL_OK);
  std::memset(in.host, 41, 256);
  presil_job_options options{};
  options.inputs = &in;
  options.outputs = &out;
  uint32_t job = 0;
  ASSERT_EQ(presil_job_start(n, &options, &job), PRESIL_OK) << text();
  ASSERT_EQ(presil_job_wait(n, job, 0), PRESIL_OK) << text();
  EXPECT_EQ(engines.entries[PRESIL_QUEUE_DMA0].region_base[PRESIL_REGION_INPUTS], in.address);
  EXPECT_EQ(static_cast<uint8_t*>(out.host)[255], 42);
  ASSERT_EQ(presil_buffer_import(device, in.host, in.address, 64, &small), PRESIL_OK);
  options.inputs = &small;
  EXPECT_EQ(presil_job_start(n, &options, &job), PRESIL_REFUSED);
  EXPECT_THAT(text(), HasSubstr("the buffer for inputs has 64 bytes"));
  EXPECT_EQ(presil_buffer_import(device, in.host, in.address + 1, 64, &small), PRESIL_REFUSED);
  EXPECT_THAT(text(), HasSubstr("multiple of 4096"));
  EXPECT_EQ(presil_buffer_clean(device, &in, 4000, 97), PRESIL_REFUSED);
  EXPECT_EQ(text(), "driver: 97 bytes at offset 4000 do not lie inside the buffer, which has 4096");
  EXPECT_EQ(presil_buffer_invalidate(device, &in, 4000, 96), PRESIL_OK);
  presil_buffer_free(device, &in);
  presil_buffer_free(device, &in);  // nothing to free any more
  presil_buffer_free(device, &out);
}

TEST_F(InFlight, reset_ends_all_jobs_and_the_next_one_is_exact) {
  for (const presil_reset kind : {PRESIL_RESET_SOFT, PRESIL_RESET_HARD}) {
    presil_network* n = load_next(through_all());
    engines.silent = {PRESIL_QUEUE_DLA};
    const uint32_t job = start(n, 1);
    ASSERT_EQ(presil_device_reset(device, kind), PRESIL_OK) << text();
    EXPECT_EQ(presil_job_wait(n, job, 0), PRESIL_CANCELLED);
    engines.silent.clear();
    const uint32_t next = start(n, 2);
    ASSERT_EQ(presil_job_wait(n, next, 0), PRESIL_OK) << text();
    expect_output(n, next, 2);
  }
  EXPECT_EQ(mock.resets, 1u);
}

TEST_F(InFlight, an_engine_that_does_not_stop_needs_the_hard_reset) {
  presil_network *a = load_next(through_all()), *b = load_next(through_all());
  mock.on_abort = [](unsigned) {};
  engines.silent = {PRESIL_QUEUE_DLA};
  const uint32_t first = start(a, 1), second = start(b, 1);
  EXPECT_EQ(presil_job_cancel(a, first), PRESIL_HARDWARE);
  EXPECT_EQ(presil_job_wait(b, second, 0), PRESIL_HARDWARE);
  EXPECT_THAT(text(), HasSubstr("an engine did not stop when it was told to"));
  EXPECT_EQ(presil_device_reset(device, PRESIL_RESET_SOFT), PRESIL_HARDWARE);
  EXPECT_THAT(text(), HasSubstr("PRESIL_RESET_HARD"));
  engines.silent.clear();
  ASSERT_EQ(presil_device_reset(device, PRESIL_RESET_HARD), PRESIL_OK) << text();
  const uint32_t next = start(a, 2);
  ASSERT_EQ(presil_job_wait(a, next, 0), PRESIL_OK) << text();
  expect_output(a, next, 2);
}

TEST_F(InFlight, without_power_nothing_is_submitted) {
  presil_network* n = load_next(through_all());
  uint32_t job = start(n, 1);
  EXPECT_EQ(presil_device_set_power(device, false), PRESIL_REFUSED);
  EXPECT_THAT(text(), HasSubstr("a job is in flight"));
  ASSERT_EQ(presil_job_wait(n, job, 0), PRESIL_OK);
  ASSERT_EQ(presil_device_set_power(device, false), PRESIL_OK);
  EXPECT_FALSE(mock.powered);
  EXPECT_EQ(presil_job_submit(n, &job), PRESIL_REFUSED);
  EXPECT_THAT(text(), HasSubstr("presil_device_set_power"));
  ASSERT_EQ(presil_device_set_power(device, true), PRESIL_OK);
  job = start(n, 2);
  ASSERT_EQ(presil_job_wait(n, job, 0), PRESIL_OK) << text();
  expect_output(n, job, 2);
}

TEST_F(InFlight, unloading_takes_the_networks_jobs_and_leaves_the_others) {
  presil_network *a = load_next(through_all()), *b = load_next(through_all());
  start(a, 1);
  const uint32_t second = start(b, 2);
  presil_network_unload(a);
  presil_network_unload(a);  // is gone already
  EXPECT_EQ(presil_job_wait(b, second, 0), PRESIL_OK) << text();
  expect_output(b, second, 2);
  uint32_t job = 0;
  EXPECT_EQ(presil_job_submit(a, &job), PRESIL_REFUSED);
  EXPECT_STREQ(presil_network_error(a)->text,
               "driver: there is no network, or it has been unloaded");
}

TEST_F(InFlight, memory_for_jobs_in_flight_comes_and_goes) {
  presil_network* n = load_next(through_all());
  const size_t before = mock.allocations();
  ASSERT_EQ(presil_network_set_in_flight(n, 4), PRESIL_OK);
  EXPECT_EQ(mock.allocations(), before + 9);  // inputs, outputs, scratch of three more
  ASSERT_EQ(presil_network_set_in_flight(n, 1), PRESIL_OK);
  EXPECT_EQ(mock.allocations(), before);
  EXPECT_EQ(presil_network_set_in_flight(n, 0), PRESIL_REFUSED);
  EXPECT_EQ(text(), "driver: jobs in flight is 0, must be 1..4");
  EXPECT_EQ(presil_network_set_in_flight(n, 5), PRESIL_REFUSED);
  mock.allocations_left = 4;
  EXPECT_EQ(presil_network_set_in_flight(n, 3), PRESIL_NO_MEMORY);
  EXPECT_EQ(mock.allocations(), before) << "what was had is given back";
  const uint32_t job = start(n, 1);
  EXPECT_EQ(presil_network_set_in_flight(n, 2), PRESIL_REFUSED);
  EXPECT_THAT(text(), HasSubstr("a job of this network is in flight; wait for it or cancel it"));
  EXPECT_EQ(presil_job_wait(n, job, 0), PRESIL_OK);
}

TEST_F(InFlight, a_port_that_cannot_reset_or_has_half_a_lock_is_told) {
  presil_close(device);
  presil_port port = *mock.port();
  port.reset = [](void*) { return 1; };
  const auto reopen = [&] {
    return presil_open(&port, device_storage.data(), bytes_of(device_storage), &device);
  };
  ASSERT_EQ(reopen(), PRESIL_OK);
  EXPECT_EQ(presil_device_reset(device, PRESIL_RESET_HARD), PRESIL_HARDWARE);
  EXPECT_EQ(text(), "driver: the port could not reset the SoC");
  presil_close(device);
  port.reset = nullptr;
  ASSERT_EQ(reopen(), PRESIL_OK);
  EXPECT_EQ(presil_device_reset(device, PRESIL_RESET_HARD), PRESIL_REFUSED);
  EXPECT_EQ(text(), "driver: this port cannot reset the SoC; PRESIL_RESET_SOFT stops every queue");
  ASSERT_EQ(presil_device_set_power(device, false), PRESIL_OK);
  EXPECT_EQ(presil_device_reset(device, PRESIL_RESET_SOFT), PRESIL_REFUSED);
  EXPECT_EQ(text(), "driver: the device is without power; presil_device_set_power first");
  ASSERT_EQ(presil_device_set_power(device, true), PRESIL_OK);
  port.power = [](void*, int) { return 1; };
  presil_close(device);
  ASSERT_EQ(reopen(), PRESIL_OK);
  EXPECT_EQ(presil_device_set_power(device, false), PRESIL_HARDWARE);
  EXPECT_EQ(text(), "driver: the port could not switch the power of the engines");
  presil_close(device);
  port.unlock = nullptr;
  EXPECT_EQ(reopen(), PRESIL_REFUSED);
  EXPECT_EQ(text(), "driver: the port has one of lock and unlock, must have both or none");
}

TEST_F(InFlight, what_is_not_there_is_refused) {
  uint32_t job = 0;
  presil_job_info info;
  EXPECT_EQ(presil_job_submit(nullptr, &job), PRESIL_REFUSED);
  EXPECT_EQ(presil_job_wait(nullptr, 0, 0), PRESIL_REFUSED);
  EXPECT_EQ(presil_job_cancel(nullptr, 0), PRESIL_REFUSED);
  EXPECT_EQ(presil_job_poll(nullptr, 0, &info), PRESIL_REFUSED);
  EXPECT_EQ(presil_network_set_in_flight(nullptr, 1), PRESIL_REFUSED);
  EXPECT_EQ(presil_device_reset(nullptr, PRESIL_RESET_SOFT), PRESIL_REFUSED);
  EXPECT_EQ(presil_device_set_power(nullptr, true), PRESIL_REFUSED);
  EXPECT_EQ(presil_device_set_depth(nullptr, 1), PRESIL_REFUSED);
  EXPECT_EQ(presil_device_set_depth(device, 0), PRESIL_REFUSED);
  EXPECT_EQ(presil_device_set_depth(device, 5), PRESIL_REFUSED);
  EXPECT_EQ(text(), "driver: the depth is 5 jobs, must be 1..4");
  EXPECT_EQ(presil_device_service(nullptr), UINT32_MAX);
  EXPECT_EQ(presil_device_handle(device), -1);
  EXPECT_EQ(presil_buffer_alloc(nullptr, 1, nullptr), PRESIL_REFUSED);
  EXPECT_STREQ(presil_error(nullptr)->text, "driver: there is no device");
  EXPECT_EQ(presil_events(nullptr, nullptr, 0), 0u);
  presil_network* n = load_next(through_all());
  EXPECT_EQ(presil_job_cancel(n, 7), PRESIL_REFUSED);
  EXPECT_EQ(text(), "driver: job 7 of this network is not in flight");
  EXPECT_EQ(presil_job_output(n, 7, 0), nullptr);
}

TEST_F(InFlight, four_networks_from_four_threads_with_cancels_and_timeouts) {
  const int each = std::getenv("PRESIL_ALL") != nullptr ? 2500 : 250;
  mock.task_ns = 300;
  std::vector<presil_network*> networks;
  for (int i = 0; i < 4; ++i) {
    networks.push_back(load_next(i % 2 ? host_only() : through_all(i == 2)));
    ASSERT_EQ(presil_network_set_in_flight(networks.back(), 2), PRESIL_OK);
  }
  std::atomic<int> exact{0}, cancelled{0}, timed_out{0};
  const auto work = [&](int number) {
    presil_network* const n = networks[static_cast<size_t>(number)];
    std::mt19937 random(static_cast<unsigned>(number) + 1);
    for (int i = 0; i < each; ++i) {
      const auto seed = static_cast<uint8_t>(random());
      std::memset(presil_network_input(n, 0), seed, 256);
      presil_job_options options{};
      options.priority = static_cast<uint8_t>(random() % 3);
      uint32_t job = 0;
      ASSERT_EQ(presil_job_start(n, &options, &job), PRESIL_OK) << presil_network_error(n)->text;
      presil_status status = PRESIL_CANCELLED;
      if (random() % 8 == 0) {
        ASSERT_EQ(presil_job_cancel(n, job), PRESIL_CANCELLED);
      } else {
        status = presil_job_wait(n, job, random() % 4 == 0 ? 1 + random() % 500 : 0);
        if (status == PRESIL_TIMED_OUT) {
          ++timed_out;
          ASSERT_THAT(presil_network_error(n)->text, HasSubstr("did not end within"));
          status = random() % 2 ? presil_job_cancel(n, job) : presil_job_wait(n, job, 0);
        }
      }
      if (status == PRESIL_CANCELLED) {
        ++cancelled;
        continue;
      }
      ASSERT_EQ(status, PRESIL_OK) << presil_network_error(n)->text;
      expect_output(n, job, seed);
      ++exact;
    }
  };
  const size_t memory = mock.allocations();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work, i);
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(exact + cancelled, 4 * each);
  EXPECT_GT(exact, each);
  EXPECT_GT(cancelled, each / 10);
  EXPECT_GT(timed_out, 0);
  EXPECT_EQ(presil_device_service(device), 0u) << "jobs left";
  EXPECT_EQ(mock.allocations(), memory);
  for (presil_network* n : networks) presil_network_unload(n);
  EXPECT_EQ(mock.allocations(), 1u) << "all but the rings is given back";
}

}  // namespace
}  // namespace presil::driver
