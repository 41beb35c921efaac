#include "pool_cases.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace presil::pool::test {
namespace {

int at(const std::vector<uint8_t>& sram, const Command& c, unsigned block, unsigned y, unsigned x,
       unsigned lane) {
  return static_cast<int8_t>(
      sram.at(c.in_base + block * c.in_block_pitch + y * c.in_row_pitch + 16 * x + lane));
}

int rounded(double value, Rounding rounding) {
  return rounding == Rounding::kUp ? static_cast<int>(std::floor(value + 0.5))
                                   : static_cast<int>(std::lround(value));
}

int of_window(const std::vector<uint8_t>& sram, const Command& c, unsigned block, int oy, int ox,
              unsigned lane) {
  int largest = -1000, sum = 0, n = 0;
  for (int ky = 0; ky < c.kernel_h; ++ky) {
    for (int kx = 0; kx < c.kernel_w; ++kx) {
      const int y = oy * c.stride_y - c.pad_top + ky, x = ox * c.stride_x - c.pad_left + kx;
      if (y < 0 || y >= c.in_h || x < 0 || x >= c.in_w) continue;
      const int value =
          at(sram, c, block, static_cast<unsigned>(y), static_cast<unsigned>(x), lane);
      largest = std::max(largest, value);
      sum += value;
      ++n;
    }
  }
  return c.op == Op::kMax ? largest : rounded(static_cast<double>(sum) / n, c.rounding);
}

int of_resize(const std::vector<uint8_t>& sram, const Case& k, unsigned block, unsigned oy,
              unsigned ox, unsigned lane) {
  const Command& c = k.command;
  const uint32_t row = k.rows[oy], column = k.columns[ox];
  const unsigned y = row & 0xffff, x = column & 0xffff;
  if (c.op == Op::kNearest) return at(sram, c, block, y, x, lane);
  const double unit = c.rounding == Rounding::kUp ? 2048 : 1024;
  const double down = (row >> 16 & 0xfff) / unit, right = (column >> 16 & 0xfff) / unit;
  const unsigned y1 = y + (row >> 28), x1 = x + (column >> 28);
  const double top =
      at(sram, c, block, y, x, lane) * (1 - right) + at(sram, c, block, y, x1, lane) * right;
  const double bottom =
      at(sram, c, block, y1, x, lane) * (1 - right) + at(sram, c, block, y1, x1, lane) * right;
  return rounded(top * (1 - down) + bottom * down, c.rounding);
}

unsigned up16(unsigned value) {
  return (value + 15) / 16 * 16;
}

}  // namespace

std::vector<uint32_t> nearest_entries(const Axis& a) {
  const bool corners = a.corners && a.out > 1;
  const float scale = corners ? static_cast<float>(a.in - 1) / static_cast<float>(a.out - 1)
                              : static_cast<float>(a.in) / static_cast<float>(a.out);
  std::vector<uint32_t> entries;
  for (unsigned o = 0; o < a.out; ++o) {
    const float p = (static_cast<float>(o) + (a.centers ? 0.5f : 0.0f)) * scale;
    const double whole = std::floor(a.corners ? static_cast<double>(p) + 0.5 : double{p});
    entries.push_back(std::min(static_cast<unsigned>(whole), a.in - 1));
  }
  return entries;
}

std::vector<uint32_t> bilinear_entries(const Axis& a, Rounding rounding) {
  std::vector<uint32_t> entries;
  for (unsigned o = 0; o < a.out; ++o) {
    const unsigned less = a.corners && a.out > 1 ? 1 : 0;
    unsigned low = 0, weight = 0, high = 0;
    if (rounding == Rounding::kUp) {  // xnnpack
      const float step = static_cast<float>(a.in - less) / static_cast<float>(a.out - less);
      float p = static_cast<float>(o) * step + (a.centers ? 0.5f * step - 0.5f : 0.0f);
      p = std::clamp(p, 0.0f, static_cast<float>(a.in - 1));
      low = static_cast<unsigned>(p);
      high = std::min(low + 1, a.in - 1);
      weight = static_cast<unsigned>(std::nearbyint((p - static_cast<float>(low)) * 2048.0f));
    } else {  // tflite
      const int in = static_cast<int>(a.in - less), out = static_cast<int>(a.out - less);
      const int step = (1024 * in + out / 2) / out;
      const int p = static_cast<int>(o) * step + (a.centers ? step / 2 - 512 : 0);
      low = static_cast<unsigned>(std::max(p / 1024, 0));
      high = static_cast<unsigned>(std::min((p + 1023) / 1024, static_cast<int>(a.in) - 1));
      weight = high > low ? static_cast<unsigned>(p) - 1024 * low : 0;
    }
    entries.push_back(low | weight << 16 | static_cast<uint32_t>(high > low) << 28);
  }
  return entries;
}

Case window(Op op, unsigned in_h, unsigned in_w, unsigned kernel, unsigned stride, unsigned pad,
            unsigned blocks, Rounding rounding) {
  Case k{Command::make(op), {}, {}};
  Command& c = k.command;
  if (op == Op::kAverage) c.rounding = rounding;
  c.clamp_low = -128;
  c.clamp_high = 127;
  c.in_h = static_cast<uint16_t>(in_h);
  c.in_w = static_cast<uint16_t>(in_w);
  c.kernel_h = c.kernel_w = static_cast<uint8_t>(kernel);
  c.stride_y = c.stride_x = static_cast<uint8_t>(stride);
  c.pad_top = c.pad_left = static_cast<uint8_t>(pad);
  c.blocks = static_cast<uint16_t>(blocks);
  c.out_h = static_cast<uint16_t>((in_h + 2 * pad - kernel) / stride + 1);
  c.out_w = static_cast<uint16_t>((in_w + 2 * pad - kernel) / stride + 1);
  return k;
}

