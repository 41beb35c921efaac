// Convolutions, depthwise ones and fully connected layers on the DLA. Ranges are those of the
// command word (rtl/dla/dla.rdl) and of the rules in rtl/dla/README.md. Padding is less than a
// kernel's extent in every graph (ir::verify).
#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/rules/image.h"
#include "compiler_bridge/rules/rule.h"
#include "compiler_bridge/rules/rules.h"
#include "rtl/dla/dla_command.h"

namespace presil::rules {
namespace {

int64_t kernel_h(const Subject& s) {
  return s.in(1).shape.at(1);
}
int64_t kernel_w(const Subject& s) {
  return s.in(1).shape.at(2);
}

constexpr char kSplitKernel[] = "split the kernel into smaller ones and add their results";
constexpr char kSmallerDilation[] =
    "split the kernel into its rows or columns and add their results";
constexpr char kPadBefore[] = "widen the image by a pad of its own before it";

// Bytes, or what the DSP cuts into bytes.
Rule bytes() {
  return {"int8 values, or, beside constant int8 weights on a SoC with a DSP, float32 or int16",
          [](const Subject& s) -> std::optional<Finding> {
            if (s.dsp.units != 0 && is_byte_product(s.graph, s.op)) return std::nullopt;
            return int8_values().finding(s);
          },
          int8_values().remedy};
}

// Sums of bytes are whole blocks of 16 channels: those that are added are of the one group, or of
// groups of their own.
Rule full_blocks() {
  return {"of float32 and int16 one group, a group for each channel, or channels of y by 16",
          [](const Subject& s) -> std::optional<Finding> {
            const int64_t groups = s.op.as<ir::Conv2d>().groups, channels = s.out().shape.back();
            const bool whole = groups == 1 || groups == s.in(0).shape.back() || channels % 16 == 0;
            if (whole || !is_byte_product(s.graph, s.op)) return std::nullopt;
            return Finding{"channels of y in groups", std::to_string(channels), "a multiple of 16"};
          },
          "fill the groups up to 16 channels, or cut x into parts"};
}

// Each is a pixel.
Rule values_of_a_row() {
  return within("values of a row of float32 or int16", 0, int64_t{dla::Command::kInBlocksMax} * 16,
                "cut the product into parts and add them", [](const Subject& s) {
                  return is_byte_product(s.graph, s.op) ? s.in(1).shape.at(1) : int64_t{0};
                });
}

// Each is a row of an image.
Rule rows_of_an_image() {
  return within("rows of float32 or int16", 0, dla::Command::kOutHMax, "cut x into parts",
                [](const Subject& s) {
                  if (!is_byte_product(s.graph, s.op)) return int64_t{0};
                  return s.in(0).elements() / s.in(1).shape.at(1);
                });
}

// The limits of a window, which Conv2d and DepthwiseConv2d describe in the same words. Outputs
// that are farther apart than a command's stride are tiles of their own (../plan/tiling.h).
template <class Attributes>
std::vector<Rule> window() {
  using A = const Attributes&;
  const auto of = [](auto value) {
    return [value](const Subject& s) -> int64_t { return value(s, s.op.as<Attributes>()); };
  };
  return {bytes(),
          computed(),
          one_image(),
          within("kernel height", 1, 16, kSplitKernel, kernel_h),
          within("kernel width", 1, 16, kSplitKernel, kernel_w),
          within("row dilation", 1, 31, kSmallerDilation,
                 of([](const Subject&, A a) { return a.dilation_h; })),
          within("column dilation", 1, 31, kSmallerDilation,
                 of([](const Subject&, A a) { return a.dilation_w; })),
          within("padding at the top", 0, 31, kPadBefore,
                 of([](const Subject&, A a) { return a.pad_top; })),
          within("padding on the left", 0, 31, kPadBefore,
                 of([](const Subject&, A a) { return a.pad_left; })),
          channels()};
}

// Up to that passes split it into convolutions, whose limits are theirs, and an interleave.
Rule few_phases() {
  return within("row stride times column stride", 1, passes::kMostPhases,
                "go in two steps of smaller strides", [](const Subject& s) {
                  const auto& a = s.op.as<ir::TransposeConv2d>();
                  return int64_t{a.stride_h} * a.stride_w;
                });
}

Rule xnnpack_takes_it() {
  return {"under xnnpack a kernel of the stride or more where padding is SAME",
          [](const Subject& s) -> std::optional<Finding> {
            if (common::product_rule(s.graph, s.op) != common::ProductRule::kDoubleUp)
              return std::nullopt;
            return Finding{"a kernel of less than the stride",
                           "padded SAME, and xnnpack numerics round its halves up",
                           "of the stride or more, or padded VALID"};
          },
          "pad it VALID, or choose tflite numerics"};
}

Rule flattens_at_most_16x16() {
  return {"flattens an image of at most 16 x 16 pixels, or takes every pixel by itself",
          [](const Subject& s) -> std::optional<Finding> {
            if (is_byte_product(s.graph, s.op)) return std::nullopt;  // rows as they lie
            const auto view = dense_view(s.graph, s.op, s.in(0));
            const bool pixels = view && view->kernel_h == 1 && view->kernel_w == 1;
            const std::string got =
                ir::type_of(s.in(0)) + " as rows of " + std::to_string(s.in(1).shape.at(1));
            if (!s.in(1).is_constant() && !pixels) {
              return Finding{"x", got, "one row a pixel where the weights are computed"};
            }
            if (view) return std::nullopt;
            return Finding{"x", got, "one image of at most 16 x 16 pixels, or one row a pixel"};
          },
          "make the image smaller before it is flattened, or reduce it by a mean"};
}

Rule halves_away_from_zero() {
  return {"under xnnpack constant weights",
          [](const Subject& s) -> std::optional<Finding> {
            if (is_byte_product(s.graph, s.op) ||
                common::product_rule(s.graph, s.op) != common::ProductRule::kDoubleUp)
              return std::nullopt;
            return Finding{"weights", "computed, and xnnpack numerics round their halves up",
                           "constant"};
          },
          "multiply by a batch_matmul, or choose tflite numerics"};
}

// Each matrix of y is a row of an image.
Rule as_many_matrices() {
  return {"a has as many matrices as y, b as many or one",
          [](const Subject& s) -> std::optional<Finding> {
            const int64_t a = image_of(s.in(0))->h, y = image_of(s.out())->h;
            const auto b = image_of(s.in(1));
            if (a == y && b && (b->h == 1 || b->h == y)) return std::nullopt;
            return Finding{"a", ir::type_of(s.in(0)) + " and b " + ir::type_of(s.in(1)),
                           "of as many matrices as y, and b of as many or one"};
          },
          "repeat the matrices before, so that there is one for each of y's"};
}

// Each of them is a number of channels somewhere: of a, of b or of a transpose.
Rule rows_and_columns() {
  return within("rows and columns of the matrices", 1, int64_t{dla::Command::kInBlocksMax} * 16,
                "cut the matrices and add or join the parts", [](const Subject& s) {
                  int64_t most = 0;
                  for (const ir::Tensor* t : {&s.in(0), &s.in(1)}) {
                    most = std::max({most, t->shape.back(), t->shape[t->shape.size() - 2]});
                  }
                  return most;
                });
}

std::vector<Rule> conv2d_rules() {
  std::vector<Rule> rules = window<ir::Conv2d>();
  rules.push_back(full_blocks());
  return rules;
}

}  // namespace

std::vector<Entry> dla_conv_entries() {
  const std::string types = "int8, weights int8 per tensor or per channel, bias int32";
  const std::vector<std::string> kernels = {"dynamic_range",  "dynamic_scale", "dynamic_bytes",
                                            "dynamic_result", "wide_bytes",    "wide_result"};
  const std::string wider = types + "; float32 or int16 beside int8 weights";
  return {
      {ir::OpKind::kConv2d, wider, conv2d_rules(), kernels},
      {ir::OpKind::kDepthwiseConv2d, wider, window<ir::DepthwiseConv2d>(), kernels},
      {ir::OpKind::kTransposeConv2d, types, {int8_values(), few_phases(), xnnpack_takes_it()}},
      {ir::OpKind::kFullyConnected,
       wider,
       {bytes(), computed(), rows_of_an_image(), values_of_a_row(), flattens_at_most_16x16(),
        halves_away_from_zero(), channels()},
       kernels},
      {ir::OpKind::kBatchMatmul,
       "int8",
       {int8_values(), computed(), one_image(), as_many_matrices(), rows_and_columns()}},
  };
}

}  // namespace presil::rules
