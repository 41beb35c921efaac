// Shapes of passes: how many steps, how many of them find their words in one bank, how many bytes.
#include <algorithm>
#include <array>

#include "models/dla/dla_shape.h"
#include "models/dla/dla_timing.h"

namespace presil::dla {
namespace {

// Commands of no more cycles are played: conflicts that equations leave out are a good part of a
// short command; of longer ones, where the output port writes four words a pixel without a pause,
// or the loader is hardly in time.
constexpr Cycle kPlayed = 512, kPlayedLonger = 8192;

Cycle ceil_div(Cycle a, Cycle b) {
  return (a + b - 1) / b;
}

// Outputs o of first .. last - 1 with 0 <= o * stride + offset < size.
Cycle count_inside(Cycle first, Cycle last, Cycle stride, Cycle offset, Cycle size) {
  const Cycle from = std::max(first, offset >= 0 ? 0 : ceil_div(-offset, stride));
  const Cycle to = std::min(last, offset >= size ? 0 : (size - 1 - offset) / stride + 1);
  return std::max<Cycle>(0, to - from);
}

struct Rows {
  Cycle first, last;
  Cycle count() const { return last - first; }
};

}  // namespace

Cycle cycles_to_read(const Command& c, const DlaConfig& d, unsigned rows, unsigned blocks) {
  std::array<unsigned, 64> reads{};  // by bank
  unsigned most = 0;
  for (unsigned b = 0; b < blocks; ++b) {
    for (unsigned r = 0; r < rows; ++r) {
      const uint32_t at = b * c.in_cb_pitch + r * c.dil_y * c.in_row_pitch;
      most = std::max(most, ++reads[at / 16 % d.banks]);
    }
  }
  return std::max<Cycle>({1, most, ceil_div(Cycle{rows} * blocks, d.feat_ports)});
}

namespace {

// conv: one word of each input block of the set, for each pixel whose tap is inside.
class ConvShapes {
 public:
  ConvShapes(const Command& c, const DlaConfig& d) : m_c(c) {
    m_group = d.macs_c / 16;
    m_groups = ceil_div(c.in_blocks, m_group);
    m_full = cycles_to_read(c, d, 1, static_cast<unsigned>(std::min<Cycle>(m_group, c.in_blocks)));
    const unsigned rest = static_cast<unsigned>(c.in_blocks - (m_groups - 1) * m_group);
    m_last = cycles_to_read(c, d, 1, rest);
  }
  Cycle passes() const { return m_groups * m_c.kernel_h * m_c.kernel_w; }

  std::vector<PassShape> of(Rows rows) const {
    const Cycle pixels = rows.count() * m_c.out_w;
    if (m_full == 1) return {{pixels, pixels}};
    std::vector<PassShape> shapes;
    for (Cycle group = 0; group < m_groups; ++group) {
      const Cycle more = (group + 1 < m_groups ? m_full : m_last) - 1;
      for (unsigned ky = 0; ky < m_c.kernel_h; ++ky) {
        for (unsigned kx = 0; kx < m_c.kernel_w; ++kx) {
          shapes.push_back({pixels, pixels + more * inside(rows, ky, kx)});
        }
      }
    }
    return shapes;
  }

  uint64_t words() const {
    Cycle words = 0;
    for (unsigned ky = 0; ky < m_c.kernel_h; ++ky) {
      for (unsigned kx = 0; kx < m_c.kernel_w; ++kx) words += inside({0, m_c.out_h}, ky, kx);
    }
    return static_cast<uint64_t>(words) * m_c.in_blocks;
  }

 private:
  Cycle inside(Rows rows, unsigned ky, unsigned kx) const {
    return count_inside(rows.first, rows.last, m_c.stride_y, Cycle{ky} * m_c.dil_y - m_c.pad_top,
                        m_c.in_h) *
           count_inside(0, m_c.out_w, m_c.stride_x, Cycle{kx} * m_c.dil_x - m_c.pad_left, m_c.in_w);
  }
  const Command& m_c;
  Cycle m_group, m_groups, m_full, m_last;
};

// Packed: two words at the start of a row, then one whenever the window crosses into the next.
class PackedShapes {
 public:
  PackedShapes(const Command& c, const DlaConfig& d) : m_c(c), m_d(d) {}
  Cycle passes() const { return Cycle{m_c.in_blocks} * m_c.kernel_h; }

  std::vector<PassShape> of(Rows rows) const {
    const Cycle pixels = rows.count() * m_c.out_w;
    if (m_d.feat_ports >= 2 && m_d.banks >= 2) return {{pixels, pixels}};
    std::vector<PassShape> shapes;
    for (unsigned chunk = 0; chunk < m_c.in_blocks; ++chunk) {
      const Cycle first = start(chunk), end = std::min<Cycle>(first + 16, m_c.row_bytes);
      const bool two = first >= 0 && end > first && first / 16 != (end - 1) / 16;
      for (unsigned ky = 0; ky < m_c.kernel_h; ++ky) {
        shapes.push_back({pixels, pixels + (two ? rows_inside(rows, ky) : 0)});
      }
    }
    return shapes;
  }

