#include "models/dla/dla_core.h"

#include <cstring>

#include "models/dla/dla_shape.h"

namespace presil::dla {
namespace {

// Offset of an output row in the results.
size_t row_offset(const Command& c, unsigned block, unsigned y) {
  return (size_t{block} * c.out_h + y) * c.out_w * output_pixel_bytes(c);
}

// Address of pixel (y, 0) of block `block` of the second operand or the partial sums.
const uint8_t* second_row(const Command& c, const uint8_t* sram, unsigned block, unsigned y) {
  return sram + c.res_base + size_t{block} * c.res_cb_pitch + size_t{y} * c.res_row_pitch;
}

}  // namespace

void Core::compute(const Command& c, const uint8_t* sram, Results& results) {
  if (c.op == Op::kNop) {
    results.clear();
    return;
  }
  results.resize(row_offset(c, c.out_blocks, 0));
  const Task task{c, sram, results.data()};
  if (c.op == Op::kConv || c.op == Op::kDwconv) {
    convolve(task);
  } else {
    pool(task);
  }
}

void Core::start_rows(const Task& task, const Requantise& requantise, unsigned block, unsigned y,
                      unsigned rows) {
  const Command& c = task.command;
  m_acc.resize(size_t{rows} * c.out_w * kLanes);
  int32_t* acc = m_acc.data();
  if (c.acc_init == AccInit::kBias) {
    for (size_t p = 0; p < size_t{rows} * c.out_w; ++p, acc += kLanes) {
      std::memcpy(acc, requantise.bias(), kLanes * sizeof(int32_t));
    }
    return;
  }
  for (unsigned r = 0; r < rows; ++r) {
    const uint8_t* from = second_row(c, task.sram, block, y + r);
    for (size_t x = 0; x < c.out_w; ++x, from += c.res_x_step, acc += kLanes) {
      for (size_t k = 0; k < kLanes; ++k) acc[k] = int32_at(from + 4 * k);
    }
  }
}

void Core::finish_rows(const Task& task, const Requantise& requantise, unsigned block, unsigned y,
                       unsigned rows) {
  const Command& c = task.command;
  const size_t pixels = size_t{rows} * c.out_w;
  uint8_t* to = task.results + row_offset(c, block, y);
  if (c.out_type == OutType::kInt32) {
    requantise.sums(m_acc.data(), pixels, to);
    return;
  }
  if (c.ew_op != EwOp::kNone) {
    m_second.resize(pixels * kLanes);
    uint8_t* second = m_second.data();
    for (unsigned r = 0; r < rows; ++r) {
      const uint8_t* from = second_row(c, task.sram, block, y + r);
      for (size_t x = 0; x < c.out_w; ++x, from += c.res_x_step, second += kLanes) {
        std::memcpy(second, from, kLanes);
      }
    }
  }
  requantise.bytes(m_acc.data(), pixels, m_second.data(), to);
}

void Core::store(const Command& c, const Results& results, uint8_t* sram) {
  if (c.op == Op::kNop) return;
  const size_t pixel = output_pixel_bytes(c);
  const unsigned copies = c.upsample2 ? 2 : 1;
  const uint8_t* from = results.data();
  for (unsigned block = 0; block < c.out_blocks; ++block) {
    for (unsigned y = 0; y < c.out_h; ++y) {
      uint8_t* row =
          sram + c.out_base + size_t{block} * c.out_cb_pitch + size_t{y} * copies * c.out_row_pitch;
      if (copies == 1 && c.out_x_step == pixel) {
        std::memcpy(row, from, c.out_w * pixel);
        from += c.out_w * pixel;
        continue;
      }
      for (unsigned x = 0; x < c.out_w; ++x, from += pixel) {
        for (unsigned i = 0; i < copies * copies; ++i) {
          const size_t column = size_t{x} * copies + i % copies;
          std::memcpy(row + size_t{i / copies} * c.out_row_pitch + column * c.out_x_step, from,
                      pixel);
        }
      }
    }
  }
}

void Core::execute(const Command& c, uint8_t* sram) {
  compute(c, sram, m_results);
  store(c, m_results, sram);
}

}  // namespace presil::dla
