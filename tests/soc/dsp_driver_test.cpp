// Programs on the DSP of the simulated SoC, run by the driver: synchronised by counters alone,
// exact, and when they are bad, reported with kernel, place, address and tensor, after which the
// next job is exact.
#include <gmock/gmock.h>

#include "models/base/crc.h"
#include "models/base/digest.h"
#include "rtl/dma/dma.h"
#include "rtl/dsp/dsp.h"
#include "rtl/dsp/dsp_view.h"
#include "tests/driver/loadable_maker.h"
#include "tests/dsp/dsp_assembler.h"
#include "tests/soc/platform_fixture.h"

namespace presil::tests {
namespace {

using dsp::Assembler;
using ::testing::HasSubstr;

constexpr uint32_t kBytes = 256, kIn = 0, kOut = 0x1000, kArgs = 0x8000, kTable = 0x9000;
constexpr uint8_t kLoads = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DMA0),
                  kKernel = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DSP),
                  kStores = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DMA0 + 1);

/// rd = address of region k
void region_base(Assembler& a, unsigned rd, unsigned k) {
  a.li(rd, static_cast<int32_t>(PRESIL_DSP_OWN));
  a("ld", {rd, PRESIL_DSP_OWN_REGION_BASE(k), rd});
}

/// Region 1 = region 0 + 1, all 256 bytes, 512 bits at a time, `times` times.
Assembler plus_one(int times = 1) {
  Assembler a(PRESIL_DSP_ITCM);
  region_base(a, 5, 0);
  region_base(a, 6, 1);
  a("addi", {9, 0, times});
  const uint64_t again = a.here();
  a("addi", {7, 0, kBytes});
  a("addi", {28, 5, 0});
  a("addi", {29, 6, 0});
  const uint64_t loop = a.here();
  a("vsetvli", {8, 7, 0});  // e8, m1
  a("vle8.v", {1, 28, 1});
  a("vadd.vi", {1, 1, 1, 1});
  a("vse8.v", {1, 29, 1});
  a("add", {28, 28, 8});
  a("add", {29, 29, 8});
  a("sub", {7, 7, 8});
  a("bne", {7, 0, static_cast<int64_t>(loop - a.here())});
  a("addi", {9, 9, -1});
  a("bne", {9, 0, static_cast<int64_t>(again - a.here())});
  a("addi", {10, 0, 0});
  a("jalr", {0, 0, 1});
  return a;
}

dma::Command copy_of(dma::Space from_space, uint8_t region, uint64_t from, dma::Space to_space,
                     uint64_t to, uint32_t bytes) {
  dma::Command c = dma::Command::make(dma::Op::kCopy);
  c.src_space = from_space;
  c.dst_space = to_space;
  (from_space == dma::Space::kSystem ? c.src_region : c.dst_region) = region;
  c.src_base = from;
  c.dst_base = to;
  c.src_row_bytes = c.dst_row_bytes = bytes;
  c.signal_add = 1;
  return c;
}

/// Input, arguments and region table to SRAM, the program, its output back.
driver::LoadableMaker maker_of(const Assembler& program, const SocConfig& config,
                               uint32_t watchdog = 200000) {
  driver::LoadableMaker m;
  m.soc_sha256 = soc_sha256(config);
  m.inputs = {{"image", {1, 1, 1, kBytes}, PRESIL_REGION_INPUTS, 0, kBytes}};
  m.outputs = {{"boxes", {1, 1, 1, kBytes}, PRESIL_REGION_OUTPUTS, 0, kBytes}};
  m.job_span = 3;

  std::vector<uint8_t> image = program.bytes();
  image.resize((image.size() + 15) / 16 * 16);
  const uint32_t at = m.constant(image.data(), image.size(), 16);
  const auto bytes = static_cast<uint32_t>(image.size());
  const uint32_t crc = crc32(image.data(), image.size());
  m.dsp_images = {{at, bytes, crc, {{"plus_one", PRESIL_DSP_ITCM, bytes}}}};
  const uint32_t regions[2][4] = {
      {kIn, kBytes, PRESIL_DSP_REGION_SPACE_SRAM | PRESIL_DSP_REGION_READ, 0},
      {kOut, kBytes,
       PRESIL_DSP_REGION_SPACE_SRAM | PRESIL_DSP_REGION_WRITE |
           1u << PRESIL_DSP_REGION_TENSOR_SHIFT,
       0}};
  const uint32_t arguments[16] = {};
  const uint32_t table = m.constant(regions, sizeof regions, 16);
  const uint32_t args = m.constant(arguments, sizeof arguments, 16);

  constexpr auto kSystem = dma::Space::kSystem, kSram = dma::Space::kSram;
  m.dma[0] = {copy_of(kSystem, PRESIL_REGION_INPUTS, 0, kSram, kIn, kBytes),
              copy_of(kSystem, PRESIL_REGION_CONSTANTS, table, kSram, kTable, sizeof regions),
              copy_of(kSystem, PRESIL_REGION_CONSTANTS, args, kSram, kArgs, sizeof arguments)};
  for (dma::Command& c : m.dma[0]) c.signal = kLoads;
  dma::Command store = copy_of(kSram, PRESIL_REGION_OUTPUTS, kOut, kSystem, 0, kBytes);
  store.wait0 = kKernel;
  store.wait0_value = 3;
  store.signal = kStores;
  store.signal_add = 3;
  m.dma[1] = {store};

  dsp::Command select = dsp::Command::make(dsp::Op::kSelect);
  select.image_offset = at;
  select.image_bytes = bytes;
  select.image_crc = crc;
  dsp::Command run = dsp::Command::make(dsp::Op::kRun);
  run.wait0 = kLoads;
  run.wait0_value = 3;
  run.entry = PRESIL_DSP_ITCM;
  run.args_base = kArgs;
  run.args_bytes = sizeof arguments;
  run.regions_base = kTable;
  run.region_count = 2;
  run.watchdog = watchdog;
  run.image_crc = crc;
  run.signal = kKernel;
  run.signal_add = 3;
  m.dsp = {select, run};
  return m;
}

