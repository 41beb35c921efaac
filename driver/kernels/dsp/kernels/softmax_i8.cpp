// Softmax of int8 along rows, TFLite's fixed point.
//
// Tensors: {x i8, table i32 [256]} {y i8}, y in steps of 1/256 from -128.
// Arithmetic: compiler_bridge/reference/operators/softmax.cpp in words. With m the row's largest
// value and e(d) the Q31 exponential of d = x - m: sum of e / 2^12, rounded; 1 / sum by Newton's
// steps; y = share of e, rounded, - 128. d has 256 values: e is a table, the compiler's, standing
// twice after itself, so that a row's own begins at its m. Nothing is below 0: halves away from
// zero are halves up, and 128 is taken off by the sign bit after an unsigned saturation.
//
// Rows of kLong or more: three planes of bytes of e / 2^12 are looked up and summed; the row's 256
// results are computed and looked up.
//   256 elements: vle8 vmax; 3 x (vle8 vrgather vwaddu); vle8 vrgather vse8.
//   Bound at VLEN 512: (8 + 3 (32 + 16) + 32) / 256 = 0.72 cycles per element; for a row 314: its
//   table 4 x (vle32 vsmul vnclipu vnclipu vxor vse8) = 88, four reductions 156, a reciprocal 70.
// Shorter rows, many of them, side by side (softmax_rows.h): the sum is vssrl vadd, the share vsmul
// vnclipu vnclipu vxor. Bound 1.25 cycles per element by gathers, 1.5 by indexed loads, and 160 for
// the reciprocals of 64 rows. The table's copies: 4 x 3 x 8 = 96; its planes of a row alone vssra,
// 3 x 2 vnsrl: 4 x 44 = 176.
// A few short rows: as many elements of the row, a cycle for each and 150 for the row.
//
// At VLEN 512 rows of kApart and more, where there are some: sums side by side, results row by row.
// An element of 64 rows in columns is looked up in each of three planes of e / 2^12 and added in 16
// bits; a row's results, of 128 or 256 distances, stay in registers, where they are looked up.
// 256 elements: vlsseg8e8 vse8 vmax 32; 3 x (vle8 vsub vrgather vwaddu) 168; vle8 vrsub vrgather
// vse8 40: 0.94 cycles per element. For a row 1 or 2 x (vle32 vsmul vnclipu vnclipu vxor) 44.
#include "driver/kernels/dsp/fixed.h"
#include "driver/kernels/dsp/lookup.h"
#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/softmax_rows.h"
#include "driver/kernels/dsp/walk.h"
#include "driver/kernels/dsp/workspace.h"

