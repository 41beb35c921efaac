// Boxes and class scores of a YOLO head; its functions come as tables of the head's int8 values.
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {
namespace {

enum : uint32_t { kHead, kSigmoid, kExp, kRows, kTensors };

void check(const Task& task, Check& c) {
  if (!c.count(kTensors)) return;
  c.dtype(kHead, PRESIL_INT8);
  for (uint32_t i = kSigmoid; i <= kRows; ++i) c.dtype(i, PRESIL_FLOAT32);
  c.rank(kHead, 4);
  if (c.ok() && task[kSigmoid].rank == 2) c.dim(kSigmoid, 0, 2);
  c.elements(kSigmoid, c.ok() && task[kSigmoid].rank == 2 ? 512 : 256);
  c.elements(kExp, 256);
  const auto a = task.as<presil_yolo_decode_attributes>();
  c.range("stride", a.stride, 1, 65535);
  c.range("classes", a.classes, 1, 65535);
  c.range("anchors", a.anchors, 1, PRESIL_KERNEL_MAX_ANCHORS);
  c.dim(kHead, 0, 1);
  c.dim(kHead, 3, static_cast<int64_t>(a.anchors) * (5 + a.classes));
  c.rank(kRows, 2);
  if (!c.ok()) return;
  c.dim(kRows, 0, static_cast<int64_t>(task[kHead].shape[1]) * task[kHead].shape[2] * a.anchors);
  c.dim(kRows, 1, 4 + static_cast<int64_t>(a.classes));
}

void run(const Task& task) {
  const auto a = task.as<presil_yolo_decode_attributes>();
  const uint8_t* head = task.data<const uint8_t>(kHead);
  const float* sigmoid = task.data<const float>(kSigmoid);
  const float* centre = task[kSigmoid].rank == 2 ? sigmoid + 256 : sigmoid;
  const float* exp = task.data<const float>(kExp);
  float* row = task.data<float>(kRows);
  const float stride = static_cast<float>(a.stride);
  for (uint32_t y = 0; y < task[kHead].shape[1]; ++y) {
    for (uint32_t x = 0; x < task[kHead].shape[2]; ++x) {
      for (uint32_t anchor = 0; anchor < a.anchors; ++anchor) {
        const float cx = (centre[head[0]] + static_cast<float>(x)) * stride;
        const float cy = (centre[head[1]] + static_cast<float>(y)) * stride;
        const float w = exp[head[2]] * a.anchor_size[anchor][0];
        const float h = exp[head[3]] * a.anchor_size[anchor][1];
        const float object = sigmoid[head[4]];
        row[0] = cx - w * 0.5f;
        row[1] = cy - h * 0.5f;
        row[2] = cx + w * 0.5f;
        row[3] = cy + h * 0.5f;
        for (uint32_t c = 0; c < a.classes; ++c) row[4 + c] = object * sigmoid[head[5 + c]];
        row += 4 + a.classes;
        head += 5 + a.classes;
      }
    }
  }
}

}  // namespace

// {head i8 [1,h,w,A*(5+C)], sigmoid f32 [256] or [2,256], exp f32 [256], rows f32 [h*w*A, 4+C]}:
// presil_yolo_decode_attributes. Tables are indexed by the value as uint8.
const Kernel kYoloDecode{"yolo_decode",   sizeof(presil_yolo_decode_attributes), 1, check, run,
                         elements_written};

}  // namespace presil::kernels
