// Which DMA commands are refused: the list of rtl/dma/README.md, in its order.
#include "models/dma/dma_core.h"

namespace presil::dma {
namespace {

constexpr uint64_t kSramRange = uint64_t{1} << 24;
constexpr uint64_t kLengthRange = uint64_t{1} << 32;
constexpr uint8_t kWordCounters = 2, kWordSource = 8, kWordDestination = 16;

QueueError broken(uint8_t rule) {
  return {PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN, rule, 0, 0};
}

QueueError length(uint8_t rule, uint8_t word) {
  return {PRESIL_QUEUE_ERROR_CODE_STREAM_LENGTH, rule, word, 0};
}

/// Does a row hold whole elements, or an element whole rows?
bool fits(uint64_t row, uint64_t element) {
  return row % element == 0 || element % row == 0;
}

/// Bytes of the stream, not wrapping: 65535^4 * 2^24 exceeds 64 bits, so it stops at the limit.
uint64_t bounded_bytes(const Shape& s) {
  uint64_t bytes = s.row_bytes;
  for (const uint16_t n : s.n) {
    bytes *= n;
    if (bytes >= kLengthRange) return kLengthRange;
  }
  return bytes;
}

std::optional<QueueError> check_lengths(const Command& c) {
  const bool copy = c.op == Op::kCopy;
  const Shape src = Shape::source(c), dst = Shape::destination(c);
  const uint64_t s = copy ? bounded_bytes(src) : 0;
  const uint64_t d = bounded_bytes(dst);
  if (s >= kLengthRange) return length(5, kWordSource);
  if (d >= kLengthRange) return length(5, kWordDestination);
  if (!copy) return std::nullopt;
  const uint64_t data = c.elem_bytes, element = (data + 15) / 16 * 16;
  switch (c.pack) {
    case Pack::kNone:
      if (s != d) return length(6, kWordDestination);
      break;
    case Pack::kPad:
      if (s % data != 0 || !fits(src.row_bytes, data)) return length(7, kWordSource);
      if (d != s / data * element || !fits(dst.row_bytes, element))
        return length(7, kWordDestination);
      break;
    case Pack::kDrop:
      if (s % element != 0 || !fits(src.row_bytes, element)) return length(8, kWordSource);
      if (d != s / element * data || !fits(dst.row_bytes, data)) return length(8, kWordDestination);
      break;
  }
  return std::nullopt;
}

std::optional<QueueError> check_range(const Shape& s, Space space, unsigned region, uint8_t word,
                                      const JobContext& job, uint32_t sram_bytes) {
  const int64_t first = static_cast<int64_t>(s.base) + s.low();
  const int64_t end = static_cast<int64_t>(s.base) + s.high();
  const int64_t limit =
      space == Space::kSram
          ? static_cast<int64_t>(sram_bytes) - static_cast<int64_t>(job.entry.sram_base)
          : static_cast<int64_t>(job.entry.region_limit[region]) << 12;
  if (first >= 0 && end <= limit) return std::nullopt;
  return QueueError{PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE, 0, word, s.base};
}

std::optional<QueueError> check_rules(const Command& c) {
  const bool copy = c.op == Op::kCopy;
  if (copy && c.src_space == Space::kSram && (c.src_region != 0 || c.src_base >= kSramRange)) {
    return broken(1);
  }
  if (c.dst_space == Space::kSram && (c.dst_region != 0 || c.dst_base >= kSramRange))
    return broken(2);
  if (copy && (c.pack == Pack::kNone) != (c.elem_bytes == 0)) return broken(3);
  if (copy && c.pack != Pack::kPad && c.pattern != 0) return broken(4);
  return check_lengths(c);
}

}  // namespace

std::optional<QueueError> check(const uint32_t* words, const JobContext& job, uint32_t sram_bytes) {
  if (const auto v = Command::check(words))
    return QueueError{v->code, 0, static_cast<uint8_t>(v->word), 0};
  const Command c = Command::decode(words);
  if (c.op != Op::kNop) {
    if (const auto fault = check_rules(c)) return fault;
  }
  for (const uint8_t id : {c.wait0, c.wait1, c.signal}) {
    if (!job.counter_legal(id))
      return QueueError{PRESIL_QUEUE_ERROR_CODE_SYNC_LIMIT, 0, kWordCounters, 0};
  }
  if (c.op == Op::kCopy) {
    if (const auto fault = check_range(Shape::source(c), c.src_space, c.src_region, kWordSource,
                                       job, sram_bytes)) {
      return fault;
    }
  }
  if (c.op != Op::kNop) {
    return check_range(Shape::destination(c), c.dst_space, c.dst_region, kWordDestination, job,
                       sram_bytes);
  }
  return std::nullopt;
}

}  // namespace presil::dma
