// The LSTM kernel on numbers whose way through it can be followed by hand.
#include <algorithm>

#include "tests/driver/kernel_task.h"

namespace presil::kernels {
namespace {

using Bytes = std::vector<int8_t>;
using Shorts = std::vector<int16_t>;
using Words = std::vector<int32_t>;

struct OneUnit {
  Bytes x, w{0}, y, h{0}, h_last{99};
  Shorts c{0}, c_last{99};
  Words bias[4]{{0}, {0}, {0}, {0}};
  Words table{Words(256, 32768)};  // sigmoid 1/2, tanh 0 everywhere between its ends
  presil_lstm_attributes a{};

  explicit OneUnit(Bytes values) : x(std::move(values)), y(x.size()) {
    for (int i = 0; i < 4; ++i) a.input_multiplier[i] = a.recurrent_multiplier[i] = kHalf;
    for (int i = 0; i < 4; ++i) a.input_shift[i] = a.recurrent_shift[i] = 1;
    a.forget_multiplier = kHalf, a.forget_shift = -14;  // 2^-15
    a.update_multiplier = kHalf, a.update_shift = -17;  // 2^-30 / 2^-12
    a.hidden_multiplier = kHalf, a.hidden_shift = -22;  // 2^-30 / 2^-7
    a.cell_power = -12;
  }
  testing::AssertionResult run_it() {
    const auto steps = static_cast<uint32_t>(x.size());
    return run(PRESIL_KERNEL_LSTM,
               {tensor(x, {1, steps, 1}), tensor(w, {1, 1}), tensor(w, {1, 1}), tensor(w, {1, 1}),
                tensor(w, {1, 1}), tensor(w, {1, 1}), tensor(w, {1, 1}), tensor(w, {1, 1}),
                tensor(w, {1, 1}), tensor(bias[0]), tensor(bias[1]), tensor(bias[2]),
                tensor(bias[3]), tensor(table), tensor(h, {1, 1}), tensor(c, {1, 1}),
                tensor(y, {1, steps, 1}), tensor(h_last, {1, 1}), tensor(c_last, {1, 1})},
               a);
  }
};

// Gates at their middle: f = 1/2, g = 0, so the state halves with every step.
TEST(KernelLstm, a_forget_gate_of_a_half_halves_the_state) {
  OneUnit unit({0, 0, 0});
  unit.c = {8000};
  ASSERT_TRUE(unit.run_it());
  EXPECT_EQ(unit.c_last, (Shorts{1000}));
  EXPECT_EQ(unit.y, (Bytes{0, 0, 0}));
}

// Biases far out: gates see 32767, that is index 191 of the table, which is 65533 from there on. So
// f, i and o are 32767, and so is g, of which the index is 383. c grows by 32767^2 / 2^18 = 4096 a
// step and loses 2^-15 of itself, first seen after 20480; tanh(c) is 0 up to index 190, from c =
// 16384 (192) on 32765, and shows as 128.
TEST(KernelLstm, open_gates_add_one_a_step_and_show_it) {
  OneUnit unit({0, 0, 0, 0, 0, 0});
  for (Words& bias : unit.bias) bias = {1 << 20};
  std::fill(unit.table.begin() + 191, unit.table.end(), 65533);
  unit.a.hidden_zero = 1;
  ASSERT_TRUE(unit.run_it());
  EXPECT_EQ(unit.c_last, (Shorts{24575}));
  EXPECT_EQ(unit.y, (Bytes{1, 1, 1, 127, 127, 127}));
  EXPECT_EQ(unit.h_last, (Bytes{127}));
  unit.a.cell_clip = 5000;
  ASSERT_TRUE(unit.run_it());
  EXPECT_EQ(unit.c_last, (Shorts{5000}));
}

TEST(KernelLstm, a_damaged_table_leads_to_numbers) {
  OneUnit unit({127, -128, 5});
  for (size_t i = 0; i < unit.table.size(); ++i) unit.table[i] = i % 2 == 0 ? INT32_MAX : INT32_MIN;
  unit.w = {127}, unit.c = {INT16_MIN};
  EXPECT_TRUE(unit.run_it());
}

TEST(KernelLstm, what_it_does_not_know_is_refused) {
  OneUnit unit({0});
  unit.a.cell_power = -16;
  EXPECT_FALSE(unit.run_it());
  unit.a.cell_power = -12;
  unit.table.pop_back();
  EXPECT_FALSE(unit.run_it());
}

}  // namespace
}  // namespace presil::kernels
