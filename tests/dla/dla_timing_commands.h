// Commands of tests on cycles, and what the equations say of one alone.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "models/dla/dla_check.h"
#include "models/dla/dla_timing.h"

namespace presil::dla::test {

constexpr uint32_t kSramBytes = 1 << 20;

/// A convolution of `in` input and `out` output blocks over rows x columns pixels, stride 1, no
/// padding.
inline Command conv(unsigned rows, unsigned columns, unsigned in, unsigned out,
                    unsigned kernel = 1) {
  Command c = Command::make(Op::kConv);
  c.kernel_h = c.kernel_w = static_cast<uint8_t>(kernel);
  c.in_h = static_cast<uint16_t>(rows + kernel - 1);
  c.in_w = static_cast<uint16_t>(columns + kernel - 1);
  c.in_blocks = static_cast<uint16_t>(in);
  c.in_x_step = c.out_x_step = 16;
  c.in_row_pitch = c.in_w * 16;
  c.in_cb_pitch = c.in_row_pitch * c.in_h;
  c.out_h = static_cast<uint16_t>(rows);
  c.out_w = static_cast<uint16_t>(columns);
  c.out_blocks = static_cast<uint16_t>(out);
  c.out_lanes_last = 16;
  c.out_row_pitch = columns * 16;
  c.out_cb_pitch = rows * columns * 16;
  c.block_rows = static_cast<uint8_t>(std::min(rows, 128 / columns));
  c.w_base = 0x40000;
  c.w_cb_pitch = kernel * kernel * 256;
  c.w_kb_pitch = in * c.w_cb_pitch;
  c.p_base = 0x80000;
  c.out_base = 0x90000;
  c.act_min = -128;
  c.act_max = 127;
  return c;
}

inline Command channelwise(Op op, unsigned rows, unsigned columns, unsigned kernel) {
  Command c = conv(rows, columns, 1, 1, kernel);
  const Command window = c;
  c = Command::make(op);
  for (unsigned f = PRESIL_DLA_COMMAND_BLOCK_ROWS; f <= PRESIL_DLA_COMMAND_OUT_BLOCKS; ++f) {
    c.set(f, window.get(f));
  }
  c.in_kb_step = 1;
  if (op == Op::kDwconv) {
    c.w_base = 0x40000;
    c.w_cb_pitch = 256;
    c.w_kb_pitch = 4096;
  }
  if (op == Op::kDwconv || op == Op::kSumpool) c.p_base = 0x80000;
  if (op == Op::kMaxpool || op == Op::kPass) c.rule = Rule::kNone;
  c.act_min = -128;
  c.act_max = 127;
  return c;
}

inline void with_add(Command& c) {
  c.ew_op = EwOp::kAdd;
  c.res_base = 0xa0000;
  c.res_x_step = 16;
  c.res_row_pitch = c.out_row_pitch;
  c.res_cb_pitch = c.out_cb_pitch;
}

/// By the equations, whatever its size.
inline Plan planned(const Command& c, const DlaConfig& config = {}) {
  Plan plan(c, config);
  plan.played = false;
  return plan;
}

inline Cycle cold(const Command& c, const DlaConfig& config = {}) {
  const auto fault = check(c, config, kSramBytes);
  EXPECT_FALSE(fault) << fault->text;
  Pipeline pipeline;
  return schedule(planned(c, config), {}, pipeline).end;
}

}  // namespace presil::dla::test
