// Layers of the vector DSP: the library's kernels run on the model's processor, around them DMA
// commands, in any order that waits and signals allow.
#include <gmock/gmock.h>

#include <sstream>

#include "compiler_bridge/emit/stream.h"
#include "compiler_bridge/ir/text.h"
#include "compiler_bridge/plan/dsp_arguments.h"
#include "compiler_bridge/replay/accesses.h"
#include "compiler_bridge/replay/check_memory.h"
#include "models/base/refusal.h"
#include "rtl/soc/loadable_generated.h"
#include "tests/compiler/compile_check.h"

namespace presil::tests {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

SocConfig soc(uint32_t sram_bytes = 1 << 20) {
  SocConfig config;
  config.sram.bytes = sram_bytes;
  config.host = quick_host();
  config.host.kernels["softmax_i8"] = {0, 20, 0.125};
  return config;
}

size_t count(const std::string& text, const std::string& what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

std::string softmax(int rows, int length) {
  const std::string shape = "int8[1," + std::to_string(rows) + "," + std::to_string(length) + "]";
  return "graph \"g\" tflite {\n  input %x : " + shape +
         " q(0.1, 3)\n  %y = softmax \"the end\"(%x) from [0] : " + shape +
         " q(0.00390625, -128)\n  output %y\n}";
}

TEST(CompileDsp, a_softmax_is_a_kernel_with_its_image_selected_before) {
  const compile::Compiled c = expect_compiled_exact(ir::parse(softmax(40, 50)), soc()).compiled;
  EXPECT_EQ(c.placements.front().engine, "dsp");
  EXPECT_EQ(c.placements.front().reason(), "kernel softmax_i8 (dla: does not compute softmax)");
  EXPECT_THAT(c.stream_text, HasSubstr("dsp 0: select "));
  EXPECT_THAT(c.stream_text, HasSubstr("dsp 1: run "));
  EXPECT_THAT(c.stream_text, Not(HasSubstr("host 0")));
  EXPECT_EQ(c.layers.front().engine, "dsp");
  EXPECT_EQ(c.layers.front().commands, 1);
}

/// The watchdog of the longest command, as the loadable states it.
uint64_t watchdog(const compile::Compiled& c) {
  uint64_t longest = 0;
  std::istringstream text(c.stream_text);
  const std::string field = "watchdog=";
  for (std::string line; std::getline(text, line);) {
    const size_t at = line.find(field);
    if (at != std::string::npos)
      longest = std::max<uint64_t>(longest, std::stoull(line.substr(at + field.size())));
  }
  return longest;
}

// Eight times what the command takes on this DSP: short vectors take longer.
TEST(CompileDsp, the_watchdog_waits_as_long_as_this_dsp_needs) {
  SocConfig narrow = soc(), wide = soc();
  narrow.dsp.vlen = 128, narrow.dsp.dlen = 64;
  wide.dsp.vlen = 512, wide.dsp.dlen = 512;
  const ir::Graph graph = ir::parse(softmax(700, 500));
  const uint64_t long_wait = watchdog(expect_compiled_exact(graph, narrow).compiled);
  const uint64_t short_wait = watchdog(expect_compiled_exact(graph, wide).compiled);
  EXPECT_GT(short_wait, 0u);
  EXPECT_GT(long_wait, short_wait);
}

TEST(CompileDsp, rows_that_do_not_fit_come_in_tiles_through_two_buffers_each) {
  for (const uint32_t bytes : {64u << 10, 16u << 10, 4u << 10}) {
    SCOPED_TRACE(bytes);
    const compile::Compiled c =
        expect_compiled_exact(ir::parse(softmax(700, 50)), soc(bytes)).compiled;
    EXPECT_EQ(c.placements.front().engine, "dsp") << c.placements.front().reason();
    EXPECT_EQ(count(c.stream_text, "dsp 0: select"), 1u);
    EXPECT_GT(c.layers.front().commands, 1);
    EXPECT_THAT(c.memory_map, HasSubstr("input tile"));
  }
}

TEST(CompileDsp, between_layers_of_the_dla_nothing_runs_on_the_host) {
  const ir::Graph graph = ir::parse(R"(graph "g" tflite {
    input %x : int8[1,24,40] q(0.05, -3)
    const %w : int8[24,40] q(0.01, 0) = random 1
    const %v : int8[16,24] q(0.01, 0) = random 2
    %a = fully_connected(%x, %w) from [0] : int8[1,24,24] q(0.12, 9)
    %p = softmax(%a) from [1] : int8[1,24,24] q(0.00390625, -128)
    %y = fully_connected(%p, %v) from [2] : int8[1,24,16] q(0.05, 0)
    output %y
  })");
  for (const uint32_t bytes : {1u << 20, 8u << 10}) {
    SCOPED_TRACE(bytes);
    const compile::Compiled c = expect_compiled_exact(graph, soc(bytes), 8).compiled;
    EXPECT_THAT(c.stream_text, Not(HasSubstr("host 0")));
    EXPECT_THAT(c.stream_text, HasSubstr("dsp 1: run"));
  }
}

/// conv, softmax along channels, conv.
std::string between_convolutions(int channels, int width = 9) {
  const std::string c = std::to_string(channels), w = std::to_string(width);
  const std::string shape = "int8[1,7," + w + "," + c + "]";
  return "graph \"g\" tflite {\n  input %x : int8[1,7," + w +
         ",8] q(0.05, -3)\n  const %w : int8[" + c +
         ",1,1,8] q(0.01, 0) = random 1\n  const %v : int8[12,3,3," + c +
         "] q(0.01, 0) = random 2\n  %a = conv2d(%x, %w) from [0] : " + shape +
         " q(0.05, 9)\n  %p = softmax(%a) from [1] : " + shape +
         " q(0.00390625, -128)\n  %y = conv2d(%p, %v) {pad_top=1, pad_left=1, pad_bottom=1, "
         "pad_right=1} from [2] : int8[1,7," +
         w + ",12] q(0.05, 0)\n  output %y\n}";
}

/// Commands of the DMA for a layer that move what the network computes.
size_t moves_of(const compile::Compiled& c, const std::string& layer) {
  size_t n = 0;
  for (size_t at = 0, end = 0; at < c.stream_text.size(); at = end + 1) {
    end = c.stream_text.find('\n', at);
    const std::string line = c.stream_text.substr(at, end - at);
    const bool activations = line.rfind("dma1 ", 0) == 0 || line.rfind("dma2 ", 0) == 0;
    if (activations && line.find("; " + layer) != std::string::npos) ++n;
  }
  return n;
}

TEST(CompileDsp, between_convolutions_rows_of_up_to_16_channels_stay_where_they_are) {
  SocConfig config = soc();
  config.host.cycles_interrupt = 100000;  // whatever it takes
  for (const int channels : {1, 3, 10, 16}) {
    SCOPED_TRACE(channels);
    const compile::Compiled c =
        expect_compiled_exact(ir::parse(between_convolutions(channels)), config, 8).compiled;
    EXPECT_EQ(c.placements[1].engine, "dsp") << c.placements[1].reason();
    EXPECT_EQ(moves_of(c, "p "), 0u) << c.stream_text;
    EXPECT_EQ(count(c.stream_text, "dma1 "), 1u);  // the input
    EXPECT_EQ(count(c.stream_text, "dma2 "), 1u);  // the output
    EXPECT_THAT(c.memory_map, Not(HasSubstr("input of p")));
    const replay::Checked checked = replay::check_memory(*loadable::GetLoadable(c.loadable.data()));
    EXPECT_FALSE(checked.wrong) << *checked.wrong;
  }
}

/// DMA commands that load something back that they have taken to memory.
size_t round_trips(const compile::Compiled& c) {
  return count(c.stream_text, "src_region=3");
}

TEST(CompileDsp, rows_of_more_channels_become_dense_within_the_sram) {
  for (const int channels : {20, 33}) {
    SCOPED_TRACE(channels);
    const compile::Compiled c =
        expect_compiled_exact(ir::parse(between_convolutions(channels)), soc(), 8).compiled;
    EXPECT_EQ(c.placements[1].engine, "dsp") << c.placements[1].reason();
    EXPECT_EQ(round_trips(c), 0u) << c.stream_text;
    EXPECT_EQ(moves_of(c, "p "), 0u);
    EXPECT_EQ(moves_of(c, "a "), 2u);  // the input; to dense
    EXPECT_EQ(moves_of(c, "y "), 2u);  // to blocks; the output
    EXPECT_THAT(c.memory_map, HasSubstr("dense tensor p"));
    EXPECT_FALSE(replay::check_memory(*loadable::GetLoadable(c.loadable.data())).wrong);
  }
}

TEST(CompileDsp, one_pixel_of_many_channels_is_a_row_too) {
  const ir::Graph graph = ir::parse(R"(graph "g" tflite {
    input %x : int8[1,40] q(0.05, -3)
    const %w : int8[100,40] q(0.01, 0) = random 1
    %a = fully_connected(%x, %w) from [0] : int8[1,100] q(0.12, 9)
    %p = softmax(%a) from [1] : int8[1,100] q(0.00390625, -128)
    output %p
  })");
  SocConfig config = soc();
  config.host.cycles_interrupt = 100000;  // whatever it takes
  const compile::Compiled c = expect_compiled_exact(graph, config).compiled;
  EXPECT_EQ(c.placements[1].engine, "dsp") << c.placements[1].reason();
  EXPECT_EQ(moves_of(c, "p "), 1u) << c.stream_text;  // the result goes out
}

