// The DSP as a block: images, entry state, waits and signals, its own channel, time, counters.
#include <gtest/gtest.h>

#include <numeric>

#include "tests/dsp/dsp_tile.h"

namespace presil::dsp {
namespace {

/// Reads a word of region 0, adds 1, writes it to region 1.
Assembler increment() {
  Assembler a(PRESIL_DSP_ITCM);
  region_base(a, 5, 0);
  region_base(a, 6, 1);
  a("lw", {7, 0, 5});
  a("addi", {7, 7, 1});
  a("sw", {7, 0, 6});
  give_back(a, 0);
  return a;
}

void in_and_out(DspTile& tile) {
  tile.region(0, 0x100, 4, DspTile::kInSram | DspTile::kReads | DspTile::tensor(5));
  tile.region(1, 0x200, 4, DspTile::kInSram | DspTile::kWrites | DspTile::tensor(6));
}

TEST(DspBlock, a_program_of_an_image_in_dram_reads_and_writes_its_regions) {
  DspTile tile;
  in_and_out(tile);
  tile.sram.data()[0x100] = 41;
  const Command select = tile.image(increment());
  tile.submit({select, DspTile::run(select, 2)});
  tile.time.run_all();
  EXPECT_EQ(tile.state(), PRESIL_QUEUE_STATE_IDLE);
  EXPECT_EQ(tile.sram.data()[0x200], 42);
  EXPECT_EQ(tile.sync.counter(DspTile::kOwn), 1u);
  EXPECT_EQ(tile.engine.bank().image_crc(), select.image_crc);
  EXPECT_EQ(tile.engine.bank().image_bytes(), select.image_bytes);
}

TEST(DspBlock, an_image_stays_resident_over_jobs_and_comes_from_sram_too) {
  DspTile tile;
  in_and_out(tile);
  Command select = tile.image(increment());
  std::memcpy(tile.sram.data() + 0x4000, tile.map.bytes_at(DspTile::kImages, select.image_bytes),
              select.image_bytes);
  select.image_in_sram = true;
  select.image_offset = 0x4000;
  tile.submit({select});
  tile.submit({DspTile::run(select, 2)});
  tile.submit({DspTile::run(select, 2)});
  tile.time.run_all();
  EXPECT_EQ(tile.sram.data()[0x200], 1);
  EXPECT_EQ(tile.sync.counter(DspTile::kOwn), 2u);
}

TEST(DspBlock, the_job_relocates_everything) {
  DspTile tile;
  const uint32_t base = 0x10000;
  const uint32_t in[4] = {0x40, 4, DspTile::kInSram | DspTile::kReads, 0};
  const uint32_t out[4] = {0x2008, 4, 3 | DspTile::kWrites, 0};  // region 3
  std::memcpy(tile.sram.data() + base + DspTile::kTable, in, 16);
  std::memcpy(tile.sram.data() + base + DspTile::kTable + 16, out, 16);
  tile.sram.data()[base + 0x40] = 9;
  const Command select = tile.image(increment(), 0x300);
  Command run = DspTile::run(select, 2);
  run.wait1 = 3;
  run.wait1_value = 2;
  JobEntry job = tile.place({select, run});
  job.sram_base = base;
  job.region_base[3] += 0x1000;
  job.sync_base = 10;
  job.value_base = 100;
  tile.ring(job);
  tile.time.run_until(5000);
  ASSERT_EQ(tile.sync.pending().size(), 1u);
  EXPECT_EQ(tile.sync.pending()[0].id, 13);
  EXPECT_EQ(tile.sync.pending()[0].value, 102u);
  EXPECT_EQ(tile.state(), PRESIL_QUEUE_STATE_WAITING);
  tile.sync.port(0).signal(5000, 13, 102);
  tile.time.run_all();
  EXPECT_EQ(*tile.map.bytes_at(DspTile::kData + 0x3008, 1), 10);
  EXPECT_EQ(tile.sync.counter(10 + DspTile::kOwn), 1u);
}

TEST(DspBlock, three_waits_are_met_in_any_order_and_charged_to_their_signallers) {
  DspTile tile;
  in_and_out(tile);
  const Command select = tile.image(increment());
  Command run = DspTile::run(select, 2);
  run.wait0 = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DLA);
  run.wait1 = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_HOST);
  run.wait2 = DspTile::kWaited;
  run.wait0_value = run.wait1_value = run.wait2_value = 1;
  tile.submit({select, run});
  tile.time.run_until(2000);
  tile.sync.port(0).signal(2000, run.wait0, 1);
  tile.time.run_until(2100);
  tile.sync.port(3).signal(2100, run.wait2, 1);
  tile.time.run_until(2300);
  EXPECT_EQ(tile.record(2), nullptr);
  tile.sync.port(2).signal(2300, run.wait1, 1);
  tile.time.run_all();
  const CommandRecord& r = *tile.record(2);
  EXPECT_EQ(r.start, 2302);
  EXPECT_EQ(r.cycles[wait_for(presil::Cause::kWait, Signaller::kDma)], 100);
  EXPECT_EQ(r.cycles[wait_for(presil::Cause::kWait, Signaller::kHost)], 200);
  EXPECT_GT(r.cycles[wait_for(presil::Cause::kWait, Signaller::kDla)], 1000);
  EXPECT_EQ(r.cycles.total(), r.end - std::max(r.offered, tile.record(1)->end));
}

