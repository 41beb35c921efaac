// Printed from rtl/dsp/dsp.rdl by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rtl/dsp/dsp.h"
#include "rtl/common/command_text.h"

namespace presil::dsp {

enum class Op : uint8_t {
  kNop = 0,  // Waits, then signals; uses words 0 to 6 only.
  kRun = 1,  // Calls the function at `entry` of the resident image with an argument block and up to 16 regions.
  kSelect = 2,  // Copies an image into the instruction memory; it is resident until the next select.
};

enum class OnTrap : uint8_t {
  kStop = 0,  // The queue stops with error kernel_trap; signal is not sent.
  kGoOn = 1,  // The trap registers are filled, signal is sent, the queue goes on: for tests of the block.
};

// DSP command. 64 bytes. Words 0 to 6 have the DLA's meaning and positions.
// A plain value, one member per field; a fresh one is a legal nop.
struct Command {
  Op op = Op::kNop;  // Operation.
  bool fence = false;  // Begin only when every earlier command has completed (always so: commands run one after the other).
  bool irq = false;  // Raise irq_status.command_done on completion.
  OnTrap on_trap = OnTrap::kStop;  // What a trap does to the queue; go_on needs capability.on_trap.
  uint8_t isa_version = 1;  // Version of the command word.
  uint32_t tag = 0;  // Key into the debug map: command, tile, layer, source op.
  uint8_t wait0 = 0;  // Counter to wait for; 0: none.
  uint8_t wait1 = 0;  // Second counter to wait for; 0: none.
  uint8_t wait2 = 0;  // Third counter to wait for; 0: none.
  uint8_t signal = 0;  // Counter that signal_add is added to on completion; 0: none.
  int32_t wait0_value = 0;  // Relative to value_base of the job; met when int32(counter - value_base - value) >= 0.
  int32_t wait1_value = 0;  // As wait0_value, for wait1.
  int32_t wait2_value = 0;  // As wait0_value, for wait2.
  uint16_t signal_add = 0;  // Added to the counter named by signal.
  uint8_t region_count = 0;  // [regions] Entries of the region table.
  uint32_t entry = 0;  // Address of the function in the program's view, inside the instruction memory.
  uint32_t args_base = 0;  // [bytes] SRAM address of the argument block; the program may read it.
  uint32_t args_bytes = 0;  // [bytes] Size of the argument block.
  uint32_t watchdog = 0;  // [cycles] Most cycles from the first instruction to the return.
  uint32_t regions_base = 0;  // [bytes] SRAM address of the region table, 16 bytes an entry.
  uint32_t image_offset = 0;  // [bytes] First byte of the image: offset in its region, or SRAM address (24 bits).
  uint32_t image_bytes = 0;  // [bytes] Size of the image, at most that of the instruction memory.
  uint8_t image_region = 0;  // Region of the image (image_in_sram 0, else 0).
  bool image_in_sram = false;  // The image is in SRAM.
  uint16_t crc = 0;  // Low half of the CRC-32 of the words without this field. The driver writes it when it loads the network; looked at where control.check of the queue is 1.
  uint32_t image_crc = 0;  // CRC-32 of the image (IEEE 802.3, as zlib's). select: what the bytes must have; run: what the resident image must have.

  static constexpr unsigned kWords = PRESIL_DSP_COMMAND_WORDS;
  static constexpr unsigned kBytes = PRESIL_DSP_COMMAND_BYTES;
  static constexpr unsigned kPitch = PRESIL_DSP_COMMAND_PITCH;  // bytes from one to the next in memory
  static constexpr unsigned kFields = PRESIL_DSP_COMMAND_FIELDS;