TEST(CompileDsp, an_output_of_the_network_is_stored_as_well) {
  ir::Graph graph = ir::parse(between_convolutions(10));
  graph.outputs.push_back(graph.ops[1].output());
  const compile::Compiled c = expect_compiled_exact(graph, soc(), 8).compiled;
  EXPECT_EQ(moves_of(c, "p "), 1u) << c.stream_text;
}

TEST(CompileDsp, what_does_not_fit_as_a_whole_comes_dense_and_in_tiles) {
  for (const uint32_t bytes : {32u << 10, 16u << 10, 8u << 10}) {
    SCOPED_TRACE(bytes);
    const compile::Compiled c =
        expect_compiled_exact(ir::parse(between_convolutions(16, 200)), soc(bytes), 4).compiled;
    EXPECT_EQ(c.placements[1].engine, "dsp") << c.placements[1].reason();
    EXPECT_GT(c.layers[1].commands, 1);
    EXPECT_GT(moves_of(c, "p "), 4u);
    EXPECT_GT(round_trips(c), 0u);
    EXPECT_FALSE(replay::check_memory(*loadable::GetLoadable(c.loadable.data())).wrong);
  }
}

TEST(CompileDsp, a_row_that_does_not_fit_goes_to_the_host_with_both_sizes) {
  const compile::Compiled c =
      expect_compiled_exact(ir::parse(softmax(3, 4000)), soc(4 << 10)).compiled;
  EXPECT_EQ(c.placements.front().engine, "host");
  EXPECT_THAT(c.placements.front().reason(), HasSubstr("dsp: needs "));
  EXPECT_THAT(c.placements.front().reason(), HasSubstr("sram.bytes is 4096"));
}

