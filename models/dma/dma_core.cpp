#include "models/dma/dma_core.h"

#include <algorithm>
#include <cstring>

namespace presil::dma {

namespace {

// The memory of a whole side, so that rows are pointer arithmetic: pointer to its base.
uint8_t* base_of(const Side& side, BytePort& memory) {
  const int64_t low = side.low();
  uint8_t* first = memory.bytes_at(side.base + static_cast<uint64_t>(low),
                                   static_cast<size_t>(side.high() - low));
  return first == nullptr ? nullptr : first - low;
}

// Calls row(pointer) for every row in loop order.
template <class Row>
void each_row(const Side& side, uint8_t* base, Row row) {
  for (int64_t i4 = 0; i4 < side.n[3]; ++i4) {
    for (int64_t i3 = 0; i3 < side.n[2]; ++i3) {
      for (int64_t i2 = 0; i2 < side.n[1]; ++i2) {
        uint8_t* at = base + i4 * side.stride[3] + i3 * side.stride[2] + i2 * side.stride[1];
        for (int64_t i1 = 0; i1 < side.n[0]; ++i1) row(at + i1 * side.stride[0]);
      }
    }
  }
}

void flip_sign_bits(uint8_t* data, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) data[i] ^= 0x80;
}

uint8_t pattern_byte(uint32_t pattern, uint64_t address) {
  return static_cast<uint8_t>(pattern >> 8 * (address & 3));
}

void fill_rows(const Command& command, const Side& side, uint8_t* base) {
  each_row(side, base, [&](uint8_t* row) {
    const uint64_t address = side.base + static_cast<uint64_t>(row - base);
    for (uint32_t i = 0; i < side.row_bytes; ++i)
      row[i] = pattern_byte(command.pattern, address + i);
  });
}

void pad_rows(const Command& command, const Side& side, uint8_t* base, const uint8_t* data) {
  const uint32_t element = command.elem_bytes, padded = padded_element(element);
  uint32_t in_element = 0;  // place in the padded element
  each_row(side, base, [&](uint8_t* row) {
    const uint64_t address = side.base + static_cast<uint64_t>(row - base);
    for (uint32_t i = 0; i < side.row_bytes;) {
      if (in_element < element) {
        const uint32_t bytes = std::min(element - in_element, side.row_bytes - i);
        std::memcpy(row + i, data, bytes);
        data += bytes;
        i += bytes;
        in_element += bytes;
      } else {
        row[i] = pattern_byte(command.pattern, address + i);
        ++i;
        ++in_element;
      }
      if (in_element == padded) in_element = 0;
    }
  });
}

void drop_rows(const Command& command, const Side& side, uint8_t* base, uint8_t* data) {
  const uint32_t element = command.elem_bytes, padded = padded_element(element);
  uint32_t in_element = 0;
  each_row(side, base, [&](const uint8_t* row) {
    for (uint32_t i = 0; i < side.row_bytes;) {
      const uint32_t end = in_element < element ? element : padded;
      const uint32_t bytes = std::min(end - in_element, side.row_bytes - i);
      if (in_element < element) {
        std::memcpy(data, row + i, bytes);
        data += bytes;
      }
      i += bytes;
      in_element += bytes;
      if (in_element == padded) in_element = 0;
    }
  });
}

// Rows of one word are what layout conversions are made of.
template <bool kToRows>
void copy_rows(const Side& side, uint8_t* base, uint8_t* data) {
  const uint32_t bytes = side.row_bytes;
  if (bytes == 16) {
    each_row(side, base, [&](uint8_t* row) {
      std::memcpy(kToRows ? row : data, kToRows ? data : row, 16);
      data += 16;
    });
    return;
  }
  each_row(side, base, [&](uint8_t* row) {
    std::memcpy(kToRows ? row : data, kToRows ? data : row, bytes);
    data += bytes;
  });
}

}  // namespace

int64_t Side::low() const {
  int64_t low = 0;
  for (unsigned d = 0; d < 4; ++d) low += std::min<int64_t>(0, int64_t{n[d] - 1} * stride[d]);
  return low;
}

int64_t Side::high() const {
  int64_t high = row_bytes;
  for (unsigned d = 0; d < 4; ++d) high += std::max<int64_t>(0, int64_t{n[d] - 1} * stride[d]);
  return high;
}

Side source_of(const Command& command, uint64_t base) {
  return {base, command.src_row_bytes, command.src_n, command.src_stride};
}

