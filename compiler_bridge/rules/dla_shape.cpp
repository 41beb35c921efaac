// What only places values: concatenation and interleaving of pixels, which cost nothing where the
// inputs are written in place, and padding around an image, a pass over it.
#include "compiler_bridge/ir/shape.h"
#include "compiler_bridge/rules/image.h"
#include "compiler_bridge/rules/rule.h"
#include "rtl/dla/dla_command.h"

namespace presil::rules {
namespace {

Rule joins() {
  return {"along the channels, or after axes of 1 only; without an activation",
          [](const Subject& s) -> std::optional<Finding> {
            const ir::Concat& concat = s.op.as<ir::Concat>();
            const auto rank = static_cast<int>(s.out().shape.size());
            if (concat.axis != rank - 1 && !stacks(s.graph, s.op)) {
              return Finding{"axis of concat",
                             std::to_string(concat.axis) + " of " + ir::type_of(s.out()),
                             "the last, or have only axes of 1 before it"};
            }
            if (concat.act != ir::Activation::kNone) {
              return Finding{"activation of concat", ir::to_string(concat.act), "none"};
            }
            return std::nullopt;
          },
          "join along the last axis, or after axes of 1 only, and apply its activation after it"};
}

Rule computed_int8() {
  return {"int8 inputs computed by the graph",
          [](const Subject& s) -> std::optional<Finding> {
            for (const ir::TensorId id : s.op.inputs) {
              const ir::Tensor& x = s.graph.tensor(id);
              if (x.dtype != ir::DType::kInt8 || x.is_constant()) {
                return Finding{"an input",
                               std::string(x.is_constant() ? "a constant " : "") + ir::type_of(x),
                               "computed int8"};
              }
            }
            return std::nullopt;
          },
          "quantise the network to int8, and join nothing that is constant"};
}

/// A stack takes no more of its parts than that each is an image: it may be one of images.
Rule images() {
  Rule rule = one_image();
  rule.finding = [whole = rule.finding](const Subject& s) -> std::optional<Finding> {
    if (!stacks(s.graph, s.op)) return whole(s);
    ir::Op parts = s.op;
    parts.outputs.clear();
    return whole({s.graph, parts, s.dla, s.dsp});
  };
  return rule;
}

constexpr int64_t kMostChannels = int64_t{dla::Command::kInBlocksMax} * 16;
constexpr char kPadTwice[] = "pad in several steps";
constexpr int64_t kMostWordsApart = 255;  // out_x_step has 12 bits

// Of the axis before the last, or the one before that.
int64_t widest(const Subject& s, const std::vector<int64_t>& amounts) {
  const size_t rank = s.in(0).shape.size();
  return std::max(rank >= 2 ? amounts[rank - 2] : 0, rank >= 3 ? amounts[rank - 3] : 0);
}

Rule around_the_image() {
  return {"rows and columns only",
          [](const Subject& s) -> std::optional<Finding> {
            const ir::Pad& pad = s.op.as<ir::Pad>();
            const size_t rank = s.in(0).shape.size();
            for (size_t i = 0; i < rank; ++i) {
              const bool inner = i + 2 == rank || i + 3 == rank;
              if (!inner && pad.before[i] + pad.after[i] != 0) {
                return Finding{"a padded axis", std::to_string(i) + " of " + ir::type_of(s.in(0)),
                               "that of rows or columns"};
              }
            }
            return std::nullopt;
          },
          "transpose so that the padded axes are rows and columns"};
}

// Rows become output channels, columns pixels that pick theirs.
Rule swaps_rows_and_columns() {
  return {"swaps rows and columns of matrices of at most 16368 x 16368",
          [](const Subject& s) -> std::optional<Finding> {
            const auto matrices = matrices_of(s.graph, s.op);
            if (!matrices) {
              return Finding{
                  "order of axes",
                  ir::to_string(s.op.as<ir::Transpose>().perm) + " of " + ir::type_of(s.in(0)),
                  "a swap of two neighbouring groups, the last axis in one"};
            }
            const int64_t most = std::max(matrices->rows, matrices->columns);
            if (most <= kMostChannels) return std::nullopt;
            return Finding{
                "size of matrices",
                std::to_string(matrices->rows) + " x " + std::to_string(matrices->columns),
                "at most " + std::to_string(kMostChannels) + " rows and columns"};
          },
          "transpose in steps that each swap two neighbouring groups of axes"};
}

}  // namespace

std::vector<Entry> dla_shape_entries() {
  return {{ir::OpKind::kTranspose, "int8", {int8_values(), computed(), swaps_rows_and_columns()}},
          {ir::OpKind::kConcat, "int8", {joins(), computed_int8(), images(), channels()}},
          {ir::OpKind::kInterleave,
           "int8",
           {computed_int8(), one_image(),
            within("column stride", 1, kMostWordsApart, "interleave in two steps",
                   [](const Subject& s) { return s.op.as<ir::Interleave>().stride_w; }),
            channels()}},
          {ir::OpKind::kPad,
           "int8",
           {int8_values(), computed(), one_image(), around_the_image(),
            within("padding before", 0, 31, kPadTwice,
                   [](const Subject& s) { return widest(s, s.op.as<ir::Pad>().before); }),
            within("padding after", 0, 31, kPadTwice,
                   [](const Subject& s) { return widest(s, s.op.as<ir::Pad>().after); }),
            channels()}}};
}

}  // namespace presil::rules