// A job's values count from its value_base: a negative one is of a job before it. The image is of
// the job's second region.
TEST(DspBlock, values_of_an_earlier_job_are_awaited_and_an_image_may_be_of_any_region) {
  DspTile tile;
  in_and_out(tile);
  tile.sram.data()[0x100] = 41;
  Command select = tile.image(increment(), 0x1000);
  select.image_region = 1;
  select.image_offset = 0;
  select.fence = true;
  Command nop = Command::make(Op::kNop);
  nop.tag = 3;
  nop.fence = true;
  Command run = DspTile::run(select, 2);
  run.fence = true;
  run.wait0 = run.wait1 = DspTile::kWaited;
  run.wait2 = DspTile::kOwn;
  run.wait0_value = -1;  // 100 - 1 = 99
  run.wait1_value = -2;
  run.wait2_value = -90;
  run.signal_add = 2;
  JobEntry job = tile.place({select, nop, run});
  job.region_base[1] = DspTile::kImages + 0x1000;
  job.region_limit[1] = 1;  // 4 KiB
  job.value_base = 100;
  tile.ring(job);
  tile.time.run_until(2000);
  ASSERT_EQ(tile.sync.pending().size(), 3u);
  tile.sync.port(3).signal(2000, DspTile::kWaited, 99);
  tile.time.run_until(2500);
  EXPECT_EQ(tile.record(2), nullptr);
  tile.sync.port(1).signal(2500, DspTile::kOwn, 10);
  tile.time.run_all();
  EXPECT_EQ(tile.sram.data()[0x200], 42);
  EXPECT_EQ(tile.sync.counter(DspTile::kOwn), 12u);
  EXPECT_EQ(tile.record(2)->start, 2502);
  EXPECT_EQ(tile.record(2)->cycles[wait_for(presil::Cause::kWait, Signaller::kDsp)], 500);
}

TEST(DspBlock, the_first_instruction_comes_14_cycles_and_one_for_each_region_after_the_start) {
  for (const unsigned regions : {1u, 2u, 16u}) {
    DspTile tile;
    for (unsigned k = 0; k < regions; ++k)
      tile.region(k, 0x100, 4, DspTile::kInSram | DspTile::kReads);
    Assembler a(PRESIL_DSP_ITCM);
    give_back(a, 0);
    const Command select = tile.image(a);
    tile.submit({select, DspTile::run(select, regions)});
    tile.time.run_all();
    const CommandRecord& r = *tile.record(2);
    // addi 1, jalr 1 + 3 to its target, ecall; then 2
    EXPECT_EQ(r.end - r.start, 14 + regions + 1 + 1 + 3 + 2);
    EXPECT_EQ(r.cycles[presil::Cause::kStart], 14 + regions + 2);
  }
}