TEST(CompileDsp, few_values_are_faster_on_the_host_and_the_placement_names_both_figures) {
  SocConfig config = soc();
  config.host.cycles_interrupt = 0;
  const compile::Compiled c = expect_compiled_exact(ir::parse(softmax(1, 4)), config).compiled;
  EXPECT_EQ(c.placements.front().engine, "host");
  EXPECT_THAT(
      c.placements.front().reason(),
      testing::ContainsRegex("dsp: about [0-9]+ cycles with transfers \\(an image select for "
                             "it alone: [0-9]+\\), the host takes [0-9]+"));
}

TEST(CompileDsp, a_soc_without_dsp_says_nothing_of_it) {
  SocConfig config = soc();
  config.dsp.units = 0;
  const compile::Compiled c = expect_compiled_exact(ir::parse(softmax(40, 50)), config).compiled;
  EXPECT_EQ(c.placements.front().engine, "host");
  EXPECT_EQ(c.placements.front().reason(), "dla: does not compute softmax");
}

TEST(CompileDsp, by_host_a_word_of_the_host_stands_between_any_two_steps) {
  const ir::Graph graph = ir::parse(R"(graph "g" tflite {
    input %x : int8[1,24,40] q(0.05, -3)
    const %w : int8[24,40] q(0.01, 0) = random 1
    const %v : int8[16,24] q(0.01, 0) = random 2
    %a = fully_connected(%x, %w) from [0] : int8[1,24,24] q(0.12, 9)
    %p = softmax(%a) from [1] : int8[1,24,24] q(0.00390625, -128)
    %y = fully_connected(%p, %v) from [2] : int8[1,24,16] q(0.05, 0)
    output %y
  })");
  compile::CompileOptions options;
  options.dispatch = plan::Dispatch::kHost;
  const compile::Compiled c = compile::compile(graph, soc(), options);
  EXPECT_EQ(count(c.stream_text, "\nhost "), 2u) << c.stream_text;
  EXPECT_FALSE(replay::check_memory(*loadable::GetLoadable(c.loadable.data())).wrong);
  const auto inputs = random_values(graph, 7);
  StreamRunner runner(c.loadable, soc());
  EXPECT_EQ(runner.run(graph, inputs, reference::run_all(graph, inputs), 1, true), "");
}

