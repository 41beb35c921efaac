// C: each 16-bit instruction stands for a 32-bit one.
#include "models/dsp/dsp_isa.h"

namespace presil::dsp {
namespace {

// Where a bit of an immediate sits in the 16-bit word: bit `from`, `count` bits, to place `to`.
struct Piece {
  unsigned from, count, to;
};
template <unsigned n>
uint32_t gather(uint16_t word, const Piece (&pieces)[n]) {
  uint32_t value = 0;
  for (const Piece& p : pieces) value |= (word >> p.from & ((1u << p.count) - 1)) << p.to;
  return value;
}
int32_t sign_extend(uint32_t value, unsigned bits) {
  return static_cast<int32_t>(value << (32 - bits)) >> (32 - bits);
}

uint32_t type_i(uint32_t base, uint32_t rd, uint32_t rs1, int32_t imm) {
  return base | rd << 7 | rs1 << 15 | static_cast<uint32_t>(imm) << 20;
}
uint32_t type_s(uint32_t base, uint32_t rs1, uint32_t rs2, uint32_t imm) {
  return base | rs1 << 15 | rs2 << 20 | (imm & 31) << 7 | (imm >> 5 & 127) << 25;
}
uint32_t type_r(uint32_t base, uint32_t rd, uint32_t rs1, uint32_t rs2) {
  return base | rd << 7 | rs1 << 15 | rs2 << 20;
}
uint32_t type_j(uint32_t rd, int32_t offset) {
  const auto u = static_cast<uint32_t>(offset);
  return 0x6f | rd << 7 | (u >> 12 & 255) << 12 | (u >> 11 & 1) << 20 | (u >> 1 & 1023) << 21 |
         (u >> 20 & 1) << 31;
}
uint32_t type_b(uint32_t base, uint32_t rs1, int32_t offset) {
  const auto u = static_cast<uint32_t>(offset);
  return base | rs1 << 15 | (u >> 11 & 1) << 7 | (u >> 1 & 15) << 8 | (u >> 5 & 63) << 25 |
         (u >> 12 & 1) << 31;
}

constexpr uint32_t kLw = 0x2003, kLd = 0x3003, kSw = 0x2023, kSd = 0x3023, kAddi = 0x13,
                   kAddiw = 0x1b, kSlli = 0x1013, kSrli = 0x5013, kSrai = 0x40005013,
                   kAndi = 0x7013, kAdd = 0x33, kSub = 0x40000033, kXor = 0x4033, kOr = 0x6033,
                   kAnd = 0x7033, kAddw = 0x3b, kSubw = 0x4000003b, kJalr = 0x67, kLui = 0x37,
                   kBeq = 0x63, kBne = 0x1063, kEbreak = 0x00100073;

// Registers x8 to x15, by three bits.
uint32_t high(uint16_t word) {
  return 8 + (word >> 7 & 7);
}
uint32_t low(uint16_t word) {
  return 8 + (word >> 2 & 7);
}

uint32_t quadrant_0(uint16_t w) {
  const uint32_t word_offset = gather(w, {{6, 1, 2}, {10, 3, 3}, {5, 1, 6}});
  const uint32_t double_offset = gather(w, {{10, 3, 3}, {5, 2, 6}});
  switch (w >> 13) {
    case 0: {
      const uint32_t imm = gather(w, {{6, 1, 2}, {5, 1, 3}, {11, 2, 4}, {7, 4, 6}});
      return imm == 0 ? 0 : type_i(kAddi, low(w), 2, static_cast<int32_t>(imm));
    }
    case 2:
      return type_i(kLw, low(w), high(w), static_cast<int32_t>(word_offset));
    case 3:
      return type_i(kLd, low(w), high(w), static_cast<int32_t>(double_offset));
    case 6:
      return type_s(kSw, high(w), low(w), word_offset);
    case 7:
      return type_s(kSd, high(w), low(w), double_offset);
    default:  // 1, 5: fld, fsd; 4: reserved
      return 0;
  }
}

uint32_t arithmetic(uint16_t w) {
  const uint32_t rd = high(w), shift = gather(w, {{2, 5, 0}, {12, 1, 5}});
  switch (w >> 10 & 3) {
    case 0:
      return type_i(kSrli, rd, rd, static_cast<int32_t>(shift));
    case 1:
      return type_i(kSrai, rd, rd, static_cast<int32_t>(shift));
    case 2:
      return type_i(kAndi, rd, rd, sign_extend(shift, 6));
    default:
      break;
  }
  constexpr uint32_t kBases[8] = {kSub, kXor, kOr, kAnd, kSubw, kAddw, 0, 0};
  const uint32_t base = kBases[(w >> 12 & 1) << 2 | (w >> 5 & 3)];
  return base == 0 ? 0 : type_r(base, rd, rd, low(w));
}

uint32_t quadrant_1(uint16_t w) {
  const uint32_t rd = w >> 7 & 31;
  const int32_t imm = sign_extend(gather(w, {{2, 5, 0}, {12, 1, 5}}), 6);
  const int32_t branch =
      sign_extend(gather(w, {{3, 2, 1}, {10, 2, 3}, {2, 1, 5}, {5, 2, 6}, {12, 1, 8}}), 9);
  switch (w >> 13) {
    case 0:
      return type_i(kAddi, rd, rd, imm);
    case 1:
      return rd == 0 ? 0 : type_i(kAddiw, rd, rd, imm);
    case 2:
      return type_i(kAddi, rd, 0, imm);
    case 3: {
      if (imm == 0) return 0;
      if (rd == 2) {
        const uint32_t by = gather(w, {{6, 1, 4}, {2, 1, 5}, {5, 1, 6}, {3, 2, 7}, {12, 1, 9}});
        return type_i(kAddi, 2, 2, sign_extend(by, 10));
      }
      return kLui | rd << 7 | static_cast<uint32_t>(imm) << 12;
    }
    case 4:
      return arithmetic(w);
    case 5:
      return type_j(0, sign_extend(gather(w, {{3, 3, 1},
                                              {11, 1, 4},
                                              {2, 1, 5},
                                              {7, 1, 6},
                                              {6, 1, 7},
                                              {9, 2, 8},
                                              {8, 1, 10},
                                              {12, 1, 11}}),
                                   12));
    case 6:
      return type_b(kBeq, high(w), branch);
    default:
      return type_b(kBne, high(w), branch);
  }
}

uint32_t quadrant_2(uint16_t w) {
  const uint32_t rd = w >> 7 & 31, rs2 = w >> 2 & 31;
  switch (w >> 13) {
    case 0:
      return type_i(kSlli, rd, rd, static_cast<int32_t>(gather(w, {{2, 5, 0}, {12, 1, 5}})));
    case 2:
      if (rd == 0) return 0;
      return type_i(kLw, rd, 2,
                    static_cast<int32_t>(gather(w, {{4, 3, 2}, {12, 1, 5}, {2, 2, 6}})));
    case 3:
      if (rd == 0) return 0;
      return type_i(kLd, rd, 2,
                    static_cast<int32_t>(gather(w, {{5, 2, 3}, {12, 1, 5}, {2, 3, 6}})));
    case 4:
      if ((w >> 12 & 1) == 0) {
        if (rs2 != 0) return type_r(kAdd, rd, 0, rs2);
        return rd == 0 ? 0 : type_i(kJalr, 0, rd, 0);
      }
      if (rs2 != 0) return type_r(kAdd, rd, rd, rs2);
      return rd == 0 ? kEbreak : type_i(kJalr, 1, rd, 0);
    case 6:
      return type_s(kSw, 2, rs2, gather(w, {{9, 4, 2}, {7, 2, 6}}));
    case 7:
      return type_s(kSd, 2, rs2, gather(w, {{10, 3, 3}, {7, 3, 6}}));
    default:  // 1, 5: fldsp, fsdsp
      return 0;
  }
}

}  // namespace

uint32_t expand(uint16_t word) {
  switch (word & 3) {
    case 0:
      return quadrant_0(word);
    case 1:
      return quadrant_1(word);
    case 2:
      return quadrant_2(word);
    default:
      return 0;
  }
}

}  // namespace presil::dsp
