#include "driver/kernels/dsp/cost.h"
#include "driver/kernels/dsp/params.h"
#include "tests/dsp_kernels/dsp_measure.h"

namespace presil::dsp {
namespace {

using Shape = std::vector<int64_t>;

template <class Params>
uint64_t cycles(const char* kernel, const Shape& x, const Shape& y, const Params& params) {
  Rig rig;
  Random random(1);
  const TensorValue in = random_bytes(random, x), out = random_bytes(random, y);
  return cycles_of(rig.run(kernel, {{in, {}}}, {{out, {}}}, params));
}

Measured resize(const char* kernel, int64_t side, int64_t channels, uint32_t numerics, double bound,
                bool gated) {
  const int64_t twice = 2 * side;
  const presil_dsp_resize p{0, 1, numerics};
  const auto pixels = static_cast<uint64_t>(twice * twice), c = static_cast<uint64_t>(channels);
  const uint64_t spent = cycles(kernel, {1, side, side, channels}, {1, twice, twice, channels}, p);
  const bool nearest = std::string(kernel) == "resize_nearest";
  return {kernel,
          std::to_string(side) + " to " + std::to_string(twice) + ", " + std::to_string(channels) +
              " channels" +
              (nearest         ? ""
               : numerics == 0 ? ", tflite"
                               : ", xnnpack"),
          "value",
          pixels * c,
          spent,
          bound,
          nearest ? presil_dsp_cycles_resize_nearest(pixels, static_cast<uint64_t>(twice), c, 2)
                  : presil_dsp_cycles_resize_bilinear_i8(pixels, static_cast<uint64_t>(twice), c,
                                                         numerics),
          gated};
}

Measured resize_floats() {
  constexpr int64_t kSide = 20, kTwice = 2 * kSide, kChannels = 64;
  Rig rig;
  Random random(1);
  const TensorValue x = random_floats(random, {1, kSide, kSide, kChannels}, -8, 8),
                    y = random_floats(random, {1, kTwice, kTwice, kChannels}, -8, 8);
  const uint64_t spent =
      cycles_of(rig.run("resize_bilinear_f32", {{x, {}}}, {{y, {}}}, presil_dsp_resize{0, 1, 0}));
  constexpr uint64_t kPixels = kTwice * kTwice;
  return {"resize_bilinear_f32",
          "20 to 40, 64 channels",
          "value",
          kPixels * kChannels,
          spent,
          1.13,
          presil_dsp_cycles_resize_bilinear_f32(kPixels, kTwice, kChannels),
          true};
}

}  // namespace

std::vector<Measured> measure_moves() {
  std::vector<Measured> list;
  list.push_back({"transpose", "256 x 64 of int8", "element", 16384,
                  cycles("transpose", {256, 64}, {64, 256}, presil_dsp_transpose{{1, 0}}), 0.16,
                  presil_dsp_cycles_elements(1, 16384, PRESIL_DSP_TRANSPOSE_I8), false});
  list.push_back({"concat", "16384 of int8", "element", 16384,
                  cycles("concat", {16384}, {16384}, presil_dsp_concat{0}), 0.063,
                  presil_dsp_cycles_elements(1, 16384, PRESIL_DSP_MOVE_BYTES), false});
  list.push_back(resize("resize_nearest", 40, 64, 0, 0.095, true));
  list.push_back(resize("resize_bilinear_i8", 20, 64, 0, 1.5, true));
  list.push_back(resize("resize_bilinear_i8", 20, 64, 1, 1.25, true));
  list.push_back(resize_floats());
  return list;
}

}  // namespace presil::dsp
