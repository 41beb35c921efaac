// Class-wise greedy non-maximum suppression over rows of tables.
//
// Tensors: {tables f32 [ni, 4 + classes]: x0 y0 x1 y1 scores..} {detections f32 [max, 6], count
// i32} Arithmetic: compiler_bridge/reference/operators/nms.cpp in words: scores > score, best
// first, ties to the lower row, then class; gone if IoU > iou with a taken one of the class.
// Labelled rows hold one score and its class.
//
// 1. Scan: the largest score of some rows is compared with the limit; rows that hold more are
// looked
//    at one by one. 16 classes or more: a vector is a row, 8 rows at a time; else a lane is a row.
//    128 scores: vle32 vfmax. Bound: 0.125 cycles per score (SRAM's port); lanes: 1.
// 2. Sort (sort.h): 25 to 100 cycles per candidate.
// 3. Candidates in order, each against those that are taken of its class (suppress.h). 64 pairs: 6
//    vle32; 2 x (vfmax vfmin vfsub vfmax) vfmul vfadd vfsub vfnmsac, 2 compares. Bound: 14 x 8 / 64
//    = 1.75 cycles per pair, and 100 per candidate.
// At most kMost candidates stand in DTCM. Where there are more, the best kMost / 2 are known when
// room is needed, worse ones need not enter; if those do not fill the detections, the tables are
// scanned again for what comes behind them. The time follows the data; the result is exact.
#include "driver/dsp/params.h"
#include "driver/dsp/sort.h"
#include "driver/dsp/suppress.h"
#include "driver/dsp/walk.h"
#include "driver/dsp/workspace.h"

namespace presil::dsp {
namespace {

constexpr size_t kMost = 4096, kRowsAtOnce = 8;
constexpr uint32_t kLanes = 16;  // fewer classes: a lane is a row

struct Memory {
  Candidates<kMost> found;
  Taken<PRESIL_DSP_NMS_MAX> taken;
};

/// The class behind the score of a labelled row; kNone: it is none.
constexpr uint32_t kNone = ~0u;
uint32_t label_of(float number) {
  if (!(number >= 0.0f && number <= 65535.0f)) return kNone;
  const auto label = static_cast<uint32_t>(number);
  return static_cast<float>(label) == number ? label : kNone;
}

/// Rows of all tables, numbered one after another; a candidate is row << shift | class.
struct Tables {
  const float* rows[PRESIL_DSP_MAX_TENSORS];
  int64_t step[PRESIL_DSP_MAX_TENSORS];  // floats from row to row
  uint32_t first[PRESIL_DSP_MAX_TENSORS + 1];
  uint32_t count = 0, classes = 0, shift = 0;
  bool labelled = false;

  const float* row(uint32_t number) const {
    uint32_t t = 0;
    while (number >= first[t + 1]) ++t;
    return rows[t] + (number - first[t]) * step[t];
  }
};

class Scan {
 public:
  Scan(Turn<kMost>& turn, const Tables& tables, float limit)
      : m_turn(turn), m_tables(tables), m_limit(limit) {}

  void run() {
    m_threshold = m_limit;
    for (uint32_t t = 0; t < m_tables.count; ++t) {
      const uint32_t rows = m_tables.first[t + 1] - m_tables.first[t];
      m_tables.classes < kLanes ? lanes(t, rows) : vectors(t, rows);
    }
  }

