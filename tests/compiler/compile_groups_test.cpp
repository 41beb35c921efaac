// Convolutions in groups from graph to commands: the array multiplies what a group reads, exactly.
#include <gmock/gmock.h>

#include <functional>
#include <numeric>
#include <random>
#include <sstream>

#include "compiler_bridge/emit/stream.h"
#include "compiler_bridge/ir/text.h"
#include "models/dla/dla_timing.h"
#include "tests/compiler/compile_check.h"

namespace presil::tests {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::Not;

SocConfig edge(uint32_t sram_bytes = 1 << 20) {
  SocConfig config;
  config.sram.bytes = sram_bytes;
  return config;
}

SocConfig micro(uint32_t sram_bytes) {
  SocConfig config = edge(sram_bytes);
  config.dla.feat_ports = 2;
  config.dla.post_lanes = config.dla.ew_lanes = 4;
  config.dma.channels = 2;
  return config;
}

SocConfig big(uint32_t sram_bytes) {
  SocConfig config = edge(sram_bytes);
  config.dla.macs_k = config.dla.macs_c = config.dla.post_lanes = 32;
  config.dla.feat_ports = 8;
  config.dla.weight_ports = 2;
  return config;
}

/// With a memory that no layer waits for long.
SocConfig fast_memory() {
  SocConfig config = edge();
  config.dram.peak_mb_per_s = 204800;
  return config;
}

std::string int8(int h, int w, int c) {
  return "int8[1," + std::to_string(h) + "," + std::to_string(w) + "," + std::to_string(c) + "]";
}

/// A convolution in groups, "y", between 1x1 convolutions, so that nothing is cut for what arrives
/// or is stored.
std::string layer_of(int side, int groups, int in, int out, int kernel) {
  const std::string k = std::to_string(kernel), pad = std::to_string(kernel / 2);
  const std::string x = int8(side, side, groups * in), y = int8(side, side, groups * out);
  return "graph \"g\" tflite {\n  input %i : " + int8(side, side, 16) +
         " q(0.1, -5)\n  const %u : int8[" + std::to_string(groups * in) +
         ",1,1,16] q(0.01, 0) = random 3\n  %x = conv2d(%i, %u) from [0] : " + x +
         " q(0.1, -5)\n  const %w : int8[" + std::to_string(groups * out) + "," + k + "," + k +
         "," + std::to_string(in) + "] q(0.01, 0) = random 1\n  const %b : int32[" +
         std::to_string(groups * out) +
         "] = random 2\n  %y = conv2d(%x, %w, %b) {groups=" + std::to_string(groups) +
         ", pad_top=" + pad + ", pad_bottom=" + pad + ", pad_left=" + pad + ", pad_right=" + pad +
         "} from [1] : " + y + " q(0.5, 9)\n  const %v : int8[16,1,1," +
         std::to_string(groups * out) +
         "] q(0.01, 0) = random 4\n  %e = conv2d(%y, %v) from [2] : " + int8(side, side, 16) +
         " q(0.5, 9)\n  output %e\n}";
}

/// The commands of the layer in groups, and the multiplications that they do, those with 0 among
/// them.
struct Work {
  std::vector<std::string> commands;
  uint64_t multiplied = 0;
  uint64_t useful = 0;
};
Work work_of(const CompileCheck& check) {
  Work work;
  const auto commands = emit::from_text(check.compiled.stream_text);  // one a line
  std::istringstream lines(check.compiled.stream_text);
  std::string line;
  for (size_t i = 0; std::getline(lines, line); ++i) {
    const auto* command = std::get_if<dla::Command>(&commands.at(i).word);
    if (command == nullptr || line.find("; y") == std::string::npos) continue;
    work.commands.push_back(line);
    work.multiplied += dla::macs(*command);
  }
  work.useful = check.compiled.layers.at(1).macs;
  return work;
}

/// Bytes of constants that commands of a layer load.
uint64_t constants_loaded(const std::string& stream, const std::string& layer) {
  const auto commands = emit::from_text(stream);
  std::istringstream lines(stream);
  std::string line;
  uint64_t bytes = 0;
  for (size_t i = 0; std::getline(lines, line); ++i) {
    const auto* copy = std::get_if<dma::Command>(&commands.at(i).word);
    if (copy == nullptr || line.find("; " + layer) == std::string::npos) continue;
    if (line.find("src_space=system") != std::string::npos &&
        line.find("src_region=") == std::string::npos) {
      bytes += std::accumulate(copy->src_n.begin(), copy->src_n.end(),
                               uint64_t{copy->src_row_bytes}, std::multiplies<>());
    }
  }
  return bytes;
}

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++n;
  return n;
}

