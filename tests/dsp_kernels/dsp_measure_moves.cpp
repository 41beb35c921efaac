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

std::string sides(int64_t side, int64_t out, int64_t channels) {
  return std::to_string(side) + " to " + std::to_string(out) + ", " + std::to_string(channels) +
         " channels";
}
Measured resize_nearest(int64_t side, int64_t channels, double bound) {
  const int64_t twice = 2 * side;
  const auto pixels = static_cast<uint64_t>(twice * twice), c = static_cast<uint64_t>(channels);
  return {"resize_nearest",
          sides(side, twice, channels),
          "value",
          pixels * c,
          cycles("resize_nearest", {1, side, side, channels}, {1, twice, twice, channels},
                 presil_dsp_resize{0, 1, 0, {}}),
          bound,
          presil_dsp_cycles_resize_nearest(pixels, static_cast<uint64_t>(twice), c, 2),
          true};
}

struct Bilinear {
  const char *kernel, *rule;
  uint32_t numerics;
  uint32_t value, pixel;  ///< of cost.h
  bool by_phases = false;
};
/// Values between rows, and, of each row of x, between columns: cycles a value.
Measured bilinear(const Bilinear& of, int64_t side, int64_t out, int64_t channels, double rows,
                  double columns) {
  Rig rig;
  Random random(1);
  const Shape from = {1, side, side, channels}, to = {1, out, out, channels};
  const bool floats = std::string(of.kernel) == "resize_bilinear_f32";
  const auto some = [&](const Shape& shape) {
    return floats ? random_floats(random, shape, -8, 8) : random_bytes(random, shape);
  };
  const uint64_t spent = cycles_of(rig.run(of.kernel, {{some(from), {}}}, {{some(to), {}}},
                                           presil_dsp_resize{0, 1, of.numerics, {}}));
  const auto ow = static_cast<uint64_t>(out), c = static_cast<uint64_t>(channels);
  return {of.kernel,
          sides(side, out, channels) + of.rule,
          "value",
          ow * ow * c,
          spent,
          rows + columns * static_cast<double>(side) / static_cast<double>(out),
          of.by_phases ? presil_dsp_cycles_resize_phases(ow * ow, static_cast<uint64_t>(side) * ow,
                                                         ow, c, of.value)
                       : presil_dsp_cycles_resize_bilinear(
                             ow * ow, static_cast<uint64_t>(side) * ow, ow, c, of.value, of.pixel),
          channels % 64 == 0};
}

}  // namespace

std::vector<Measured> measure_moves() {
  std::vector<Measured> list;
  // A cycle for 8 or 32 bytes of a run to load, and one to store, at one port of the SRAM.
  for (const int64_t run : {6, 12, 25, 64}) {
    const auto n = static_cast<uint64_t>(run);
    const uint32_t words = run % 4 == 0 ? 1 : 0;
    const double pieces = std::ceil(static_cast<double>(run) / (words != 0 ? 32 : 8));
    list.push_back(
        {"transpose", "48 x 24 runs of " + std::to_string(run), "byte", 1152 * n,
         cycles("transpose", {48, 24, run}, {24, 48, run}, presil_dsp_transpose{{1, 0, 2}}),
         2 * pieces / static_cast<double>(run),
         PRESIL_DSP_CYCLES_ENTRY + presil_dsp_cycles_moved_short_runs(1152, n, 48, words), false});
  }
  list.push_back({"transpose", "256 x 64 of int8", "element", 16384,
                  cycles("transpose", {256, 64}, {64, 256}, presil_dsp_transpose{{1, 0}}), 0.16,
                  presil_dsp_cycles_elements(1, 16384, PRESIL_DSP_TRANSPOSE_I8), false});
  // A cycle to store each column; rows are loaded 32 bytes a cycle.
  for (const int64_t rows : {2, 3, 4}) {
    const auto n = static_cast<uint64_t>(rows);
    list.push_back({"transpose", std::to_string(rows) + " x 4096 of int8", "element", 4096 * n,
                    cycles("transpose", {rows, 4096}, {4096, rows}, presil_dsp_transpose{{1, 0}}),
                    (1 + static_cast<double>(rows) / 32) / static_cast<double>(rows),
                    PRESIL_DSP_CYCLES_ENTRY + presil_dsp_cycles_transposed_bytes(1, n, 4096),
                    false});
  }
  list.push_back({"concat", "16384 of int8", "element", 16384,
                  cycles("concat", {16384}, {16384}, presil_dsp_concat{0}), 0.063,
                  presil_dsp_cycles_elements(1, 16384, PRESIL_DSP_MOVE_BYTES), false});
  list.push_back(resize_nearest(40, 64, 0.095));
  for (const auto& [side, out, channels] :
       {std::array<int64_t, 3>{20, 40, 64}, {8, 64, 21}, {16, 32, 16}}) {
    // Weights of few bits: of images 2 and 8 times as large; of an even number of channels by
    // phases.
    const bool phases = channels % 2 == 0;
    list.push_back(bilinear(
        {"resize_bilinear_i8", ", tflite", 0,
         phases ? PRESIL_DSP_BILINEAR_I8_TFLITE_PHASES : PRESIL_DSP_BILINEAR_I8_TFLITE_SHORT,
         PRESIL_DSP_BILINEAR_I8_PIXEL_SHORT, phases},
        side, out, channels, 0.31, 0.22));
    list.push_back(bilinear(
        {"resize_bilinear_i8", ", xnnpack", 1,
         phases ? PRESIL_DSP_BILINEAR_I8_XNNPACK_PHASES : PRESIL_DSP_BILINEAR_I8_XNNPACK_SHORT,
         PRESIL_DSP_BILINEAR_I8_PIXEL_SHORT, phases},
        side, out, channels, 0.19, 0.22));
    list.push_back(bilinear(
        {"resize_bilinear_f32", "", 0, PRESIL_DSP_BILINEAR_F32, PRESIL_DSP_BILINEAR_F32_PIXEL},
        side, out, channels, 0.38, 0.5));
  }
  for (const auto& [side, out, channels] : {std::array<int64_t, 3>{20, 60, 64}, {8, 50, 21}}) {
    list.push_back(bilinear({"resize_bilinear_i8", ", tflite", 0, PRESIL_DSP_BILINEAR_I8_TFLITE,
                             PRESIL_DSP_BILINEAR_I8_PIXEL},
                            side, out, channels, 0.69, 0.44));
    list.push_back(bilinear({"resize_bilinear_i8", ", xnnpack", 1, PRESIL_DSP_BILINEAR_I8_XNNPACK,
                             PRESIL_DSP_BILINEAR_I8_PIXEL},
                            side, out, channels, 0.44, 0.44));
  }
  return list;
}

}  // namespace presil::dsp