  uint64_t words() const {
    Cycle rows = 0, words = 0;
    for (unsigned ky = 0; ky < m_c.kernel_h; ++ky) rows += rows_inside({0, m_c.out_h}, ky);
    for (unsigned chunk = 0; chunk < m_c.in_blocks; ++chunk) {
      const Cycle first = std::max<Cycle>(0, start(chunk));
      const Cycle end =
          std::min<Cycle>(m_c.row_bytes, start(chunk) + (m_c.out_w - 1) * m_c.in_x_step + 16);
      if (end > first) words += (end - 1) / 16 - first / 16 + 1;
    }
    return static_cast<uint64_t>(rows * words);
  }

 private:
  Cycle start(unsigned chunk) const { return 16 * Cycle{chunk} - m_c.pad_left * m_c.packed_ic; }
  Cycle rows_inside(Rows rows, unsigned ky) const {
    return count_inside(rows.first, rows.last, m_c.stride_y, Cycle{ky} * m_c.dil_y - m_c.pad_top,
                        m_c.in_h);
  }
  const Command& m_c;
  const DlaConfig& m_d;
};

// dwconv, pools and pass: a step is one column of up to 4 rows in each block of the group.
class WindowShapes {
 public:
  WindowShapes(const Command& c, const DlaConfig& d, unsigned blocks) : m_c(c) {
    for (unsigned n = 0; n <= kTapRows; ++n) m_read[n] = cycles_to_read(c, d, n, blocks);
  }
  Cycle passes() const { return Cycle{chunk_rows(m_c)} * chunk_columns(m_c); }

  std::vector<PassShape> of(Rows rows) const {
    std::vector<PassShape> shapes;
    for (unsigned cy = 0; cy < chunk_rows(m_c); ++cy) {
      std::array<Cycle, kTapRows + 1>
          rows_with{};  // rows of pixels by kernel rows inside the image
      for (Cycle oy = rows.first; oy < rows.last; ++oy) ++rows_with[taps_inside(oy, cy)];
      for (unsigned cx = 0; cx < chunk_columns(m_c); ++cx) {
        const Columns columns = columns_of_row(cx);
        PassShape shape{rows.count() * columns.steps, rows.count() * columns.steps};
        for (unsigned n = 1; n <= kTapRows; ++n) {
          shape.cycles += rows_with[n] * columns.inside * (m_read[n] - 1);
        }
        shapes.push_back(shape);
      }
    }
    return shapes;
  }

  uint64_t words() const {  // of one block of channels
    Cycle words = 0;
    for (unsigned cy = 0; cy < chunk_rows(m_c); ++cy) {
      Cycle taps = 0, columns = 0;
      for (Cycle oy = 0; oy < m_c.out_h; ++oy) taps += taps_inside(oy, cy);
      for (unsigned cx = 0; cx < chunk_columns(m_c); ++cx) columns += columns_of_row(cx).inside;
      words += taps * columns;
    }
    return static_cast<uint64_t>(words);
  }

 private:
  struct Columns {
    Cycle steps, inside;
  };
  unsigned taps_inside(Cycle oy, unsigned cy) const {
    unsigned taps = 0;
    for (unsigned r = 0; r < rows_of(m_c, cy); ++r) {
      const Cycle y = oy * m_c.stride_y - m_c.pad_top + (kTapRows * cy + r) * m_c.dil_y;
      taps += y >= 0 && y < m_c.in_h;
    }
    return taps;
  }

  // The first pixel of a row takes all columns of the chunk, the others those that are new.
  Columns columns_of_row(unsigned cx) const {
    const unsigned kc = columns_of(m_c, cx);
    const unsigned fresh = std::min<unsigned>(m_c.stride_x, kc);
    Columns columns{kc + (m_c.out_w - Cycle{1}) * fresh, 0};
    for (unsigned x = 0; x < kc; ++x) {
      const Cycle offset = Cycle{cx * chunk_width(m_c) + x} * m_c.dil_x - m_c.pad_left;
      columns.inside += offset >= 0 && offset < m_c.in_w;
      if (x + fresh < kc) continue;
      columns.inside += count_inside(1, m_c.out_w, m_c.stride_x, offset, m_c.in_w);
    }
    return columns;
  }

