// One row per box, all in float32 and in this order of operations; a value is float(q - z) * s, as
// dequantize has it:
//   cx = value of x * width, cy = value of y * height; half_w = value of w * width * 0.5, half_h
//   likewise; x0 = cx - half_w, y0 = cy - half_h, x1 = cx + half_w, y1 = cy + half_h;
//   score = value of the largest stored class, with objectness value of that * it; class = the
//   first that has it.
#include "compiler_bridge/reference/case.h"

namespace presil::reference::operators {

void box_decode(const Case& c) {
  const auto& a = c.attributes<ir::BoxDecode>();
  const auto& shape = c.in().shape;
  const int64_t n = shape[a.channels_last ? 1 : 2];
  const int64_t box = a.channels_last ? shape[2] : 1, channel = a.channels_last ? 1 : n;
  const auto zero = static_cast<int32_t>(c.in().quantization.zero_point());
  const float scale = c.in().quantization.scale();
  const auto value = [&](int8_t q) { return static_cast<float>(q - zero) * scale; };
  const int first = a.objectness ? 5 : 4;
  const int8_t* x = c.read<int8_t>(0);
  float* row = c.write<float>();
  for (int64_t i = 0; i < n; ++i, x += box) {
    int best = 0;
    for (int k = 1; k < a.classes; ++k) {
      if (x[(first + k) * channel] > x[(first + best) * channel]) best = k;
    }
    const float cx = value(x[0]) * a.width;
    const float cy = value(x[channel]) * a.height;
    const float half_w = value(x[2 * channel]) * a.width * 0.5f;
    const float half_h = value(x[3 * channel]) * a.height * 0.5f;
    *row++ = cx - half_w;
    *row++ = cy - half_h;
    *row++ = cx + half_w;
    *row++ = cy + half_h;
    const float score = value(x[(first + best) * channel]);
    *row++ = a.objectness ? value(x[4 * channel]) * score : score;
    *row++ = static_cast<float>(best);
  }
}

}  // namespace presil::reference::operators
