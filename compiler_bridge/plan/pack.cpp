#include "compiler_bridge/plan/pack.h"

#include <algorithm>
#include <cstring>

namespace presil::plan {
namespace {

constexpr uint32_t kParamBytes = 144;  // of 16 channels: bias, multiplier, shift
constexpr uint32_t kLutBytes = 256;
constexpr int kTapRows = 4, kTapColumns = 4;  // the tap window of dwconv

int ceil_div(int a, int b) {
  return (a + b - 1) / b;
}

void put_int32(std::vector<uint8_t>& bytes, size_t at, int32_t value) {
  const auto bits = static_cast<uint32_t>(value);
  for (size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<uint8_t>(bits >> (8 * i));
}

int tap_columns(const DlaLayer& layer) {
  return layer.dil_x > 1 ? 1 : kTapColumns;
}

/// How many sets follow each other per output block group, and the lanes of one row of a set.
struct Sets {
  int outer = 0;  ///< input blocks (of MacsC), chunks of 16 packed lanes, or rows of tap chunks
  int inner = 0;  ///< kernel positions, kernel rows, or columns of tap chunks
  int lanes = 0;
};

Sets sets_of(const DlaLayer& layer, bool packed, int in_blocks, const DlaConfig& config) {
  const int macs_c = static_cast<int>(config.macs_c);
  if (layer.op == dla::Op::kDwconv) {
    return {ceil_div(layer.kernel_h, kTapRows), ceil_div(layer.kernel_w, tap_columns(layer)), 16};
  }
  if (packed) return {ceil_div(layer.kernel_w * layer.in_c, 16), layer.kernel_h, 16};
  return {ceil_div(16 * in_blocks, macs_c), layer.kernel_h * layer.kernel_w, macs_c};
}

/// Weight of output channel k for lane `lane` of set (outer, inner); weight_zero where there is
/// none.
class WeightSource {
 public:
  WeightSource(const DlaLayer& layer, bool packed, const Lanes& in, const Sets& sets)
      : m_layer(layer), m_packed(packed), m_sets(sets), m_channel(in.channel_of_lane()) {}

  int8_t operator()(int k, int outer, int inner, int lane) const {
    const auto zero = static_cast<int8_t>(m_layer.weight_zero);
    if (m_layer.op == dla::Op::kDwconv) return tap(k, outer, inner, lane, zero);
    const int kw = m_layer.kernel_w, ic = m_layer.in_c;
    int ky = 0, kx = 0, c = -1;
    if (m_packed) {
      const int byte = 16 * outer + lane;
      ky = inner, kx = byte / ic, c = kx < kw ? byte % ic : -1;
    } else {
      const auto at = static_cast<size_t>(outer * m_sets.lanes + lane);
      ky = inner / kw, kx = inner % kw, c = at < m_channel.size() ? m_channel[at] : -1;
    }
    if (c < 0) return zero;
    return m_layer
        .weights[((size_t(k) * size_t(m_layer.kernel_h) + size_t(ky)) * size_t(kw) + size_t(kx)) *
                     size_t(ic) +
                 size_t(c)];
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

  const DlaLayer& m_layer;
  bool m_packed;
  Sets m_sets;
  std::vector<int> m_channel;
};

void put_params(const DlaLayer& layer, const std::vector<int>& channel, int b0, int blocks,
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

bool is_packed(const DlaLayer& layer, const Storage& input) {
  return layer.op == dla::Op::kConv && input.form == Form::kRows;
}

BlobShape blob_shape(const DlaLayer& layer, bool packed, int in_blocks, int blocks,
                     const DlaConfig& config) {
  BlobShape shape;
  const int macs_k = static_cast<int>(config.macs_k);
  const int groups = ceil_div(16 * blocks, macs_k);
  shape.has_weights = layer.op == dla::Op::kConv || layer.op == dla::Op::kDwconv;
  shape.has_params = layer.op != dla::Op::kMaxpool &&
                     !(layer.op == dla::Op::kPass && layer.rule == dla::Rule::kNone);
  shape.has_lut = !layer.lut.empty();
  uint32_t at = 0;
  shape.params = at;
  if (shape.has_params) at += kParamBytes * static_cast<uint32_t>(groups * macs_k / 16);
  shape.lut = at;
  if (shape.has_lut) at += kLutBytes;
  shape.weights = at;
  if (shape.has_weights) {
    const Sets sets = sets_of(layer, packed, in_blocks, config);
    shape.cb_pitch = static_cast<uint32_t>(sets.inner * macs_k * sets.lanes);
    shape.kb_pitch = shape.cb_pitch * static_cast<uint32_t>(sets.outer);
    at += shape.kb_pitch * static_cast<uint32_t>(groups);
  }
  shape.bytes = at;
  return shape;
}

std::vector<uint8_t> pack_blob(const DlaLayer& layer, bool packed, const Lanes& in,
                               const Lanes& out, int b0, int b1, const DlaConfig& config) {
  const BlobShape shape = blob_shape(layer, packed, in.blocks(), b1 - b0, config);
  std::vector<uint8_t> bytes(shape.bytes, 0);
  const std::vector<int> channel = out.channel_of_lane();
  if (shape.has_params) put_params(layer, channel, b0, b1 - b0, bytes, shape.params);
  if (shape.has_lut) std::memcpy(bytes.data() + shape.lut, layer.lut.data(), kLutBytes);
  if (!shape.has_weights) return bytes;

  const Sets sets = sets_of(layer, packed, in.blocks(), config);
  const WeightSource weight(layer, packed, in, sets);
  const int macs_k = static_cast<int>(config.macs_k);
  auto* to = reinterpret_cast<int8_t*>(bytes.data() + shape.weights);
  for (int row = b0 * 16; row < b1 * 16; row += macs_k) {
    for (int outer = 0; outer < sets.outer; ++outer) {
      for (int inner = 0; inner < sets.inner; ++inner) {
        for (int k = 0; k < macs_k; ++k, to += sets.lanes) {
          const int c =
              row + k < b1 * 16 && size_t(row + k) < channel.size() ? channel[size_t(row + k)] : -1;
          if (c < 0) {
            std::memset(to, layer.weight_zero, static_cast<size_t>(sets.lanes));
            continue;
          }
          for (int lane = 0; lane < sets.lanes; ++lane) to[lane] = weight(c, outer, inner, lane);
        }
      }
    }
  }
  return bytes;
}

}  // namespace presil::plan
