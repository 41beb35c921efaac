// Forty operators become one of the same values, of all distances and of long rows; where a
// constant or an entry of a table differs, they stay.
#include <gmock/gmock.h>

#include <cmath>

#include "compiler_bridge/reference/fixed_functions.h"
#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::SizeIs;

/// exp(-slope * d) of the distances 0..255 in 31 bits, by the interpreter's own functions.
std::vector<int64_t> exponentials(double slope) {
  const reference::Scale scale = reference::to_scale(std::min(slope * 0x1p26, 2147483647.0));
  const auto lowest = static_cast<int32_t>((int64_t{31} << 26) >> scale.shift);
  std::vector<int64_t> e(256);
  for (int32_t d = 0; d < 256; ++d) {
    const auto at = static_cast<size_t>(d);
    e[at] = d > lowest ? 0 : reference::exp_of_negative(reference::multiply(-d, scale), 5);
  }
  return e;
}

/// Entries 1..256 of a table of 513 are of the distances 255..0: byte `byte` of each exponential.
std::string table(const std::vector<int64_t>& e, int byte) {
  std::string text = "0";
  for (size_t i = 1; i < 513; ++i) {
    text += ", " + std::to_string(i > 256 ? 0 : e[256 - i] >> (8 * byte) & 255);
  }
  return text;
}

/// As converters write it, of `rows` rows of `depth` values.
std::string written(int rows, int depth, const std::vector<int64_t>& e) {
  const std::string n = std::to_string(rows), whole = "[" + n + "," + std::to_string(depth) + "]";
  const std::string row = "[" + n + ",1]";
  std::string text = R"(graph "g" tosa {
  input %x : int8WHOLE q(1, 14)
  const %one : int32[1] = [1073741824]
  const %thirty : int8[1] = [30]
  const %twenty_three : int8[1] = [23]
  const %t3 : int16[513] = [T3]
  const %t2 : int16[513] = [T2]
  const %t1 : int16[513] = [T1]
  const %t0 : int16[513] = [T0]
  const %c17 : int32[1,1] = [17]
  const %c9 : int32[1,1] = [9]
  const %c1 : int32[1,1] = [1]
  const %c7 : int32[1,1] = [7]
  const %c12 : int32[1,1] = [12]
  const %c35 : int32[1,1] = [35]
  const %c4 : int32[1,1] = [4]
  const %half : int32[1,1] = [536870912]
  const %first : int32[1,1] = [1515870810]
  const %steep : int32[1,1] = [-1010580540]
  %u = rescale(%x, %one, %thirty) {in_zero=14} from [0] : int32WHOLE
  %most = reduce_max(%u) {axes=[1], keep_dims=true} from [1] : int32ROW
  %less = sub(%u, %most) from [2] : int32WHOLE
  %d = rescale(%less, %one, %twenty_three) from [3] : int16WHOLE
  %l3 = table_between(%d, %t3) from [4] : int32WHOLE
  %l2 = table_between(%d, %t2) from [5] : int32WHOLE
  %l1 = table_between(%d, %t1) from [6] : int32WHOLE
  %l0 = table_between(%d, %t0) from [7] : int32WHOLE
  %e3 = shift_left(%l3, %c17) from [8] : int32WHOLE
  %e2 = shift_left(%l2, %c9) from [9] : int32WHOLE
  %e1 = shift_left(%l1, %c1) from [10] : int32WHOLE
  %e0 = shift_right(%l0, %c7) {round=true} from [11] : int32WHOLE
  %e32 = add(%e3, %e2) from [12] : int32WHOLE
  %e321 = add(%e32, %e1) from [13] : int32WHOLE
  %e = add(%e321, %e0) from [14] : int32WHOLE
  %coarse = shift_right(%e, %c12) {round=true} from [15] : int32WHOLE
  %s = sum(%coarse) {axes=[1], keep_dims=true} from [16] : int32ROW
  %h = leading_zeros(%s) from [17] : int32ROW
  %by = sub(%h, %c1) from [18] : int32ROW
  %n = shift_left(%s, %by) from [19] : int32ROW
  %p = mul_shift(%n, %steep) {shift=31} from [20] : int32ROW
  %r0 = add(%p, %first) from [21] : int32ROW
STEPS  %share = mul_shift(%e, %r3) {shift=30} from [50] : int32WHOLE
  %last = sub(%c35, %h) from [51] : int32ROW
  %z = shift_right(%share, %last) {round=true} from [52] : int32WHOLE
  %y = rescale(%z, %one, %thirty) {out_zero=-128} from [53] : int8WHOLE q(1, -128)
  output %y
})";
  std::string steps;
  for (int i = 0; i < 3; ++i) {
    std::string step = R"(  %vK = mul_shift(%rK, %n) {shift=31} : int32ROW
  %wK = sub(%half, %vK) : int32ROW
  %fK = mul_shift(%rK, %wK) {shift=31} : int32ROW
  %qK = mul(%fK, %c4) : int32ROW
  %rN = add(%rK, %qK) : int32ROW
)";
    while (step.find("K") != std::string::npos) step = replaced(step, "K", std::to_string(i));
    steps += replaced(step, "rN", "r" + std::to_string(i + 1));
  }
  text = replaced(text, "STEPS", steps);
  for (int byte = 0; byte < 4; ++byte) {
    text = replaced(text, "[T" + std::to_string(byte) + "]", "[" + table(e, byte) + "]");
  }
  while (text.find("WHOLE") != std::string::npos) text = replaced(text, "WHOLE", whole);
  while (text.find("ROW") != std::string::npos) text = replaced(text, "ROW", row);
  return text;
}

