// Products of floats by int8 weights as the DLA's sums of bytes: every output equals the reference
// interpreter's in every bit, whatever the shapes, the room and the numerics.
#include "tests/compiler/compile_dsp_check.h"

namespace presil::tests {
namespace {

SocConfig soc_with(uint32_t sram_bytes, unsigned macs = 16) {
  SocConfig config;
  config.sram.bytes = sram_bytes;
  config.dma.channels = 4;
  config.host.cycles_call = 100'000;  // never the host, however small a product is
  config.dla.macs_k = config.dla.macs_c = macs;
  config.dla.feat_ports = macs == 16 ? 4 : 8;
  return config;
}

/// Floats of any bits, most of them too far apart for steps; or usual ones, of a row of `channels`.
std::string input(Cases& cases, const std::string& shape, int64_t channels) {
  if (cases.pick(0, 2) == 0) return "  input %x : float32" + shape;
  const int64_t zero = cases.one_of<int64_t>({-128, -7, 0, 127});
  return "  input %i : int8" + shape + " q(0.03, " + std::to_string(zero) +
         ")\n  %d = dequantize(%i) : float32" + shape + "\n  const %c : float32[" +
         std::to_string(channels) + "] = random 3\n  %x = mul(%d, %c) : float32" + shape;
}

/// Products are the DLA's, unless a row of them does not fit.
compile::Compiled expect_on_dla(const std::string& text, const SocConfig& soc) {
  SCOPED_TRACE(text + " with SRAM of " + std::to_string(soc.sram.bytes));
  ir::Graph graph = ir::parse(text);
  for (size_t i = 0; i < graph.ops.size(); ++i) graph.ops[i].source_ops = {static_cast<int>(i)};
  const compile::Compiled c = expect_compiled_exact(std::move(graph), soc, 2).compiled;
  for (const placement::Placement& p : c.placements) {
    if (p.op == "dequantize" || p.op == "mul") continue;
    if (p.engine == "dla") continue;
    EXPECT_THAT(p.reason(), testing::HasSubstr("bytes of SRAM even in the smallest tiles")) << p.op;
    EXPECT_LT(soc.sram.bytes, kLarge);
  }
  return c;
}

std::string scales(Cases& cases, int64_t channels, int axis) {
  if (cases.pick(0, 2) == 0) return " q(0.017, 0)";
  std::string text = " q([";
  for (int64_t k = 0; k < channels; ++k) {
    text += (k == 0 ? "" : ", ") + std::to_string(cases.pick(1, 99) / 1000.0);
  }
  return text + "], 0, axis=" + std::to_string(axis) + ")";
}

std::string act(Cases& cases) {
  return cases.one_of<std::string>({"none", "none", "relu", "relu6", "relu_n1_to_1"});
}

std::string numerics(Cases& cases) {
  return cases.one_of<std::string>({"tflite", "xnnpack"});
}

TEST(CompileByteProduct, one_pixel_of_one_tap) {
  for (const char* numerics : {"tflite", "xnnpack"}) {
    expect_on_dla(graph_of("  input %x : float32[1,3,5,16]\n"
                           "  const %w : int8[32,1,1,16] q(0.02, 0) = random 1\n"
                           "  const %b : float32[32] = random 2\n"
                           "  %y = conv2d(%x, %w, %b) : float32[1,3,5,32]",
                           numerics),
                  soc_with(kLarge));
  }
}

std::string out(int64_t in, int64_t before, int64_t after, int64_t kernel, int64_t dilation,
                int64_t stride) {
  return std::to_string((in + before + after - (kernel - 1) * dilation - 1) / stride + 1);
}

struct Window {
  int64_t h, w, kernel_h, kernel_w, stride_h, stride_w, dilation, top, left, bottom, right;

