#include "tests/dla/dla_oracle.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace presil::dla::test {
namespace {

int32_t wrap(int64_t v) {
  return static_cast<int32_t>(static_cast<uint32_t>(v));
}

int64_t floor_div(int64_t a, int64_t b) {
  int64_t q = a / b;
  if (q * b != a && (a < 0) != (b < 0)) --q;
  return q;
}

int64_t clip(int64_t v, int64_t lo, int64_t hi) {
  return std::min(std::max(v, lo), hi);
}

// The nearest to x * m / 2^(31 - s), halves up, by division: the quotient's floor of twice it,
// plus 1, halved.
int64_t single_rounding(int64_t x, int64_t m, int s) {
  const int places = 31 - std::clamp(s, -31, 30);
  const int64_t unit = int64_t{1} << (places - 1), product = x * m;
  int64_t halves = product / unit;
  if (product % unit < 0) --halves;
  const int64_t up = halves + 1;
  return clip(up >= 0 ? up / 2 : -((1 - up) / 2), INT32_MIN, INT32_MAX);
}

struct Machine {
  const Command& c;
  const DlaConfig& d;
  const std::vector<uint8_t>& sram;

  int8_t byte(uint64_t at) const { return static_cast<int8_t>(sram.at(at)); }
  int32_t word(uint64_t at) const {
    uint32_t v = 0;
    for (int i = 3; i >= 0; --i) v = v << 8 | sram.at(at + static_cast<unsigned>(i));
    return static_cast<int32_t>(v);
  }

  // Lane `lane` of input block `block` at (y, x); `outside` where that is no pixel.
  int64_t pixel(int64_t block, int64_t y, int64_t x, int lane, int64_t outside) const {
    if (y < 0 || y >= c.in_h || x < 0 || x >= c.in_w) return outside;
    return byte(static_cast<uint64_t>(c.in_base + block * c.in_cb_pitch + y * c.in_row_pitch +
                                      x * c.in_x_step + lane));
  }

  int64_t weight(int64_t kb, int64_t group, int64_t set, int row, int lane, int lanes) const {
    const int64_t at = c.w_base + kb * c.w_kb_pitch + group * c.w_cb_pitch +
                       set * d.macs_k * lanes + int64_t{row} * lanes + lane;
    return byte(static_cast<uint64_t>(at)) - int64_t{c.w_zero};
  }

  int64_t bias(int channel) const {
    return word(c.p_base + static_cast<unsigned>(channel / 16 * 144 + channel % 16 * 4));
  }

  // The accumulator of output channel `channel` at (oy, ox).
  int32_t accumulate(int channel, int oy, int ox) const {
    const int kb = channel / static_cast<int>(d.macs_k), row = channel % static_cast<int>(d.macs_k);
    const int64_t top = oy * c.stride_y - c.pad_top, left = ox * c.stride_x - c.pad_left;
    if (c.op == Op::kMaxpool) {
      int64_t best = -1000;
      for (int ky = 0; ky < c.kernel_h; ++ky) {
        for (int kx = 0; kx < c.kernel_w; ++kx) {
          best = std::max(best, pixel(channel / 16, top + ky, left + kx, channel % 16, -1000));
        }
      }
      return static_cast<int32_t>(best);
    }
    int64_t acc = 0;
    if (c.acc_init == AccInit::kInt32) {
      acc =
          word(c.res_base + static_cast<uint64_t>(channel / 16) * c.res_cb_pitch +
               static_cast<uint64_t>(oy) * c.res_row_pitch +
               static_cast<uint64_t>(ox) * c.res_x_step + static_cast<unsigned>(channel % 16 * 4));
    } else if (c.op != Op::kPass || c.rule != Rule::kNone) {
      acc = bias(channel);
    }
    if (c.op == Op::kPass) {
      return wrap(acc + pixel(channel / 16, top, left, channel % 16, c.pad_value));
    }
    for (int ky = 0; ky < c.kernel_h; ++ky) {
      const int64_t y = top + ky * c.dil_y;
      if (c.op == Op::kConv && c.packed) {
        for (int i = 0; i < 16 * c.in_blocks; ++i) {
          const int64_t at = int64_t{ox} * c.stride_x * c.packed_ic - c.pad_left * c.packed_ic + i;
          const bool inside = y >= 0 && y < c.in_h && at >= 0 && at < c.row_bytes;
          const int64_t x = inside
                                ? byte(static_cast<uint64_t>(c.in_base + y * c.in_row_pitch + at))
                                : c.pad_value;
          acc += x * weight(kb, i / 16, ky, row, i % 16, 16);
        }
        continue;
      }
      for (int kx = 0; kx < c.kernel_w; ++kx) {
        const int64_t x = left + kx * c.dil_x;
        if (c.op == Op::kConv) {
          const int lanes = static_cast<int>(d.macs_c);
          for (int i = 0; i < 16 * c.in_blocks; ++i) {
            const int64_t block = i / 16 + int64_t{channel / 16} * c.in_kb_step;
            acc += pixel(block, y, x, i % 16, c.pad_value) *
                   weight(kb, i / lanes, ky * c.kernel_w + kx, row, i % lanes, lanes);
          }
        } else {
          const int width = c.dil_x > 1 ? 1 : 4, cx = kx / width;
          const int kc = std::min(width, c.kernel_w - cx * width);
          const int lane = 4 * (ky % 4) + 4 - kc + kx % width;
          const int64_t outside = c.op == Op::kSumpool ? 0 : c.pad_value;
          const int64_t w = c.op == Op::kSumpool ? 1 : weight(kb, ky / 4, cx, row, lane, 16);
          acc += pixel(channel / 16, y, x, channel % 16, outside) * w;
        }
      }
    }
    return wrap(acc);
  }

