// Printed from rtl/common/job.rdl by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rtl/common/job.h"
#include "rtl/common/command_text.h"

namespace presil {

// Job ring entry. Tells a queue which stream to run and on what: command addresses are (region, offset), counters and wait values relative; the entry carries the bases, so a stream is never patched.
// A plain value, one member per field; a fresh one is all zero but for what must not be.
struct JobEntry {
  bool valid = true;  // The entry is complete; an entry without it is refused.
  bool irq_at_end = false;  // Raise irq_status.job_done when the last command has completed.
  bool stop_on_error = true;  // On a refused command or bus error the queue stops (1) or skips the rest of this job (0, refused today).
  bool barrier = false;  // Offer the first command only when every counter sync_base + 1 .. sync_base + sync_count has reached value_base.
  uint8_t context = 0;  // Context of the job: which context register of the queue limits it.
  uint8_t isa_version = 1;  // Version of the command words in the stream.
  uint32_t tag = 0;  // Job id, copied into every error and trace record.
  uint64_t stream_address = 0;  // [bytes] System address of the first command.
  uint32_t command_count = 1;  // [commands] Commands in the stream.
  uint8_t sync_base = 0;  // Added to every non-zero counter id of the stream.
  uint8_t sync_count = 0;  // Counters the stream uses: its ids are 1 .. sync_count, a larger one is refused. The barrier looks at these.
  int32_t value_base = 0;  // Added to every wait value, wrapping.
  uint32_t sram_base = 0;  // [bytes] Added to SRAM addresses of the stream.
  std::array<uint64_t, 8> region_base{};  // [bytes] region_base0, region_base1, region_base2, region_base3, region_base4, region_base5, region_base6, region_base7
  std::array<uint16_t, 8> region_limit{};  // [pages of 4 KiB] region_limit0, region_limit1, region_limit2, region_limit3, region_limit4, region_limit5, region_limit6, region_limit7
  uint32_t crc = 0;  // CRC-32 of the other words (IEEE 802.3, as zlib's). Looked at where control.check of the queue is 1.

  static constexpr unsigned kWords = PRESIL_JOB_ENTRY_WORDS;
  static constexpr unsigned kBytes = PRESIL_JOB_ENTRY_BYTES;
  static constexpr unsigned kPitch = PRESIL_JOB_ENTRY_PITCH;  // bytes from one to the next in memory
  static constexpr unsigned kFields = PRESIL_JOB_ENTRY_FIELDS;

  // Legal values of fields that hold numbers.
  static constexpr uint32_t kContextMax = 255u;
  static constexpr uint32_t kTagMax = 4294967295u;
  static constexpr uint64_t kStreamAddressMax = 1099511627775;
  static constexpr uint32_t kCommandCountMin = 1;
  static constexpr uint32_t kCommandCountMax = 16777215u;
  static constexpr uint32_t kSyncBaseMax = 255u;
  static constexpr uint32_t kSyncCountMax = 255u;
  static constexpr int32_t kValueBaseMax = 2147483647;
  static constexpr uint32_t kSramBaseMax = 16777215u;
  static constexpr uint64_t kRegionBase0Max = 1099511627775;
  static constexpr uint64_t kRegionBase1Max = 1099511627775;
  static constexpr uint64_t kRegionBase2Max = 1099511627775;
  static constexpr uint64_t kRegionBase3Max = 1099511627775;
  static constexpr uint64_t kRegionBase4Max = 1099511627775;
  static constexpr uint64_t kRegionBase5Max = 1099511627775;
  static constexpr uint64_t kRegionBase6Max = 1099511627775;
  static constexpr uint64_t kRegionBase7Max = 1099511627775;
  static constexpr uint32_t kRegionLimit0Max = 65535u;
  static constexpr uint32_t kRegionLimit1Max = 65535u;
  static constexpr uint32_t kRegionLimit2Max = 65535u;
  static constexpr uint32_t kRegionLimit3Max = 65535u;
  static constexpr uint32_t kRegionLimit4Max = 65535u;
  static constexpr uint32_t kRegionLimit5Max = 65535u;
  static constexpr uint32_t kRegionLimit6Max = 65535u;
  static constexpr uint32_t kRegionLimit7Max = 65535u;
  static constexpr uint32_t kCrcMax = 4294967295u;

