// What costs are fitted to: kernels on DSPs of other widths, with shapes of this test's own.
#include <gtest/gtest.h>

#include "compiler_bridge/layer/dsp_cost.h"
#include "driver/kernels/dsp/params.h"
#include "tests/dsp_kernels/dsp_measure.h"

namespace presil::dsp {
namespace {

struct Width {
  unsigned vlen, dlen, sequencers;
};
constexpr Width kWidths[] = {{128, 128, 1}, {256, 64, 1},   {512, 256, 1},
                             {512, 256, 2}, {1024, 512, 1}, {1024, 512, 2}};

template <class Params>
void expect_fit(const std::string& kernel, const TensorValue& x, const TensorValue& y,
                const Params& params, const layer::DspCost& cost, int64_t rows) {
  for (const Width& width : kWidths) {
    Config config;
    config.vlen = width.vlen, config.dlen = width.dlen;
    config.arithmetic_sequencers = width.sequencers;
    DspConfig same;
    same.vlen = width.vlen, same.dlen = width.dlen;
    same.arithmetic_sequencers = width.sequencers;
    Rig rig(config);
    const auto cycles = double(cycles_of(rig.run(kernel, {{x, {}}}, {{y, {}}}, params)));
    EXPECT_NEAR(double(layer::cycles_of(cost, rows, same)) / cycles, 1, 0.2)
        << cost.function << ": " << cycles << " cycles at VLEN " << width.vlen << ", DLEN "
        << width.dlen << ", " << width.sequencers << " sequencers";
  }
}

TEST(DspFit, FunctionsOfFloats) {
  Random random(5);
  const TensorValue x = random_floats(random, {3100}, -8, 8);
  expect_fit("function_f32", x, x, presil_dsp_function_f32{PRESIL_DSP_EXP, 0, 0, INFINITY},
             {"exp_f32", {0, 1}}, 3100);
  expect_fit("function_f32", x, x, presil_dsp_function_f32{PRESIL_DSP_TANH, 0, 0, INFINITY},
             {"tanh_f32", {0, 1}}, 3100);
}

TEST(DspFit, ShortAndLongRowsOfASoftmax) {
  Random random(6);
  for (const int64_t depth : {8, 300}) {
    const TensorValue x = random_floats(random, {40, depth}, -8, 8);
    expect_fit("softmax_f32", x, x, presil_dsp_softmax_f32{1.0f}, {"softmax_f32", {depth}}, 40);
  }
}

TEST(DspFit, ImagesOfFewAndOfManyChannels) {
  Random random(7);
  for (const int64_t channels : {7, 91}) {  // not by phases
    for (const int64_t times : {2, 3}) {    // weights of few bits and of many
      const TensorValue x = random_bytes(random, {1, 9, 11, channels}),
                        y = random_bytes(random, {1, 9 * times, 11 * times, channels});
      // [pixels, columns, channels, pixels of rows of x as wide as those of y, rows of an image]
      expect_fit("resize_bilinear_i8", x, y, presil_dsp_resize{0, 0, 0, {}},
                 {times == 2 ? "resize_bilinear_i8_tflite_short" : "resize_bilinear_i8_tflite",
                  {9 * 11 * times * times, 11 * times, channels, 9 * 11 * times, 1}},
                 1);
    }
  }
}

}  // namespace
}  // namespace presil::dsp
