#include "models/dsp/dsp_check.h"

#include "rtl/dsp/dsp_rules.h"
#include "rtl/dsp/dsp_view.h"

namespace presil::dsp {
namespace {

constexpr uint8_t kCounterWord = 2, kEntryWord = 7, kArgumentWord = 8, kRegionWord = 11,
                  kImageWord = 12, kSizeWord = 13, kPlaceWord = 14;

QueueError broken(uint8_t rule, uint8_t word) {
  return {PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN, rule, word, 0};
}

/// A part of the SRAM, relative to the job's.
std::optional<QueueError> in_sram(const JobContext& job, uint32_t base, uint64_t bytes,
                                  uint32_t sram_bytes, uint8_t word) {
  const uint64_t first = job.sram_address(base);
  if (first + bytes <= sram_bytes) return std::nullopt;
  return QueueError{PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE, 0, word, first};
}

std::optional<QueueError> check_rules(const Command& c, const Limits& limits) {
  if (c.op == Op::kRun) {
    if (c.entry < PRESIL_DSP_ITCM || c.entry >= PRESIL_DSP_ITCM + limits.itcm_bytes)
      return broken(PRESIL_DSP_R1_ENTRY, kEntryWord);
    if (c.on_trap == OnTrap::kGoOn && !limits.on_trap)
      return QueueError{PRESIL_QUEUE_ERROR_CODE_UNSUPPORTED, 0, 0, 0};
    return std::nullopt;
  }
  if (c.image_bytes > limits.itcm_bytes) return broken(PRESIL_DSP_R3_IMAGE_FITS, kSizeWord);
  if (c.image_in_sram && (c.image_region != 0 || c.image_offset >> 24))
    return broken(PRESIL_DSP_R4_SRAM_IMAGE, kPlaceWord);
  return std::nullopt;
}

std::optional<QueueError> check_addresses(const Command& c, const JobContext& job,
                                          const Limits& limits) {
  if (c.op == Op::kRun) {
    if (const auto error =
            in_sram(job, c.args_base, c.args_bytes, limits.sram_bytes, kArgumentWord))
      return error;
    return in_sram(job, c.regions_base, uint64_t{PRESIL_DSP_REGION_BYTES} * c.region_count,
                   limits.sram_bytes, kRegionWord);
  }
  if (c.image_in_sram)
    return in_sram(job, c.image_offset, c.image_bytes, limits.sram_bytes, kImageWord);
  if (job.system_address(c.image_region, c.image_offset, c.image_bytes)) return std::nullopt;
  return QueueError{PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE, 0, kImageWord,
                    (job.entry.region_base[c.image_region] + c.image_offset) & 0xffffffffff};
}

}  // namespace

std::optional<QueueError> check(const uint32_t* words, const JobContext& job,
                                const Limits& limits) {
  if (const auto violation = Command::check(words))
    return QueueError{violation->code, 0, static_cast<uint8_t>(violation->word), 0};
  const Command c = Command::decode(words);
  const bool works = c.op != Op::kNop;
  if (works) {
    if (const auto error = check_rules(c, limits)) return error;
  }
  for (const uint8_t id : {c.wait0, c.wait1, c.wait2, c.signal}) {
    if (!job.counter_legal(id))
      return QueueError{PRESIL_QUEUE_ERROR_CODE_SYNC_LIMIT, 0, kCounterWord, 0};
  }
  return works ? check_addresses(c, job, limits) : std::nullopt;
}

}  // namespace presil::dsp