TEST(CompileDsp, boxes_scores_and_suppression_run_after_the_network) {
  const ir::Graph graph = ir::parse(R"(graph "g" tflite {
    input %x : int8[1,6,7,16] q(0.05, -3)
    const %w : int8[14,1,1,16] q(0.01, 0) = random 1
    const %s : float32[256] = random 2
    const %e : float32[256] = random 3
    %h = conv2d(%x, %w) from [0] : int8[1,6,7,14] q(0.05, 0)
    %r = yolo_decode(%h, %s, %e) {stride=8, classes=2, anchors=[10, 13, 16, 30]} from [1] : float32[84,6]
    %d, %n = nms(%r) {max=9, score=0.1, iou=0.5} from [2] : float32[9,6], int32[1]
    output %d, %n
  })");
  SocConfig config = soc();
  config.host.cycles_interrupt = 100000;  // whatever it takes
  const compile::Compiled c = expect_compiled_exact(graph, config).compiled;
  EXPECT_EQ(c.placements[1].engine, "dsp") << c.placements[1].reason();
  EXPECT_EQ(c.placements[2].engine, "dsp") << c.placements[2].reason();
  EXPECT_THAT(c.stream_text, Not(HasSubstr("host 0")));
  EXPECT_EQ(round_trips(c), 0u) << c.stream_text;  // rows of boxes stay where they were made
  config.sram.bytes = 4 << 10;
  expect_compiled_exact(graph, config);
}

TEST(CompileDsp, from_kernel_to_kernel_dense_bytes_stay_in_the_sram) {
  const ir::Graph graph = ir::parse(R"(graph "g" tflite {
    input %x : int8[1,60,50] q(0.1, 3)
    %a = softmax(%x) from [0] : int8[1,60,50] q(0.00390625, -128)
    %b = softmax(%a) from [1] : int8[1,60,50] q(0.00390625, -128)
    %y = softmax(%b) from [2] : int8[1,60,50] q(0.00390625, -128)
    output %y
  })");
  const compile::Compiled c = expect_compiled_exact(graph, soc(), 8).compiled;
  EXPECT_EQ(round_trips(c), 0u) << c.stream_text;
  EXPECT_EQ(moves_of(c, "b "), 0u);
  EXPECT_EQ(c.layers[1].commands, 1);
  EXPECT_FALSE(replay::check_memory(*loadable::GetLoadable(c.loadable.data())).wrong);
  const compile::Compiled small = expect_compiled_exact(graph, soc(4 << 10), 8).compiled;
  EXPECT_GT(round_trips(small), 0u);
  EXPECT_FALSE(replay::check_memory(*loadable::GetLoadable(small.loadable.data())).wrong);
}

