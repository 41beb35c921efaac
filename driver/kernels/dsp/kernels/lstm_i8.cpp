// LSTM of int8 with a cell state of int16, step by step.
//
// Tensors and arithmetic: presil_dsp_lstm_i8 in params.h, presil_lstm_attributes of the host's
// kernels. Weights are int16 and stand by input, all units of the four gates side by side as lanes:
// a scalar of x or h times 128 lanes is one vwmacc, while the next weights are loaded.
//   a step of n inputs and u units: (n + u) 4 u products, 8 a cycle; into the gates, two sums each,
//   2 x (vsmul vsra vsadd vnclip): 4 u; five functions of u lanes (sigmoid16.h): 7 u; the new cell
//   and output, 20 instructions: 2.5 u, or what they wait for each other where u is small.
#include "driver/kernels/dsp/integers.h"
#include "driver/kernels/dsp/sigmoid16.h"
#include "driver/kernels/dsp/workspace.h"

namespace presil::dsp {
namespace {

constexpr size_t kInputs = PRESIL_DSP_LSTM_INPUTS, kUnits = PRESIL_DSP_LSTM_UNITS;

struct Memory {
  int16_t x[kInputs], h[kUnits];  // less their zero points
  int32_t from_x[4 * kUnits], from_h[4 * kUnits];
  int16_t gates[4 * kUnits];
  uint16_t x_right[4 * kUnits], h_right[4 * kUnits];                // of Terms
  uint16_t times[4 * kUnits], shift[4 * kUnits], less[4 * kUnits];  // Sigmoid16::Which of a lane
  int16_t cell[kUnits];
  Sigmoid16 table;
};
Memory& memory() {
  return workspace<Memory>();
}

struct Sizes {
  size_t batches, steps, inputs, units;
  size_t lanes() const { return 4 * units; }
};

/// Rows of PRESIL_DSP_LSTM_TERMS.
struct Terms {
  const int32_t *bias, *x, *h;
  size_t lanes;
  bool plain;
};

/// to[i] = from[i] - zero
void centre(const int8_t* from, size_t n, int32_t zero, int16_t* to) {
  for (size_t i = 0, vl; i < n; i += vl) {
    vl = __riscv_vsetvl_e8m2(n - i);
    const vint8m2_t x = __riscv_vle8_v_i8m2(from + i, vl);
    __riscv_vse16_v_i16m4(to + i, __riscv_vwsub_vx_i16m4(x, static_cast<int8_t>(zero), vl), vl);
  }
}

/// sums = first + x by weights [n, lanes]; no first: 0, n at least 1.
[[gnu::noinline]] void products(const int16_t* x, size_t n, const int16_t* weights, size_t lanes,
                                const int32_t* first, int32_t* sums) {
  for (size_t lane = 0, vl; lane < lanes; lane += vl) {
    vl = __riscv_vsetvl_e32m8(lanes - lane);
    const int16_t* w = weights + lane;
    const auto load = [&] {
      const vint16m4_t v = __riscv_vle16_v_i16m4(w, vl);
      w += lanes;
      return v;
    };
    vint16m4_t even = load();
    vint32m8_t sum =
        first == nullptr
            ? __riscv_vwmul_vx_i32m8(even, x[0], vl)
            : __riscv_vwmacc_vx_i32m8(__riscv_vle32_v_i32m8(first + lane, vl), x[0], even, vl);
    size_t i = 1;
    if (n >= 3) {
      even = load();
      vint16m4_t odd = load();
      for (; i + 4 <= n; i += 2) {
        sum = __riscv_vwmacc_vx_i32m8(sum, x[i], even, vl);
        in_order(sum);
        even = load();
        sum = __riscv_vwmacc_vx_i32m8(sum, x[i + 1], odd, vl);
        in_order(sum);
        odd = load();
      }
      sum = __riscv_vwmacc_vx_i32m8(sum, x[i], even, vl);
      sum = __riscv_vwmacc_vx_i32m8(sum, x[i + 1], odd, vl);
      i += 2;
    }
    if (i < n) sum = __riscv_vwmacc_vx_i32m8(sum, x[i], load(), vl);
    __riscv_vse32_v_i32m8(sums + lane, sum, vl);
  }
}

/// By lanes: times a multiplier, / 2^right with halves away from zero, to int16, saturated; before,
/// where shifts are not plain, times 2^left.
template <bool plain>
[[gnu::always_inline]] inline vint16m4_t scaled_lanes(const int32_t* sums, const int32_t* terms,
                                                      const uint16_t* right, size_t lanes,
                                                      size_t vl) {
  vint32m8_t x = __riscv_vle32_v_i32m8(sums, vl);
  const auto* left = reinterpret_cast<const uint32_t*>(terms + lanes);
  if (!plain) x = __riscv_vsll_vv_i32m8(x, __riscv_vle32_v_u32m8(left, vl), vl);
  x = __riscv_vsmul_vv_i32m8(x, __riscv_vle32_v_i32m8(terms, vl), __RISCV_VXRM_RNU, vl);
  const vuint16m4_t by = __riscv_vle16_v_u16m4(right, vl);
  vint32m8_t less = __riscv_vsra_vx_i32m8(x, 31, vl);
  if (!plain) {  // what is not shifted is not rounded
    less = __riscv_vmerge_vxm_i32m8(less, 0, __riscv_vmseq_vx_u16m4_b4(by, 0, vl), vl);
  }
  x = __riscv_vsadd_vv_i32m8(x, less, vl);
  return __riscv_vnclip_wv_i16m4(x, by, __RISCV_VXRM_RNU, vl);
}

/// Into the gates and out of them.
template <bool plain>
[[gnu::noinline]] void through_gates(const Terms& terms) {
  Memory& m = memory();
  const size_t lanes = terms.lanes;
  for (size_t lane = 0, vl; lane < lanes; lane += vl) {
    vl = __riscv_vsetvl_e32m8(lanes - lane);
    const vint16m4_t x =
        scaled_lanes<plain>(m.from_x + lane, terms.x + lane, m.x_right + lane, lanes, vl);
    const vint16m4_t h =
        scaled_lanes<plain>(m.from_h + lane, terms.h + lane, m.h_right + lane, lanes, vl);
    __riscv_vse16_v_i16m4(m.gates + lane,
                          m.table.either(__riscv_vsadd_vv_i16m4(x, h, vl), m.times + lane,
                                         m.shift + lane, m.less + lane, vl),
                          vl);
  }
}

/// Shifts in 16 bits; sigmoids of the input, forget and output gate, then tanh of the cell gate.
void make_gates(const Terms& terms, size_t units) {
  Memory& m = memory();
  const size_t lanes = terms.lanes;
  for (size_t lane = 0, vl; lane < lanes; lane += vl) {
    vl = __riscv_vsetvl_e32m4(lanes - lane);
    const auto right = [&](const int32_t* rows) {
      const auto* from = reinterpret_cast<const uint32_t*>(rows + 2 * lanes + lane);
      return __riscv_vnsrl_wx_u16m2(__riscv_vle32_v_u32m4(from, vl), 0, vl);
    };
    __riscv_vse16_v_u16m2(m.x_right + lane, right(terms.x), vl);
    __riscv_vse16_v_u16m2(m.h_right + lane, right(terms.h), vl);
  }
  for (size_t lane = 0, vl; lane < 4 * units; lane += vl) {
    const bool last = lane >= 3 * units;
    const Sigmoid16::Which which = last ? Sigmoid16::kTanh : Sigmoid16::kSigmoid;
    vl = __riscv_vsetvl_e16m4((last ? 4 * units : 3 * units) - lane);
    __riscv_vse16_v_u16m4(m.times + lane, __riscv_vmv_v_x_u16m4(which.times, vl), vl);
    __riscv_vse16_v_u16m4(m.shift + lane, __riscv_vmv_v_x_u16m4(which.shift, vl), vl);
    __riscv_vse16_v_u16m4(m.less + lane, __riscv_vmv_v_x_u16m4(which.less, vl), vl);
  }
}

/// Thrice a cell in steps of 2^power, in steps of 2^-12, halves up.
Int32 thrice(vint16m2_t cell, int32_t power, size_t vl) {
  const Int32 v = __riscv_vwmul_vx_i32m4(cell, 3, vl);
  if (power >= -12) return __riscv_vsll_vx_i32m4(v, static_cast<size_t>(power + 12), vl);
  return __riscv_vssra_vx_i32m4(v, static_cast<size_t>(-12 - power), __RISCV_VXRM_RNU, vl);
}

/// The cell, in place, and the output.
void out_of_cell(const presil_dsp_lstm_i8& p, size_t units, int8_t* y) {
  Memory& m = memory();
  for (size_t unit = 0, vl; unit < units; unit += vl) {
    vl = __riscv_vsetvl_e32m4(units - unit);
    const auto gate = [&](size_t which) {
      return __riscv_vle16_v_i16m2(m.gates + which * units + unit, vl);
    };
    vint16m2_t cell = __riscv_vle16_v_i16m2(m.cell + unit, vl);
    Int32 kept = __riscv_vwmul_vv_i32m4(gate(1), cell, vl);
    Int32 added = __riscv_vwmul_vv_i32m4(gate(0), gate(3), vl);
    in_turn(kept, added);
    kept = multiplied(kept, p.forget_multiplier, p.forget_shift, vl);
    added = multiplied(added, p.update_multiplier, p.update_shift, vl);
    in_turn(kept, added);
    cell = __riscv_vsadd_vv_i16m2(narrowed(kept, p.forget_shift, vl),
                                  narrowed(added, p.update_shift, vl), vl);
    if (p.cell_clip > 0) {
      const auto most = static_cast<int16_t>(p.cell_clip);
      cell = __riscv_vmax_vx_i16m2(__riscv_vmin_vx_i16m2(cell, most, vl),
                                   static_cast<int16_t>(-most), vl);
    }
    __riscv_vse16_v_i16m2(m.cell + unit, cell, vl);
    const vint16m2_t shown = m.table.tanh(thrice(cell, p.cell_power, vl), vl);
    const vint8m1_t out = finished(scaled_short(__riscv_vwmul_vv_i32m4(shown, gate(2), vl),
                                                p.hidden_multiplier, p.hidden_shift, vl),
                                   p.hidden_zero, -128, 127, vl);
    __riscv_vse8_v_i8m1(y + unit, out, vl);
    __riscv_vse16_v_i16m2(m.h + unit,
                          __riscv_vwsub_vx_i16m2(out, static_cast<int8_t>(p.hidden_zero), vl), vl);
  }
}

bool is_dense(const DLTensor& t) {
  int64_t stride = 1;
  for (int32_t axis = t.ndim; axis-- > 0;) {
    if (t.shape[axis] != 1 && t.strides[axis] != stride) return false;
    stride *= t.shape[axis];
  }
  return true;
}

bool in_range(const presil_dsp_lstm_i8& p) {
  const auto shifts = [](int32_t shift) { return shift >= -31 && shift <= 31; };
  return p.time_major <= 1 && p.plain <= 1 && shifts(p.forget_shift) && shifts(p.update_shift) &&
         shifts(p.hidden_shift) && p.cell_power >= -15 && p.cell_power <= -9 && p.cell_clip >= 0 &&
         p.cell_clip <= 32767;
}

int32_t refused(const DLTensor* in, const DLTensor* out, const presil_dsp_lstm_i8& p) {
  if (presil_dsp_inputs() != 6 || presil_dsp_outputs() != 3) return PRESIL_DSP_REFUSED_COUNT;
  if (!in_range(p)) return PRESIL_DSP_REFUSED_PARAMS;
  if (!is_int8(in[0]) || !is(in[1], 0, 16) || !is(in[2], 0, 32) || !is(in[3], 0, 32) ||
      !is_int8(in[4]) || !is(in[5], 0, 16) || !is_int8(out[0]) || !is_int8(out[1]) ||
      !is(out[2], 0, 16)) {
    return PRESIL_DSP_REFUSED_TYPE;
  }
  for (int i = 0; i < 6; ++i) {
    if (!is_dense(in[i])) return PRESIL_DSP_REFUSED_SHAPE;
  }
  for (int i = 0; i < 3; ++i) {
    if (!is_dense(out[i])) return PRESIL_DSP_REFUSED_SHAPE;
  }
  if (in[0].ndim != 3 || out[0].ndim != 3) return PRESIL_DSP_REFUSED_SHAPE;
  const int64_t inputs = in[0].shape[2], units = out[0].shape[2];
  const int64_t batches = in[0].shape[p.time_major != 0 ? 1 : 0];
  const bool fits = inputs >= 1 && inputs <= PRESIL_DSP_LSTM_INPUTS && units >= 1 &&
                    units <= PRESIL_DSP_LSTM_UNITS &&
                    presil_dsp_elements(&in[1]) == (inputs + units) * 4 * units &&
                    presil_dsp_elements(&in[2]) == PRESIL_DSP_LSTM_TERMS * 4 * units &&
                    presil_dsp_elements(&in[3]) == 256 &&
                    presil_dsp_elements(&in[4]) == batches * units &&
                    presil_dsp_elements(&in[5]) == batches * units &&
                    presil_dsp_elements(&out[0]) * inputs == presil_dsp_elements(&in[0]) * units &&
                    presil_dsp_elements(&out[1]) == batches * units &&
                    presil_dsp_elements(&out[2]) == batches * units;
  return fits ? PRESIL_DSP_DONE : PRESIL_DSP_REFUSED_SHAPE;
}

int32_t lstm_i8(const DLTensor* in, DLTensor* out, const presil_dsp_lstm_i8* params) {
  const presil_dsp_lstm_i8 p = *params;
  if (const int32_t why = refused(in, out, p)) return why;
  const int64_t* shape = in[0].shape;
  const bool by_time = p.time_major != 0;
  const Sizes n{static_cast<size_t>(shape[by_time ? 1 : 0]),
                static_cast<size_t>(shape[by_time ? 0 : 1]), static_cast<size_t>(shape[2]),
                static_cast<size_t>(out[0].shape[2])};
  const auto* x = static_cast<const int8_t*>(presil_dsp_data(&in[0]));
  const auto* weights = static_cast<const int16_t*>(presil_dsp_data(&in[1]));
  const auto* rows = static_cast<const int32_t*>(presil_dsp_data(&in[2]));
  const size_t lanes = n.lanes();
  const Terms terms{rows, rows + lanes, rows + 4 * lanes, lanes, p.plain != 0};
  auto* y = static_cast<int8_t*>(presil_dsp_data(&out[0]));
  Memory& m = memory();
  m.table.make(static_cast<const int32_t*>(presil_dsp_data(&in[3])));
  make_gates(terms, n.units);
  for (size_t batch = 0; batch < n.batches; ++batch) {
    centre(static_cast<const int8_t*>(presil_dsp_data(&in[4])) + batch * n.units, n.units,
           p.hidden_zero, m.h);
    __builtin_memcpy(m.cell, static_cast<const int16_t*>(presil_dsp_data(&in[5])) + batch * n.units,
                     2 * n.units);
    int8_t* last = nullptr;
    for (size_t t = 0; t < n.steps; ++t) {
      const size_t row = by_time ? t * n.batches + batch : batch * n.steps + t;
      last = y + row * n.units;
      centre(x + row * n.inputs, n.inputs, p.in_zero, m.x);
      products(m.x, n.inputs, weights, lanes, terms.bias, m.from_x);
      products(m.h, n.units, weights + n.inputs * lanes, lanes, nullptr, m.from_h);
      terms.plain ? through_gates<true>(terms) : through_gates<false>(terms);
      out_of_cell(p, n.units, last);
    }
    if (last == nullptr) continue;
    __builtin_memcpy(static_cast<int8_t*>(presil_dsp_data(&out[1])) + batch * n.units, last,
                     n.units);
    __builtin_memcpy(static_cast<int16_t*>(presil_dsp_data(&out[2])) + batch * n.units, m.cell,
                     2 * n.units);
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(lstm_i8)

}  // namespace presil::dsp
