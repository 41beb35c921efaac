// What moves elements, and images of another size, against the reference interpreter, every byte.
#include <gtest/gtest.h>

#include <algorithm>

#include "driver/kernels/dsp/params.h"
#include "tests/dsp_kernels/dsp_sweep.h"

namespace presil::dsp {
namespace {

using Shape = std::vector<int64_t>;

int64_t pick(Random& random, int64_t most) {
  return 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(most));
}
std::string listed(const Shape& v) {
  std::string text = "[";
  for (size_t i = 0; i < v.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(v[i]);
  return text + "]";
}
struct Type {
  const char* name;
  ir::DType dtype;
};
Type random_type(Random& random) {
  static const Type types[] = {{"int8", ir::DType::kInt8}, {"float32", ir::DType::kFloat32}};
  return types[random() % 2];
}
std::string typed(const Type& type, const Shape& shape) {
  return type_of(type.name, shape) + (type.dtype == ir::DType::kInt8 ? " q(1, 0)" : "");
}
Shape random_shape(Random& random, size_t rank) {
  Shape shape;
  for (size_t i = 0; i < rank; ++i) shape.push_back(pick(random, i + 2 < rank ? 4 : 40));
  return shape;
}
/// The operator, with strides at random.
template <class Params>
std::string compare(Rig& rig, Random& random, const std::string& kernel, const Example& e,
                    const Params& p, bool dense = false) {
  auto in = e.operands(), out = e.results();
  if (!dense && random() % 2 != 0) {
    for (Operand& o : in) o.strides = loose(random, o.value.shape);
    out[0].strides = loose(random, out[0].value.shape);
  }
  const std::string wrong = difference(rig.run(kernel, in, out, p), e.out);
  return wrong.empty() ? wrong : kernel + ": " + wrong;
}
TensorValue of(Random& random, const Type& type, const Shape& shape) {
  return random_bytes(random, shape, type.dtype);
}

TEST(DspMoves, transposes_equal_the_interpreter) {
  sweep(48, [](Rig& rig, Random& random) {
    const Type type = random_type(random);
    const Shape x = random_shape(random, 2 + random() % 3);
    Shape perm, y;
    for (size_t i = 0; i < x.size(); ++i) perm.push_back(static_cast<int64_t>(i));
    std::shuffle(perm.begin(), perm.end(), random);
    presil_dsp_transpose p{};
    for (size_t i = 0; i < x.size(); ++i) {
      y.push_back(x[static_cast<size_t>(perm[i])]);
      p.perm[i] = static_cast<uint32_t>(perm[i]);
    }
    const Example e("graph \"t\" tflite { input %x : " + typed(type, x) +
                        " %y = transpose(%x) {perm=" + listed(perm) + "} : " + typed(type, y) +
                        " output %y }",
                    {of(random, type, x)});
    return compare(rig, random, "transpose", e, p);
  });
}

TEST(DspMoves, concatenations_and_pads_equal_the_interpreter) {
  sweep(48, [](Rig& rig, Random& random) {
    const Type type = random_type(random);
    const Shape x = random_shape(random, 3);
    if (random() % 2 != 0) {
      const size_t axis = random() % 3;
      Shape b = x, y = x;
      b[axis] = pick(random, 9), y[axis] += b[axis];
      const Example e("graph \"t\" tflite { input %a : " + typed(type, x) + " input %b : " +
                          typed(type, b) + " %y = concat(%a, %b) {axis=" + std::to_string(axis) +
                          "} : " + typed(type, y) + " output %y }",
                      {of(random, type, x), of(random, type, b)});
      return compare(rig, random, "concat", e, presil_dsp_concat{static_cast<uint32_t>(axis)});
    }
    Shape y = x, before, after;
    presil_dsp_pad p{};
    for (size_t i = 0; i < 3; ++i) {
      before.push_back(static_cast<int64_t>(random() % 3));
      after.push_back(static_cast<int64_t>(random() % 3));
      y[i] += before[i] + after[i];
      p.before[i] = static_cast<uint32_t>(before[i]);
    }
    p.value = -7;
    const Example e("graph \"t\" tflite { input %x : " + typed(type, x) +
                        " %y = pad(%x) {before=" + listed(before) + ", after=" + listed(after) +
                        ", value=-7} : " + typed(type, y) + " output %y }",
                    {of(random, type, x)});
    return compare(rig, random, "pad", e, p);
  });
}

TEST(DspMoves, slices_and_gathers_equal_the_interpreter) {
  sweep(48, [](Rig& rig, Random& random) {
    const Type type = random_type(random);
    const Shape x = random_shape(random, 3);
    if (random() % 2 != 0) {
      Shape y, begin, step;
      presil_dsp_strided_slice p{};
      for (size_t i = 0; i < 3; ++i) {
        const int64_t by = pick(random, std::min<int64_t>(3, x[i])),
                      first = static_cast<int64_t>(random() % x[i]);
        const int64_t n = pick(random, (x[i] - first + by - 1) / by);
        y.push_back(n), begin.push_back(first), step.push_back(by);
        p.begin[i] = static_cast<int32_t>(first), p.step[i] = static_cast<int32_t>(by);
      }
      const Example e("graph \"t\" tflite { input %x : " + typed(type, x) +
                          " %y = strided_slice(%x) {begin=" + listed(begin) +
                          ", size=" + listed(y) + ", step=" + listed(step) +
                          "} : " + typed(type, y) + " output %y }",
                      {of(random, type, x)});
      return compare(rig, random, "strided_slice", e, p);
    }
    const size_t axis = random() % 3;
    const int64_t picked = pick(random, 9);
    Shape y = x;
    y[axis] = picked;
    std::vector<int32_t> rows;
    for (int64_t i = 0; i < picked; ++i) rows.push_back(static_cast<int32_t>(random() % 50) - 5);
    const Example e("graph \"t\" tflite { input %x : " + typed(type, x) + " input %i : int32[" +
                        std::to_string(picked) + "] %y = gather(%x, %i) {axis=" +
                        std::to_string(axis) + "} : " + typed(type, y) + " output %y }",
                    {of(random, type, x), tensor_of(ir::DType::kInt32, {picked}, rows)});
    return compare(rig, random, "gather", e, presil_dsp_gather{static_cast<uint32_t>(axis), 0},
                   true);
  });
}

TEST(DspResize, both_kinds_equal_the_interpreter_under_both_rules) {
  sweep(64, [](Rig& rig, Random& random) {
    const bool tflite = random() % 2 != 0, bilinear = random() % 2 != 0;
    const uint64_t kind = random() % 3;  // neither, corners, half pixels
    const Shape x = {pick(random, 2), pick(random, 9), pick(random, 9), pick(random, 70)};
    Shape y = {x[0], pick(random, 20), pick(random, 20), x[3]};
    if (random() % 2 == 0) y[1] = x[1] << (1 + random() % 3);
    if (random() % 2 == 0) y[2] = x[2] << (1 + random() % 3);
    const std::string attributes = kind == 1   ? " {align_corners=true}"
                                   : kind == 2 ? " {half_pixel_centers=true}"
                                               : "";
    Type type = {"int8", ir::DType::kInt8};
    if (random() % 3 == 0) type = {"float32", ir::DType::kFloat32};
    if (!bilinear && random() % 3 == 0) type = {"int16", ir::DType::kInt16};
    const std::string op = bilinear ? "resize_bilinear" : "resize_nearest";
    const Example e(std::string("graph \"t\" ") + (tflite ? "tflite" : "xnnpack") +
                        " { input %x : " + typed(type, x) + " %y = " + op + "(%x)" + attributes +
                        " : " + typed(type, y) + " output %y }",
                    {of(random, type, x)});
    const presil_dsp_resize p{kind == 1, kind == 2, tflite ? 0u : 1u, {}};
    const bool floats = type.dtype == ir::DType::kFloat32;
    const char* between = floats ? "resize_bilinear_f32" : "resize_bilinear_i8";
    return compare(rig, random, bilinear ? between : "resize_nearest", e, p);
  });
}

// 60 columns of 300 channels are more than a line holds: parts, of columns and of channels.
TEST(DspResize, long_lines_in_parts_equal_the_interpreter) {
  for (const Shape& x : {Shape{1, 3, 30, 300}, Shape{1, 2, 2, 9000}}) {
    for (const Type& type :
         {Type{"int8", ir::DType::kInt8}, Type{"float32", ir::DType::kFloat32}}) {
      Random random(1);
      Rig rig;
      const Shape y = {1, 5, 2 * x[2], x[3]};
      const Example e("graph \"t\" tflite { input %x : " + typed(type, x) +
                          " %y = resize_bilinear(%x) {half_pixel_centers=true} : " +
                          typed(type, y) + " output %y }",
                      {of(random, type, x)});
      const bool floats = type.dtype == ir::DType::kFloat32;
      const auto in = e.operands(), out = e.results();
      EXPECT_EQ(difference(rig.run(floats ? "resize_bilinear_f32" : "resize_bilinear_i8", in, out,
                                   presil_dsp_resize{0, 1, 0, {}}),
                           e.out),
                "");
    }
  }
}

// Rounded steps lead past the last row or column, which the next image or row of x stands after.
TEST(DspResize, steps_over_a_thousand_pixels_equal_the_interpreter) {
  for (const bool across : {false, true}) {
    for (const bool corners : {false, true}) {
      Random random(1);
      Rig rig;
      const int64_t in = corners ? 1226 : 1464, out = corners ? 2227 : 3000;
      const Shape x = across ? Shape{2, 1, in, 2} : Shape{2, in, 1, 2};
      const Shape y = across ? Shape{2, 1, out, 2} : Shape{2, out, 1, 2};
      const Type type{"int8", ir::DType::kInt8};
      const Example e("graph \"t\" tflite { input %x : " + typed(type, x) +
                          " %y = resize_bilinear(%x) {" +
                          (corners ? "align_corners=true} : " : "half_pixel_centers=true} : ") +
                          typed(type, y) + " output %y }",
                      {of(random, type, x)});
      const auto got = rig.run("resize_bilinear_i8", e.operands(), e.results(),
                               presil_dsp_resize{corners, !corners, 0, {}});
      EXPECT_EQ(difference(got, e.out), "") << across << corners;
    }
  }
}

// Runs of 1 to 300 bytes, at multiples of 4 and not, across the limits of what is moved together.
TEST(DspMoves, runs_of_any_length_equal_the_interpreter) {
  for (const int64_t run :
       {1, 2, 4, 5, 7, 8, 9, 12, 16, 31, 32, 33, 36, 64, 127, 128, 129, 132, 256, 260, 300}) {
    Random random(static_cast<unsigned>(run));
    Rig rig;
    const Type type{"int8", ir::DType::kInt8};
    const Shape x = {3, 70, run}, y = {70, 3, run};
    const Example e("graph \"t\" tflite { input %x : " + typed(type, x) +
                        " %y = transpose(%x) {perm=[1, 0, 2]} : " + typed(type, y) + " output %y }",
                    {of(random, type, x)});
    presil_dsp_transpose p{};
    p.perm[0] = 1, p.perm[1] = 0, p.perm[2] = 2;
    EXPECT_EQ(difference(rig.run("transpose", e.operands(), e.results(), p), e.out), "") << run;
  }
}

}  // namespace
}  // namespace presil::dsp