TEST(CompileDsp, boxes_that_the_network_says_itself) {
  const ir::Graph graph = ir::parse(R"(graph "g" tflite {
    input %x : int8[1,9,6,16] q(0.05, -3)
    const %w : int8[8,1,1,16] q(0.01, 0) = random 1
    %h = conv2d(%x, %w) from [0] : int8[1,9,6,8] q(0.05, 0)
    %b = reshape(%h) from [1] : int8[1,54,8] q(0.05, 0)
    %r = box_decode(%b) {classes=3, objectness=true, channels_last=true, width=96, height=64} from [2] : float32[54,6]
    %d, %n = nms(%r) {max=9, score=0.1, iou=0.5, labelled=true} from [3] : float32[9,6], int32[1]
    output %d, %n
  })");
  SocConfig config = soc();
  config.host.cycles_interrupt = 100000;
  const compile::Compiled c = expect_compiled_exact(graph, config).compiled;
  EXPECT_EQ(c.placements[2].engine, "dsp") << c.placements[2].reason();
  EXPECT_EQ(c.placements[3].engine, "dsp") << c.placements[3].reason();
  EXPECT_THAT(c.stream_text, Not(HasSubstr("host 0")));
  config.dsp.units = 0;
  expect_compiled_exact(graph, config);
}

// Tiles of x come through two buffers, what is made of them goes to its address in a, and b's tiles
// from there.
TEST(CompileDsp, tiles_are_made_in_their_part_of_what_stays) {
  const ir::Graph graph = ir::parse(R"(graph "g" tflite {
    input %x : float32[300,64]
    %a = softmax(%x) from [0] : float32[300,64]
    %y = softmax(%a) from [1] : float32[300,64]
    output %y
  })");
  for (const uint32_t bytes : {1u << 20, 160u << 10}) {
    SCOPED_TRACE(bytes);
    SocConfig config = soc(bytes);
    config.host.kernels["softmax_f32"] = {0, 20, 0.125};
    const compile::Compiled c = expect_compiled_exact(graph, config, 8).compiled;
    EXPECT_EQ(round_trips(c), 0u) << c.stream_text;
    EXPECT_GT(c.layers[0].commands, 2);
    EXPECT_GT(c.layers[1].commands, 2);
    EXPECT_EQ(moves_of(c, "a "), static_cast<size_t>(c.layers[0].commands));
    EXPECT_FALSE(replay::check_memory(*loadable::GetLoadable(c.loadable.data())).wrong);
  }
}

TEST(CompileDsp, the_end_of_a_single_shot_detector) {
  const ir::Graph graph = ir::parse(R"(graph "g" tflite {
    input %b : int8[1,30,4] q(0.1, 3)
    input %s : int8[1,30,5] q(0.00390625, -128)
    const %a : int8[30,4] q(0.0078125, -128) = random 3
    %y, %c, %v, %n = detection_post_process(%b, %s, %a) {max=6, classes=4, classes_per_box=2, score=0.1, iou=0.5, y_scale=10, x_scale=10, h_scale=5, w_scale=5} from [0] : float32[1,12,4], float32[1,12], float32[1,12], float32[1]
    output %y, %c, %v, %n
  })");
  SocConfig config = soc();
  config.host.cycles_call = 100000;
  const compile::Compiled c = expect_compiled_exact(graph, config).compiled;
  EXPECT_EQ(c.placements[0].engine, "dsp") << c.placements[0].reason();
}

