#include "compiler_bridge/partition/byte_product.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <utility>

#include "compiler_bridge/layer/dla_layer.h"
#include "compiler_bridge/layer/dsp_layer.h"
#include "compiler_bridge/partition/dsp_lowering.h"
#include "compiler_bridge/partition/host_layer.h"
#include "compiler_bridge/partition/host_parts.h"
#include "driver/kernels/dsp/params.h"
#include "driver/kernels/host/attributes.h"
#include "driver/kernels/host/kernels.h"

namespace presil::partition {
namespace {

using K = ir::OpKind;
using D = ir::DType;
using Blocks = layer::DspOperand::Blocks;
using Cut = layer::DspOperand::Cut;

// Numbers are those of the host's kernels.
static_assert(int{PRESIL_DSP_ASYMMETRIC} == int{PRESIL_HYBRID_ASYMMETRIC}, "an input");
static_assert(int{PRESIL_DSP_QD8} == int{PRESIL_HYBRID_QD8}, "an input");
static_assert(int{PRESIL_DSP_IN_FOURS} == int{PRESIL_HYBRID_IN_FOURS}, "an order");
static_assert(int{PRESIL_DSP_FUSED} == int{PRESIL_HYBRID_FUSED}, "an order");

constexpr int64_t kLanes = 16;

int64_t in_lanes(int64_t channels) {
  return (channels + kLanes - 1) / kLanes * kLanes;
}

/// The operator as a convolution; rows of a fully connected layer are rows of one pixel.
struct Window {
  int64_t h = 1, w = 1, c = 1;  ///< x
  int64_t out_h = 1, out_w = 1, out_c = 1;
  int64_t kernel_h = 1, kernel_w = 1;
  int64_t stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1;
  int64_t pad_top = 0, pad_left = 0;
  int64_t groups = 1;

  /// Each channel of y reads one channel of x.
  bool is_channelwise() const { return groups > 1 && groups == c; }
  /// Channels of the bytes and of the sums, of which blocks are full. Each channel of x has as many
  /// filters, those that are added too.
  int64_t byte_channels() const {
    int64_t channels = c;
    while (is_channelwise() && channels * (out_c / c) % kLanes != 0) ++channels;
    return channels;
  }
  int64_t sum_channels() const {
    return is_channelwise() ? byte_channels() * (out_c / c) : in_lanes(out_c);
  }
  /// Rows and columns that windows reach over, from the first margin on.
  int64_t rows() const { return (out_h - 1) * stride_h + (kernel_h - 1) * dilation_h + 1; }
  int64_t columns() const { return (out_w - 1) * stride_w + (kernel_w - 1) * dilation_w + 1; }
};

template <class Conv>
Window window_of(const Conv& conv, const ir::Tensor& x, const ir::Tensor& weights,
                 const ir::Tensor& y) {
  Window w;
  w.h = x.shape[1], w.w = x.shape[2], w.c = x.shape[3];
  w.out_h = y.shape[1], w.out_w = y.shape[2], w.out_c = y.shape[3];
  w.kernel_h = weights.shape[1], w.kernel_w = weights.shape[2];
  w.stride_h = conv.stride_h, w.stride_w = conv.stride_w;
  w.dilation_h = conv.dilation_h, w.dilation_w = conv.dilation_w;
  w.pad_top = conv.pad_top, w.pad_left = conv.pad_left;
  return w;
}

Window window_of(const ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor &x = graph.tensor(op.input(0)), &weights = graph.tensor(op.input(1));
  const ir::Tensor& y = graph.tensor(op.output());
  if (op.kind == K::kConv2d) {
    Window w = window_of(op.as<ir::Conv2d>(), x, weights, y);
    w.groups = op.as<ir::Conv2d>().groups;
    return w;
  }
  if (op.kind == K::kDepthwiseConv2d) {
    Window w = window_of(op.as<ir::DepthwiseConv2d>(), x, weights, y);
    w.groups = w.c;
    return w;
  }
  Window w;
  w.c = weights.shape[1], w.out_c = weights.shape[0];
  w.h = w.out_h = x.elements() / w.c;
  return w;
}

/// [channel of y][kernel h][kernel w][channel of a group], zeros for those that are added.
std::vector<int8_t> weights_of(const ir::Graph& graph, const ir::Op& op, const Window& w) {
  const ir::Tensor& weights = graph.tensor(op.input(1));
  const int8_t* from = weights.values<int8_t>();
  const int64_t taps = weights.elements() / w.out_c;
  std::vector<int8_t> all(static_cast<size_t>(w.sum_channels() * taps), 0);
  const bool by_channel = op.kind == K::kDepthwiseConv2d;  // [1][kernel h][kernel w][channel]
  for (int64_t k = 0; k < w.out_c; ++k) {
    for (int64_t tap = 0; tap < taps; ++tap) {
      const int64_t at = by_channel ? tap * w.out_c + k : k * taps + tap;
      all[static_cast<size_t>(k * taps + tap)] = from[at];
    }
  }
  return all;
}

std::vector<int32_t> sums_of(const std::vector<int8_t>& weights, int64_t channels) {
  const auto taps = static_cast<std::ptrdiff_t>(weights.size()) / channels;
  std::vector<int32_t> sums;
  for (auto from = weights.begin(); from != weights.end(); from += taps) {
    sums.push_back(std::accumulate(from, from + taps, 0));
  }
  return sums;
}

class Maker {
 public:
  Maker(ir::Graph& graph, const ir::Op& op)
      : m_graph(graph),
        m_op(op),
        m_name(graph.tensor(op.output()).name),
        m_window(window_of(graph, op)),
        m_weights(weights_of(graph, op, m_window)) {}