/// A pass of the DLA over 64 x 64 pixels of 16 channels that begins with the kernel.
void add_dla(driver::LoadableMaker& m) {
  dla::Command pass = dla::Command::make(dla::Op::kPass);
  pass.rule = dla::Rule::kNone;
  pass.in_h = pass.in_w = pass.out_h = pass.out_w = 64;
  pass.in_kb_step = 1;
  pass.in_row_pitch = pass.out_row_pitch = 1024;
  pass.in_cb_pitch = pass.out_cb_pitch = 65536;
  pass.in_x_step = pass.out_x_step = 16;
  pass.in_base = 0x20000;
  pass.out_base = 0x40000;
  pass.out_lanes_last = 16;
  pass.act_min = -128;
  pass.act_max = 127;
  pass.wait_in = kLoads;
  pass.wait_in_value = 3;
  pass.signal = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DLA);
  pass.signal_add = 3;
  m.sram_bytes = 1 << 20;
  m.dla = {pass};
}

class DspDriver : public PlatformTest {
 protected:
  presil_status load_made(const driver::LoadableMaker& maker) {
    unload();
    m_file = maker.finish();
    m_storage.resize(presil_network_bytes() / sizeof(std::max_align_t) + 1);
    return presil_network_load(device, m_file.data(), m_file.size(), m_storage.data(),
                               m_storage.size() * sizeof(std::max_align_t), &network);
  }
  presil_status run_once(uint8_t seed) {
    auto* in = static_cast<uint8_t*>(presil_network_input(network, 0));
    for (uint32_t i = 0; i < kBytes; ++i) in[i] = static_cast<uint8_t>(i * 7 + seed);
    uint32_t id = 0;
    const presil_status status = presil_job_submit(network, &id);
    return status == PRESIL_OK ? presil_job_wait(network, id, 10000000) : status;
  }
  void expect_plus_one(uint8_t seed) {
    const auto* out = static_cast<const uint8_t*>(presil_network_output(network, 0));
    for (uint32_t i = 0; i < kBytes; ++i)
      ASSERT_EQ(out[i], static_cast<uint8_t>(i * 7 + seed + 1)) << i;
  }
  uint64_t counter(const std::string& name) {
    presil_counter all[32];
    const uint32_t n = presil_counters(device, "dsp", all, 32);
    for (uint32_t i = 0; i < n; ++i)
      if (name == all[i].name) return all[i].cycles;
    ADD_FAILURE() << "no counter " << name;
    return 0;
  }
  /// The sentence about a bad program; the next job, of a good one, is exact.
  std::string bad(const Assembler& program, uint32_t watchdog = 200000) {
    EXPECT_EQ(load_made(maker_of(program, config, watchdog)), PRESIL_OK) << text();
    EXPECT_EQ(run_once(1), PRESIL_HARDWARE);
    const std::string said = text();
    EXPECT_EQ(load_made(maker_of(plus_one(), config)), PRESIL_OK) << text();
    for (uint8_t seed : {3, 4}) {
      EXPECT_EQ(run_once(seed), PRESIL_OK) << text();
      expect_plus_one(seed);
    }
    return said;
  }

