// Every call of presil.h with what it must not get: a status, and a sentence where there is a
// device or network that can say it; never a crash, never a touch of the hardware.
#include <gmock/gmock.h>

#include <functional>

#include "tests/driver/device_fixture.h"

namespace presil::driver {
namespace {

using ::testing::HasSubstr;

class HandleTest : public DeviceTest {
 protected:
  struct Row {
    const char* call;
    std::function<bool()> refused;
  };
  void check(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      const size_t writes = mock.writes.size();
      EXPECT_TRUE(row.refused()) << row.call;
      EXPECT_EQ(mock.writes.size(), writes) << row.call << " has touched registers";
    }
  }
  static bool no(presil_status status) { return status == PRESIL_REFUSED; }

  /// Every call that has a device, by this one.
  std::vector<Row> calls_of(presil_device* d) {
    return {
        {"set_depth", [d] { return no(presil_device_set_depth(d, 1)); }},
        {"buffer_alloc", [d, this] { return no(presil_buffer_alloc(d, 64, &buffer)); }},
        {"buffer_import",
         [d, this] { return no(presil_buffer_import(d, page.data(), 4096, 64, &buffer)); }},
        {"buffer_clean", [d, this] { return no(presil_buffer_clean(d, &buffer, 0, 0)); }},
        {"buffer_invalidate", [d, this] { return no(presil_buffer_invalidate(d, &buffer, 0, 0)); }},
        {"buffer_free", [d, this] { return presil_buffer_free(d, &buffer), true; }},
        {"network_load",
         [d, this] {
           presil_network* none = reinterpret_cast<presil_network*>(this);
           return no(presil_network_load(d, file.data(), file.size(), network_storage.data(),
                                         bytes_of(network_storage), &none)) &&
                  none == nullptr;
         }},
        {"network_load_shared",
         [d, this] {
           presil_network* none = reinterpret_cast<presil_network*>(this);
           return no(presil_network_load_shared(d, nullptr, file.data(), file.size(),
                                                network_storage.data(), bytes_of(network_storage),
                                                &none)) &&
                  none == nullptr;
         }},
        {"tiles", [d] { return presil_device_tiles(d) == 0; }},
        {"service", [d] { return presil_device_service(d) == UINT32_MAX; }},
        {"handle", [d] { return presil_device_handle(d) == -1; }},
        {"reset", [d] { return no(presil_device_reset(d, PRESIL_RESET_SOFT)); }},
        {"set_power", [d] { return no(presil_device_set_power(d, false)); }},
        {"counters", [d] { return presil_counters(d, "dla", nullptr, 0) == 0; }},
        {"close", [d] { return presil_close(d), true; }}};
  }
  /// Every call that has a network, by this one.
  std::vector<Row> calls_of(presil_network* n) {
    return {{"input_info", [n, this] { return no(presil_network_input_info(n, 0, &tensor)); }},
            {"output_info", [n, this] { return no(presil_network_output_info(n, 0, &tensor)); }},
            {"set_in_flight", [n] { return no(presil_network_set_in_flight(n, 1)); }},
            {"set_sram", [n] { return no(presil_network_set_sram(n, 0)); }},
            {"set_preemptible",
             [n] { return no(presil_network_set_preemptible(n, nullptr, PRESIL_EVERY_LAYER)); }},
            {"hold", [n] { return presil_network_hold(n, true), true; }},
            {"start", [n, this] { return no(presil_job_start(n, nullptr, &job)); }},
            {"submit", [n, this] { return no(presil_job_submit(n, &job)); }},
            {"wait", [n] { return no(presil_job_wait(n, 0, 1)); }},
            {"cancel", [n] { return no(presil_job_cancel(n, 0)); }},
            {"poll", [n, this] { return no(presil_job_poll(n, 0, &info)); }}};
  }
  std::vector<Row> looks_at(presil_network* n) {
    return {{"inputs", [n] { return presil_network_inputs(n) == 0; }},
            {"outputs", [n] { return presil_network_outputs(n) == 0; }},
            {"input", [n] { return presil_network_input(n, 0) == nullptr; }},
            {"output", [n] { return presil_network_output(n, 0) == nullptr; }},
            {"job_output", [n] { return presil_job_output(n, 0, 0) == nullptr; }},
            {"region_address", [n] { return presil_network_region_address(n, 0) == 0; }},
            {"region_bytes", [n] { return presil_network_region_bytes(n, 0) == 0; }},
            {"sram_bytes", [n] { return presil_network_sram_bytes(n) == 0; }},
            {"overlaps", [n] { return !presil_network_overlaps(n); }},
            {"borders", [n] { return presil_network_borders(n, nullptr, 4) == 0; }},
            {"unload", [n] { return presil_network_unload(n), true; }}};
  }
  std::string said(presil_network* n) const { return presil_network_error(n)->text; }