// reduce is in one image, function_f32 in another, dequantise in both: it runs by that which is
// there.
// 26 KB take 2.1 k cycles, the second convolution 24 x 24 x 9 x 2 x 2 = 20.7 k; of one pixel it
// takes less than a select.
TEST(CompileDsp, a_select_waits_for_the_first_layer_where_others_hide_it) {
  const auto select_of = [](int pixels) {
    const std::string image = "int8[1," + std::to_string(pixels) + "," + std::to_string(pixels);
    const std::string text = compile::compile(ir::parse(R"(graph "g" tflite {
    input %x : )" + image + R"(,32] q(0.1, -4)
    const %v : int8[32,3,3,32] q(0.01, 0) = random 1
    const %w : int8[32,3,3,32] q(0.01, 0) = random 2
    %a = conv2d(%x, %v) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} from [0] : )" +
                                                        image + R"(,32] q(0.1, 3)
    %b = conv2d(%a, %w) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} from [1] : )" +
                                                        image + R"(,32] q(0.1, 3)
    %y = softmax(%b) from [2] : )" + image +
                                                        R"(,32] q(0.00390625, -128)
    output %y
  })"),
                                              SocConfig())
                                 .stream_text;
    const size_t at = text.find("dsp 0: select");
    return text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_THAT(select_of(24), HasSubstr("wait0="));
  EXPECT_THAT(select_of(1), Not(HasSubstr("wait0=")));
}

TEST(CompileDsp, images_of_the_library_are_selected_where_their_kernels_begin) {
  const ir::Graph graph = ir::parse(R"(graph "g" tflite {
    input %x : int8[1,24,24,40] q(0.05, -3)
    %m = reduce_max(%x) {axes=[3], keep_dims=true} from [0] : int8[1,24,24,1] q(0.05, -3)
    %f = dequantize(%m) from [1] : float32[1,24,24,1]
    %e = exp(%f) from [2] : float32[1,24,24,1]
    output %e
  })");
  SocConfig config = soc();
  config.host.cycles_interrupt = 100000;
  const compile::Compiled c = expect_compiled_exact(graph, config).compiled;
  for (const auto& placed : c.placements) EXPECT_EQ(placed.engine, "dsp") << placed.reason();
  EXPECT_EQ(count(c.stream_text, "dsp 0: select"), 1u);
  const size_t second = c.stream_text.rfind(": select");
  const auto runs_between = [&](size_t from, size_t to) {
    return count(c.stream_text.substr(from, to - from), ": run");
  };
  EXPECT_GE(runs_between(0, second), 2u);  // of reduce and dequantise
  EXPECT_EQ(runs_between(second, c.stream_text.size()), 1u);
  EXPECT_EQ(count(c.stream_text, ": select"), 2u) << c.stream_text;
  EXPECT_EQ(loadable::GetLoadable(c.loadable.data())->dsp_images()->size(), 2u);
}

// exp of 200 values alone requires another image: without its select it is the DSP's.
TEST(CompileDsp, a_select_for_one_layer_alone_is_among_what_it_takes) {
  SocConfig config = soc();
  config.host.cycles_interrupt = 300;
  const auto compiled = [&](const std::string& in_front, const std::string& first) {
    return expect_compiled_exact(
               ir::parse("graph \"g\" tflite {\n" + in_front +
                         "%f = dequantize(%p) from [1] : float32[4,50]\n%e = exp(" + first +
                         ") from [2] : float32[4,50]\noutput %e, %f }"),
               config)
        .compiled;
  };
  const std::string softmax =
      "input %w : int8[4,50] q(0.05, -3)\ninput %y : float32[4,50]\n"
      "%x = relu(%w) from [3] : int8[4,50] q(0.05, -3)\n"  // on the DLA, while the image comes
      "%p = softmax(%x) from [0] : int8[4,50] q(0.00390625, -128)\n";
  const compile::Compiled after = compiled(softmax, "%f");
  ASSERT_EQ(after.placements.size(), 4u);
  EXPECT_EQ(after.placements[2].engine, "dsp") << after.placements[2].reason();
  EXPECT_THAT(after.placements[3].reason(),
              testing::ContainsRegex("cycles with transfers \\(an image select for it alone: "
                                     "[0-9]+\\), the host takes [0-9]+"));
  const std::string bytes =
      "input %w : int8[4,50] q(0.05, -3)\n"
      "%p = relu(%w) from [0] : int8[4,50] q(0.05, -3)\n";
  const compile::Compiled alone = compiled(bytes, "%f");
  EXPECT_EQ(alone.placements.back().engine, "dsp") << alone.placements.back().reason();
}