TEST(CompileGroups, groups_of_16_channels_are_one_command_that_multiplies_no_zero) {
  for (const int kernel : {1, 3}) {
    const auto check =
        expect_compiled_exact(ir::parse(layer_of(24, 32, 16, 16, kernel)), fast_memory());
    const Work work = work_of(check);
    ASSERT_FALSE(work.commands.empty());
    EXPECT_THAT(work.commands, Each(HasSubstr("in_kb_step=1 ")));
    EXPECT_LE(work.commands.size(), 32u / 8);  // at least 8 groups each
    EXPECT_EQ(work.multiplied, work.useful);
  }
  const auto check = expect_compiled_exact(ir::parse(layer_of(20, 8, 32, 16, 3)), fast_memory());
  const Work work = work_of(check);
  ASSERT_FALSE(work.commands.empty());
  EXPECT_THAT(work.commands, Each(HasSubstr("in_kb_step=2 ")));
  EXPECT_LE(work.commands.size(), 8u / 2);
  EXPECT_EQ(work.multiplied, work.useful);
}

TEST(CompileGroups, groups_of_several_blocks_are_a_command_each_whose_weights_come_once) {
  const auto check = expect_compiled_exact(ir::parse(layer_of(24, 8, 32, 32, 3)), fast_memory());
  const Work work = work_of(check);
  EXPECT_EQ(work.commands.size(), 8u);
  for (const std::string& command : work.commands) {
    EXPECT_THAT(command, Not(HasSubstr("in_kb_step")));
  }
  EXPECT_EQ(work.multiplied, work.useful);
  // parameters of 16 blocks, 8 * 2 * 2 * 9 sets of 256 bytes
  EXPECT_EQ(constants_loaded(check.compiled.stream_text, "y"), 16u * 144 + 288 * 256);
}

TEST(CompileGroups, a_wide_array_shares_its_lanes_among_groups) {
  const auto of_32 = expect_compiled_exact(ir::parse(layer_of(12, 8, 32, 32, 3)), big(1 << 21));
  EXPECT_EQ(work_of(of_32).multiplied, work_of(of_32).useful);
  const auto of_16 = expect_compiled_exact(ir::parse(layer_of(12, 8, 16, 16, 3)), big(1 << 21));
  const Work work = work_of(of_16);
  EXPECT_EQ(work.commands.size(), 4u);
  EXPECT_EQ(work.multiplied, 2 * work.useful);
}

TEST(CompileGroups, several_filters_a_channel_read_the_blocks_of_their_channels) {
  const auto check = expect_compiled_exact(ir::parse(R"(graph "g" xnnpack {
    input %i : int8[1,24,24,16] q(0.1, -5)
    const %u : int8[64,1,1,16] q(0.01, 0) = random 2
    %x = conv2d(%i, %u) from [0] : int8[1,24,24,64] q(0.1, -5)
    const %w : int8[1,3,3,128] q(0.01, 0) = random 1
    %y = depthwise_conv2d(%x, %w) {multiplier=2, pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} from [1] : int8[1,24,24,128] q(0.5, 9)
    const %v : int8[16,1,1,128] q(0.01, 0) = random 3
    %e = conv2d(%y, %v) from [2] : int8[1,24,24,16] q(0.5, 9)
    output %e
  })"),
                                           edge());
  const Work work = work_of(check);
  EXPECT_EQ(work.commands.size(), 4u);  // an input block each, of which come two output blocks
  EXPECT_EQ(work.multiplied, 16 * work.useful);
}

/// A seed is a network: perhaps a concatenation that leaves lanes empty, a convolution in groups,
/// perhaps something fused after it, perhaps a reader.
class RandomGroups {
 public:
  explicit RandomGroups(uint32_t seed) : m_random(seed) {}

