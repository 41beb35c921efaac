#include "compiler_bridge/plan/pack.h"

#include <algorithm>
#include <cstring>

#include "compiler_bridge/plan/computed_weights.h"

namespace presil::plan {
namespace {

constexpr uint32_t kLutBytes = 256;
constexpr int kTapRows = 4, kTapColumns = 4;  // the tap window of dwconv

int ceil_div(int a, int b) {
  return (a + b - 1) / b;
}

void put_int32(std::vector<uint8_t>& bytes, size_t at, int32_t value) {
  const auto bits = static_cast<uint32_t>(value);
  for (size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<uint8_t>(bits >> (8 * i));
}

int tap_columns(const layer::DlaLayer& layer) {
  return layer.dil_x > 1 ? 1 : kTapColumns;
}

/// How many sets follow each other per output block group, and the lanes of one row of a set.
struct Sets {
  int outer = 0;  ///< input blocks (of MacsC), chunks of 16 packed lanes, or rows of tap chunks
  int inner = 0;  ///< kernel positions, kernel rows, or columns of tap chunks
  int lanes = 0;
};

Sets sets_of(const layer::DlaLayer& layer, bool packed, int in_blocks, const DlaConfig& config) {
  const int macs_c = static_cast<int>(config.macs_c);
  if (layer.op == dla::Op::kDwconv) {
    return {ceil_div(layer.kernel_h, kTapRows), ceil_div(layer.kernel_w, tap_columns(layer)), 16};
  }
  if (packed) return {ceil_div(layer.kernel_w * layer.in_c, 16), layer.kernel_h, 16};
  if (layer.diagonal != 0) in_blocks = ceil_div(layer.out_w, 16);
  return {ceil_div(16 * in_blocks, macs_c), layer.kernel_h * layer.kernel_w, macs_c};
}

/// The weights of output channel k, which reads from input block `from` on, for all lanes of a row
/// of set (outer, inner); weight_zero where there is none.
class WeightSource {
 public:
  WeightSource(const layer::DlaLayer& layer, bool packed, const std::vector<int>& channel,
               const Sets& sets, int in_blocks)
      : m_layer(layer),
        m_packed(packed),
        m_sets(sets),
        m_in_lanes(16 * in_blocks),
        m_channel(channel) {}

  void put(int k, int from, int outer, int inner, int8_t* to) const {
    const auto zero = static_cast<int8_t>(m_layer.weight_zero);
    if (m_layer.op == dla::Op::kDwconv) {
      for (int lane = 0; lane < m_sets.lanes; ++lane) to[lane] = tap(k, outer, inner, lane, zero);
      return;
    }
    const int of_group = m_layer.in_c / m_layer.groups;
    const int first = k / (m_layer.out_c / m_layer.groups) * of_group;
    const size_t row = size_t(m_layer.kernel_w) * size_t(of_group);  // of the kernel
    const int8_t* weights = m_layer.weights.data() + size_t(k) * size_t(m_layer.kernel_h) * row;
    if (m_packed) {
      const int8_t* from_row = weights + size_t(inner) * row;
      for (int lane = 0; lane < m_sets.lanes; ++lane) {
        const int byte = 16 * outer + lane, kx = byte / m_layer.in_c, c = byte % m_layer.in_c;
        const bool there = kx < m_layer.kernel_w && c >= first && c < first + of_group;
        to[lane] = there ? from_row[kx * of_group + c - first] : zero;
      }
      return;
    }
    const int8_t* position = weights + size_t(inner) * size_t(of_group);
    const int at = outer * m_sets.lanes, known = std::min(m_sets.lanes, m_in_lanes - at);
    const int* channel = m_channel.data() + 16 * from + at;
    for (int lane = 0; lane < known; ++lane) {
      const int c = channel[lane];
      to[lane] = c >= first && c < first + of_group ? position[c - first] : zero;
    }
    std::fill(to + std::max(0, known), to + m_sets.lanes, zero);
  }

 private:
  int8_t tap(int k, int cy, int cx, int lane, int8_t zero) const {
    const int columns =
        std::min(tap_columns(m_layer), m_layer.kernel_w - cx * tap_columns(m_layer));
    const int ky = kTapRows * cy + lane / kTapColumns;
    const int x = lane % kTapColumns - (kTapColumns - columns);
    const int kx = cx * tap_columns(m_layer) + x;
    if (ky >= m_layer.kernel_h || x < 0 || kx >= m_layer.kernel_w) return zero;
    return m_layer
        .weights[(size_t(k) * size_t(m_layer.kernel_h) + size_t(ky)) * size_t(m_layer.kernel_w) +
                 size_t(kx)];
  }

  const layer::DlaLayer& m_layer;
  bool m_packed;
  Sets m_sets;
  int m_in_lanes;
  const std::vector<int>& m_channel;  ///< of every lane of the input
};

void put_params(const layer::DlaLayer& layer, const std::vector<int>& channel, int b0, int blocks,
                std::vector<uint8_t>& bytes, size_t at) {
  const auto of = [](const auto& values, int c) {
    return size_t(c) < values.size() ? int32_t(values[size_t(c)]) : 0;
  };
  for (int lane = 0; lane < blocks * 16; ++lane) {
    const auto index = static_cast<size_t>(b0 * 16 + lane);
    const int c = index < channel.size() ? channel[index] : -1;
    if (c < 0) continue;
    const size_t block = at + size_t(lane / 16) * kParamBytes, l = size_t(lane % 16);
    put_int32(bytes, block + 4 * l, of(layer.bias, c));
    put_int32(bytes, block + 64 + 4 * l, of(layer.multiplier, c));
    bytes[block + 128 + l] = static_cast<uint8_t>(of(layer.shift, c));
  }
}

}  // namespace

bool is_packed(const layer::DlaLayer& layer, const BlockedBuffer& input) {
  return layer.op == dla::Op::kConv && input.form == Form::kRows;
}

ParameterBlock parameter_block_of(const layer::DlaLayer& layer, bool packed,
                                  const std::vector<Run>& runs, const DlaConfig& config) {
  const int macs_k = static_cast<int>(config.macs_k);
  const auto groups = [&](int blocks) { return ceil_div(16 * blocks, macs_k); };
  const int b0 = runs.front().b0;
  RunParameterBlock shape;
  shape.has_weights = layer.op == dla::Op::kConv || layer.op == dla::Op::kDwconv;
  shape.has_params = layer.op != dla::Op::kMaxpool &&
                     !(layer.op == dla::Op::kPass && layer.rule == dla::Rule::kNone);
  shape.has_lut = !layer.lut.empty();
  ParameterBlock parameter_block;
  if (shape.has_params) {
    parameter_block.bytes +=
        kParamBytes * static_cast<uint32_t>(groups(runs.back().b1 - b0) * macs_k / 16);
  }
  shape.lut = parameter_block.bytes;
  if (shape.has_lut) parameter_block.bytes += kLutBytes;
  shape.pixel = parameter_block.bytes;
  if (corrections(layer) != 0)
    parameter_block.bytes += kWordBytes * uint32_t(runs.front().in_blocks);
  for (const Run& run : runs) {
    shape.params = shape.has_params ? kParamBytes * static_cast<uint32_t>(run.b0 - b0) : 0;
    shape.weights = parameter_block.bytes;
    if (shape.has_weights) {
      const Sets sets = sets_of(layer, packed, run.in_blocks, config);
      shape.cb_pitch = static_cast<uint32_t>(sets.inner * macs_k * sets.lanes);
      shape.kb_pitch = shape.cb_pitch * static_cast<uint32_t>(sets.outer);
      parameter_block.bytes += shape.kb_pitch * static_cast<uint32_t>(groups(run.blocks()));
    }
    parameter_block.runs.push_back(shape);
  }
  return parameter_block;
}

namespace {

/// The weight sets of a run, from `to` on.
void put_weights(const layer::DlaLayer& layer, bool packed, const Run& run,
                 const std::vector<int>& in, const std::vector<int>& out, const DlaConfig& config,
                 int8_t* to) {
  const Sets sets = sets_of(layer, packed, run.in_blocks, config);
  const WeightSource weight(layer, packed, in, sets, run.in_blocks);
  const int macs_k = static_cast<int>(config.macs_k);
  for (int row = run.b0 * 16; row < run.b1 * 16; row += macs_k) {
    const int from = run.c0 + (row / 16 - run.b0) * run.step;
    for (int outer = 0; outer < sets.outer; ++outer) {
      for (int inner = 0; inner < sets.inner; ++inner) {
        for (int k = 0; k < macs_k; ++k, to += sets.lanes) {
          const int c =
              row + k < run.b1 * 16 && size_t(row + k) < out.size() ? out[size_t(row + k)] : -1;
          if (c < 0) {
            std::memset(to, layer.weight_zero, static_cast<size_t>(sets.lanes));
            continue;
          }
          weight.put(c, from, outer, inner, to);
        }
      }
    }
  }
}

}  // namespace

std::vector<uint8_t> pack_parameter_block(const layer::DlaLayer& layer, bool packed,
                                          const Lanes& in, const Lanes& out,
                                          const std::vector<Run>& runs, const DlaConfig& config) {
  const ParameterBlock parameter_block = parameter_block_of(layer, packed, runs, config);
  std::vector<uint8_t> bytes(parameter_block.bytes, 0);
  const std::vector<int> in_channel = in.channel_of_lane(), channel = out.channel_of_lane();
  const RunParameterBlock& first = parameter_block.runs.front();
  const int b0 = runs.front().b0, blocks = runs.back().b1 - b0;
  if (first.has_params) put_params(layer, channel, b0, blocks, bytes, first.params);
  if (first.has_lut) std::memcpy(bytes.data() + first.lut, layer.lut.data(), kLutBytes);
  if (corrections(layer) != 0) {
    std::transform(in_channel.begin(), in_channel.end(), bytes.begin() + first.pixel, [&](int c) {
      return static_cast<uint8_t>(c < 0 ? 0 : correction_value(layer));
    });
  }
  if (layer.has_computed_weights()) bytes.resize(first.weights);
  if (!first.has_weights || layer.has_computed_weights()) return bytes;
  for (size_t r = 0; r < runs.size(); ++r) {
    put_weights(layer, packed, runs[r], in_channel, channel, config,
                reinterpret_cast<int8_t*>(bytes.data() + parameter_block.runs[r].weights));
  }
  return bytes;
}

}  // namespace presil::plan