TEST(CompileDsp, where_its_memories_are_too_small_for_the_library_the_host_computes) {
  for (const bool instructions : {true, false}) {
    SocConfig config = soc();
    (instructions ? config.dsp.itcm_bytes : config.dsp.dtcm_bytes) = 16 << 10;
    const compile::Compiled c = expect_compiled_exact(ir::parse(softmax(40, 50)), config).compiled;
    EXPECT_EQ(c.placements.front().engine, "host");
    EXPECT_THAT(c.placements.front().reason(),
                HasSubstr(instructions ? "dsp: the library of kernels (integers): program is "
                                       : "dsp: the library of kernels (integers): data is "));
  }
}

TEST(CompileDsp, its_text_assembles_to_the_same_bytes) {
  const compile::Compiled c = compile::compile(ir::parse(softmax(700, 50)), soc(16 << 10));
  EXPECT_EQ(emit::assemble(c.stream_text, c.loadable), c.loadable);
}

TEST(CompileDsp, the_replay_follows_region_tables_to_the_bytes_of_tensors) {
  for (const uint32_t bytes : {1u << 20, 16u << 10}) {
    const compile::Compiled c = compile::compile(ir::parse(softmax(700, 50)), soc(bytes));
    const replay::Checked checked = replay::check_memory(*loadable::GetLoadable(c.loadable.data()));
    EXPECT_FALSE(checked.wrong) << *checked.wrong;
    EXPECT_GT(checked.accesses, uint64_t(c.layers.front().commands));
  }
}

// Two rows of three, four apart: the replay sees six bytes, the table lets the program have seven.
TEST(CompileDsp, the_replay_reads_the_elements_of_a_tensor_and_not_what_lies_between) {
  using Cut = layer::DspOperand::Cut;
  layer::DspLayer layer;
  layer.inputs = {
      {0, Cut::kRows, ir::DType::kInt8, {3}, false, layer::DspOperand::Blocks::kRows, true}};
  layer.outputs = {{1, Cut::kWhole, ir::DType::kInt8, {4}, false}};
  plan::View rows;
  rows.rows = 2, rows.columns = 1, rows.row_pitch = 4;
  const std::vector<uint8_t> block = plan::argument_block(layer, 2, {rows});
  const auto table = [](uint64_t bytes) {
    return plan::region_table({{plan::kSram, 100, bytes, true, false, 0},
                               {plan::kSram, 200, 4, true, true, 1},
                               {plan::kSram, 300, 8, true, true, -1}});
  };
  const std::vector<replay::Access> seen = replay::accesses_of_regions(table(7), block);
  ASSERT_EQ(seen.size(), 3u);
  ASSERT_EQ(seen[0].spans.size(), 2u);
  EXPECT_EQ(seen[0].spans[0].begin, 100u);
  EXPECT_EQ(seen[0].spans[0].end, 103u);
  EXPECT_EQ(seen[0].spans[1].begin, 104u);
  EXPECT_FALSE(seen[0].write);
  EXPECT_TRUE(seen[1].write && seen[2].write);
  EXPECT_EQ(seen[2].spans[0].end, 308u);  // scratch: no tensor lies there

  const auto refusal = [&](const std::vector<uint8_t>& regions, const std::vector<uint8_t>& args) {
    try {
      replay::accesses_of_regions(regions, args);
    } catch (const Refusal& r) {
      return std::string(r.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(refusal(table(6), block), HasSubstr("has tensor 0 outside its region, must be"));
  EXPECT_THAT(refusal(table(7), std::vector<uint8_t>(64, 0)), HasSubstr("has no argument block"));
  EXPECT_THAT(refusal(table(7), {block.begin(), block.begin() + 64}),
              HasSubstr("has an argument block of 64 bytes that needs more"));
}

}  // namespace
}  // namespace presil::tests