  const std::vector<uint8_t> file = four_queues().finish();
  std::vector<uint8_t> page = std::vector<uint8_t>(4096);
  presil_buffer buffer{page.data(), 4096, 64};
  presil_tensor_info tensor{};
  presil_job_info info{};
  uint32_t job = 0;
};

TEST_F(HandleTest, null_is_refused_by_every_call) {
  check(calls_of(static_cast<presil_device*>(nullptr)));
  check(calls_of(static_cast<presil_network*>(nullptr)));
  check(looks_at(nullptr));
  EXPECT_STREQ(presil_error(nullptr)->text, "driver: there is no device");
  EXPECT_THAT(said(nullptr), HasSubstr("there is no network, or it has been unloaded"));
  presil_device_set_stamp(nullptr, "x");
  EXPECT_FALSE(presil_device_set_parameters(nullptr, "x", nullptr));
  EXPECT_FALSE(presil_device_set_parameters(device, nullptr, nullptr));
  EXPECT_EQ(presil_device_capability(nullptr).counters, 0);
  EXPECT_EQ(presil_events(nullptr, nullptr, 1), 0u);
  EXPECT_EQ(presil_events(device, nullptr, 1), 0u);
  EXPECT_EQ(presil_counters(device, nullptr, nullptr, 0), 0u);
  EXPECT_EQ(presil_counters(device, "dla", nullptr, 1), 0u);
}

TEST_F(HandleTest, a_closed_device_says_so_to_every_call) {
  ASSERT_EQ(load(file), PRESIL_OK) << text();
  presil_close(device);
  mock.writes.clear();
  for (const Row& row : calls_of(device)) {
    presil_error_info* error = const_cast<presil_error_info*>(presil_error(device));
    error->text[0] = 0;
    EXPECT_TRUE(row.refused()) << row.call;
    if (std::string(row.call) == "close" || std::string(row.call) == "handle") continue;
    EXPECT_THAT(text(), HasSubstr("driver: the device is closed, or has not opened; open it"))
        << row.call;
  }
  for (const Row& row : calls_of(network)) {
    if (std::string(row.call).find("info") != std::string::npos) continue;  // of what is loaded
    EXPECT_TRUE(row.refused()) << row.call;
    EXPECT_THAT(said(network), HasSubstr("the device is closed, or has not opened")) << row.call;
  }
  EXPECT_TRUE(mock.writes.empty());
  presil_network_unload(network);  // gives its memory back
  presil_network_unload(network);
}

TEST_F(HandleTest, an_unloaded_network_is_refused_by_every_call) {
  ASSERT_EQ(load(file), PRESIL_OK) << text();
  presil_network_unload(network);
  check(calls_of(network));
  check(looks_at(network));
  EXPECT_THAT(said(network), HasSubstr("there is no network, or it has been unloaded"));
}

TEST_F(HandleTest, places_that_are_null_are_said_by_name) {
  ASSERT_EQ(load(file), PRESIL_OK) << text();
  presil_network* none = nullptr;
  const std::vector<std::pair<std::function<presil_status()>, const char*>> rows = {
      {[this] { return presil_buffer_alloc(device, 64, nullptr); }, "buffer to fill in is NULL"},
      {[this] { return presil_buffer_import(device, page.data(), 4096, 64, nullptr); },
       "buffer to fill in is NULL"},
      {[this] { return presil_buffer_clean(device, nullptr, 0, 1); }, "lie inside the buffer"},
      {[this] {
         return presil_network_load(device, file.data(), file.size(), nullptr, 0, nullptr);
       },
       "the pointer for the network is NULL"},
      {[this, &none] {
         return presil_network_load(device, nullptr, 64, network_storage.data(),
                                    bytes_of(network_storage), &none);
       },
       "the loadable is NULL"},
      {[this] { return presil_network_input_info(network, 0, nullptr); },
       "the pointer for the tensor is NULL"},
      {[this] { return presil_job_submit(network, nullptr); },
       "the pointer for the job's number is NULL"},
      {[this] { return presil_job_poll(network, 0, nullptr); },
       "the pointer for what is told of the job is NULL"},
      {[this] { return presil_network_set_preemptible(network, nullptr, 2); },
       "layers is NULL, must be so with PRESIL_EVERY_LAYER alone"}};
  for (const auto& [call, sentence] : rows) {
    EXPECT_EQ(call(), PRESIL_REFUSED) << sentence;
    EXPECT_THAT(text(), HasSubstr(sentence));
  }
  EXPECT_EQ(presil_open(mock.port(), device_storage.data(), 64, nullptr), PRESIL_REFUSED);
}

TEST_F(HandleTest, storage_that_is_small_or_misaligned_is_refused) {
  Buffer other(device_storage.size() + 1);
  presil_device* second = device;
  auto* bytes = reinterpret_cast<uint8_t*>(other.data());
  EXPECT_TRUE(no(presil_open(mock.port(), bytes, presil_device_bytes() - 1, &second)));
  EXPECT_EQ(second, nullptr);
  EXPECT_TRUE(no(presil_open(mock.port(), bytes + 1, bytes_of(other) - 1, &second)));
  EXPECT_TRUE(no(presil_open(mock.port(), nullptr, bytes_of(other), &second)));
  auto* place = reinterpret_cast<uint8_t*>(network_storage.data());
  const auto into = [&](uint8_t* at, size_t size) {
    return presil_network_load(device, file.data(), file.size(), at, size, &network);
  };
  EXPECT_TRUE(no(into(place, presil_network_bytes() - 1)));
  EXPECT_THAT(text(), HasSubstr("storage"));
  EXPECT_TRUE(no(into(place + 4, presil_network_bytes())));
  EXPECT_THAT(text(), HasSubstr("storage"));
  EXPECT_TRUE(no(into(nullptr, presil_network_bytes())));
  EXPECT_EQ(network, nullptr);
}

TEST_F(HandleTest, jobs_of_another_network_are_not_in_flight_here) {
  ASSERT_EQ(load(file), PRESIL_OK) << text();
  MockPort other_mock;
  MockEngines other_engines{other_mock};
  Buffer storage(device_storage.size()), place(network_storage.size());
  presil_device* other = nullptr;
  presil_network* foreign = nullptr;
  ASSERT_EQ(presil_open(other_mock.port(), storage.data(), bytes_of(storage), &other), PRESIL_OK);
  ASSERT_EQ(
      presil_network_load(other, file.data(), file.size(), place.data(), bytes_of(place), &foreign),
      PRESIL_OK);
  ASSERT_EQ(presil_job_submit(network, &job), PRESIL_OK) << text();
  EXPECT_TRUE(no(presil_job_wait(foreign, job, 1)));
  EXPECT_THAT(said(foreign), HasSubstr("job 0 of this network is not in flight"));
  EXPECT_TRUE(no(presil_job_cancel(foreign, job)));
  EXPECT_TRUE(no(presil_job_poll(foreign, job, &info)));
  EXPECT_EQ(presil_job_output(foreign, job, 0), nullptr);
  presil_close(other);
  EXPECT_NE(presil_job_wait(network, job, 1000000), PRESIL_REFUSED);
}

TEST_F(HandleTest, what_is_freed_twice_is_freed_once) {
  ASSERT_EQ(presil_buffer_alloc(device, 4096, &buffer), PRESIL_OK) << text();
  const size_t with = mock.allocations();
  presil_buffer_free(device, &buffer);
  EXPECT_EQ(mock.allocations(), with - 1);
  presil_buffer_free(device, &buffer);
  EXPECT_EQ(mock.allocations(), with - 1);
  EXPECT_TRUE(no(presil_buffer_clean(device, &buffer, 0, 1)));
  EXPECT_THAT(text(), HasSubstr("do not lie inside the buffer, which has 0"));
  presil_close(device);
  presil_close(device);
}

}  // namespace
}  // namespace presil::driver
