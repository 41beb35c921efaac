// Recurrent layers on the vector DSP.
#include "compiler_bridge/rules/rule.h"
#include "driver/kernels/dsp/params.h"

namespace presil::rules {
namespace {

Rule inputs_of_a_step() {
  return within("inputs", 1, PRESIL_DSP_LSTM_INPUTS, "make them fewer by a product before it",
                [](const Subject& s) { return s.in(0).shape.back(); });
}

Rule units() {
  return within("units", 1, PRESIL_DSP_LSTM_UNITS, "take fewer units",
                [](const Subject& s) { return s.in(1).shape[0]; });
}

}  // namespace

std::vector<Entry> dsp_recurrent_entries() {
  return {{ir::OpKind::kLstm, "", {inputs_of_a_step(), units()}, {"lstm_i8"}}};
}

}  // namespace presil::rules
