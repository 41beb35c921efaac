#include "pool_positions.h"

#include <algorithm>
#include <cmath>

namespace presil::pool {
namespace {

/// The pixels' distance in the input: the outermost ones meet, or the images' edges do.
float distance(const PoolLayer& layer, const Axis& axis) {
  const int less = layer.align_corners && axis.out > 1 ? 1 : 0;
  return static_cast<float>(axis.in - less) / static_cast<float>(axis.out - less);
}

/// A whole number of pixels.
Position nearest(const PoolLayer& layer, const Axis& axis, int result) {
  const float center = layer.half_pixel_centers ? 0.5f : 0.0f;
  const float at = (static_cast<float>(result) + center) * distance(layer, axis);
  const double whole = std::floor(double(at) + (layer.align_corners ? 0.5 : 0.0));
  return {static_cast<uint16_t>(std::min<int>(static_cast<int>(whole), axis.in - 1)), 0, false};
}

/// In 1/1024 of a pixel.
Position fixed(const PoolLayer& layer, const Axis& axis, int result) {
  const int64_t less = layer.align_corners && axis.out > 1 ? 1 : 0;
  const int64_t in = axis.in - less, out = axis.out - less;
  const int64_t step = (1024 * in + out / 2) / out;
  const int64_t at = result * step + (layer.half_pixel_centers ? step / 2 - 512 : 0);
  if (at <= 0) return {};
  const int64_t low = std::min<int64_t>(at / 1024, axis.in - 1), rest = at - 1024 * low;
  if (rest == 0 || low == axis.in - 1) return {static_cast<uint16_t>(low), 0, false};
  return {static_cast<uint16_t>(low), static_cast<uint16_t>(rest), true};
}

/// In 1/2048 of a pixel, from float32.
Position rounded(const PoolLayer& layer, const Axis& axis, int result) {
  const float step = distance(layer, axis);
  float at = static_cast<float>(result) * step;
  if (layer.half_pixel_centers) at += 0.5f * step - 0.5f;
  at = std::clamp(at, 0.0f, static_cast<float>(axis.in - 1));
  const float low = std::floor(at);
  const bool further = static_cast<int>(low) < axis.in - 1;
  const auto weight = static_cast<uint16_t>(std::nearbyint((at - low) * 2048.0f));
  return {static_cast<uint16_t>(low), further ? weight : uint16_t{0}, further};
}

}  // namespace

Position position(const PoolLayer& layer, const Axis& axis, int result) {
  if (layer.op == PoolLayer::Kind::kNearest) return nearest(layer, axis, result);
  return layer.rounds_up ? rounded(layer, axis, result) : fixed(layer, axis, result);
}

std::vector<Position> positions(const PoolLayer& layer, const Axis& axis, int begin, int end) {
  std::vector<Position> all;
  for (int result = begin; result < end; ++result) all.push_back(position(layer, axis, result));
  return all;
}

}  // namespace presil::pool
