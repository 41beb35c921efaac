// An LSTM of int8 with a cell state of int16, step by step; the formulas are in kernels.h.
#include "driver/kernels/host/arithmetic.h"
#include "driver/kernels/host/kernel.h"
#include "driver/kernels/host/sigmoid.h"

namespace presil::kernels {
namespace {

// Gates in the order of kernels.h: a tensor of a gate is kInput + gate and so on.
enum : uint32_t { kX, kInput, kRecurrent = 5, kBias = 9, kTable = 13, kH, kC, kY, kHLast, kCLast };
enum : uint32_t { kInputGate, kForgetGate, kCellGate, kOutputGate, kGates };
constexpr uint32_t kTensors = kCLast + 1;

struct Sizes {
  uint32_t batches, steps, inputs, units;
};

Sizes sizes(const Task& task, const presil_lstm_attributes& a) {
  const uint32_t* x = task[kX].shape;
  return {x[a.time_major ? 1 : 0], x[a.time_major ? 0 : 1], x[2], task[kInput].shape[0]};
}

void check(const Task& task, Check& c) {
  if (!c.count(kTensors)) return;
  const auto a = task.as<presil_lstm_attributes>();
  c.range("time_major", a.time_major, 0, 1);
  c.range("in_zero", a.in_zero, -128, 127);
  c.range("hidden_zero", a.hidden_zero, -128, 127);
  c.range("cell_power", a.cell_power, -15, -9);
  c.range("cell_clip", a.cell_clip, 0, INT16_MAX);
  c.rank(kX, 3);
  c.rank(kInput, 2);
  c.rank(kY, 3);
  if (!c.ok()) return;
  const Sizes n = sizes(task, a);
  for (uint32_t i = 0; i < kTensors; ++i) {
    const bool sum = i >= kBias && i <= kTable;
    c.dtype(i, sum ? PRESIL_INT32 : i == kC || i == kCLast ? PRESIL_INT16 : PRESIL_INT8);
  }
  for (uint32_t gate = 0; gate < kGates; ++gate) {
    c.elements(kInput + gate, uint64_t{n.units} * n.inputs);
    c.elements(kRecurrent + gate, uint64_t{n.units} * n.units);
    c.elements(kBias + gate, n.units);
  }
  c.elements(kTable, 256);
  constexpr uint32_t kStates[] = {kH, kC, kHLast, kCLast};
  for (const uint32_t i : kStates) c.elements(i, uint64_t{n.batches} * n.units);
  for (uint32_t axis = 0; axis < 2; ++axis) c.dim(kY, axis, task[kX].shape[axis]);
  c.dim(kY, 2, n.units);
}

uint64_t macs(const Task& task) {
  const uint32_t inputs = task[kX].shape[2], units = task[kInput].shape[0];
  return presil_tensor_elements(&task[kY]) * kGates * (uint64_t{inputs} + units);
}

int32_t to_int16(int64_t v) {
  return static_cast<int32_t>(clamp(v, INT16_MIN, INT16_MAX));
}

// As sigmoid.h has it, of x with 12 + finer fraction bits.
int32_t tanh(const int32_t* table, int32_t x, int finer) {
  const int32_t v = finer > 0 ? (3 * x + (1 << (finer - 1))) >> finer : 3 * x * (1 << -finer);
  return tanh_i16(table, v);
}
int32_t sigmoid(const int32_t* table, int32_t x) {
  return sigmoid_i16(table, 3 * x);
}

int32_t dot(const int8_t* values, int32_t zero, const int8_t* weights, uint32_t count) {
  int32_t sum = 0;
  for (uint32_t i = 0; i < count; ++i) sum = wrap_add(sum, (values[i] - zero) * weights[i]);
  return sum;
}

// One unit's gate, before its function.
int32_t gate_input(const Task& task, const presil_lstm_attributes& a, const Sizes& n, uint32_t gate,
                   uint32_t unit, const int8_t* x, const int8_t* h) {
  const int8_t* w = task.data<const int8_t>(kInput + gate) + uint64_t{unit} * n.inputs;
  const int8_t* r = task.data<const int8_t>(kRecurrent + gate) + uint64_t{unit} * n.units;
  const int32_t from_x =
      wrap_add(dot(x, a.in_zero, w, n.inputs), task.data<const int32_t>(kBias + gate)[unit]);
  const int32_t from_h = dot(h, a.hidden_zero, r, n.units);
  return to_int16(
      to_int16(double_rounding(from_x, a.input_multiplier[gate], a.input_shift[gate])) +
      to_int16(double_rounding(from_h, a.recurrent_multiplier[gate], a.recurrent_shift[gate])));
}

// One step of one batch: from h to y, and c in place.
void step(const Task& task, const presil_lstm_attributes& a, const Sizes& n, const int8_t* x,
          const int8_t* h, int16_t* c, int8_t* y) {
  const int32_t* table = task.data<const int32_t>(kTable);
  for (uint32_t unit = 0; unit < n.units; ++unit) {
    int32_t in[kGates];
    for (uint32_t g = 0; g < kGates; ++g) in[g] = gate_input(task, a, n, g, unit, x, h);
    const int32_t kept = sigmoid(table, in[kForgetGate]) * c[unit];
    const int32_t added = sigmoid(table, in[kInputGate]) * tanh(table, in[kCellGate], 0);
    int32_t cell = to_int16(to_int16(double_rounding(kept, a.forget_multiplier, a.forget_shift)) +
                            to_int16(double_rounding(added, a.update_multiplier, a.update_shift)));
    if (a.cell_clip > 0) cell = static_cast<int32_t>(clamp(cell, -a.cell_clip, a.cell_clip));
    c[unit] = static_cast<int16_t>(cell);
    const int32_t out = tanh(table, cell, -12 - a.cell_power) * sigmoid(table, in[kOutputGate]);
    y[unit] =
        finish(double_rounding(out, a.hidden_multiplier, a.hidden_shift), a.hidden_zero, -128, 127);
  }
}

void run(const Task& task) {
  const auto a = task.as<presil_lstm_attributes>();
  const Sizes n = sizes(task, a);
  std::memcpy(task.data<int16_t>(kCLast), task[kC].data, presil_tensor_bytes(&task[kC]));
  for (uint32_t batch = 0; batch < n.batches; ++batch) {
    const int8_t* h = task.data<const int8_t>(kH) + uint64_t{batch} * n.units;
    int16_t* c = task.data<int16_t>(kCLast) + uint64_t{batch} * n.units;
    for (uint32_t t = 0; t < n.steps; ++t) {
      const uint64_t row =
          a.time_major ? uint64_t{t} * n.batches + batch : uint64_t{batch} * n.steps + t;
      int8_t* y = task.data<int8_t>(kY) + row * n.units;
      step(task, a, n, task.data<const int8_t>(kX) + row * n.inputs, h, c, y);
      h = y;
    }
    std::memcpy(task.data<int8_t>(kHLast) + uint64_t{batch} * n.units, h, n.units);
  }
}

}  // namespace

// {x i8, 4 weights of x i8 [units,in], 4 of the state i8 [units,units], 4 biases i32 [units]
// (each in the order input, forget, cell, output gate), sigmoid i32 [256], h i8, c i16
// [batch,units], y i8, h i8, c i16}: presil_lstm_attributes.
const Kernel kLstm{"lstm", sizeof(presil_lstm_attributes), 3, check, run, macs};

}  // namespace presil::kernels
