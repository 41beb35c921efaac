#include "sim/platform/tensor_bytes.h"

#include <algorithm>
#include <cstring>

#include "rtl/soc/loadable_generated.h"

namespace presil::platform {
namespace {

size_t element_bytes(loadable::DType type) {
  switch (type) {
    case loadable::DType_int16:
      return 2;
    case loadable::DType_int32:
    case loadable::DType_float32:
      return 4;
    case loadable::DType_int64:
      return 8;
    default:
      return 1;
  }
}

/// Of [..., h, w, c]: images of a batch are rows that follow each other, as C16 has them.
struct Extent {
  int64_t h = 1, w = 1, c = 1;
};

Extent extent_of(const loadable::Tensor& tensor) {
  const auto& shape = *tensor.shape();
  const auto from_end = [&](unsigned i) {
    return shape.size() > i ? shape.Get(shape.size() - 1 - i) : int64_t{1};
  };
  int64_t rows = 1;
  for (unsigned i = 2; i < shape.size(); ++i) rows *= from_end(i);
  return {rows, from_end(1), from_end(0)};
}

}  // namespace

size_t plain_bytes(const loadable::Tensor& tensor) {
  size_t bytes = element_bytes(tensor.dtype());
  for (const int64_t n : *tensor.shape()) bytes *= static_cast<size_t>(n);
  return bytes;
}

uint64_t span_bytes(const loadable::Tensor& tensor) {
  const uint64_t plain = plain_bytes(tensor);
  if (tensor.layout() == loadable::Layout_nhwc) return plain;
  const Extent e = extent_of(tensor);
  if (plain != static_cast<uint64_t>(e.h * e.w * e.c)) return 0;  // of bytes alone
  const auto* lanes = tensor.lane_channel();
  const bool identity = lanes == nullptr || lanes->size() == 0;
  const uint64_t count = identity ? static_cast<uint64_t>(e.c) : lanes->size();
  for (uint32_t i = 0; !identity && i < count; ++i) {
    if (lanes->Get(i) >= e.c) return 0;
  }
  return (count - 1) / 16 * uint64_t{tensor.block_pitch()} +
         static_cast<uint64_t>(e.h - 1) * tensor.row_pitch() +
         static_cast<uint64_t>(e.w - 1) * tensor.x_pitch() + std::min<uint64_t>(count, 16);
}

bool gather(const loadable::Tensor& tensor, const SpaceBytes& bytes, uint8_t* out) {
  if (tensor.space() == loadable::Space_none) return false;
  const uint8_t* base =
      bytes(tensor.space() == loadable::Space_sram, tensor.region(), tensor.offset());
  if (base == nullptr) return false;
  if (tensor.layout() == loadable::Layout_nhwc) {
    std::memcpy(out, base, plain_bytes(tensor));
    return true;
  }
  const Extent e = extent_of(tensor);
  const auto* lanes = tensor.lane_channel();
  const int64_t lane_count = lanes != nullptr && lanes->size() != 0 ? lanes->size() : e.c;
  for (int64_t lane = 0; lane < lane_count; ++lane) {
    const int64_t channel = lane_count == e.c && (lanes == nullptr || lanes->size() == 0)
                                ? lane
                                : lanes->Get(static_cast<flatbuffers::uoffset_t>(lane));
    if (channel < 0) continue;
    const uint8_t* block = base + (lane / 16) * int64_t{tensor.block_pitch()} + lane % 16;
    for (int64_t y = 0; y < e.h; ++y) {
      const uint8_t* row = block + y * int64_t{tensor.row_pitch()};
      uint8_t* to = out + y * e.w * e.c + channel;
      for (int64_t x = 0; x < e.w; ++x) to[x * e.c] = row[x * int64_t{tensor.x_pitch()}];
    }
  }
  return true;
}

}  // namespace presil::platform
