// An LSTM of int8, step by step, against the reference interpreter.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "compiler_bridge/common/sigmoid_table.h"
#include "compiler_bridge/reference/fixed_point.h"
#include "driver/kernels/dsp/params.h"
#include "tests/dsp_kernels/dsp_sweep.h"

namespace presil::dsp {
namespace {

using Shape = std::vector<int64_t>;
using reference::Scale;
using reference::to_scale;

int64_t pick(Random& random, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
}
float power(Random& random, int low, int high) {
  return std::exp2(static_cast<float>(pick(random, 16 * low, 16 * high)) / 16);
}
std::string steps(float scale, int64_t zero) {
  char text[48];
  std::snprintf(text, sizeof text, " q(%.9g, %d)", static_cast<double>(scale),
                static_cast<int>(zero));
  return text;
}

/// One LSTM; gates stand in the operator's order, input, forget, cell, output.
struct Lstm {
  bool time_major;
  int64_t batches, steps, inputs, units;
  float x_scale, h_scale;
  int64_t x_zero, h_zero;
  int cell_power;
  float clip;  ///< 0: none
  std::array<float, 8> scales;
  std::vector<TensorValue> weights, biases;

  explicit Lstm(Random& random)
      : time_major(random() % 2 != 0),
        batches(pick(random, 1, 3)),
        steps(pick(random, 1, 5)),
        inputs(pick(random, 1, 20)),
        units(random() % 4 == 0 ? pick(random, 60, 90) : pick(random, 1, 20)),
        x_scale(power(random, -8, -3)),
        h_scale(power(random, -9, -5)),
        x_zero(pick(random, -128, 127)),
        h_zero(pick(random, -128, 127)),
        cell_power(static_cast<int>(pick(random, -15, -9))),
        clip(random() % 3 == 0 ? power(random, -4, 4) : 0) {
    const int most = random() % 2 == 0 ? -2 : -10;  // shifts to the left, or none
    for (size_t i = 0; i < 8; ++i) {
      scales[i] = power(random, -14, most);
      weights.push_back(random_bytes(random, {units, i < 4 ? inputs : units}));
    }
    for (size_t i = 0; i < 4; ++i) {
      std::vector<int32_t> values;
      for (int64_t k = 0; k < units; ++k) {
        values.push_back(static_cast<int32_t>(pick(random, -32768, 32767)));
      }
      biases.push_back(tensor_of(ir::DType::kInt32, {units}, values));
    }
  }

  Shape outer() const { return time_major ? Shape{steps, batches} : Shape{batches, steps}; }
  Shape rows(int64_t of) const { return {outer()[0], outer()[1], of}; }

  std::string text() const {
    const std::string hidden = dsp::steps(h_scale, h_zero),
                      cell = dsp::steps(std::ldexp(1.0f, cell_power), 0);
    std::string t = "graph \"t\" tflite { input %x : " + type_of("int8", rows(inputs)) +
                    dsp::steps(x_scale, x_zero);
    for (size_t i = 0; i < 8; ++i) {
      t += " const %w" + std::to_string(i) + " : " +
           type_of("int8", {units, i < 4 ? inputs : units}) + dsp::steps(scales[i], 0) +
           " = splat 0";
    }
    for (size_t i = 0; i < 4; ++i) {
      t += " const %b" + std::to_string(i) + " : " + type_of("int32", {units}) + " = splat 0";
    }
    const std::string h = type_of("int8", {batches, units}) + hidden,
                      c = type_of("int16", {batches, units}) + cell;
    t += " input %h : " + h + " input %c : " + c + " %y, %hl, %cl = lstm(%x";
    for (size_t i = 0; i < 8; ++i) t += ", %w" + std::to_string(i);
    for (size_t i = 0; i < 4; ++i) t += ", %b" + std::to_string(i);
    t += ", %h, %c) {time_major=" + std::string(time_major ? "true" : "false") +
         ", cell_clip=" + std::to_string(clip) + "} : " + type_of("int8", rows(units)) + hidden +
         ", " + h + ", " + c + " output %y, %hl, %cl }";
    return t;
  }

  std::vector<std::pair<std::string, TensorValue>> constants() const {
    std::vector<std::pair<std::string, TensorValue>> all;
    for (size_t i = 0; i < 8; ++i) all.emplace_back("w" + std::to_string(i), weights[i]);
    for (size_t i = 0; i < 4; ++i) all.emplace_back("b" + std::to_string(i), biases[i]);
    return all;
  }

