// Class-wise greedy non-maximum suppression over rows of tables.
//
// Tensors: {tables f32 [ni, 4 + classes]: x0 y0 x1 y1 scores..} {detections f32 [max, 6], count
// i32} Arithmetic: compiler_bridge/reference/operators/nms.cpp in words: scores > score, best
// first, ties to the lower row, then class; gone if IoU > iou with a taken one of the class.
// Labelled rows hold one score and its class.
//
// 1. Scan: scores are compared with the limit; what is left of them is a bit each. A vector is a
//    row, or, of dense tables with few classes, some rows, boxes and all.
// 2. Bits become positions, then candidates. 3. These are put in order (sort.h), as far as
// 4. boxes that come up are compared with those that are taken (greedy.h), 64 prepared at a time.
//
// Bound: 0.125 cycles per float of the scan (SRAM's port; vmfgt as long). 61 per candidate: 16 of
// the core to find a bit (ctz sh2add lwu add for a word, ctz add sw addi for a bit, addi and bnez
// for the next one, of words with a branch back); 1.5 to enter it (12 instructions on a lane / 8);
// 40 to put it in order; 4 to come up (16 on a lane, then 7 vle32 and an element of vluxei32). 1.25
// per pair of boxes compared, 60 per box that is taken, 0.75 per detection that there might be.
//
// At most Candidates::kMost stand in DTCM. Where there are more, the best half of these is known
// when room is needed, worse ones need not enter; if those do not fill the detections, the tables
// are scanned again for what follows them. The time follows the data; the result is exact.
#include "driver/kernels/dsp/greedy.h"
#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/sort.h"
#include "driver/kernels/dsp/walk.h"
#include "driver/kernels/dsp/workspace.h"

namespace presil::dsp {
namespace {

constexpr size_t kPositions = 2304;

/// Rows of all tables, numbered one after another; a candidate is row << shift | class.
struct Tables {
  const float* rows[PRESIL_DSP_MAX_TENSORS];
  int64_t step[PRESIL_DSP_MAX_TENSORS];  // floats from row to row
  uint32_t first[PRESIL_DSP_MAX_TENSORS + 1];
  uint32_t count = 0, classes = 0, shift = 0, width = 0;
  bool labelled = false;
};

/// Scores above a limit, by units of floats that one load takes: a row's scores, or as many of them
/// as a register group holds; of dense tables with few classes some rows, boxes and all, whose
/// boxes a mask leaves out. Each unit leaves a bit for every score; words with ones in them are
/// looked for when there is a register group of words.
class Scan {
  static constexpr size_t kUnits = 128;

 public:
  struct Found {
    uint32_t bits[kUnits * 8];  // of a group of units
    uint32_t position[kPositions];
  };
  Scan(Found& found, Turn& turn, const Tables& tables, float limit)
      : m_found(found),
        m_turn(turn),
        m_tables(tables),
        m_limit(limit),
        m_lanes(__riscv_vsetvlmax_e32m8()),
        m_words(m_lanes / 32),
        m_to(found.position) {}

  void run() {
    m_threshold = m_limit;
    for (m_table = 0; m_table < m_tables.count; ++m_table) table();
  }

 private:
  struct Units {
    const float* at;
    size_t pitch;    // floats from one to the next
    uint32_t first;  // number of the first one
  };

