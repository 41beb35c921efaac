// Floats of images and matrices on the DSP: shapes at random, in any number of tiles.
#include "tests/compiler/compile_dsp_check.h"

namespace presil::tests {
namespace {

std::string field(const char* name, int64_t value) {
  return std::string(name) + "=" + std::to_string(value);
}

/// Windows that lie in an image of h x w at least in part.
struct Window {
  int kernel_h, kernel_w, stride_h, stride_w, dilation_h = 1, dilation_w = 1;
  int pad_top, pad_left, pad_bottom, pad_right;

  explicit Window(Cases& cases, bool dilated)
      : kernel_h(cases.pick(1, 4)),
        kernel_w(cases.pick(1, 4)),
        stride_h(cases.pick(1, 3)),
        stride_w(cases.pick(1, 2)) {
    if (dilated) dilation_h = cases.pick(1, 2), dilation_w = cases.pick(1, 2);
    pad_top = cases.pick(0, kernel_h - 1), pad_bottom = cases.pick(0, kernel_h - 1);
    pad_left = cases.pick(0, kernel_w - 1), pad_right = cases.pick(0, kernel_w - 1);
  }
  int64_t rows(int64_t h) const {
    return (h + pad_top + pad_bottom - (kernel_h - 1) * dilation_h - 1) / stride_h + 1;
  }
  int64_t columns(int64_t w) const {
    return (w + pad_left + pad_right - (kernel_w - 1) * dilation_w - 1) / stride_w + 1;
  }
  std::string text() const {
    return field("stride_h", stride_h) + ", " + field("stride_w", stride_w) + ", " +
           field("pad_top", pad_top) + ", " + field("pad_left", pad_left) + ", " +
           field("pad_bottom", pad_bottom) + ", " + field("pad_right", pad_right);
  }
  std::string dilations() const {
    return ", " + field("dilation_h", dilation_h) + ", " + field("dilation_w", dilation_w);
  }
  std::string kernel() const {
    return ", " + field("kernel_h", kernel_h) + ", " + field("kernel_w", kernel_w);
  }
};

std::string activation(Cases& cases) {
  return ", act=" + cases.one_of<std::string>({"none", "relu", "relu6"});
}

/// Images, and the SRAM in which they are cut.
struct Images {
  Shape x;
  uint32_t sram;
  explicit Images(Cases& cases, int64_t channels)
      : x{cases.pick(0, 3) == 0 ? 3 : 1, cases.pick(7, 30), cases.pick(7, 20), channels},
        sram(x[0] != 1 ? kLarge : cases.one_of<uint32_t>({kLarge, 64 << 10, 48 << 10})) {}
};

TEST(CompileDspWindow, convolutions) {
  Cases cases(71);
  for (int i = 0; i < 40; ++i) {
    const int64_t groups = cases.one_of<int64_t>({1, 1, 1, 2, 3}),
                  depth = cases.one_of<int64_t>({1, 3, 5});
    const int64_t channels =
        groups * cases.one_of<int64_t>({1, 2, 7, 40, i % 4 == 0 ? int64_t{70} : int64_t{16}});
    const Images images(cases, groups * depth);
    Window w(cases, true);
    if (cases.pick(0, 3) == 0) {
      w.kernel_h = w.kernel_w = 1, w.pad_top = w.pad_left = w.pad_bottom = w.pad_right = 0;
    }
    const Shape y = {images.x[0], w.rows(images.x[1]), w.columns(images.x[2]), channels};
    const bool biased = cases.pick(0, 1) == 0;
    expect_on_dsp(graph_of("input %x : " + typed("float32", images.x) + "\nconst %w : " +
                               typed("float32", {channels, w.kernel_h, w.kernel_w, depth}) +
                               " = random 1\nconst %b : " + typed("float32", {channels}) +
                               " = random 2\n%y = conv2d(%x, %w" + (biased ? ", %b" : "") + ") {" +
                               w.text() + w.dilations() + ", " + field("groups", groups) +
                               activation(cases) + "} : " + typed("float32", y),
                           cases.one_of<std::string>({"tflite", "xnnpack"})),
                  images.sram);
  }
}

TEST(CompileDspWindow, depthwise_convolutions) {
  Cases cases(72);
  for (int i = 0; i < 20; ++i) {
    const int64_t times = cases.one_of<int64_t>({1, 1, 2, 3}),
                  channels = cases.one_of<int64_t>({1, 5, 16, 40});
    const Images images(cases, channels);
    const Window w(cases, true);
    const int64_t made = channels * times;
    const Shape y = {images.x[0], w.rows(images.x[1]), w.columns(images.x[2]), made};
    const bool biased = cases.pick(0, 1) == 0;
    expect_on_dsp(
        graph_of("input %x : " + typed("float32", images.x) +
                     "\nconst %w : " + typed("float32", {1, w.kernel_h, w.kernel_w, made}) +
                     " = random 1\nconst %b : " + typed("float32", {made}) +
                     " = random 2\n%y = depthwise_conv2d(%x, %w" + (biased ? ", %b" : "") + ") {" +
                     w.text() + w.dilations() + ", " + field("multiplier", times) +
                     activation(cases) + "} : " + typed("float32", y),
                 "tflite"),
        images.sram);
  }
}

TEST(CompileDspWindow, pools) {
  Cases cases(73);
  for (int i = 0; i < 20; ++i) {
    const int64_t channels = cases.one_of<int64_t>({1, 5, 16, 70});
    const Images images(cases, channels);
    const Window w(cases, false);
    const Shape y = {images.x[0], w.rows(images.x[1]), w.columns(images.x[2]), channels};
    const std::string kind = cases.one_of<std::string>({"average_pool2d", "max_pool2d"});
    expect_on_dsp(
        graph_of("input %x : " + typed("float32", images.x) + "\n%y = " + kind + "(%x) {" +
                     w.text() + w.kernel() + activation(cases) + "} : " + typed("float32", y),
                 "tflite"),
        images.sram);
  }
}

TEST(CompileDspWindow, products_with_a_matrix_of_constants) {
  Cases cases(74);
  for (int i = 0; i < 20; ++i) {
    const int64_t channels = cases.one_of<int64_t>({1, 10, 64, 96, 200}),
                  depth = cases.one_of<int64_t>({1, 7, 90});
    const Shape rows = cases.one_of<Shape>({{1}, {2, 5}, {30}, {300}});
    Shape x = rows, y = rows;
    x.push_back(depth), y.push_back(channels);
    const bool biased = cases.pick(0, 1) == 0;
    expect_on_dsp(graph_of("input %x : " + typed("float32", x) +
                               "\nconst %w : " + typed("float32", {channels, depth}) +
                               " = random 1\nconst %b : " + typed("float32", {channels}) +
                               " = random 2\n%y = fully_connected(%x, %w" + (biased ? ", %b" : "") +
                               ") {" + activation(cases).substr(2) + "} : " + typed("float32", y),
                           "tflite"),
                  cases.one_of<uint32_t>({kLarge, 256 << 10}));
  }
}

// 360 KB of weights in 192 KiB of SRAM.
TEST(CompileDspWindow, of_one_row_by_many_weights_some_channels_at_a_time) {
  const compile::Compiled c = expect_on_dsp(
      graph_of("input %x : float32[1,300]\nconst %w : float32[300,300] = random 1\nconst %b : "
               "float32[300] = random 2\n%y = fully_connected(%x, %w, %b) {act=relu} : "
               "float32[1,300]",
               "tflite"),
      192 << 10);
  EXPECT_EQ(c.layers[0].commands, 5);  // of 60 channels
}

TEST(CompileDspWindow, products_of_computed_matrices) {
  Cases cases(75);
  for (int i = 0; i < 30; ++i) {
    const int64_t count = cases.one_of<int64_t>({1, 1, 4, 6}), rows = cases.pick(1, 20);
    const int64_t depth = cases.one_of<int64_t>({1, 9, 33}),
                  channels = cases.one_of<int64_t>({1, 20, 66});
    const bool a_turned = cases.pick(0, 2) == 0, b_turned = cases.pick(0, 1) == 0;
    const bool constant = cases.pick(0, 1) == 0;
    Shape a = {rows, depth}, b = {depth, channels}, y = {rows, channels};
    if (a_turned) std::swap(a[0], a[1]);
    if (b_turned) std::swap(b[0], b[1]);
    const int whose = cases.pick(0, 2);
    if (count != 1 && whose != 0) a.insert(a.begin(), count);
    if (count != 1 && whose != 1) b.insert(b.begin(), count);
    if (count != 1) y.insert(y.begin(), count);
    expect_on_dsp(graph_of("input %a : " + typed("float32", a) + "\n" +
                               (constant ? "const" : "input") + " %b : " + typed("float32", b) +
                               (constant ? " = random 1" : "") + "\n%y = batch_matmul(%a, %b) {" +
                               "transpose_a=" + std::string(a_turned ? "true" : "false") + ", " +
                               "transpose_b=" + std::string(b_turned ? "true" : "false") +
                               "} : " + typed("float32", y),
                           "tflite"),
                  cases.one_of<uint32_t>({kLarge, 64 << 10}));
  }
}

// 3 x 3 windows: the rows of a tile, and one more on either side.
TEST(CompileDspWindow, a_tile_of_an_image_brings_the_rows_that_its_windows_cover) {
  const compile::Compiled c = expect_on_dsp(
      graph_of("input %x : float32[1,40,20,16]\nconst %w : float32[16,3,3,16] = random 1\n%y = "
               "conv2d(%x, %w) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} : "
               "float32[1,40,20,16]",
               "tflite"),
      64 << 10);
  const int tiles = c.layers[0].commands;
  EXPECT_GT(tiles, 2);
  const std::string rows = "src_row_bytes=" + std::to_string((40 / tiles + 1) * 20 * 16 * 4);
  EXPECT_THAT(c.stream_text, testing::HasSubstr(rows));
}

}  // namespace
}  // namespace presil::tests
