// Floats of images and matrices on the vector DSP; of integers they are the DLA's, but for
// depthwise convolutions beyond its window.
#include <algorithm>

#include "compiler_bridge/rules/rule.h"

namespace presil::rules {
namespace {

using K = ir::OpKind;
using D = ir::DType;

// Of integers what the DLA requires is what to say.
Rule of_float(const std::string& what, size_t input) {
  Rule rule = of_types(what, {D::kFloat32},
                       [input](const Subject& s) -> const ir::Tensor& { return s.in(input); });
  rule.about_kind = true;
  return rule;
}

// Of int8 one filter a channel: what the DLA's window is too small for.
Rule one_filter_a_channel_or_floats() {
  Rule rule = {
      "float32, or int8 with one constant filter a channel, its zero point 0",
      [](const Subject& s) -> std::optional<Finding> {
        const ir::Tensor &x = s.in(0), &w = s.in(1);
        if (x.dtype == D::kFloat32 && w.dtype == D::kFloat32) return std::nullopt;
        const bool bytes = x.dtype == D::kInt8 && w.dtype == D::kInt8 && s.out().dtype == D::kInt8;
        const auto& zeros = w.quantization.zero_points;
        const bool centred =
            std::all_of(zeros.begin(), zeros.end(), [](int32_t zero) { return zero == 0; });
        if (bytes && w.is_constant() && centred && s.op.as<ir::DepthwiseConv2d>().multiplier == 1) {
          return std::nullopt;
        }
        return Finding{"x and weights", ir::type_of(x) + " and " + ir::type_of(w),
                       "float32, or int8 with one constant filter a channel"};
      },
      "quantise weights around 0, and give each channel one filter"};
  rule.about_kind = true;
  return rule;
}

// A command has one matrix of each; one for all is read again.
Rule matrices() {
  const auto count = [](const ir::Tensor& t) {
    return t.elements() / (t.shape.back() * t.shape[t.shape.size() - 2]);
  };
  return {"as many matrices in a and b as in y, or one",
          [count](const Subject& s) -> std::optional<Finding> {
            const int64_t all = count(s.out());
            for (const size_t i : {size_t{0}, size_t{1}}) {
              const int64_t own = count(s.in(i));
              if (own == all || own == 1) continue;
              return Finding{std::string("matrices in ") + (i == 0 ? "a" : "b"),
                             std::to_string(own),
                             "as many as in y, " + std::to_string(all) + ", or 1"};
            }
            return std::nullopt;
          },
          "repeat them (tile)"};
}

}  // namespace

std::vector<Entry> dsp_window_entries() {
  const std::vector<Rule> weighted = {of_float("x", 0), of_float("weights", 1)};
  return {
      {K::kConv2d, "float32", weighted, {"conv2d_f32"}},
      {K::kDepthwiseConv2d,
       "int8, float32",
       {one_filter_a_channel_or_floats()},
       {"depthwise_conv2d_i8", "depthwise_conv2d_f32"}},
      {K::kFullyConnected, "float32", weighted, {"conv2d_f32"}},
      {K::kBatchMatmul,
       "float32",
       {of_float("a", 0), of_float("b", 1), matrices()},
       {"conv2d_f32"}},
      {K::kAveragePool2d, "float32", {of_float("x", 0)}, {"pool_f32"}},
      {K::kMaxPool2d, "float32", {of_float("x", 0)}, {"pool_f32"}},
  };
}

}  // namespace presil::rules