ir::Graph fused(const ir::Graph& before, int rewrites = 1) {
  ir::Graph after = before;
  EXPECT_EQ(fuse_softmax(after), rewrites);
  EXPECT_NO_THROW(ir::verify(after));
  if (rewrites == 0) {
    EXPECT_EQ(ir::print(after), ir::print(before));
  }
  EXPECT_EQ(fuse_softmax(after), 0) << "the second run still finds work";
  return after;
}

void expect_equal(const ir::Graph& a, const ir::Graph& b, const std::vector<int8_t>& x) {
  const ir::Tensor& tensor = a.tensor(a.inputs.at(0));
  ASSERT_EQ(static_cast<int64_t>(x.size()), tensor.elements());
  const reference::TensorValue value{tensor.dtype, tensor.shape, ir::Bytes(x.begin(), x.end())};
  EXPECT_EQ(reference::run(a, {value}).at(0).data, reference::run(b, {value}).at(0).data);
}

TEST(FuseSoftmax, all_operators_become_one) {
  const ir::Graph before = ir::parse(written(3, 7, exponentials(0.0625)));
  const ir::Graph after = fused(before);
  EXPECT_THAT(op_lines(after), ElementsAre("y = softmax(x)"));
  EXPECT_EQ(after.ops[0].as<ir::Softmax>().beta, 0.0625f);
  EXPECT_THAT(after.ops[0].source_ops, testing::AllOf(Contains(0), Contains(53), SizeIs(26)));
  expect_same_values(before, after);
}

// Two values to a row have all distances, and with them all shares of two.
TEST(FuseSoftmax, every_pair_of_values_has_the_same_shares) {
  std::vector<int8_t> x;
  for (int a = -128; a < 128; ++a) {
    for (int b = -128; b < 128; ++b) {
      x.insert(x.end(), {static_cast<int8_t>(a), static_cast<int8_t>(b)});
    }
  }
  for (const float slope : {0.00390625f, 0.0391f, 0.17352f, 0.6931472f, 3.7f, 40.0f}) {
    SCOPED_TRACE(slope);
    const ir::Graph before = ir::parse(written(65536, 2, exponentials(slope)));
    expect_equal(before, fused(before), x);
  }
}

TEST(FuseSoftmax, long_rows_of_any_kind_have_the_same_shares) {
  std::mt19937 random(11);
  for (const int depth : {1, 512, 513, 1001, 4095}) {
    SCOPED_TRACE(depth);
    const int rows = 40;
    std::vector<int8_t> x;
    for (int row = 0; row < rows; ++row) {
      const int spread = row == 0 ? 1 : row == 1 ? 256 : 1 << random() % 9;  // 1: all the largest
      for (int i = 0; i < depth; ++i) {
        x.push_back(static_cast<int8_t>(127 - static_cast<int>(random() % unsigned(spread))));
      }
    }
    for (const float slope : {0.001f, 0.0471f, 1.25f}) {
      const ir::Graph before = ir::parse(written(rows, depth, exponentials(slope)));
      expect_equal(before, fused(before), x);
    }
  }
}

// The three steps of n against the reciprocal of the softmax: it is 2 * r, within 31 bits.
TEST(FuseSoftmax, the_reciprocal_of_both_is_the_same) {
  const auto product = [](int64_t a, int64_t b) { return (a * b + (1 << 30)) >> 31; };
  const auto expect_same = [&](int64_t n) {
    int64_t r = 1515870810 + product(n, -1010580540);
    for (int step = 0; step < 3; ++step) {
      const int64_t change = 4 * product(r, (1 << 29) - product(n, r));
      ASSERT_LT(std::abs(change), 1 << 26);
      r += change;
    }
    const auto a = static_cast<int32_t>(2 * n - (int64_t{1} << 31));
    ASSERT_LE(r, 1 << 30);
    ASSERT_EQ(r == 1 << 30, n <= (1 << 30) + 1);
    ASSERT_EQ(reference::one_over_one_plus(a), std::min<int64_t>(2 * r, 2147483647));
  };
  for (int64_t n = 1 << 30; n < int64_t{1} << 31; n += n < (1 << 30) + 5000 ? 1 : 509) {
    expect_same(n);
  }
  expect_same((int64_t{1} << 31) - 1);
}