namespace presil::dsp {
namespace {

constexpr size_t kLong = 384, kFew = 8, kMany = 32, kApart = 128, kMostApart = 1024;
static_assert(kLong * kFew <= kMostElements);

struct Memory {
  int32_t e[512];  // by uint8(d), twice: 0, -255 .. -1, 0, -255 .. -1
  union {
    struct {
      uint8_t planes[3][512], results[256];
    } row;        // of one alone
    Words words;  // of rows side by side
  };
  bool gathers;  // planes of e have been made
  Roomful room;
};
static_assert(sizeof(Memory) <= kWorkspaceBytes);

/// Instead: tables by -d, rows in columns, what is known of each.
struct Apart {
  static constexpr size_t kRows = 64, kElements = kRows * kMostApart + 512;
  int32_t e[256];
  uint8_t planes[3][256];
  uint16_t sums[3][4 * kRows];
  uint8_t largest[4 * kRows];
  int32_t inverse[kRows];
  uint32_t shift[kRows];
  uint8_t x[kElements];
};
static_assert(sizeof(Apart) <= kWorkspaceBytes);
Memory& memory() {
  return workspace<Memory>();
}

/// planes[p] = bytes p of e / 2^12, rounded: at most 2^19.
void make_tables(const int32_t* exponentials, bool with_planes) {
  for (size_t first = 0, vl; first < 256; first += vl) {
    vl = __riscv_vsetvl_e32m4(256 - first);
    const Int32 e = __riscv_vle32_v_i32m4(exponentials + first, vl);
    __riscv_vse32_v_i32m4(memory().e + first, e, vl);
    __riscv_vse32_v_i32m4(memory().e + first + 256, e, vl);
    if (!with_planes) continue;
    const vuint32m4_t part =
        __riscv_vreinterpret_v_i32m4_u32m4(__riscv_vssra_vx_i32m4(e, 12, __RISCV_VXRM_RNU, vl));
    for (unsigned plane = 0; plane < 3; ++plane) {
      const vuint8m1_t byte =
          __riscv_vnsrl_wx_u8m1(__riscv_vnsrl_wx_u16m2(part, 8 * plane, vl), 0, vl);
      __riscv_vse8_v_u8m1(memory().row.planes[plane] + first, byte, vl);
      __riscv_vse8_v_u8m1(memory().row.planes[plane] + first + 256, byte, vl);
    }
  }
}

int8_t largest_of(const uint8_t* bytes, size_t n) {
  const auto* x = reinterpret_cast<const int8_t*>(bytes);
  const size_t most = __riscv_vsetvl_e8m8(n);
  vint8m8_t best = __riscv_vle8_v_i8m8(x, most);
  for (size_t i = most, vl; i < n; i += vl) {
    vl = __riscv_vsetvl_e8m8(n - i);
    best = __riscv_vmax_vv_i8m8_tu(best, best, __riscv_vle8_v_i8m8(x + i, vl), vl);
  }
  const vint8m1_t low = __riscv_vmv_s_x_i8m1(-128, 1);
  return __riscv_vmv_x_s_i8m1_i8(__riscv_vredmax_vs_i8m8_i8m1(best, low, most));
}

/// Where a row's tables begin, whose largest value is m: entry x is that of x - m.
size_t begin_of(int8_t m) {
  return static_cast<uint8_t>(-m);
}

/// What divides a row: the product of e and inverse, Q31, is shifted right.
struct Share {
  int32_t inverse;
  unsigned shift;
  Share(int32_t inverse_, unsigned shift_) : inverse(inverse_), shift(shift_) {}
  explicit Share(uint32_t sum) {
    const auto zeros = static_cast<unsigned>(__builtin_clz(sum));
    inverse = one_over_one_plus(static_cast<int32_t>((sum << zeros) - 0x80000000u));
    shift = 35 - zeros;
  }
  vuint8m1_t of(Int32 e, size_t vl) const {
    vuint32m4_t y = __riscv_vreinterpret_v_i32m4_u32m4(times(e, inverse, vl));
    if (shift > 31) {  // rows of 2^9 largest values and more; what is left is 0 to 2
      y = __riscv_vssrl_vx_u32m4(y, 31, __RISCV_VXRM_RDN, vl);
      return signed_byte(__riscv_vnclipu_wx_u16m2(y, shift - 31, __RISCV_VXRM_RNU, vl), 0, vl);
    }
    return signed_byte(__riscv_vnclipu_wx_u16m2(y, shift, __RISCV_VXRM_RNU, vl), 0, vl);
  }
  /// Is what it makes of e more than 0?
  bool shows(int32_t e) const {
    return static_cast<uint64_t>(times(e, inverse)) >> (shift - 1) != 0;
  }
};

/// What divides each of `vl` rows, by Share.
Int32 shares_of(vuint32m4_t sum, vuint32m4_t& shift, size_t vl) {
  // The position of the first one is a float's exponent, where it is not rounded up.
  const vuint32m4_t exponent = __riscv_vsrl_vx_u32m4(
      __riscv_vreinterpret_v_f32m4_u32m4(__riscv_vfcvt_f_xu_v_f32m4_rm(sum, __RISCV_FRM_RTZ, vl)),
      23, vl);
  const vuint32m4_t zeros = __riscv_vrsub_vx_u32m4(exponent, 158, vl);
  shift = __riscv_vrsub_vx_u32m4(zeros, 35, vl);
  return one_over_one_plus(__riscv_vreinterpret_v_u32m4_i32m4(__riscv_vxor_vx_u32m4(
                               __riscv_vsll_vv_u32m4(sum, zeros, vl), 0x80000000u, vl)),
                           vl);
}

void long_row(const uint8_t* x, uint8_t* y, size_t n) {
  const size_t begin = begin_of(largest_of(x, n));
  vuint32m1_t sum = __riscv_vmv_s_x_u32m1(0, 1);
  for (unsigned plane = 3; plane-- > 0;) {
    sum = __riscv_vsll_vx_u32m1(sum, 8, 1);
    sum = look_up_sum(memory().row.planes[plane] + begin, x, n, sum);
  }
  const Share share(__riscv_vmv_x_s_u32m1_u32(sum));
  for (size_t first = 0, vl; first < 256; first += vl) {
    vl = __riscv_vsetvl_e32m4(256 - first);
    const Int32 e = __riscv_vle32_v_i32m4(memory().e + begin + first, vl);
    __riscv_vse8_v_u8m1(memory().row.results + first, share.of(e, vl), vl);
  }
  look_up(memory().row.results, x, y, n);
}

vuint16m2_t index_of(vuint8m1_t x, size_t vl) {
  return __riscv_vwmulu_vx_u16m2(x, 4, vl);
}

void short_row(const uint8_t* x, uint8_t* y, size_t n) {
  const int32_t* table = memory().e + begin_of(largest_of(x, n));
  vint32m1_t sum = __riscv_vmv_s_x_i32m1(0, 1);
  for (size_t i = 0, vl; i < n; i += vl) {
    vl = __riscv_vsetvl_e8m1(n - i);
    const Int32 e =
        __riscv_vluxei16_v_i32m4(table, index_of(__riscv_vle8_v_u8m1(x + i, vl), vl), vl);
    __riscv_vse32_v_i32m4(memory().room.e + i, e, vl);
    sum = __riscv_vredsum_vs_i32m4_i32m1(__riscv_vssra_vx_i32m4(e, 12, __RISCV_VXRM_RNU, vl), sum,
                                         vl);
  }
  const Share share(static_cast<uint32_t>(__riscv_vmv_x_s_i32m1_i32(sum)));
  for (size_t i = 0, vl; i < n; i += vl) {
    vl = __riscv_vsetvl_e32m4(n - i);
    __riscv_vse8_v_u8m1(y + i, share.of(__riscv_vle32_v_i32m4(memory().room.e + i, vl), vl), vl);
  }
}

[[gnu::noinline]] void together(const uint8_t* x, ptrdiff_t x_step, uint8_t* y, ptrdiff_t y_step,
                                size_t depth, size_t vl) {
  Roomful& room = memory().room;
  const vuint8m1_t largest =
      __riscv_vreinterpret_v_i8m1_u8m1(columns_in(x, x_step, depth, vl, room.x));
  vuint32m4_t sum = __riscv_vmv_v_x_u32m4(0, vl);
  const auto add = [&](Int32 e) {
    const vuint32m4_t part = __riscv_vreinterpret_v_i32m4_u32m4(e);
    sum = __riscv_vadd_vv_u32m4(sum, __riscv_vssrl_vx_u32m4(part, 12, __RISCV_VXRM_RNU, vl), vl);
  };
  if (memory().gathers) {
    Words& words = memory().words;
    each_by_row(room.x, depth, vl, largest, words.of_rows,
                [](vuint8m4_t v, vuint8m4_t of_row, size_t n) {
                  return __riscv_vsub_vv_u8m4(v, of_row, n);
                });
    look_up_words(words.planes, room.x, room.e, depth * vl, words.parts);
    each_word(
        room.e, depth, vl, [&](const int32_t* e) { return __riscv_vle32_v_i32m4(e, vl); }, add);
  } else {
    int32_t* to = room.e;
    each_found(
        room.x, depth, vl,
        [&](vuint8m1_t v) { return index_of(__riscv_vsub_vv_u8m1(v, largest, vl), vl); },
        [&](vuint16m2_t index) { return __riscv_vluxei16_v_i32m4(memory().e, index, vl); },
        [&](Int32 e) {
          __riscv_vse32_v_i32m4(to, e, vl);
          to += vl;
          add(e);
        });
  }
  vuint32m4_t shifts;
  const Int32 inverse = shares_of(sum, shifts, vl);
  const vuint16m2_t shift = __riscv_vnsrl_wx_u16m2(shifts, 0, vl);  // at most 31
  const auto share_of = [&](Int32 e) {
    return __riscv_vnclipu_wv_u16m2(__riscv_vreinterpret_v_i32m4_u32m4(e), shift, __RISCV_VXRM_RNU,
                                    vl);
  };
  columns_out(
      room.e, y, y_step, depth, vl, room.x,
      [&](const int32_t* e) { return __riscv_vle32_v_i32m4(e, vl); },
      [&](Int32& x, Int32& z, const auto& next, vuint8m1_t& a, vuint8m1_t& b) {
        x = times(x, inverse, vl), z = times(z, inverse, vl);
        in_turn(x, z);
        vuint16m2_t share_x = share_of(x), share_z = share_of(z);
        in_turn(share_x, share_z);
        next();
        signed_bytes(share_x, share_z, 0, vl, a, b);
      });
}

Apart& apart() {
  return workspace<Apart>();
}

void make_tables_apart(const int32_t* exponentials) {
  Apart& m = apart();
  m.e[0] = exponentials[0];
  for (size_t k = 1, vl; k < 256; k += vl) {
    vl = __riscv_vsetvl_e32m4(256 - k);
    __riscv_vse32_v_i32m4(m.e + k, __riscv_vlse32_v_i32m4(exponentials + 256 - k, -4, vl), vl);
  }
  for (size_t k = 0, vl; k < 256; k += vl) {
    vl = __riscv_vsetvl_e32m4(256 - k);
    const vuint32m4_t part = __riscv_vreinterpret_v_i32m4_u32m4(
        __riscv_vssra_vx_i32m4(__riscv_vle32_v_i32m4(m.e + k, vl), 12, __RISCV_VXRM_RNU, vl));
    for (unsigned plane = 0; plane < 3; ++plane) {
      __riscv_vse8_v_u8m1(m.planes[plane] + k,
                          __riscv_vnsrl_wx_u8m1(__riscv_vnsrl_wx_u16m2(part, 8 * plane, vl), 0, vl),
                          vl);
    }
  }
}

/// Of x, columns of `rows` rows, four of which are a vector: sums of what the plane has.
[[gnu::noinline]] void add_plane(const uint8_t* plane, size_t depth, size_t rows, uint16_t* sums) {
  const uint8_t* x = apart().x;
  const size_t whole = 4 * rows;
  size_t n = depth * rows;
  const vuint8m4_t entries = __riscv_vle8_v_u8m4(plane, 256);
  const vuint8m4_t largest = __riscv_vle8_v_u8m4(apart().largest, whole);
  const auto found = [&](size_t vl) {
    const vuint8m4_t d = __riscv_vsub_vv_u8m4(largest, __riscv_vle8_v_u8m4(x, vl), vl);
    x += vl, n -= vl;
    return __riscv_vrgather_vv_u8m4(entries, d, vl);
  };
  vuint16m8_t lanes = __riscv_vmv_v_x_u16m8(0, whole);
  vuint8m4_t even = found(whole);  // of four columns or more
  while (n >= 2 * whole) {
    const vuint8m4_t odd = found(whole);
    lanes = __riscv_vwaddu_wv_u16m8(lanes, even, whole);
    even = found(whole);
    lanes = __riscv_vwaddu_wv_u16m8(lanes, odd, whole);
  }
  lanes = __riscv_vwaddu_wv_u16m8(lanes, even, whole);
  while (n > 0) {
    const size_t vl = n < whole ? n : whole;
    lanes = __riscv_vwaddu_wv_u16m8_tu(lanes, lanes, found(vl), vl);
  }
  __riscv_vse16_v_u16m8(sums, lanes, whole);
}

/// Sums of a plane, by row.
vuint32m4_t sum_of(const uint16_t* sums, size_t rows) {
  const auto part = [&](size_t i) { return __riscv_vle16_v_u16m2(sums + i * rows, rows); };
  vuint32m4_t sum = __riscv_vwaddu_vv_u32m4(part(0), part(1), rows);
  sum = __riscv_vwaddu_wv_u32m4(sum, part(2), rows);
  return __riscv_vwaddu_wv_u32m4(sum, part(3), rows);
}

/// Rows one after another. The results of a row are narrowed while those of the row before it, in
/// registers, are looked up: each instruction of the one would wait for the one before.
class ByRow {
 public:
  ByRow(size_t depth, ptrdiff_t x_step, ptrdiff_t y_step)
      : m_depth(depth), m_x_step(x_step), m_y_step(y_step) {}