  explicit Window(Cases& c)
      : kernel_h(c.one_of<int64_t>({1, 1, 2, 3, 5})),
        kernel_w(c.one_of<int64_t>({1, 1, 3, 4})),
        stride_h(c.pick(1, 3)),
        stride_w(c.pick(1, 2)),
        dilation(c.one_of<int64_t>({1, 1, 1, 2})),
        top(c.pick(0, int(kernel_h) - 1)),
        left(c.pick(0, int(kernel_w) - 1)),
        bottom(c.pick(0, int(kernel_h) - 1)),
        right(c.pick(0, int(kernel_w) - 1)) {
    h = (kernel_h - 1) * dilation + 1 + c.pick(0, 9);
    w = (kernel_w - 1) * dilation + 1 + c.pick(0, 12);
  }
  std::string attributes() const {
    const auto field = [](const char* name, int64_t value) {
      return std::string(name) + "=" + std::to_string(value) + ", ";
    };
    return field("stride_h", stride_h) + field("stride_w", stride_w) +
           field("dilation_h", dilation) + field("dilation_w", dilation) + field("pad_top", top) +
           field("pad_left", left) + field("pad_bottom", bottom) + field("pad_right", right);
  }
  std::string in(int64_t channels) const { return typed("", {1, h, w, channels}); }
  std::string result(int64_t channels) const {
    return "[1," + out(h, top, bottom, kernel_h, dilation, stride_h) + "," +
           out(w, left, right, kernel_w, dilation, stride_w) + "," + std::to_string(channels) + "]";
  }
};

uint32_t room(Cases& cases) {
  return cases.one_of<uint32_t>({kLarge, kLarge, 48 << 10, 24 << 10});
}

TEST(CompileByteProduct, convolutions) {
  Cases c(1);
  for (int i = 0; i < 60; ++i) {
    Window window(c);
    const int64_t groups = c.one_of<int64_t>({1, 1, 1, 2, 4});
    const int64_t in = groups * c.one_of<int64_t>({1, 3, 4, 5, 16, 20});
    const int64_t filters = groups == 1 ? c.one_of<int64_t>({1, 7, 16, 33}) : 16;
    const int64_t k = groups * (groups == 1 ? 1 : 16 / groups) * (groups == 1 ? filters : 1);
    if (window.kernel_h * window.kernel_w == 1) {
      window.top = window.left = window.bottom = window.right = 0;
    }
    const std::string bias = c.pick(0, 3) == 0 ? "_" : "%b";
    expect_on_dla(graph_of(input(c, window.in(in), in) + "\n  const %w : int8" +
                               typed("", {k, window.kernel_h, window.kernel_w, in / groups}) +
                               scales(c, k, 0) + " = random 1\n  const %b : float32[" +
                               std::to_string(k) + "] = random 2\n  %y = conv2d(%x, %w, " + bias +
                               ") {" + window.attributes() + "groups=" + std::to_string(groups) +
                               ", act=" + act(c) + "} : float32" + window.result(k),
                           numerics(c)),
                  soc_with(room(c), c.one_of<unsigned>({16, 16, 32})));
  }
}

TEST(CompileByteProduct, depthwise_convolutions) {
  Cases c(2);
  for (int i = 0; i < 60; ++i) {
    const Window window(c);
    const int64_t in = c.one_of<int64_t>({1, 3, 8, 16, 24, 64}), filters = c.pick(1, 3);
    const int64_t k = in * filters;
    expect_on_dla(
        graph_of(input(c, window.in(in), in) + "\n  const %w : int8" +
                     typed("", {1, window.kernel_h, window.kernel_w, k}) + scales(c, k, 3) +
                     " = random 1\n  const %b : float32[" + std::to_string(k) +
                     "] = random 2\n  %y = depthwise_conv2d(%x, %w, %b) {" + window.attributes() +
                     "multiplier=" + std::to_string(filters) + ", act=" + act(c) + "} : float32" +
                     window.result(k),
                 numerics(c)),
        soc_with(room(c), c.one_of<unsigned>({16, 16, 32})));
  }
}

TEST(CompileByteProduct, fully_connected) {
  Cases c(3);
  for (int i = 0; i < 40; ++i) {
    const int64_t rows = c.one_of<int64_t>({1, 1, 2, 9, 130});
    const int64_t in = c.one_of<int64_t>({1, 5, 16, 64, 200}),
                  k = c.one_of<int64_t>({1, 10, 16, 65});
    expect_on_dla(
        graph_of(input(c, typed("", {rows, in}), in) + "\n  const %w : int8" + typed("", {k, in}) +
                     scales(c, k, 0) + " = random 1\n  const %b : float32[" + std::to_string(k) +
                     "] = random 2\n  %y = fully_connected(%x, %w, %b) {act=" + act(c) +
                     (c.pick(0, 1) == 0 ? ", asymmetric_inputs=true" : "") + "} : float32" +
                     typed("", {rows, k}),
                 numerics(c)),
        soc_with(room(c)));
  }
}

std::string wide_scales(Cases& c, int64_t channels, int axis) {
  if (c.pick(0, 2) == 0) return " q(" + std::to_string(c.pick(1, 99) / 1000.0) + ", 0)";
  return scales(c, channels, axis);
}

TEST(CompileByteProduct, convolutions_of_int16) {
  Cases c(4);
  for (int i = 0; i < 60; ++i) {
    const Window window(c);
    const int64_t groups = c.one_of<int64_t>({1, 1, 1, 2, 4});
    const int64_t in = groups * c.one_of<int64_t>({1, 3, 4, 5, 16, 20});
    const int64_t k = groups == 1 ? c.one_of<int64_t>({1, 7, 16, 33}) : 16;
    const std::string bias = c.one_of<std::string>({"int64", "int64", "int32"});
    const std::string y =
        " q(" + c.one_of<std::string>({"0.00001", "0.02", "0.5", "30.0"}) + ", 0)";
    expect_on_dla(graph_of("  input %x : int16" + window.in(in) + " q(0.01, 0)\n  const %w : int8" +
                               typed("", {k, window.kernel_h, window.kernel_w, in / groups}) +
                               wide_scales(c, k, 0) + " = random 1\n  const %b : " + bias + "[" +
                               std::to_string(k) + "] = random 2\n  %y = conv2d(%x, %w, " +
                               (c.pick(0, 3) == 0 ? "_" : "%b") + ") {" + window.attributes() +
                               "groups=" + std::to_string(groups) + ", act=" + act(c) +
                               "} : int16" + window.result(k) + y,
                           numerics(c)),
                  soc_with(room(c), c.one_of<unsigned>({16, 16, 32})));
  }
}

TEST(CompileByteProduct, depthwise_convolutions_of_int16) {
  Cases c(5);
  for (int i = 0; i < 40; ++i) {
    const Window window(c);
    const int64_t in = c.one_of<int64_t>({1, 3, 8, 16, 24, 64}), filters = c.pick(1, 3);
    const int64_t k = in * filters;
    expect_on_dla(
        graph_of("  input %x : int16" + window.in(in) + " q(0.01, 0)\n  const %w : int8" +
                     typed("", {1, window.kernel_h, window.kernel_w, k}) + wide_scales(c, k, 3) +
                     " = random 1\n  const %b : int64[" + std::to_string(k) +
                     "] = random 2\n  %y = depthwise_conv2d(%x, %w, %b) {" + window.attributes() +
                     "multiplier=" + std::to_string(filters) + ", act=" + act(c) + "} : int16" +
                     window.result(k) + " q(0.05, 0)",
                 numerics(c)),
        soc_with(room(c), c.one_of<unsigned>({16, 16, 32})));
  }
}

TEST(CompileByteProduct, fully_connected_of_int16) {
  Cases c(6);
  for (int i = 0; i < 40; ++i) {
    const int64_t rows = c.one_of<int64_t>({1, 1, 2, 9, 130});
    const int64_t in = c.one_of<int64_t>({1, 5, 16, 64, 200}),
                  k = c.one_of<int64_t>({1, 10, 16, 65});
    expect_on_dla(
        graph_of("  input %x : int16" + typed("", {rows, in}) + " q(0.01, 0)\n  const %w : int8" +
                     typed("", {k, in}) + wide_scales(c, k, 0) + " = random 1\n  const %b : " +
                     c.one_of<std::string>({"int64", "int64", "int32"}) + "[" + std::to_string(k) +
                     "] = random 2\n  %y = fully_connected(%x, %w, " +
                     (c.pick(0, 3) == 0 ? "_" : "%b") + ") {act=" + act(c) + "} : int16" +
                     typed("", {rows, k}) + " q(" +
                     c.one_of<std::string>({"0.00001", "0.02", "0.5"}) + ", 0)",
                 numerics(c)),
        soc_with(room(c)));
  }
}

TEST(CompileByteProduct, small_ones_are_the_hosts) {
  const auto engine_of = [](int rows) {
    const std::string n = std::to_string(rows);
    const std::string text = graph_of("  input %x : float32[" + n +
                                          ",16]\n  const %w : int8[8,16] q(0.02, 0) = random 1\n"
                                          "  %y = fully_connected(%x, %w) : float32[" +
                                          n + ",8]",
                                      "tflite");
    SocConfig soc = soc_with(kLarge);
    soc.host = quick_host();
    return expect_compiled_exact(ir::parse(text), soc, 1).compiled.placements.at(0).engine;
  };
  EXPECT_EQ(engine_of(1), "host");
  EXPECT_EQ(engine_of(64), "dla");
}

}  // namespace
}  // namespace presil::tests