  std::string make() {
    const std::string numerics = chance(2) ? "tflite" : "xnnpack";
    const int most = chance(4) ? 512 : 128;
    const int groups = pick(2, 32);
    const int in = groups * pick(1, std::max(1, most / groups)),
              out = groups * pick(1, std::max(1, most / groups));
    m_side = pick(3, 14);
    const std::string x = chance(4) ? concatenation(in) : input("x", m_side, in);
    const int kernel = 1 + 2 * pick(0, 2), dilation = chance(5) ? 2 : 1;
    const int reach = (kernel - 1) * dilation;
    const int pad = reach == 0 ? 0 : pick(reach + 1 > m_side ? reach / 2 : 0, reach);
    const int stride = pick(1, 3), size = (m_side + 2 * pad - reach - 1) / stride + 1;
    if (m_side + 2 * pad < reach + 1) return RandomGroups(m_random()).make();
    constant("w", {out, kernel, kernel, in / groups});
    m_text += "  const %b : int32[" + std::to_string(out) + "] = random 5\n";
    const auto n = [](int v) { return std::to_string(v); };
    m_text += "  %y = conv2d(" + x + ", %w, %b) {groups=" + n(groups) + ", stride_h=" + n(stride) +
              ", stride_w=" + n(stride) + ", dilation_h=" + n(dilation) +
              ", dilation_w=" + n(dilation) + ", pad_top=" + n(pad) + ", pad_bottom=" + n(pad) +
              ", pad_left=" + n(pad) + ", pad_right=" + n(pad) + "} " + from() +
              int8(size, size, out) + " q(" + (numerics == "tflite" ? "0.9" : "0.7") + ", 9)\n";
    std::string y = "%y";
    if (chance(3)) {
      m_text +=
          "  %z = leaky_relu(%y) {alpha=0.2} " + from() + int8(size, size, out) + " q(0.9, 3)\n";
      y = "%z";
    } else if (chance(2)) {
      const std::string other = input("r", size, out);
      m_text += "  %z = add(%y, " + other + ") " + from() + int8(size, size, out) + " q(1.1, 3)\n";
      y = "%z";
    }
    if (chance(3)) {
      constant("v", {20, 1, 1, out});
      m_text += "  %end = conv2d(" + y + ", %v) " + from() + int8(size, size, 20) + " q(1, 0)\n";
      y = "%end";
    }
    return "graph \"g\" " + numerics + " {\n" + m_text + "  output " + y + "\n}";
  }

 private:
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(m_random); }
  bool chance(int of) { return pick(1, of) == 1; }
  std::string from() { return "from [" + std::to_string(m_ops++) + "] : "; }
  std::string input(const std::string& name, int side, int channels) {
    m_text += "  input %" + name + " : " + int8(side, side, channels) + " q(0.1, -5)\n";
    return "%" + name;
  }
  void constant(const std::string& name, const std::vector<int>& shape) {
    std::string extents;
    for (const int e : shape) extents += (extents.empty() ? "" : ",") + std::to_string(e);
    m_text += "  const %" + name + " : int8[" + extents + "] q(0.01, " +
              std::to_string(chance(3) ? pick(-9, 9) : 0) + ") = random " +
              std::to_string(pick(1, 9999)) + "\n";
  }
  std::string concatenation(int channels) {
    const int first = pick(1, channels - 1);
    input("i", m_side, 16);
    std::string parts;
    for (const auto& [name, c] :
         {std::pair<std::string, int>{"p", first}, {"q", channels - first}}) {
      constant(name + "w", {c, 1, 1, 16});
      m_text += "  %" + name + " = conv2d(%i, %" + name + "w) " + from() + int8(m_side, m_side, c) +
                " q(0.1, -5)\n";
      parts += (parts.empty() ? "%" : ", %") + name;
    }
    m_text += "  %x = concat(" + parts + ") {axis=3} " + from() + int8(m_side, m_side, channels) +
              " q(0.1, -5)\n";
    return "%x";
  }

  std::mt19937 m_random;
  std::string m_text;
  int m_side = 0, m_ops = 0;
};

TEST(CompileGroups, random_layers_are_exact_on_every_array_in_much_and_little_memory) {
  int tiles = 0, parts = 0, on_dla = 0, ops = 0;
  for (uint32_t seed = 0; seed < 96; ++seed) {
    const std::string text = RandomGroups(seed).make();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const uint32_t sram = seed % 2 == 0 ? 1 << 20 : 8192 << seed / 2 % 4;
    const SocConfig config = seed % 3 == 0 ? edge(sram) : seed % 3 == 1 ? micro(sram) : big(sram);
    const auto check = expect_compiled_exact(ir::parse(text), config, 2);
    for (const auto& placement : check.compiled.placements) {
      ++ops;
      on_dla += placement.engine == "dla" || placement.engine == "none" ? 1 : 0;
    }
    tiles += count(check.compiled.stream_text, "tile 1") != 0 ? 1 : 0;
    parts += count(check.compiled.stream_text, "acc_init=int32") != 0 ? 1 : 0;
    if (HasFailure()) break;
  }
  std::printf("%d of 96 networks cut into tiles, %d sum in parts; %d of %d ops on the DLA\n", tiles,
              parts, on_dla, ops);
  EXPECT_GT(tiles, 20);
  EXPECT_GT(parts, 5);
}

}  // namespace
}  // namespace presil::tests