TEST(DspBlock, a_program_begins_in_the_stated_state) {
  DspTile tile;
  in_and_out(tile);
  Assembler first(PRESIL_DSP_ITCM);  // leaves something everywhere
  for (unsigned r = 3; r < 32; ++r)
    if (r != 1) first("addi", {r, 0, 77});
  first("fmv.w.x", {3, 5});
  first("vsetvli", {5, 0, 0});
  first("vmv.v.i", {4, 5});
  first("csrrwi", {0, 3, 5});
  give_back(first, 0);
  const Command dirty = tile.image(first);
  Assembler a(PRESIL_DSP_ITCM);
  a("add", {5, 3, 4});
  for (unsigned r = 6; r < 32; ++r)
    if (r != 10) a("or", {5, 5, r});
  a("fmv.x.w", {6, 3});
  a("or", {5, 5, 6});
  a("csrrs", {6, 3, 0});  // fcsr
  a("or", {5, 5, 6});
  a("csrrs", {6, 0xc20, 0});  // vl
  a("or", {5, 5, 6});
  a("csrrs", {6, 0xc21, 0});  // vtype: vill alone
  a("slli", {6, 6, 1});
  a("or", {5, 5, 6});
  a("vsetvli", {6, 0, 0});
  a("vmv.x.s", {6, 4});
  a("or", {5, 5, 6});
  region_base(a, 6, 1);
  a("sw", {5, 0, 6});
  a("sub", {8, 2, 10});  // sp - a0
  a("sd", {8, -8, 2});   // the stack may be written
  a("ld", {8, -8, 2});
  a("lui", {9, 0x11020000 >> 12});
  a("sub", {9, 9, 10});
  a("sub", {10, 8, 9});
  a("jalr", {0, 0, 1});
  const Command clean = tile.image(a, 0x1000);
  tile.sram.data()[0x200] = 1;
  tile.submit({dirty, DspTile::run(dirty, 2, 3), clean, DspTile::run(clean, 2, 4)});
  tile.time.run_all();
  ASSERT_NE(tile.record(4), nullptr) << to_text(tile);
  EXPECT_EQ(tile.sram.data()[0x200], 0);
}

TEST(DspBlock, its_own_registers_say_where_it_is) {
  DspTile tile;
  tile.region(0, 0x100, 4, DspTile::kInSram | DspTile::kReads);
  tile.region(1, 0x200, 64, DspTile::kInSram | DspTile::kWrites);
  tile.region(2, 0x1234, 5, 3 | DspTile::kReads);
  Assembler a(PRESIL_DSP_ITCM);
  region_base(a, 5, 1);
  a.li(6, static_cast<int32_t>(PRESIL_DSP_OWN));
  const int64_t from[] = {PRESIL_DSP_OWN_REGION_BASE(0), PRESIL_DSP_OWN_REGION_BASE(2),
                          PRESIL_DSP_OWN_REGION_SIZE(2), PRESIL_DSP_OWN_REGION_BASE(3),
                          PRESIL_DSP_OWN_ARGS};
  for (int i = 0; i < 5; ++i) {
    a("ld", {7, from[i], 6});
    a("sd", {7, 8 * i, 5});
  }
  a("lw", {7, PRESIL_DSP_OWN_REGION_COUNT, 6});
  a("sd", {7, 40, 5});
  a("ld", {7, PRESIL_DSP_OWN_CYCLE, 6});
  a("csrrs", {8, 0xc00, 0});
  a("sub", {7, 8, 7});
  a("sd", {7, 48, 5});
  give_back(a, 0);
  const Command select = tile.image(a);
  tile.submit({select, DspTile::run(select, 3)});
  tile.time.run_all();
  uint64_t seen[7];
  std::memcpy(seen, tile.sram.data() + 0x200, sizeof seen);
  EXPECT_EQ(seen[0], PRESIL_DSP_SRAM + 0x100u);
  EXPECT_EQ(seen[1], DspTile::kData + 0x1234);
  EXPECT_EQ(seen[2], 5u);
  EXPECT_EQ(seen[3], 0u);
  EXPECT_EQ(seen[4], PRESIL_DSP_SRAM + uint64_t{DspTile::kArgs});
  EXPECT_EQ(seen[5], 3u);
  EXPECT_GT(seen[6], 0u);  // the load itself, to its use
  EXPECT_LT(seen[6], 10u);
}

