// int32 sums of the DLA, as it writes them: 16 channels of a pixel are four columns of 16 bytes.
#pragma once

#include <riscv_vector.h>

#include "driver/kernels/dsp/blocks.h"
#include "driver/kernels/dsp/fixed.h"

namespace presil::dsp {

class Sums {
 public:
  static constexpr int64_t kColumns = 4;  ///< of bytes, that a pixel has

  const bool fits;

  explicit Sums(const DLTensor& t) : fits(fit(Blocks(t))), m_bytes(t) {}

  int64_t rows() const { return m_bytes.rows; }
  int64_t columns() const { return m_bytes.columns / kColumns; }
  int64_t channels() const { return m_bytes.channels; }

  /// Rows follow one another without a gap.
  bool is_one_row() const { return m_bytes.row == m_bytes.columns * m_bytes.column; }

  /// The 16 channels of a pixel, and those of the next one, follow one another.
  bool is_in_words() const { return m_bytes.column == Blocks::kLanes; }
  /// Where they do, of the first pixel of a row.
  const int32_t* words(int64_t first, int64_t y) const {
    const char* at = m_bytes.at(y, 0) + first / Blocks::kLanes * m_bytes.block;
    return reinterpret_cast<const int32_t*>(at) + first % Blocks::kLanes;
  }

  /// Of channels from `first`, a multiple of 4, on, of one block.
  vint32m2_t load(int64_t first, int64_t y, int64_t x, size_t vl) const {
    const int64_t lane = first % Blocks::kLanes;
    const char* at = m_bytes.at(y, kColumns * x) + first / Blocks::kLanes * m_bytes.block;
    const auto words = [&](int64_t column) {
      return reinterpret_cast<const int32_t*>(at + column * m_bytes.column);
    };
    if (m_bytes.column == Blocks::kLanes) return __riscv_vle32_v_i32m2(words(0) + lane, vl);
    vint32m2_t all = __riscv_vle32_v_i32m2(words(lane / 4), kWords);
    for (size_t made = kWords; made < vl; made += kWords) {
      const auto column = (lane + static_cast<int64_t>(made)) / 4;
      all = __riscv_vslideup_vx_i32m2(all, __riscv_vle32_v_i32m2(words(column), kWords), made,
                                      made + kWords);
    }
    return all;
  }

  int32_t one(int64_t channel, int64_t y, int64_t x) const {
    const int64_t lane = channel % Blocks::kLanes;
    const char* at =
        m_bytes.at(y, kColumns * x + lane / 4) + channel / Blocks::kLanes * m_bytes.block;
    return reinterpret_cast<const int32_t*>(at)[lane % 4];
  }

 private:
  static constexpr size_t kWords = 4;  ///< of a column of bytes
  static bool fit(const Blocks& bytes) {
    return bytes.fits && bytes.columns % kColumns == 0 && bytes.channels % Blocks::kLanes == 0;
  }
  Blocks m_bytes;
};

}  // namespace presil::dsp
