// Tensors and tasks for tests of kernels, in one line each.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <vector>

#include "driver/kernels/host/kernels.h"

namespace presil::kernels {

template <class T>
constexpr uint32_t dtype_of();
template <>
constexpr uint32_t dtype_of<int8_t>() {
  return PRESIL_INT8;
}
template <>
constexpr uint32_t dtype_of<uint8_t>() {
  return PRESIL_UINT8;
}
template <>
constexpr uint32_t dtype_of<int16_t>() {
  return PRESIL_INT16;
}
template <>
constexpr uint32_t dtype_of<int32_t>() {
  return PRESIL_INT32;
}
template <>
constexpr uint32_t dtype_of<int64_t>() {
  return PRESIL_INT64;
}
template <>
constexpr uint32_t dtype_of<float>() {
  return PRESIL_FLOAT32;
}

template <class T>
presil_kernel_tensor tensor(std::vector<T>& data, std::vector<uint32_t> shape = {}) {
  presil_kernel_tensor t{};
  t.data = data.data();
  t.dtype = dtype_of<T>();
  if (shape.empty()) shape = {static_cast<uint32_t>(data.size())};
  t.rank = static_cast<uint32_t>(shape.size());
  for (size_t i = 0; i < shape.size(); ++i) t.shape[i] = shape[i];
  EXPECT_EQ(presil_tensor_elements(&t), data.size()) << "the test's own shape";
  return t;
}

struct None {};

template <class A = None>
testing::AssertionResult run(presil_kernel kernel, std::vector<presil_kernel_tensor> tensors,
                             const A& attributes = {}) {
  const uint32_t bytes = std::is_same_v<A, None> ? 0 : sizeof attributes;
  presil_kernel_refusal why{"", -1, 0, 0};
  if (presil_kernel_run(kernel, tensors.data(), static_cast<uint32_t>(tensors.size()), &attributes,
                        bytes, &why)) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << "tensor " << why.tensor << ": " << why.what << " is "
                                     << why.got << ", must be " << why.expected;
}

inline int32_t bits(float f) {
  int32_t i;
  std::memcpy(&i, &f, sizeof i);
  return i;
}

constexpr int32_t kHalf = 1 << 30;  ///< as a multiplier of double rounding; with shift 1 it is 1

}  // namespace presil::kernels
