// fully_connected of float x and int8 weights; hybrid.h has the arithmetic.
#include "driver/kernels/host/arithmetic.h"
#include "driver/kernels/host/hybrid.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  check_hybrid(task, c);
  if (!c.ok()) return;
  c.rank(kHybridW, 2);
  if (!c.ok()) return;
  const uint32_t out = task[kHybridW].shape[0], in = task[kHybridW].shape[1];
  const uint64_t values = presil_tensor_elements(&task[kHybridX]);
  c.elements(kHybridBias, out);
  if (values % in) c.refuse("values left over by rows of `in`", kHybridX, values % in, 0);
  c.elements(kHybridY, values / in * out);
}

uint64_t macs(const Task& task) {
  return presil_tensor_elements(&task[kHybridY]) * task[kHybridW].shape[1];
}

void run(const Task& task) {
  const auto a = task.as<presil_hybrid_attributes>();
  const uint32_t out = task[kHybridW].shape[0], in = task[kHybridW].shape[1];
  const float *bias = task.data<const float>(kHybridBias),
              *scales = task.data<const float>(kHybridScale);
  const float* x = task.data<const float>(kHybridX);
  int8_t* q = task.data<int8_t>(kHybridBytes);
  float* y = task.data<float>(kHybridY);
  uint64_t rows = presil_tensor_elements(&task[kHybridX]) / in;
  for (; rows > 0; --rows, x += in, q += in) {
    const HybridInput found = hybrid_input(a.input, x, in, q);
    for (uint32_t o = 0; o < out; ++o) {
      const int8_t* w = task.data<const int8_t>(kHybridW) + uint64_t{o} * in;
      int32_t acc = 0;
      for (uint32_t i = 0; i < in; ++i) acc = wrap_add(acc, (q[i] - found.zero) * w[i]);
      const float sum = hybrid_result(a.order, acc, found.scale, scales[o], bias[o], o, out);
      *y++ = within(sum, a.low, a.high);
    }
  }
}

}  // namespace

// {x f32, weights i8 [out,in], bias f32 [out], scales of the weights f32 [out], scratch i8 of x's
// size, y f32}: presil_hybrid_attributes, of whose fields it takes input, order and the clamp
// alone.
const Kernel kFullyConnectedHybrid{
    "fully_connected_hybrid", sizeof(presil_hybrid_attributes), 2, check, run, macs};

}  // namespace presil::kernels
