#include "tests/dma/dma_oracle.h"

#include <algorithm>
#include <array>

namespace presil::dma::test {
namespace {

struct Side {
  uint64_t base;
  uint64_t row;
  std::array<uint16_t, 4> n;
  std::array<int32_t, 4> stride;

  uint64_t bytes() const { return row * n[0] * n[1] * n[2] * n[3]; }
  /// Where byte k of the stream lies: k counts bytes of a row, then n1, n2, n3, n4.
  int64_t place(uint64_t k) const {
    int64_t at = static_cast<int64_t>(base + k % row);
    k /= row;
    for (int d = 0; d < 4; ++d) {
      at += static_cast<int64_t>(k % n[d]) * stride[d];
      k /= n[d];
    }
    return at;
  }
};

uint64_t up16(uint64_t bytes) {
  return bytes + (16 - bytes % 16) % 16;
}

struct Random {
  std::mt19937& engine;
  uint64_t below(uint64_t n) { return engine() % n; }
  bool one_in(unsigned n) { return below(n) == 0; }
};

// Splits `total` into four counts at random, prime factor by prime factor.
std::array<uint16_t, 4> split(Random random, uint64_t total) {
  std::array<uint16_t, 4> n{1, 1, 1, 1};
  for (uint64_t p = 2; total > 1; ++p) {
    for (; total % p == 0; total /= p) n[random.below(4)] *= static_cast<uint16_t>(p);
  }
  return n;
}

uint64_t divisor(Random random, uint64_t total) {
  std::vector<uint64_t> all;
  for (uint64_t d = 1; d <= total; ++d) {
    if (total % d == 0) all.push_back(d);
  }
  return all[random.below(all.size())];
}

// A side of `elements` elements: rows of whole elements, or elements of whole rows.
Side random_side(Random random, uint64_t elements, uint64_t element) {
  Side s{};
  s.row = random.one_in(2) ? element * divisor(random, elements) : divisor(random, element);
  s.n = split(random, elements * element / s.row);
  int64_t follows = static_cast<int64_t>(s.row);
  for (int d = 0; d < 4; ++d) {
    switch (random.below(6)) {
      case 0:
        s.stride[d] = 0;
        break;
      case 1:
        s.stride[d] = static_cast<int32_t>(-follows);
        break;
      case 2:
        s.stride[d] = static_cast<int32_t>(follows + 1 + random.below(9));
        break;
      case 3:
        s.stride[d] =
            static_cast<int32_t>(random.below(2 * s.row + 9)) - static_cast<int32_t>(s.row);
        break;
      default:
        s.stride[d] = static_cast<int32_t>(follows);
    }
    follows *= s.n[d];
  }
  return s;
}

// Memory around all that the side touches, and the base in it.
Memory around(Random random, Side& s) {
  int64_t low = 0, high = 0;
  for (uint64_t k = 0; k < s.bytes(); ++k) {
    low = std::min(low, s.place(k));
    high = std::max(high, s.place(k));
  }
  Memory m;
  s.base = static_cast<uint64_t>(static_cast<int64_t>(random.below(20)) - low);
  m.address = 0x1000 + random.below(7);
  m.bytes.resize(s.base + static_cast<uint64_t>(high) + 1 + random.below(20));
  for (uint8_t& b : m.bytes) b = static_cast<uint8_t>(random.below(256));
  return m;
}

}  // namespace

std::vector<uint8_t> oracle(const Command& c, const Memory& src, const Memory& dst) {
  const Side from{c.src_base, c.src_row_bytes, c.src_n, c.src_stride};
  const Side to{c.dst_base, c.dst_row_bytes, c.dst_n, c.dst_stride};
  std::vector<uint8_t> after = dst.bytes;
  // An element has `in` bytes on its way in and `out` on its way out, `data` of them data.
  const uint64_t data = c.pack == Pack::kNone ? 1 : c.elem_bytes;
  const uint64_t in = c.pack == Pack::kDrop ? up16(data) : data;
  const uint64_t out = c.pack == Pack::kPad ? up16(data) : data;
  for (uint64_t k = 0; k < to.bytes(); ++k) {
    const uint64_t at = static_cast<uint64_t>(to.place(k));
    if (c.op == Op::kFill || k % out >= data) {
      const unsigned lane = static_cast<unsigned>((dst.address + at) % 4);
      after.at(at) = static_cast<uint8_t>(c.pattern >> 8 * lane);
    } else {
      const uint8_t byte = src.bytes.at(static_cast<uint64_t>(from.place(k / out * in + k % out)));
      after.at(at) = static_cast<uint8_t>(c.xor80 ? byte ^ 0x80 : byte);
    }
  }
  return after;
}

Case random_case(std::mt19937& engine) {
  Random random{engine};
  Case result;
  Command& c = result.command;
  const bool fill = random.one_in(5);
  c = Command::make(fill ? Op::kFill : Op::kCopy);
  const uint64_t elements = 1 + random.below(random.one_in(4) ? 200 : 24);
  uint64_t in = 1 + random.below(random.one_in(4) ? 200 : 40), out = in;
  c.dst_space = Space::kSystem;
  if (!fill) {
    c.src_space = Space::kSystem;
    c.xor80 = random.one_in(3);
    c.pack = static_cast<Pack>(random.below(3));
    if (c.pack != Pack::kNone) c.elem_bytes = static_cast<uint16_t>(in);
    if (c.pack == Pack::kPad) out = up16(in);
    if (c.pack == Pack::kDrop) in = up16(in);
  }
  if (fill || (c.pack == Pack::kPad && !random.one_in(4))) c.pattern = engine();
  Side to = random_side(random, elements, out);
  result.dst = around(random, to);
  c.dst_base = to.base;
  c.dst_row_bytes = static_cast<uint32_t>(to.row);
  c.dst_n = to.n;
  c.dst_stride = to.stride;
  if (!fill) {
    Side from = random_side(random, elements, in);
    result.src = around(random, from);
    c.src_base = from.base;
    c.src_row_bytes = static_cast<uint32_t>(from.row);
    c.src_n = from.n;
    c.src_stride = from.stride;
  }
  return result;
}

}  // namespace presil::dma::test
