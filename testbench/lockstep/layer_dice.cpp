#include "testbench/lockstep/layer_dice.h"

#include <cmath>

namespace presil::lockstep {
namespace {

using import::TfliteFile;
namespace file = import::file;
using Shape = std::vector<int32_t>;

constexpr int64_t kMostMacs = 8'000'000;    // some 40,000 cycles of 256 MACs
constexpr int64_t kMostBytes = 192 * 1024;  // of a tensor: fits the SRAM of `edge` three times
constexpr float kScale = 0.5f, kWeightScale = 0.01f;

class Dice {
 public:
  explicit Dice(uint32_t seed) : m_random(seed) {}
  int in(int low, int high) {  // the same on every standard library
    return low + static_cast<int>(m_random() % static_cast<uint32_t>(high - low + 1));
  }
  bool one_in(int n) { return in(1, n) == 1; }
  /// Small ones more often than large ones.
  int extent(int high) { return in(1, in(1, high)); }
  template <class T>
  std::vector<T> values(int64_t count, int low, int high) {
    std::vector<T> found(static_cast<size_t>(count));
    for (T& value : found) value = static_cast<T>(in(low, high));
    return found;
  }

 private:
  std::mt19937 m_random;
};

int64_t product(const Shape& shape) {
  int64_t n = 1;
  for (const int32_t extent : shape) n *= extent;
  return n;
}

/// A window over one axis.
struct Window {
  int kernel, stride, dilation;
  bool same;
  /// 0: the window does not fit.
  int results(int extent) const {
    const int reach = (kernel - 1) * dilation + 1;
    if (same) return (extent + stride - 1) / stride;
    return extent < reach ? 0 : (extent - reach) / stride + 1;
  }
};

class Maker {
 public:
  explicit Maker(uint32_t seed) : m_dice(seed) {}

  Layer make(const std::string& kind) {
    for (;;) {
      m_file = TfliteFile();
      const bool fits = kind == "conv"        ? conv()
                        : kind == "depthwise" ? depthwise()
                        : kind == "fc"        ? fully_connected()
                        : kind == "pool"      ? pool()
                                              : elementwise();
      if (fits) return {kind, m_file.bytes()};
    }
  }

 private:
  void draw_image(int most_channels) {
    m_h = m_dice.in(1, 56), m_w = m_dice.in(1, 56), m_c = m_dice.extent(most_channels);
  }
  void draw_windows(int largest, bool dilated) {
    const bool same = m_dice.one_in(2);
    const int square = m_dice.in(1, largest), stride = m_dice.one_in(2) ? 1 : m_dice.in(1, 3);
    const bool odd = m_dice.one_in(4);  // not square
    m_y = {odd ? m_dice.in(1, largest) : square, stride, 1, same};
    m_x = {odd ? m_dice.in(1, largest) : square, odd ? m_dice.in(1, 3) : stride, 1, same};
    if (dilated && m_y.stride == 1 && m_x.stride == 1 && m_dice.one_in(5)) {
      m_y.dilation = m_x.dilation = 2;
    }
    m_out_h = m_y.results(m_h), m_out_w = m_x.results(m_w);
  }
  bool fits(int64_t macs, int out_channels) const {
    const int64_t out = int64_t{m_out_h} * m_out_w * out_channels;
    return out > 0 && out <= kMostBytes && int64_t{m_h} * m_w * m_c <= kMostBytes &&
           macs <= kMostMacs;
  }

  /// Weights with a scale for each channel along `axis`.
  int weights(const Shape& shape, int axis) {
    const int id = m_file.add_constant("weights", shape, file::TensorType_Int8,
                                       m_dice.values<int8_t>(product(shape), -127, 127));
    const auto channels = static_cast<size_t>(shape[static_cast<size_t>(axis)]);
    file::QuantizationT& q = *m_file.tensor(id).quantization;
    q.scale.assign(channels, kWeightScale);
    for (float& scale : q.scale) scale *= 0.5f + static_cast<float>(m_dice.in(0, 100)) / 100;
    q.zero_point.assign(channels, 0);
    q.quantized_dimension = axis;
    return id;
  }
  int bias(int count) {
    return m_file.add_constant("bias", {count}, file::TensorType_Int32,
                               m_dice.values<int32_t>(count, -3000, 3000));
  }
  int result(Shape shape, float scale = kScale) {
    const int id = m_file.add_tensor("y", std::move(shape));
    m_file.tensor(id).quantization->scale = {scale};
    m_file.graph().outputs = {id};
    return id;
  }
  int input(const std::string& name, Shape shape) {
    const int id = m_file.add_tensor(name, std::move(shape));
    m_file.graph().inputs.push_back(id);
    return id;
  }
  /// So that sums of n products use the results' range.
  static float scale_of_sums(int64_t n) {
    return kScale * kWeightScale * 110 * std::sqrt(static_cast<float>(n));
  }
  file::Fused activation() {
    static constexpr file::Fused kAll[] = {file::Fused_None, file::Fused_Relu, file::Fused_Relu6};
    return kAll[m_dice.in(0, 2)];
  }
  template <class Options>
  void windowed(Options& options) {
    options.padding = m_y.same ? file::Padding_Same : file::Padding_Valid;
    options.stride_h = m_y.stride, options.stride_w = m_x.stride;
    options.activation = activation();
  }