  // Legal values of fields that hold numbers.
  static constexpr uint32_t kTagMax = 4294967295u;
  static constexpr uint32_t kWait0Max = 255u;
  static constexpr uint32_t kWait1Max = 255u;
  static constexpr uint32_t kWait2Max = 255u;
  static constexpr uint32_t kSignalMax = 255u;
  static constexpr int32_t kWait0ValueMax = 2147483647;
  static constexpr int32_t kWait1ValueMax = 2147483647;
  static constexpr int32_t kWait2ValueMax = 2147483647;
  static constexpr uint32_t kSignalAddMax = 65535u;
  static constexpr uint32_t kRegionCountMin = 1;
  static constexpr uint32_t kRegionCountMax = 16u;
  static constexpr uint32_t kEntryMax = 4294967295u;
  static constexpr uint32_t kArgsBaseMax = 16777215u;
  static constexpr uint32_t kArgsBytesMin = 16;
  static constexpr uint32_t kArgsBytesMax = 16777215u;
  static constexpr uint32_t kWatchdogMin = 1;
  static constexpr uint32_t kWatchdogMax = 4294967295u;
  static constexpr uint32_t kRegionsBaseMax = 16777215u;
  static constexpr uint32_t kImageOffsetMax = 4294967295u;
  static constexpr uint32_t kImageBytesMin = 16;
  static constexpr uint32_t kImageBytesMax = 4294967295u;
  static constexpr uint32_t kImageRegionMax = 7u;
  static constexpr uint32_t kCrcMax = 65535u;
  static constexpr uint32_t kImageCrcMax = 4294967295u;

  static const presil_command_format& format() { return *presil_dsp_command_format(); }

  // A command whose fields all hold the legal value nearest to 0 for this operation.
  static Command make(Op op) {
    Command c;
    c.op = op;
    for (unsigned i = 1; i < kFields; ++i) {
      const presil_field& f = format().fields[i];
      c.set(i, presil_field_used(&f, int64_t(op)) ? presil_field_default(&f) : 0);
    }
    return c;
  }