  const Command& m_c;
  std::array<Cycle, kTapRows + 1> m_read{};
};

// Output port and feature port stay apart once they are apart, if both move on by as many words a
// step and a row.
bool ports_may_meet(const Plan& p) {
  const Command& c = p.command;
  if (p.passes != 1 || p.cycles_pixel != 1 || p.sums_in || c.op == Op::kNop) return false;
  if (c.packed || c.out_w < 16) return true;
  if (c.op == Op::kConv || c.op == Op::kPass) {
    const auto banks = static_cast<Cycle>(p.config.banks);
    return (c.stride_x * c.in_x_step - c.out_x_step) / 16 % banks != 0 ||
           (c.stride_y * c.in_row_pitch - c.out_row_pitch) / 16 % banks != 0;
  }
  return c.kernel_w == 1 || c.stride_x >= c.kernel_w || c.in_x_step != c.out_x_step;
}

// About as many cycles as the command takes: what playing it costs.
Cycle cycles_to_play(const Plan& p) {
  Cycle cycles = 0, pixels = 0;
  for (const Plan::Block& block : p.blocks) {
    for (Cycle r = 0; r < p.passes; ++r) cycles += std::max(block.pass(r).steps, p.cycles_set);
    pixels += block.pixels;
  }
  return p.kbs * std::max(cycles, pixels * p.cycles_pixel);
}

// Sets that take about as long to load as their passes take, and are long: where loader and
// features walk through the banks side by side, the loader loses up to every other cycle to them.
bool loader_may_be_late(const Plan& p) {
  if (p.cycles_set <= 16) return false;  // a 16 x 16 array's
  const Cycle steps = p.blocks.front().pass(0).steps;
  return 4 * steps >= p.cycles_set && steps <= 2 * p.cycles_set;
}

template <class Shapes>
uint64_t shape_blocks(Plan& p, const Shapes& shapes, const Shapes* last = nullptr) {
  p.passes = shapes.passes();
  const Command& c = p.command;
  for (Cycle y = 0; y < c.out_h; y += c.block_rows) {
    const Rows rows{y, std::min<Cycle>(y + c.block_rows, c.out_h)};
    p.blocks.push_back({rows.count() * c.out_w, shapes.of(rows), {}});
    if (last != nullptr) p.blocks.back().last = last->of(rows);
  }
  return shapes.words();
}

}  // namespace

Cycle Plan::beats() const {
  const bool second = command.ew_op != EwOp::kNone;
  return std::max({ceil_div(config.macs_k, config.post_lanes),
                   second ? ceil_div(config.macs_k, config.ew_lanes) : 1,
                   Cycle{command.out_type == OutType::kInt32 ? 4 : 1}});
}

Plan::Plan(const Command& c, const DlaConfig& d) : command(c), config(d) {
  if (c.op == Op::kNop) return;
  const Cycle groups_k = d.macs_k / 16;
  kbs = ceil_div(c.out_blocks, groups_k);
  sums_in = c.acc_init == AccInit::kInt32;
  const bool sums_out = c.out_type == OutType::kInt32;
  words_pixel = c.upsample2 || sums_out ? 4 : 1;
  cycles_pixel = std::max(beats(), words_pixel);
  const Cycle lanes = c.op == Op::kConv && !c.packed ? d.macs_c : 16;
  const Cycle set_words = reads_weights(c) ? d.macs_k * lanes / 16 : 0;
  cycles_set = ceil_div(set_words, d.weight_ports);
  if (reads_parameters(c)) {
    cycles_parameters = ceil_div(kParameterBytes / 16 * groups_k, d.weight_ports);
  }
  if (c.lut_en) cycles_table = ceil_div(16, d.weight_ports);

  uint64_t words = 0;
  if (c.op != Op::kConv) {
    const unsigned group = d.macs_k / 16, rest = c.out_blocks % group;
    const WindowShapes full(command, config, std::min<unsigned>(group, c.out_blocks));
    const WindowShapes last(command, config, rest);
    words = shape_blocks(*this, full, kbs > 1 && rest != 0 ? &last : nullptr) * c.out_blocks;
  } else if (c.packed) {
    words = shape_blocks(*this, PackedShapes(command, config)) * static_cast<uint64_t>(kbs);
  } else {
    words = shape_blocks(*this, ConvShapes(command, config)) * static_cast<uint64_t>(kbs);
  }
  stepped = ports_may_meet(*this);
  // with few banks ports meet that equations keep apart
  const bool longer = c.upsample2 || loader_may_be_late(*this) || d.banks < 16;
  played = cycles_to_play(*this) <= (longer ? kPlayedLonger : kPlayed);

  const uint64_t pixels = uint64_t{c.out_h} * c.out_w * c.out_blocks;
  traffic.features = words * 16;
  traffic.weights = static_cast<uint64_t>(kbs * passes * set_words) * blocks.size() * 16;
  traffic.parameters =
      (reads_parameters(c) ? uint64_t{kParameterBytes} * c.out_blocks : 0) + (c.lut_en ? 256 : 0);
  traffic.second = reads_second(c) ? pixels * second_pixel_bytes(c) : 0;
  traffic.written = pixels * 16 * static_cast<uint64_t>(words_pixel);
}

uint64_t macs(const Command& c) {
  if (!reads_weights(c)) return 0;
  const uint64_t outputs =
      uint64_t{c.out_h} * c.out_w * (16u * (c.out_blocks - 1u) + c.out_lanes_last);
  const uint64_t taps = uint64_t{c.kernel_h} * c.kernel_w;
  if (c.op == Op::kDwconv) return outputs * taps;
  return outputs * taps * (c.packed ? c.packed_ic : 16u * c.in_blocks);
}

}  // namespace presil::dla