Case resize(Op op, const Axis& rows, const Axis& columns, unsigned blocks, Rounding rounding) {
  Case k{Command::make(op), {}, {}};
  Command& c = k.command;
  if (op == Op::kBilinear) c.rounding = rounding;
  c.clamp_low = -128;
  c.clamp_high = 127;
  c.in_h = static_cast<uint16_t>(rows.in);
  c.in_w = static_cast<uint16_t>(columns.in);
  c.out_h = static_cast<uint16_t>(rows.out);
  c.out_w = static_cast<uint16_t>(columns.out);
  c.blocks = static_cast<uint16_t>(blocks);
  k.rows = op == Op::kNearest ? nearest_entries(rows) : bilinear_entries(rows, rounding);
  k.columns = op == Op::kNearest ? nearest_entries(columns) : bilinear_entries(columns, rounding);
  return k;
}

Case random_case(std::mt19937& random) {
  const auto up_to = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const auto rounding = static_cast<Rounding>(up_to(2));
  const unsigned blocks = 1 + up_to(4);
  Case k;
  if (up_to(2) == 0) {
    const unsigned kernel = 1 + up_to(up_to(4) == 0 ? 16 : 4), pad = up_to(kernel);
    k = window(up_to(2) == 0 ? Op::kMax : Op::kAverage, kernel + up_to(20), kernel + up_to(20),
               kernel, 1 + up_to(4), pad, blocks, rounding);
  } else {
    const Op op = up_to(2) == 0 ? Op::kNearest : Op::kBilinear;
    const bool corners = up_to(3) == 0, centers = !corners && up_to(2) == 0;
    k = resize(op, {1 + up_to(12), 1 + up_to(24), corners, centers},
               {1 + up_to(12), 1 + up_to(24), corners, centers}, blocks, rounding);
  }
  if (up_to(3) == 0) {
    k.command.clamp_low = static_cast<int8_t>(-static_cast<int>(up_to(128)));
    k.command.clamp_high = static_cast<int8_t>(up_to(128));
  }
  return k;
}

uint32_t place(Case& k, uint32_t base, std::vector<uint8_t>& sram) {
  Command& c = k.command;
  c.in_base = base;
  c.in_row_pitch = 16u * c.in_w + 16;
  c.in_block_pitch = c.in_row_pitch * c.in_h + 32;
  c.out_base = c.in_base + c.in_block_pitch * c.blocks;
  c.out_row_pitch = 16u * c.out_w;
  c.out_block_pitch = c.out_row_pitch * c.out_h + 16;
  uint32_t end = c.out_base + c.out_block_pitch * c.blocks;
  if (k.rows.empty()) return end;
  c.table_base = end;
  for (const std::vector<uint32_t>* entries : {&k.columns, &k.rows}) {
    std::memcpy(&sram.at(end), entries->data(), 4 * entries->size());
    end += up16(static_cast<unsigned>(4 * entries->size()));
  }
  return end;
}

std::vector<int8_t> expected(const Case& k, const std::vector<uint8_t>& sram) {
  const Command& c = k.command;
  std::vector<int8_t> values;
  for (unsigned block = 0; block < c.blocks; ++block) {
    for (unsigned y = 0; y < c.out_h; ++y) {
      for (unsigned x = 0; x < c.out_w; ++x) {
        for (unsigned lane = 0; lane < 16; ++lane) {
          const int value = k.rows.empty() ? of_window(sram, c, block, static_cast<int>(y),
                                                       static_cast<int>(x), lane)
                                           : of_resize(sram, k, block, y, x, lane);
          values.push_back(static_cast<int8_t>(std::clamp<int>(value, c.clamp_low, c.clamp_high)));
        }
      }
    }
  }
  return values;
}

std::vector<int8_t> found(const Case& k, const std::vector<uint8_t>& sram) {
  const Command& c = k.command;
  std::vector<int8_t> values;
  for (unsigned block = 0; block < c.blocks; ++block) {
    for (unsigned y = 0; y < c.out_h; ++y) {
      const size_t row = c.out_base + size_t{block} * c.out_block_pitch + y * c.out_row_pitch;
      for (size_t i = 0; i < 16u * c.out_w; ++i) {
        values.push_back(static_cast<int8_t>(sram.at(row + i)));
      }
    }
  }
  return values;
}

std::string where(const Case& k, size_t n) {
  const Command& c = k.command;
  const size_t lane = n % 16, x = n / 16 % c.out_w, y = n / 16 / c.out_w % c.out_h,
               block = n / 16 / c.out_w / c.out_h;
  const size_t address =
      c.out_base + block * c.out_block_pitch + y * c.out_row_pitch + 16 * x + lane;
  return "row " + std::to_string(y) + ", column " + std::to_string(x) + ", channel " +
         std::to_string(16 * block + lane) + " (SRAM byte " + std::to_string(address) + ")";
}

}  // namespace presil::pool::test