  ByteProduct run() {
    if (m_graph.tensor(m_op.input(0)).dtype == D::kInt16) {
      of_int16();
    } else {
      of_floats();
    }
    return std::move(m_product);
  }

 private:
  ir::TensorId add(const std::string& what, D dtype, std::vector<int64_t> shape) {
    ir::Tensor tensor;
    tensor.name = m_name + "/" + what;
    tensor.dtype = dtype;
    tensor.shape = std::move(shape);
    return m_graph.add(std::move(tensor));
  }

  layer::DspOperand rows_of(ir::TensorId tensor, std::vector<int64_t> shape) const {
    return in_rows(m_graph, tensor, std::move(shape));
  }

  void part(layer::DspLayer layer, const std::string& does) {
    m_product.parts.push_back({std::move(layer), does});
  }

  /// x as bytes; their zero point: what is outside of the image.
  layer::DlaLayer sums_of_bytes(ir::TensorId bytes, ir::TensorId sums, int64_t h, int64_t w) const {
    layer::DlaLayer layer;
    layer.op = dla::Op::kConv;
    layer.input = bytes, layer.output = sums;
    layer.sums = true;
    layer.in_h = static_cast<int>(h), layer.in_w = static_cast<int>(w);
    layer.in_c = static_cast<int>(m_window.byte_channels());
    layer.out_h = static_cast<int>(m_window.out_h), layer.out_w = static_cast<int>(m_window.out_w);
    layer.out_c = static_cast<int>(m_window.sum_channels());
    layer.kernel_h = static_cast<int>(m_window.kernel_h);
    layer.kernel_w = static_cast<int>(m_window.kernel_w);
    layer.stride_y = m_window.out_h == 1 ? 1 : static_cast<int>(m_window.stride_h);
    layer.stride_x = m_window.out_w == 1 ? 1 : static_cast<int>(m_window.stride_w);
    layer.dil_y = static_cast<int>(m_window.dilation_h);
    layer.dil_x = static_cast<int>(m_window.dilation_w);
    layer.groups =
        static_cast<int>(m_window.is_channelwise() ? m_window.byte_channels() : m_window.groups);
    layer.weights = m_weights;
    layer.rule = dla::Rule::kNone;
    const auto channels = static_cast<size_t>(m_window.sum_channels());
    layer.bias.assign(channels, 0), layer.multiplier.assign(channels, 0);
    layer.shift.assign(channels, 0);
    return layer;
  }