Side destination_of(const Command& command, uint64_t base) {
  return {base, command.dst_row_bytes, command.dst_n, command.dst_stride};
}

void RowWalk::next_row() {
  m_offset = 0;
  for (unsigned d = 0; d < 4; ++d) {
    if (++m_at[d] < m_side.n[d]) {
      m_address += static_cast<uint64_t>(int64_t{m_side.stride[d]});
      return;
    }
    m_at[d] = 0;
    m_address -= static_cast<uint64_t>(int64_t{m_side.n[d] - 1} * m_side.stride[d]);
  }
  m_done = true;
}

namespace {

// Bytes after the change of elements of `from` (of which `kept` matter) to elements of `to`.
uint64_t convert(uint64_t bytes, uint64_t from, uint64_t kept, uint64_t to) {
  return bytes / from * to + std::min(bytes % from, kept);
}

}  // namespace

uint64_t packed_from_source(const Command& command, uint64_t bytes) {
  const uint64_t element = command.elem_bytes;
  if (command.pack == Pack::kPad)
    return convert(bytes, element, element, padded_element(command.elem_bytes));
  if (command.pack == Pack::kDrop)
    return convert(bytes, padded_element(command.elem_bytes), element, element);
  return bytes;
}

uint64_t source_from_packed(const Command& command, uint64_t bytes) {
  const uint64_t element = command.elem_bytes;
  if (command.pack == Pack::kPad)
    return convert(bytes, padded_element(command.elem_bytes), element, element);
  if (command.pack == Pack::kDrop)
    return convert(bytes, element, element, padded_element(command.elem_bytes));
  return bytes;
}

bool gather(const Command& command, const Side& source, BytePort& memory,
            std::vector<uint8_t>& stream) {
  uint8_t* base = base_of(source, memory);
  if (base == nullptr) return false;
  const bool drop = command.pack == Pack::kDrop;
  const uint64_t bytes = drop ? packed_from_source(command, source.bytes()) : source.bytes();
  if (stream.size() < bytes) stream.resize(bytes);
  if (drop) {
    drop_rows(command, source, base, stream.data());
  } else {
    copy_rows<false>(source, base, stream.data());
  }
  if (command.xor80) flip_sign_bits(stream.data(), bytes);
  return true;
}

bool scatter(const Command& command, const Side& destination, BytePort& memory,
             const std::vector<uint8_t>& stream) {
  uint8_t* base = base_of(destination, memory);
  if (base == nullptr) return false;
  if (command.op == Op::kFill) {
    fill_rows(command, destination, base);
  } else if (command.pack == Pack::kPad) {
    pad_rows(command, destination, base, stream.data());
  } else {
    copy_rows<true>(destination, base, const_cast<uint8_t*>(stream.data()));
  }
  return true;
}

std::optional<uint64_t> read_error(const Side& side, BytePort& memory) {
  const int64_t low = side.low();
  const uint64_t first = side.base + static_cast<uint64_t>(low);
  // of the gaps between the rows, too; nearly always there is none
  if (!memory.read(first, static_cast<uint64_t>(side.high() - low))) return {};
  for (RowWalk row(side); !row.done(); row.skip(row.in_row())) {
    if (const auto bad = memory.read(row.address(), row.in_row())) return bad;
  }
  return {};
}

void written(const Side& side, BytePort& memory) {
  const int64_t low = side.low();
  const uint64_t first = side.base + static_cast<uint64_t>(low);
  if (!memory.read(first, static_cast<uint64_t>(side.high() - low))) return;
  for (RowWalk row(side); !row.done(); row.skip(row.in_row()))
    memory.written(row.address(), row.in_row());
}

uint8_t destination_byte(const Command& command, const std::vector<uint8_t>& stream, uint64_t index,
                         uint64_t address) {
  const uint8_t pattern = pattern_byte(command.pattern, address);
  if (command.op == Op::kFill) return pattern;
  if (command.pack != Pack::kPad) return stream[index];
  const uint32_t padded = padded_element(command.elem_bytes);
  const uint64_t element = index / padded, at = index % padded;
  return at < command.elem_bytes ? stream[element * command.elem_bytes + at] : pattern;
}

bool run(const Command& command, const Side& source, BytePort& source_memory,
         const Side& destination, BytePort& destination_memory) {
  std::vector<uint8_t> stream;
  if (command.op == Op::kNop) return true;
  if (command.op == Op::kCopy && !gather(command, source, source_memory, stream)) return false;
  return scatter(command, destination, destination_memory, stream);
}

}  // namespace presil::dma
