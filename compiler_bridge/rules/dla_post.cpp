// What the DLA's post-processing computes: tables, element-wise operations, doubling. As ops of
// their own they are a pass over the tensor; the partition fuses them where it can.
#include <cmath>

#include "compiler_bridge/rules/image.h"
#include "compiler_bridge/rules/rule.h"

namespace presil::rules {
namespace {

Rule equal_shapes() {
  return {"operands of equal shape", [](const Subject& s) -> std::string {
            const auto a = image_of(s.in(0)), b = image_of(s.in(1)), y = image_of(s.out());
            if (a && b && y && *a == *b && *a == *y) return "";
            return "operands are " + ir::type_of(s.in(0)) + " and " + ir::type_of(s.in(1)) +
                   ", want equal shapes";
          }};
}

Rule doubles() {
  return {"rows and columns exactly doubled, corners not aligned",
          [](const Subject& s) -> std::string {
            if (doubles_image(s.graph, s.op)) return "";
            return "resize makes " + ir::type_of(s.out()) + " from " + ir::type_of(s.in(0)) +
                   (s.op.as<ir::Resize>().align_corners ? " with aligned corners" : "") +
                   ", wants exactly twice the rows and columns, corners not aligned";
          }};
}

}  // namespace

Rule int8_values() {
  return {"int8 values", [](const Subject& s) -> std::string {
            if (s.in(0).dtype == ir::DType::kInt8) return "";
            return "x is " + ir::type_of(s.in(0)) + ", wants int8";
          }};
}

Rule computed(size_t operands) {
  return {operands == 1 ? "x computed by the graph" : "operands computed by the graph",
          [operands](const Subject& s) -> std::string {
            for (size_t i = 0; i < operands; ++i) {
              if (s.in(i).is_constant()) {
                return (operands == 1 ? "" : "operand ") + ir::info(s.op.kind).inputs[i] +
                       " is a constant, wants a computed tensor";
              }
            }
            return "";
          }};
}

// Under xnnpack the larger ratio is brought to 21 bits by a shift of at most 31.
Rule ratio_fits_xnnpack() {
  return {"under xnnpack numerics the larger operand's scale is 2^-10 to below 2^8 of y's",
          [](const Subject& s) -> std::string {
            if (s.graph.numerics != ir::Numerics::kXnnpack) return "";
            const float a = s.in(0).quantization.scale(), b = s.in(1).quantization.scale();
            const float ratio = std::max(a, b) / s.out().quantization.scale();
            if (ratio >= 0x1p-10f && ratio < 0x1p8f) return "";
            return "the larger operand's scale is " + std::to_string(ratio) +
                   " of y's, wants 2^-10 to below 2^8";
          }};
}

std::vector<Entry> dla_post_entries() {
  const std::vector<Rule> sum = {one_image(), equal_shapes(), computed(2), ratio_fits_xnnpack(),
                                 channels()};
  return {
      {ir::OpKind::kAdd, "int8", sum},
      {ir::OpKind::kSub, "int8", sum},
      {ir::OpKind::kMul, "int8", {one_image(), equal_shapes(), computed(2), channels()}},
      {ir::OpKind::kLut, "int8", {computed(1), one_image(), channels()}},
      {ir::OpKind::kResizeNearest,
       "int8",
       {int8_values(), computed(1), one_image(), doubles(), channels()}},
  };
}

}  // namespace presil::rules