  /// As the kernel takes them, by units of the input, forget, output and cell gate.
  std::vector<Operand> operands(const Example& e) const {
    static constexpr std::array<size_t, 4> kOrder = {0, 1, 3, 2};
    const auto lanes = static_cast<size_t>(4 * units), n = static_cast<size_t>(units);
    std::vector<int16_t> laid(static_cast<size_t>(inputs + units) * lanes);
    std::vector<int32_t> terms(7 * lanes);
    for (size_t gate = 0; gate < 4; ++gate) {
      for (size_t of = 0; of < 2; ++of) {  // x, h
        const size_t i = 4 * of + kOrder[gate];
        const auto columns = static_cast<size_t>(of == 0 ? inputs : units);
        const auto* w = reinterpret_cast<const int8_t*>(weights[i].data.data());
        const Scale scale =
            to_scale(static_cast<double>((of == 0 ? x_scale : h_scale) * scales[i]) * 4096);
        for (size_t unit = 0; unit < n; ++unit) {
          const size_t lane = gate * n + unit;
          for (size_t c = 0; c < columns; ++c) {
            const size_t row = c + (of == 0 ? 0 : static_cast<size_t>(inputs));
            laid[row * lanes + lane] = w[unit * columns + c];
          }
          int32_t bias;
          std::memcpy(&bias, biases[kOrder[gate]].data.data() + 4 * unit, 4);
          terms[lane] = bias;
          terms[(1 + 3 * of) * lanes + lane] = scale.multiplier;
          terms[(2 + 3 * of) * lanes + lane] = std::max(scale.shift, 0);
          terms[(3 + 3 * of) * lanes + lane] = std::max(-scale.shift, 0);
        }
      }
    }
    const auto table = common::sigmoid_table();
    return {
        {e.in[0], {}},
        {tensor_of(ir::DType::kInt16, {inputs + units, 4 * units}, laid), {}},
        {tensor_of(ir::DType::kInt32, {7, 4 * units}, terms), {}},
        {tensor_of(ir::DType::kInt32, {256}, std::vector<int32_t>(table.begin(), table.end())), {}},
        {e.in[1], {}},
        {e.in[2], {}}};
  }

  presil_dsp_lstm_i8 params() const {
    const double cell = std::ldexp(1.0, cell_power);
    const Scale forget = to_scale(0x1p-15), update = to_scale(0x1p-30 / cell),
                hidden = to_scale(0x1p-30 / static_cast<double>(h_scale));
    bool plain = true;
    for (size_t i = 0; i < 8; ++i) {
      plain =
          plain &&
          to_scale(static_cast<double>((i < 4 ? x_scale : h_scale) * scales[i]) * 4096).shift < 0;
    }
    const double most = static_cast<double>(std::stof(std::to_string(clip))) / cell;
    return {time_major ? uint32_t{1} : 0,
            plain ? uint32_t{1} : 0,
            static_cast<int32_t>(x_zero),
            static_cast<int32_t>(h_zero),
            forget.multiplier,
            forget.shift,
            update.multiplier,
            update.shift,
            hidden.multiplier,
            hidden.shift,
            cell_power,
            clip > 0 ? static_cast<int32_t>(std::min(most, 32767.0)) : 0};
  }
};

TEST(DspLstm, sequences_and_their_states_equal_the_interpreter) {
  int plain = 0, all = 0;
  sweep(160, [&](Rig& rig, Random& random) {
    const Lstm lstm(random);
    Example e(lstm.text(),
              {random_bytes(random, lstm.rows(lstm.inputs)),
               random_bytes(random, {lstm.batches, lstm.units}),
               random_bytes(random, {lstm.batches, lstm.units}, ir::DType::kInt16)},
              lstm.constants());
    const presil_dsp_lstm_i8 p = lstm.params();
    plain += static_cast<int>(p.plain), ++all;
    return difference(rig.run("lstm_i8", lstm.operands(e), e.results(), p), e.out);
  });
  EXPECT_GT(plain, all / 8);
  EXPECT_LT(plain, all * 7 / 8);
}

TEST(DspLstm, what_it_does_not_compute_is_refused) {
  Random random(7);
  const Lstm lstm(random);
  Example e(lstm.text(),
            {random_bytes(random, lstm.rows(lstm.inputs)),
             random_bytes(random, {lstm.batches, lstm.units}),
             random_bytes(random, {lstm.batches, lstm.units}, ir::DType::kInt16)},
            lstm.constants());
  Rig rig;
  const std::vector<Operand> in = lstm.operands(e);
  const auto refused = [&](std::vector<Operand> operands, const presil_dsp_lstm_i8& p) {
    return rig.run("lstm_i8", operands, e.results(), p).refused;
  };
  EXPECT_EQ(refused(in, lstm.params()), PRESIL_DSP_DONE);
  presil_dsp_lstm_i8 p = lstm.params();
  p.cell_power = -16;
  EXPECT_EQ(refused(in, p), PRESIL_DSP_REFUSED_PARAMS);
  p = lstm.params(), p.forget_shift = 32;
  EXPECT_EQ(refused(in, p), PRESIL_DSP_REFUSED_PARAMS);
  std::vector<Operand> fewer(in.begin(), in.end() - 1);
  EXPECT_EQ(refused(fewer, lstm.params()), PRESIL_DSP_REFUSED_COUNT);
  std::vector<Operand> other = in;
  std::swap(other[4], other[5]);
  EXPECT_EQ(refused(other, lstm.params()), PRESIL_DSP_REFUSED_TYPE);
  other = in;
  other[2] = {tensor_of(ir::DType::kInt32, {1}, std::vector<int32_t>{0}), {}};
  EXPECT_EQ(refused(other, lstm.params()), PRESIL_DSP_REFUSED_SHAPE);
}

}  // namespace
}  // namespace presil::dsp
