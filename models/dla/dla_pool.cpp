// maxpool, sumpool and pass: windows of each channel by itself, straight from memory.
#include <algorithm>

#include "models/dla/dla_core.h"

namespace presil::dla {
namespace {

int32_t wrapped_sum(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

// Columns of the output whose tap kx lies inside the image: first .. last - 1.
struct Span {
  int first, last;
};
Span columns_inside(const Command& c, unsigned kx) {
  const int start = static_cast<int>(kx * c.dil_x) - c.pad_left;  // input column of output column 0
  const int stride = c.stride_x;
  const int first = start >= 0 ? 0 : (-start + stride - 1) / stride;
  const int last = start >= c.in_w ? 0 : (c.in_w - 1 - start) / stride + 1;
  return {first, std::min<int>(last, c.out_w)};
}

// Calls visit(x, word) for every tap of output row y that lies inside the image.
template <class Visit>
void visit_taps(const Command& c, const uint8_t* sram, unsigned block, unsigned y,
                const Visit& visit) {
  const uint8_t* plane = sram + c.in_base + size_t{block} * c.in_kb_step * c.in_cb_pitch;
  for (unsigned ky = 0; ky < c.kernel_h; ++ky) {
    const int row = static_cast<int>(y * c.stride_y + ky * c.dil_y) - c.pad_top;
    if (row < 0 || row >= c.in_h) continue;
    for (unsigned kx = 0; kx < c.kernel_w; ++kx) {
      const Span inside = columns_inside(c, kx);
      if (inside.first >= inside.last) continue;
      const int column = inside.first * c.stride_x + static_cast<int>(kx * c.dil_x) - c.pad_left;
      const uint8_t* word = plane + static_cast<size_t>(row) * c.in_row_pitch +
                            static_cast<size_t>(column) * c.in_x_step;
      const ptrdiff_t step = static_cast<ptrdiff_t>(c.stride_x) * c.in_x_step;
      for (int x = inside.first; x < inside.last; ++x, word += step) {
        visit(static_cast<size_t>(x), reinterpret_cast<const int8_t*>(word));
      }
    }
  }
}

}  // namespace

// The largest value of the window; -128 where the window lies wholly outside.
void Core::maximum_row(const Task& task, unsigned block, unsigned y) {
  std::fill(m_acc.begin(), m_acc.end(), -128);
  visit_taps(task.command, task.sram, block, y, [&](size_t x, const int8_t* word) {
    int32_t* acc = &m_acc[x * kLanes];
    for (size_t k = 0; k < kLanes; ++k) acc[k] = std::max<int32_t>(acc[k], word[k]);
  });
}

void Core::sum_row(const Task& task, unsigned block, unsigned y) {
  visit_taps(task.command, task.sram, block, y, [&](size_t x, const int8_t* word) {
    int32_t* acc = &m_acc[x * kLanes];
    for (size_t k = 0; k < kLanes; ++k) acc[k] = wrapped_sum(acc[k], word[k]);
  });
}

void Core::pool(const Task& task) {
  const Command& c = task.command;
  for (unsigned block = 0; block < c.out_blocks; ++block) {
    const Requantise requantise(c, task.sram, block);
    for (unsigned y = 0; y < c.out_h; ++y) {
      start_rows(task, requantise, block, y, 1);
      if (c.op == Op::kMaxpool) {
        maximum_row(task, block, y);
      } else {
        sum_row(task, block, y);
        if (c.op == Op::kPass) pad_row(task, y);
      }
      finish_rows(task, requantise, block, y, 1);
    }
  }
}

// A pass pixel outside the image takes the padding value.
void Core::pad_row(const Task& task, unsigned y) {
  const Command& c = task.command;
  const int row = static_cast<int>(y * c.stride_y) - c.pad_top;
  const bool outside = row < 0 || row >= c.in_h;
  const Span inside = columns_inside(c, 0);
  for (int x = 0; x < c.out_w; ++x) {
    if (!outside && x >= inside.first && x < inside.last) continue;
    int32_t* acc = &m_acc[static_cast<size_t>(x) * kLanes];
    for (size_t k = 0; k < kLanes; ++k) acc[k] = wrapped_sum(acc[k], c.pad_value);
  }
}

}  // namespace presil::dla
