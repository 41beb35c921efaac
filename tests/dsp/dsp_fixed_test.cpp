// Fixed point of 8 bits, exhaustively: every pair of operands, every rounding mode, against
// rational arithmetic on plain integers.
#include <gtest/gtest.h>

#include <functional>

#include "tests/dsp/dsp_machine.h"

namespace presil::dsp {
namespace {

constexpr int kPairs = 65536;

// v / 2^shift by a rounding mode of vxrm, from the words of the specification.
int rounded(int v, int shift, int mode) {
  const int unit = 1 << shift;
  int down = v / unit;
  if (down * unit > v) --down;  // towards minus infinity
  const int rest = v - down * unit;
  switch (mode) {
    case 0:  // nearest, half up
      return 2 * rest >= unit && rest != 0 ? down + 1 : down;
    case 1:  // nearest, half to even
      return 2 * rest > unit || (2 * rest == unit && down % 2 != 0) ? down + 1 : down;
    case 2:
      return down;
    default:  // to odd
      return rest != 0 && down % 2 == 0 ? down + 1 : down;
  }
}

struct Case {
  const char* name;
  bool is_signed;  // operands
  std::function<int(int a, int b, int mode, bool& saturates)> meaning;
};

int clip(int v, int low, int high, bool& saturates) {
  saturates = v < low || v > high;
  return v < low ? low : v > high ? high : v;
}

// a is vs2's, b vs1's element.
const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"vsaddu.vv", false, [](int a, int b, int, bool& s) { return clip(a + b, 0, 255, s); }},
      {"vsadd.vv", true, [](int a, int b, int, bool& s) { return clip(a + b, -128, 127, s); }},
      {"vssubu.vv", false, [](int a, int b, int, bool& s) { return clip(a - b, 0, 255, s); }},
      {"vssub.vv", true, [](int a, int b, int, bool& s) { return clip(a - b, -128, 127, s); }},
      {"vaaddu.vv", false, [](int a, int b, int m, bool&) { return rounded(a + b, 1, m); }},
      {"vaadd.vv", true, [](int a, int b, int m, bool&) { return rounded(a + b, 1, m); }},
      {"vasubu.vv", false, [](int a, int b, int m, bool&) { return rounded(a - b, 1, m); }},
      {"vasub.vv", true, [](int a, int b, int m, bool&) { return rounded(a - b, 1, m); }},
      {"vsmul.vv", true,
       [](int a, int b, int m, bool& s) { return clip(rounded(a * b, 7, m), -128, 127, s); }},
      {"vssrl.vv", false, [](int a, int b, int m, bool&) { return rounded(a, b & 7, m); }},
      {"vssra.vv", true, [](int a, int b, int m, bool&) { return rounded(a, b & 7, m); }},
  };
  return all;
}

// Every pair in groups of vl; the mask leaves out every third element.
void check(const Case& c, int mode, bool common_host, bool masked) {
  Config config;
  config.common_host = common_host;
  Machine m(config);
  Assembler a(Machine::kCode);
  a("csrrw", {0, 0x00f, 12});
  a("vsetvli", {13, 0, vtype(8, 2)});
  a(c.name, {8, 16, 24, masked ? 0 : 1});
  a("csrrs", {14, 0x009, 0});
  const unsigned vl = 256;
  uint8_t* v = m.core.vector_register(0);
  const unsigned vlenb = config.vlenb();
  for (int pair = 0; pair < kPairs; pair += static_cast<int>(vl)) {
    for (unsigned i = 0; i < vlenb; ++i)
      v[i] = static_cast<uint8_t>(0xb6 >> (i % 3) | 0x24 << i % 3);
    for (unsigned i = 0; i < vl; ++i) {
      const auto p = static_cast<unsigned>(pair) + i;
      v[16 * vlenb + i] = static_cast<uint8_t>(p >> 8);
      v[24 * vlenb + i] = static_cast<uint8_t>(p);
      v[8 * vlenb + i] = 0x5a;
    }
    const std::vector<uint8_t> mask(v, v + vlenb);
    m.core.hart().x[12] = static_cast<uint64_t>(mode) << 1;
    Assembler copy = a;
    ASSERT_EQ(m.run(copy).cause, Cause::kCall);
    bool any = false;
    for (unsigned i = 0; i < vl; ++i) {
      const auto p = static_cast<unsigned>(pair) + i;
      const auto x = static_cast<uint8_t>(p >> 8), y = static_cast<uint8_t>(p);
      const bool active = !masked || (mask[i / 8] >> (i % 8) & 1) != 0;
      bool saturates = false;
      const int expected =
          c.is_signed ? c.meaning(static_cast<int8_t>(x), static_cast<int8_t>(y), mode, saturates)
                      : c.meaning(x, y, mode, saturates);
      any = any || (saturates && active);
      ASSERT_EQ(v[8 * vlenb + i], active ? static_cast<uint8_t>(expected) : 0x5a)
          << c.name << " mode " << mode << " of " << int{x} << " and " << int{y};
    }
    ASSERT_EQ(m.x(14), any ? 1u : 0u) << c.name << " mode " << mode << " from pair " << pair;
  }
}

TEST(DspFixed, every_pair_of_bytes_in_every_mode_is_what_the_specification_says) {
  for (const Case& c : cases())
    for (int mode = 0; mode < 4; ++mode) check(c, mode, mode == 1, mode == 3);
}

// 16 bits by every shift, clipped to 8.
TEST(DspFixed, every_clip_of_16_bits_is_what_the_specification_says) {
  for (const bool is_signed : {false, true}) {
    Machine m;
    Assembler a(Machine::kCode);
    a("csrrw", {0, 0x00f, 12});
    a("vsetvli", {13, 0, vtype(8, 1)});
    a(is_signed ? "vnclip.wx" : "vnclipu.wx", {8, 16, 15, 1});
    a("csrrs", {14, 0x009, 0});
    uint8_t* v = m.core.vector_register(0);
    const unsigned vlenb = 64, vl = 128;
    for (unsigned first = 0; first < 65536; first += vl * 5) {  // a fifth of them
      for (unsigned mode = 0; mode < 4; ++mode) {
        const unsigned shift = (first / 640 + mode * 5) % 16;
        for (unsigned i = 0; i < vl; ++i) {
          const auto value = static_cast<uint16_t>(first + i);
          std::memcpy(&v[16 * vlenb + 2 * i], &value, 2);
        }
        m.core.hart().x[12] = mode << 1;
        m.core.hart().x[15] = shift;
        Assembler copy = a;
        ASSERT_EQ(m.run(copy).cause, Cause::kCall);
        bool any = false;
        for (unsigned i = 0; i < vl; ++i) {
          const auto value = static_cast<uint16_t>(first + i);
          const int r = rounded(is_signed ? static_cast<int16_t>(value) : value,
                                static_cast<int>(shift), static_cast<int>(mode));
          bool saturates = false;
          const int expected =
              is_signed ? clip(r, -128, 127, saturates) : clip(r, 0, 255, saturates);
          any = any || saturates;
          ASSERT_EQ(v[8 * vlenb + i], static_cast<uint8_t>(expected)) << value << " >> " << shift;
        }
        ASSERT_EQ(m.x(14), any ? 1u : 0u);
      }
    }
  }
}

}  // namespace
}  // namespace presil::dsp
