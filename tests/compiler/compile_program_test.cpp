// What the compiler promises about the programs it makes, on a network small enough to count.
#include <gmock/gmock.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "compiler_bridge/ir/text.h"
#include "models/base/refusal.h"
#include "rtl/soc/loadable_generated.h"
#include "tests/compiler/compile_check.h"

namespace presil::tests {
namespace {

/// Three convolutions of 64 channels on 16 x 16 pixels: tensors of 16 KiB, weights of 37 KiB (3x3).
ir::Graph chain(int kernel = 3) {
  const std::string text = R"(
graph "chain" tflite {
  input %x : int8[1,16,16,64] q(0.1, 3)
  const %w0 : int8[64,3,3,64] q(0.01, 0) = random 1
  const %w1 : int8[64,3,3,64] q(0.01, 0) = random 2
  const %w2 : int8[64,3,3,64] q(0.01, 0) = random 3
  %a = conv2d(%x, %w0) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} from [0] : int8[1,16,16,64] q(0.5, 0)
  %b = conv2d(%a, %w1) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} from [1] : int8[1,16,16,64] q(0.5, 0)
  %y = conv2d(%b, %w2) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} from [2] : int8[1,16,16,64] q(0.5, 0)
  output %y
}
)";
  if (kernel == 3) return ir::parse(text);
  const auto k = std::to_string(kernel), pad = std::to_string(kernel / 2);
  const std::string wider =
      std::regex_replace(text, std::regex("64,3,3,64"), "64," + k + "," + k + ",64");
  return ir::parse(std::regex_replace(wider, std::regex("(pad_[a-z]+)=1"), "$1=" + pad));
}

SocConfig soc(uint32_t sram_bytes) {
  SocConfig config;
  config.sram.bytes = sram_bytes;
  return config;
}

/// Numbers of the lines that begin with `queue` and name `layer`.
std::vector<size_t> lines_of(const std::string& text, const std::string& queue,
                             const std::string& layer) {
  std::vector<size_t> found;
  std::istringstream lines(text);
  std::string line;
  for (size_t number = 0; std::getline(lines, line); ++number) {
    const bool named = line.find("; " + layer) != std::string::npos;
    if (named && line.rfind(queue, 0) == 0) found.push_back(number);
  }
  EXPECT_FALSE(found.empty()) << "no command of " << queue << " for " << layer;
  return found;
}

TEST(CompileProgram, a_layer_is_one_command_and_its_weights_another_where_all_fits) {
  const std::string text = expect_compiled_exact(chain(), soc(1 << 20)).compiled.stream_text;
  EXPECT_EQ(lines_of(text, "dla", "b").size(), 1u);
  for (const char* layer : {"b", "y"}) EXPECT_EQ(lines_of(text, "dma0", layer).size(), 1u);
}

TEST(CompileProgram, the_last_layer_is_stored_while_it_computes) {
  const std::string text = expect_compiled_exact(chain(), soc(1 << 20)).compiled.stream_text;
  ASSERT_GT(lines_of(text, "dla", "y").size(), 1u);
  EXPECT_LT(lines_of(text, "dma2", "y").front(), lines_of(text, "dla", "y").back());
}

TEST(CompileProgram, the_first_layer_begins_before_all_of_its_weights_are_there) {
  const std::string text = expect_compiled_exact(chain(), soc(1 << 20)).compiled.stream_text;
  EXPECT_GT(lines_of(text, "dma0", "a").size(), 1u);
}

TEST(CompileProgram, weights_of_a_layer_are_under_way_before_the_one_before_it_ends) {
  for (const uint32_t sram_bytes : {1u << 20, 112u << 10}) {
    const std::string text = expect_compiled_exact(chain(), soc(sram_bytes)).compiled.stream_text;
    EXPECT_LT(lines_of(text, "dma0", "b").front(), lines_of(text, "dla", "a").back());
    EXPECT_LT(lines_of(text, "dma0", "y").front(), lines_of(text, "dla", "b").back());
  }
}

TEST(CompileProgram, every_tensor_between_layers_can_be_looked_at) {
  for (const uint32_t sram_bytes : {1u << 20, 64u << 10, 32u << 10}) {
    // %a, %b, %y, and the output once more
    EXPECT_EQ(expect_compiled_exact(chain(), soc(sram_bytes)).compared, 4) << sram_bytes;
  }
}

