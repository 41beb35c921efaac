// conv and dwconv: every kernel, stride, dilation, padding and pitch through one plane of input
// words.
#include <algorithm>

#include "models/dla/dla_core.h"
#include "models/dla/dla_shape.h"

namespace presil::dla {

// Pixels of rows that touch in the plane, whose accumulators fit a first-level cache.
constexpr unsigned kPixelsTogether = 256;

// Weights of output block `block` in the order of m_offset. In memory a set is macs_k rows of
// macs_c lanes (packed, dwconv: of 16), of which a block of 16 x 16 is used.
void Core::pack_weights(const Task& task, unsigned block) {
  const Command& c = task.command;
  const unsigned lanes = c.op == Op::kConv && !c.packed ? m_config.macs_c : 16;
  const size_t set_bytes = size_t{m_config.macs_k} * lanes;
  const unsigned kb = block * 16 / m_config.macs_k, k0 = block * 16 % m_config.macs_k;
  const uint8_t* group = task.sram + c.w_base + size_t{kb} * c.w_kb_pitch + size_t{k0} * lanes;
  int16_t* to = m_weights.data();
  if (c.op == Op::kConv) {
    const unsigned sets = c.kernel_h * (c.packed ? 1u : c.kernel_w);
    for (unsigned b = 0; b < c.in_blocks; ++b) {
      const uint8_t* set = group + size_t{b * 16 / lanes} * c.w_cb_pitch + b * 16 % lanes;
      for (unsigned s = 0; s < sets; ++s, to += kSetBytes, set += set_bytes) {
        vector_loops().pair_weights(set, lanes, c.w_zero, to);
      }
    }
    return;
  }
  for (unsigned ky = 0; ky < c.kernel_h; ++ky) {
    for (unsigned kx = 0; kx < c.kernel_w; ++kx, to += kLanes) {
      const Tap tap = tap_of(c, ky, kx);
      const uint8_t* set =
          group + size_t{tap.chunk_row} * c.w_cb_pitch + tap.chunk_column * set_bytes;
      for (unsigned k = 0; k < kLanes; ++k) {
        const int weight = static_cast<int8_t>(set[k * kLanes + tap.lane]);
        to[k] = static_cast<int16_t>(weight - c.w_zero);
      }
    }
  }
}

void Core::convolve(const Task& task) {
  const Command& c = task.command;
  const VectorLoops& loops = vector_loops();
  const bool depthwise = c.op == Op::kDwconv;
  const unsigned in_blocks = depthwise ? 1 : c.in_blocks;
  const unsigned columns = c.packed ? 1 : c.kernel_w;
  m_plane.begin(c, task.sram);
  const unsigned together = m_plane.rows_touch() ? std::max(1u, kPixelsTogether / c.out_w) : 1;
  m_offset.resize(size_t{in_blocks} * c.kernel_h * columns);
  m_weights.resize(m_offset.size() * (depthwise ? kLanes : kSetBytes));

  for (unsigned first = 0; first < c.out_h; first += m_plane.rows_at_once()) {
    const unsigned rows = std::min(m_plane.rows_at_once(), c.out_h - first);
    for (unsigned block = 0; block < c.out_blocks; ++block) {
      if (block == 0 || c.in_kb_step != 0) {
        m_plane.fill(first, rows, block * c.in_kb_step);
        auto offset = m_offset.begin();
        for (unsigned b = 0; b < in_blocks; ++b) {
          for (unsigned ky = 0; ky < c.kernel_h; ++ky) {
            for (unsigned kx = 0; kx < columns; ++kx) *offset++ = m_plane.offset(b, ky, kx);
          }
        }
      }
      pack_weights(task, block);
      const Requantise requantise(c, task.sram, block);
      for (unsigned y = 0; y < rows; y += together) {
        const unsigned now = std::min(together, rows - y);
        // From the bias, or from the partial sums that start_rows reads.
        const bool bias = c.acc_init == AccInit::kBias;
        if (bias) {
          m_acc.resize(size_t{now} * c.out_w * kLanes);
        } else {
          start_rows(task, requantise, block, first + y, now);
        }
        (depthwise ? loops.convolve_lanes : loops.convolve)(
            m_plane.at(y), m_offset.data(), m_offset.size(), m_weights.data(),
            size_t{now} * c.out_w, bias ? requantise.bias() : m_acc.data(), bias ? 0 : kLanes,
            m_acc.data());
        finish_rows(task, requantise, block, first + y, now);
      }
    }
  }
}

}  // namespace presil::dla
