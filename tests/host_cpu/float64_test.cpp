// float64 from integers against the processor's, bit for bit; NaN as any NaN.
#include "driver/port/baremetal/float64.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

extern "C" {  // of rv64/float64_names.c; rv64_ stands for the first two underscores
uint64_t rv64_adddf3(uint64_t a, uint64_t b);
uint64_t rv64_subdf3(uint64_t a, uint64_t b);
uint64_t rv64_muldf3(uint64_t a, uint64_t b);
uint64_t rv64_divdf3(uint64_t a, uint64_t b);
int rv64_eqdf2(uint64_t a, uint64_t b);
int rv64_nedf2(uint64_t a, uint64_t b);
int rv64_ltdf2(uint64_t a, uint64_t b);
int rv64_ledf2(uint64_t a, uint64_t b);
int rv64_gtdf2(uint64_t a, uint64_t b);
int rv64_gedf2(uint64_t a, uint64_t b);
int rv64_unorddf2(uint64_t a, uint64_t b);
uint64_t rv64_extendsfdf2(float x);
float rv64_truncdfsf2(uint64_t x);
uint64_t rv64_floatsidf(int32_t n);
uint64_t rv64_floatunsidf(uint32_t n);
uint64_t rv64_floatdidf(int64_t n);
uint64_t rv64_floatundidf(uint64_t n);
int32_t rv64_fixdfsi(uint64_t x);
int64_t rv64_fixdfdi(uint64_t x);
}

