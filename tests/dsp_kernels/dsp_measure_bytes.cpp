// Values that are cut into bytes for the DLA, and what its sums become.
#include "driver/kernels/dsp/cost.h"
#include "driver/kernels/dsp/params.h"
#include "tests/dsp_kernels/dsp_measure.h"

namespace presil::dsp {
namespace {

using Shape = std::vector<int64_t>;

struct Pixels {
  int64_t h, w, c;
  uint64_t pixels() const { return static_cast<uint64_t>(h * w); }
  uint64_t channels() const { return static_cast<uint64_t>(c); }
  uint64_t elements() const { return pixels() * channels(); }
  int64_t blocks() const { return (c + 15) / 16; }
  Shape shape() const { return {h, w, c}; }
  Shape in_blocks(int64_t columns = 1) const { return {1, blocks(), h, columns * w, 16}; }
  std::string text() const {
    return std::to_string(h) + " x " + std::to_string(w) + " x " + std::to_string(c);
  }
};

Operand empty(ir::DType dtype, const Shape& shape) {
  return {{dtype, shape, {}}, {}};
}
Operand zeros(ir::DType dtype, const Shape& shape) {
  int64_t n = 1;
  for (const int64_t extent : shape) n *= extent;
  return {tensor_of<int32_t>(dtype, shape, std::vector<int32_t>(static_cast<size_t>(n), 1)), {}};
}

Operand sums(const Pixels& image) {
  Random random(2);
  return {random_bytes(random, image.in_blocks(4)), {}};
}

Measured range(const Pixels& image, bool together) {
  Rig rig;
  Random random(1);
  const Shape rows = {image.h * image.w, image.c};
  const TensorValue x = random_floats(random, rows, -9, 9);
  const Ran ran = rig.run("dynamic_range", {{x, {}}}, {empty(ir::DType::kFloat32, {rows[0], 2})},
                          presil_dsp_dynamic_range{together ? 1u : 0u});
  return {"dynamic_range",
          image.text() + (together ? "" : ", of each pixel"),
          "element",
          image.elements(),
          cycles_of(ran),
          0.25,
          presil_dsp_cycles_dynamic_range(image.pixels(), image.channels(), together),
          false};
}

Measured scale(int64_t ranges, int64_t scales, uint32_t input, const char* what) {
  Rig rig;
  Random random(1);
  const TensorValue x = random_floats(random, {ranges, 2}, -9, 9);
  const Ran ran = rig.run("dynamic_scale", {{x, {}}}, {empty(ir::DType::kFloat32, {scales, 4})},
                          presil_dsp_dynamic_scale{input});
  const auto from = static_cast<uint64_t>(ranges), to = static_cast<uint64_t>(scales);
  return {"dynamic_scale",
          what,
          "range",
          from,
          cycles_of(ran),
          0,
          presil_dsp_cycles_dynamic_scale(from, to, input),
          false};
}

Measured bytes(const Pixels& image, bool blocks, uint32_t input, bool by_pixel, const char* what) {
  Rig rig;
  Random random(1);
  const TensorValue x = random_floats(random, image.shape(), -9, 9);
  const Shape sets = {by_pixel ? image.h * image.w : 1, 4};
  const Operand y = empty(ir::DType::kInt8, blocks ? image.in_blocks() : image.shape());
  const Ran ran = rig.run("dynamic_bytes", {{x, {}}, zeros(ir::DType::kFloat32, sets)}, {y},
                          presil_dsp_dynamic_bytes{input, 0, 0});
  return {"dynamic_bytes",
          image.text() + ", " + what,
          "element",
          image.elements(),
          cycles_of(ran),
          input == PRESIL_DSP_QD8 ? 0.58 : 0.85,
          presil_dsp_cycles_dynamic_bytes(image.pixels(), image.channels(), by_pixel, input),
          false};
}

Measured result(const Pixels& image, uint32_t order, bool by_pixel, const char* what) {
  Rig rig;
  const Shape sets = {by_pixel ? image.h * image.w : 1, 4};
  const Ran ran =
      rig.run("dynamic_result",
              {sums(image), zeros(ir::DType::kFloat32, sets),
               zeros(ir::DType::kInt32, {3, 16 * image.blocks()})},
              {empty(ir::DType::kFloat32, image.shape())}, presil_dsp_dynamic_result{order, 0, 6});
  return {"dynamic_result",
          image.text() + ", " + what,
          "element",
          image.elements(),
          cycles_of(ran),
          1.1,
          presil_dsp_cycles_dynamic_result(image.pixels(), image.channels(), by_pixel, order),
          false};
}

Measured wide_bytes(const Pixels& image) {
  Rig rig;
  const Operand x = {
      tensor_of<int16_t>(ir::DType::kInt16, image.shape(),
                         std::vector<int16_t>(static_cast<size_t>(image.elements()), 7)),
      {}};
  const Operand y = empty(ir::DType::kInt8, image.in_blocks());
  const Ran ran = rig.run("wide_bytes", {x}, {y, y}, 0);
  return {"wide_bytes",
          image.text(),
          "element",
          image.elements(),
          cycles_of(ran),
          0.25,
          presil_dsp_cycles_wide_bytes(image.pixels(), image.channels()),
          false};
}

Measured wide_result(const Pixels& image, uint32_t rule, const char* what) {
  Rig rig;
  const Ran ran = rig.run(
      "wide_result", {sums(image), sums(image), zeros(ir::DType::kInt32, {4, 16 * image.blocks()})},
      {empty(ir::DType::kInt16, image.shape())}, presil_dsp_wide_result{rule, -32768, 32767});
  return {"wide_result",
          image.text() + ", " + what,
          "element",
          image.elements(),
          cycles_of(ran),
          rule == PRESIL_DSP_WIDE ? 2.6 : 2.1,
          presil_dsp_cycles_wide_result(image.pixels(), image.channels(), rule),
          false};
}

}  // namespace

std::vector<Measured> measure_bytes() {
  const Pixels small{25, 5, 64}, flat{16, 16, 16}, deep{8, 8, 200};
  return {range(small, true),
          range({24, 24, 64}, true),
          range(small, false),
          range({16, 16, 16}, false),
          range({8, 8, 200}, false),
          scale(25, 1, PRESIL_DSP_ASYMMETRIC, "25 to one, asymmetric"),
          scale(125, 125, PRESIL_DSP_QD8, "125, qd8"),
          bytes(small, true, PRESIL_DSP_ASYMMETRIC, false, "to blocks"),
          bytes(small, false, PRESIL_DSP_ASYMMETRIC, false, "dense"),
          bytes(flat, true, PRESIL_DSP_QD8, false, "qd8, to blocks"),
          bytes(small, true, PRESIL_DSP_QD8, true, "qd8 of each pixel, to blocks"),
          bytes(deep, true, PRESIL_DSP_SYMMETRIC, false, "to blocks"),
          result(small, PRESIL_DSP_BOTH_SCALES, false, "both scales"),
          result(small, PRESIL_DSP_FUSED, true, "fused, of each pixel"),
          result(flat, PRESIL_DSP_IN_FOURS, false, "in fours"),
          result(deep, PRESIL_DSP_BOTH_SCALES, false, "both scales"),
          wide_bytes(small),
          wide_bytes(deep),
          wide_result(small, PRESIL_DSP_WIDE_WITHIN_WORDS, "within words"),
          wide_result(deep, PRESIL_DSP_WIDE_WITHIN_WORDS, "within words"),
          wide_result(small, PRESIL_DSP_WIDE, "64 bits"),
          wide_result({1, 1, 64}, PRESIL_DSP_WIDE_ONCE, "one by one")};
}

}  // namespace presil::dsp
