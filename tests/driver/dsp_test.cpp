// The DSP as the driver sees it, on the mock port: which device may use it, what of a stream is
// refused before it starts, and the sentence about a kernel that has trapped.
#include "rtl/dsp/dsp.h"

#include <gmock/gmock.h>

#include "driver/core/crc.h"
#include "driver/core/dsp.h"
#include "driver/core/engine.h"
#include "rtl/dsp/dsp_view.h"
#include "tests/driver/device_fixture.h"

namespace presil::driver {
namespace {

using ::testing::HasSubstr;

/// The four queues, and a kernel on the DSP without a waiting queue.
LoadableMaker with_dsp() {
  LoadableMaker m = four_queues();
  const std::vector<uint8_t> image(64, 0x13);
  const uint32_t at = m.constant(image.data(), image.size(), 16);
  const uint32_t crc = presil_crc32(image.data(), image.size());
  m.dsp_images = {
      {at, 64, crc, {{"first", PRESIL_DSP_ITCM, 16}, {"nms", PRESIL_DSP_ITCM + 16, 48}}}};
  dsp::Command select = dsp::Command::make(dsp::Op::kSelect);
  select.image_offset = at;
  select.image_bytes = 64;
  select.image_crc = crc;
  dsp::Command run = dsp::Command::make(dsp::Op::kRun);
  run.entry = PRESIL_DSP_ITCM + 16;
  run.args_base = 0x2000;
  run.args_bytes = 64;
  run.regions_base = 0x2100;
  run.region_count = 2;
  run.watchdog = 1000;
  run.image_crc = crc;
  run.signal = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DSP);
  run.signal_add = 1;
  m.dsp = {select, run};
  return m;
}

class DspTest : public DeviceTest {
 protected:
  void SetUp() override {
    mock.host.set_engines_kinds(mock.host.engines_kinds() | 1u << PRESIL_ENGINE_DSP);
    open();
  }
  template <class F>
  std::string changed(F&& change) {
    LoadableMaker m = with_dsp();
    m.sram_bytes = 1 << 20;
    change(m);
    return refusal(m);
  }
};

TEST_F(DspTest, is_not_touched_by_networks_that_do_not_use_it) {
  EXPECT_EQ(presil_device_capability(device).dsp, 1);
  ASSERT_EQ(load(four_queues()), PRESIL_OK) << text();
  ASSERT_EQ(run(), PRESIL_OK) << text();
  for (const auto& write : mock.writes)
    EXPECT_NE(write.address / PRESIL_TILE_BLOCK_BYTES, PRESIL_TILE_DSP / PRESIL_TILE_BLOCK_BYTES);
  presil_counter counter;
  EXPECT_EQ(presil_counters(device, "dsp", &counter, 1), 0u);
}

TEST_F(DspTest, runs_as_one_more_queue) {
  ASSERT_EQ(load(with_dsp()), PRESIL_OK) << text();
  for (int i = 0; i < 3; ++i) ASSERT_EQ(run(), PRESIL_OK) << text();
  EXPECT_EQ(mock.count(PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DSP)), 3u);
  EXPECT_EQ(engines.entries[PRESIL_QUEUE_DSP].command_count, 2u);
  presil_counter counters[32];
  EXPECT_EQ(presil_counters(device, "dsp", counters, 32), 22u);
  EXPECT_STREQ(counters[8].name, "sram_bank");
}

TEST_F(DspTest, a_soc_without_one_refuses_its_streams) {
  presil_close(device);
  mock.host.set_engines_kinds(mock.host.engines_kinds() & ~(1u << PRESIL_ENGINE_DSP));
  open();
  EXPECT_EQ(presil_device_capability(device).dsp, 0);
  EXPECT_EQ(refusal(with_dsp()),
            "dsp: the loadable has a stream for queue 1, which this SoC does not have");
}

TEST_F(DspTest, rules_are_refused_with_their_number) {
  EXPECT_EQ(changed([](auto& m) { m.dsp[1].entry = PRESIL_DSP_ITCM + 65536; }),
            "dsp command 1 (layer odd_layer): entry is 268500992, must be 268435456..268500991: a "
            "program is in the instruction memory (rule R1 of rtl/dsp/README.md)");
  EXPECT_EQ(
      changed([](auto& m) { m.dsp[1].on_trap = dsp::OnTrap::kGoOn; }),
      "dsp command 1 (layer odd_layer): on_trap is 1, must be 0: a job must not end well with "
      "a program that has trapped");
  EXPECT_THAT(changed([](auto& m) { m.dsp[0].image_bytes = 65536 + 16; }),
              HasSubstr("image_bytes is 65552, must be 16..65536: an image fits the instruction "
                        "memory (rule R3 of rtl/dsp/README.md)"));
  EXPECT_THAT(changed([](auto& m) {
                m.dsp[0].image_in_sram = true;
                m.dsp[0].image_region = 1;
              }),
              HasSubstr("image_region is 1, must be 0: SRAM addresses have 24 bits and no region "
                        "(rule R4 of rtl/dsp/README.md)"));
  EXPECT_THAT(changed([](auto& m) {
                m.dsp[0].image_in_sram = true;
                m.dsp[0].image_offset = 1 << 24;
              }),
              HasSubstr("image_offset is 16777216, must be 0..16777215"));
  EXPECT_THAT(changed([](auto& m) { m.dsp[1].args_base = (1 << 20) - 16; }),
              HasSubstr("end of the argument block is 1048624, must be 0..1048576: the SRAM ends"));
  EXPECT_THAT(changed([](auto& m) { m.dsp[1].regions_base = (1 << 20) - 16; }),
              HasSubstr("end of the region table is 1048592, must be 0..1048576: the SRAM ends"));
  EXPECT_THAT(changed([](auto& m) { m.dsp[0].image_offset = 1 << 20; }),
              HasSubstr("end of the image is 1048640, must be 0..4096: the region ends there"));
  EXPECT_THAT(changed([](auto& m) { m.dsp[1].watchdog = 0; }),
              HasSubstr("watchdog is 0, must be 1..4294967295 (word 10)"));
  EXPECT_THAT(changed([](auto& m) { m.dsp[1].wait2 = 12; }),
              HasSubstr("wait2 is counter 12, the loadable has counters 1..11"));
}