namespace presil::host_cpu {
namespace {

template <class To, class From>
To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}
uint64_t bits(double x) {
  return std::isnan(x) ? 0x7ff8000000000000 : bits_as<uint64_t>(x);
}
uint32_t bits32(float x) {
  return std::isnan(x) ? 0x7fc00000 : bits_as<uint32_t>(x);
}

// Ends of every range, and numbers between them whose exponents are near each other or anywhere.
std::vector<double> numbers() {
  using Limits = std::numeric_limits<double>;
  std::vector<double> all = {0.0,
                             1.0,
                             1.5,
                             3.0,
                             0.1,
                             1 + Limits::epsilon(),
                             Limits::max(),
                             Limits::min(),
                             Limits::denorm_min(),
                             Limits::infinity(),
                             Limits::quiet_NaN(),
                             2147483647.0,
                             2147483648.0,
                             0x1p63,
                             0x1p-126,
                             0x1p-149,
                             0x1p-150,
                             0x1.fffffefp127,
                             0x1p-1022 - 0x1p-1074};
  std::mt19937_64 random(7);
  for (int i = 0; i < 400; ++i) all.push_back(bits_as<double>(random()));
  for (int i = 0; i < 400; ++i)
    all.push_back(
        std::ldexp(static_cast<double>(random() | 1), static_cast<int>(random() % 80) - 90));
  const size_t count = all.size();
  for (size_t i = 0; i < count; ++i) all.push_back(-all[i]);
  return all;
}

TEST(Float64, sums_products_quotients_and_order_are_the_processors) {
  const std::vector<double> all = numbers();
  for (const double a : all) {
    for (const double b : all) {
      const uint64_t x = bits(a), y = bits(b);
      ASSERT_EQ(__aeabi_dadd(x, y), bits(a + b)) << a << " + " << b;
      ASSERT_EQ(__aeabi_dsub(x, y), bits(a - b)) << a << " - " << b;
      ASSERT_EQ(__aeabi_dmul(x, y), bits(a * b)) << a << " * " << b;
      ASSERT_EQ(__aeabi_ddiv(x, y), bits(a / b)) << a << " / " << b;
      ASSERT_EQ(__aeabi_dcmpeq(x, y), a == b);
      ASSERT_EQ(__aeabi_dcmplt(x, y), a < b);
      ASSERT_EQ(__aeabi_dcmple(x, y), a <= b);
      ASSERT_EQ(__aeabi_dcmpgt(x, y), a > b);
      ASSERT_EQ(__aeabi_dcmpge(x, y), a >= b);
      ASSERT_EQ(__aeabi_dcmpun(x, y), std::isnan(a) || std::isnan(b));
    }
  }
}

TEST(Float64, conversions_are_the_processors) {
  for (const double a : numbers()) {
    ASSERT_EQ(__aeabi_d2f(bits(a)), bits32(static_cast<float>(a))) << a;
    if (std::abs(a) < 0x1p31) {
      ASSERT_EQ(__aeabi_d2iz(bits(a)), static_cast<int32_t>(a)) << a;
    }
    if (std::abs(a) < 0x1p63) {
      ASSERT_EQ(__aeabi_d2lz(bits(a)), static_cast<int64_t>(a)) << a;
    }
  }
  std::mt19937_64 random(8);
  for (int i = 0; i < 100000; ++i) {
    const uint64_t n = random() >> random() % 64;
    const auto s = static_cast<int64_t>(random()) >> random() % 64;
    const auto half = static_cast<uint32_t>(n);
    const auto x = bits_as<float>(static_cast<uint32_t>(random()));
    ASSERT_EQ(__aeabi_ul2d(n), bits(static_cast<double>(n))) << n;
    ASSERT_EQ(__aeabi_l2d(s), bits(static_cast<double>(s))) << s;
    ASSERT_EQ(__aeabi_ul2f(n), bits32(static_cast<float>(n))) << n;
    ASSERT_EQ(__aeabi_l2f(s), bits32(static_cast<float>(s))) << s;
    ASSERT_EQ(__aeabi_ui2d(half), bits(static_cast<double>(half)));
    ASSERT_EQ(__aeabi_i2d(static_cast<int32_t>(half)),
              bits(static_cast<double>(static_cast<int32_t>(half))));
    ASSERT_EQ(__aeabi_f2d(bits32(x)), bits(static_cast<double>(x)));
    if (std::abs(x) < 0x1p63f) {
      ASSERT_EQ(__aeabi_f2lz(bits32(x)), static_cast<int64_t>(x)) << x;
    }
  }
}

// The same by the names that compilers for RISC-V call; a comparison answers an order with 0.
TEST(Float64, names_of_riscv_mean_what_compilers_expect) {
  std::vector<double> all = numbers();
  std::mt19937_64 random(9);
  for (int i = 0; i < 200000; ++i) {
    const double a = all[random() % all.size()], b = i % 8 == 0 ? a : all[random() % all.size()];
    const uint64_t x = bits(a), y = bits(b);
    ASSERT_EQ(rv64_adddf3(x, y), bits(a + b)) << a << " " << b;
    ASSERT_EQ(rv64_subdf3(x, y), bits(a - b)) << a << " " << b;
    ASSERT_EQ(rv64_muldf3(x, y), bits(a * b)) << a << " " << b;
    ASSERT_EQ(rv64_divdf3(x, y), bits(a / b)) << a << " " << b;
    ASSERT_EQ(rv64_eqdf2(x, y) == 0, a == b) << a << " " << b;
    ASSERT_EQ(rv64_nedf2(x, y) != 0, a != b) << a << " " << b;
    ASSERT_EQ(rv64_ltdf2(x, y) < 0, a < b) << a << " " << b;
    ASSERT_EQ(rv64_ledf2(x, y) <= 0, a <= b) << a << " " << b;
    ASSERT_EQ(rv64_gtdf2(x, y) > 0, a > b) << a << " " << b;
    ASSERT_EQ(rv64_gedf2(x, y) >= 0, a >= b) << a << " " << b;
    ASSERT_EQ(rv64_unorddf2(x, y) != 0, std::isunordered(a, b)) << a << " " << b;
    ASSERT_EQ(bits32(rv64_truncdfsf2(x)), bits32(static_cast<float>(a))) << a;
    const auto f = static_cast<float>(a);
    ASSERT_EQ(rv64_extendsfdf2(f), bits(static_cast<double>(f))) << f;
    if (std::abs(a) < 0x1p31) {
      ASSERT_EQ(rv64_fixdfsi(x), static_cast<int32_t>(a)) << a;
    }
    if (std::abs(a) < 0x1p63) {
      ASSERT_EQ(rv64_fixdfdi(x), static_cast<int64_t>(a)) << a;
    }
    const uint64_t n = random() >> random() % 64;
    const auto s = static_cast<int64_t>(random()) >> random() % 64;
    ASSERT_EQ(rv64_floatundidf(n), bits(static_cast<double>(n))) << n;
    ASSERT_EQ(rv64_floatdidf(s), bits(static_cast<double>(s))) << s;
    const auto half = static_cast<uint32_t>(n);
    ASSERT_EQ(rv64_floatunsidf(half), bits(static_cast<double>(half))) << half;
    ASSERT_EQ(rv64_floatsidf(static_cast<int32_t>(half)),
              bits(static_cast<double>(static_cast<int32_t>(half))))
        << half;
  }
}

// Not by the processor, whose answer is undefined: the nearest number, and 0 of NaN (Run-time ABI).
TEST(Float64, integers_that_do_not_fit_are_the_nearest) {
  EXPECT_EQ(__aeabi_d2iz(bits(1e10)), INT32_MAX);
  EXPECT_EQ(__aeabi_d2iz(bits(-1e10)), INT32_MIN);
  EXPECT_EQ(__aeabi_d2lz(bits(1e30)), INT64_MAX);
  EXPECT_EQ(__aeabi_d2lz(bits(-std::numeric_limits<double>::infinity())), INT64_MIN);
  EXPECT_EQ(__aeabi_d2lz(bits(std::numeric_limits<double>::quiet_NaN())), 0);
}

}  // namespace
}  // namespace presil::host_cpu
