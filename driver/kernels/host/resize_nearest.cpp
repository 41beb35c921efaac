// Nearest neighbour: source = floor((i + offset) * scale), or rounded with align_corners, inside
// the image. scale and product are float32, as in TFLite's kernel.
#include "driver/kernels/host/resize.h"

namespace presil::kernels {
namespace {

int64_t source(uint32_t i, uint32_t in, uint32_t out, const presil_resize_attributes& a) {
  const bool corners = a.align_corners && out > 1;
  const float scale = corners ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                              : static_cast<float>(in) / static_cast<float>(out);
  const float at = (static_cast<float>(i) + (a.half_pixel_centers ? 0.5f : 0.0f)) * scale;
  const int64_t nearest = a.align_corners ? round_away(at) : static_cast<int64_t>(at);  // at >= 0
  return clamp(nearest, 0, static_cast<int64_t>(in) - 1);
}

void run(const Task& task) {
  const auto a = task.as<presil_resize_attributes>();
  const int64_t h = task[0].shape[1], w = task[0].shape[2];
  const int64_t c = int64_t{task[0].shape[3]} * presil_dtype_bytes(task[0].dtype);
  const uint32_t oh = task[1].shape[1], ow = task[1].shape[2];
  uint8_t* y = task.data<uint8_t>(1);
  for (uint32_t n = 0; n < task[0].shape[0]; ++n) {
    const uint8_t* image = task.data<const uint8_t>(0) + n * h * w * c;
    for (uint32_t oy = 0; oy < oh; ++oy) {
      const uint8_t* row = image + source(oy, task[0].shape[1], oh, a) * w * c;
      for (uint32_t ox = 0; ox < ow; ++ox, y += c) {
        std::memcpy(y, row + source(ox, task[0].shape[2], ow, a) * c, static_cast<size_t>(c));
      }
    }
  }
}

}  // namespace

// {x [n,h,w,c], y [n,oh,ow,c]}, any type: presil_resize_attributes.
const Kernel kResizeNearest{
    "resize_nearest", sizeof(presil_resize_attributes), 1, check_resize, run, elements_written};

}  // namespace presil::kernels
