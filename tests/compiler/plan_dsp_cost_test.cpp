// Cycles of kernels on DSPs other than that for which they were measured; selects of images.
#include <gtest/gtest.h>

#include "compiler_bridge/layer/dsp_cost.h"
#include "compiler_bridge/plan/cost.h"
#include "compiler_bridge/plan/dsp_images.h"
#include "driver/kernels/dsp/cost.h"

namespace presil::plan {
namespace {

constexpr uint64_t kEntry = PRESIL_DSP_CYCLES_ENTRY;

DspConfig dsp(unsigned vlen, unsigned dlen) {
  DspConfig config;
  config.vlen = vlen, config.dlen = dlen;
  return config;
}

TEST(DspCost, VectorsTakeLongerByNarrowerDataPathsAndShorterRegisters) {
  const layer::DspCost cost{"exp_f32", {0, 1000}};
  const uint64_t usual = layer::cycles_of(cost, 1) - kEntry;
  EXPECT_EQ(layer::cycles_of(cost, 1, dsp(512, 256)), kEntry + usual);
  // 0.4 * 2 + 0.6 * 4 = 3.2
  EXPECT_NEAR(double(layer::cycles_of(cost, 1, dsp(128, 128)) - kEntry), 3.2 * double(usual), 1);
  // 0.4 / 2 + 0.6 / 2 = 0.5
  EXPECT_NEAR(double(layer::cycles_of(cost, 1, dsp(1024, 512)) - kEntry), 0.5 * double(usual), 1);
}

TEST(DspCost, WhatAnAuthorStatesIsSoOnEveryDsp) {
  const layer::DspCost cost{"stated", {9000, 3}};
  EXPECT_EQ(layer::cycles_of(cost, 2, dsp(128, 128)), 6000u);
}

TEST(DspImages, ASelectThatNothingHidesIsOneForAllLayers) {
  dsp_image::Image a, b;
  a.bytes.resize(20000);
  b.bytes.resize(8000);
  const SocConfig config;
  const Cycle select_a = move_cycles(20000, 1, config), select_b = move_cycles(8000, 1, config);
  EXPECT_EQ(own_selects({&a}, 0, config), select_a);
  EXPECT_EQ(own_selects({&a, nullptr, &a}, 2, config), 0);
  EXPECT_EQ(first_select({&a, nullptr, &a}, config), select_a);
  EXPECT_EQ(first_select({nullptr, &a}, config), 0);
  EXPECT_EQ(first_select({&a, &b}, config), 0);
  EXPECT_EQ(own_selects({nullptr, &a}, 1, config), 0);  // loaded under the layer before
  EXPECT_EQ(own_selects({nullptr, &a, &b, &a}, 2, config), select_b + select_a);
}

}  // namespace
}  // namespace presil::plan