TEST_F(DspTest, a_program_is_what_was_compiled_and_is_brought_by_its_own_job) {
  EXPECT_THAT(changed([](auto& m) {
                m.change_image = [](std::vector<uint8_t>& image) { image[70] ^= 1; };
                m.dsp[0].image_offset = 64;
              }),
              HasSubstr(": its bytes have this CRC-32 (rule R9 of rtl/dsp/README.md)"));
  EXPECT_THAT(changed([](auto& m) { m.dsp.erase(m.dsp.begin()); }),
              HasSubstr("requires a select before it (rule R8 of rtl/dsp/README.md)"));
  EXPECT_THAT(changed([](auto& m) { m.dsp[1].image_crc ^= 1; }), HasSubstr("image_crc is 0x"));
  EXPECT_THAT(text(), HasSubstr(", that of the select before it (rule R8 of rtl/dsp/README.md)"));
  EXPECT_THAT(changed([](auto& m) { m.dsp_images[0].offset += 8; }),
              HasSubstr("does not lie at a multiple of 16 inside its image"));
  EXPECT_THAT(changed([](auto& m) { m.dsp_images[0].bytes = 1 << 20; }),
              HasSubstr("the loadable is refused: DSP image 0 of 1048576 bytes at"));
}

TEST_F(DspTest, a_queue_in_use_is_not_taken_over) {
  mock.dsp.queue().set_status_state(queue::State::kRunning);
  EXPECT_EQ(load(with_dsp()), PRESIL_HARDWARE);
  EXPECT_THAT(text(), HasSubstr("dsp: its queue is in state 1, must be idle (0)"));
  mock.dsp.queue().set_status_state(queue::State::kIdle);
  EXPECT_EQ(load(with_dsp()), PRESIL_OK) << text();
}

TEST_F(DspTest, a_trap_names_kernel_place_address_and_tensor) {
  ASSERT_EQ(load(with_dsp()), PRESIL_OK) << text();
  engines.silent = {PRESIL_QUEUE_DSP};
  dsp::Bank& bank = mock.dsp;
  bank.set_image_crc(presil_crc32(std::vector<uint8_t>(64, 0x13).data(), 64));
  const auto trap = [&](dsp::TrapCause cause, dsp::Near near, uint16_t tensor) {
    bank.set_trap_cause(cause);
    bank.set_trap_pc(PRESIL_DSP_ITCM + 0x2a);
    bank.set_trap_word(0x00052503);
    bank.set_trap_address(0x20000144);
    bank.set_trap_sp(0x11020000);
    bank.set_trap_cycle(1234);
    bank.set_trap_code(7);
    bank.set_trap_region_near(near);
    bank.set_trap_region_region(3);
    bank.set_trap_region_tensor(tensor);
    bank.set_trap_distance(4);
    mock.at(mock.now_ns + 500,
            [this] { mock.fail(PRESIL_QUEUE_DSP, queue::ErrorCode::kKernelTrap, 1, 0); });
    EXPECT_EQ(run(), PRESIL_HARDWARE);
    bank.queue().set_status_state(queue::State::kIdle);
    return text();
  };
  EXPECT_EQ(trap(dsp::TrapCause::kLoadFault, dsp::Near::kAbove, 1),
            "dsp command 1 (layer odd_layer): the kernel nms was stopped: a load outside what the "
            "kernel may read, address 0x20000144, 4 bytes after tensor 'result', in nms + 0x1a, "
            "pc 0x1000002a, instruction 0x52503, sp 0x11020000, cycle 1234; the job has ended "
            "without a result");
  EXPECT_STREQ(error().block, "dsp");
  EXPECT_EQ(error().command, 1);
  EXPECT_STREQ(error().layer, "odd_layer");
  EXPECT_EQ(mock.writes.empty(), false);
  EXPECT_THAT(trap(dsp::TrapCause::kStoreFault, dsp::Near::kInRegion, 0),
              HasSubstr("a store outside what the kernel may write, address 0x20000144, byte 4 of "
                        "tensor 'image', which it may not write, in"));
  EXPECT_THAT(trap(dsp::TrapCause::kLoadFault, dsp::Near::kInRegion, 1),
              HasSubstr("byte 4 of tensor 'result', which it may not read, in"));
  EXPECT_THAT(trap(dsp::TrapCause::kStoreMisaligned, dsp::Near::kBelow, 0xffff),
              HasSubstr("a misaligned store, address 0x20000144, 4 bytes before region 3, "
                        "which is no tensor, in"));
  EXPECT_THAT(trap(dsp::TrapCause::kWatchdog, dsp::Near::kNone, 0),
              HasSubstr("was stopped: it did not end before its watchdog, in nms + 0x1a,"));
  EXPECT_THAT(trap(dsp::TrapCause::kKernelRefused, dsp::Near::kNone, 0),
              HasSubstr("was stopped: it refuses its work with code 7, cycle 1234; the job"));
  bank.set_image_crc(1);  // of which nothing is known
  EXPECT_THAT(trap(dsp::TrapCause::kIllegal, dsp::Near::kNone, 0),
              HasSubstr("the kernel at 0x10000010 was stopped: an illegal instruction at pc "
                        "0x1000002a, instruction 0x52503"));
}

}  // namespace
}  // namespace presil::driver
