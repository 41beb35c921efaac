// Printed from rtl/host/host.rdl by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rtl/host/host.h"
#include "rtl/common/command_text.h"

namespace presil::host {

enum class Op : uint8_t {
  kNop = 0,  // Waits, then signals; uses words 0 to 6 only.
  kRun = 1,  // Runs a kernel of the driver on tensors.
};

// Host task. 64 bytes. The driver walks these in order; engines cannot tell a task from a command of an engine.
// A plain value, one member per field; a fresh one is a legal nop.
struct Command {
  Op op = Op::kNop;  // Operation.
  bool fence = false;  // Begin only when every earlier task of the stream has completed (always so: tasks run in order).
  bool irq = false;  // Tell the driver's caller on completion.
  uint8_t isa_version = 1;  // Version of the command word.
  uint32_t tag = 0;  // Key into the debug map: command, tile, layer, source op.
  uint8_t wait0 = 0;  // Counter to wait for; 0: none.
  uint8_t wait1 = 0;  // Second counter to wait for; 0: none.
  uint8_t signal = 0;  // Counter that signal_add is added to on completion; 0: none.
  int32_t wait0_value = 0;  // Relative to value_base of the job; met when int32(counter - value_base - value) >= 0.
  int32_t wait1_value = 0;  // As wait0_value, for wait1.
  uint16_t signal_add = 0;  // Added to the counter named by signal.
  uint16_t kernel_id = 0;  // Which kernel of the driver.
  uint32_t tensors_offset = 0;  // [bytes] Where the tensor list begins in the constants region.
  uint32_t tensors_bytes = 0;  // [bytes] Size of the tensor list, 64 per tensor (host_task.h).
  uint32_t attributes_offset = 0;  // [bytes] Where the kernel's attributes begin in the constants region.
  uint32_t attributes_bytes = 0;  // [bytes] Size of the attributes; 0: none.
  uint32_t crc = 0;  // CRC-32 of the other words (IEEE 802.3, as zlib's). The driver writes it when it loads the network, and looks at it before it runs the task.

  static constexpr unsigned kWords = PRESIL_HOST_COMMAND_WORDS;
  static constexpr unsigned kBytes = PRESIL_HOST_COMMAND_BYTES;
  static constexpr unsigned kPitch = PRESIL_HOST_COMMAND_PITCH;  // bytes from one to the next in memory
  static constexpr unsigned kFields = PRESIL_HOST_COMMAND_FIELDS;

  // Legal values of fields that hold numbers.
  static constexpr uint32_t kTagMax = 4294967295u;
  static constexpr uint32_t kWait0Max = 255u;
  static constexpr uint32_t kWait1Max = 255u;
  static constexpr uint32_t kSignalMax = 255u;
  static constexpr int32_t kWait0ValueMax = 2147483647;
  static constexpr int32_t kWait1ValueMax = 2147483647;
  static constexpr uint32_t kSignalAddMax = 65535u;
  static constexpr uint32_t kKernelIdMax = 65535u;
  static constexpr uint32_t kTensorsOffsetMax = 4294967295u;
  static constexpr uint32_t kTensorsBytesMin = 64;
  static constexpr uint32_t kTensorsBytesMax = 4294967295u;
  static constexpr uint32_t kAttributesOffsetMax = 4294967295u;
  static constexpr uint32_t kAttributesBytesMax = 4294967295u;
  static constexpr uint32_t kCrcMax = 4294967295u;

  static const presil_command_format& format() { return *presil_host_command_format(); }

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

  // Field i of enum presil_host_command_field as a number.
  int64_t get(unsigned field) const {
    switch (field) {
      case PRESIL_HOST_COMMAND_OP: return int64_t(op);
      case PRESIL_HOST_COMMAND_FENCE: return int64_t(fence);
      case PRESIL_HOST_COMMAND_IRQ: return int64_t(irq);
      case PRESIL_HOST_COMMAND_ISA_VERSION: return int64_t(isa_version);
      case PRESIL_HOST_COMMAND_TAG: return int64_t(tag);
      case PRESIL_HOST_COMMAND_WAIT0: return int64_t(wait0);
      case PRESIL_HOST_COMMAND_WAIT1: return int64_t(wait1);
      case PRESIL_HOST_COMMAND_SIGNAL: return int64_t(signal);
      case PRESIL_HOST_COMMAND_WAIT0_VALUE: return int64_t(wait0_value);
      case PRESIL_HOST_COMMAND_WAIT1_VALUE: return int64_t(wait1_value);
      case PRESIL_HOST_COMMAND_SIGNAL_ADD: return int64_t(signal_add);
      case PRESIL_HOST_COMMAND_KERNEL_ID: return int64_t(kernel_id);
      case PRESIL_HOST_COMMAND_TENSORS_OFFSET: return int64_t(tensors_offset);
      case PRESIL_HOST_COMMAND_TENSORS_BYTES: return int64_t(tensors_bytes);
      case PRESIL_HOST_COMMAND_ATTRIBUTES_OFFSET: return int64_t(attributes_offset);
      case PRESIL_HOST_COMMAND_ATTRIBUTES_BYTES: return int64_t(attributes_bytes);
      case PRESIL_HOST_COMMAND_CRC: return int64_t(crc);
      default: return 0;
    }
  }
  void set(unsigned field, int64_t value) {
    switch (field) {
      case PRESIL_HOST_COMMAND_OP: op = Op(value); break;
      case PRESIL_HOST_COMMAND_FENCE: fence = value != 0; break;
      case PRESIL_HOST_COMMAND_IRQ: irq = value != 0; break;
      case PRESIL_HOST_COMMAND_ISA_VERSION: isa_version = uint8_t(value); break;
      case PRESIL_HOST_COMMAND_TAG: tag = uint32_t(value); break;
      case PRESIL_HOST_COMMAND_WAIT0: wait0 = uint8_t(value); break;
      case PRESIL_HOST_COMMAND_WAIT1: wait1 = uint8_t(value); break;
      case PRESIL_HOST_COMMAND_SIGNAL: signal = uint8_t(value); break;
      case PRESIL_HOST_COMMAND_WAIT0_VALUE: wait0_value = int32_t(value); break;
      case PRESIL_HOST_COMMAND_WAIT1_VALUE: wait1_value = int32_t(value); break;
      case PRESIL_HOST_COMMAND_SIGNAL_ADD: signal_add = uint16_t(value); break;
      case PRESIL_HOST_COMMAND_KERNEL_ID: kernel_id = uint16_t(value); break;
      case PRESIL_HOST_COMMAND_TENSORS_OFFSET: tensors_offset = uint32_t(value); break;
      case PRESIL_HOST_COMMAND_TENSORS_BYTES: tensors_bytes = uint32_t(value); break;
      case PRESIL_HOST_COMMAND_ATTRIBUTES_OFFSET: attributes_offset = uint32_t(value); break;
      case PRESIL_HOST_COMMAND_ATTRIBUTES_BYTES: attributes_bytes = uint32_t(value); break;
      case PRESIL_HOST_COMMAND_CRC: crc = uint32_t(value); break;
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

}  // namespace presil::host
