// rtl/dla/README.md: "A command" says which words are read, "Data in SRAM" where they lie.
#include <algorithm>

#include "compiler_bridge/replay/accesses.h"
#include "compiler_bridge/replay/spans.h"

namespace presil::replay {
namespace {

using dla::Op;

int64_t ceil_div(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

/// Which of `extent` rows (columns) taps of the window meet, as runs of neighbours.
struct Run {
  int64_t first = 0, count = 0;
};
std::vector<Run> met(int64_t outputs, int64_t stride, int64_t pad, int64_t taps, int64_t dilation,
                     int64_t extent) {
  std::vector<bool> seen(static_cast<size_t>(extent), false);
  for (int64_t o = 0; o < outputs; ++o) {
    for (int64_t t = 0; t < taps; ++t) {
      const int64_t at = o * stride - pad + t * dilation;
      if (at >= 0 && at < extent) seen[static_cast<size_t>(at)] = true;
    }
  }
  std::vector<Run> runs;
  for (int64_t at = 0; at < extent; ++at) {
    if (!seen[static_cast<size_t>(at)]) continue;
    if (runs.empty() || runs.back().first + runs.back().count != at) runs.push_back({at, 0});
    ++runs.back().count;
  }
  return runs;
}

class Bytes {
 public:
  Bytes(const dla::Command& command, const Array& array) : m_c(command), m_array(array) {}

  std::vector<Access> all() {
    if (m_c.op == Op::kNop) return {};
    if (m_c.op == Op::kConv || m_c.op == Op::kDwconv) weights();
    const bool maxpool = m_c.op == Op::kMaxpool;
    if (!maxpool && !(m_c.op == Op::kPass && m_c.rule == dla::Rule::kNone)) {
      one(kWeights, "parameters", m_c.p_base, int64_t{144} * m_c.out_blocks);
    }
    if (m_c.lut_en) one(kWeights, "table", m_c.lut_base, 256);
    m_c.packed ? packed_input() : input();
    const bool sums = m_c.acc_init == dla::AccInit::kInt32;
    if (sums || m_c.ew_op != dla::EwOp::kNone) {
      Spans spans;
      pixels(spans, m_c.res_base, m_c.out_h, m_c.out_w, m_c.res_row_pitch, m_c.res_cb_pitch,
             m_c.res_x_step, sums ? 64 : 16);
      add(kIn, false, sums ? "partial sums" : "second operand", spans);
    }
    output();
    return std::move(m_all);
  }

 private:
  void add(Gate gate, bool write, const char* what, Spans& spans) {
    m_all.push_back({gate, write, what, spans.take()});
  }
  void one(Gate gate, const char* what, int64_t base, int64_t bytes) {
    Spans spans;
    spans.add(base, bytes);
    add(gate, false, what, spans);
  }

  void weights() {
    const bool dw = m_c.op == Op::kDwconv;
    const int64_t kbs = ceil_div(int64_t{16} * m_c.out_blocks, m_array.macs_k);
    int64_t n = 0, sets = 0, bytes = int64_t{m_array.macs_k} * 16;
    if (dw) {
      n = ceil_div(m_c.kernel_h, 4);
      sets = m_c.dil_x > 1 ? m_c.kernel_w : ceil_div(m_c.kernel_w, 4);
    } else if (m_c.packed) {
      n = m_c.in_blocks, sets = m_c.kernel_h;
    } else {
      n = ceil_div(int64_t{16} * m_c.in_blocks, m_array.macs_c);
      sets = int64_t{m_c.kernel_h} * m_c.kernel_w;
      bytes = int64_t{m_array.macs_k} * m_array.macs_c;
    }
    // Of channels after the last (out_lanes_last) the weights may be anything: 0 is written.
    const int64_t channels = int64_t{16} * (m_c.out_blocks - 1) + m_c.out_lanes_last;
    Spans spans;
    for (int64_t kb = 0; kb < kbs; ++kb) {
      const int64_t rows = std::min<int64_t>(m_array.macs_k, channels - kb * m_array.macs_k);
      const int64_t used = std::max<int64_t>(0, rows) * (bytes / m_array.macs_k);
      for (int64_t cb = 0; cb < n; ++cb) {
        const int64_t at = m_c.w_base + kb * m_c.w_kb_pitch + cb * m_c.w_cb_pitch;
        spans.pixels(at, sets, bytes, used);
      }
    }
    add(kWeights, false, "weights", spans);
  }

  void input() {
    const bool pass = m_c.op == Op::kPass;
    const std::vector<Run> rows =
        met(m_c.out_h, m_c.stride_y, m_c.pad_top, pass ? 1 : m_c.kernel_h, m_c.dil_y, m_c.in_h);
    const std::vector<Run> columns =
        met(m_c.out_w, m_c.stride_x, m_c.pad_left, pass ? 1 : m_c.kernel_w, m_c.dil_x, m_c.in_w);
    std::vector<int64_t> blocks;
    for (int64_t kb = 0; kb < m_c.out_blocks; ++kb) {
      for (int64_t cb = 0; cb < m_c.in_blocks; ++cb) blocks.push_back(cb + kb * m_c.in_kb_step);
    }
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    Spans spans;
    for (const int64_t block : blocks) {
      for (const Run& r : rows) {
        for (int64_t y = r.first; y < r.first + r.count; ++y) {
          const int64_t row = m_c.in_base + block * m_c.in_cb_pitch + y * m_c.in_row_pitch;
          for (const Run& x : columns) {
            spans.pixels(row + x.first * m_c.in_x_step, x.count, m_c.in_x_step, 16);
          }
        }
      }
    }
    add(kIn, false, "input", spans);
  }

  /// Of each row the bytes up to the last that a window needs; the first window begins with byte 0
  /// or before it.
  void packed_input() {
    const int64_t last = (int64_t{m_c.out_w} - 1) * m_c.stride_x - m_c.pad_left + m_c.kernel_w;
    const int64_t bytes = std::min<int64_t>(m_c.row_bytes, last * m_c.packed_ic);
    Spans spans;
    for (const Run& r :
         met(m_c.out_h, m_c.stride_y, m_c.pad_top, m_c.kernel_h, m_c.dil_y, m_c.in_h)) {
      for (int64_t y = r.first; y < r.first + r.count; ++y) {
        if (bytes > 0) spans.add(m_c.in_base + y * m_c.in_row_pitch, bytes);
      }
    }
    add(kIn, false, "input", spans);
  }

  void pixels(Spans& spans, int64_t base, int64_t h, int64_t w, int64_t row_pitch,
              int64_t block_pitch, int64_t x_step, int64_t bytes) {
    for (int64_t block = 0; block < m_c.out_blocks; ++block) {
      for (int64_t y = 0; y < h; ++y) {
        spans.pixels(base + block * block_pitch + y * row_pitch, w, x_step, bytes);
      }
    }
  }

  void output() {
    const int64_t times = m_c.upsample2 ? 2 : 1;
    Spans spans;
    pixels(spans, m_c.out_base, m_c.out_h * times, m_c.out_w * times, m_c.out_row_pitch,
           m_c.out_cb_pitch, m_c.out_x_step, m_c.out_type == dla::OutType::kInt32 ? 64 : 16);
    add(kOut, true, "output", spans);
  }

  const dla::Command& m_c;
  const Array& m_array;
  std::vector<Access> m_all;
};

}  // namespace

std::vector<Access> accesses_of(const dla::Command& command, const Array& array) {
  return Bytes(command, array).all();
}

}  // namespace presil::replay