TEST(CompileProgram, buffers_of_the_sram_with_bytes_in_common_are_touched_one_after_another) {
  for (const uint32_t sram_bytes : {1u << 20, 112u << 10, 64u << 10, 32u << 10}) {
    const auto result = expect_compiled_exact(chain(), soc(sram_bytes));
    const auto& file = *loadable::GetLoadable(result.compiled.loadable.data());
    ASSERT_GE(file.buffers()->size(), 6u);  // weights of 3 layers, and 3 tensors or their tiles
    uint32_t highest = 0;
    for (const auto* a : *file.buffers()) {
      ASSERT_GT(a->commands()->size(), 1u) << a->what()->str();  // one writes, one reads
      highest = std::max(highest, a->offset() + a->bytes());
      for (const auto* b : *file.buffers()) {
        const bool shared =
            a->offset() < b->offset() + b->bytes() && b->offset() < a->offset() + a->bytes();
        if (a == b || !shared) continue;
        const auto first = [](const auto* x) { return *x->commands()->begin(); };
        const auto last = [](const auto* x) {
          return x->commands()->Get(x->commands()->size() - 1);
        };
        EXPECT_TRUE(last(a) < first(b) || last(b) < first(a))
            << a->what()->str() << " and " << b->what()->str();
      }
    }
    EXPECT_EQ(highest, file.sram_bytes());
  }
}

/// Depthwise, padded average, mean: 16 KiB a tensor.
ir::Graph lane_wise() {
  return ir::parse(R"(
graph "lane_wise" tflite {
  input %x : int8[1,22,20,40] q(0.1, 3)
  const %w : int8[1,5,3,40] q(0.01, 0) = random 1
  %a = depthwise_conv2d(%x, %w) {pad_top=2, pad_left=1, pad_bottom=2, pad_right=1} from [0] : int8[1,22,20,40] q(0.1, 3)
  %b = average_pool2d(%a) {kernel_h=3, kernel_w=3, stride_h=2, stride_w=1, pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} from [1] : int8[1,11,20,40] q(0.1, 3)
  %y = mean(%b) {axes=[1,2]} from [2] : int8[1,40] q(0.02, 5)
  output %y
}
)");
}

TEST(CompileProgram, lanes_of_their_own_are_exact_whole_and_in_tiles) {
  for (const uint32_t sram_bytes : {1u << 20, 32u << 10, 24u << 10}) {
    SocConfig config = soc(sram_bytes);
    EXPECT_EQ(expect_compiled_exact(lane_wise(), config).compared, 4) << sram_bytes;
    config.dla.macs_k = config.dla.macs_c = 32;
    EXPECT_EQ(expect_compiled_exact(lane_wise(), config).compared, 4) << sram_bytes;
  }
}

// Rows of 1, 10 outputs; columns of 1, 18, 1: the divisors are 4, 6, 4 and 6, 9, 6. The last row of
// windows ends inside the image (22 rows, stride 2).
TEST(CompileProgram, an_average_has_one_command_for_each_number_of_taps) {
  const std::string text = expect_compiled_exact(lane_wise(), soc(1 << 20)).compiled.stream_text;
  EXPECT_EQ(lines_of(text, "dla", "b").size(), 6u);
}

// 51 KiB of result in 16 KiB: tiles of margin alone on either side.
TEST(CompileProgram, a_wide_margin_is_exact_in_tiles) {
  const ir::Graph graph = ir::parse(R"(
graph "margin" tflite {
  input %x : int8[1,12,20,32] q(0.1, 3)
  %y = pad(%x) {before=[0,25,1,0], after=[0,31,3,0], value=-9} from [0] : int8[1,68,24,32] q(0.1, 3)
  output %y
}
)");
  const std::string text = expect_compiled_exact(graph, soc(16 << 10)).compiled.stream_text;
  EXPECT_GT(lines_of(text, "dla", "y").size(), 3u);
}

