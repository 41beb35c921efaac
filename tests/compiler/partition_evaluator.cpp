#include "tests/compiler/partition_evaluator.h"

#include <cmath>
#include <cstring>
#include <stdexcept>

#include "compiler_bridge/layer/dla_layer.h"
#include "compiler_bridge/layer/dma_layer.h"
#include "compiler_bridge/layer/host_layer.h"
#include "compiler_bridge/layer/in_place_layer.h"
#include "driver/kernels/host/kernels.h"

namespace presil::partition {
namespace {

int64_t saturate(int64_t v, int64_t low, int64_t high) {
  return v < low ? low : v > high ? high : v;
}
int64_t saturate32(int64_t v) {
  return saturate(v, INT32_MIN, INT32_MAX);
}

// Rule 0: saturating rounding doubling high multiply, then rounding divide by a power of two.
int64_t double_rounding(int64_t x, int64_t m, int s) {
  const auto left = static_cast<int32_t>(static_cast<uint32_t>(x) << (s > 0 ? s : 0));
  const int64_t p = left * m;
  int64_t h = (p + (p >= 0 ? (1ll << 30) : 1 - (1ll << 30))) / (1ll << 31);
  if (left == INT32_MIN && m == INT32_MIN) h = INT32_MAX;
  const int right = s < 0 ? -s : 0;
  const int64_t remainder = h & ((1ll << right) - 1);
  const int64_t threshold = (((1ll << right) - 1) >> 1) + (h < 0 ? 1 : 0);
  return (h >> right) + (remainder > threshold ? 1 : 0);
}

int64_t float_requantise(int32_t x, int32_t bits) {
  float scale;
  std::memcpy(&scale, &bits, sizeof scale);
  const double product = static_cast<float>(x) * scale;
  return saturate32(static_cast<int64_t>(std::nearbyint(product)));
}

// Rule 3 as hardware has it: multiply by floor(2^32 / n) + 1, keep the high word.
int64_t rule_divide(int64_t x, uint32_t recip, uint32_t n) {
  const auto magnitude = static_cast<uint64_t>(x < 0 ? -x : x);
  const auto quotient = static_cast<int64_t>(((magnitude + n / 2) * recip) >> 32);
  return x < 0 ? -quotient : quotient;
}

int64_t element_wise(const layer::ElementWise& e, int64_t a, int64_t b) {
  int64_t v = 0;
  const bool tflite = e.rule == dla::EwRule::kTflite;
  if (e.op == dla::EwOp::kMul) {
    const int64_t p = (a - e.a_zero) * (b - e.b_zero);
    v = tflite ? double_rounding(p, e.out_mult, e.out_shift)
               : float_requantise(static_cast<int32_t>(p), e.out_mult);
  } else if (tflite) {
    const int64_t l = int64_t{1} << e.left_shift;
    const int64_t sa = double_rounding((a - e.a_zero) * l, e.a_mult, e.a_shift);
    const int64_t sb = double_rounding((b - e.b_zero) * l, e.b_mult, e.b_shift);
    v = double_rounding(e.op == dla::EwOp::kAdd ? sa + sb : sa - sb, e.out_mult, e.out_shift);
  } else {
    if (e.op != dla::EwOp::kAdd) throw std::logic_error("xnnpack knows add and mul only");
    const auto sum = static_cast<int32_t>(a * e.a_mult + b * e.b_mult + e.out_mult);
    v = sum >> e.out_shift;
  }
  return saturate(v + e.out_zero, e.act_min, e.act_max);
}

struct Dla {
  const layer::DlaLayer& l;
  const int8_t* x;
  const int8_t* operand;  ///< null without an element-wise operation
  size_t operand_bytes;   ///< of all pixels, or of one for all
  const int8_t* matrix;   ///< weights that the graph computes, or null

  bool inside(int y, int column) const {
    return y >= 0 && y < l.in_h && column >= 0 && column < l.in_w;
  }
  int64_t at(int y, int column, int c) const {
    return x[(static_cast<int64_t>(y) * l.in_w + column) * l.in_c + c];
  }

  template <class F>
  void each_tap(int oy, int ox, F&& f) const {
    for (int ky = 0; ky < l.kernel_h; ++ky) {
      for (int kx = 0; kx < l.kernel_w; ++kx) {
        f(oy * l.stride_y - l.pad_top + ky * l.dil_y, ox * l.stride_x - l.pad_left + kx * l.dil_x,
          ky * l.kernel_w + kx);
      }
    }
  }

