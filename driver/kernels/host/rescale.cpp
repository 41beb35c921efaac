// Stored integers at another scale: a product, one or two roundings, a zero point.
#include "driver/kernels/host/arithmetic.h"
#include "driver/kernels/host/plain.h"

namespace presil::kernels {
namespace {

enum : uint32_t { kX, kMultiplier, kShift, kY, kTensors };

void check(const Task& task, Check& c) {
  if (!c.count(kTensors)) return;
  const auto a = task.as<presil_rescale_attributes>();
  check_plain(task, c, kX);
  check_plain(task, c, kMultiplier);
  check_plain(task, c, kY);
  c.dtype(kShift, PRESIL_INT8);
  if (task[kMultiplier].dtype != PRESIL_INT16) c.dtype(kMultiplier, PRESIL_INT32);
  c.elements(kY, presil_tensor_elements(&task[kX]));
  c.range("round_twice", a.round_twice, 0, 1);
  c.range("in_unsigned", a.in_unsigned, 0, 1);
  c.range("out_unsigned", a.out_unsigned, 0, 1);
  if (!c.ok()) return;
  const uint32_t rank = task[kX].rank;
  const uint32_t channels = rank == 0 ? 1 : task[kX].shape[rank - 1];
  for (uint32_t i = kMultiplier; i <= kShift; ++i) {
    if (presil_tensor_elements(&task[i]) != 1) c.elements(i, channels);
  }
}

int64_t number(const Tensor& tensor, uint64_t i, bool is_unsigned) {
  int64_t value = 0;
  for_plain_type(tensor.dtype, [&](auto type) {
    value = static_cast<int64_t>(static_cast<const decltype(type)*>(tensor.data)[i]);
  });
  const uint32_t bits = 8 * presil_dtype_bytes(tensor.dtype);
  return is_unsigned && bits < 64 ? value & ((int64_t{1} << bits) - 1) : value;
}

void put(const Tensor& tensor, uint64_t i, int64_t value, bool is_unsigned) {
  const uint32_t bits = 8 * presil_dtype_bytes(tensor.dtype);
  if (bits < 64) {
    const int64_t half = int64_t{1} << (bits - 1);
    value = is_unsigned ? clamp(value, 0, 2 * half - 1) : clamp(value, -half, half - 1);
  }
  for_plain_type(tensor.dtype, [&](auto type) {
    static_cast<decltype(type)*>(tensor.data)[i] = static_cast<decltype(type)>(value);
  });
}

int64_t scaled(int64_t x, int64_t multiplier, int shift, bool twice) {
  const uint64_t product = static_cast<uint64_t>(x) * static_cast<uint64_t>(multiplier);
  uint64_t nudge = uint64_t{1} << (shift - 1);
  if (twice && shift > 31) x < 0 ? nudge -= uint64_t{1} << 30 : nudge += uint64_t{1} << 30;
  return static_cast<int64_t>(product + nudge) >> shift;
}

void run(const Task& task) {
  const auto a = task.as<presil_rescale_attributes>();
  const uint64_t n = presil_tensor_elements(&task[kY]);
  const uint64_t multipliers = presil_tensor_elements(&task[kMultiplier]);
  const uint64_t shifts = presil_tensor_elements(&task[kShift]);
  for (uint64_t i = 0; i < n; ++i) {
    const int shift = static_cast<int>(clamp(task.data<const int8_t>(kShift)[i % shifts], 2, 62));
    const int64_t x = number(task[kX], i, a.in_unsigned != 0) - a.in_zero;
    const int64_t m = number(task[kMultiplier], i % multipliers, false);
    put(task[kY], i, scaled(x, m, shift, a.round_twice != 0) + a.out_zero, a.out_unsigned != 0);
  }
}

}  // namespace

// {x, multiplier i32|i16, shift i8, y}, x and y any integers; multiplier and shift have one element
// or one for each index of x's last axis; presil_rescale_attributes.
const Kernel kRescale{"rescale",       sizeof(presil_rescale_attributes), 1, check, run,
                      elements_written};

}  // namespace presil::kernels