// One pixel of 16 output channels, a quarter of the input channels: 144 B of parameters, 9 x 256 B
// of weights, 3 x 3 x 16 B of input, 16 B of output, 64 B of sums: 2672 B.
TEST(CompileProgram, a_layer_whose_smallest_tile_does_not_fit_runs_on_the_host) {
  const auto compiled = expect_compiled_exact(chain(5), soc(4 << 10)).compiled;
  ASSERT_EQ(compiled.placements.size(), 3u);
  for (const placement::Placement& placement : compiled.placements) {
    EXPECT_EQ(placement.engine, "host");
    EXPECT_EQ(placement.reason(),
              "dla: needs 7024 bytes of SRAM even in the smallest tiles, sram.bytes is 4096");
  }
  for (const placement::Placement& placement :
       expect_compiled_exact(chain(5), soc(8 << 10)).compiled.placements) {
    EXPECT_EQ(placement.engine, "dla");
  }
}

TEST(CompileProgram, without_fallback_a_layer_that_does_not_fit_is_refused_with_both_sizes) {
  compile::CompileOptions options;
  options.fallback = false;
  try {
    compile::compile(chain(5), soc(4 << 10), options);
    FAIL() << "accepted";
  } catch (const Refusal& refusal) {
    EXPECT_THAT(refusal.what(), testing::HasSubstr("layer a "));
    EXPECT_THAT(refusal.what(), testing::HasSubstr("needs 7024 bytes"));
    EXPECT_THAT(refusal.what(), testing::HasSubstr("sram.bytes is 4096"));
  }
}

// A convolution and its sum: 25 KiB of weights for 16 outputs with all 64 input channels. Apart,
// the convolution fits in parts. In 4 KiB only the sum does.
TEST(CompileProgram, what_was_fused_after_a_layer_that_does_not_fit_stays_on_the_dla) {
  const ir::Graph graph = ir::parse(R"(
graph "residual" tflite {
  input %x : int8[1,16,16,64] q(0.1, 3)
  const %w : int8[64,5,5,64] q(0.01, 0) = random 1
  %a = conv2d(%x, %w) {pad_top=2, pad_left=2, pad_bottom=2, pad_right=2} from [0] : int8[1,16,16,64] q(0.5, 0)
  %y = add(%a, %x) from [1] : int8[1,16,16,64] q(0.5, 0)
  output %y
}
)");
  const auto engines = [&](uint32_t sram_bytes) {
    const auto compiled = expect_compiled_exact(graph, soc(sram_bytes)).compiled;
    std::string text = std::to_string(compiled.layers.size()) + " layers:";
    for (const placement::Placement& placement : compiled.placements)
      text += " " + placement.engine;
    return text;
  };
  EXPECT_EQ(engines(32 << 10), "1 layers: dla dla");
  EXPECT_EQ(engines(8 << 10), "2 layers: dla dla");
  EXPECT_EQ(engines(4 << 10), "2 layers: host dla");
}

/// Lines of the stream that hold all of `words`.
size_t count_lines(const std::string& text, const std::vector<std::string>& words) {
  size_t count = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    count += std::all_of(words.begin(), words.end(), [&](const std::string& word) {
      return line.find(word) != std::string::npos;
    });
  }
  return count;
}

// 3x3 over 512 channels: 32 blocks x 9 x 256 B = 72 KiB of weights for 16 outputs.
TEST(CompileProgram, sums_over_many_channels_are_made_in_parts) {
  const ir::Graph graph = ir::parse(R"(
graph "deep" tflite {
  input %x : int8[1,6,5,512] q(0.1, 3)
  const %w : int8[40,3,3,512] q(0.01, 0) = random 1
  const %b : int32[40] = random 2
  %a = conv2d(%x, %w, %b) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} from [0] : int8[1,6,5,40] q(0.5, 0)
  %y = logistic(%a) from [1] : int8[1,6,5,40] q(0.00390625, -128)
  output %y
}
)");
  for (const unsigned macs : {16u, 32u}) {
    for (const uint32_t sram_bytes : {64u << 10, 32u << 10, 16u << 10}) {
      SCOPED_TRACE(std::to_string(macs) + " lanes, " + std::to_string(sram_bytes) + " B");
      SocConfig config = soc(sram_bytes);
      config.dla.macs_k = config.dla.macs_c = macs;
      if (macs == 32 && sram_bytes < 32u << 10) continue;  // a set of 9 KiB, twice
      const auto compiled = expect_compiled_exact(graph, config).compiled;
      for (const placement::Placement& p : compiled.placements) EXPECT_EQ(p.engine, "dla");
      const std::string& text = compiled.stream_text;
      const size_t out = count_lines(text, {"out_type=int32"});
      const size_t in = count_lines(text, {"acc_init=int32"});
      EXPECT_GT(out, 0u);
      EXPECT_EQ(in, out);
      EXPECT_EQ(count_lines(text, {"out_type=int32", "lut_en"}), 0u);
    }
  }
}