  void table() {
    const uint32_t t = m_table, rows = m_tables.first[t + 1] - m_tables.first[t];
    const auto step = static_cast<size_t>(m_tables.step[t]);
    const size_t classes = m_tables.classes;
    m_dense = step == m_tables.width && 2 * step <= m_lanes;
    const size_t together = m_dense ? m_lanes / step : 1,
                 floats = m_dense ? together * step : classes;
    m_bits = floats < m_lanes ? (floats + 7) & ~size_t{7} : m_lanes;
    if (m_bits < m_lanes) __builtin_memset(m_found.bits, 0, sizeof m_found.bits);
    Units units{m_tables.rows[t] + (m_dense ? 0 : 4), together * step, 0};
    m_per_row = 0;
    while (classes > m_lanes << m_per_row) ++m_per_row;
    if (floats <= m_lanes) {
      several(units, rows / together, floats);
      const size_t rest = rows % together;
      if (rest > 0) several(units, 1, rest * step);
    } else {
      for (uint32_t row = 0; row < rows; ++row) {
        Units own{units.at + row * step, m_lanes, row << m_per_row};
        several(own, classes / m_lanes, m_lanes);
        if (classes % m_lanes != 0) several(own, 1, classes % m_lanes);
      }
    }
    enter();
  }
  void several(Units& units, size_t count, size_t floats) {
    while (count > 0) {
      const size_t some = count < kUnits ? count : kUnits;
      group(units, some, floats);
      units.at += some * units.pitch, units.first += static_cast<uint32_t>(some);
      count -= some;
    }
  }
  [[gnu::noinline]] void group(const Units& units, size_t count, size_t floats) {
    const size_t bits = m_bits;
    const vuint16m4_t lane = __riscv_vid_v_u16m4(bits);
    vbool4_t own = __riscv_vmsltu_vx_u16m4_b4(lane, static_cast<uint16_t>(floats), bits);
    if (m_dense) {  // of each row what follows its box
      const auto step = static_cast<uint16_t>(m_tables.width);
      const vuint16m4_t row =
          __riscv_vmulhu_vx_u16m4(lane, static_cast<uint16_t>(65536 / step + 1), bits);
      const vuint16m4_t column = __riscv_vnmsac_vx_u16m4(lane, step, row, bits);
      const auto end = static_cast<uint16_t>(4 + m_tables.classes);
      own = __riscv_vmand_mm_b4(own, __riscv_vmsgtu_vx_u16m4_b4(column, 3, bits), bits);
      own = __riscv_vmand_mm_b4(own, __riscv_vmsltu_vx_u16m4_b4(column, end, bits), bits);
    }
    vfloat32m8_t v = __riscv_vfmv_v_f_f32m8(-__builtin_inff(), bits);
    const float* at = units.at;
    const size_t pitch = units.pitch, bytes = 4 * m_words;
    const float threshold = m_threshold;
    const auto hits = [&] {
      v = __riscv_vle32_v_f32m8_mu(own, v, at, bits);
      at += pitch;
      return __riscv_vmfgt_vf_f32m8_b4(v, threshold, bits);
    };
    // A comparison is stored after the next one's load: nothing waits for it.
    auto* to = reinterpret_cast<uint8_t*>(m_found.bits);
    vbool4_t before = hits();
    size_t left = count - 1;
    for (; left >= 2; left -= 2, to += 2 * bytes) {
      const vbool4_t one = hits();
      __riscv_vsm_v_b4(to, before, bits);
      in_order(v);
      before = hits();
      __riscv_vsm_v_b4(to + bytes, one, bits);
      in_order(v);
    }
    if (left > 0) {
      const vbool4_t one = hits();
      __riscv_vsm_v_b4(to, before, bits);
      to += bytes, before = one;
    }
    __riscv_vsm_v_b4(to, before, bits);
    look(units, count);
  }
  /// Bits that are set become positions: number of the unit * lanes + lane.
  void look(const Units& units, size_t count) {
    const auto lanes = static_cast<uint32_t>(m_lanes);
    uint32_t first = units.first * lanes;
    for (size_t base = 0; base < count * m_words; base += m_lanes, first += 32 * lanes) {
      const size_t words = count * m_words - base < m_lanes ? count * m_words - base : m_lanes;
      const vuint32m8_t bits = __riscv_vle32_v_u32m8(m_found.bits + base, words);
      const vbool4_t some = __riscv_vmsne_vx_u32m8_b4(bits, 0, words);
      if (__riscv_vfirst_m_b4(some, words) < 0) continue;
      uint64_t set[4];
      __riscv_vsm_v_b4(reinterpret_cast<uint8_t*>(set), some, words);
      for (size_t part = 0; part < words; part += 64) {
        uint64_t left = set[part / 64];
        if (words - part < 64) left &= (uint64_t{1} << (words - part)) - 1;
        expand(left, m_found.bits + base + part, first + 32 * static_cast<uint32_t>(part));
      }
    }
  }
  /// Of 64 words those that are not 0.
  void expand(uint64_t some, const uint32_t* words, uint32_t first) {
    if (m_to > m_found.position + kPositions - 64 * 32) enter();
    uint32_t* to = m_to;
    for (; some != 0; some &= some - 1) {
      const auto word = static_cast<uint32_t>(__builtin_ctzll(some));
      const uint32_t at = first + 32 * word;
      uint64_t ones = words[word];
      do *to++ = at + static_cast<uint32_t>(__builtin_ctzll(ones));
      while ((ones &= ones - 1) != 0);
    }
    m_to = to;
  }
  /// Positions in this table become candidates.
  [[gnu::noinline]] void enter() {
    const uint32_t t = m_table, shift = m_tables.shift;
    const auto step = static_cast<uint32_t>(m_tables.step[t]);
    const auto lanes = static_cast<uint32_t>(m_lanes);
    const unsigned row_log2 = static_cast<unsigned>(__builtin_ctz(lanes)) + m_per_row;
    const uint32_t together = lanes / step, quotient = 65536 / step + 1;
    size_t left = static_cast<size_t>(m_to - m_found.position);
    const uint32_t* position = m_to = m_found.position;
    for (size_t vl; left > 0; left -= vl, position += vl) {
      vl = __riscv_vsetvl_e32m4(left);
      const vuint32m4_t at = __riscv_vle32_v_u32m4(position, vl);
      vuint32m4_t row = __riscv_vsrl_vx_u32m4(at, row_log2, vl);
      vuint32m4_t label = __riscv_vand_vx_u32m4(at, (1u << row_log2) - 1, vl);
      if (m_dense) {  // a unit, and a float in it, which is less than 256: quotient by step, rest
        const vuint32m4_t down =
            __riscv_vsrl_vx_u32m4(__riscv_vmul_vx_u32m4(label, quotient, vl), 16, vl);
        row = __riscv_vmacc_vx_u32m4(down, together, row, vl);
        label = __riscv_vsub_vx_u32m4(__riscv_vnmsac_vx_u32m4(label, step, down, vl), 4, vl);
      }
      const vuint32m4_t offset =
          __riscv_vsll_vx_u32m4(__riscv_vmacc_vx_u32m4(label, step, row, vl), 2, vl);
      const vfloat32m4_t score = __riscv_vluxei32_v_f32m4(m_tables.rows[t] + 4, offset, vl);
      row = __riscv_vadd_vx_u32m4(row, m_tables.first[t], vl);
      const vuint32m4_t what =
          __riscv_vor_vv_u32m4(__riscv_vsll_vx_u32m4(row, shift, vl), label, vl);
      m_turn.take(keys_of(score, vl), what, vl);
    }
    if (!m_turn.complete()) m_threshold = score_of(static_cast<uint32_t>(m_turn.limit() >> 32));
  }

