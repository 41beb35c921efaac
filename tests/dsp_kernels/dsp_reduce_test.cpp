// Many elements to one against the reference interpreter, every bit.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "compiler_bridge/reference/fixed_point.h"
#include "driver/kernels/dsp/params.h"
#include "tests/dsp_kernels/dsp_sweep.h"

namespace presil::dsp {
namespace {

using Shape = std::vector<int64_t>;

int64_t pick(Random& random, int64_t most) {
  return 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(most));
}
int32_t bits_of(float x) {
  int32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", x);
  return text;
}

/// x, some axes of it, and y with them as extents of 1.
struct Case {
  Shape x, y, axes;
  std::string list;
  explicit Case(Random& random) {
    static const Shape shapes[] = {{3, 5, 7},      {2, 6, 6, 40}, {1, 7, 7, 300},  {9, 700},
                                   {40, 21},       {1, 33, 65},   {2, 3, 4, 5, 6}, {4, 1, 130},
                                   {1, 20, 20, 3}, {1100},        {2, 1, 1100}};
    x = shapes[random() % 11];
    std::set<int64_t> chosen;
    const auto rank = static_cast<int64_t>(x.size());
    for (int64_t i = pick(random, rank); i > 0; --i) chosen.insert(pick(random, rank) - 1);
    if (random() % 3 == 0) chosen = {rank - 1};
    if (random() % 3 == 0 && rank == 4) chosen = {1, 2};
    y = x;
    for (const int64_t axis : chosen) {
      y[static_cast<size_t>(axis)] = 1;
      axes.push_back(axis);
      list += (list.empty() ? "" : ", ") + std::to_string(axis);
    }
  }
  int64_t terms() const {
    int64_t n = 1;
    for (const int64_t axis : axes) n *= x[static_cast<size_t>(axis)];
    return n;
  }
};

Ran run(Rig& rig, Random& random, const char* kernel, const Example& e, const void* params,
        size_t bytes) {
  Operand in{e.in[0], {}}, out{e.out[0], {}};
  if (random() % 2 != 0) {
    in.strides = loose(random, e.in[0].shape), out.strides = loose(random, e.out[0].shape);
  }
  return rig.run(kernel, {in}, {out}, params, bytes);
}

presil_dsp_reduce scaled(const Example& e, bool tflite, bool mean, int64_t terms) {
  const auto &qx = e.input(0).quantization, &qy = e.output().quantization;
  presil_dsp_reduce p{PRESIL_DSP_REDUCE_SCALED, tflite ? 0u : 1u, 0, 0,
                      qx.zero_point(),          qy.zero_point()};
  if (!tflite) {
    const float divisor = mean ? qy.scale() * static_cast<float>(terms) : qy.scale();
    p.multiplier = bits_of(qx.scale() / divisor);
    return p;
  }
  reference::Scale s = reference::to_scale(static_cast<double>(qx.scale()) / qy.scale());
  int k = 0;
  while (mean && terms >> (k + 1) != 0) ++k;
  k = std::min({k, 32, 31 + s.shift});
  p.multiplier =
      mean ? static_cast<int32_t>(s.multiplier * (int64_t{1} << k) / terms) : s.multiplier;
  p.shift = s.shift - k;
  return p;
}

TEST(DspReduce, means_and_sums_of_integers_equal_the_interpreter) {
  sweep(160, [](Rig& rig, Random& random) {
    const Case c(random);
    const bool mean = random() % 2 != 0, wide = random() % 4 == 0;
    const bool tflite = wide || random() % 2 != 0;
    const std::string dtype = wide ? "int16" : "int8";
    const auto zero = [&] {
      return std::to_string(wide ? 0 : static_cast<int32_t>(random() % 256) - 128);
    };
    const double grow = mean ? 1 : static_cast<double>(c.terms());
    const double scale = 0.003 * static_cast<double>(pick(random, 30));
    const Example e(std::string("graph \"t\" ") + (tflite ? "tflite" : "xnnpack") +
                        " { input %x : " + type_of(dtype, c.x) + " q(" + number(scale) + ", " +
                        zero() + ") %y = " + (mean ? "mean" : "sum") + "(%x) {axes=[" + c.list +
                        "], keep_dims=true} : " + type_of(dtype, c.y) + " q(" +
                        number(scale * grow * (0.05 + 0.1 * static_cast<double>(pick(random, 9)))) +
                        ", " + zero() + ") output %y }",
                    {random_bytes(random, c.x, wide ? ir::DType::kInt16 : ir::DType::kInt8)});
    const presil_dsp_reduce p = scaled(e, tflite, mean, c.terms());
    return difference(run(rig, random, "reduce", e, &p, sizeof p), e.out);
  });
}

TEST(DspReduce, stored_integers_equal_the_interpreter) {
  sweep(96, [](Rig& rig, Random& random) {
    const Case c(random);
    static const char* names[] = {"sum", "reduce_max", "reduce_min"};
    static const std::pair<const char*, ir::DType> types[] = {
        {"int8", ir::DType::kInt8}, {"int16", ir::DType::kInt16}, {"int32", ir::DType::kInt32}};
    const auto function = static_cast<uint32_t>(random() % 3);
    const auto& [dtype, type] = types[function == 0 ? 2 : random() % 3];
    const std::string q = type == ir::DType::kInt32 ? "" : " q(0.5, 0)";
    const Example e("graph \"t\" tflite { input %x : " + type_of(dtype, c.x) + q +
                        " %y = " + names[function] + "(%x) {axes=[" + c.list +
                        "], keep_dims=true} : " + type_of(dtype, c.y) + q + " output %y }",
                    {random_bytes(random, c.x, type)});
    const presil_dsp_reduce p{function, 0, 0, 0, 0, 0};
    return difference(run(rig, random, "reduce", e, &p, sizeof p), e.out);
  });
}

/// Some of them no numbers, infinite, zeros of both signs, or alike.
TensorValue floats(Random& random, const Shape& shape) {
  TensorValue t = random_floats(random, shape, -9, 9);
  auto* v = reinterpret_cast<float*>(t.data.data());
  const bool strange = random() % 2 != 0;
  for (size_t i = 0; i < t.data.size() / 4; ++i) {
    const float odd[] = {NAN, INFINITY, -INFINITY, -0.0f, 0.0f, 8.5f};
    if (strange && random() % 6 == 0) v[i] = odd[random() % 6];
    if (random() % 4 == 0) v[i] = std::floor(v[i]);
  }
  return t;
}

TEST(DspReduce, floats_equal_the_interpreter_in_every_bit) {
  sweep(128, [](Rig& rig, Random& random) {
    const Case c(random);
    static const char* names[] = {"sum", "reduce_max", "reduce_min", "mean"};
    const presil_dsp_reduce_f32 p{static_cast<uint32_t>(random() % 4)};
    const Example e("graph \"t\" tflite { input %x : " + type_of("float32", c.x) +
                        " %y = " + names[p.function] + "(%x) {axes=[" + c.list +
                        "], keep_dims=true} : " + type_of("float32", c.y) + " output %y }",
                    {floats(random, c.x)});
    return difference(run(rig, random, "reduce_f32", e, &p, sizeof p), e.out);
  });
}

TEST(DspArg, equals_the_interpreter_at_every_vlen) {
  sweep(160, [](Rig& rig, Random& random) {
    const Case c(random);
    const size_t axis = static_cast<size_t>(c.axes.back());
    static const std::pair<const char*, ir::DType> types[] = {{"int8", ir::DType::kInt8},
                                                              {"int16", ir::DType::kInt16},
                                                              {"int32", ir::DType::kInt32},
                                                              {"float32", ir::DType::kFloat32}};
    const auto& [dtype, type] = types[random() % 4];
    const bool floating = type == ir::DType::kFloat32, small = type == ir::DType::kInt8;
    TensorValue x = floating ? floats(random, c.x) : random_bytes(random, c.x, type);
    if (random() % 2 != 0 && small) {
      for (auto& byte : x.data) byte = static_cast<uint8_t>(byte % 7);
    }
    const presil_dsp_arg p{static_cast<uint32_t>(axis), static_cast<uint32_t>(random() % 2)};
    Shape shape = c.x, flat;
    for (size_t i = 0; i < c.x.size(); ++i) {
      if (i != axis) flat.push_back(c.x[i]);
    }
    shape[axis] = 1;
    const std::string wide = random() % 2 != 0 ? "int64" : "int32";
    const std::string q = small || type == ir::DType::kInt16 ? " q(0.5, 0)" : "";
    const Example e("graph \"t\" tflite { input %x : " + type_of(dtype, c.x) + q +
                        " %y = " + (p.smallest != 0 ? "arg_min" : "arg_max") + "(%x) {axis=" +
                        std::to_string(axis) + "} : " + type_of(wide, flat) + " output %y }",
                    {x});
    Operand in{x, {}}, out{e.out[0], {}};
    out.value.shape = shape;
    if (random() % 2 != 0) in.strides = loose(random, c.x), out.strides = loose(random, shape);
    return difference(rig.run("arg", {in}, {out}, p), e.out);
  });
}

}  // namespace
}  // namespace presil::dsp