  ir::TensorId add_sums(const std::string& what) {
    constexpr int64_t kColumns = layer::DlaLayer::kColumnsOfSum;
    return add(what, D::kInt8,
               {1, m_window.out_h, kColumns * m_window.out_w, m_window.sum_channels()});
  }
  layer::DspOperand sums_operand(ir::TensorId sums) const {
    constexpr int64_t kColumns = layer::DlaLayer::kColumnsOfSum;
    layer::DspOperand operand = rows_of(sums, {kColumns * m_window.out_w, m_window.sum_channels()});
    operand.blocks = Blocks::kOwn;
    return operand;
  }

  // ---- floats

  void of_floats() {
    const layer::HostLayer host = host_layer(m_graph, m_op);
    presil_hybrid_attributes a{};
    std::memcpy(&a, host.attributes.data(), sizeof a);
    const Window& w = m_window;
    const bool by_row = m_op.kind == K::kFullyConnected || a.by_pixel != 0;
    const ir::TensorId x = m_op.input(0);

    const ir::TensorId ranges =
        add("ranges", D::kFloat32,
            by_row ? std::vector<int64_t>{w.h, w.w, 2} : std::vector<int64_t>{w.h, 2});
    layer::DspLayer range;
    range.kernel = "dynamic_range";
    range.rows = w.h;
    range.inputs = {
        rows_of(x, by_row ? std::vector<int64_t>{w.w, w.c} : std::vector<int64_t>{w.w * w.c})};
    range.outputs = {
        rows_of(ranges, by_row ? std::vector<int64_t>{w.w, 2} : std::vector<int64_t>{2})};
    range.params = bytes_of(presil_dsp_dynamic_range{by_row ? 0u : 1u});
    range.cost = {"dynamic_range", {by_row ? w.w : 1, by_row ? w.c : w.w * w.c, by_row ? 0 : 1}};
    part(range, "range");

    const ir::TensorId scales =
        add("scales", D::kFloat32,
            by_row ? std::vector<int64_t>{w.h, w.w, 4} : std::vector<int64_t>{1, 4});
    layer::DspLayer scale;
    scale.kernel = "dynamic_scale";
    if (by_row) {
      scale.rows = w.h;
      scale.inputs = {rows_of(ranges, {w.w, 2})}, scale.outputs = {rows_of(scales, {w.w, 4})};
    } else {
      scale.inputs = {whole(m_graph, ranges)}, scale.outputs = {whole(m_graph, scales)};
    }
    scale.params = bytes_of(presil_dsp_dynamic_scale{a.input});
    scale.cost = {"dynamic_scale", {by_row ? w.w : w.h, by_row ? w.w : 1, a.input}};
    part(scale, "scale");
    const auto scales_operand = [&](int64_t columns) {
      return by_row ? rows_of(scales, {columns, 4}) : whole(m_graph, scales);
    };

    const ir::TensorId bytes =
        add("bytes", D::kInt8, {1, w.rows(), w.columns(), w.byte_channels()});
    layer::DspLayer quantise;
    quantise.kernel = "dynamic_bytes";
    quantise.rows = w.rows();
    quantise.inputs = {rows_of(x, {w.w, w.c}), scales_operand(w.w)};
    quantise.outputs = {rows_of(bytes, {w.columns(), w.byte_channels()})};
    quantise.outputs.front().blocks = Blocks::kOwn;
    if (w.pad_top != 0 || w.rows() != w.h) {
      quantise.inputs.front().cut = Cut::kWindow;
      quantise.window = {1, 1, w.pad_top, w.h, offsetof(presil_dsp_dynamic_bytes, pad_top)};
    }
    quantise.params =
        bytes_of(presil_dsp_dynamic_bytes{a.input, 0, static_cast<int32_t>(w.pad_left)});
    quantise.cost = {"dynamic_bytes", {w.columns(), w.c, by_row ? 1 : 0, a.input}};
    part(quantise, "quantize");

    const ir::TensorId sums = add_sums("sums");
    m_product.sums = sums_of_bytes(bytes, sums, w.rows(), w.columns());

    layer::DspLayer result;
    result.kernel = "dynamic_result";
    result.rows = w.out_h;
    result.inputs = {sums_operand(sums), scales_operand(w.out_w),
                     whole(m_graph, float_terms(host))};
    result.outputs = {rows_of(m_op.output(), {w.out_w, w.out_c})};
    result.params = bytes_of(presil_dsp_dynamic_result{a.order, a.low, a.high});
    result.cost = {"dynamic_result", {w.out_w, w.out_c, by_row ? 1 : 0, a.order}};
    part(result, "dequantize");
  }