  int32_t accumulate(int oy, int ox, int oc) const {
    const auto channel = static_cast<size_t>(oc);
    int64_t acc = 0;
    if (matrix != nullptr) return multiply(oy, ox, oc);
    switch (l.op) {
      case dla::Op::kConv:
        acc = l.bias.at(channel);
        each_tap(oy, ox, [&](int y, int column, int tap) {
          const int of_group = l.in_c / l.groups, first = oc / (l.out_c / l.groups) * of_group;
          const int8_t* w = l.weights.data() +
                            (static_cast<int64_t>(oc) * l.kernel_h * l.kernel_w + tap) * of_group;
          for (int c = 0; c < of_group; ++c) {
            const int64_t x = inside(y, column) ? at(y, column, first + c) : l.pad_value;
            acc += x * (w[c] - l.weight_zero);
          }
        });
        break;
      case dla::Op::kDwconv:
        acc = l.bias.at(channel);
        each_tap(oy, ox, [&](int y, int column, int tap) {
          const int8_t w = l.weights[size_t(channel * l.kernel_h * l.kernel_w + tap)];
          acc += (inside(y, column) ? at(y, column, oc) : l.pad_value) * (w - l.weight_zero);
        });
        break;
      case dla::Op::kSumpool:
        acc = l.bias.at(channel);
        each_tap(oy, ox, [&](int y, int column, int) {
          if (inside(y, column)) acc += at(y, column, oc);
        });
        break;
      case dla::Op::kMaxpool:
        acc = INT32_MIN;
        each_tap(oy, ox, [&](int y, int column, int) {
          if (inside(y, column)) acc = std::max(acc, at(y, column, oc));
        });
        break;
      case dla::Op::kPass:
        acc = inside(oy - l.pad_top, ox - l.pad_left) ? at(oy - l.pad_top, ox - l.pad_left, oc)
                                                      : l.pad_value;
        break;
      default:
        throw std::logic_error("a layer of an operation that no partition makes");
    }
    return static_cast<int32_t>(acc);
  }

  // Row oc of the matrix times the pixel; of a transposed matrix, the value in column ox.
  int32_t multiply(int oy, int ox, int oc) const {
    const int terms = l.diagonal != 0 ? l.out_w : l.in_c;
    const int64_t first = (int64_t{l.weights_by_row ? oy : 0} * l.out_c + oc) * terms;
    if (l.diagonal != 0) return matrix[first + ox];
    int64_t acc = l.bias.at(static_cast<size_t>(oc));
    for (int c = 0; c < terms; ++c) {
      acc += (at(oy, ox, c) - l.in_zero) * (matrix[first + c] - l.weight_zero);
    }
    return static_cast<int32_t>(acc);
  }

  int64_t average_inside(int64_t sum, int oy, int ox) const {
    int64_t n = 0;
    each_tap(oy, ox, [&](int y, int column, int) { n += inside(y, column) ? 1 : 0; });
    return sum >= 0 ? (sum + n / 2) / n : -((-sum + n / 2) / n);
  }

  int64_t requantise(int32_t acc, size_t channel) const {
    switch (l.rule) {
      case dla::Rule::kDouble:
        return double_rounding(acc, l.multiplier.at(channel), l.shift.at(channel));
      case dla::Rule::kFloat:
        return float_requantise(acc, l.multiplier.at(channel));
      case dla::Rule::kDivide:
        return rule_divide(acc, l.div_recip, l.div_count);
      case dla::Rule::kNone:
        return static_cast<int8_t>(acc);
      default:
        throw std::logic_error("a layer of a rule that no partition makes");
    }
  }