  [[gnu::noinline]] void run(const uint8_t* x, uint8_t* y, size_t rows) const {
    const Apart& m = apart();
    const vuint8m2_t none = __riscv_vmv_v_x_u8m2(0x80, kHalf);
    vuint8m4_t results = __riscv_vcreate_v_u8m2_u8m4(none, none);
    for (size_t row = 0;; ++row) {
      const bool ends = row == rows;
      const Share share(ends ? 1 << 30 : m.inverse[row], ends ? 31 : m.shift[row]);
      vint32m8_t first = product(share, 0);
      if (row > 0) {
        look_up_row(results, m.largest[row - 1], x, y, first);
        x += m_x_step, y += m_y_step;
      }
      if (ends) return;
      const vuint8m2_t second =
          share.shows(m.e[kHalf]) ? narrow(share, product(share, kHalf)) : none;
      results = __riscv_vcreate_v_u8m2_u8m4(narrow(share, first), second);
    }
  }

 private:
  static constexpr size_t kHalf = 128;

  static vint32m8_t product(const Share& share, size_t from) {
    return __riscv_vsmul_vx_i32m8(__riscv_vle32_v_i32m8(apart().e + from, kHalf), share.inverse,
                                  __RISCV_VXRM_RNU, kHalf);
  }
  static vuint8m2_t narrow(const Share& share, vint32m8_t product) {
    vuint32m8_t y = __riscv_vreinterpret_v_i32m8_u32m8(product);
    unsigned shift = share.shift;
    if (shift > 31) {  // of what is shifted 0 to 2 is left
      y = __riscv_vssrl_vx_u32m8(y, 31, __RISCV_VXRM_RDN, kHalf);
      shift -= 31;
    }
    const vuint16m4_t half = __riscv_vnclipu_wx_u16m4(y, shift, __RISCV_VXRM_RNU, kHalf);
    return __riscv_vxor_vx_u8m2(__riscv_vnclipu_wx_u8m2(half, 0, __RISCV_VXRM_RNU, kHalf), 0x80,
                                kHalf);
  }
  /// `next` has been asked for before.
  void look_up_row(vuint8m4_t results, uint8_t largest, const uint8_t* x, uint8_t* y,
                   vint32m8_t& next) const {
    size_t n = m_depth;
    for (size_t vl; n > 0; n -= vl, x += vl, y += vl) {
      vl = __riscv_vsetvl_e8m4(n);
      const vuint8m4_t distance = __riscv_vrsub_vx_u8m4(__riscv_vle8_v_u8m4(x, vl), largest, vl);
      const vuint8m4_t found = __riscv_vrgather_vv_u8m4(results, distance, vl);
      in_order(next);
      __riscv_vse8_v_u8m4(y, found, vl);
    }
  }