  // Field i of enum presil_dsp_command_field as a number.
  int64_t get(unsigned field) const {
    switch (field) {
      case PRESIL_DSP_COMMAND_OP: return int64_t(op);
      case PRESIL_DSP_COMMAND_FENCE: return int64_t(fence);
      case PRESIL_DSP_COMMAND_IRQ: return int64_t(irq);
      case PRESIL_DSP_COMMAND_ON_TRAP: return int64_t(on_trap);
      case PRESIL_DSP_COMMAND_ISA_VERSION: return int64_t(isa_version);
      case PRESIL_DSP_COMMAND_TAG: return int64_t(tag);
      case PRESIL_DSP_COMMAND_WAIT0: return int64_t(wait0);
      case PRESIL_DSP_COMMAND_WAIT1: return int64_t(wait1);
      case PRESIL_DSP_COMMAND_WAIT2: return int64_t(wait2);
      case PRESIL_DSP_COMMAND_SIGNAL: return int64_t(signal);
      case PRESIL_DSP_COMMAND_WAIT0_VALUE: return int64_t(wait0_value);
      case PRESIL_DSP_COMMAND_WAIT1_VALUE: return int64_t(wait1_value);
      case PRESIL_DSP_COMMAND_WAIT2_VALUE: return int64_t(wait2_value);
      case PRESIL_DSP_COMMAND_SIGNAL_ADD: return int64_t(signal_add);
      case PRESIL_DSP_COMMAND_REGION_COUNT: return int64_t(region_count);
      case PRESIL_DSP_COMMAND_ENTRY: return int64_t(entry);
      case PRESIL_DSP_COMMAND_ARGS_BASE: return int64_t(args_base);
      case PRESIL_DSP_COMMAND_ARGS_BYTES: return int64_t(args_bytes);
      case PRESIL_DSP_COMMAND_WATCHDOG: return int64_t(watchdog);
      case PRESIL_DSP_COMMAND_REGIONS_BASE: return int64_t(regions_base);
      case PRESIL_DSP_COMMAND_IMAGE_OFFSET: return int64_t(image_offset);
      case PRESIL_DSP_COMMAND_IMAGE_BYTES: return int64_t(image_bytes);
      case PRESIL_DSP_COMMAND_IMAGE_REGION: return int64_t(image_region);
      case PRESIL_DSP_COMMAND_IMAGE_IN_SRAM: return int64_t(image_in_sram);
      case PRESIL_DSP_COMMAND_CRC: return int64_t(crc);
      case PRESIL_DSP_COMMAND_IMAGE_CRC: return int64_t(image_crc);
      default: return 0;
    }
  }
  void set(unsigned field, int64_t value) {
    switch (field) {
      case PRESIL_DSP_COMMAND_OP: op = Op(value); break;
      case PRESIL_DSP_COMMAND_FENCE: fence = value != 0; break;
      case PRESIL_DSP_COMMAND_IRQ: irq = value != 0; break;
      case PRESIL_DSP_COMMAND_ON_TRAP: on_trap = OnTrap(value); break;
      case PRESIL_DSP_COMMAND_ISA_VERSION: isa_version = uint8_t(value); break;
      case PRESIL_DSP_COMMAND_TAG: tag = uint32_t(value); break;
      case PRESIL_DSP_COMMAND_WAIT0: wait0 = uint8_t(value); break;
      case PRESIL_DSP_COMMAND_WAIT1: wait1 = uint8_t(value); break;
      case PRESIL_DSP_COMMAND_WAIT2: wait2 = uint8_t(value); break;
      case PRESIL_DSP_COMMAND_SIGNAL: signal = uint8_t(value); break;
      case PRESIL_DSP_COMMAND_WAIT0_VALUE: wait0_value = int32_t(value); break;
      case PRESIL_DSP_COMMAND_WAIT1_VALUE: wait1_value = int32_t(value); break;
      case PRESIL_DSP_COMMAND_WAIT2_VALUE: wait2_value = int32_t(value); break;
      case PRESIL_DSP_COMMAND_SIGNAL_ADD: signal_add = uint16_t(value); break;
      case PRESIL_DSP_COMMAND_REGION_COUNT: region_count = uint8_t(value); break;
      case PRESIL_DSP_COMMAND_ENTRY: entry = uint32_t(value); break;
      case PRESIL_DSP_COMMAND_ARGS_BASE: args_base = uint32_t(value); break;
      case PRESIL_DSP_COMMAND_ARGS_BYTES: args_bytes = uint32_t(value); break;
      case PRESIL_DSP_COMMAND_WATCHDOG: watchdog = uint32_t(value); break;
      case PRESIL_DSP_COMMAND_REGIONS_BASE: regions_base = uint32_t(value); break;
      case PRESIL_DSP_COMMAND_IMAGE_OFFSET: image_offset = uint32_t(value); break;
      case PRESIL_DSP_COMMAND_IMAGE_BYTES: image_bytes = uint32_t(value); break;
      case PRESIL_DSP_COMMAND_IMAGE_REGION: image_region = uint8_t(value); break;
      case PRESIL_DSP_COMMAND_IMAGE_IN_SRAM: image_in_sram = value != 0; break;
      case PRESIL_DSP_COMMAND_CRC: crc = uint16_t(value); break;
      case PRESIL_DSP_COMMAND_IMAGE_CRC: image_crc = uint32_t(value); break;
      default: break;
    }
  }

  static Command decode(const uint32_t* words) {
    Command c;
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
      if (presil_field_check(&format().fields[i], get(i), int64_t(op), &v)) return v;
    }
    return std::nullopt;
  }

  // One line: the operation, then the fields that differ from make(op).
  std::string to_text() const {
    uint32_t words[kWords];
    encode(words);
    return presil::command_to_text(format(), words);
  }
  // The inverse; on failure nullopt and, if error is given, one sentence.
  static std::optional<Command> from_text(std::string_view text, std::string* error = nullptr) {
    uint32_t words[kWords];
    if (!presil::command_from_text(format(), text, words, error)) return std::nullopt;
    return decode(words);
  }

  friend bool operator==(const Command& a, const Command& b) {
    for (unsigned i = 0; i < kFields; ++i) {
      if (a.get(i) != b.get(i)) return false;
    }
    return true;
  }
  friend bool operator!=(const Command& a, const Command& b) { return !(a == b); }
};

}  // namespace presil::dsp
