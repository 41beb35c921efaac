// The instruction trace: a line for each instruction that was executed, in the order of execution,
// with cycle, place, text, result; and that it changes nothing.
#include "models/dsp/dsp_trace.h"

#include <gmock/gmock.h>

#include <regex>
#include <sstream>

#include "tests/dsp/dsp_machine.h"
#include "tests/dsp/dsp_tile.h"

namespace presil::dsp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> lines_of(const std::ostringstream& out) {
  std::vector<std::string> lines;
  std::istringstream in(out.str());
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}
const std::vector<Symbol> kFunctions = {{"first", Machine::kCode, 12},
                                        {"rest", Machine::kCode + 12, 4096}};

struct Traced {
  Machine machine;
  std::ostringstream out;
  Listing listing;
  explicit Traced(uint64_t most = 1000) : listing(out, most) {
    machine.core.set_tracer(&listing);
    listing.begin("# program", kFunctions, {});
  }
  std::vector<std::string> run(Assembler& a) {
    machine.run(a);
    listing.end();
    return lines_of(out);
  }
};

TEST(DspTrace, a_line_has_cycle_place_instruction_access_result_and_what_it_waited_for) {
  Traced t;
  Assembler a(Machine::kCode);
  a("addi", {5, 0, 5});
  a("vsetvli", {0, 5, vtype(8, 0)});
  a("vmv.v.x", {1, 5});
  a("vadd.vi", {2, 1, 3, 1});
  a("vse8.v", {2, 11, 1});
  a("lw", {6, 0, 11});
  a("vmslt.vx", {3, 2, 5, 1});
  a("fmv.w.x", {4, 6});
  a("sw", {6, 8, 10});
  a("vcpop.m", {7, 2, 1});
  std::vector<std::string> lines = t.run(a);
  // Without the blanks of their columns.
  for (std::string& line : lines) line = std::regex_replace(line, std::regex("  +"), " | ");
  EXPECT_THAT(
      lines,
      ElementsAre("# program", " | 0 | 10000000 | first | addi x5, x0, 5 | # x5 = 0x5",
                  " | 1 | 10000004 | first + 0x4 | vsetvli x0, x5, e8, m1, tu, mu | # vl = 5",
                  " | 2 | 10000008 | first + 0x8 | vmv.v.x v1, x5 | # v1 = 05 05 05 05 05",
                  " | 3 | 1000000c | rest | vadd.vi v2, v1, 3 | # v2 = 08 08 08 08 08",
                  " | 4 | 10000010 | rest + 0x4 | vse8.v v2, (x11) | # at 0x20000000",
                  " | 5 | 10000014 | rest + 0x8 | lw x6, 0(x11) | # at 0x20000000; x6 = 0x8080808; "
                  "+4 far_load",
                  " | 10 | 10000018 | rest + 0xc | vmslt.vx v3, v2, x5 | # v3 = 00",
                  " | 11 | 1000001c | rest + 0x10 | fmv.w.x f4, x6 | # f4 = 0x08080808",
                  " | 12 | 10000020 | rest + 0x14 | sw x6, 8(x10) | # at 0x11000008",
                  " | 13 | 10000024 | rest + 0x18 | vcpop.m x7, v2 | # x7 = 0x1; +5 vector_result",
                  " | 19 | 10000028 | rest + 0x1c | ecall"));
}

TEST(DspTrace, what_is_traced_takes_the_same_cycles_and_gives_the_same_values) {
  Machine plain;
  Traced traced;
  for (Machine* m : {&plain, &traced.machine}) {
    Assembler a(Machine::kCode);
    a("addi", {6, 0, 50});
    const uint64_t loop = a.here();
    a("mul", {7, 6, 6});
    a("sw", {7, 0, 10});
    a("lw", {8, 0, 10});
    a("add", {9, 9, 8});
    a("addi", {6, 6, -1});
    a("bne", {6, 0, static_cast<int64_t>(loop - a.here())});
    m->run(a);
  }
  EXPECT_EQ(plain.core.hart().cycle, traced.machine.core.hart().cycle);
  // A round: mul, a store that waits for it, lw, an add that waits for it, addi, bne, refetch.
  const std::vector<std::string> lines = lines_of(traced.out);
  std::vector<int> cycles;
  for (size_t i = 1; i < 10; ++i) cycles.push_back(std::stoi(lines[i]));
  EXPECT_THAT(cycles, ElementsAre(0, 1, 4, 5, 7, 8, 9, 12, 15));
  EXPECT_EQ(plain.core.hart().x, traced.machine.core.hart().x);
  EXPECT_EQ(plain.core.instructions(), traced.machine.core.instructions());
  EXPECT_EQ(traced.listing.written(), traced.machine.core.instructions() + 1);  // and the ecall
  traced.machine.core.set_tracer(nullptr);
  traced.machine.core.reset();
  traced.machine.core.run(Machine::kCode);
  EXPECT_EQ(traced.listing.written(), plain.core.instructions() + 1);  // nothing is told any more
}

