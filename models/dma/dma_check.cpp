#include "models/dma/dma_check.h"

#include <algorithm>

#include "models/dma/dma_core.h"
#include "rtl/dma/dma_rules.h"

namespace presil::dma {

namespace {

constexpr uint8_t kSourceWord = 8, kDestinationWord = 16, kCounterWord = 2;

QueueError broken(uint8_t rule) {
  return {PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN, rule, 0, 0};
}
QueueError wrong_length(uint8_t word) {
  return {PRESIL_QUEUE_ERROR_CODE_STREAM_LENGTH, 0, word, 0};
}

bool divides_either_way(uint64_t a, uint64_t b) {
  return a % b == 0 || b % a == 0;
}

/// Row bytes times four 16-bit counts pass 64 bits: stops growing at 2^32.
uint64_t length(const Side& side) {
  uint64_t bytes = side.row_bytes;
  for (const uint16_t n : side.n) bytes = std::min<uint64_t>(bytes * n, uint64_t{1} << 40);
  return bytes;
}

std::optional<QueueError> check_rules(const Command& c, const Side& src, const Side& dst) {
  const bool copy = c.op == Op::kCopy;
  if (copy && c.src_space == Space::kSram && (c.src_region != 0 || c.src_base >> 24))
    return broken(PRESIL_DMA_R1_SRAM_SOURCE);
  if (c.dst_space == Space::kSram && (c.dst_region != 0 || c.dst_base >> 24))
    return broken(PRESIL_DMA_R2_SRAM_DESTINATION);
  if (copy && (c.pack == Pack::kNone) != (c.elem_bytes == 0)) return broken(PRESIL_DMA_R3_ELEMENT);
  if (copy && c.pattern != 0 && c.pack != Pack::kPad) return broken(PRESIL_DMA_R4_PATTERN);
  const uint64_t s = length(src), d = length(dst);
  if (copy && s >> 32) return wrong_length(kSourceWord);
  if (d >> 32) return wrong_length(kDestinationWord);
  if (!copy) return std::nullopt;
  const uint64_t element = c.elem_bytes, padded = padded_element(c.elem_bytes);
  switch (c.pack) {
    case Pack::kNone:
      if (s != d) return wrong_length(kDestinationWord);
      break;
    case Pack::kPad:
      if (s % element != 0 || !divides_either_way(src.row_bytes, element)) {
        return wrong_length(kSourceWord);
      }
      if (d != s / element * padded || !divides_either_way(dst.row_bytes, padded)) {
        return wrong_length(kDestinationWord);
      }
      break;
    case Pack::kDrop:
      if (s % padded != 0 || !divides_either_way(src.row_bytes, padded)) {
        return wrong_length(kSourceWord);
      }
      if (d != s / padded * element || !divides_either_way(dst.row_bytes, element)) {
        return wrong_length(kDestinationWord);
      }
      break;
  }
  return std::nullopt;
}

std::optional<QueueError> check_address(const Side& side, Space space, unsigned region,
                                        const JobContext& job, uint32_t sram_bytes, uint8_t word) {
  const int64_t first = static_cast<int64_t>(side.base) + side.low();
  const int64_t end = static_cast<int64_t>(side.base) + side.high();
  const bool sram = space == Space::kSram;
  const int64_t limit = sram ? int64_t{sram_bytes} - job.entry.sram_base
                             : int64_t{job.entry.region_limit[region]} << 12;
  if (first >= 0 && end <= limit) return std::nullopt;
  const int64_t blame = first < 0 ? first : end - 1;  // the byte that is outside
  const uint64_t base = sram ? job.entry.sram_base : job.entry.region_base[region];
  return QueueError{PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE, 0, word,
                    (base + static_cast<uint64_t>(blame)) & 0xffffffffffull};
}

}  // namespace

std::optional<QueueError> check(const uint32_t* words, const JobContext& job, uint32_t sram_bytes) {
  if (const auto violation = Command::check(words)) {
    return QueueError{violation->code, 0, static_cast<uint8_t>(violation->word), 0};
  }
  const Command c = Command::decode(words);
  const Side src = source_of(c, c.src_base), dst = destination_of(c, c.dst_base);
  const bool moves = c.op != Op::kNop;
  if (moves) {
    if (const auto error = check_rules(c, src, dst)) return error;
  }
  for (const uint8_t id : {c.wait0, c.wait1, c.signal}) {
    if (!job.counter_legal(id))
      return QueueError{PRESIL_QUEUE_ERROR_CODE_SYNC_LIMIT, 0, kCounterWord, 0};
  }
  if (!moves) return std::nullopt;
  if (c.op == Op::kCopy) {
    if (const auto error =
            check_address(src, c.src_space, c.src_region, job, sram_bytes, kSourceWord)) {
      return error;
    }
  }
  return check_address(dst, c.dst_space, c.dst_region, job, sram_bytes, kDestinationWord);
}

}  // namespace presil::dma