  Found& m_found;
  Turn& m_turn;
  const Tables& m_tables;
  const float m_limit;
  const size_t m_lanes, m_words;  // of a register group; of 32 bits, of a unit's scores
  float m_threshold = 0;
  uint32_t m_table = 0;
  size_t m_bits = 0;       // of a unit
  unsigned m_per_row = 0;  // log2 of units
  uint32_t* m_to;          // where the next position goes
  bool m_dense = false;
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
  tables.width = tables.labelled ? 6 : 4 + params.classes;
  while ((params.classes - 1) >> tables.shift != 0) ++tables.shift;
  uint64_t rows = 0;
  for (uint32_t t = 0; t < count; ++t) {
    if (!is_float(in[t])) return PRESIL_DSP_REFUSED_TYPE;
    if (in[t].ndim != 2 || in[t].shape[1] != int64_t{tables.width} || !rows_are_dense(in[t])) {
      return PRESIL_DSP_REFUSED_SHAPE;
    }
    tables.rows[t] = static_cast<const float*>(presil_dsp_data(&in[t]));
    tables.step[t] = in[t].strides[0];
    tables.first[t] = static_cast<uint32_t>(rows);
    rows += static_cast<uint64_t>(in[t].shape[0]);
  }
  tables.first[count] = static_cast<uint32_t>(rows);
  return rows << tables.shift >> 32 != 0 || rows >> 24 != 0 ? PRESIL_DSP_REFUSED_SHAPE
                                                            : PRESIL_DSP_DONE;
}

constexpr size_t kBlock = Greedy<PRESIL_DSP_NMS_MAX>::kBlock;

struct Memory {
  Candidates found;
  Scan::Found scan;
  Greedy<PRESIL_DSP_NMS_MAX> taken;
  uint32_t row[kBlock];  // of a block, bytes from the lowest table on
  uint64_t valid;        // a bit for each
};

/// Candidates in order, some at a time, until enough are taken.
class Choice {
 public:
  Choice(Memory& memory, const Tables& tables, const presil_dsp_nms& params, float* detection)
      : m_memory(memory), m_tables(tables), m_params(params), m_detection(detection) {
    m_lowest = reinterpret_cast<const char*>(tables.rows[0]);
    for (uint32_t t = 1; t < tables.count; ++t) {
      const char* rows = reinterpret_cast<const char*>(tables.rows[t]);
      if (rows < m_lowest) m_lowest = rows;
    }
    memory.taken.begin(params.iou, tables.classes == 1 && !tables.labelled);
  }
  bool enough() const { return m_memory.taken.count() == m_params.max; }

  void run() {
    auto& found = m_memory.found;
    found.order();
    for (size_t i = 0, some; i < found.n && !enough(); i += some) {
      some = found.n - i < kBlock ? found.n - i : kBlock;
      found.sorted(i + some);
      prepare(found.at + i, some);
      for (size_t j = 0, vl; j < some && !enough(); j += vl) {
        vl = __riscv_vsetvl_e32m1(some - j);
        const uint64_t valid = m_memory.valid >> j & ((uint64_t{1} << vl) - 1);
        m_memory.taken.come(
            j, valid, vl, [this](const Box& a, const Box& b) { return above(a, b, m_params.iou); },
            [this](size_t number) { return put(number); });
      }
    }
    if (!enough()) found.sorted(found.n);
  }

