// A device on the mock port, with storage for one or two networks.
#pragma once

#include <gtest/gtest.h>
#include <presil/presil.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "driver/port/mock/mock_engine.h"
#include "tests/driver/loadable_maker.h"

namespace presil::driver {

class DeviceTest : public ::testing::Test {
 protected:
  void SetUp() override { open(); }
  void TearDown() override {
    if (device != nullptr) presil_close(device);
    EXPECT_EQ(mock.bus_errors, 0u) << "a register access that hardware answers with a bus error";
  }

  void open() {
    ASSERT_EQ(presil_open(mock.port(), device_storage.data(), bytes_of(device_storage), &device),
              PRESIL_OK)
        << text();
    mock.writes.clear();
    mock.trace.clear();
  }
  presil_status load(const LoadableMaker& maker) { return load(maker.finish()); }
  presil_status load(const std::vector<uint8_t>& file) {
    return presil_network_load(device, file.data(), file.size(), network_storage.data(),
                               bytes_of(network_storage), &network);
  }
  /// The refusal's text; fails if the loadable is taken or if hardware or memory was touched.
  std::string refusal(const LoadableMaker& maker) { return refusal(maker.finish()); }
  std::string refusal(const std::vector<uint8_t>& file) {
    const size_t writes = mock.writes.size(), memory = mock.allocations();
    EXPECT_EQ(load(file), PRESIL_REFUSED);
    EXPECT_EQ(network, nullptr);
    EXPECT_EQ(mock.writes.size(), writes) << "a refused loadable has touched registers";
    EXPECT_EQ(mock.allocations(), memory) << "a refused loadable has taken memory";
    return text();
  }
  std::string text() const { return device == nullptr ? "no device" : presil_error(device)->text; }
  const presil_error_info& error() const { return *presil_error(device); }

  /// Bytes of a region of the loaded network, as engines see them.
  uint8_t* region(uint32_t number, size_t bytes = 256) {
    return mock.bytes_at(presil_network_region_address(network, number), bytes);
  }
  presil_status run(uint64_t timeout_ns = 1000000) {
    uint32_t job = 0;
    const presil_status status = presil_job_submit(network, &job);
    return status == PRESIL_OK ? presil_job_wait(network, job, timeout_ns) : status;
  }

  using Buffer = std::vector<std::max_align_t>;
  static size_t bytes_of(const Buffer& s) { return s.size() * sizeof(std::max_align_t); }

  MockPort mock;
  MockEngines engines{mock};
  Buffer device_storage = Buffer(presil_device_bytes() / sizeof(std::max_align_t) + 1);
  Buffer network_storage = Buffer(presil_network_bytes() / sizeof(std::max_align_t) + 1);
  presil_device* device = nullptr;
  presil_network* network = nullptr;
};

}  // namespace presil::driver
