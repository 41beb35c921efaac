// Encodings of RV64IMFC Zicsr Zba Zbb and of vectors that the specifications reserve, or that
// belong to extensions which the DSP lacks, as bits: written from their tables of instructions.
#include <gtest/gtest.h>

#include "tests/dsp/dsp_machine.h"

namespace presil::dsp {
namespace {

struct Reserved {
  const char* rule;
  uint32_t refused;
  uint32_t taken = 0;  ///< its neighbour; 0: there is none
};

Cause cause_of(uint32_t word, uint8_t frm = 0) {
  Machine m;
  m.core.hart().frm = frm;
  m.core.hart().x[1] = Machine::kData;
  m.core.hart().x[2] = Machine::kData;
  m.core.hart().x[8] = Machine::kData;
  Assembler a(Machine::kCode);
  a("vsetivli", {0, 4, vtype(32, 0)});
  if ((word & 3) == 3) {
    a.word(word);
  } else {
    a.half(static_cast<uint16_t>(word));
    a.half(0x0001);
  }
  return m.run(a).cause;
}

void expect_reserved(const Reserved& r) {
  EXPECT_EQ(cause_of(r.refused), Cause::kIllegal) << r.rule << std::hex << ", 0x" << r.refused;
  if (r.taken == 0) return;
  EXPECT_EQ(cause_of(r.taken), Cause::kCall) << r.rule << std::hex << ", 0x" << r.taken;
}

TEST(DspReservedWords, of_16_bits) {
  for (const Reserved& r :
       std::initializer_list<Reserved>{{"all zeros", 0x0000},
                                       {"c.addi4spn of 0", 0x0004, 0x0044},
                                       {"c.fld requires D", 0x2000, 0x6000},
                                       {"quadrant 0, funct3 4", 0x8000},
                                       {"c.fsd requires D", 0xa000, 0xe000},
                                       {"c.addiw of x0", 0x2001, 0x2081},
                                       {"c.lui of 0", 0x6181, 0x6185},
                                       {"c.addi16sp of 0", 0x6101, 0x6105},
                                       {"quadrant 1, subw and addw's third", 0x9c41, 0x9c21},
                                       {"and fourth neighbour", 0x9c61},
                                       {"c.fldsp requires D", 0x2002, 0x6082},
                                       {"c.lwsp to x0", 0x4002, 0x4082},
                                       {"c.ldsp to x0", 0x6002, 0x6082},
                                       {"c.jr of x0", 0x8002},
                                       {"c.fsdsp requires D", 0xa002, 0xe002}})
    expect_reserved(r);
}

TEST(DspReservedWords, of_32_bits) {
  for (const Reserved& r :
       std::initializer_list<Reserved>{{"all ones", 0xffffffff},
                                       {"loads, funct3 7", 0x0000f003, 0x0000b083},
                                       {"stores, funct3 4", 0x0000c023, 0x0000b023},
                                       {"branches, funct3 2", 0x00002063},
                                       {"branches, funct3 3", 0x00003063},
                                       {"jalr, funct3 1", 0x00009067},
                                       {"slli by 64: a bit of funct7", 0x04009093, 0x02009093},
                                       {"slliw by 32", 0x0200909b, 0x0000909b},
                                       {"srliw by 32", 0x0200d09b, 0x0000d09b},
                                       {"sraiw by 32", 0x4200d09b, 0x4000d09b},
                                       {"OP-32, funct3 2", 0x0000203b},
                                       {"sll with sub's funct7", 0x40009033, 0x00009033},
                                       {"mulh of 32 bits", 0x0200903b, 0x0200803b},
                                       {"lr.w requires A", 0x1000a02f},
                                       {"amoadd.d requires A", 0x0000b02f},
                                       {"fld requires D", 0x0000b007, 0x0000a007},
                                       {"fsd requires D", 0x0000b027, 0x0000a027},
                                       {"fadd.d requires D", 0x02007053, 0x00007053},
                                       {"fadd.h requires Zfh", 0x04007053},
                                       {"fcvt.d.s requires D", 0x42000053},
                                       {"a rounding mode of 5", 0x00005053, 0x00004053},
                                       {"and of 6, fused", 0x00006043, 0x00004043},
                                       {"fclass.s, funct3 2", 0xe0002053, 0xe0001053},
                                       {"fsqrt.s, rs2 1", 0x58100053, 0x58000053},
                                       {"fsgnj.s, funct3 3", 0x20003053, 0x20002053},
                                       {"bset requires Zbs", 0x28009033},
                                       {"clmul requires Zbc", 0x0a009033},
                                       {"czero.eqz requires Zicond", 0x0e00d033},
                                       {"zext.h, rs2 1", 0x0810c0bb, 0x0800c0bb},
                                       {"rev8 as of RV32", 0x6980d093, 0x6b80d093},
                                       {"sret: there is no S mode", 0x10200073},
                                       {"a CSR that is not there", 0x7c001073},
                                       {"a CSR that is read-only", 0xc0001073, 0xc0002073}})
    expect_reserved(r);
}

TEST(DspReservedWords, of_vectors) {
  const auto word = [](const char* name, const std::vector<int64_t>& operands, uint32_t mask) {
    return encode(name, operands) ^ mask;
  };
  constexpr uint32_t kVm = 1u << 25, kMew = 1u << 28, kRs1 = 1u << 15, kRs2 = 1u << 20;
  const struct {
    const char* rule;
    const char* name;
    std::vector<int64_t> operands;
    uint32_t mask;
  } all[] = {
      {"mask logic is not masked", "vmand.mm", {4, 5, 6}, kVm},
      {"nor vcompress", "vcompress.vm", {4, 5, 6}, kVm},
      {"nor vmv.x.s", "vmv.x.s", {4, 5}, kVm},
      {"nor vmv.s.x", "vmv.s.x", {4, 5}, kVm},
      {"nor vfmv.f.s", "vfmv.f.s", {4, 5}, kVm},
      {"nor moves of whole registers", "vmv2r.v", {4, 6}, kVm},
      {"vadc has a carry", "vadc.vvm", {4, 5, 6}, kVm},
      {"vsbc too", "vsbc.vxm", {4, 5, 6}, kVm},
      {"vmv.v.v has no second source", "vmv.v.v", {4, 5}, kRs2},
      {"vid has none", "vid.v", {4, 1}, kRs2},
      {"vmv of three registers", "vmv2r.v", {4, 6}, 3 * kRs1},
      {"vcpop's neighbour", "vcpop.m", {4, 5, 1}, 2 * kRs1},
      {"vmsbf's neighbour", "vmsbf.m", {4, 5, 1}, 5 * kRs1},
      {"vsext's neighbour", "vsext.vf2", {4, 6, 1}, 6 * kRs1},
      {"vfclass's neighbour", "vfclass.v", {4, 5, 1}, kRs1},
      {"loads of 128 bits", "vle32.v", {4, 1, 1}, kMew},
      {"lumop 1", "vle32.v", {4, 1, 1}, kRs2},
      {"sumop of a first fault", "vse32.v", {4, 1, 1}, 16 * kRs2},
      {"masks are loaded unmasked", "vlm.v", {4, 1}, kVm},
      {"by bytes", "vlm.v", {4, 1}, 5u << 12},
      {"whole registers unmasked", "vl1re8.v", {4, 1}, kVm},
      {"of three registers", "vl2re8.v", {4, 1}, 3u << 29},
      {"stored by bytes", "vs1r.v", {4, 1}, 5u << 12},
      {"vsetvl's funct7", "vsetvl", {4, 1, 5}, 1u << 26},
  };
  for (const auto& r : all) {
    EXPECT_EQ(cause_of(word(r.name, r.operands, r.mask)), Cause::kIllegal)
        << r.name << ": " << r.rule;
    EXPECT_EQ(cause_of(word(r.name, r.operands, 0)), Cause::kCall) << r.name;
  }
}

// 5, 6 and 7 in frm are no rounding modes, and only instructions that use it ask.
TEST(DspReservedWords, of_a_dynamic_rounding_mode) {
  for (uint8_t frm = 0; frm < 8; ++frm) {
    const Cause expected = frm < 5 ? Cause::kCall : Cause::kIllegal;
    EXPECT_EQ(cause_of(encode("fadd.s", {1, 2, 3, 7}), frm), expected) << int(frm);
    EXPECT_EQ(cause_of(encode("vfadd.vv", {4, 5, 6, 1}), frm), expected) << int(frm);
    EXPECT_EQ(cause_of(encode("fadd.s", {1, 2, 3, 0}), frm), Cause::kCall) << int(frm);
  }
}

}  // namespace
}  // namespace presil::dsp
