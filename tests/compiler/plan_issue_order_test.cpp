// Layers of several images in an order in which engines wait less; times added up by hand.
#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "compiler_bridge/layer/dma_layer.h"
#include "compiler_bridge/layer/host_layer.h"
#include "compiler_bridge/layer/in_place_layer.h"
#include "compiler_bridge/plan/issue_order.h"

namespace presil::plan {
namespace {

using layer::Layer;
using layer::Layers;
using layer::TensorId;
using testing::ElementsAre;

Layer on_dma(std::vector<TensorId> inputs, TensorId output) {
  layer::DmaLayer work;
  for (const TensorId input : inputs) work.moves.push_back({input, {}});
  work.output = output;
  Layer layer;
  layer.work = work;
  return layer;
}
Layer on_host(std::vector<TensorId> inputs, TensorId output) {
  layer::HostLayer work;
  work.inputs = std::move(inputs), work.outputs = {output};
  Layer layer;
  layer.work = work;
  return layer;
}
Layer as_view(TensorId input, TensorId output) {
  Layer layer;
  layer.work = layer::view(input, output);
  return layer;
}

/// Each image: 10 cycles of the DMA, 30 of the host, 5 of the DMA.
void add_image(Layers& layers, std::vector<Cycle>& cycles) {
  const int t = 10 * static_cast<int>(layers.size());
  layers.push_back(on_dma({t}, t + 1));
  layers.push_back(on_host({t + 1}, t + 2));
  layers.push_back(on_dma({t + 2}, t + 3));
  for (const Cycle one : {10, 30, 5}) cycles.push_back(one);
}

TEST(IssueOrder, one_image_stays_as_it_is) {
  Layers layers;
  std::vector<Cycle> cycles;
  add_image(layers, cycles);
  const IssueOrder order = issue_order(layers, cycles);
  EXPECT_THAT(order.layers, ElementsAre(0, 1, 2));
  EXPECT_EQ(order.before, 45);
  EXPECT_EQ(order.after, 45);
}

// DMA 0..10, host 10..40, meanwhile DMA 10..20 of the second image; DMA 40..45 beside host 40..70,
// then DMA 70..75.
TEST(IssueOrder, the_second_image_begins_while_another_engine_has_the_first) {
  Layers layers;
  std::vector<Cycle> cycles;
  add_image(layers, cycles);
  add_image(layers, cycles);
  const IssueOrder order = issue_order(layers, cycles);
  EXPECT_THAT(order.layers, ElementsAre(0, 1, 3, 2, 4, 5));
  EXPECT_THAT(order.beside, ElementsAre(0, 1, 0, 1, 0, 0));
  EXPECT_EQ(order.before, 90);
  EXPECT_EQ(order.after, 75);
}

// At 20 the DMA could begin the third image, but the host has the second one to do yet: so it comes
// at 45, after the end of the first, and is there before the host is free at 70.
TEST(IssueOrder, no_more_images_are_under_way_than_keep_the_engines_at_work) {
  Layers layers;
  std::vector<Cycle> cycles;
  for (int image = 0; image < 3; ++image) add_image(layers, cycles);
  const IssueOrder order = issue_order(layers, cycles);
  EXPECT_THAT(order.layers, ElementsAre(0, 1, 3, 2, 4, 6, 5, 7, 8));
  EXPECT_EQ(order.before, 135);
  EXPECT_EQ(order.after, 105);
}

// What is in place takes no engine's time; what reads it comes after it.
TEST(IssueOrder, views_are_for_nothing) {
  const Layers layers = {on_host({0}, 1), as_view(1, 2), on_host({2}, 3),
                         on_dma({4}, 5),  as_view(5, 6), on_dma({6}, 7)};
  const IssueOrder order = issue_order(layers, {20, 1000, 20, 15, 1000, 15});
  EXPECT_EQ(order.before, 40);
  EXPECT_EQ(order.after, 40);
}

TEST(IssueOrder, what_is_made_anew_is_read_before) {
  // 1 is read by the host, slow to begin, and then made again by the DMA.
  const Layers layers = {on_host({0}, 2), on_dma({0}, 1), on_host({1}, 3), on_dma({0}, 1)};
  const IssueOrder order = issue_order(layers, {100, 10, 10, 10});
  const auto at = [&](int layer) {
    return std::find(order.layers.begin(), order.layers.end(), layer) - order.layers.begin();
  };
  EXPECT_LT(at(1), at(2));
  EXPECT_LT(at(2), at(3));
  EXPECT_EQ(order.after, 120);
}

TEST(IssueOrder, random_graphs_keep_their_layers_and_their_data) {
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    Layers layers;
    std::vector<Cycle> cycles;
    const int count = 1 + static_cast<int>(random() % 30);
    std::vector<std::vector<TensorId>> reads;
    for (int i = 0; i < count; ++i) {
      std::vector<TensorId> inputs;
      for (unsigned k = random() % 3; k > 0 && i > 0; --k)
        inputs.push_back(static_cast<TensorId>(random() % unsigned(i)));
      reads.push_back(inputs);
      layers.push_back(random() % 2 != 0 ? on_dma(inputs, i) : on_host(inputs, i));
      cycles.push_back(static_cast<Cycle>(random() % 50));
    }
    const IssueOrder order = issue_order(layers, cycles);
    std::vector<bool> made(layers.size());
    for (const int layer : order.layers) {
      for (const TensorId input : reads[size_t(layer)]) EXPECT_TRUE(made[size_t(input)]);
      EXPECT_FALSE(made[size_t(layer)]);
      made[size_t(layer)] = true;
    }
    EXPECT_EQ(order.layers.size(), layers.size());
  }
}

}  // namespace
}  // namespace presil::plan
