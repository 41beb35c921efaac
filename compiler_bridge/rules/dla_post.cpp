// What the DLA's post-processing computes: tables, element-wise operations, upsampling by 2. As ops
// of their own they are a pass over the tensor; the partition fuses them where it can.
#include <cmath>

#include "compiler_bridge/rules/image.h"
#include "compiler_bridge/rules/rule.h"

namespace presil::rules {
namespace {

constexpr char kQuantiseToInt8[] = "quantise the network to int8";

Rule operands() {
  return {
      "an operand that is computed and has y's shape, of a difference under tflite numerics the "
      "first, computed or not; the other of that shape, one pixel, or a constant",
      [](const Subject& s) -> std::optional<Finding> {
        if (may_stream(s.graph, s.op, 0) || may_stream(s.graph, s.op, 1)) return std::nullopt;
        const auto text = [&](size_t i) {
          return (s.in(i).is_constant() ? "constant " : "") + ir::type_of(s.in(i));
        };
        const bool sub = s.op.kind == ir::OpKind::kSub;
        return Finding{"pair of operands", text(0) + " and " + text(1),
                       std::string("one computed and of y's shape") +
                           (sub ? " (under tflite numerics the first)" : "") +
                           ", the other of that shape, one pixel, or a constant"};
      },
      "make the operands of one shape before it"};
}

Rule upsamples_by_2() {
  return {"rows and columns exactly doubled, corners not aligned",
          [](const Subject& s) -> std::optional<Finding> {
            if (doubles_image(s.graph, s.op)) return std::nullopt;
            const bool aligned = s.op.as<ir::Resize>().align_corners;
            return Finding{"y",
                           ir::type_of(s.out()) + " from " + ir::type_of(s.in(0)) +
                               (aligned ? " with aligned corners" : ""),
                           "of exactly twice the rows and columns, corners not aligned"};
          },
          "resize by two, as often as needed, without aligned corners"};
}

// A function of one int8 value is a table when it comes here.
Rule as_a_table() {
  return {"int8 values, as a table of 256",
          [](const Subject& s) -> std::optional<Finding> {
            return Finding{"x", ir::type_of(s.in(0)), "int8, which has a table"};
          },
          kQuantiseToInt8};
}

}  // namespace

std::vector<Entry> dla_post_entries() {
  const std::vector<Rule> sum = {int8_values(), one_image(), operands(), channels()};
  return {
      {ir::OpKind::kAdd, "int8", sum},
      {ir::OpKind::kSub, "int8", sum},
      {ir::OpKind::kMul, "int8", {int8_values(), one_image(), operands(), channels()}},
      {ir::OpKind::kLeakyRelu, "int8", {as_a_table()}},
      {ir::OpKind::kAbs, "int8", {as_a_table()}},
      {ir::OpKind::kLut, "int8, uint8", {computed(), one_image(), channels()}},
      {ir::OpKind::kResizeNearest,
       "int8",
       {int8_values(), computed(), one_image(), upsamples_by_2(), channels()}},
  };
}

}  // namespace presil::rules
