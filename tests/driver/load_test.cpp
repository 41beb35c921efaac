// Opening a device, and what presil_network_load takes and refuses before it looks at streams.
#include <gmock/gmock.h>

#include "rtl/soc/loadable_generated.h"
#include "tests/driver/device_fixture.h"

namespace presil::driver {
namespace {

using ::testing::HasSubstr;
using LoadTest = DeviceTest;

TEST_F(LoadTest, open_reads_the_capabilities) {
  const presil_capability c = presil_device_capability(device);
  EXPECT_EQ(c.isa_version, 1);
  EXPECT_EQ(c.dla_macs_k, 16);
  EXPECT_EQ(c.dla_acc_depth, 128);
  EXPECT_EQ(c.dma_channels, 4);
  EXPECT_EQ(c.counters, 63);  // ids 1..63
  EXPECT_EQ(c.sram_bytes, 1u << 20);
}

TEST_F(LoadTest, a_port_without_a_function_is_refused) {
  presil_close(device);
  presil_port port = *mock.port();
  port.spend = nullptr;
  EXPECT_EQ(presil_open(&port, device_storage.data(), bytes_of(device_storage), &device),
            PRESIL_REFUSED);
  EXPECT_EQ(
      text(),
      "driver: the port lacks a function; only observe, instruction and those after it may be "
      "NULL");
}

TEST_F(LoadTest, registers_that_read_0_are_no_soc) {
  presil_close(device);
  mock.host.set(PRESIL_HOST_REG_ID, 0);
  EXPECT_EQ(presil_open(mock.port(), device_storage.data(), bytes_of(device_storage), &device),
            PRESIL_HARDWARE);
  EXPECT_EQ(text(),
            "driver: no SoC answers: isa_version reads 0, counters 63; is it powered, and does the "
            "port reach its registers?");
}

TEST_F(LoadTest, without_memory_for_rings_a_device_does_not_open) {
  presil_close(device);
  mock.allocations_left = 0;
  EXPECT_EQ(presil_open(mock.port(), device_storage.data(), bytes_of(device_storage), &device),
            PRESIL_NO_MEMORY);
  EXPECT_EQ(text(), "driver: no memory for the job rings, requires 45056 bytes");  // 11 pages
}

TEST_F(LoadTest, open_places_rings_and_starts_queues) {
  for (unsigned q : {0u, 3u, 4u, 5u, 6u}) {
    EXPECT_NE(mock.bytes_at(mock.queue(q).ring_base(), 4 * 128), nullptr) << q;
    EXPECT_EQ(mock.queue(q).ring_base() % 4096, 0u);
    EXPECT_TRUE(mock.queue(q).control_enable());
    EXPECT_TRUE(mock.queue(q).irq_enable_error());
    EXPECT_FALSE(mock.queue(q).irq_enable_job_done());
  }
}

TEST_F(LoadTest, a_queue_that_runs_already_is_not_taken_over) {
  presil_close(device);
  mock.queue(4).set_status_state(queue::State::kRunning);
  EXPECT_EQ(presil_open(mock.port(), device_storage.data(), bytes_of(device_storage), &device),
            PRESIL_HARDWARE);
  EXPECT_THAT(text(), HasSubstr("dma1: its queue is in state 1, must be idle"));
  mock.queue(4).set_status_state(queue::State::kIdle);
}

TEST_F(LoadTest, too_little_storage_is_refused) {
  presil_device* other = nullptr;
  EXPECT_EQ(presil_open(mock.port(), device_storage.data(), 16, &other), PRESIL_REFUSED);
  EXPECT_EQ(other, nullptr);
  const auto file = four_queues().finish();
  EXPECT_EQ(
      presil_network_load(device, file.data(), file.size(), network_storage.data(), 16, &network),
      PRESIL_REFUSED);
  EXPECT_THAT(text(), HasSubstr("storage for a network has 16 bytes, requires"));
}

TEST_F(LoadTest, a_good_loadable_is_placed_in_memory) {
  ASSERT_EQ(load(four_queues()), PRESIL_OK) << text();
  EXPECT_EQ(presil_network_inputs(network), 1u);
  presil_tensor_info info;
  ASSERT_EQ(presil_network_input_info(network, 0, &info), PRESIL_OK);
  EXPECT_STREQ(info.name, "image");
  EXPECT_STREQ(info.dtype, "int8");
  EXPECT_EQ(info.rank, 4u);
  EXPECT_EQ(info.bytes, 256u);
  EXPECT_EQ(info.scale, 0.5f);
  EXPECT_EQ(info.zero_point, -1);
  EXPECT_EQ(presil_network_input(network, 0), region(PRESIL_REGION_INPUTS));
  EXPECT_EQ(presil_network_output(network, 0), region(PRESIL_REGION_OUTPUTS));
  EXPECT_EQ(region(PRESIL_REGION_CONSTANTS)[0], 1);  // the table of four_queues
  EXPECT_EQ(presil_network_region_address(network, PRESIL_REGION_INPUTS) % 4096, 0u);
  EXPECT_EQ(presil_network_region_address(network, 7), 0u);
  EXPECT_EQ(presil_network_input_info(network, 1, &info), PRESIL_REFUSED);
  EXPECT_EQ(text(), "driver: input 1 does not exist, the network has 1");
  EXPECT_EQ(presil_network_output_info(network, 7, &info), PRESIL_REFUSED);
  EXPECT_EQ(text(), "driver: output 7 does not exist, the network has 1");
  EXPECT_TRUE(mock.writes.empty());
  presil_network_unload(network);
  EXPECT_EQ(mock.allocations(), 1u) << "the rings alone are left";
}

TEST_F(LoadTest, a_loadable_for_another_soc_is_refused_with_both_sides) {
  presil_device_set_stamp(device, std::string(64, 'a').c_str());
  const std::string why = refusal(four_queues());
  EXPECT_THAT(why, HasSubstr("compiled for another SoC, 'edge'"));
  EXPECT_THAT(why, HasSubstr(std::string(64, '0')));
  EXPECT_THAT(why, HasSubstr(std::string(64, 'a')));
  presil_device_set_stamp(device, std::string(64, '0').c_str());
  EXPECT_EQ(load(four_queues()), PRESIL_OK) << text();
}

TEST_F(LoadTest, the_stamp_may_come_from_the_host_block) {
  presil_close(device);
  mock.host.set(PRESIL_HOST_REG_CONFIG_HASH(0), 0x04030201);
  mock.host.set(PRESIL_HOST_REG_CONFIG_HASH(7), 0x201f1e1d);
  open();
  EXPECT_THAT(refusal(four_queues()), HasSubstr("this SoC is 01020304"));
  LoadableMaker m = four_queues();
  m.soc_sha256 = "01020304" + std::string(48, '0') + "1d1e1f20";
  EXPECT_EQ(load(m), PRESIL_OK) << text();
}

TEST_F(LoadTest, another_isa_version_is_refused) {
  LoadableMaker m = four_queues();
  m.isa_version = 2;
  EXPECT_THAT(refusal(m), HasSubstr("it has isa_version 2, this SoC requires 1"));
  EXPECT_EQ(error().got, 2);
  EXPECT_EQ(error().wanted, 1);
  EXPECT_STREQ(error().block, "driver");
}

TEST_F(LoadTest, more_sram_or_counters_than_there_are_is_refused) {
  LoadableMaker m = four_queues();
  m.sram_bytes = (1u << 20) + 1;
  EXPECT_THAT(refusal(m), HasSubstr("it uses 1048577 bytes of SRAM, this SoC has 1048576"));
  m = four_queues();
  m.counters = 64;
  EXPECT_THAT(refusal(m), HasSubstr("it uses 64 counters, this SoC has 63"));
  m.counters = 63;
  EXPECT_EQ(load(m), PRESIL_OK) << text();
}

TEST_F(LoadTest, inputs_and_outputs_lie_in_their_regions) {
  LoadableMaker m = four_queues();
  m.inputs[0].offset = 4096 - 255;
  EXPECT_THAT(refusal(m), HasSubstr("input does not lie as NHWC inside its region: image"));
  m = four_queues();
  m.outputs[0].region = PRESIL_REGION_CONSTANTS;
  EXPECT_THAT(refusal(m), HasSubstr("output does not lie as NHWC inside its region: result"));
  m = four_queues();
  m.outputs[0].bytes = 255;
  EXPECT_THAT(refusal(m), HasSubstr("output has another size than its shape: result"));
  m = four_queues();
  m.inputs[0].shape[1] = -4;
  EXPECT_THAT(refusal(m), HasSubstr("input has an impossible shape: image"));
}

TEST_F(LoadTest, inputs_and_outputs_are_tensors_with_a_type_and_few_axes) {
  auto file = four_queues().finish();
  file.resize(file.size() - kChecksumBytes);
  const int32_t none = 2;  // input 0, output 1
  std::memcpy(const_cast<uint8_t*>(loadable::GetLoadable(file.data())->outputs()->Data()), &none,
              sizeof none);
  append_checksum(file);
  EXPECT_THAT(refusal(file), HasSubstr("the loadable is refused: an output names no tensor"));
  LoadableMaker m = four_queues();
  m.inputs[0].dtype = 99;
  EXPECT_THAT(refusal(m), HasSubstr("the loadable is refused: input has an unknown type: image"));
  EXPECT_EQ(error().got, 99);
  m = four_queues();
  m.outputs[0].shape.assign(9, 1);
  EXPECT_THAT(refusal(m),
              HasSubstr("the loadable is refused: output has more than 8 axes: result"));
  m = four_queues();
  m.inputs.assign(17, m.inputs[0]);
  EXPECT_THAT(refusal(m), HasSubstr("the loadable is refused: it has more than 16 inputs"));
  m = four_queues();
  m.outputs.assign(17, m.outputs[0]);
  EXPECT_THAT(refusal(m), HasSubstr("the loadable is refused: it has more than 16 outputs"));
}

TEST_F(LoadTest, an_empty_image_is_refused) {
  LoadableMaker m = four_queues();
  m.change_image = [](std::vector<uint8_t>& image) { image.clear(); };
  EXPECT_THAT(refusal(m), HasSubstr("the loadable is refused: its image is empty"));
}

TEST_F(LoadTest, a_region_has_at_most_65535_pages) {
  LoadableMaker m = four_queues();
  m.scratch_bytes = 65535ull * 4096 + 1;
  EXPECT_THAT(refusal(m),
              HasSubstr("the loadable is refused: region 3 has 268431361 bytes, must be at most "
                        "268431360"));
}

TEST_F(LoadTest, no_memory_leaves_none_taken) {
  const size_t before = mock.allocations();
  for (size_t left = 0; left < 5; ++left) {  // map, image, inputs, outputs, scratch
    mock.allocations_left = left;
    EXPECT_EQ(load(four_queues()), PRESIL_NO_MEMORY) << left;
    EXPECT_THAT(text(), HasSubstr("no memory for the network: image"));
    EXPECT_EQ(mock.allocations(), before) << left;
  }
  mock.allocations_left = 5;
  EXPECT_EQ(load(four_queues()), PRESIL_OK) << text();
}

TEST_F(LoadTest, buffers_come_and_go) {
  const size_t before = mock.allocations();
  presil_buffer b;
  ASSERT_EQ(presil_buffer_alloc(device, 100, &b), PRESIL_OK);
  EXPECT_EQ(b.host, mock.bytes_at(b.address, 100));
  presil_buffer_free(device, &b);
  EXPECT_EQ(mock.allocations(), before);
}

TEST_F(LoadTest, counters_are_read_after_a_snapshot) {
  mock.dla.set(PRESIL_DLA_REG_COUNTERS + PRESIL_DLA_COUNTERS_REG_RUN, 7);
  mock.dla.set(PRESIL_DLA_REG_COUNTERS + PRESIL_DLA_COUNTERS_REG_RUN_HI, 1);
  presil_counter c[32];
  const uint32_t n = presil_counters(device, "dla", c, 32);
  ASSERT_EQ(n, 22u);
  ASSERT_EQ(mock.writes.size(), 1u);
  EXPECT_EQ(mock.writes[0].address, PRESIL_TILE_DLA + PRESIL_DLA_REG_COUNTERS);
  EXPECT_STREQ(c[1].name, "run");
  EXPECT_EQ(c[1].cycles, (1ull << 32) + 7);
  EXPECT_EQ(presil_counters(device, "dma3", c, 2), 19u);
  EXPECT_EQ(presil_counters(device, "dma4", c, 2), 0u);
  EXPECT_EQ(presil_counters(device, "dsp", c, 2), 0u);
}

}  // namespace
}  // namespace presil::driver
