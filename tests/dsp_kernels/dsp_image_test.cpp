// Floats of images, and the largest of rows, against the reference interpreter, every bit.
#include <gtest/gtest.h>

#include <cmath>

#include "driver/kernels/dsp/params.h"
#include "tests/dsp_kernels/dsp_sweep.h"

namespace presil::dsp {
namespace {

using Shape = std::vector<int64_t>;

int64_t pick(Random& random, int64_t most) {
  return 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(most));
}
uint32_t u32(int64_t x) {
  return static_cast<uint32_t>(x);
}
TensorValue floats(Random& random, const Shape& shape) {
  TensorValue t = random_floats(random, shape, -4, 4);
  auto* v = reinterpret_cast<float*>(t.data.data());
  const bool strange = random() % 3 == 0;
  for (size_t i = 0; i < t.data.size() / 4; ++i) {
    const float odd[] = {NAN, INFINITY, -INFINITY, -0.0f, 0.0f, 1e-40f};
    if (strange && random() % 32 == 0) v[i] = odd[random() % 6];
  }
  return t;
}

/// Of a window, in the text's words.
struct Window {
  presil_dsp_window p{};
  int64_t kh, kw, pad_bottom, pad_right;
  explicit Window(Random& random, bool dilated) : kh(pick(random, 3)), kw(pick(random, 3)) {
    p.stride_h = u32(pick(random, 2)), p.stride_w = u32(pick(random, 3));
    p.dilation_h = dilated ? u32(pick(random, 2)) : 1, p.dilation_w = dilated ? 2 : 1;
    p.pad_top = static_cast<int32_t>(random() % static_cast<uint64_t>(kh));
    p.pad_left = static_cast<int32_t>(random() % static_cast<uint64_t>(kw));
    pad_bottom = pick(random, kh) - 1, pad_right = pick(random, kw) - 1;
    p.groups = 1;
    const bool clamps = random() % 2 != 0;
    p.low = clamps ? 0.0f : -INFINITY, p.high = clamps ? 6.0f : INFINITY;
  }
  int64_t rows(int64_t h) const {
    return (h + p.pad_top + pad_bottom - (kh - 1) * p.dilation_h - 1) / p.stride_h + 1;
  }
  int64_t columns(int64_t w) const {
    return (w + p.pad_left + pad_right - (kw - 1) * p.dilation_w - 1) / p.stride_w + 1;
  }
  std::string text() const {
    const auto field = [](const char* name, int64_t v) {
      return std::string(name) + "=" + std::to_string(v) + ", ";
    };
    return field("stride_h", p.stride_h) + field("stride_w", p.stride_w) +
           field("pad_top", p.pad_top) + field("pad_left", p.pad_left) +
           field("pad_bottom", pad_bottom) + field("pad_right", pad_right) +
           (p.low == 0.0f ? "act=relu6" : "act=none");
  }
  std::string dilations() const {
    return ", dilation_h=" + std::to_string(p.dilation_h) +
           ", dilation_w=" + std::to_string(p.dilation_w);
  }
};

std::string constant(const char* name, const Shape& shape) {
  return "const %" + std::string(name) + " : " + type_of("float32", shape) + " = splat 0 ";
}

TEST(DspImage, convolutions_equal_the_interpreter_in_every_bit) {
  sweep(64, [](Rig& rig, Random& random) {
    Window w(random, random() % 3 == 0);
    w.p.groups = random() % 3 == 0 ? 2 : 1;
    const int64_t c = 2 * pick(random, 3);
    const int64_t of_a_register = int64_t{4} << random() % 4;  // channels, at some VLEN
    const int64_t k = random() % 3 == 0 ? of_a_register * w.p.groups : 2 * pick(random, 70);
    const Shape x = {pick(random, 2), 5 + pick(random, 4), 5 + pick(random, 4), c};
    const Shape y = {x[0], w.rows(x[1]), w.columns(x[2]), k};
    const Shape weights = {k, w.kh, w.kw, c / w.p.groups};
    const bool biased = random() % 2 != 0;
    const TensorValue values = floats(random, weights), bias = floats(random, {k});
    const Example e("graph \"t\" tflite { input %x : " + type_of("float32", x) + " " +
                        constant("w", weights) + (biased ? constant("b", {k}) : "") +
                        "%y = conv2d(%x, %w" + (biased ? ", %b" : "") + ") {" + w.text() +
                        w.dilations() + ", groups=" + std::to_string(w.p.groups) +
                        "} : " + type_of("float32", y) + " output %y }",
                    {floats(random, x)}, {{"w", values}, {"b", bias}});
    Operand of_w{values, {}}, in = e.operands()[0];
    if (random() % 2 != 0) {  // along k
      of_w.strides = {1, w.kw * weights[3] * k, weights[3] * k, k};
    }
    if (random() % 2 != 0) in.strides = loose(random, x);
    std::vector<Operand> operands = {in, of_w};
    if (biased) operands.push_back({bias, {}});
    return difference(rig.run("conv2d_f32", operands, e.results(), w.p), e.out);
  });
}

TEST(DspImage, fully_connected_equals_the_interpreter_in_every_bit) {
  sweep(32, [](Rig& rig, Random& random) {
    const int64_t rows = pick(random, 9), c = pick(random, 40), k = pick(random, 150);
    const TensorValue values = floats(random, {k, c}), bias = floats(random, {k});
    const Example e("graph \"t\" tflite { input %x : " + type_of("float32", {rows, c}) + " " +
                        constant("w", {k, c}) + constant("b", {k}) +
                        "%y = fully_connected(%x, %w, %b) {act=relu} : " +
                        type_of("float32", {rows, k}) + " output %y }",
                    {floats(random, {rows, c})}, {{"w", values}, {"b", bias}});
    Operand w{values, {}};
    if (random() % 2 != 0) w.strides = {1, k};
    const presil_dsp_window p{1, 1, 1, 1, 0, 0, 1, 0.0f, INFINITY};
    return difference(rig.run("conv2d_f32", {e.operands()[0], w, {bias, {}}}, e.results(), p),
                      e.out);
  });
}

TEST(DspImage, depthwise_convolutions_equal_the_interpreter_in_every_bit) {
  sweep(48, [](Rig& rig, Random& random) {
    const Window w(random, random() % 3 == 0);
    const int64_t c = pick(random, 90), times = random() % 3 == 0 ? 2 : 1;
    const Shape x = {1, 5 + pick(random, 4), 5 + pick(random, 4), c};
    const Shape y = {1, w.rows(x[1]), w.columns(x[2]), c * times};
    const Shape weights = {1, w.kh, w.kw, c * times};
    const TensorValue values = floats(random, weights), bias = floats(random, {c * times});
    const Example e("graph \"t\" tflite { input %x : " + type_of("float32", x) + " " +
                        constant("w", weights) + constant("b", {c * times}) +
                        "%y = depthwise_conv2d(%x, %w, %b) {" + w.text() + w.dilations() +
                        ", multiplier=" + std::to_string(times) + "} : " + type_of("float32", y) +
                        " output %y }",
                    {floats(random, x)}, {{"w", values}, {"b", bias}});
    auto in = e.operands(), out = e.results();
    if (random() % 2 != 0) in[0].strides = loose(random, x), out[0].strides = loose(random, y);
    return difference(rig.run("depthwise_conv2d_f32", {in[0], {values, {}}, {bias, {}}}, out, w.p),
                      e.out);
  });
}

TEST(DspImage, pooling_equals_the_interpreter_in_every_bit) {
  sweep(48, [](Rig& rig, Random& random) {
    const Window w(random, false);
    const bool average = random() % 2 != 0;
    const Shape x = {pick(random, 2), 5 + pick(random, 4), 5 + pick(random, 4), pick(random, 90)};
    const Shape y = {x[0], w.rows(x[1]), w.columns(x[2]), x[3]};
    const Example e("graph \"t\" tflite { input %x : " + type_of("float32", x) +
                        " %y = " + (average ? "average_pool2d" : "max_pool2d") + "(%x) {kernel_h=" +
                        std::to_string(w.kh) + ", kernel_w=" + std::to_string(w.kw) + ", " +
                        w.text() + "} : " + type_of("float32", y) + " output %y }",
                    {floats(random, x)});
    const presil_dsp_pool_f32 p{w.p, u32(w.kh), u32(w.kw), average ? 1u : 0u};
    return difference(rig.run("pool_f32", e.operands(), e.results(), p), e.out);
  });
}

TEST(DspTopK, equals_the_interpreter_at_every_vlen) {
  sweep(64, [](Rig& rig, Random& random) {
    static const std::pair<const char*, ir::DType> types[] = {
        {"int8", ir::DType::kInt8}, {"int16", ir::DType::kInt16}, {"float32", ir::DType::kFloat32}};
    const auto& [dtype, type] = types[random() % 3];
    const bool large = random() % 16 == 0;
    const int64_t n = large ? 4096 + pick(random, 3000) : pick(random, 300);
    const int64_t k = random() % 4 == 0 ? n : pick(random, std::min<int64_t>(n, 50));
    const Shape x = {pick(random, 3), n}, y = {x[0], k};
    const TensorValue values =
        type == ir::DType::kFloat32 ? floats(random, x) : random_bytes(random, x, type);
    const std::string q = type == ir::DType::kFloat32 ? "" : " q(1, 0)";
    const Example e("graph \"t\" tflite { input %x : " + type_of(dtype, x) + q +
                        " %y, %i = top_k(%x) : " + type_of(dtype, y) + q + ", " +
                        type_of("int32", y) + " output %y output %i }",
                    {values});
    auto in = e.operands(), out = e.results();
    if (random() % 2 != 0) in[0].strides = loose(random, x), out[1].strides = loose(random, y);
    return difference(rig.run("top_k", in, out, presil_dsp_top_k{}), e.out);
  });
}

}  // namespace
}  // namespace presil::dsp