/// rows rows of 8 bytes from region 0 to region 1, by the own channel.
void copy_rows(Assembler& a, int rows, int from_stride, int to_stride) {
  region_base(a, 5, 0);
  region_base(a, 6, 1);
  a.li(7, static_cast<int32_t>(PRESIL_DSP_OWN));
  a("sd", {5, PRESIL_DSP_OWN_DMA_SOURCE, 7});
  a("sd", {6, PRESIL_DSP_OWN_DMA_DESTINATION, 7});
  const int values[] = {8, rows, from_stride, to_stride};
  for (int i = 0; i < 4; ++i) {
    a("addi", {8, 0, values[i]});
    a("sw", {8, PRESIL_DSP_OWN_DMA_ROW_BYTES + 4 * i, 7});
  }
  a("sw", {0, PRESIL_DSP_OWN_DMA_START, 7});
  a("lw", {9, PRESIL_DSP_OWN_DMA_START, 7});
}

TEST(DspBlock, its_own_channel_copies_rows_between_sram_and_dram) {
  for (const bool to_dram : {false, true}) {
    DspTile tile;
    const uint32_t dram = 3, sram = DspTile::kInSram;
    tile.region(0, 0x400, 4096, (to_dram ? sram : dram) | DspTile::kReads);
    tile.region(1, 0x4000, 4096, (to_dram ? dram : sram) | DspTile::kWrites);
    const auto at = [&](bool in_dram, uint32_t offset) {
      return in_dram ? tile.map.bytes_at(DspTile::kData + offset, 1) : tile.sram.data() + offset;
    };
    for (int i = 0; i < 4096; ++i) at(!to_dram, 0x400)[i] = static_cast<uint8_t>(i * 11 + 3);
    Assembler a(PRESIL_DSP_ITCM);
    copy_rows(a, 20, 100, 8);
    a("sw", {9, PRESIL_DSP_OWN_DMA_WAIT, 7});
    a("lw", {10, PRESIL_DSP_OWN_DMA_DONE, 7});
    a("sub", {10, 10, 9});  // done: this one
    a("jalr", {0, 0, 1});
    const Command select = tile.image(a);
    tile.submit({select, DspTile::run(select, 2)});
    tile.time.run_all();
    ASSERT_NE(tile.record(2), nullptr) << to_text(tile);
    for (int i = 0; i < 160; ++i)
      ASSERT_EQ(at(to_dram, 0x4000)[i], static_cast<uint8_t>((i / 8 * 100 + i % 8) * 11 + 3)) << i;
    const CommandRecord& r = *tile.record(2);
    EXPECT_GT(r.cycles[presil::Cause::kOwnDma],
              30);  // 20 rows; the DRAM's write queue has them all
    EXPECT_EQ(to_dram ? r.dram_written_bytes : r.dram_read_bytes, 160u);
    EXPECT_EQ(r.cycles.total(), r.end - r.start);
  }
}

TEST(DspBlock, a_fifth_copy_waits_for_a_place_and_the_end_for_all_of_them) {
  DspTile tile;
  tile.region(0, 0, 4096, 3 | DspTile::kReads);
  tile.region(1, 0x4000, 4096, DspTile::kInSram | DspTile::kWrites);
  tile.map.bytes_at(DspTile::kData, 1)[0] = 1;
  Assembler a(PRESIL_DSP_ITCM);
  copy_rows(a, 4, 512, 8);
  for (int i = 0; i < 5; ++i) a("sw", {0, PRESIL_DSP_OWN_DMA_START, 7});
  give_back(a, 0);
  const Command select = tile.image(a);
  tile.submit({select, DspTile::run(select, 2)});
  tile.time.run_all();
  const CommandRecord& r = *tile.record(2);
  EXPECT_EQ(r.dram_read_bytes, 6u * 32);
  EXPECT_GT(r.cycles[presil::Cause::kOwnDma], 6 * 40);
  EXPECT_EQ(tile.sram.data()[0x4000], 1);
  EXPECT_EQ(r.cycles.total(), r.end - r.start);
}

