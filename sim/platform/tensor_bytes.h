// A tensor of a loadable as plain NHWC bytes, read from wherever the streams have put it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace presil::loadable {
struct Tensor;
}

namespace presil::platform {

/// Bytes of a space: SRAM, or a job's region. nullptr where there are none.
using SpaceBytes = std::function<const uint8_t*(bool sram, uint8_t region, uint64_t offset)>;

/// Size of the tensor's elements in NHWC order, without padding.
size_t plain_bytes(const loadable::Tensor& tensor);

/// Bytes from the tensor's first to its last, as it lies; 0 where its lanes are not those of its
/// shape. Pitches are believed.
uint64_t span_bytes(const loadable::Tensor& tensor);

/// Copies the tensor into `out` (plain_bytes of it).
/// @return false where the tensor is nowhere
bool gather(const loadable::Tensor& tensor, const SpaceBytes& bytes, uint8_t* out);

}  // namespace presil::platform
