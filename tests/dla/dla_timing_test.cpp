// Cycles of commands, each sum added up by hand above its expectation.
#include "models/dla/dla_timing.h"

#include <gtest/gtest.h>

#include "models/dla/dla_check.h"
#include "tests/dla/dla_oracle.h"
#include "tests/dla/dla_timing_commands.h"

namespace presil::dla {
namespace {

using test::channelwise;
using test::cold;
using test::conv;
using test::kSramBytes;
using test::planned;
using test::with_add;

TEST(DlaTiming, a_cold_command_starts_after_29_cycles_and_ends_9_after_its_last_step) {
  // loader 3 + parameters 9 + set 16 + swap 1 = 29; 128 steps, the last at 156; + 9 = 165
  EXPECT_EQ(cold(conv(8, 16, 1, 1)), 165);
}

TEST(DlaTiming, passes_of_128_pixels_hide_the_loading_of_weights) {
  // 29 + 9 * 128 - 1 + 9 = 1189
  EXPECT_EQ(cold(conv(8, 16, 1, 1, 3)), 1189);
}

TEST(DlaTiming, conv_pass_is_weight_bound_below_17_pixels) {
  // Four passes of 17 pixels: 29 + 4 * 17 - 1 + 9 = 105; of 16: three waits of 17, then 16: 104
  EXPECT_EQ(cold(conv(1, 17, 4, 1)), 105);
  EXPECT_EQ(cold(conv(1, 16, 4, 1)), 104);
}

TEST(DlaTiming, fully_connected_takes_17_cycles_per_set_and_25_where_a_group_begins) {
  // First steps at 29, 46; new group 46 + 25 = 71, then 88; 88 + 9 = 97
  EXPECT_EQ(cold(conv(1, 1, 2, 2)), 97);
}

TEST(DlaTiming, a_table_delays_the_first_step_by_16) {
  Command c = conv(8, 16, 1, 1, 3);
  c.lut_en = true;
  c.lut_base = 0xb0000;
  EXPECT_EQ(cold(c), 1189 + 16);
}

TEST(DlaTiming, weights_are_loaded_again_for_each_block_of_rows) {
  // 16 rows of 16: two blocks, 2 * 9 passes of 128
  EXPECT_EQ(cold(conv(16, 16, 1, 1, 3)), 29 + 2 * 9 * 128 - 1 + 9);
}

TEST(DlaTiming, fused_add_takes_two_cycles_a_pixel_in_the_last_pass_less_what_the_fifo_holds) {
  Command c = conv(8, 16, 1, 1, 3);
  with_add(c);
  // Last pass starts at 29 + 8 * 128 = 1053; its steps take 128 * 2 - 4 = 252, the last at 1304.
  // Post-processing takes 256 cycles from 1053: the last half pixel enters at 1308, 9 later it is
  // out.
  EXPECT_EQ(cold(c), 1317);
  Pipeline pipeline;
  const Schedule s = schedule(planned(c), {}, pipeline);
  EXPECT_EQ(s.last_operand, 1304);
  EXPECT_EQ(s.cycles[Cause::kRun], 9 * 128);
  EXPECT_EQ(s.cycles[Cause::kPost], 252 - 128 + 4);  // in the last pass, and before its last pixel
  EXPECT_EQ(s.cycles[Cause::kStart], 29 + 8);
}

TEST(DlaTiming, blocks_of_one_pass_gain_the_post_fifo_only_once) {
  Command c = channelwise(Op::kPass, 32, 16, 1);
  with_add(c);
  // No weights: first step at 5. 512 pixels at 2 cycles: the last half enters post at 5 + 1023,
  // + 9.
  EXPECT_EQ(cold(c), 5 + 1023 + 9);
}

TEST(DlaTiming, partial_sums_in_and_out_take_4_cycles_a_pixel) {
  Command c = conv(8, 16, 1, 1, 3);
  c.rule = Rule::kNone;
  c.out_type = OutType::kInt32;
  c.act_min = c.act_max = 0;
  c.out_x_step = 64;
  c.out_row_pitch = 64 * 16;
  // 29 + 8 * 128 = 1053; last pass 4 * 128: its last word enters post at 1053 + 511, + 9
  EXPECT_EQ(cold(c), 1573);
  c.acc_init = AccInit::kInt32;
  c.res_base = 0xa0000;
  c.res_x_step = 64;
  // The first pass takes 512 instead of 128, less what has been read before it starts.
  EXPECT_EQ(cold(c), 1573 + 384 - 13);
}

TEST(DlaTiming, depthwise_reads_a_column_a_step) {
  Command c = channelwise(Op::kDwconv, 8, 16, 3);
  c.pad_top = c.pad_left = 1;
  c.in_h = 8;
  c.in_w = 16;
  c.in_row_pitch = 17 * 16;  // odd: three rows in three banks
  // Per row 3 columns, then 15 of one: 18; 8 rows: 144. 29 + 144 - 1 + 9 = 181
  EXPECT_EQ(cold(c), 181);
  c.in_row_pitch = 16 * 16;  // three rows in one bank
  // 16 columns of a row lie inside. 6 rows of pixels see 3 rows, 2 see 2: 16 * (6 * 2 + 2 * 1) =
  // 224
  EXPECT_EQ(cold(c), 181 + 224);
  Pipeline pipeline;
  const Schedule s = schedule(planned(c), {}, pipeline);
  EXPECT_EQ(s.cycles[Cause::kRun], 144);
  EXPECT_EQ(s.cycles[Cause::kFeatureBank], 224);
}

TEST(DlaTiming, a_pool_pass_takes_at_least_4_cycles_before_the_next_one_adds_up) {
  Command c = channelwise(Op::kSumpool, 1, 1, 5);
  // Parameters only: first step at 3 + 9 + 1 = 13. Chunks of 4 + 1 columns in 4 + 1 rows: passes of
  // 4, 1, 4, 1 steps take 4 each, the last one its 1: 13 + 13 - 1 + 9
  EXPECT_EQ(cold(c), 34);
  Pipeline pipeline;
  const Schedule s = schedule(planned(c), {}, pipeline);
  EXPECT_EQ(s.steps, 10u);
}

TEST(DlaTiming, packed_rows_take_a_pass_per_16_bytes_of_a_kernel_row) {
  // RGB 3x3: 9 bytes a row, 1 chunk, 3 kernel rows: 3 passes of 128
  Command c = conv(8, 16, 1, 1, 3);
  c.packed = true;
  c.packed_ic = 3;
  c.in_x_step = 3;
  c.row_bytes = static_cast<uint16_t>(c.in_w * 3);
  c.in_row_pitch = 64;
  c.in_cb_pitch = 0;
  c.w_cb_pitch = 3 * 256;
  EXPECT_EQ(cold(c), 29 + 3 * 128 - 1 + 9);
  const Plan plan(c, {});
  // 8 rows x 3 taps, each 54 bytes = 4 words
  EXPECT_EQ(plan.traffic.features, 8u * 3 * 4 * 16);
}

TEST(DlaTiming, a_packed_window_reads_only_the_words_that_it_moves_into) {
  Command c = conv(8, 16, 1, 1, 1);
  c.kernel_w = 3;
  c.in_w = 18;
  c.packed = true;
  c.packed_ic = 3;
  c.in_x_step = 3;
  c.row_bytes = 54;
  c.in_base = 16;        // banks 1 to 4,
  c.in_row_pitch = 256;  // in each row
  c.in_cb_pitch = 0;
  DlaConfig config;
  config.feat_ports = 1;
  Plan plan = planned(c, config);
  plan.stepped = true;
  plan.command.out_base = 0x7fff00;  // bank 0
  plan.command.out_x_step = plan.command.out_row_pitch = plan.command.out_cb_pitch = 0;
  Pipeline pipeline;
  // 16 bytes at 3 x: a word at 0, then at most one more a step, through the one port
  EXPECT_EQ(schedule(plan, {}, pipeline).end, 29 + 8 * 16 - 1 + 9);
}

TEST(DlaTiming, a_32x32_array_needs_a_quarter_of_the_passes_and_two_banks_a_step) {
  DlaConfig big;
  big.macs_k = big.macs_c = 32;
  big.feat_ports = 8;
  big.weight_ports = 2;
  big.post_lanes = 32;
  big.ew_lanes = 16;
  Command c = conv(8, 16, 4, 4, 1);
  c.w_cb_pitch = 1024;
  c.in_cb_pitch = 8 * 256 + 16;
  // 2 groups x 2 passes of 128. Set 64 words / 2 = 32, parameters 18 / 2 = 9: 3 + 9 + 32 + 1 = 45
  EXPECT_EQ(cold(c, big), 45 + 4 * 128 - 1 + 9);
  c.in_cb_pitch = 8 * 256;  // both blocks in one bank: every step takes 2
  EXPECT_EQ(cold(c, big), 45 + 8 * 128 - 1 + 9);

  Command padded = conv(8, 16, 2, 2, 3);
  padded.in_h = 8, padded.in_w = 16;
  padded.pad_top = padded.pad_left = 1;
  padded.w_cb_pitch = 9 * 1024;
  const Cycle apart = cold(padded, big);
  padded.in_cb_pitch = 16 * 10 * 16;
  // of 9 taps x 128 pixels, (7 + 8 + 7) rows x (15 + 16 + 15) columns are inside and take 2
  EXPECT_EQ(cold(padded, big) - apart, 22 * 46);
}

TEST(DlaTiming, an_independent_next_command_costs_2_cycles) {
  const Plan plan = planned(conv(8, 16, 1, 1, 3));
  Pipeline pipeline;
  const Schedule one = schedule(plan, {}, pipeline);
  const Schedule two = schedule(plan, {}, pipeline);
  EXPECT_EQ(two.first_operand, one.last_operand + 1 + 2);
  EXPECT_EQ(two.end - one.end, 9 * 128 + 2);
  EXPECT_EQ(two.cycles[Cause::kStart], 2);
  EXPECT_EQ(two.cycles[Cause::kRun], 9 * 128);
}

TEST(DlaTiming, a_command_that_waits_for_the_one_before_costs_16_cycles) {
  const Plan plan = planned(conv(8, 16, 1, 1, 3));
  Pipeline pipeline;
  const Schedule one = schedule(plan, {}, pipeline);
  Arrival arrival;
  arrival.in = one.end + 2;  // cycles_complete_to_met
  arrival.in_by = Signaller::kDla;
  const Schedule two = schedule(plan, arrival, pipeline);
  // 9 to the last write + 2 to the counter + 5 to the first step
  EXPECT_EQ(two.first_operand, one.last_operand + 16);
  EXPECT_EQ(two.cycles[wait_for(Cause::kWaitIn, Signaller::kDla)], 10);  // last step + 1 .. met
  EXPECT_EQ(two.cycles[Cause::kStart], 5);
  EXPECT_EQ(two.cycles.total(), two.end - one.end);
}

TEST(DlaTiming, a_fence_waits_for_the_last_word_of_the_command_before) {
  Command c = conv(8, 16, 1, 1, 3);
  Pipeline pipeline;
  const Schedule one = schedule(planned(c), {}, pipeline);
  c.fence = true;
  const Schedule two = schedule(planned(c), {}, pipeline);
  EXPECT_EQ(two.first_operand, one.end + 1 + 29);
}

TEST(DlaTiming, late_weights_show_as_wait_then_fill) {
  Arrival arrival;
  arrival.offered = 100;
  arrival.weights = 400;
  Pipeline pipeline;
  const Schedule s = schedule(planned(conv(8, 16, 1, 1)), arrival, pipeline);
  EXPECT_EQ(s.first_operand, 400 + 29);
  EXPECT_EQ(s.cycles[wait_for(Cause::kWaitWeights, Signaller::kDma)], 300);
  EXPECT_EQ(s.cycles[Cause::kStart], 29 + 8);
  EXPECT_EQ(s.cycles.total(), s.end - 100);
}

TEST(DlaTiming, a_writer_that_waits_stops_the_array_after_25_pixels) {
  Arrival arrival;
  arrival.out = 1000;
  Pipeline pipeline;
  const Schedule s = schedule(planned(conv(8, 16, 1, 1)), arrival, pipeline);
  // 4 in the post FIFO, 4 in post-processing, 16 in the output FIFO, 1 before its bank. First word
  // at 1002, pixel 25 (of 0 ..) fires at 1004, pixel 127 at 1106; its word follows the 127 before
  // it at a word a cycle: 1002 + 127 = 1129
  EXPECT_EQ(s.last_operand, 1106);
  EXPECT_EQ(s.end, 1129);
  EXPECT_EQ(s.cycles[Cause::kRun], 128);
  // 1106 - 29 + 1 - 128 = 950 in the array, 1129 - 1106 - 9 = 14 after it
  EXPECT_EQ(s.cycles[wait_for(Cause::kWaitOut, Signaller::kDma)], 964);
}

TEST(DlaTiming, a_writer_that_waits_is_not_noticed_by_25_pixels) {
  Arrival arrival;
  arrival.out = 40;
  Pipeline pipeline;
  const Schedule s = schedule(planned(conv(1, 25, 2, 1)), arrival, pipeline);
  // 29 + 50 steps: the last at 78; all 25 words come after 42
  EXPECT_EQ(s.end, 87);
}

TEST(DlaTiming, a_nop_takes_2_cycles_once_its_waits_are_met) {
  Arrival arrival;
  arrival.offered = 10;
  arrival.in = 50;
  arrival.in_by = Signaller::kHost;
  Pipeline pipeline;
  const Schedule s = schedule(Plan(Command(), {}), arrival, pipeline);
  EXPECT_EQ(s.end, 52);
  EXPECT_EQ(s.cycles[wait_for(Cause::kWaitIn, Signaller::kHost)], 40);
  EXPECT_EQ(s.cycles[Cause::kStart], 2);
}

// ---- commands played step by step

TEST(DlaTiming, an_upsampled_pixel_takes_four_cycles_the_last_one_too) {
  Command c = conv(16, 16, 1, 2);
  c.upsample2 = true;
  Pipeline pipeline;
  // first step after 29, 2 groups x 256 pixels x 4 words, the last of them 9 after its cycle
  EXPECT_EQ(schedule(planned(c), {}, pipeline).end, 29 + 2 * 256 * 4 - 1 + 9);
}

TEST(DlaTiming, stepping_and_the_equations_agree_where_ports_do_not_meet) {
  std::vector<Command> commands = {channelwise(Op::kPass, 24, 20, 1),
                                   channelwise(Op::kDwconv, 24, 20, 3), conv(24, 20, 1, 3),
                                   conv(1, 20, 1, 2), conv(24, 2, 1, 2)};
  for (const Command& c : commands) {
    Plan plan = planned(c);
    Plan stepped = plan;
    plan.stepped = false;
    stepped.stepped = true;
    stepped.command.out_base = 0x7fff00;  // outputs on no bank that is read
    stepped.command.out_x_step = stepped.command.out_row_pitch = stepped.command.out_cb_pitch = 0;
    stepped.command.in_x_step = 0;
    stepped.command.in_row_pitch = 16;
    stepped.command.in_cb_pitch = 0;
    stepped.command.in_base = 16;                        // banks 1 ..
    if (c.in_h > 14) stepped.command.in_row_pitch = 32;  // odd banks only, the output in bank 0
    Pipeline one, two;
    const Schedule expected = schedule(plan, {}, one);
    const Schedule got = schedule(stepped, {}, two);
    EXPECT_EQ(got.end, expected.end) << c.to_text();
    EXPECT_EQ(got.steps, expected.steps) << c.to_text();
    EXPECT_EQ(one.loader_free, two.loader_free);
    for (size_t i = 0; i < static_cast<size_t>(Cause::kCount); ++i) {
      EXPECT_EQ(got.cycles[Cause(i)], expected.cycles[Cause(i)]) << name_of(Cause(i));
    }
  }
}

TEST(DlaTiming, ports_that_sweep_alike_meet_once_and_stay_apart) {
  // A word read in cycle t is written in t + 12, when the reads are 12 banks on: outputs 12 banks
  // on would meet. The first write comes one cycle later, and every one after it.
  Plan plan = planned(channelwise(Op::kPass, 1, 100, 1));
  plan.stepped = true;
  plan.command.out_base = 0x90000;
  Pipeline one, two;
  EXPECT_EQ(schedule(plan, {}, one).end, 5 + 99 + 9);
  plan.command.out_base = 0x90000 + 12 * 16;
  EXPECT_EQ(schedule(plan, {}, two).end, 5 + 99 + 9 + 1);
}

// Only ports that do not move alike, a word a step and a row, can meet again.
TEST(DlaTiming, commands_are_stepped_where_their_ports_may_meet) {
  EXPECT_FALSE(planned(conv(8, 32, 1, 1)).stepped);
  Command strided = conv(8, 32, 1, 1);
  strided.stride_x = 2;
  strided.in_w = 64;
  strided.in_row_pitch = 64 * 16;
  strided.in_cb_pitch = 8 * 64 * 16;
  EXPECT_TRUE(planned(strided).stepped);
  Command tall = channelwise(Op::kMaxpool, 8, 32, 3);  // 3 rows, one column: all are read anew
  tall.kernel_w = 1;
  tall.in_w = 32;
  tall.in_row_pitch = 32 * 16;
  tall.in_cb_pitch = 10 * 32 * 16;
  EXPECT_TRUE(planned(tall).stepped);
  EXPECT_FALSE(planned(channelwise(Op::kMaxpool, 8, 32, 3)).stepped);
}

TEST(DlaTiming, a_strided_pointwise_layer_loses_about_a_sixteenth_of_its_steps) {
  Command c = conv(16, 16, 1, 2);
  c.stride_x = c.stride_y = 2;
  c.in_h = c.in_w = 32;
  c.in_row_pitch = 32 * 16;
  c.in_cb_pitch = 32 * 32 * 16;
  const Plan plan = planned(c);
  EXPECT_TRUE(plan.stepped);
  Plan ideal = plan;
  ideal.stepped = false;
  Pipeline one, two;
  const Cycle got = schedule(plan, {}, one).end, least = schedule(ideal, {}, two).end;
  // S * (sx - 1) / 16 = 512 / 16 = 32
  EXPECT_GE(got, least);
  EXPECT_NEAR(static_cast<double>(got - least), 32.0, 16.0);
}

TEST(DlaTiming, a_stepped_writer_that_waits_takes_no_time_to_play) {
  Command c = channelwise(Op::kPass, 8, 8, 1);
  Arrival arrival;
  arrival.out = 1000000000;
  Pipeline pipeline;
  const Schedule s = schedule(planned(c), arrival, pipeline);
  // 64 words from 1000000002 on
  EXPECT_GE(s.end, 1000000002 + 63);
  EXPECT_LE(s.end, 1000000002 + 63 + 8);
  EXPECT_GT(s.cycles[wait_for(Cause::kWaitOut, Signaller::kDma)], 999999900);
}

// ---- short commands, played with every port

TEST(DlaTiming, a_short_command_is_played_and_a_long_one_is_not) {
  EXPECT_TRUE(Plan(conv(8, 16, 1, 1), {}).played);      // 128 steps
  EXPECT_FALSE(Plan(conv(8, 16, 1, 1, 3), {}).played);  // 9 x 128
  EXPECT_TRUE(Plan(conv(1, 1, 4, 4), {}).played);       // 16 sets of 16 cycles
  EXPECT_FALSE(Plan(conv(1, 1, 16, 4), {}).played);
}

TEST(DlaTiming, playing_and_the_equations_agree_where_ports_do_not_meet) {
  for (Command c : {conv(8, 16, 1, 1), conv(1, 17, 4, 1), conv(1, 1, 2, 2)}) {
    c.p_base = 0x80000 + 9 * 16;  // other banks than the features read at the same time
    const Plan played(c, {});
    EXPECT_TRUE(played.played);
    Pipeline one, two;
    const Cycle expected = schedule(planned(c), {}, one).end;
    EXPECT_EQ(schedule(played, {}, two).end, expected) << c.to_text();
    EXPECT_EQ(one.loader_free, two.loader_free) << c.to_text();
  }
}

TEST(DlaTiming, a_second_operand_of_one_word_stops_parameters_in_its_bank) {
  // A pixel of 16 words that all lie in the bank of the first parameter word: the second operand
  // has the bank first until its 16 places are full.
  Command c = channelwise(Op::kPass, 1, 16, 1);
  c.rule = Rule::kDouble;
  c.p_base = 0x80000;
  with_add(c);
  c.res_base = 0xa0000;
  c.res_x_step = 0;
  const Cycle equations = cold(c);
  Pipeline pipeline;
  // Its 16 words and the one feature word of that bank take the cycles 2 to 18: the first parameter
  // word comes at 19 instead of 2.
  EXPECT_EQ(schedule(Plan(c, {}), {}, pipeline).end, equations + 17);
}

TEST(DlaTiming, a_played_writer_that_waits_takes_no_time_to_play) {
  Command c = channelwise(Op::kPass, 8, 8, 1);
  Arrival arrival;
  arrival.out = 1000000000;
  Pipeline pipeline;
  const Schedule s = schedule(Plan(c, {}), arrival, pipeline);
  EXPECT_GE(s.end, 1000000002 + 63);
  EXPECT_LE(s.end, 1000000002 + 63 + 8);
  EXPECT_GT(s.cycles[wait_for(Cause::kWaitOut, Signaller::kDma)], 999999900);
}

// ---- everything adds up

TEST(DlaTiming, every_cycle_of_random_commands_has_exactly_one_cause) {
  std::mt19937 random(11);
  for (const unsigned macs : {16u, 32u}) {
    DlaConfig config;
    config.macs_k = config.macs_c = macs;
    config.feat_ports = macs / 4;
    config.post_lanes = macs;
    Pipeline pipeline;
    Cycle offered = 0, busy = 0;
    for (int i = 0; i < 3000; ++i) {
      Command c = test::random_command(random, config, 1 << 18);
      if (random() % 20 == 0) c = Command();
      c.fence = random() % 10 == 0;
      const Plan plan(c, config);
      const auto around = [&] {
        return random() % 3 ? Cycle{0} : offered - 200 + static_cast<Cycle>(random() % 3000);
      };
      offered =
          pipeline.taken(offered) + 1 + (random() % 4 ? 0 : static_cast<Cycle>(random() % 500));
      Arrival a;
      a.offered = offered;
      a.weights = around();
      a.in = around();
      a.out = around();
      const Pipeline before = pipeline;
      const Schedule s = schedule(plan, a, pipeline);
      ASSERT_EQ(s.cycles.total(), s.end - std::max(before.end, offered)) << i << c.to_text();
      for (size_t cause = 0; cause < static_cast<size_t>(Cause::kCount); ++cause) {
        ASSERT_GE(s.cycles[Cause(cause)], 0) << i << " " << name_of(Cause(cause));
      }
      ASSERT_LE(s.cycles[Cause::kRun], static_cast<Cycle>(s.steps)) << i;
      ASSERT_GT(s.end, before.end);
      ASSERT_GE(s.end, std::max({a.offered, a.weights, a.in, a.out}) + 2);
      busy += static_cast<Cycle>(s.steps) - s.cycles[Cause::kRun];
    }
    // Steps under the last results of a command with several cycles a pixel count for that command.
    EXPECT_LT(busy, 3000);
  }
}

TEST(DlaTiming, multiply_accumulates_count_real_outputs) {
  Command c = conv(8, 16, 2, 3, 3);
  c.out_lanes_last = 5;
  EXPECT_EQ(macs(c), 8u * 16 * 37 * 32 * 9);
  EXPECT_EQ(macs(channelwise(Op::kDwconv, 8, 16, 3)), 8u * 16 * 16 * 9);
  EXPECT_EQ(macs(channelwise(Op::kMaxpool, 8, 16, 3)), 0u);
}

TEST(DlaTiming, traffic_counts_what_the_ports_move) {
  const Plan plan(conv(16, 16, 2, 3, 3), {});
  // Each of 256 pixels reads 2 blocks x 9 taps, for each of 3 groups
  EXPECT_EQ(plan.traffic.features, 256u * 18 * 3 * 16);
  // Two blocks of 8 rows: all weights twice
  EXPECT_EQ(plan.traffic.weights, 2u * 3 * 2 * 9 * 256);
  EXPECT_EQ(plan.traffic.parameters, 3u * 144);
  EXPECT_EQ(plan.traffic.written, 256u * 3 * 16);

  Command padded = conv(16, 16, 2, 3, 3);
  padded.in_h = padded.in_w = 16;
  padded.pad_top = padded.pad_left = 1;
  // Padding is not read: (15 + 16 + 15) rows x as many columns of 2 blocks, for each of 3 groups
  EXPECT_EQ(Plan(padded, {}).traffic.features, 46u * 46 * 2 * 3 * 16);
}

}  // namespace
}  // namespace presil::dla