  int8_t value(int oy, int ox, int oc) const {
    const int32_t acc = accumulate(oy, ox, oc);
    int64_t v =
        l.divide_inside ? average_inside(acc, oy, ox) : requantise(acc, static_cast<size_t>(oc));
    v = saturate(saturate32(v) + l.out_zero, l.act_min, l.act_max);
    if (!l.lut.empty()) v = l.lut.at(static_cast<uint8_t>(v));
    if (l.ew.op != dla::EwOp::kNone) {
      const int64_t at = (static_cast<int64_t>(oy) * l.out_w + ox) * l.out_c + oc;
      const bool one_pixel = operand_bytes == static_cast<size_t>(l.out_c);
      v = element_wise(l.ew, v, operand[one_pixel ? oc : at]);
    }
    return static_cast<int8_t>(v);
  }
};

const int8_t* int8s(const ir::Bytes& bytes) {
  return reinterpret_cast<const int8_t*>(bytes.data());
}

void run(const layer::DlaLayer& l, const ir::Graph& graph, Values& values) {
  const size_t bytes = graph.tensor(l.output).bytes();
  const ir::Bytes none;
  const auto of = [&](ir::TensorId id) -> const ir::Bytes& {
    if (id == layer::kNoTensor) return none;
    const ir::Tensor& tensor = graph.tensor(id);
    return tensor.is_constant() ? *tensor.data : values.at(id);
  };
  const ir::Bytes& operand = of(l.ew.op == dla::EwOp::kNone ? layer::kNoTensor : l.ew.operand);
  const int8_t* matrix = l.has_computed_weights() ? int8s(of(l.weights_from)) : nullptr;
  const Dla dla{l, int8s(of(l.input)), int8s(operand), operand.size(), matrix};
  const int times = l.upsample2 ? 2 : 1;
  ir::Bytes y(static_cast<size_t>(l.out_h) * l.out_w * l.out_c * times * times);
  if (y.size() != bytes) throw std::logic_error("a layer's sizes are not its output's");
  for (int oy = 0; oy < l.out_h * times; ++oy) {
    for (int ox = 0; ox < l.out_w * times; ++ox) {
      for (int oc = 0; oc < l.out_c; ++oc) {
        const size_t at = (static_cast<size_t>(oy) * l.out_w * times + ox) * l.out_c + oc;
        y[at] = static_cast<uint8_t>(dla.value(oy / times, ox / times, oc));
      }
    }
  }
  values[l.output] = std::move(y);
}

presil_kernel_tensor kernel_tensor(const ir::Tensor& tensor, void* data) {
  presil_kernel_tensor t{};
  t.data = data;
  t.dtype = static_cast<uint32_t>(tensor.dtype);
  t.rank = static_cast<uint32_t>(tensor.shape.size());
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    t.shape[i] = static_cast<uint32_t>(tensor.shape[i]);
  }
  if (tensor.quantization.per_tensor()) {
    t.scale = tensor.quantization.scale();
    t.zero_point = tensor.quantization.zero_point();
  }
  return t;
}

void run(const layer::HostLayer& l, const ir::Graph& graph, Values& values) {
  std::vector<presil_kernel_tensor> tensors;
  for (const ir::TensorId id : l.inputs) {
    const ir::Tensor& tensor = graph.tensor(id);
    const ir::Bytes& bytes = tensor.is_constant() ? *tensor.data : values.at(id);
    tensors.push_back(kernel_tensor(tensor, const_cast<uint8_t*>(bytes.data())));
  }
  for (const ir::TensorId id : l.outputs) {
    const ir::Tensor& tensor = graph.tensor(id);
    ir::Bytes& bytes = values[id] = ir::Bytes(tensor.bytes());
    tensors.push_back(kernel_tensor(tensor, bytes.data()));
  }
  presil_kernel_refusal refusal{};
  if (!presil_kernel_run(l.kernel, tensors.data(), static_cast<uint32_t>(tensors.size()),
                         l.attributes.data(), static_cast<uint32_t>(l.attributes.size()),
                         &refusal)) {
    throw std::logic_error(std::string(presil_kernel_name(l.kernel)) + " refuses: " + refusal.what +
                           " is " + std::to_string(refusal.got) + ", expected " +
                           std::to_string(refusal.expected));
  }
}

void run_concat(const layer::InPlaceLayer& l, const ir::Graph& graph, Values& values) {
  const auto channels = [&](ir::TensorId id) {
    return static_cast<size_t>(graph.tensor(id).shape.back());
  };
  ir::Bytes y(graph.tensor(l.output).bytes());
  size_t first = 0;
  for (const ir::TensorId x : l.inputs) {
    const ir::Bytes& from = values.at(x);
    for (size_t i = 0; i < from.size(); ++i) {
      y[i / channels(x) * channels(l.output) + first + i % channels(x)] = from[i];
    }
    first += channels(x);
  }
  values[l.output] = std::move(y);
}

// From the words: in every turn of the loops a row.
void run(const layer::DmaLayer& l, const ir::Graph& graph, Values& values) {
  ir::Bytes y(graph.tensor(l.output).bytes());
  for (const layer::DmaLayer::Move& move : l.moves) {
    const ir::Tensor& tensor = graph.tensor(move.input);
    const ir::Bytes& x = tensor.is_constant() ? *tensor.data : values.at(move.input);
    std::vector<int64_t> turn(move.bytes.loops.size(), 0);
    for (bool more = true; more;) {
      int64_t from = move.bytes.from, to = move.bytes.to;
      for (size_t i = 0; i < turn.size(); ++i) {
        from += turn[i] * move.bytes.loops[i].from, to += turn[i] * move.bytes.loops[i].to;
      }
      for (int64_t i = 0; i < move.bytes.row; ++i) {
        y.at(static_cast<size_t>(to + i)) =
            x.at(static_cast<size_t>(from + i)) ^ (l.flip_sign ? 128 : 0);
      }
      size_t i = 0;
      while (i < turn.size() && ++turn[i] == move.bytes.loops[i].n) turn[i++] = 0;
      more = i < turn.size();
    }
  }
  values[l.output] = std::move(y);
}

void run_stack(const layer::InPlaceLayer& l, Values& values) {
  ir::Bytes y;
  for (const ir::TensorId x : l.inputs) {
    const ir::Bytes& from = values.at(x);
    y.insert(y.end(), from.begin(), from.end());
  }
  values[l.output] = std::move(y);
}

void run_interleave(const layer::InPlaceLayer& l, const ir::Graph& graph, Values& values) {
  const auto& shape = graph.tensor(l.output).shape;
  const auto columns = static_cast<size_t>(shape.at(2)),
             channels = static_cast<size_t>(shape.at(3));
  const auto sy = static_cast<size_t>(l.stride_y), sx = static_cast<size_t>(l.stride_x);
  ir::Bytes y(graph.tensor(l.output).bytes());
  for (size_t i = 0; i < y.size(); ++i) {
    const size_t row = i / channels / columns, column = i / channels % columns;
    const ir::TensorId part = l.inputs.at(row % sy * sx + column % sx);
    const auto width = static_cast<size_t>(graph.tensor(part).shape.at(2));
    y[i] = values.at(part).at((row / sy * width + column / sx) * channels + i % channels);
  }
  values[l.output] = std::move(y);
}

void run(const layer::InPlaceLayer& l, const ir::Graph& graph, Values& values) {
  const auto input = [&]() -> const ir::Bytes& { return values.at(l.input()); };
  switch (l.relation) {
    case layer::Relation::kView:
      values[l.output] = input();
      return;
    case layer::Relation::kFlip: {
      ir::Bytes bytes = input();
      for (uint8_t& byte : bytes) byte ^= 0x80;
      values[l.output] = std::move(bytes);
      return;
    }
    case layer::Relation::kSlice: {
      const auto first = input().begin() + static_cast<std::ptrdiff_t>(l.at);
      const auto bytes = static_cast<std::ptrdiff_t>(graph.tensor(l.output).bytes());
      ir::Bytes y(first, first + bytes);
      values[l.output] = std::move(y);
      return;
    }
    case layer::Relation::kInterleave:
      return run_interleave(l, graph, values);
    case layer::Relation::kStack:
      return run_stack(l, values);
    case layer::Relation::kConcat:
      return run_concat(l, graph, values);
  }
}

}  // namespace

Values evaluate(const ir::Graph& graph, const partition::Partition& partition,
                const std::vector<ir::Bytes>& inputs) {
  Values values;
  for (size_t i = 0; i < inputs.size(); ++i) values[graph.inputs[i]] = inputs[i];
  for (const layer::Layer& layer : partition.layers) {
    if (const auto* dla = layer.work.as<layer::DlaLayer>()) {
      run(*dla, graph, values);
    } else if (const auto* host = layer.work.as<layer::HostLayer>()) {
      run(*host, graph, values);
    } else if (const auto* copy = layer.work.as<layer::DmaLayer>()) {
      run(*copy, graph, values);
    } else {
      run(*layer.work.in_place(), graph, values);
    }
  }
  return values;
}

}  // namespace presil::partition
