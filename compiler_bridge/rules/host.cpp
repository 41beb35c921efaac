// What the ARM computes with driver/kernels/host: every operator that presil defines, of every type
// that the graph has it for. Limits are those of the kernels; here are the operators that have
// others than that of axes.
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/rules/rule.h"
#include "driver/kernels/host/kernels.h"

namespace presil::rules {

Rule at_most_6_axes() {
  return within("axes", 0, PRESIL_KERNEL_MAX_RANK, "join axes by a reshape", [](const Subject& s) {
    size_t most = s.out().shape.size();
    for (size_t i = 0; i < s.op.inputs.size(); ++i) {
      if (s.op.inputs[i] != ir::kAbsent) most = std::max(most, s.in(i).shape.size());
    }
    return static_cast<int64_t>(most);
  });
}

namespace {

Rule inputs(int64_t most) {
  return within("inputs", 1, most, "join some of them first",
                [](const Subject& s) { return static_cast<int64_t>(s.op.inputs.size()); });
}

Rule not_a_table() {
  return {"no int8 values: of those it is a table",
          [](const Subject& s) -> std::optional<Finding> {
            if (s.in(0).dtype != ir::DType::kInt8) return std::nullopt;
            return Finding{"x", ir::type_of(s.in(0)), "of another type: of int8 it is a table"};
          },
          "leave it to the compiler, which makes the table"};
}

bool softmax_in_fixed_point(const Subject& s) {
  return s.in(0).dtype == ir::DType::kInt8 && ir::by_fixed_point(s.graph.numerics);
}

}  // namespace

// The integer softmax writes probabilities in steps of 1/256 from -128 on, whatever y's type says.
// Tensors of TOSA have no scales but 1.
Rule probabilities() {
  return {"of int8 y in steps of 1/256 (tosa: 1) from zero point -128",
          [](const Subject& s) -> std::optional<Finding> {
            if (s.out().dtype != ir::DType::kInt8) return std::nullopt;
            const ir::Quantization& q = s.out().quantization;
            const bool stored = s.graph.numerics == ir::Numerics::kTosa && q.scale() == 1.0f;
            if ((q.scale() == 1.0f / 256 || stored) && q.zero_point() == -128) return std::nullopt;
            return Finding{"y", ir::type_of(s.out()), "of q(1/256, -128)"};
          },
          "give y scale 1/256 and zero point -128"};
}

// Sums hold 4095 terms of at most 1; the scale of x is carried with a left shift.
Rule row_length() {
  return within("values in a row of int8 under tflite numerics", 1, 4095,
                "leave the softmax to the reader of the output", [](const Subject& s) {
                  const bool counts = softmax_in_fixed_point(s) && !s.in(0).shape.empty();
                  return counts ? s.in(0).shape.back() : 1;
                });
}
Rule steep_enough() {
  return {
      "of int8 under tflite numerics beta times the scale of x at least 2^-27",
      [](const Subject& s) -> std::optional<Finding> {
        if (!softmax_in_fixed_point(s)) return std::nullopt;
        const float steepness = s.op.as<ir::Softmax>().beta * s.in(0).quantization.scale();
        if (steepness >= 0x1p-27f) return std::nullopt;
        return Finding{"beta times the scale of x", std::to_string(steepness), "at least 2^-27"};
      },
      "quantise x with a larger scale"};
}

namespace {

// As many of at most 32767 add up to 31 bits.
Rule long_row() {
  return within("values in a row of int16", 1, 65535,
                "leave the softmax to the reader of the output", [](const Subject& s) {
                  const bool shorts = s.in(0).dtype == ir::DType::kInt16;
                  return shorts && !s.in(0).shape.empty() ? s.in(0).shape.back() : 1;
                });
}

// The difference of two int16 times the scale, in steps of 10/65535, is an int32.
Rule not_too_steep() {
  return {"of int16 beta times the scale of x below 1",
          [](const Subject& s) -> std::optional<Finding> {
            if (s.in(0).dtype != ir::DType::kInt16) return std::nullopt;
            const float steepness = s.op.as<ir::Softmax>().beta * s.in(0).quantization.scale();
            if (steepness < 1.0f) return std::nullopt;
            return Finding{"beta times the scale of x", std::to_string(steepness), "below 1"};
          },
          "quantise x with a smaller scale"};
}

// Results of int8 have one scale; the sum of squares is an int32.
Rule one_length() {
  return {"of int8 y in steps of 1/128 around 0, at most 32767 values in a row",
          [](const Subject& s) -> std::optional<Finding> {
            if (s.out().dtype != ir::DType::kInt8) return std::nullopt;
            const ir::Quantization& q = s.out().quantization;
            const bool steps = q.scale() == 1.0f / 128 && q.zero_point() == 0;
            if (steps && s.in(0).shape.back() <= 32767) return std::nullopt;
            return Finding{"y", ir::type_of(s.out()) + " of x " + ir::type_of(s.in(0)),
                           "of q(1/128, 0), at most 32767 values in a row"};
          },
          "give y scale 1/128 and zero point 0"};
}

static_assert(passes::kMostJoined == PRESIL_KERNEL_MAX_TENSORS - 2, "beside a table and y");

Rule block_axes() {
  return within("axes of a block", 1, passes::kMostBlockAxes, "go in two steps",
                [](const Subject& s) {
                  return static_cast<int64_t>(s.op.as<ir::BatchBlocks>().block.size());
                });
}

// It is one when it comes here (passes: lower_blocks).
Rule as_a_transpose() {
  return {"as a transpose",
          [](const Subject& s) -> std::optional<Finding> {
            return Finding{"operator", ir::to_string(s.op.kind), "a transpose by now"};
          },
          "write it as a transpose of its blocks"};
}

Rule anchors() {
  return within("anchors", 1, PRESIL_KERNEL_MAX_ANCHORS, "decode the anchors in several heads",
                [](const Subject& s) {
                  return static_cast<int64_t>(s.op.as<ir::YoloDecode>().anchors.size() / 2);
                });
}

}  // namespace

std::vector<Entry> host_entries() {
  using K = ir::OpKind;
  const Rule axes = at_most_6_axes();
  std::vector<Entry> entries = {
      {K::kConv2d, "", {}},
      {K::kDepthwiseConv2d, "", {}},
      {K::kTransposeConv2d,
       "int8, weights int8 per tensor or per channel, bias int32; float32",
       {}},
      {K::kLstm, "", {}},
      {K::kAveragePool2d, "", {}},
      {K::kMaxPool2d, "", {}},
      {K::kSoftmax,
       "",
       {axes, row_length(), long_row(), steep_enough(), not_too_steep(), probabilities()}},
      {K::kLogSoftmax, "", {axes, row_length()}},
      {K::kL2Normalize, "", {axes, one_length()}},
      {K::kConcat, "", {axes, inputs(passes::kMostJoined)}},
      {K::kInterleave, "", {inputs(PRESIL_KERNEL_MAX_TENSORS - 1)}},
      {K::kSpaceToDepth, "", {as_a_transpose()}},
      {K::kDepthToSpace, "", {as_a_transpose()}},
      {K::kSpaceToBatch, "", {block_axes(), as_a_transpose()}},
      {K::kBatchToSpace, "", {block_axes(), as_a_transpose()}},
      {K::kResizeNearest, "", {}},
      {K::kResizeBilinear, "", {}},
      {K::kYoloDecode, "", {anchors()}},
      {K::kNms, "", {inputs(PRESIL_KERNEL_MAX_TENSORS - 3)}},
      {K::kDetectionPostProcess, "", {}},
      {K::kBoxDecode, "", {}},
  };
  for (const K kind :
       {K::kRelu, K::kRelu6, K::kLeakyRelu, K::kHardSwish, K::kLogistic, K::kTanh, K::kElu, K::kExp,
        K::kLog, K::kSqrt, K::kRsqrt, K::kAbs, K::kNeg, K::kReluN1To1, K::kRelu0To1, K::kGelu}) {
    entries.push_back({kind, "", {axes, not_a_table()}});
  }
  const size_t limited = entries.size();
  for (const ir::OpInfo& info : ir::op_table()) {
    const auto is_this = [&](const Entry& entry) { return entry.kind == info.kind; };
    if (info.kind == K::kCustom || std::any_of(entries.begin(), entries.begin() + limited, is_this))
      continue;
    entries.push_back({info.kind, "", {axes}});
  }
  return entries;
}

}  // namespace presil::rules
