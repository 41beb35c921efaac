// Profiles: what the instruction at each pc did. Its cycles add up to those of the program, its
// stalls to the core's, and nothing of it changes a cycle.
#include <gtest/gtest.h>

#include <numeric>

#include "models/dsp/dsp_listing.h"
#include "tests/dsp/dsp_machine.h"
#include "tests/dsp/dsp_tile.h"

namespace presil::dsp {
namespace {

constexpr size_t at(Stall stall) {
  return static_cast<size_t>(stall);
}

/// Loads that wait, a division, a queue that fills, a reduction whose result is awaited.
uint64_t busy_program(Assembler& a) {
  a("addi", {6, 0, 20});
  a("addi", {7, 0, -1});
  a("vsetvli", {8, 7, vtype(8, 3)});  // as many as there are, e8, m8
  const uint64_t loop = a.here();
  a("ld", {12, 0, 11});  // from SRAM
  a("add", {13, 12, 12});
  a("addi", {12, 12, 7});
  a("div", {13, 12, 6});
  for (int i = 0; i < 10; ++i) a("vadd.vi", {8, 16, 3, 1});
  a("vredsum.vs", {1, 8, 16, 1});
  a("vmv.x.s", {14, 1});
  a("addi", {6, 6, -1});
  a("bne", {6, 0, static_cast<int64_t>(loop - a.here())});
  return loop;
}

TEST(DspProfile, cycles_and_stalls_of_all_pcs_are_those_of_the_core) {
  Machine m;
  m.core.set_profiled(true);
  Assembler a(Machine::kCode);
  const uint64_t loop = busy_program(a);
  m.run(a);
  Stalls sum{};
  uint64_t executed = 0, beats = 0, elements = 0;
  for (const auto& [pc, here] : m.core.profile()) {
    for (size_t s = 0; s < sum.size(); ++s) sum[s] += here.stalls[s];
    EXPECT_EQ(here.stalls[at(Stall::kRun)], here.executed) << pc;  // one cycle each
    executed += here.executed;
    beats += here.beats;
    elements += here.elements;
  }
  EXPECT_EQ(sum, m.core.stalls());
  EXPECT_EQ(executed, m.core.instructions());
  EXPECT_EQ(beats, m.core.hart().unit.beats());
  EXPECT_EQ(elements, m.core.hart().unit.elements());
  EXPECT_EQ(std::accumulate(sum.begin(), sum.end(), uint64_t{0}), m.core.hart().cycle);

  const Profile profile = m.core.profile();
  const auto here = [&](unsigned n) { return profile.at(static_cast<uint32_t>(loop + 4 * n)); };
  EXPECT_EQ(here(0).executed, 20u);
  EXPECT_GT(here(0).stalls[at(Stall::kFar)], 0u);           // ld, beyond what its user waits anyway
  EXPECT_EQ(here(1).stalls[at(Stall::kLoadUse)], 20u);      // add: one cycle a time
  EXPECT_EQ(here(4).elements, 20u * 512);                   // the first vadd of the ten
  EXPECT_EQ(here(4).beats, 20u * 16);                       // 512 bytes in beats of 32
  EXPECT_GT(here(13).stalls[at(Stall::kVectorQueue)], 0u);  // the last: eight are in the queue
  EXPECT_GT(here(15).stalls[at(Stall::kVectorResult)], 20u);
  EXPECT_EQ(here(17).stalls[at(Stall::kBranch)], 19u * 2);
  EXPECT_EQ(here(15).beats, 20u);
}

TEST(DspProfile, a_profile_changes_no_cycle) {
  uint64_t cycles[2];
  for (const bool profiled : {false, true}) {
    Machine m;
    m.core.set_profiled(profiled);
    Assembler a(Machine::kCode);
    busy_program(a);
    m.run(a);
    cycles[profiled] = m.core.hart().cycle;
  }
  EXPECT_EQ(cycles[0], cycles[1]);
}

TEST(DspProfile, basic_blocks_are_what_is_executed_together) {
  Machine m;
  m.core.set_profiled(true);
  Assembler a(Machine::kCode);
  const uint64_t loop = busy_program(a);
  const auto end = static_cast<uint32_t>(a.here());
  m.run(a);
  const Profile profile = m.core.profile();
  const std::vector<Stretch> blocks = basic_blocks(profile, m.core.memory(), {});
  ASSERT_EQ(blocks.size(), 2u);  // before, and the loop; the ecall has neither count nor cycles
  EXPECT_EQ(blocks[0].first, Machine::kCode);
  EXPECT_EQ(blocks[0].passes, 1u);
  EXPECT_EQ(blocks[1].first, loop);
  EXPECT_EQ(blocks[1].last, end - 4);
  EXPECT_EQ(blocks[1].passes, 20u);
  uint64_t cycles = 0;
  for (const Stretch& block : blocks) cycles += block.cycles;
  EXPECT_EQ(cycles, m.core.hart().cycle);
  const std::vector<Symbol> functions = {{"body", loop + 8, 64}};
  EXPECT_EQ(basic_blocks(profile, m.core.memory(), functions).size(), 3u);  // cut there too
}

TEST(DspProfile, targets_of_branches_have_the_name_of_their_function) {
  Machine m;
  Assembler a(Machine::kCode);
  const uint64_t loop = busy_program(a);
  const auto branch = static_cast<uint32_t>(a.here() - 4);
  m.run(a);
  const Memory& memory = m.core.memory();
  const Line line = line_at(memory, branch, {{"twenty", Machine::kCode, 4096}});
  EXPECT_EQ(line.text, "bne x6, x0, . - 68  <twenty + 0xc>");
  EXPECT_EQ(line.target, loop);
  EXPECT_EQ(line.bytes, 4u);
  EXPECT_EQ(line_at(memory, 0x100, {}).text, "(no instruction)");
  EXPECT_STREQ(name_of(Stall::kDevice), "own_dma");
}

/// Keeps what it is told.
struct Watch : ProgramWatch {
  std::vector<ProgramStart> started, ended;
  std::vector<Profile> profiles;
  std::vector<uint64_t> cycles;
  void begins(const ProgramStart& start, Core& core) override {
    started.push_back(start);
    core.set_profiled(true);
  }
  void ends(const ProgramStart& start, const Core& core) override {
    ended.push_back(start);
    profiles.push_back(core.profile());
    cycles.push_back(core.hart().cycle);
    uint64_t sum = 0;
    for (const auto& [pc, here] : profiles.back()) sum += cycles_of(here);
    EXPECT_EQ(sum, cycles.back());
  }
};

TEST(DspProfile, every_program_of_the_block_is_told_of) {
  DspTile tile;
  tile.region(0, 0x100, 64, DspTile::kInSram | DspTile::kReads);
  Assembler a(PRESIL_DSP_ITCM);
  region_base(a, 5, 0);
  a("addi", {6, 0, 25});
  const uint64_t loop = a.here();
  a("lw", {7, 0, 5});
  a("addi", {6, 6, -1});
  a("bne", {6, 0, static_cast<int64_t>(loop - a.here())});
  give_back(a, 0);
  const Command select = tile.image(a);
  Watch watch;
  tile.engine.watch_programs(&watch);
  tile.submit({select, DspTile::run(select, 1, 5), DspTile::run(select, 1, 6)});
  tile.time.run_all();
  ASSERT_EQ(watch.ended.size(), 2u);
  EXPECT_EQ(watch.started.size(), 2u);
  for (const uint32_t run : {0u, 1u}) {
    EXPECT_EQ(watch.ended[run].tag, 5 + run);
    EXPECT_EQ(watch.ended[run].index, 1 + run);
    EXPECT_EQ(watch.ended[run].entry, PRESIL_DSP_ITCM);
    EXPECT_EQ(watch.ended[run].image_crc, select.image_crc);
    EXPECT_EQ(watch.ended[run].origin, watch.started[run].origin);
    const Profile& profile = watch.profiles[run];
    EXPECT_EQ(profile.at(static_cast<uint32_t>(loop)).executed, 25u);
    EXPECT_EQ(profile.at(PRESIL_DSP_ITCM).executed, 1u);
    uint64_t executed = 0;
    for (const auto& [pc, here] : profile) executed += here.executed;
    EXPECT_EQ(executed, 3 + 1 + 25 * 3 + 2u);
  }
  EXPECT_EQ(watch.cycles[0], watch.cycles[1]);
  EXPECT_EQ(tile.record(6)->sram_read_bytes, 16u + 25 * 4);
}

// A copy of its own is awaited by the store that waits for it.
TEST(DspProfile, a_copy_is_awaited_where_the_program_waits_for_it) {
  DspTile tile;
  tile.region(0, 0x100, 64, DspTile::kInSram | DspTile::kReads);
  tile.region(1, 0x200, 64, DspTile::kInSram | DspTile::kWrites);
  Assembler a(PRESIL_DSP_ITCM);
  region_base(a, 5, 0);
  region_base(a, 6, 1);
  a.li(28, static_cast<int32_t>(PRESIL_DSP_OWN));
  a("addi", {7, 0, 64});
  a("sd", {5, PRESIL_DSP_OWN_DMA_SOURCE, 28});
  a("sd", {6, PRESIL_DSP_OWN_DMA_DESTINATION, 28});
  a("sw", {7, PRESIL_DSP_OWN_DMA_ROW_BYTES, 28});
  a("addi", {7, 0, 1});
  a("sw", {7, PRESIL_DSP_OWN_DMA_ROWS, 28});
  a("sw", {7, PRESIL_DSP_OWN_DMA_START, 28});
  const auto wait = static_cast<uint32_t>(a.here());
  a("sw", {7, PRESIL_DSP_OWN_DMA_WAIT, 28});
  a("sw", {0, 0, 6});
  give_back(a, 0);
  const Command select = tile.image(a);
  Watch watch;
  tile.engine.watch_programs(&watch);
  tile.submit({select, DspTile::run(select, 2, 5)});
  tile.time.run_all();
  ASSERT_EQ(watch.profiles.size(), 1u) << to_text(tile);
  EXPECT_GT(watch.profiles[0].at(wait).stalls[at(Stall::kDevice)], 0u);
  EXPECT_EQ(watch.profiles[0].at(wait).executed, 1u);
  EXPECT_EQ(tile.record(5)->sram_written_bytes, 4u);  // a scalar store; copies are the channel's
}

TEST(DspProfile, a_program_that_traps_is_told_of_too) {
  DspTile tile;
  tile.region(0, 0x100, 64, DspTile::kInSram | DspTile::kReads);
  Assembler a(PRESIL_DSP_ITCM);
  a("addi", {5, 0, 1});
  a.word(0xffffffff);
  const Command select = tile.image(a);
  Watch watch;
  tile.engine.watch_programs(&watch);
  tile.submit({select, DspTile::run(select, 1, 5)});
  tile.time.run_all();
  ASSERT_EQ(watch.profiles.size(), 1u);
  EXPECT_EQ(watch.profiles[0].at(PRESIL_DSP_ITCM).executed, 1u);
  EXPECT_EQ(watch.profiles[0].count(PRESIL_DSP_ITCM + 4), 0u);  // not executed
}

}  // namespace
}  // namespace presil::dsp