  static const presil_command_format& format() { return *presil_job_entry_format(); }

  // Field i of enum presil_job_entry_field as a number.
  int64_t get(unsigned field) const {
    switch (field) {
      case PRESIL_JOB_ENTRY_VALID: return int64_t(valid);
      case PRESIL_JOB_ENTRY_IRQ_AT_END: return int64_t(irq_at_end);
      case PRESIL_JOB_ENTRY_STOP_ON_ERROR: return int64_t(stop_on_error);
      case PRESIL_JOB_ENTRY_BARRIER: return int64_t(barrier);
      case PRESIL_JOB_ENTRY_CONTEXT: return int64_t(context);
      case PRESIL_JOB_ENTRY_ISA_VERSION: return int64_t(isa_version);
      case PRESIL_JOB_ENTRY_TAG: return int64_t(tag);
      case PRESIL_JOB_ENTRY_STREAM_ADDRESS: return int64_t(stream_address);
      case PRESIL_JOB_ENTRY_COMMAND_COUNT: return int64_t(command_count);
      case PRESIL_JOB_ENTRY_SYNC_BASE: return int64_t(sync_base);
      case PRESIL_JOB_ENTRY_SYNC_COUNT: return int64_t(sync_count);
      case PRESIL_JOB_ENTRY_VALUE_BASE: return int64_t(value_base);
      case PRESIL_JOB_ENTRY_SRAM_BASE: return int64_t(sram_base);
      case PRESIL_JOB_ENTRY_REGION_BASE0: return int64_t(region_base[0]);
      case PRESIL_JOB_ENTRY_REGION_BASE1: return int64_t(region_base[1]);
      case PRESIL_JOB_ENTRY_REGION_BASE2: return int64_t(region_base[2]);
      case PRESIL_JOB_ENTRY_REGION_BASE3: return int64_t(region_base[3]);
      case PRESIL_JOB_ENTRY_REGION_BASE4: return int64_t(region_base[4]);
      case PRESIL_JOB_ENTRY_REGION_BASE5: return int64_t(region_base[5]);
      case PRESIL_JOB_ENTRY_REGION_BASE6: return int64_t(region_base[6]);
      case PRESIL_JOB_ENTRY_REGION_BASE7: return int64_t(region_base[7]);
      case PRESIL_JOB_ENTRY_REGION_LIMIT0: return int64_t(region_limit[0]);
      case PRESIL_JOB_ENTRY_REGION_LIMIT1: return int64_t(region_limit[1]);
      case PRESIL_JOB_ENTRY_REGION_LIMIT2: return int64_t(region_limit[2]);
      case PRESIL_JOB_ENTRY_REGION_LIMIT3: return int64_t(region_limit[3]);
      case PRESIL_JOB_ENTRY_REGION_LIMIT4: return int64_t(region_limit[4]);
      case PRESIL_JOB_ENTRY_REGION_LIMIT5: return int64_t(region_limit[5]);
      case PRESIL_JOB_ENTRY_REGION_LIMIT6: return int64_t(region_limit[6]);
      case PRESIL_JOB_ENTRY_REGION_LIMIT7: return int64_t(region_limit[7]);
      case PRESIL_JOB_ENTRY_CRC: return int64_t(crc);
      default: return 0;
    }
  }
  void set(unsigned field, int64_t value) {
    switch (field) {
      case PRESIL_JOB_ENTRY_VALID: valid = value != 0; break;
      case PRESIL_JOB_ENTRY_IRQ_AT_END: irq_at_end = value != 0; break;
      case PRESIL_JOB_ENTRY_STOP_ON_ERROR: stop_on_error = value != 0; break;
      case PRESIL_JOB_ENTRY_BARRIER: barrier = value != 0; break;
      case PRESIL_JOB_ENTRY_CONTEXT: context = uint8_t(value); break;
      case PRESIL_JOB_ENTRY_ISA_VERSION: isa_version = uint8_t(value); break;
      case PRESIL_JOB_ENTRY_TAG: tag = uint32_t(value); break;
      case PRESIL_JOB_ENTRY_STREAM_ADDRESS: stream_address = uint64_t(value); break;
      case PRESIL_JOB_ENTRY_COMMAND_COUNT: command_count = uint32_t(value); break;
      case PRESIL_JOB_ENTRY_SYNC_BASE: sync_base = uint8_t(value); break;
      case PRESIL_JOB_ENTRY_SYNC_COUNT: sync_count = uint8_t(value); break;
      case PRESIL_JOB_ENTRY_VALUE_BASE: value_base = int32_t(value); break;
      case PRESIL_JOB_ENTRY_SRAM_BASE: sram_base = uint32_t(value); break;
      case PRESIL_JOB_ENTRY_REGION_BASE0: region_base[0] = uint64_t(value); break;
      case PRESIL_JOB_ENTRY_REGION_BASE1: region_base[1] = uint64_t(value); break;
      case PRESIL_JOB_ENTRY_REGION_BASE2: region_base[2] = uint64_t(value); break;
      case PRESIL_JOB_ENTRY_REGION_BASE3: region_base[3] = uint64_t(value); break;
      case PRESIL_JOB_ENTRY_REGION_BASE4: region_base[4] = uint64_t(value); break;
      case PRESIL_JOB_ENTRY_REGION_BASE5: region_base[5] = uint64_t(value); break;
      case PRESIL_JOB_ENTRY_REGION_BASE6: region_base[6] = uint64_t(value); break;
      case PRESIL_JOB_ENTRY_REGION_BASE7: region_base[7] = uint64_t(value); break;
      case PRESIL_JOB_ENTRY_REGION_LIMIT0: region_limit[0] = uint16_t(value); break;
      case PRESIL_JOB_ENTRY_REGION_LIMIT1: region_limit[1] = uint16_t(value); break;
      case PRESIL_JOB_ENTRY_REGION_LIMIT2: region_limit[2] = uint16_t(value); break;
      case PRESIL_JOB_ENTRY_REGION_LIMIT3: region_limit[3] = uint16_t(value); break;
      case PRESIL_JOB_ENTRY_REGION_LIMIT4: region_limit[4] = uint16_t(value); break;
      case PRESIL_JOB_ENTRY_REGION_LIMIT5: region_limit[5] = uint16_t(value); break;
      case PRESIL_JOB_ENTRY_REGION_LIMIT6: region_limit[6] = uint16_t(value); break;
      case PRESIL_JOB_ENTRY_REGION_LIMIT7: region_limit[7] = uint16_t(value); break;
      case PRESIL_JOB_ENTRY_CRC: crc = uint32_t(value); break;
      default: break;
    }
  }

