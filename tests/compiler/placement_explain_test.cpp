// Records of placements in words: by hand, each kind of verdict and of reason.
#include <gtest/gtest.h>

#include "compiler_bridge/placement/explain.h"

namespace presil::placement {
namespace {

using Kind = Verdict::Kind;

Verdict tall() {
  return verdict(Engine::kDla, Kind::kRule, {"kernel height", "17", "1..16"}, "split the kernel");
}
Verdict unknown() {
  return verdict(Engine::kDla, Kind::kUnknown, {"", "softmax", ""});
}
Verdict costs(Engine engine, int64_t cycles, Engine chosen, int64_t chosen_cycles) {
  Verdict v{engine, Kind::kCost};
  v.cycles = cycles, v.chosen = chosen, v.chosen_cycles = chosen_cycles;
  return v;
}
Verdict of_user(Verdict v) {
  v.kernel = "up", v.image = "up.elf";
  return v;
}

Placement refused(std::vector<Verdict> verdicts) {
  Placement p{"softmax", "y", "host"};
  p.why = Why::kRefused;
  p.verdicts = std::move(verdicts);
  return p;
}

TEST(Explain, a_verdict_says_what_is_limited_as_it_is_and_as_it_must_be) {
  EXPECT_EQ(line(tall()), "dla: kernel height is 17, must be 1..16");
  EXPECT_EQ(line(unknown()), "dla: does not compute softmax");
  EXPECT_EQ(line(verdict(Engine::kDsp, Kind::kAbsent, {"dsp.units", "", ""})),
            "dsp: the SoC has none (dsp.units)");
  EXPECT_EQ(line(verdict(Engine::kDla, Kind::kSram, {"sram.bytes", "17568", "16384"})),
            "dla: needs 17568 bytes of SRAM even in the smallest tiles, sram.bytes is 16384");
  Verdict image = verdict(Engine::kDsp, Kind::kImage, {"program", "9 bytes", "at most 8"});
  image.image = "lib";
  EXPECT_EQ(line(image), "dsp: lib: program is 9 bytes, must be at most 8");
  EXPECT_EQ(line(verdict(Engine::kNone, Kind::kRule, {"y", "an output", "none"})),
            "y is an output, must be none");
}

TEST(Explain, a_cost_is_told_with_that_of_the_engine_that_is_chosen) {
  Verdict v = costs(Engine::kDma, 900, Engine::kDsp, 50);
  EXPECT_EQ(line(v), "dma: about 900 cycles, the dsp takes 50");
  v.rule = "bytes in a row", v.got = "1";
  EXPECT_EQ(line(v), "dma: about 900 cycles (bytes in a row: 1), the dsp takes 50");
  EXPECT_EQ(line(of_user(costs(Engine::kDsp, 9, Engine::kDsp, 8))),
            "dsp: kernel up of up.elf takes about 9 cycles with transfers, presil's own takes 8");
}

TEST(Explain, a_kernel_of_the_user_says_what_it_requires) {
  EXPECT_EQ(text(of_user(verdict(Engine::kDsp, Kind::kRule, {"when", "x.rank is 3", "rank 4"}))),
            "requires rank 4; x.rank is 3");
  EXPECT_EQ(text(of_user(verdict(Engine::kDsp, Kind::kRule, {"when", "x.rank is 3", ""}))),
            "does not take it: x.rank is 3");
  EXPECT_EQ(text(of_user(verdict(Engine::kDsp, Kind::kCall, {"axis 2", "short", "long"}))),
            "cannot be called: axis 2 is short, must be long");
  EXPECT_EQ(text(of_user(verdict(Engine::kDsp, Kind::kSram, {}))), "does not fit the SRAM");
}

TEST(Explain, what_the_host_does_is_told_with_the_remedy) {
  const Placement p = refused({tall(), costs(Engine::kDsp, 9, Engine::kHost, 8)});
  EXPECT_EQ(p.reason(),
            "dla: kernel height is 17, must be 1..16; dsp: about 9 cycles with transfers, the host "
            "takes 8");
  EXPECT_EQ(p.remedy(), "split the kernel");
  EXPECT_EQ(sentence(p),
            "softmax 'y' runs on the host. The dla does not take it: kernel height is 17, must be "
            "1..16. The dsp takes about 9 cycles with transfers, the host takes 8. To run it on "
            "the dla, split the kernel.");
}

TEST(Explain, a_kernel_that_is_not_chosen_is_a_sentence_of_its_own) {
  EXPECT_EQ(sentence(refused({unknown(), of_user(costs(Engine::kDsp, 9, Engine::kHost, 8))})),
            "softmax 'y' runs on the host: the dla does not compute softmax. Kernel up of up.elf "
            "takes about 9 cycles with transfers, the host takes 8.");
}

TEST(Explain, what_joined_a_layer_names_it) {
  Placement p{"add", "sum", "dla", 3};
  p.why = Why::kFused, p.into = "conv2d", p.into_layer = "stem";
  EXPECT_EQ(sentence(p), "add 'sum' runs on the dla: fused into conv2d 'stem'.");
  p.why = Why::kFolded, p.engine = "none";
  EXPECT_EQ(sentence(p), "add 'sum' needs no engine: folded into conv2d 'stem'.");
}

TEST(Explain, a_kernel_is_told_with_what_it_takes_and_what_it_does_not) {
  Placement p{"softmax", "y", "dsp"};
  p.why = Why::kKernel, p.kernel = "softmax_i8", p.verdicts = {unknown()};
  EXPECT_EQ(p.reason(), "kernel softmax_i8 (dla: does not compute softmax)");
  p.kernel = "up", p.image = "up.elf";
  p.verdicts = {of_user(verdict(Engine::kDsp, Kind::kTaken, {"", "", "columns times 2"}))};
  EXPECT_EQ(p.reason(), "kernel up of up.elf (columns times 2)");
  EXPECT_EQ(p.remedy(), "");
}

TEST(Explain, an_engine_from_outside_has_its_name_and_its_cycles) {
  const Engine mine = engine_named("mine");
  EXPECT_TRUE(is_outside(mine));
  EXPECT_EQ(engine_named("mine"), mine);
  EXPECT_STREQ(to_string(mine), "mine");
  EXPECT_EQ(engine_named("dsp"), Engine::kDsp);
  Placement p;
  p.op = "max_pool2d", p.name = "m", p.engine = "dla";
  Verdict slower{mine, Verdict::Kind::kCost};
  slower.cycles = 500, slower.chosen = Engine::kDla, slower.chosen_cycles = 120;
  p.verdicts = {slower};
  EXPECT_EQ(sentence(p),
            "max_pool2d 'm' runs on the dla: within the dla's limits (mine: about 500 cycles, the "
            "dla takes 120).");
}

}  // namespace
}  // namespace presil::placement
