// Random legal commands. Every field is drawn; what the rules tie together is derived.
#include <algorithm>
#include <cstring>

#include "tests/dla/dla_oracle.h"

namespace presil::dla::test {
namespace {

class Dice {
 public:
  explicit Dice(std::mt19937& random) : m_random(random) {}
  int in(int low, int high) {  // the same on every standard library
    return low + static_cast<int>(m_random() % static_cast<uint32_t>(high - low + 1));
  }
  bool one_in(int n) { return in(1, n) == 1; }
  int32_t any() { return static_cast<int32_t>(m_random()); }

 private:
  std::mt19937& m_random;
};

// Gives out SRAM from the bottom up, a multiple of 16 at a time.
class Room {
 public:
  uint32_t take(uint64_t bytes) {
    const uint64_t at = m_next;
    m_next += (bytes + 15) / 16 * 16;
    return static_cast<uint32_t>(at);
  }
  uint64_t used() const { return m_next; }

 private:
  uint64_t m_next = 0;
};

uint32_t float_bits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

void draw_window(Command& c, Dice& dice) {
  const bool pool = c.op == Op::kMaxpool || c.op == Op::kSumpool;
  c.kernel_h = c.kernel_w = 1;
  if (c.op != Op::kPass) {
    const int largest = pool ? 9 : dice.one_in(8) ? 16 : 5;
    c.kernel_h = static_cast<uint8_t>(dice.in(1, largest));
    c.kernel_w = static_cast<uint8_t>(dice.in(1, largest));
  }
  c.dil_y = c.dil_x = 1;
  if ((c.op == Op::kConv && !c.packed) || c.op == Op::kDwconv) {
    c.dil_x = static_cast<uint8_t>(dice.one_in(4) ? dice.in(2, 3) : 1);
  }
  if ((c.op == Op::kConv || c.op == Op::kDwconv) && dice.one_in(4)) {
    c.dil_y = static_cast<uint8_t>(dice.in(2, 4));
  }
  const int kh = (c.kernel_h - 1) * c.dil_y + 1, kw = (c.kernel_w - 1) * c.dil_x + 1;
  c.stride_y = static_cast<uint8_t>(dice.one_in(2) ? 1 : dice.in(1, 4));
  c.stride_x = static_cast<uint8_t>(dice.one_in(2) ? 1 : dice.in(1, 4));
  if (c.packed) {
    c.packed_ic = static_cast<uint8_t>(dice.in(1, std::min(8, 16 / c.stride_x)));
  }
  c.pad_top = static_cast<uint8_t>(dice.in(0, std::min(31, c.op == Op::kPass ? 3 : kh - 1)));
  c.pad_left = static_cast<uint8_t>(dice.in(0, std::min(31, c.op == Op::kPass ? 3 : kw - 1)));
  if (!pool) c.pad_value = static_cast<int16_t>(dice.in(-128, 127));
  c.out_h = static_cast<uint16_t>(dice.in(1, 7));
  c.out_w = static_cast<uint16_t>(dice.one_in(6) ? dice.in(14, 33) : dice.in(1, 9));
  // Up to two rows and columns of padding after the image too.
  const int rows = (c.out_h - 1) * c.stride_y + kh - c.pad_top;
  const int columns = (c.out_w - 1) * c.stride_x + kw - c.pad_left;
  c.in_h = static_cast<uint16_t>(std::max(1, rows - dice.in(0, std::min(2, kh - 1))));
  c.in_w = static_cast<uint16_t>(std::max(1, columns - dice.in(0, std::min(2, kw - 1))));
}

void draw_rule(Command& c, Dice& dice) {
  c.rule = dice.one_in(3) ? Rule::kDouble : dice.one_in(2) ? Rule::kSingle : Rule::kFloat;
  if (c.op == Op::kMaxpool || (c.op == Op::kPass && dice.one_in(3))) c.rule = Rule::kNone;
  if (c.op == Op::kSumpool && dice.one_in(2)) {
    c.rule = Rule::kDivide;
    c.div_count = static_cast<uint16_t>(dice.in(2, 100));
    c.div_recip = static_cast<uint32_t>((uint64_t{1} << 32) / c.div_count + 1);
  }
  c.out_zero = static_cast<int16_t>(dice.in(-128, 127));
  c.act_min = static_cast<int16_t>(dice.in(-128, 0));
  c.act_max = static_cast<int16_t>(dice.in(0, 127));
  c.lut_en = dice.one_in(4);
  c.upsample2 = dice.one_in(5);
}

void draw_element_wise(Command& c, Dice& dice) {
  c.ew_op = static_cast<EwOp>(dice.in(1, 3));
  c.ew_rule = c.ew_op != EwOp::kSub && dice.one_in(2) ? EwRule::kXnnpack : EwRule::kTflite;
  c.ew_out_zero = static_cast<int16_t>(dice.in(-128, 127));
  c.ew_act_min = static_cast<int16_t>(dice.in(-128, 0));
  c.ew_act_max = static_cast<int16_t>(dice.in(0, 127));
  if (c.ew_rule == EwRule::kXnnpack && c.ew_op == EwOp::kAdd) {
    c.ew_a_mult = dice.in(-(1 << 21), 1 << 21);
    c.ew_b_mult = dice.in(-(1 << 21), 1 << 21);
    c.ew_out_mult = dice.any() >> 4;
    c.ew_out_shift = static_cast<int8_t>(dice.in(8, 24));
    return;
  }
  c.ew_a_zero = static_cast<int16_t>(dice.in(-128, 127));
  c.ew_b_zero = static_cast<int16_t>(dice.in(-128, 127));
  if (c.ew_op == EwOp::kMul) {
    if (c.ew_rule == EwRule::kXnnpack) {
      c.ew_out_mult = static_cast<int32_t>(float_bits(1.0f / static_cast<float>(dice.in(16, 512))));
    } else {
      c.ew_out_mult = dice.in(1 << 30, INT32_MAX);
      c.ew_out_shift = static_cast<int8_t>(dice.in(-10, 2));
    }
    return;
  }
  c.ew_a_mult = dice.in(1 << 30, INT32_MAX);
  c.ew_b_mult = dice.in(1 << 30, INT32_MAX);
  c.ew_out_mult = dice.in(1 << 30, INT32_MAX);
  c.ew_a_shift = static_cast<int8_t>(dice.in(-4, 0));
  c.ew_b_shift = static_cast<int8_t>(dice.in(-4, 0));
  c.ew_out_shift = static_cast<int8_t>(dice.in(-20, -15));
  c.ew_left_shift = static_cast<uint8_t>(dice.in(16, 22));
}

void place_input(Command& c, Dice& dice, Room& room) {
  uint64_t row = c.packed ? (c.row_bytes + 15u) / 16 * 16 : uint64_t{c.in_w} * c.in_x_step;
  row += 16u * static_cast<unsigned>(dice.in(0, 2));
  c.in_row_pitch = static_cast<uint32_t>(row);
  const uint64_t block = row * c.in_h + 16u * static_cast<unsigned>(dice.in(0, 3));
  if (!c.packed) c.in_cb_pitch = static_cast<uint32_t>(block);
  const unsigned blocks = c.in_blocks + (c.out_blocks - 1u) * c.in_kb_step;
  c.in_base = room.take(block * (c.packed ? 1u : blocks));
}

void place_output(Command& c, Dice& dice, Room& room) {
  const unsigned copies = c.upsample2 ? 2 : 1, pixel = c.out_type == OutType::kInt32 ? 64 : 16;
  c.out_x_step = static_cast<uint16_t>(pixel + 16u * static_cast<unsigned>(dice.in(0, 1)));
  c.out_row_pitch = c.out_w * copies * c.out_x_step + 16u * static_cast<unsigned>(dice.in(0, 2));
  c.out_cb_pitch = c.out_h * copies * c.out_row_pitch + 16u * static_cast<unsigned>(dice.in(0, 2));
  c.out_base = room.take(uint64_t{c.out_cb_pitch} * c.out_blocks);
}

void place_second(Command& c, Dice& dice, Room& room) {
  if (c.ew_op == EwOp::kNone && c.acc_init == AccInit::kBias) return;
  const unsigned pixel = c.acc_init == AccInit::kInt32 ? 64 : 16;
  c.res_x_step = static_cast<uint16_t>(dice.one_in(6) ? 0 : pixel);
  c.res_row_pitch = dice.one_in(6) ? 0 : c.out_w * pixel;
  c.res_cb_pitch = dice.one_in(6) ? 0 : c.out_h * c.out_w * pixel;
  c.res_base = room.take(uint64_t{c.out_blocks} * c.out_h * c.out_w * pixel);
}

void place_weights(Command& c, const DlaConfig& d, Room& room) {
  if (c.op != Op::kConv && c.op != Op::kDwconv) return;
  const unsigned lanes = c.op == Op::kConv && !c.packed ? d.macs_c : 16;
  const unsigned columns = c.dil_x > 1 ? c.kernel_w : (c.kernel_w + 3u) / 4;
  const unsigned groups = c.op == Op::kDwconv ? (c.kernel_h + 3u) / 4
                          : c.packed          ? c.in_blocks
                                              : (c.in_blocks * 16u + lanes - 1) / lanes;
  const unsigned sets = c.op == Op::kDwconv ? columns
                        : c.packed          ? c.kernel_h
                                            : unsigned{c.kernel_h} * c.kernel_w;
  c.w_cb_pitch = sets * d.macs_k * lanes + 16;
  c.w_kb_pitch = groups * c.w_cb_pitch + 16;
  c.w_base = room.take(uint64_t{(c.out_blocks * 16u + d.macs_k - 1) / d.macs_k} * c.w_kb_pitch);
}

}  // namespace

Command random_command(std::mt19937& random, const DlaConfig& d, uint32_t sram_bytes) {
  Dice dice(random);
  for (;;) {
    Command c = Command::make(static_cast<Op>(dice.in(1, 5)));
    c.packed = c.op == Op::kConv && dice.one_in(3);
    draw_window(c, dice);
    c.out_blocks = static_cast<uint16_t>(dice.in(1, 3));
    c.out_lanes_last = static_cast<uint8_t>(dice.one_in(2) ? 16 : dice.in(1, 16));
    if (c.op == Op::kConv) {
      c.in_blocks =
          static_cast<uint16_t>(c.packed ? (c.kernel_w * c.packed_ic + 15) / 16 : dice.in(1, 4));
      c.in_kb_step =
          static_cast<uint8_t>(!c.packed && d.macs_k == 16 && dice.one_in(4) ? dice.in(1, 2) : 0);
      if (c.packed) c.row_bytes = static_cast<uint16_t>(c.in_w * c.packed_ic);
    } else {
      c.in_blocks = c.in_kb_step = 1;
    }
    c.in_x_step = static_cast<uint16_t>(c.packed ? c.stride_x * c.packed_ic : 16 * dice.in(1, 2));
    if (c.op == Op::kConv || c.op == Op::kDwconv) {
      c.w_zero = static_cast<int8_t>(dice.one_in(2) ? 0 : dice.in(-128, 127));
    }
    c.block_rows = static_cast<uint8_t>(dice.in(1, std::max<int>(1, d.acc_depth / c.out_w)));
    if (c.op == Op::kConv && dice.one_in(4)) {
      c.out_type = OutType::kInt32;
      c.rule = Rule::kNone;
    } else {
      draw_rule(c, dice);
      if (dice.one_in(3)) draw_element_wise(c, dice);
    }
    if (c.op == Op::kConv && c.ew_op == EwOp::kNone && dice.one_in(4)) c.acc_init = AccInit::kInt32;
    Room room;
    place_input(c, dice, room);
    place_output(c, dice, room);
    place_second(c, dice, room);
    place_weights(c, d, room);
    const bool parameters = c.op != Op::kMaxpool && (c.op != Op::kPass || c.rule != Rule::kNone);
    if (parameters) c.p_base = room.take(144u * c.out_blocks);
    if (c.lut_en) c.lut_base = room.take(256);
    if (room.used() <= sram_bytes) return c;
  }
}

std::vector<uint8_t> random_sram(std::mt19937& random, const Command& c, uint32_t sram_bytes) {
  Dice dice(random);
  std::vector<uint8_t> sram(sram_bytes);
  for (uint8_t& byte : sram) byte = static_cast<uint8_t>(dice.in(0, 255));
  if (c.op == Op::kMaxpool || (c.op == Op::kPass && c.rule == Rule::kNone)) return sram;
  const auto put = [&](uint64_t at, int32_t value) {
    for (unsigned i = 0; i < 4; ++i) {
      sram.at(at + i) = static_cast<uint8_t>(static_cast<uint32_t>(value) >> (8 * i));
    }
  };
  for (unsigned block = 0; block < c.out_blocks; ++block) {
    for (unsigned k = 0; k < 16; ++k) {
      const uint64_t at = c.p_base + 144u * block;
      put(at + 4 * k, dice.one_in(8) ? dice.any() : dice.in(-20000, 20000));
      if (c.rule == Rule::kFloat) {
        put(at + 64 + 4 * k,
            static_cast<int32_t>(float_bits(1.0f / static_cast<float>(1 << dice.in(0, 14)) *
                                            (dice.one_in(2) ? 1.0f : 1.37f))));
      } else {
        put(at + 64 + 4 * k, dice.one_in(8) ? dice.any() : dice.in(1 << 30, INT32_MAX));
      }
      sram.at(at + 128 + k) =
          static_cast<uint8_t>(dice.one_in(8) ? dice.in(-31, 31) : dice.in(-14, 0));
    }
  }
  return sram;
}

}  // namespace presil::dla::test