  int64_t requantise(int32_t acc, int channel) const {
    const uint64_t at = c.p_base + static_cast<unsigned>(channel / 16 * 144);
    const auto lane = static_cast<unsigned>(channel % 16);
    int64_t v = 0;
    switch (c.rule) {
      case Rule::kDouble:
        v = double_rounding(acc, word(at + 64 + lane * 4), byte(at + 128 + lane));
        break;
      case Rule::kFloat:
        v = float_requantisation(acc, static_cast<uint32_t>(word(at + 64 + lane * 4)));
        break;
      case Rule::kSingle:
        v = single_rounding(acc, word(at + 64 + lane * 4), byte(at + 128 + lane));
        break;
      case Rule::kDivide:
        v = rule_divide(acc, c.div_count);
        break;
      default:
        v = static_cast<int8_t>(acc & 255);
        break;
    }
    int64_t y = clip(v + c.out_zero, c.act_min, c.act_max);
    if (c.lut_en) y = byte(c.lut_base + static_cast<uint8_t>(y));
    return y;
  }

  int64_t combine(int64_t a, int64_t b) const {
    int64_t v = 0;
    if (c.ew_op == EwOp::kMul) {
      const int64_t product = (a - c.ew_a_zero) * (b - c.ew_b_zero);
      v = c.ew_rule == EwRule::kTflite
              ? double_rounding(product, c.ew_out_mult, c.ew_out_shift)
              : float_requantisation(product, static_cast<uint32_t>(c.ew_out_mult));
    } else if (c.ew_rule == EwRule::kXnnpack) {
      v = wrap(a * c.ew_a_mult + b * c.ew_b_mult + c.ew_out_mult) >> c.ew_out_shift;
    } else {
      const int64_t unit = int64_t{1} << c.ew_left_shift;
      const int64_t p = double_rounding(wrap((a - c.ew_a_zero) * unit), c.ew_a_mult, c.ew_a_shift);
      const int64_t q = double_rounding(wrap((b - c.ew_b_zero) * unit), c.ew_b_mult, c.ew_b_shift);
      v = double_rounding(wrap(c.ew_op == EwOp::kAdd ? p + q : p - q), c.ew_out_mult,
                          c.ew_out_shift);
    }
    return clip(v + c.ew_out_zero, c.ew_act_min, c.ew_act_max);
  }
};

}  // namespace

// Written with floor divisions, unlike both forms in models/dla.
int64_t double_rounding(int64_t x, int64_t multiplier, int shift) {
  const int64_t shifted = wrap(shift > 0 ? x * (int64_t{1} << shift) : x);
  int64_t high = floor_div(shifted * multiplier + (int64_t{1} << 30), int64_t{1} << 31);
  high = std::min<int64_t>(high, INT32_MAX);
  if (shift >= 0) return high;
  const int64_t unit = int64_t{1} << -shift;
  const int64_t size = floor_div(std::abs(high) * 2 + unit, 2 * unit);
  return high < 0 ? -size : size;
}

int64_t float_requantisation(int64_t x, uint32_t scale_bits) {
  float scale;
  std::memcpy(&scale, &scale_bits, 4);
  const float product = static_cast<float>(x) * scale;
  return static_cast<int64_t>(clip(static_cast<int64_t>(std::nearbyint(static_cast<double>(
                                       std::min(std::max(product, -4e9f), 4e9f)))),
                                   INT32_MIN, INT32_MAX));
}

int64_t rule_divide(int64_t x, int64_t count) {
  const int64_t size = (std::abs(x) + count / 2) / count;
  return x < 0 ? -size : size;
}

std::vector<uint8_t> oracle(const Command& c, const DlaConfig& d,
                            const std::vector<uint8_t>& sram) {
  std::vector<uint8_t> after = sram;
  if (c.op == Op::kNop) return after;
  const Machine machine{c, d, sram};
  const int channels = 16 * (c.out_blocks - 1) + c.out_lanes_last;
  const int copies = c.upsample2 ? 2 : 1;
  for (int channel = 0; channel < 16 * c.out_blocks; ++channel) {
    for (int oy = 0; oy < c.out_h; ++oy) {
      for (int ox = 0; ox < c.out_w; ++ox) {
        const int64_t block = channel / 16, lane = channel % 16;
        const int32_t acc = channel < channels ? machine.accumulate(channel, oy, ox) : 0;
        if (c.out_type == OutType::kInt32) {
          for (int i = 0; i < 4; ++i) {
            after.at(static_cast<uint64_t>(c.out_base + block * c.out_cb_pitch +
                                           int64_t{oy} * c.out_row_pitch +
                                           int64_t{ox} * c.out_x_step + lane * 4 + i)) =
                static_cast<uint8_t>(static_cast<uint32_t>(acc) >> (8 * i));
          }
          continue;
        }
        int64_t y = channel < channels ? machine.requantise(acc, channel) : 0;
        if (channel < channels && c.ew_op != EwOp::kNone) {
          const int64_t at = c.res_base + block * c.res_cb_pitch + int64_t{oy} * c.res_row_pitch +
                             int64_t{ox} * c.res_x_step + lane;
          y = machine.combine(y, machine.byte(static_cast<uint64_t>(at)));
        }
        for (int i = 0; i < copies * copies; ++i) {
          const int64_t row = oy * copies + i / copies, column = ox * copies + i % copies;
          after.at(static_cast<uint64_t>(c.out_base + block * c.out_cb_pitch +
                                         row * c.out_row_pitch + column * c.out_x_step + lane)) =
              static_cast<uint8_t>(y);
        }
      }
    }
  }
  return after;
}

}  // namespace presil::dla::test
