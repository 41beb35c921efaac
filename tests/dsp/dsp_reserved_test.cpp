// Encodings that the vector specification reserves, or that Zve64f or Zve32f lack: each is illegal,
// and its neighbour is not. The table is written from the specification's sentences.
#include <gtest/gtest.h>

#include "tests/dsp/dsp_machine.h"

namespace presil::dsp {
namespace {

struct Gate {
  const char* rule;
  unsigned sew;
  int lmul_log2;
  const char* name;
  std::vector<int64_t> refused, taken;
  unsigned elen = 64;
};

// Operands in the order of the assembler; the last one of most: 1 not masked, 0 masked.
const std::vector<Gate>& gates() {
  static const std::vector<Gate> all = {
      {"register groups are aligned to LMUL (3.4.2)", 8, 1, "vadd.vv", {3, 4, 6, 1}, {2, 4, 6, 1}},
      {"of sources too", 8, 2, "vadd.vv", {4, 6, 8, 1}, {4, 8, 8, 1}},
      {"a masked instruction does not write v0 (5.3)", 8, 0, "vadd.vv", {0, 4, 6, 0}, {0, 4, 6, 1}},
      {"but where it writes a mask", 8, 0, "vadc.vvm", {0, 4, 6}, {2, 4, 6}},
      {"a narrower destination lies in the lowest part of the source (5.2)",
       8,
       0,
       "vnsrl.wv",
       {3, 2, 6, 1},
       {2, 2, 6, 1}},
      {"a wider destination has the source in its highest part (5.2)",
       8,
       0,
       "vwadd.vv",
       {2, 2, 6, 1},
       {2, 3, 6, 1}},
      {"where the source is at least a register", 8, -1, "vwadd.vv", {2, 2, 6, 1}, {2, 3, 6, 1}},
      {"a mask lies in the lowest register of the source",
       8,
       1,
       "vmseq.vv",
       {3, 2, 6, 1},
       {2, 2, 6, 1}},
      {"a widening result has EMUL at most 8", 8, 3, "vwadd.vv", {8, 16, 24, 1}, {}},
      {"a result of 128 bits", 64, 0, "vwadd.vv", {8, 16, 24, 1}, {}},
      {"the source of vf4 has 8 bits at least", 16, 0, "vzext.vf4", {8, 16, 1}, {}},
      {"vslideup does not overlap (16.3.1)", 8, 0, "vslideup.vi", {4, 4, 1, 1}, {4, 5, 1, 1}},
      {"nor does vslide1up", 8, 1, "vslide1up.vx", {4, 4, 5, 1}, {4, 6, 5, 1}},
      {"vrgather does not overlap (16.4)", 8, 0, "vrgather.vv", {4, 4, 5, 1}, {4, 6, 5, 1}},
      {"nor its index", 8, 0, "vrgather.vv", {4, 6, 4, 1}, {4, 6, 6, 1}},
      {"16-bit indices have EMUL at most 8", 8, 3, "vrgatherei16.vv", {8, 16, 24, 1}, {}},
      {"vcompress does not overlap (16.5)", 8, 0, "vcompress.vm", {4, 4, 5}, {4, 6, 5}},
      {"nor its mask", 8, 0, "vcompress.vm", {4, 6, 4}, {4, 6, 6}},
      {"viota does not overlap (15.8)", 8, 0, "viota.m", {4, 4, 1}, {4, 5, 1}},
      {"vmsbf does not overlap (15.4)", 8, 0, "vmsbf.m", {4, 4, 1}, {4, 5, 1}},
      {"nor the mask", 8, 0, "vmsif.m", {0, 4, 0}, {1, 4, 0}},
      {"fields x EMUL is at most 8 (7.8)", 8, 2, "vlseg3e8.v", {8, 10, 1}, {}},
      {"and ends at v31", 8, 0, "vlseg4e8.v", {29, 10, 1}, {28, 10, 1}},
      {"data of another EMUL", 8, 3, "vle16.v", {8, 10, 1}, {}},
      {"data of another EMUL, too small", 64, -3, "vle8.v", {8, 10, 1}, {}},
      {"indexed segments do not overlap the index (7.8.3)",
       8,
       0,
       "vluxseg2ei8.v",
       {4, 10, 5, 1},
       {4, 10, 6, 1}},
      {"whole registers are aligned (7.9)", 8, 0, "vl2re8.v", {3, 10}, {2, 10}},
      {"whole moves are aligned (16.6)", 8, 0, "vmv4r.v", {4, 6}, {4, 8}},
      {"no high half of 64 bits (18.2)", 64, 0, "vmulh.vv", {4, 5, 6, 1}, {}},
      {"no fraction of 64 bits (18.2)", 64, 0, "vsmul.vv", {4, 5, 6, 1}, {}},
      {"floats have 32 bits", 64, 0, "vfadd.vv", {4, 5, 6, 1}, {}},
      {"not 16", 16, 0, "vfadd.vv", {4, 5, 6, 1}, {}},
      {"conversions make 32 bits of 16", 8, 0, "vfwcvt.f.x.v", {4, 6, 1}, {}},
      {"Zve32f has no elements of 64 bits", 32, 0, "vwadd.vv", {4, 6, 7, 1}, {}, 32},
      {"nor memory of them", 32, 0, "vle64.v", {4, 10, 1}, {}, 32},
      {"nor indices", 32, 0, "vluxei64.v", {4, 10, 8, 1}, {}, 32},
  };
  return all;
}

Cause cause_of(const Gate& g, const std::vector<int64_t>& operands) {
  Config config;
  config.elen = g.elen;
  Machine m(config);
  Assembler a(Machine::kCode);
  a("vsetvli", {0, 0, vtype(g.sew, g.lmul_log2)});
  a("vsetivli", {0, 4, vtype(g.sew, g.lmul_log2)});
  a.word(encode(g.name, operands));
  return m.run(a).cause;
}

TEST(DspReserved, what_the_specification_reserves_is_illegal_and_its_neighbour_is_not) {
  for (const Gate& g : gates()) {
    EXPECT_EQ(cause_of(g, g.refused), Cause::kIllegal) << g.name << ": " << g.rule;
    if (!g.taken.empty()) {
      EXPECT_EQ(cause_of(g, g.taken), Cause::kCall) << g.name << ": " << g.rule;
    }
  }
}

// SEW above ELEN, LMUL 4, fractions of LMUL that hold no element, bits that are not defined.
TEST(DspReserved, vtypes_that_there_are_not_become_vill) {
  for (const unsigned elen : {32u, 64u}) {
    Config config;
    config.elen = elen;
    for (unsigned bits = 0; bits < 2048; ++bits) {
      const unsigned sew = 8u << (bits >> 3 & 7);
      constexpr double kLmul[8] = {1, 2, 4, 8, 0, 0.125, 0.25, 0.5};
      const double lmul = kLmul[bits & 7];
      const bool legal = bits < 256 && lmul != 0 && sew <= elen && sew <= lmul * elen;
      EXPECT_EQ(Vtype::of(bits, config).vill(), !legal) << bits << " elen " << elen;
    }
  }
}

TEST(DspReserved, every_vector_instruction_but_whole_loads_is_illegal_at_vill) {
  const Config config;
  for (const Instruction& row : Isa::get().rows()) {
    if (!row.is_vector) continue;
    VectorOp op;
    const bool whole = row.vector.access == VectorInfo::Access::kWhole;
    EXPECT_EQ(operands_of(row, row.match, Vtype{}, config, op), whole) << row.name;
  }
}

// The whole encoding space, thinned out: what has no row is illegal, and rows never overlap.
TEST(DspReserved, no_word_belongs_to_two_rows) {
  const auto& rows = Isa::get().rows();
  for (size_t i = 0; i < rows.size(); ++i)
    for (size_t k = i + 1; k < rows.size(); ++k) {
      const uint32_t both = rows[i].mask & rows[k].mask;
      const bool apart = ((rows[i].match ^ rows[k].match) & both) != 0;
      // A word that fixes more bits may stand inside another only if it comes first.
      EXPECT_TRUE(apart) << rows[i].name << " and " << rows[k].name;
    }
}

}  // namespace
}  // namespace presil::dsp
