// Pooling on the DLA: 16 channels by up to 16 taps a step (rtl/dla/README.md).
#include "compiler_bridge/common/mean_scale.h"
#include "compiler_bridge/ir/shape.h"
#include "compiler_bridge/rules/image.h"
#include "compiler_bridge/rules/rule.h"
#include "rtl/dla/dla_command.h"

namespace presil::rules {
namespace {

const ir::Pool2d& pool(const Subject& s) {
  return s.op.as<ir::Pool2d>();
}

constexpr char kTwoSteps[] = "pool in two steps of smaller windows and strides";
constexpr char kMeanOfMeans[] = "take an average pool of equal windows first";
constexpr char kPadLess[] = "pad it less";

std::vector<Rule> window() {
  return {int8_values(),
          computed(),
          one_image(),
          within("kernel height", 1, dla::Command::kKernelHMax, kTwoSteps,
                 [](const Subject& s) { return pool(s).kernel_h; }),
          within("kernel width", 1, dla::Command::kKernelWMax, kTwoSteps,
                 [](const Subject& s) { return pool(s).kernel_w; }),
          within("padding at the top", 0, 31, kPadLess,
                 [](const Subject& s) { return pool(s).pad_top; }),
          within("padding on the left", 0, 31, kPadLess,
                 [](const Subject& s) { return pool(s).pad_left; }),
          channels()};
}

int64_t rows(const Subject& s) {
  return is_over_channels(s.graph, s.op) ? 1 : image_of(s.in(0))->h;
}
int64_t columns(const Subject& s) {
  return is_over_channels(s.graph, s.op) ? 1 : image_of(s.in(0))->w;
}

// The largest is one window as large as the image.
Rule over_rows_and_columns() {
  return {"over rows and columns",
          [](const Subject& s) -> std::optional<Finding> {
            const std::vector<int64_t>& axes = s.op.as<ir::Reduce>().axes;
            const auto rank = static_cast<int64_t>(s.in(0).shape.size());
            if (axes == std::vector<int64_t>{rank - 3, rank - 2}) return std::nullopt;
            return Finding{std::string(ir::to_string(s.op.kind)) + " over axes",
                           ir::to_string(axes) + " of " + ir::type_of(s.in(0)),
                           "over the two before the last"};
          },
          "transpose or reshape so that it is over rows and columns"};
}

// The mean is one window as large as the image, or a convolution by ones.
Rule over_the_image_or_its_channels() {
  return {"over rows and columns, or over the channels, of which it leaves one",
          [](const Subject& s) -> std::optional<Finding> {
            if (is_over_channels(s.graph, s.op)) return std::nullopt;
            std::optional<Finding> finding = over_rows_and_columns().finding(s);
            if (finding) finding->limit += ", or over the last that stays as an axis of 1";
            return finding;
          },
          "transpose or reshape so that it is over rows and columns, or keep the axis"};
}

// XNNPACK adds y's zero point before it rounds to even, the DLA after.
Rule rounds_as_defined() {
  return {"under xnnpack a scale that rounds alike before y's zero point is added",
          [](const Subject& s) -> std::optional<Finding> {
            if (s.graph.numerics != ir::Numerics::kXnnpack) return std::nullopt;
            const ir::Tensor &x = s.in(0), &y = s.out();
            const int64_t count = x.elements() / y.elements();
            if (common::scale_before_zero(s.op, x, y, count)) return std::nullopt;
            return Finding{"zero point of y", std::to_string(y.quantization.zero_point()),
                           "such that a scale near that of the mean rounds as it does"};
          },
          "quantise y with another scale"};
}

}  // namespace

std::vector<Entry> dla_pool_entries() {
  Entry average{ir::OpKind::kAveragePool2d, "int8", window()};
  average.rules.push_back(
      within("taps", 2, 4096, "take every so many pixels by a slice where a window has one",
             [](const Subject& s) { return int64_t{pool(s).kernel_h} * pool(s).kernel_w; }));
  // The lift by 128 a tap is the parameters' bias, one for the whole layer.
  average.rules.push_back(
      {"ties away from zero where it is padded",
       [](const Subject& s) -> std::optional<Finding> {
         const ir::Pool2d& p = pool(s);
         const bool padded = (p.pad_top | p.pad_left | p.pad_bottom | p.pad_right) != 0;
         if (!padded || !p.ties_up) return std::nullopt;
         return Finding{"rounding of ties", "up, with padding",
                        "away from zero, or without padding"};
       },
       "leave its padding out, or quantise the network to int8, whose ties go away from zero"});
  const auto mean_window = [](auto get) {
    return [get](const Subject& s) { return get(s.op.as<ir::MeanPool>()); };
  };
  using Mean = const ir::MeanPool&;
  Entry mean_pool{ir::OpKind::kMeanPool,
                  "int8",
                  {int8_values(), computed(), one_image(),
                   within("kernel height", 1, dla::Command::kKernelHMax, kTwoSteps,
                          mean_window([](Mean p) { return int64_t{p.kernel_h}; })),
                   within("kernel width", 1, dla::Command::kKernelWMax, kTwoSteps,
                          mean_window([](Mean p) { return int64_t{p.kernel_w}; })),
                   within("rows and columns of padding, whose windows have other numbers of values",
                          0, 0, kPadLess, mean_window([](Mean p) {
                            return int64_t{p.pad_top} + p.pad_left + p.pad_bottom + p.pad_right;
                          })),
                   channels()}};
  Entry max{ir::OpKind::kMaxPool2d, "int8", window()};
  const auto of_image = [](Rule over) -> std::vector<Rule> {
    return {int8_values(),
            computed(),
            one_image(),
            std::move(over),
            within("rows", 1, dla::Command::kKernelHMax, kMeanOfMeans, rows),
            within("columns", 1, dla::Command::kKernelWMax, kMeanOfMeans, columns),
            channels()};
  };
  const std::vector<Rule> whole = of_image(over_rows_and_columns());
  Entry mean{ir::OpKind::kMean, "int8", of_image(over_the_image_or_its_channels())};
  Entry sum{ir::OpKind::kSum, "int8", of_image(over_the_image_or_its_channels())};
  for (Entry* entry : {&mean, &sum}) entry->rules.push_back(rounds_as_defined());
  return {average, mean_pool, max, mean, sum, {ir::OpKind::kReduceMax, "int8", whole}};
}

}  // namespace presil::rules
