// Recurrent layers: an LSTM of int8. Its weights stand as the kernel multiplies them, by input, the
// units of all gates side by side.
#include <array>

#include "compiler_bridge/partition/dsp_lowering.h"
#include "compiler_bridge/partition/host_parts.h"
#include "compiler_bridge/partition/lstm_parts.h"
#include "driver/kernels/dsp/params.h"

namespace presil::partition {
namespace {

/// Of the op's four gates, as its inputs stand, input, forget, cell, output: the kernel's order.
constexpr std::array<size_t, 4> kGates = {0, 1, 3, 2};

/// [n + u, 4 u] of weights [u, n] and [u, u] of each gate.
ir::TensorId weights_of(ir::Graph& graph, const ir::Op& op, size_t units) {
  std::vector<int16_t> laid;
  for (const size_t first : {kLstmWeights, kLstmRecurrent}) {
    const auto terms = static_cast<size_t>(graph.tensor(op.input(first)).shape[1]);
    for (size_t term = 0; term < terms; ++term) {
      for (const size_t gate : kGates) {
        const auto* w = graph.tensor(op.input(first + gate)).values<int8_t>();
        for (size_t unit = 0; unit < units; ++unit) laid.push_back(w[unit * terms + term]);
      }
    }
  }
  const auto lanes = static_cast<int64_t>(4 * units);
  return add_constant(graph, graph.tensor(op.output()).name + "/weights", ir::DType::kInt16,
                      {static_cast<int64_t>(laid.size()) / lanes, lanes}, laid);
}

/// Rows of PRESIL_DSP_LSTM_TERMS. @return also whether shifts are plain
std::pair<ir::TensorId, bool> terms_of(ir::Graph& graph, const ir::Op& op,
                                       const presil_lstm_attributes& a, size_t units) {
  const size_t lanes = 4 * units;
  std::vector<int32_t> terms(PRESIL_DSP_LSTM_TERMS * lanes);
  bool plain = true;
  for (size_t i = 0; i < kGates.size(); ++i) {
    const size_t gate = kGates[i];
    const auto* bias = graph.tensor(op.input(kLstmBias + gate)).values<int32_t>();
    const std::array<std::pair<int32_t, int32_t>, 2> scales = {
        {{a.input_multiplier[gate], a.input_shift[gate]},
         {a.recurrent_multiplier[gate], a.recurrent_shift[gate]}}};
    for (size_t unit = 0; unit < units; ++unit) {
      int32_t* lane = terms.data() + i * units + unit;
      lane[0] = bias[unit];
      for (const auto& [multiplier, shift] : scales) {
        lane += lanes, *lane = multiplier;
        lane += lanes, *lane = std::max<int32_t>(shift, 0);
        lane += lanes, *lane = std::max<int32_t>(-shift, 0);
        plain = plain && shift < 0;
      }
    }
  }
  return {add_constant(graph, graph.tensor(op.output()).name + "/terms", ir::DType::kInt32,
                       {PRESIL_DSP_LSTM_TERMS, static_cast<int64_t>(lanes)}, terms),
          plain};
}

layer::DspLayer lstm(ir::Graph& graph, const ir::Op& op) {
  const presil_lstm_attributes a = lstm_attributes(graph, op);
  const std::vector<int64_t> xs = graph.tensor(op.input(0)).shape;
  const int64_t units = graph.tensor(op.input(kLstmWeights)).shape[0];
  const auto [terms, plain] = terms_of(graph, op, a, static_cast<size_t>(units));
  const presil_dsp_lstm_i8 params = {
      a.time_major,        plain ? uint32_t{1} : 0, a.in_zero,           a.hidden_zero,
      a.forget_multiplier, a.forget_shift,          a.update_multiplier, a.update_shift,
      a.hidden_multiplier, a.hidden_shift,          a.cell_power,        a.cell_clip};
  layer::DspLayer layer;
  layer.kernel = "lstm_i8", layer.host_kernel = "lstm";
  layer.params = bytes_of(params);
  layer.inputs = {whole(graph, op.input(0)),
                  whole(graph, weights_of(graph, op, static_cast<size_t>(units))),
                  whole(graph, terms),
                  whole(graph, sigmoid_points(graph, op)),
                  whole(graph, first_state<int8_t>(graph, op, 13, 1)),
                  whole(graph, first_state<int16_t>(graph, op, 14, 2))};
  for (size_t i = 0; i < 3; ++i) layer.outputs.push_back(whole(graph, op.output(i)));
  layer.cost = {"lstm_i8", {xs[0] * xs[1], xs[2], units}};
  layer.host_elements = static_cast<uint64_t>(xs[0] * xs[1] * 4 * units * (xs[2] + units));
  return layer;
}

}  // namespace

std::vector<DspLowering> dsp_recurrent_lowerings() {
  return {{ir::OpKind::kLstm, lstm}};
}

}  // namespace presil::partition