 private:
  void vectors(uint32_t table, uint32_t rows) {
    const size_t most = __riscv_vsetvlmax_e32m8(), classes = m_tables.classes;
    const int64_t step = m_tables.step[table];
    const float* row = m_tables.rows[table];
    uint32_t r = 0;
    if (classes <= most) {
      for (; r + kRowsAtOnce <= rows; r += kRowsAtOnce, row += kRowsAtOnce * step) {
        const float* at = row + 4;
        vfloat32m8_t best = __riscv_vfmv_v_f_f32m8(-__builtin_inff(), classes);
        for (unsigned k = 0; k < kRowsAtOnce; k += 2, at += 2 * step) {
          const vfloat32m8_t even = __riscv_vle32_v_f32m8(at, classes);
          const vfloat32m8_t odd = __riscv_vle32_v_f32m8(at + step, classes);
          best = __riscv_vfmax_vv_f32m8(best, even, classes);
          best = __riscv_vfmax_vv_f32m8(best, odd, classes);
          in_order(best);
        }
        const vbool4_t hits = __riscv_vmfgt_vf_f32m8_b4(best, m_threshold, classes);
        if (__riscv_vfirst_m_b4(hits, classes) >= 0) {
          examine(row, step, kRowsAtOnce, m_tables.first[table] + r);
        }
      }
    }
    for (; r < rows; ++r, row += step) examine(row, step, 1, m_tables.first[table] + r);
  }
  void lanes(uint32_t table, uint32_t rows) {
    const int64_t step = m_tables.step[table];
    const float* row = m_tables.rows[table];
    for (size_t r = 0, vl; r < rows; r += vl) {
      vl = __riscv_vsetvl_e32m8(rows - r);
      vfloat32m8_t best = __riscv_vlse32_v_f32m8(row + 4, step * 4, vl);
      for (uint32_t c = 1; c < m_tables.classes; ++c) {
        best = __riscv_vfmax_vv_f32m8(best, __riscv_vlse32_v_f32m8(row + 4 + c, step * 4, vl), vl);
      }
      const vbool4_t hits = __riscv_vmfgt_vf_f32m8_b4(best, m_threshold, vl);
      if (__riscv_vfirst_m_b4(hits, vl) >= 0) {
        uint64_t words[kWords];
        __riscv_vsm_v_b4(reinterpret_cast<uint8_t*>(words), hits, vl);
        each_bit(words, vl, [&](size_t k) {
          const float* at = row + static_cast<int64_t>(k) * step;
          const auto number = m_tables.first[table] + static_cast<uint32_t>(r + k);
          for (uint32_t c = 0; c < m_tables.classes; ++c) {
            if (!(at[4 + c] > m_threshold)) continue;
            if (m_tables.labelled && label_of(at[5]) == kNone) continue;
            take(at[4 + c], number, c);
          }
        });
      }
      row += static_cast<int64_t>(vl) * step;
    }
  }
  /// Rows that may hold candidates: their comparisons first, then what came of them.
  void examine(const float* row, int64_t step, unsigned rows, uint32_t number) {
    uint64_t words[kRowsAtOnce][kWords];
    for (size_t c = 0, vl; c < m_tables.classes; c += vl) {
      vl = __riscv_vsetvl_e32m8(m_tables.classes - c);
      for (unsigned r = 0; r < rows; ++r) {
        const vfloat32m8_t scores = __riscv_vle32_v_f32m8(row + r * step + 4 + c, vl);
        __riscv_vsm_v_b4(reinterpret_cast<uint8_t*>(words[r]),
                         __riscv_vmfgt_vf_f32m8_b4(scores, m_threshold, vl), vl);
      }
      for (unsigned r = 0; r < rows; ++r) {
        each_bit(words[r], vl, [&](size_t k) {
          const auto label = static_cast<uint32_t>(c + k);
          take(row[r * step + 4 + label], number + r, label);
        });
      }
    }
  }
  void take(float score, uint32_t row, uint32_t label) {
    if (!m_turn.take(key_of(score), row << m_tables.shift | label)) {
      m_threshold = score_of(m_turn.limit());
    }
  }
  template <class F>
  static void each_bit(const uint64_t* words, size_t bits, const F& f) {
    for (size_t first = 0; first < bits; first += 64, ++words) {
      uint64_t left = *words;
      if (bits - first < 64) left &= (uint64_t{1} << (bits - first)) - 1;
      for (; left != 0; left &= left - 1) f(first + static_cast<size_t>(__builtin_ctzll(left)));
    }
  }