  /// Sum of a channel's weights, their scale, bias.
  ir::TensorId float_terms(const layer::HostLayer& host) {
    constexpr size_t kBias = 2, kScale = 3;
    const auto channels = static_cast<size_t>(m_window.sum_channels());
    std::vector<int32_t> terms = sums_of(m_weights, m_window.sum_channels());
    terms.resize(3 * channels, 0);
    const auto put = [&](size_t row, ir::TensorId from) {
      std::memcpy(terms.data() + row * channels, m_graph.tensor(from).data->data(),
                  m_graph.tensor(from).bytes());
    };
    put(1, host.inputs.at(kScale)), put(2, host.inputs.at(kBias));
    return add_constant(m_graph, m_name + "/terms", D::kInt32, {3, m_window.sum_channels()}, terms);
  }

  // ---- int16

  void of_int16() {
    const Window& w = m_window;
    const ir::TensorId x = m_op.input(0);
    const auto add_bytes = [&](const char* what) {
      return add(what, D::kInt8, {1, w.h, w.w, w.byte_channels()});
    };
    const ir::TensorId high = add_bytes("high"), low = add_bytes("low");
    layer::DspLayer cut;
    cut.kernel = "wide_bytes";
    cut.rows = w.h;
    cut.inputs = {rows_of(x, {w.w, w.c})};
    for (const ir::TensorId bytes : {high, low}) {
      cut.outputs.push_back(rows_of(bytes, {w.w, w.byte_channels()}));
      cut.outputs.back().blocks = Blocks::kOwn;
    }
    cut.cost = {"wide_bytes", {w.w, w.c}};
    part(cut, "bytes");

    const ir::TensorId of_high = add_sums("sums_high"), of_low = add_sums("sums_low");
    m_product.parts.push_back({padded_sums(high, of_high, 0), "high"});
    m_product.sums = padded_sums(low, of_low, -128);

    layer::DspLayer result;
    result.kernel = "wide_result";
    result.rows = w.out_h;
    presil_dsp_wide_result params{};
    result.inputs = {sums_operand(of_high), sums_operand(of_low),
                     whole(m_graph, wide_terms(host_layer(m_graph, m_op), params))};
    result.outputs = {rows_of(m_op.output(), {w.out_w, w.out_c})};
    result.params = bytes_of(params);
    result.cost = {"wide_result", {w.out_w, w.out_c, params.rule}};
    part(result, "requantize");
  }

  /// Of bytes with this zero point, which is also what is outside of the image.
  layer::DlaLayer padded_sums(ir::TensorId bytes, ir::TensorId sums, int32_t zero) const {
    layer::DlaLayer layer = sums_of_bytes(bytes, sums, m_window.h, m_window.w);
    layer.pad_top = static_cast<int>(m_window.pad_top);
    layer.pad_left = static_cast<int>(m_window.pad_left);
    layer.pad_value = zero;
    layer.bias = sums_of(m_weights, m_window.sum_channels());
    for (int32_t& bias : layer.bias) bias *= -zero;
    return layer;
  }

