// A TFLite file with one LSTM, for tests.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/import/tflite_file.h"

namespace presil::import {

/// 3 units on x [1,5,2].
inline TfliteFile lstm_file() {
  TfliteFile f;
  const int x = f.add_tensor("x", {1, 5, 2});
  std::vector<int32_t> inputs(24, -1);
  inputs[0] = x;
  for (size_t i = 1; i <= 8; ++i) {
    const int columns = i <= 4 ? 2 : 3;
    inputs[i] = f.add_constant("w" + std::to_string(i), {3, columns}, file::TensorType_Int8,
                               std::vector<int8_t>(static_cast<size_t>(3 * columns), 1));
  }
  for (size_t i = 12; i <= 15; ++i) {
    inputs[i] = f.add_integers("b" + std::to_string(i), {1, 2, 3});
  }
  inputs[18] = f.add_constant("h", {1, 3}, file::TensorType_Int8, std::vector<int8_t>{9, 9, 9});
  inputs[19] = f.add_tensor("c", {1, 3}, file::TensorType_Int16);
  for (const int state : {inputs[18], inputs[19]}) f.tensor(state).is_variable = true;
  f.tensor(inputs[18]).quantization->zero_point = {3};
  f.tensor(inputs[19]).quantization = std::make_unique<file::QuantizationT>();
  f.tensor(inputs[19]).quantization->scale = {1.0f / 2048};
  const int y = f.add_tensor("y", {1, 5, 3});
  file::LstmT options;
  options.activation = file::Fused_Tanh;
  options.cell_clip = 2.5f;
  f.add_op(file::Builtin_UNIDIRECTIONAL_SEQUENCE_LSTM, inputs, {y}).options.Set(std::move(options));
  f.graph().inputs = {x};
  f.graph().outputs = {y};
  return f;
}

}  // namespace presil::import
