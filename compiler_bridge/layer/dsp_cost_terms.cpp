#include "compiler_bridge/layer/dsp_cost_terms.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "compiler_bridge/layer/dsp_cost_family.h"
#include "driver/kernels/dsp/cost.h"

namespace presil::layer {
namespace {

/// Arguments of a function for so many rows, on a DSP.
struct Call {
  const std::string& function;
  const std::vector<int64_t>& values;
  double rows;
  unsigned vlen;

  double at(size_t i) const { return static_cast<double>(values.at(i)); }
  /// Of `n` elements as many vectors as hold `per_512` of them each, at VLEN 512.
  double vectors(double n, double per_512) const {
    const auto most = static_cast<uint64_t>(per_512 * vlen / 512), all = static_cast<uint64_t>(n);
    return static_cast<double>((all + most - 1) / most);
  }
  DspTerms of(std::vector<double> terms, const char* way = "") const {
    terms.insert(terms.begin(), 1);
    return {function + way, std::move(terms)};
  }
};

constexpr double kFloats =
    32;  // of a vector, where most of a function is computed: registers by two

/// [runs, run] of a row; no runs: all rows are one stretch. A third one: of a row that is repeated.
DspTerms elements(const Call& c) {
  const double runs = c.at(0) == 0 ? 1 : c.rows * c.at(0);
  const double run = c.at(0) == 0 ? c.rows * c.at(1) : c.at(1);
  return c.of({runs, runs * c.vectors(run, kFloats), runs * run},
              c.values.size() > 2 ? "/row" : "");
}

/// [whether one operand is an element for each run, runs, run] of a row
DspTerms shared(const Call& c) {
  const double runs = c.rows * c.at(1);
  return c.at(0) != 0 ? c.of({runs, runs * c.at(2)}, "/column") : c.of({runs * c.at(2)}, "/row");
}

/// [length] of a row, each by itself
DspTerms alone(const Call& c) {
  return c.of({c.rows, c.rows * c.vectors(c.at(0), kFloats), c.rows * c.at(0)});
}

/// [length] of a row, as many side by side as a vector and the workspace hold (softmax_rows.h)
template <int few, int length>
DspTerms side_by_side(const Call& c) {
  constexpr double kPairs = 512, kRoomful = 21504, kLanes = 64, kManyWords = 1536;
  constexpr unsigned kVlen = 512;
  const double depth = c.at(0);
  if (depth == 2 && c.rows >= kPairs) return c.of({c.rows}, "/pairs");
  if (c.rows < few || depth >= length) return c.of({c.rows, c.rows * depth}, "/alone");
  const double fit = static_cast<double>(static_cast<uint64_t>(kRoomful / depth));
  const double parts = std::max(c.vectors(c.rows, kLanes), c.vectors(c.rows, fit * 512 / c.vlen));
  const bool gathers = c.vlen == kVlen && depth > 2 && c.rows * depth >= kManyWords;
  return c.of({parts, parts * depth, c.rows * depth}, gathers ? "/gathers" : "");
}

/// [length] of a row: at VLEN 512 sums side by side, results row by row (softmax_i8.cpp)
DspTerms softmax_i8(const Call& c) {
  constexpr unsigned kVlen = 512;
  constexpr double kFew = 8, kMany = 32, kApart = 128, kLong = 384, kMostApart = 1024, kRows = 64;
  const double depth = c.at(0), blocks = std::ceil(c.rows / kRows);
  if (c.vlen != kVlen || depth < kApart || depth > kMostApart ||
      c.rows < (depth < kLong ? kFew : kMany)) {
    return side_by_side<8, 384>(c);
  }
  return c.of({blocks, blocks * depth, c.rows, c.rows * depth}, "/apart");
}

/// [pixels of an image, columns, bytes of a pixel, rows of pixels that are alike, rows of an image]
DspTerms resize_nearest(const Call& c) {
  constexpr double kLanes = 256;
  const double images = c.rows / c.at(4), pixels = images * c.at(0), lines = pixels / c.at(1),
               own = pixels / c.at(3);
  return c.of({c.at(1), images, lines / c.at(3), lines - lines / c.at(3),
               own * c.vectors(c.at(2), kLanes), own * c.at(2), (pixels - own) * c.at(2)});
}

/// [pixels of an image, columns, channels, pixels of rows of x as wide as those of y, rows of an
/// image]
DspTerms resize_bilinear(const Call& c) {
  constexpr double kLanes = 64;
  const double images = c.rows / c.at(4), pixels = images * c.at(0), wide = images * c.at(3);
  return c.of({c.at(1), pixels / c.at(1), wide * c.vectors(c.at(2), kLanes), wide * c.at(2),
               pixels * c.at(2)});
}

/// The same, lines by phases: rows of y and of x, values of both
DspTerms resize_phases(const Call& c) {
  const double images = c.rows / c.at(4), pixels = images * c.at(0), wide = images * c.at(3);
  return c.of({pixels / c.at(1), wide / c.at(1), wide * c.at(2), pixels * c.at(2)});
}

/// [steps of all batches, inputs, units]: lanes are the units of the four gates
DspTerms lstm(const Call& c) {
  constexpr double kLanes = 128, kGates = 4;
  const double steps = c.at(0), inputs = c.at(1) + c.at(2), lanes = kGates * c.at(2);
  const double vectors = steps * c.vectors(lanes, kLanes);
  return c.of({steps, vectors, vectors * inputs, steps * lanes, steps * lanes * inputs});
}

/// [pixels, taps and rows of an image, channels]
template <int lanes>
DspTerms per_channel(const Call& c) {
  const double images = c.rows / c.at(2), vectors = c.vectors(c.at(3), lanes);
  return c.of({vectors * c.rows, vectors * images * c.at(0), vectors * images * c.at(1),
               images * c.at(3) * c.at(0), images * c.at(3) * c.at(1)});
}

/// [pixels, taps and rows of an image, channels, groups, depth, whether weights are dense]
DspTerms conv2d(const Call& c) {
  constexpr double kLanes = 64, kPixels = 32, kEight = 8;
  const double images = c.rows / c.at(2), pixels = images * c.at(0), taps = images * c.at(1);
  const double groups = c.at(4), filters = c.at(3) / groups, depth = c.at(5);
  const double lots = c.vectors(filters, kLanes) * groups;
  const double apart = c.at(6) != 0 ? 0 : c.at(3) * depth * taps / pixels;  // laid out first
  const double columns = pixels / c.rows, length = std::max(columns, c.rows);
  const double lanes = std::min(filters, kLanes * c.vlen / 512);
  const double laid = lanes < kEight ? kEight * depth * taps / pixels : apart;
  const auto of_lanes = static_cast<double>((static_cast<uint64_t>(lanes) + 7) / 8);
  if (lanes <= PRESIL_DSP_LINE_MOST && length > PRESIL_DSP_LINE_SHORTEST * of_lanes) {
    const double eights = lots * of_lanes;
    const double lines = eights * std::min(columns, c.rows) * c.vectors(length, kPixels);
    return c.of(
        {lots * c.rows, lines, lines * depth * taps / pixels, eights * kEight * taps * depth, laid},
        "/lines");
  }
  return c.of({lots * c.rows, lots * pixels, lots * taps, lots * taps * depth,
               c.at(3) * taps * depth, pixels == 1 ? apart : laid},
              pixels == 1      ? "/one"
              : taps == pixels ? "/rows"
                               : "");
}

/// [of each axis: its extent, whether it goes]
template <int lanes>
DspTerms reduced(const Call& c) {
  const ReducedAxes axes = reduced_axes({static_cast<uint64_t>(c.rows), c.values});
  const auto terms = static_cast<double>(axes.terms), results = static_cast<double>(axes.results),
             last = static_cast<double>(axes.last);
  if (!axes.dense && axes.gone == 1 && axes.few()) {
    return c.of({results, results * terms}, "/row");
  }
  const double outer = results / last, lots = outer * c.vectors(last, lanes);
  if (axes.dense) {
    return c.of({outer, lots, outer * terms, lots * terms, results, results * terms}, "/dense");
  }
  return c.of({lots, lots * terms, results * terms}, "/apart");
}

using Terms = DspTerms (*)(const Call&);

const std::map<std::string, Terms>& functions() {
  static const std::map<std::string, Terms> all = [] {
    std::map<std::string, Terms> by_name = {
        {"softmax_i8", softmax_i8},
        {"softmax_table_i8", side_by_side<6, 3585>},
        {"softmax_f32", alone},
        {"layer_norm_f32", alone},
        {"resize_nearest", resize_nearest},
        {"resize_bilinear_i8_tflite", resize_bilinear},
        {"resize_bilinear_i8_xnnpack", resize_bilinear},
        {"resize_bilinear_i8_tflite_short", resize_bilinear},
        {"resize_bilinear_i8_xnnpack_short", resize_bilinear},
        {"resize_bilinear_i8_tflite_phases", resize_phases},
        {"resize_bilinear_i8_xnnpack_phases", resize_phases},
        {"resize_bilinear_f32", resize_bilinear},
        {"lstm_i8", lstm},
        {"conv2d_f32", conv2d},
        {"depthwise_conv2d_f32", per_channel<64>},
        {"max_pool_f32", per_channel<64>},
        {"average_pool_f32", per_channel<64>},
        {"depthwise_conv2d_i8", per_channel<64>},
        {"reduce_most_f32", reduced<128>},
        {"reduce_sum_f32", reduced<128>},
        {"reduce_sum_i8", reduced<64>},
        {"reduce_most_i8", reduced<64>},
        {"reduce", reduced<64>},
        {"arg_i8", reduced<64>},
        {"arg", reduced<64>},
        {"arg_f32", reduced<64>},
    };
    for (const char* pair : {"add_i8_tflite", "add_i8_xnnpack", "mul_i8_tflite", "mul_i8_xnnpack",
                             "squared_difference_i8", "prelu_i8"}) {
      by_name.emplace(pair, elements);
      by_name.emplace(std::string(pair) + "_shared", shared);
    }
    for (const char* name :
         {"table_i8",       "larger_i8",        "quantise_tflite", "quantise_xnnpack",
          "dequantise",     "requantise",       "cast_whole",      "cast_words",
          "cast_floats",    "cast_truth",       "clamp_f32",       "exp_f32",
          "logistic_f32",   "tanh_f32",         "gelu_f32",        "log_f32",
          "leaky_relu_f32", "hard_swish_f32",   "elu_f32",         "sqrt_f32",
          "rsqrt_f32",      "square_f32",       "round_f32",       "pair_f32",
          "prelu_f32",      "pair_f32_clamped", "pair_f32_div",    "pair_f32_div_clamped",
          "pow_f32",        "pow_f32_whole"}) {
      by_name.emplace(name, elements);
    }
    return by_name;
  }();
  return all;
}

}  // namespace

DspTerms terms_of(const DspCost& cost, int64_t rows, unsigned vlen) {
  const auto found = functions().find(cost.function);
  const Call call{cost.function, cost.arguments, static_cast<double>(rows), vlen};
  if (found != functions().end()) return found->second(call);
  const uint64_t cycles = cycles_of(cost, rows);
  return call.of(
      {static_cast<double>(cycles - std::min<uint64_t>(cycles, PRESIL_DSP_CYCLES_ENTRY))});
}

}  // namespace presil::layer