  /// Of the sums of int16 without the bias, whatever x is.
  bool are_sums_words() const {
    const auto taps = static_cast<std::ptrdiff_t>(m_weights.size()) / m_window.sum_channels();
    for (auto from = m_weights.begin(); from != m_weights.end(); from += taps) {
      const int64_t most =
          std::accumulate(from, from + taps, int64_t{0},
                          [](int64_t sum, int8_t w) { return sum + std::abs(int64_t{w}); });
      if (most * -int64_t{INT16_MIN} > INT32_MAX) return false;
    }
    return true;
  }

  ir::TensorId wide_terms(const layer::HostLayer& host, presil_dsp_wide_result& params) {
    constexpr size_t kBias = 2, kMultiplier = 3, kShift = 4;
    const auto channels = static_cast<size_t>(m_window.sum_channels());
    uint32_t rule = 0;
    if (m_op.kind == K::kFullyConnected) {
      presil_fully_connected_attributes a{};
      std::memcpy(&a, host.attributes.data(), sizeof a);
      rule = a.rule, params.act_min = a.act_min, params.act_max = a.act_max;
    } else {
      presil_conv_attributes a{};
      std::memcpy(&a, host.attributes.data(), sizeof a);
      rule = a.rule, params.act_min = a.act_min, params.act_max = a.act_max;
    }
    params.rule = rule == PRESIL_RULE_ONCE        ? PRESIL_DSP_WIDE_ONCE
                  : rule == PRESIL_RULE_DOUBLE_UP ? PRESIL_DSP_WIDE_DOUBLE_UP
                  : rule == PRESIL_RULE_DOUBLE    ? PRESIL_DSP_WIDE_DOUBLE
                  : are_sums_words()              ? PRESIL_DSP_WIDE_WITHIN_WORDS
                                                  : PRESIL_DSP_WIDE;
    std::vector<int32_t> terms(4 * channels, 0);
    const auto values = [&](size_t input) -> const ir::Tensor& {
      return m_graph.tensor(host.inputs.at(input));
    };
    for (size_t k = 0; k < static_cast<size_t>(m_window.out_c); ++k) {
      const int64_t bias = values(kBias).values<int64_t>()[k];
      const int32_t multiplier = values(kMultiplier).values<int32_t>()[k];
      const int shift = values(kShift).values<int8_t>()[k];
      const auto put = [&](int32_t a, int64_t b, int64_t c, int64_t d) {
        const auto word = [](int64_t v) { return static_cast<int32_t>(static_cast<uint64_t>(v)); };
        terms[k] = a, terms[channels + k] = word(b);
        terms[2 * channels + k] = word(c), terms[3 * channels + k] = word(d);
      };
      if (params.rule <= PRESIL_DSP_WIDE_WITHIN_WORDS) {
        const int64_t m =
            std::clamp<int64_t>((int64_t{multiplier} + (1 << 15)) / (1 << 16), 0, INT16_MAX);
        const int n = 15 - std::clamp(shift, -31, 14);
        const uint64_t added =
            static_cast<uint64_t>(bias) * static_cast<uint64_t>(m) + (uint64_t{1} << (n - 1));
        put(static_cast<int32_t>(m), static_cast<int64_t>(added), static_cast<int64_t>(added >> 32),
            n);
      } else if (params.rule == PRESIL_DSP_WIDE_DOUBLE) {
        put(multiplier, bias, std::clamp(shift, 0, 30), std::clamp(-shift, 0, 31));
      } else {
        const int most = params.rule == PRESIL_DSP_WIDE_ONCE ? 14 : 30;
        put(multiplier, bias, bias >> 32, std::clamp(shift, -31, most));
      }
    }
    return add_constant(m_graph, m_name + "/terms", D::kInt32, {4, m_window.sum_channels()}, terms);
  }

  ir::Graph& m_graph;
  const ir::Op m_op;  ///< a copy: the graph grows
  const std::string m_name;
  const Window m_window;
  const std::vector<int8_t> m_weights;
  ByteProduct m_product;
};

}  // namespace

ByteProduct byte_product(ir::Graph& graph, const ir::Op& op) {
  return Maker(graph, op).run();
}

}  // namespace presil::partition