  bool conv() {
    draw_image(m_dice.one_in(4) ? 4 : 160);
    draw_windows(m_dice.one_in(3) ? 1 : m_dice.one_in(6) ? 7 : 5, true);
    const int out = m_dice.extent(160);
    const int64_t taps = int64_t{m_y.kernel} * m_x.kernel * m_c;
    if (!fits(taps * m_out_h * m_out_w * out, out) || taps * out > kMostBytes) return false;
    const int x = input("x", {1, m_h, m_w, m_c});
    const int w = weights({out, m_y.kernel, m_x.kernel, m_c}, 0);
    file::Conv2DT options;
    windowed(options);
    options.dilation_h = m_y.dilation, options.dilation_w = m_x.dilation;
    const int b = bias(out), y = result({1, m_out_h, m_out_w, out}, scale_of_sums(taps));
    m_file.add_op(file::Builtin_CONV_2D, {x, w, b}, {y}).options.Set(std::move(options));
    return true;
  }
  bool depthwise() {
    draw_image(160);
    draw_windows(m_dice.one_in(6) ? 9 : 5, true);
    const int multiplier = m_c <= 8 && m_dice.one_in(3) ? m_dice.in(2, 8) : 1;
    const int out = m_c * multiplier;
    const int64_t taps = int64_t{m_y.kernel} * m_x.kernel;
    if (!fits(taps * m_out_h * m_out_w * out, out)) return false;
    const int x = input("x", {1, m_h, m_w, m_c});
    const int w = weights({1, m_y.kernel, m_x.kernel, out}, 3);
    file::DepthwiseConv2DT options;
    windowed(options);
    options.depth_multiplier = multiplier;
    options.dilation_h = m_y.dilation, options.dilation_w = m_x.dilation;
    const int b = bias(out), y = result({1, m_out_h, m_out_w, out}, scale_of_sums(taps));
    m_file.add_op(file::Builtin_DEPTHWISE_CONV_2D, {x, w, b}, {y}).options.Set(std::move(options));
    return true;
  }
  bool fully_connected() {
    const int in = m_dice.extent(2000), out = m_dice.extent(600), rows = m_dice.one_in(4) ? 6 : 1;
    if (int64_t{in} * out > 4 * kMostBytes) return false;
    const int x = input("x", {rows, in}), w = weights({out, in}, 0), b = bias(out);
    file::QuantizationT& q = *m_file.tensor(w).quantization;
    q.scale.resize(1), q.zero_point.resize(1);
    file::FullyConnectedT options;
    options.activation = activation();
    const int y = result({rows, out}, scale_of_sums(in));
    m_file.add_op(file::Builtin_FULLY_CONNECTED, {x, w, b}, {y}).options.Set(std::move(options));
    return true;
  }
  bool pool() {
    draw_image(160);
    draw_windows(m_dice.one_in(4) ? 8 : 3, false);
    if (!fits(0, m_c)) return false;
    const int x = input("x", {1, m_h, m_w, m_c}), y = result({1, m_out_h, m_out_w, m_c});
    file::Pool2DT options;
    windowed(options);
    options.filter_h = m_y.kernel, options.filter_w = m_x.kernel;
    const auto code = m_dice.one_in(2) ? file::Builtin_MAX_POOL_2D : file::Builtin_AVERAGE_POOL_2D;
    m_file.add_op(code, {x}, {y}).options.Set(std::move(options));
    return true;
  }
  bool elementwise() {
    draw_image(160);
    m_out_h = m_h, m_out_w = m_w;
    if (!fits(0, m_c)) return false;
    const Shape shape = {1, m_h, m_w, m_c};
    const int a = input("a", shape), b = input("b", shape), which = m_dice.in(0, 2);
    const int y = result(shape, which == 2 ? 50 * kScale : 1.5f * kScale);
    if (which == 0) {
      file::AddT options;
      options.activation = activation();
      m_file.add_op(file::Builtin_ADD, {a, b}, {y}).options.Set(std::move(options));
    } else if (which == 1) {
      file::SubT options;
      options.activation = activation();
      m_file.add_op(file::Builtin_SUB, {a, b}, {y}).options.Set(std::move(options));
    } else {
      file::MulT options;
      options.activation = activation();
      m_file.add_op(file::Builtin_MUL, {a, b}, {y}).options.Set(std::move(options));
    }
    return true;
  }

  Dice m_dice;
  TfliteFile m_file;
  int m_h = 1, m_w = 1, m_c = 1, m_out_h = 1, m_out_w = 1;
  Window m_y{}, m_x{};
};

}  // namespace

const std::vector<std::string>& kinds() {
  static const std::vector<std::string> names = {"conv", "depthwise", "fc", "pool", "elementwise"};
  return names;
}

Layer random_layer(uint32_t number) {
  return Maker(number).make(kinds()[number % kinds().size()]);
}

}  // namespace presil::lockstep
