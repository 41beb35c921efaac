// Filters of rank one over time, one step: int8 with a state of int8 or int16.
#include "driver/kernels/host/arithmetic.h"
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {
namespace {

enum : uint32_t { kX, kFeature, kTime, kBias, kState, kY, kLast, kTensors };

struct Sizes {
  uint32_t batches, inputs, filters, memory, units;
};

Sizes sizes(const Task& task, const presil_svdf_attributes& a) {
  const uint32_t filters = task[kFeature].shape[0];
  return {task[kX].shape[0], task[kX].shape[1], filters, task[kTime].shape[1], filters / a.rank};
}

void check(const Task& task, Check& c) {
  if (!c.count(kTensors)) return;
  const auto a = task.as<presil_svdf_attributes>();
  const uint32_t state = task[kState].dtype;
  constexpr uint32_t kBytes[] = {kX, kFeature, kY};
  for (const uint32_t i : kBytes) {
    c.dtype(i, PRESIL_INT8);
    c.rank(i, 2);
  }
  c.rank(kTime, 2);
  c.dtype(kBias, PRESIL_INT32);
  if (state != PRESIL_INT16) c.dtype(kState, PRESIL_INT8);
  c.dtype(kTime, state);
  c.dtype(kLast, state);
  c.at_least("rank", a.rank, 1);
  c.range("in_zero", a.in_zero, -128, 127);
  c.range("state_zero", a.state_zero, -128, 127);
  c.range("out_zero", a.out_zero, -128, 127);
  if (!c.ok()) return;
  const Sizes n = sizes(task, a);
  if (n.filters % a.rank != 0) c.refuse("rank", -1, a.rank, 1);
  c.dim(kFeature, 1, n.inputs);
  c.dim(kTime, 0, n.filters);
  c.elements(kBias, n.units);
  c.elements(kState, uint64_t{n.batches} * n.filters * n.memory);
  c.elements(kLast, uint64_t{n.batches} * n.filters * n.memory);
  c.dim(kY, 0, n.batches);
  c.dim(kY, 1, n.units);
}

uint64_t macs(const Task& task) {
  const Sizes n = sizes(task, task.as<presil_svdf_attributes>());
  return uint64_t{n.batches} * n.filters * (uint64_t{n.inputs} + n.memory);
}

template <class State>
int32_t saturated(int64_t v) {
  constexpr int64_t kHigh = sizeof(State) == 1 ? INT8_MAX : INT16_MAX;
  return static_cast<int32_t>(clamp(v, -kHigh - 1, kHigh));
}

template <class State>
void run_as(const Task& task) {
  const auto a = task.as<presil_svdf_attributes>();
  const Sizes n = sizes(task, a);
  const State* state = task.data<const State>(kState);
  State* last = task.data<State>(kLast);
  int8_t* y = task.data<int8_t>(kY);
  for (uint32_t batch = 0; batch < n.batches; ++batch) {
    const int8_t* x = task.data<const int8_t>(kX) + uint64_t{batch} * n.inputs;
    const int8_t* feature = task.data<const int8_t>(kFeature);
    const State* time = task.data<const State>(kTime);
    for (uint32_t unit = 0; unit < n.units; ++unit) {
      int32_t total = task.data<const int32_t>(kBias)[unit];
      for (uint32_t filter = 0; filter < a.rank; ++filter) {
        int32_t sum = 0;
        for (uint32_t i = 0; i < n.inputs; ++i) {
          sum = wrap_add(sum, (x[i] - a.in_zero) * feature[i]);
        }
        const int32_t newest = double_rounding(sum, a.feature_multiplier, a.feature_shift);
        for (uint32_t t = 1; t < n.memory; ++t) last[t - 1] = state[t];
        last[n.memory - 1] = static_cast<State>(saturated<State>(int64_t{newest} + a.state_zero));
        for (uint32_t t = 0; t < n.memory; ++t) {
          total = wrap_add(total, time[t] * (last[t] - a.state_zero));
        }
        feature += n.inputs, time += n.memory, state += n.memory, last += n.memory;
      }
      *y++ = finish(double_rounding(total, a.time_multiplier, a.time_shift), a.out_zero, -128, 127);
    }
  }
}

void run(const Task& task) {
  task[kState].dtype == PRESIL_INT16 ? run_as<int16_t>(task) : run_as<int8_t>(task);
}

}  // namespace

// {x i8 [batch,in], weights i8 [filters,in], time weights [filters,memory], bias i32 [filters /
// rank], state [batch,filters*memory], y i8 [batch,filters / rank], last state}, time weights and
// states i8 or i16; presil_svdf_attributes.
const Kernel kSvdf{"svdf", sizeof(presil_svdf_attributes), 2, check, run, macs};

}  // namespace presil::kernels
