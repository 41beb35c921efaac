#include "models/dma/dma_core.h"

#include <cstring>

namespace presil::dma {
namespace {

constexpr unsigned kPack = 16;  ///< elements are padded to multiples of this

unsigned padded(unsigned elem_bytes) {
  return (elem_bytes + kPack - 1) / kPack * kPack;
}

uint8_t pattern_byte(uint32_t pattern, uint64_t address) {
  return static_cast<uint8_t>(pattern >> (8 * (address % 4)));
}

void flip(std::vector<uint8_t>& bytes) {
  for (uint8_t& b : bytes) b ^= 0x80;
}

/// Elements of `from` bytes become elements of `to` bytes: cut, or lengthened by zeros.
std::vector<uint8_t> resized(const std::vector<uint8_t>& bytes, unsigned from, unsigned to) {
  const size_t elements = bytes.size() / from;
  std::vector<uint8_t> out(elements * to);
  const unsigned kept = from < to ? from : to;
  for (size_t e = 0; e < elements; ++e) std::memcpy(&out[e * to], &bytes[e * from], kept);
  return out;
}

/// Writes the stream row by row.
void write_rows(const Shape& shape, const uint8_t* stream, uint8_t* dst) {
  for_each_row(shape, [&](int64_t at) {
    std::memcpy(dst + at, stream, shape.row_bytes);
    stream += shape.row_bytes;
  });
}

/// Overwrites the padding of padded elements by the pattern; it depends on where a byte lands.
void write_padding(const Command& c, const Shape& shape, uint8_t* dst, uint64_t dst_address) {
  const unsigned data = c.elem_bytes, element = padded(data);
  uint64_t position = 0;  // in the stream
  for_each_row(shape, [&](int64_t at) {
    for (uint32_t i = 0; i < shape.row_bytes; ++i, ++position) {
      if (position % element < data) continue;
      dst[at + i] = pattern_byte(c.pattern, dst_address + static_cast<uint64_t>(at + i));
    }
  });
}

}  // namespace

Shape Shape::merged() const {
  Shape m{base, row_bytes, {1, 1, 1, 1}, {0, 0, 0, 0}};
  unsigned used = 0;
  for (unsigned d = 0; d < 4; ++d) {
    if (n[d] == 1) continue;
    const uint64_t length = uint64_t{m.row_bytes} * n[d];
    if (used == 0 && stride[d] == static_cast<int64_t>(m.row_bytes) && length < (1u << 31)) {
      m.row_bytes = static_cast<uint32_t>(length);
      continue;
    }
    m.n[used] = n[d];
    m.stride[used] = stride[d];
    ++used;
  }
  return m;
}

std::vector<uint8_t> gather(const Command& c, const uint8_t* src) {
  if (c.op != Op::kCopy) return {};
  const Shape shape = Shape::source(c).merged();
  std::vector<uint8_t> stream(shape.bytes());
  uint8_t* to = stream.data();
  for_each_row(shape, [&](int64_t at) {
    std::memcpy(to, src + at, shape.row_bytes);
    to += shape.row_bytes;
  });
  if (c.pack == Pack::kDrop) stream = resized(stream, padded(c.elem_bytes), c.elem_bytes);
  if (c.xor80) flip(stream);
  return stream;
}

void scatter(const Command& c, const std::vector<uint8_t>& stream, uint8_t* dst,
             uint64_t dst_address) {
  const Shape shape = Shape::destination(c).merged();
  if (c.op == Op::kFill) {
    for_each_row(shape, [&](int64_t at) {
      for (uint32_t i = 0; i < shape.row_bytes; ++i) {
        dst[at + i] = pattern_byte(c.pattern, dst_address + static_cast<uint64_t>(at + i));
      }
    });
  } else if (c.pack == Pack::kPad) {
    write_rows(shape, resized(stream, c.elem_bytes, padded(c.elem_bytes)).data(), dst);
    if (c.pattern != 0) write_padding(c, shape, dst, dst_address);
  } else {
    write_rows(shape, stream.data(), dst);
  }
}

}  // namespace presil::dma