 private:
  std::vector<uint8_t> m_file;
  std::vector<std::max_align_t> m_storage;
};

TEST_F(DspDriver, a_program_takes_its_input_from_the_dma_and_hands_its_output_to_it) {
  ASSERT_EQ(load_made(maker_of(plus_one(), config)), PRESIL_OK) << text();
  std::vector<CommandRecord> records;
  soc.observe([&](const CommandRecord& r) { records.push_back(r); });
  for (uint8_t seed : {0, 9}) {
    ASSERT_EQ(run_once(seed), PRESIL_OK) << text();
    expect_plus_one(seed);
  }
  soc.observe([](const CommandRecord&) {});
  EXPECT_EQ(counter("commands"), 4u);
  EXPECT_EQ(counter("elements"), 2 * 3 * kBytes);
  Cycle before = 0;  // end of the DSP's command before
  for (const CommandRecord& r : records) {
    EXPECT_NE(r.queue, PRESIL_QUEUE_HOST);  // no task of the host in between
    if (r.queue != PRESIL_QUEUE_DSP) continue;
    EXPECT_EQ(r.sram_written_bytes, r.index == 1 ? kBytes : 0);
    EXPECT_EQ(r.cycles.total(), r.end - std::max(r.offered, before));
    before = r.end;
  }
}

TEST_F(DspDriver, jobs_of_other_networks_in_between_change_nothing) {
  ASSERT_EQ(load_made(maker_of(plus_one(), config)), PRESIL_OK) << text();
  ASSERT_EQ(run_once(5), PRESIL_OK) << text();
  unload();
  load(digits());
  ASSERT_EQ(run(3), PRESIL_OK) << text();
  expect_exact(3);
  ASSERT_EQ(load_made(maker_of(plus_one(2), config)), PRESIL_OK) << text();
  ASSERT_EQ(run_once(6), PRESIL_OK) << text();
  expect_plus_one(6);
}

TEST_F(DspDriver, the_dla_takes_banks_from_it) {
  const auto cycles = [&](bool dla) {
    driver::LoadableMaker m = maker_of(plus_one(60), config);
    if (dla) add_dla(m);
    EXPECT_EQ(load_made(m), PRESIL_OK) << text();
    const uint64_t before = counter("sram_bank");
    Cycle taken = 0;
    soc.observe([&](const CommandRecord& r) {
      if (r.queue == PRESIL_QUEUE_DSP && r.index == 1) taken = r.end - r.start;
    });
    EXPECT_EQ(run_once(2), PRESIL_OK) << text();
    soc.observe([](const CommandRecord&) {});
    expect_plus_one(2);
    return std::make_pair(taken, counter("sram_bank") - before);
  };
  const auto alone = cycles(false), beside = cycles(true), again = cycles(false);
  EXPECT_EQ(alone.second, 0u);
  EXPECT_GT(beside.second, 20u);
  EXPECT_GT(beside.first, alone.first + 20);
  EXPECT_EQ(again.first, alone.first);
}

TEST_F(DspDriver, bad_programs_are_named_with_place_address_and_tensor) {
  Assembler illegal(PRESIL_DSP_ITCM);
  illegal("addi", {5, 0, 1});
  illegal.word(0xffffffff);
  EXPECT_THAT(bad(illegal),
              HasSubstr("dsp command 1 (layer odd_layer): the kernel plus_one was stopped: an "
                        "illegal instruction, in plus_one + 0x4, pc 0x10000004, instruction "
                        "0xffffffff, sp 0x11020000, cycle 1; the job has ended without a result"));
  Assembler misaligned(PRESIL_DSP_ITCM);
  region_base(misaligned, 5, 0);
  misaligned("lw", {6, 2, 5});
  EXPECT_THAT(bad(misaligned),
              HasSubstr("a misaligned load, address 0x20000002, byte 2 of tensor 'image', in "
                        "plus_one + 0xc, pc 0x1000000c"));
  Assembler outside(PRESIL_DSP_ITCM);
  region_base(outside, 5, 0);
  outside("lbu", {6, kBytes + 3, 5});
  EXPECT_THAT(bad(outside),
              HasSubstr("a load outside what the kernel may read, address 0x20000103, 4 bytes "
                        "after tensor 'image', in plus_one + 0xc"));
  Assembler beyond(PRESIL_DSP_ITCM);
  region_base(beyond, 5, 1);
  beyond("addi", {5, 5, kBytes - 8});
  beyond("vsetivli", {0, 16, 0});
  beyond("vse8.v", {1, 5, 1});
  EXPECT_THAT(bad(beyond),
              HasSubstr("a store outside what the kernel may write, address 0x20001100, 1 byte "
                        "after tensor 'boxes', element 8 of a vector, in plus_one + 0x14"));
  Assembler input(PRESIL_DSP_ITCM);
  region_base(input, 5, 0);
  input("sb", {0, 0, 5});
  EXPECT_THAT(bad(input), HasSubstr("may write, address 0x20000000, byte 0 of tensor 'image'"));
  Assembler endless(PRESIL_DSP_ITCM);
  endless("jal", {0, 0});
  EXPECT_THAT(bad(endless, 5000), HasSubstr("it did not end before its watchdog, in plus_one, pc "
                                            "0x10000000"));
  Assembler recursion(PRESIL_DSP_ITCM);
  recursion("addi", {2, 2, -32});
  recursion("sd", {1, 24, 2});
  recursion("jal", {1, -8});
  EXPECT_THAT(bad(recursion), HasSubstr("its stack has overflowed, address 0x1101dff8, in "
                                        "plus_one + 0x4"));
  Assembler refuses(PRESIL_DSP_ITCM);
  refuses("addi", {10, 0, 12});
  refuses("jalr", {0, 0, 1});
  EXPECT_THAT(bad(refuses), HasSubstr("it refuses its work with code 12, cycle "));
}