// The cycles of a program do not depend on into how many pieces the timeline cuts it.
TEST(DspBlock, what_others_have_pending_changes_no_cycle) {
  Cycle alone = 0;
  for (const Cycle every : {Cycle{0}, Cycle{1}, Cycle{7}}) {
    DspTile tile;
    tile.region(0, 0x100, 4096, DspTile::kInSram | DspTile::kReads | DspTile::kWrites);
    Assembler a(PRESIL_DSP_ITCM);
    region_base(a, 5, 0);
    a("addi", {6, 0, 200});
    a("vsetvli", {7, 0, 3});  // e8, m8
    const uint64_t loop = a.here();
    a("vle8.v", {8, 5, 1});
    a("vadd.vv", {8, 8, 8, 1});
    a("vse8.v", {8, 5, 1});
    a("lw", {7, 0, 5});
    a("mul", {7, 7, 7});
    a("addi", {6, 6, -1});
    a("bne", {6, 0, static_cast<int64_t>(loop - a.here())});
    give_back(a, 0);
    const Command select = tile.image(a);
    std::function<void()> tick;
    if (every > 0) {
      tick = [&] {
        if (tile.record(2) == nullptr)
          tile.time.at(tile.time.now() + every, Phase::kMemory, [&] { tick(); });
      };
      tick();
    }
    tile.submit({select, DspTile::run(select, 1)});
    tile.time.run_all();
    ASSERT_NE(tile.record(2), nullptr) << to_text(tile);
    const CommandRecord& r = *tile.record(2);
    if (every == 0) alone = r.end - r.start;
    EXPECT_EQ(r.end - r.start, alone) << every;
    EXPECT_EQ(r.cycles.total(), r.end - r.start);
  }
  EXPECT_GT(alone, 200 * 20);
}

TEST(DspBlock, banks_that_the_dla_takes_cost_cycles_in_proportion) {
  Cycle cycles[3];
  for (unsigned words = 0; words < 3; ++words) {
    DspTile tile;
    tile.region(0, 0x100, 65536, DspTile::kInSram | DspTile::kReads);
    Assembler a(PRESIL_DSP_ITCM);
    region_base(a, 5, 0);
    a("addi", {6, 0, 400});
    a("vsetvli", {7, 0, 3});
    const uint64_t loop = a.here();
    a("vle8.v", {8, 5, 1});
    a("addi", {6, 6, -1});
    a("bne", {6, 0, static_cast<int64_t>(loop - a.here())});
    give_back(a, 0);
    const Command select = tile.image(a);
    tile.banks.announce(0, 0, 1 << 20, uint64_t{words} << 20);
    tile.submit({select, DspTile::run(select, 1)});
    tile.time.run_all();
    const CommandRecord& r = *tile.record(2);
    cycles[words] = r.end - r.start;
    EXPECT_EQ(r.cycles.total(), r.end - r.start);
    // 512 bytes are 16 beats of 2 words; w of 16 banks are taken
    const Cycle lost = 400 * 32 * words / 16;
    EXPECT_NEAR(r.cycles[presil::Cause::kSramBank], lost, lost / 50 + 2);
    EXPECT_EQ(r.sram_read_bytes, 16u + 400 * 512);
  }
  EXPECT_NEAR(cycles[1] - cycles[0], 800, 20);
  EXPECT_NEAR(cycles[2] - cycles[0], 1600, 40);
}

