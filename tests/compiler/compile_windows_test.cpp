// Windows beyond a command's: kernels of more than 16 taps, strides of more than 7, images that a
// fully connected layer flattens. Compiled, run and compared at every tensor.
#include "compiler_bridge/ir/text.h"
#include "tests/compiler/compile_check.h"

namespace presil::tests {
namespace {

/// Whatever multiplies is the DLA's, under both rule sets, where whole layers fit and where not.
void expect_on_the_dla(const std::string& text) {
  for (const ir::Numerics numerics : {ir::Numerics::kTflite, ir::Numerics::kXnnpack}) {
    for (const uint32_t sram : {1u << 20, 1u << 17}) {
      SCOPED_TRACE(std::string(ir::to_string(numerics)) + ", " + std::to_string(sram) + " bytes");
      ir::Graph graph = ir::parse(text);
      graph.numerics = numerics;
      SocConfig config;
      config.sram.bytes = sram;
      const CompileCheck check = expect_compiled_exact(graph, config);
      for (const auto& layer : check.compiled.layers) {
        EXPECT_TRUE(layer.macs == 0 || layer.engine == "dla") << layer.name;
      }
    }
  }
}

std::string conv(const std::string& x, const std::string& w, const std::string& attributes,
                 const std::string& y, const char* kind = "conv2d") {
  return "graph \"g\" tflite {\n input %x : int8[" + x + "] q(0.5, -3)\n const %w : int8[" + w +
         "] q(0.01, 0) = random 7\n %y = " + kind + "(%x, %w) {" + attributes + "} : int8[" + y +
         "] q(2.5, 4)\n output %y\n}";
}

TEST(CompileWindows, strides_of_more_than_7_are_tiles_of_single_outputs) {
  expect_on_the_dla(conv("1,64,48,3", "20,16,16,3", "stride_h=16, stride_w=16", "1,4,3,20"));
  expect_on_the_dla(
      conv("1,40,30,5", "18,3,4,5", "stride_h=9, stride_w=2, pad_top=1, pad_left=2", "1,5,15,18"));
  expect_on_the_dla(conv("1,9,100,1", "4,3,12,1", "stride_w=11, pad_bottom=1", "1,8,9,4"));
  expect_on_the_dla(conv("1,40,30,20", "1,5,3,20", "stride_h=2, stride_w=8, pad_right=1",
                         "1,18,4,20", "depthwise_conv2d"));
}

TEST(CompileWindows, pools_with_strides_of_more_than_7) {
  expect_on_the_dla(R"(graph "g" tflite {
    input %x : int8[1,40,33,20] q(0.5, -3)
    %a = average_pool2d(%x) {kernel_h=8, kernel_w=11, stride_h=8, stride_w=11} : int8[1,5,3,20] q(0.5, -3)
    %m = max_pool2d(%x) {kernel_h=10, kernel_w=3, stride_h=10, stride_w=3} : int8[1,4,11,20] q(0.5, -3)
    output %a, %m
  })");
}

TEST(CompileWindows, a_flattened_image_is_a_row) {
  expect_on_the_dla(R"(graph "g" tflite {
    input %x : int8[1,25,20,8] q(0.5, -3)
    const %v : int8[8,1,1,8] q(0.02, 0) = random 6
    const %w : int8[4,4000] q(0.002, 0) = random 7
    const %b : int32[4] = random 8
    %c = conv2d(%x, %v) {act=relu} : int8[1,25,20,8] q(0.8, -4)
    %y = fully_connected(%c, %w, %b) : int8[1,4] q(0.8, 4)
    output %y
  })");
}

TEST(CompileWindows, large_kernels_read_shifted_images) {
  expect_on_the_dla(conv("1,49,40,1", "24,20,8,1",
                         "pad_top=9, pad_bottom=10, pad_left=3, "
                         "pad_right=4",
                         "1,49,40,24"));
  expect_on_the_dla(conv("1,1,400,2", "8,1,80,2", "stride_w=4, pad_left=20", "1,1,86,8"));
}

}  // namespace
}  // namespace presil::tests