TEST_F(DspDriver, an_endless_program_can_be_cancelled) {
  Assembler endless(PRESIL_DSP_ITCM);
  endless("jal", {0, 0});
  ASSERT_EQ(load_made(maker_of(endless, config, 0xffffffff)), PRESIL_OK) << text();
  uint32_t id = 0;
  ASSERT_EQ(presil_job_submit(network, &id), PRESIL_OK);
  EXPECT_EQ(presil_job_wait(network, id, 100000), PRESIL_TIMED_OUT);
  EXPECT_THAT(text(), HasSubstr("dsp command 1 (layer odd_layer) runs the kernel plus_one, in "
                                "plus_one, pc 0x10000000"));
  EXPECT_EQ(presil_job_cancel(network, id), PRESIL_CANCELLED) << text();
  ASSERT_EQ(load_made(maker_of(plus_one(), config)), PRESIL_OK) << text();
  ASSERT_EQ(run_once(8), PRESIL_OK) << text();
  expect_plus_one(8);
}

// The DSP waits for bytes that no engine loads, and others for the DSP.
TEST_F(DspDriver, a_deadlock_names_what_the_dsp_waits_for) {
  ASSERT_EQ(load_made(maker_of(plus_one(), config)), PRESIL_OK) << text();
  constexpr uint64_t kDma0 =
      PRESIL_TILE_BASE(0) + PRESIL_TILE_DMA + PRESIL_DMA_REG_CHANNEL(0) + PRESIL_QUEUE_REG_TAIL;
  constexpr uint64_t kDsp =
      PRESIL_TILE_BASE(0) + PRESIL_TILE_DSP + PRESIL_DSP_REG_QUEUE + PRESIL_QUEUE_REG_TAIL;
  const std::pair<uint64_t, const char*> lost[] = {
      {kDma0,
       "; dsp command 1 (layer odd_layer) waits for counter 4 to reach 3, it is 0: dma0 "
       "command 2 (layer odd_layer) should signal it"},
      {kDsp,
       "; dsp has nothing to run, yet its counter 2 is 0 of 3: a doorbell or a signal is "
       "lost; dma1 command 0 (layer even_layer) waits for counter 2 to reach 3, it is 0: dsp "
       "command 1 (layer odd_layer) should signal it"}};
  for (const auto& [doorbell, said] : lost) {
    bool gone = false;
    port.lose = [&, door = doorbell](uint64_t address, uint32_t) {
      const bool now = address == door && !gone;
      gone = gone || now;
      return now;
    };
    uint32_t id = 0;
    ASSERT_EQ(presil_job_submit(network, &id), PRESIL_OK) << text();
    EXPECT_EQ(presil_job_wait(network, id, 0), PRESIL_TIMED_OUT);
    EXPECT_TRUE(gone);
    EXPECT_THAT(text(), HasSubstr("hangs: nothing in the system can ever happen again"));
    EXPECT_THAT(text(), HasSubstr(said));
    port.lose = {};
    EXPECT_EQ(presil_job_cancel(network, id), PRESIL_CANCELLED) << text();
    ASSERT_EQ(run_once(8), PRESIL_OK) << text();
    expect_plus_one(8);
  }
}

}  // namespace
}  // namespace presil::tests