  static constexpr size_t kWords = 4;  // 256 lanes at VLEN 1024
  Turn<kMost>& m_turn;
  const Tables& m_tables;
  float m_limit, m_threshold = 0;
};

bool above(const Box& a, const Box& b, float limit) {
  const float width = (b.a1 < a.a1 ? b.a1 : a.a1) - (a.a0 < b.a0 ? b.a0 : a.a0);
  const float height = (b.b1 < a.b1 ? b.b1 : a.b1) - (a.b0 < b.b0 ? b.b0 : a.b0);
  if (!(width > 0.0f) || !(height > 0.0f)) return false;
  const float inter = width * height;
  const float together = (a.area() + b.area()) - inter;
  return together > 0.0f && inter / together > limit;
}

int32_t read_tables(const DLTensor* in, const DLTensor* out, const presil_dsp_nms& params,
                    Tables& tables) {
  const uint32_t count = presil_dsp_inputs();
  if (count == 0 || presil_dsp_outputs() != 2) return PRESIL_DSP_REFUSED_COUNT;
  if (!(params.iou >= 0.0f) || params.max == 0 || params.max > PRESIL_DSP_NMS_MAX ||
      params.classes == 0 || params.classes > 65535 || params.labelled > 1 ||
      (params.labelled != 0 && params.classes != 1)) {
    return PRESIL_DSP_REFUSED_PARAMS;
  }
  if (!is_float(out[0]) || !is(out[1], 0, 32)) return PRESIL_DSP_REFUSED_TYPE;
  if (presil_dsp_elements(&out[0]) != 6 * static_cast<int64_t>(params.max) ||
      presil_dsp_elements(&out[1]) != 1) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  tables.count = count;
  tables.classes = params.classes;
  tables.labelled = params.labelled != 0;
  const int64_t width = tables.labelled ? 6 : 4 + static_cast<int64_t>(params.classes);
  while ((params.classes - 1) >> tables.shift != 0) ++tables.shift;
  uint64_t rows = 0;
  for (uint32_t t = 0; t < count; ++t) {
    if (!is_float(in[t])) return PRESIL_DSP_REFUSED_TYPE;
    if (in[t].ndim != 2 || in[t].shape[1] != width || !rows_are_dense(in[t])) {
      return PRESIL_DSP_REFUSED_SHAPE;
    }
    tables.rows[t] = static_cast<const float*>(presil_dsp_data(&in[t]));
    tables.step[t] = in[t].strides[0];
    tables.first[t] = static_cast<uint32_t>(rows);
    rows += static_cast<uint64_t>(in[t].shape[0]);
  }
  tables.first[count] = static_cast<uint32_t>(rows);
  return rows << tables.shift >> 32 != 0 ? PRESIL_DSP_REFUSED_SHAPE : PRESIL_DSP_DONE;
}

int32_t nms(const DLTensor* in, DLTensor* out, const presil_dsp_nms* params) {
  Tables tables;
  const int32_t refused = read_tables(in, out, *params, tables);
  if (refused != 0) return refused;
  auto* detection = static_cast<float*>(presil_dsp_data(&out[0]));
  for (size_t i = 0, vl; i < 6 * params->max; i += vl) {
    vl = __riscv_vsetvl_e32m8(6 * params->max - i);
    __riscv_vse32_v_u32m8(reinterpret_cast<uint32_t*>(detection) + i, __riscv_vmv_v_x_u32m8(0, vl),
                          vl);
  }
  auto& memory = workspace<Memory>();
  Candidates<kMost>& found = memory.found;
  auto& taken = memory.taken;
  taken.clear();
  Turn<kMost> turn(found);
  Scan scan(turn, tables, params->score);
  const auto is_above = [limit = params->iou](const Box& a, const Box& b) {
    return above(a, b, limit);
  };
  turn.begin();
  for (;; turn.next()) {
    scan.run();
    found.sort();
    for (size_t i = 0; i < found.n && taken.count() < params->max; ++i) {
      const uint32_t what = found.what[i];
      const float* row = tables.row(what >> tables.shift);
      const uint32_t label = tables.labelled ? label_of(row[5]) : what & ((1u << tables.shift) - 1);
      const Box box = {row[0], row[1], row[2], row[3]};
      if (taken.suppresses(box, label, params->iou, is_above)) continue;
      taken.add(box, label);
      detection[0] = box.a0, detection[1] = box.b0, detection[2] = box.a1, detection[3] = box.b1;
      detection[4] = row[tables.labelled ? 4 : 4 + label];
      detection[5] = static_cast<float>(label);
      detection += 6;
    }
    if (turn.complete() || taken.count() == params->max) break;
  }
  *static_cast<int32_t*>(presil_dsp_data(&out[1])) = static_cast<int32_t>(taken.count());
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(nms)

}  // namespace presil::dsp