  static JobEntry decode(const uint32_t* words) {
    JobEntry c;
    for (unsigned i = 0; i < kFields; ++i) c.set(i, presil_field_get(words, &format().fields[i]));
    return c;
  }
  // Writes all kWords words. A member too large for its field is cut; check() finds it before.
  void encode(uint32_t* words) const {
    for (unsigned i = 0; i < kWords; ++i) words[i] = 0;
    for (unsigned i = 0; i < kFields; ++i) presil_field_set(words, &format().fields[i], get(i));
  }

  // The first field that is out of its legal range, misaligned, unsupported or set though unused; of words
  // also reserved bits. Rules between fields are not looked at.
  static std::optional<presil_violation> check(const uint32_t* words) {
    presil_violation v;
    if (presil_command_check(&format(), words, &v) == PRESIL_QUEUE_ERROR_CODE_NONE) return std::nullopt;
    return v;
  }
  std::optional<presil_violation> check() const {
    presil_violation v;
    for (unsigned i = 0; i < kFields; ++i) {
      if (presil_field_check(&format().fields[i], get(i), -1, &v)) return v;
    }
    return std::nullopt;
  }

  // One line: the fields that differ from a fresh one.
  std::string to_text() const {
    uint32_t words[kWords];
    encode(words);
    return presil::command_to_text(format(), words);
  }
  // The inverse; on failure nullopt and, if error is given, one sentence.
  static std::optional<JobEntry> from_text(std::string_view text, std::string* error = nullptr) {
    uint32_t words[kWords];
    if (!presil::command_from_text(format(), text, words, error)) return std::nullopt;
    return decode(words);
  }

  friend bool operator==(const JobEntry& a, const JobEntry& b) {
    for (unsigned i = 0; i < kFields; ++i) {
      if (a.get(i) != b.get(i)) return false;
    }
    return true;
  }
  friend bool operator!=(const JobEntry& a, const JobEntry& b) { return !(a == b); }
};

}  // namespace presil