TEST(DspTrace, a_trace_that_is_cut_says_how_much_is_missing) {
  Traced t(3);
  Assembler a(Machine::kCode);
  for (int i = 0; i < 10; ++i) a("addi", {5, 5, 1});
  const std::vector<std::string> lines = t.run(a);
  ASSERT_EQ(lines.size(), 1 + 3 + 1u);
  EXPECT_EQ(lines[4], "# cut: 3 instructions are written, the 8 after them are left out");
}

TEST(DspTrace, a_window_of_cycles_bounds_it) {
  Traced t;
  t.listing.begin("# window", kFunctions, {1000, 1003, 1005});
  Assembler a(Machine::kCode);
  for (int i = 0; i < 10; ++i) a("addi", {5, 5, 1});
  const std::vector<std::string> lines = t.run(a);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[1], HasSubstr("      1003  1000000c  rest "));
  EXPECT_THAT(lines[2], HasSubstr("x5 = 0x5"));
}

TEST(DspTrace, what_traps_is_its_last_line) {
  Traced t;
  Assembler a(Machine::kCode);
  a("addi", {5, 0, 64});
  a("lw", {6, 1, 10});
  const std::vector<std::string> lines = t.run(a);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[2], HasSubstr("lw x6, 1(x10)"));
  EXPECT_THAT(lines[2], HasSubstr("# at 0x11000001; trap load_misaligned at 0x11000001"));
}

TEST(DspTrace, an_illegal_instruction_and_a_place_without_one_are_lines_too) {
  Traced illegal;
  Assembler a(Machine::kCode);
  a.word(0xffffffff);
  EXPECT_THAT(illegal.run(a).back(), HasSubstr(".word 0xffffffff"));
  Traced away;
  Assembler b(Machine::kCode);
  b("jalr", {0, 0, 10});  // to data
  const std::vector<std::string> lines = away.run(b);
  EXPECT_THAT(lines.back(), HasSubstr("11000000"));
  EXPECT_THAT(lines.back(), HasSubstr("(no instruction)"));
  EXPECT_THAT(lines.back(), HasSubstr("trap fetch at 0x11000000"));
}

// fence.i forgets all blocks, the running one too.
TEST(DspTrace, instructions_that_are_decoded_again_are_told_of_again) {
  Traced t;
  Assembler a(Machine::kCode);
  a("addi", {5, 0, 2});
  const uint64_t loop = a.here();
  a("fence.i", {});
  a("addi", {5, 5, -1});
  a("bne", {5, 0, static_cast<int64_t>(loop - a.here())});
  EXPECT_EQ(t.run(a).size(), 1 + 1 + 2 * 3 + 1u);
}

// A store that waits for a copy is taken back and executed again: one line.
TEST(DspTrace, an_instruction_that_waits_for_a_copy_is_one_line) {
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
  a("sw", {7, PRESIL_DSP_OWN_DMA_WAIT, 28});
  give_back(a, 0);
  const size_t instructions = a.bytes().size() / 4;
  const Command select = tile.image(a);
  struct Watch : ProgramWatch {
    std::ostringstream out;
    Listing listing{out, 100};
    void begins(const ProgramStart& start, Core& core) override {
      core.set_tracer(&listing);
      listing.begin("# of tag " + std::to_string(start.tag), {},
                    {static_cast<uint64_t>(start.origin)});
    }
    void ends(const ProgramStart&, const Core&) override { listing.end(); }
  } watch;
  tile.engine.watch_programs(&watch);
  tile.submit({select, DspTile::run(select, 2, 5)});
  tile.time.run_all();
  const std::vector<std::string> lines = lines_of(watch.out);
  EXPECT_EQ(lines.size(), 1 + instructions + 1);  // the title, and the ecall after the return
  EXPECT_EQ(lines[0], "# of tag 5");
  const Cycle first = std::stoll(lines[1]);
  EXPECT_GT(first, tile.record(5)->start);
  EXPECT_LT(std::stoll(lines.back()), tile.record(5)->end);
}

}  // namespace
}  // namespace presil::dsp