// As the first layer of an autoencoder: 640 inputs, 40 blocks x 256 B of weights for 16 outputs.
TEST(CompileProgram, a_dense_layer_of_many_inputs_is_exact_in_parts) {
  const ir::Graph graph = ir::parse(R"(
graph "dense" tflite {
  input %x : int8[1,1600] q(0.1, 3)
  const %w : int8[100,1600] q(0.01, 0) = random 1
  %y = fully_connected(%x, %w) from [0] : int8[1,100] q(0.5, 0)
  output %y
}
)");
  for (const uint32_t sram_bytes : {64u << 10, 32u << 10, 16u << 10, 4u << 10}) {
    SCOPED_TRACE(sram_bytes);
    const auto compiled = expect_compiled_exact(graph, soc(sram_bytes)).compiled;
    EXPECT_EQ(compiled.placements.front().engine, "dla");
    EXPECT_GT(count_lines(compiled.stream_text, {"acc_init=int32"}), 0u);
  }
}

TEST(CompileProgram, without_fallback_an_op_of_the_host_is_refused_by_name) {
  ir::Graph graph = ir::parse(R"(
graph "soft" tflite {
  input %x : int8[1,10] q(0.1, 3)
  %y = softmax "the_softmax"(%x) from [0] : int8[1,10] q(0.00390625, -128)
  output %y
}
)");
  compile::CompileOptions options;
  SocConfig config = soc(1 << 20);
  config.dsp.units = 0;
  EXPECT_NO_THROW(compile::compile(graph, config, options));
  options.fallback = false;
  try {
    compile::compile(graph, config, options);
    FAIL() << "accepted";
  } catch (const Refusal& refusal) {
    EXPECT_THAT(refusal.what(), testing::HasSubstr("the_softmax"));
    EXPECT_THAT(refusal.what(), testing::HasSubstr("--no-fallback"));
  }
}

std::string refusal(const std::string& graph) {
  try {
    compile::compile(ir::parse(graph), SocConfig());
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "taken";
}

TEST(CompileProgram, an_output_that_nothing_computes_is_refused) {
  const std::string head =
      "graph \"g\" tflite {\n input %x : int8[1,4,4,16] q(0.5, 1)\n"
      "const %c : int8[1,4,4,16] q(0.5, 1) = random 7\n"
      "%y = relu(%x) : int8[1,4,4,16] q(0.5, 1)\n";
  EXPECT_EQ(refusal(head + "output %y\n}\n"), "taken");
  EXPECT_EQ(refusal(head + "output %y, %x\n}\n"),
            "compile: output 'x' of the network is one of its inputs, must be a result of an "
            "operator; take it from the outputs");
  EXPECT_THAT(refusal(head + "output %y, %c\n}\n"),
              testing::HasSubstr("output 'c' of the network is a constant"));
}

// 65535 pages of 4 KiB are 268,431,360 bytes; 4096 x 4096 x 16 are 2^28.
TEST(CompileProgram, tensors_that_no_job_can_hold_are_refused) {
  const std::string small = "int8[1,64,64,16] q(0.5, 1)", large = "int8[1,4096,4096,16] q(0.5, 1)";
  const auto graph = [](const std::string& x, const std::string& y, const std::string& z) {
    return "graph \"g\" tflite {\n input %x : " + x + "\n%y = resize_nearest(%x) : " + y +
           "\n%z = resize_nearest(%y) : " + z + "\noutput %z\n}\n";
  };
  EXPECT_EQ(
      refusal(graph(large, small, small)),
      "compile: the network's inputs take 268435456 bytes, a job has 268431360 for them; make "
      "its tensors smaller");
  EXPECT_THAT(refusal(graph(small, small, large)),
              testing::HasSubstr("the network's outputs take 268435456 bytes"));
  EXPECT_THAT(refusal(graph(small, large, small)),
              testing::HasSubstr("the network's tensors in DRAM take 268435456 bytes"));
}

}  // namespace
}  // namespace presil::tests