TEST(DspBlock, counters_sum_to_cycles) {
  DspTile tile;
  in_and_out(tile);
  const Command select = tile.image(increment());
  Command nop = Command::make(Op::kNop);
  nop.irq = true;
  tile.submit({select, DspTile::run(select, 2), nop, DspTile::run(select, 2, 4)});
  tile.time.run_until(5000);
  Bank& bank = tile.engine.bank();
  bank.write(PRESIL_DSP_REG_COUNTERS_CONTROL, PRESIL_DSP_COUNTERS_CONTROL_SNAPSHOT_MASK);
  const CountersView c = bank.counters();
  uint64_t sum = c.run() + c.load_use() + c.branch() + c.divide() + c.far_load() +
                 c.vector_queue() + c.vector_result() + c.sram_bank() + c.own_dma() + c.start() +
                 c.fetch() + c.idle();
  for (unsigned i = 0; i < 4; ++i) sum += c.wait(i);
  EXPECT_EQ(sum, c.cycles());
  EXPECT_EQ(c.cycles(), 5000u);
  EXPECT_GT(c.fetch(), 0u);  // between commands: no record has it
  tile.shown().cause("fetch", c.fetch());
  EXPECT_EQ(c.commands(), 4u);
  EXPECT_EQ(c.instructions(), 2 * (3 + 3 + 3 + 2u));
  EXPECT_EQ(c.bytes_read(), 128 + 4 * 64 + select.image_bytes);
  EXPECT_EQ(tile.read(PRESIL_QUEUE_REG_IRQ_STATUS), PRESIL_QUEUE_IRQ_STATUS_COMMAND_DONE_MASK);
}

TEST(DspBlock, registers_say_what_it_is) {
  SocConfig soc;
  soc.dsp.vlen = 256;
  soc.dsp.dlen = 128;
  soc.dsp.elen = 32;
  soc.dsp.arithmetic_sequencers = 2;
  soc.dsp.gather_by_element = 1;
  soc.dsp.itcm_bytes = 32768;
  DspTile tile(soc);
  const Bank& bank = tile.engine.bank();
  EXPECT_EQ(bank.vector_vlen(), 256);
  EXPECT_EQ(bank.vector_dlen(), 128);
  EXPECT_EQ(bank.unit_elen(), 32);
  EXPECT_EQ(bank.unit_arithmetic_sequencers(), 2);
  EXPECT_TRUE(bank.capability_gather_by_element());
  EXPECT_FALSE(bank.capability_on_trap());
  EXPECT_EQ(bank.itcm_bytes(), 32768u);
  EXPECT_EQ(bank.stack_bytes(), 8192u);
  EXPECT_EQ(bank.unit_regions(), PRESIL_DSP_REGIONS);
}

TEST(DspBlock, abort_ends_a_program_in_the_middle_and_the_next_job_is_exact) {
  DspTile tile;
  in_and_out(tile);
  Assembler a(PRESIL_DSP_ITCM);
  a("jal", {0, 0});  // indefinitely
  const Command indefinitely = tile.image(a, 0x1000), select = tile.image(increment());
  Command run = DspTile::run(indefinitely, 2, 3);
  run.watchdog = 0xffffffff;
  tile.submit({indefinitely, run, select, DspTile::run(select, 2, 4)});
  tile.time.run_until(20000);
  EXPECT_EQ(tile.state(), PRESIL_QUEUE_STATE_RUNNING);
  tile.write(PRESIL_QUEUE_REG_CONTROL,
             PRESIL_QUEUE_CONTROL_ENABLE_MASK | PRESIL_QUEUE_CONTROL_ABORT_MASK);
  tile.time.run_until(21000);
  EXPECT_EQ(tile.state(), PRESIL_QUEUE_STATE_STOPPED);
  EXPECT_EQ(tile.sync.counter(DspTile::kOwn), 0u);
  tile.recover();
  tile.sram.data()[0x100] = 6;
  tile.submit({select, DspTile::run(select, 2, 5)});
  tile.time.run_all();
  EXPECT_EQ(tile.record(4), nullptr);
  EXPECT_NE(tile.record(5), nullptr);
  EXPECT_EQ(tile.sram.data()[0x200], 7);
}

}  // namespace
}  // namespace presil::dsp