 private:
  void prepare(const uint64_t* candidates, size_t count) {
    const auto* lowest = reinterpret_cast<const float*>(m_lowest);
    m_memory.valid = ~uint64_t{0};
    for (size_t i = 0, vl; i < count; i += vl) {
      vl = __riscv_vsetvl_e32m2(count - i);
      const vuint32m2_t what = __riscv_vget_v_u32m2x2_u32m2(
          __riscv_vlseg2e32_v_u32m2x2(reinterpret_cast<const uint32_t*>(candidates + i), vl), 0);
      const vuint32m2_t number = __riscv_vsrl_vx_u32m2(what, m_tables.shift, vl);
      vuint32m2_t at = offset(0, number, vl);
      for (uint32_t t = 1; t < m_tables.count; ++t) {
        at = __riscv_vmerge_vvm_u32m2(at, offset(t, number, vl),
                                      __riscv_vmsgeu_vx_u32m2_b16(number, m_tables.first[t], vl),
                                      vl);
      }
      __riscv_vse32_v_u32m2(m_memory.row + i, at, vl);
      const vfloat32m2x4_t box = __riscv_vluxseg4ei32_v_f32m2x4(lowest, at, vl);
      vuint32m2_t label = __riscv_vand_vx_u32m2(what, (1u << m_tables.shift) - 1, vl);
      if (m_tables.labelled) {  // a whole number, or it is none
        const vfloat32m2_t given = __riscv_vluxei32_v_f32m2(lowest + 5, at, vl);
        label = __riscv_vfcvt_rtz_xu_f_v_u32m2(given, vl);
        const vbool16_t whole = __riscv_vmand_mm_b16(
            __riscv_vmfeq_vv_f32m2_b16(__riscv_vfcvt_f_xu_v_f32m2(label, vl), given, vl),
            __riscv_vmfle_vf_f32m2_b16(given, 65535.0f, vl), vl);
        __riscv_vsm_v_b16(reinterpret_cast<uint8_t*>(&m_memory.valid) + i / 8, whole, vl);
      }
      m_memory.taken.prepare(
          i, __riscv_vget_v_f32m2x4_f32m2(box, 0), __riscv_vget_v_f32m2x4_f32m2(box, 1),
          __riscv_vget_v_f32m2x4_f32m2(box, 2), __riscv_vget_v_f32m2x4_f32m2(box, 3), label, vl);
    }
  }
  /// Bytes from the lowest table on.
  vuint32m2_t offset(uint32_t t, vuint32m2_t number, size_t vl) const {
    const auto step = static_cast<uint32_t>(4 * m_tables.step[t]);
    const auto table = reinterpret_cast<const char*>(m_tables.rows[t]) - m_lowest;
    return __riscv_vadd_vx_u32m2(__riscv_vmul_vx_u32m2(number, step, vl),
                                 static_cast<uint32_t>(table) - m_tables.first[t] * step, vl);
  }
  bool put(size_t lane) {
    const Box box = m_memory.taken.box(lane);
    const uint32_t label = m_memory.taken.label(lane);
    const auto* row = reinterpret_cast<const float*>(m_lowest + m_memory.row[lane]);
    m_detection[0] = box.a0, m_detection[1] = box.b0;
    m_detection[2] = box.a1, m_detection[3] = box.b1;
    m_detection[4] = row[m_tables.labelled ? 4 : 4 + label];
    m_detection[5] = static_cast<float>(label);
    m_detection += 6;
    return m_memory.taken.count() + 1 < m_params.max;
  }

  Memory& m_memory;
  const Tables& m_tables;
  const presil_dsp_nms& m_params;
  float* m_detection;
  const char* m_lowest;
};

int32_t nms(const DLTensor* in, DLTensor* out, const presil_dsp_nms* params) {
  Tables tables;
  const int32_t refused = read_tables(in, out, *params, tables);
  if (refused != 0) return refused;
  auto* detection = static_cast<float*>(presil_dsp_data(&out[0]));
  __builtin_memset(detection, 0, 24 * static_cast<size_t>(params->max));
  auto& memory = workspace<Memory>();
  Turn turn(memory.found);
  Scan scan(memory.scan, turn, tables, params->score);
  Choice choice(memory, tables, *params, detection);
  turn.begin();
  for (;; turn.next(memory.found.at[memory.found.n - 1])) {
    scan.run();
    choice.run();
    if (turn.complete() || choice.enough()) break;
  }
  *static_cast<int32_t*>(presil_dsp_data(&out[1])) = static_cast<int32_t>(memory.taken.count());
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(nms)

}  // namespace presil::dsp
