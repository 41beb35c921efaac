// Boxes in pixels with their best class, of a network that says centres, sizes and scores itself.
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {
namespace {

enum : uint32_t { kX, kRows, kTensors };
constexpr uint32_t kRow = 6;

void check(const Task& task, Check& c) {
  if (!c.count(kTensors)) return;
  const auto a = task.as<presil_box_decode_attributes>();
  c.dtype(kX, PRESIL_INT8);
  c.dtype(kRows, PRESIL_FLOAT32);
  c.rank(kX, 3);
  c.rank(kRows, 2);
  c.range("classes", a.classes, 1, 65535);
  c.range("objectness", a.objectness, 0, 1);
  c.range("channels_last", a.channels_last, 0, 1);
  if (!c.ok()) return;
  c.dim(kX, 0, 1);
  c.dim(kX, a.channels_last != 0 ? 2 : 1, 4 + static_cast<int64_t>(a.objectness) + a.classes);
  c.dim(kRows, 0, task[kX].shape[a.channels_last != 0 ? 1 : 2]);
  c.dim(kRows, 1, kRow);
}

uint64_t scores(const Task& task) {
  return uint64_t{task[kRows].shape[0]} * task.as<presil_box_decode_attributes>().classes;
}

void run(const Task& task) {
  const auto a = task.as<presil_box_decode_attributes>();
  const uint32_t n = task[kRows].shape[0], first = 4 + a.objectness, channels = first + a.classes;
  const int8_t* x = task.data<const int8_t>(kX);
  float* row = task.data<float>(kRows);
  for (uint32_t box = 0; box < n; ++box, row += kRow) {
    const auto stored = [&](uint32_t channel) {
      const uint64_t at =
          a.channels_last != 0 ? uint64_t{box} * channels + channel : uint64_t{channel} * n + box;
      return x[at];
    };
    // The zero point comes from a file: the difference wraps, it does not overflow.
    const auto real = [&](int8_t q) {
      const auto lifted =
          static_cast<int32_t>(static_cast<uint32_t>(q) - static_cast<uint32_t>(a.zero));
      return static_cast<float>(lifted) * a.scale;
    };
    uint32_t label = 0;
    int8_t most = stored(first);
    for (uint32_t k = 1; k < a.classes; ++k) {
      const int8_t score = stored(first + k);
      if (score > most) most = score, label = k;
    }
    for (uint32_t axis = 0; axis < 2; ++axis) {
      const float pixels = axis == 0 ? a.width : a.height;
      const float centre = real(stored(axis)) * pixels;
      const float half = real(stored(2 + axis)) * pixels * 0.5f;
      row[axis] = centre - half;
      row[2 + axis] = centre + half;
    }
    row[4] = a.objectness != 0 ? real(stored(4)) * real(most) : real(most);
    row[5] = static_cast<float>(label);
  }
}

}  // namespace

// {x i8 [1,4+C,n] or [1,n,4+C] (5+C), rows f32 [n,6]}: presil_box_decode_attributes.
const Kernel kBoxDecode{"box_decode", sizeof(presil_box_decode_attributes), 1, check, run, scores};

}  // namespace presil::kernels