  size_t m_depth;
  ptrdiff_t m_x_step, m_y_step;
};

/// At most 64 rows.
void rows_apart(const uint8_t* x, ptrdiff_t x_step, uint8_t* y, ptrdiff_t y_step, size_t depth,
                size_t rows) {
  Apart& m = apart();
  const vuint8m1_t largest =
      __riscv_vreinterpret_v_i8m1_u8m1(columns_in(x, x_step, depth, rows, m.x));
  for (size_t i = 0; i < 4; ++i) __riscv_vse8_v_u8m1(m.largest + i * rows, largest, rows);
  for (unsigned plane = 0; plane < 3; ++plane) {
    add_plane(m.planes[plane], depth, rows, m.sums[plane]);
  }
  vuint32m4_t sum = sum_of(m.sums[2], rows);
  sum = __riscv_vadd_vv_u32m4(__riscv_vsll_vx_u32m4(sum, 8, rows), sum_of(m.sums[1], rows), rows);
  sum = __riscv_vadd_vv_u32m4(__riscv_vsll_vx_u32m4(sum, 8, rows), sum_of(m.sums[0], rows), rows);
  vuint32m4_t shift;
  __riscv_vse32_v_i32m4(m.inverse, shares_of(sum, shift, rows), rows);
  __riscv_vse32_v_u32m4(m.shift, shift, rows);
  ByRow(depth, x_step, y_step).run(x, y, rows);
}

int32_t softmax_i8(const DLTensor* in, DLTensor* out, const presil_dsp_softmax_i8*) {
  if (presil_dsp_inputs() != 2 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  if (!is_int8(*in) || !is_int8(*out)) return PRESIL_DSP_REFUSED_TYPE;
  if (!same_shape(*in, *out) || !rows_are_dense(*in) || !rows_are_dense(*out)) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  const auto depth = static_cast<size_t>(in->shape[in->ndim - 1]);
  if (!is(in[1], 0, 32)) return PRESIL_DSP_REFUSED_TYPE;
  if (depth == 0 || presil_dsp_elements(&in[1]) != 256) return PRESIL_DSP_REFUSED_SHAPE;
  const auto* exponentials = static_cast<const int32_t*>(presil_dsp_data(&in[1]));
  const Heads x(*in), y(*out);
  Walk<2> walk({&x.tensor, &y.tensor}, x.tensor);
  const bool by_planes = __riscv_vlenb() == 64 && depth >= kApart && depth <= kMostApart &&
                         walk.run() >= (depth < kLong ? kFew : kMany);
  if (by_planes) {
    make_tables_apart(exponentials);
  } else {
    make_tables(exponentials, depth >= kLong);
    memory().gathers = depth > 2 && depth < kLong && by_gathers(presil_dsp_elements(in));
    if (memory().gathers) planes_of(memory().e, memory().words.planes);
  }
  for (; walk; walk.next()) {
    const uint8_t* from = walk.at<uint8_t>(0);
    uint8_t* to = walk.at<uint8_t>(1);
    const int64_t x_step = walk.step(0), y_step = walk.step(1);
    if (depth == 2 && walk.run() >= kManyPairs) {
      pairs_of(memory().room, from, x_step, to, y_step, walk.run(), together);
      continue;
    }
    for (size_t rows = walk.run(), some = 1; rows > 0; rows -= some) {
      const size_t room = by_planes ? kMostElements / Apart::kRows : depth;  // 64 rows fit
      some = by_planes || (depth < kLong && rows >= kFew) ? rows_at_once(rows, room) : 1;
      if (by_planes) {
        rows_apart(from, x_step, to, y_step, depth, some);
      } else if (some > 1) {
        together(from, x_step, to, y_step, depth, some);
      } else {
        depth < kLong ? short_row(from, to, depth) : long_row(from, to, depth);
      }
      from += static_cast<int64_t>(some) * x_step, to += static_cast<int64_t>(some) * y_step;
    }
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(softmax_i8)

}  // namespace presil::dsp
