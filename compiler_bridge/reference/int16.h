// Operators of int16 activations and int8 weights ("int16x8"), under `tflite` alone. Zero points
// are 0. The sums are int64; WideRequantizer (requantize.h) makes them int16.
#pragma once

#include "compiler_bridge/reference/case.h"

namespace presil::reference {

void conv2d_int16(const Case& c);            ///< operators/conv2d_int16.cpp
void depthwise_conv2d_int16(const Case& c);  ///< operators/depthwise_conv2d_int16.cpp
void transpose_conv2d_int16(const Case& c);  ///< operators/transpose_conv2d_int16.cpp
void fully_connected_int16(const Case& c);   ///< operators/fully_connected_int16.cpp
void logistic_int16(const Case& c);          ///< operators/sigmoid_int16.cpp
void tanh_int16(const Case& c);              ///< likewise
void softmax_int16(const Case& c);           ///< operators/softmax_int16.cpp

/// sum a[i] * b[i]; each product is less than 2^22.
inline int64_t wide_dot(const int16_t* a, const int8_t* b, size_t count) {
  int64_t sum = 0;
  for (size_t begin = 0; begin < count; begin += 256) {
    int32_t run = 0;  // 256 * 2^22 = 2^30
    for (size_t i = begin; i < begin + 256 && i < count; ++i) run += int32_t{a[i]} * b[i];
    sum += run;
  }
  return sum;
}

}  // namespace presil::reference