TEST(FuseSoftmax, any_slope_of_float32_is_found_by_its_table) {
  std::mt19937 random(12);
  std::uniform_real_distribution<float> bits(-14.0f, 5.0f);
  for (int i = 0; i < 200; ++i) {
    const float slope = std::exp2(bits(random));
    SCOPED_TRACE(slope);
    const std::vector<int64_t> e = exponentials(static_cast<double>(slope));
    const ir::Graph after = fused(ir::parse(written(1, 3, e)));
    ASSERT_EQ(after.ops.size(), 1u);
    EXPECT_EQ(exponentials(static_cast<double>(after.ops[0].as<ir::Softmax>().beta)), e);
  }
}

TEST(FuseSoftmax, the_order_of_operands_does_not_matter) {
  std::string text = written(2, 5, exponentials(0.1f));
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"(%e32, %e1)", "(%e1, %e32)"},
                                                        {"(%e321, %e0)", "(%e0, %e321)"},
                                                        {"(%n, %steep)", "(%steep, %n)"},
                                                        {"(%p, %first)", "(%first, %p)"},
                                                        {"(%r0, %n)", "(%n, %r0)"},
                                                        {"(%r1, %w1)", "(%w1, %r1)"},
                                                        {"(%f2, %c4)", "(%c4, %f2)"},
                                                        {"(%r1, %q1)", "(%q1, %r1)"},
                                                        {"(%e, %r3)", "(%r3, %e)"}}) {
    text = replaced(text, from, to);
  }
  const ir::Graph before = ir::parse(text);
  expect_same_values(before, fused(before));
}

TEST(FuseSoftmax, another_constant_keeps_all) {
  const std::string text = written(2, 5, exponentials(0.1f));
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"c17 : int32[1,1] = [17]", "c17 : int32[1,1] = [16]"},
           {"c7 : int32[1,1] = [7]", "c7 : int32[1,1] = [6]"},
           {"c12 : int32[1,1] = [12]", "c12 : int32[1,1] = [11]"},
           {"[35]", "[34]"},
           {"[4]", "[3]"},
           {"[536870912]", "[536870911]"},
           {"[1515870810]", "[1515870811]"},
           {"[-1010580540]", "[-1010580539]"},
           {"twenty_three : int8[1] = [23]", "twenty_three : int8[1] = [24]"},
           {"one : int32[1] = [1073741824]", "one : int32[1] = [1073741823]"},
           {"{shift=30}", "{shift=29}"},
           {"(%r1, %n) {shift=31}", "(%r1, %n) {shift=30}"},
           {"(%r1, %n)", "(%r0, %n)"},
           {"(%coarse) {axes=[1]", "(%less) {axes=[1]"},
           {"out_zero=-128", "out_zero=-127"},
           {"(%z, %one, %thirty) {", "(%z, %one, %thirty) {in_zero=1, "},
           {"(%share, %last) {round=true}", "(%share, %last)"},
           {"(%e, %c12) {round=true}", "(%e, %c12)"},
           {"sub(%u, %most)", "sub(%most, %u)"},
           {"reduce_max", "reduce_min"},
           {"output %y", "output %y\n  output %e"},
           {"output %y", "output %y\n  %again = add(%s, %s) : int32[2,1]\n  output %again"}}) {
    SCOPED_TRACE(to);
    const ir::Graph before = ir::parse(replaced(text, from, to));
    ASSERT_NO_THROW(ir::verify(before));
    fused(before, 0);
  }
}

TEST(FuseSoftmax, another_entry_of_a_table_keeps_all) {
  const std::vector<int64_t> e = exponentials(0.1f);
  for (const size_t d : {size_t{0}, size_t{1}, size_t{100}, size_t{255}}) {
    for (const int64_t change : {1, 256, 65536, 1 << 24}) {
      std::vector<int64_t> other = e;
      other[d] ^= change;
      fused(ir::parse(written(1, 3, other)), 0);
    }
  }
}

TEST(FuseSoftmax, rows_whose_sum_may_overflow_stay) {
  const std::vector<int64_t> e = exponentials(0.1f);
  fused(ir::parse(written(1, 4095, e)), 1);
  fused(ir::parse(written(1, 4096, e)), 0);
}

TEST(FuseSoftmax, under_other_numerics_it_stays) {
  ir::Graph before = ir::parse(written(1, 3, exponentials(0.1f)));
  before.numerics = ir::Numerics::kXnnpack;
  fused(before, 0);
}

}  // namespace
}  // namespace presil::passes
