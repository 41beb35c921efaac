// Printed from rtl/dma/dma.rdl by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rtl/dma/dma.h"
#include "rtl/common/command_text.h"

namespace presil::dma {

enum class Op : uint8_t {
  kNop = 0,  // Waits, then signals; uses words 0 to 6 only.
  kCopy = 1,  // Reads the source rows as one byte stream and writes it to the destination rows.
  kFill = 2,  // Writes the pattern of word 7 to the destination rows; reads nothing.
};

enum class Space : uint8_t {
  kSram = 0,  // The tile's SRAM: 24-bit offset plus sram_base of the job.
  kSystem = 1,  // A region of the job: 40-bit offset plus region_base.
};

enum class Pack : uint8_t {
  kNone = 0,  // Bytes as they are.
  kPad = 1,  // Cut the source stream into elements of elem_bytes, pad each with the pattern to a multiple of 16.
  kDrop = 2,  // The inverse: drop the padding of each element of elem_bytes.
};

// DMA command. 128 bytes. Source and destination walk a row and four dimensions each; between them is a byte stream.
// A plain value, one member per field; a fresh one is a legal nop.
struct Command {
  Op op = Op::kNop;  // Operation.
  Space src_space = Space::kSram;  // Where the source is.
  Space dst_space = Space::kSram;  // Where the destination is.
  uint8_t src_region = 0;  // Region of the source (space system, else 0).
  uint8_t dst_region = 0;  // Region of the destination (space system, else 0).
  bool xor80 = false;  // Flip bit 7 of every data byte (uint8 to int8 and back); padding bytes are not changed.
  Pack pack = Pack::kNone;  // Channel padding in the stream.
  bool fence = false;  // Begin only when every earlier command of the channel has completed.
  bool irq = false;  // Raise irq_status.command_done on completion.
  uint8_t isa_version = 1;  // Version of the command word.
  uint32_t tag = 0;  // Key into the debug map: command, tile, layer, source op.
  uint8_t wait0 = 0;  // Counter to wait for; 0: none.
  uint8_t wait1 = 0;  // Second counter to wait for; 0: none.
  uint8_t signal = 0;  // Counter that signal_add is added to on completion; 0: none.
  int32_t wait0_value = 0;  // Relative to value_base of the job; met when int32(counter - value_base - value) >= 0.
  int32_t wait1_value = 0;  // As wait0_value, for wait1.
  uint16_t signal_add = 0;  // Added to the counter named by signal.
  uint16_t elem_bytes = 0;  // [bytes] Data bytes of an element, 1..4095 (pack pad or drop, else 0).
  uint32_t pattern = 0;  // Fill or pad bytes, by destination address modulo 4: bits 7:0 at 0.
  uint64_t src_base = 0;  // [bytes] First source byte: SRAM offset (24 bit) or offset in the region.
  uint32_t src_row_bytes = 0;  // [bytes] Bytes of a source row.
  std::array<uint16_t, 4> src_n{};  // src_n1, src_n2, src_n3, src_n4
  std::array<int32_t, 4> src_stride{};  // [bytes] src_stride1, src_stride2, src_stride3, src_stride4
  uint64_t dst_base = 0;  // [bytes] First destination byte: SRAM offset (24 bit) or offset in the region.
  uint32_t dst_row_bytes = 0;  // [bytes] Bytes of a destination row.
  std::array<uint16_t, 4> dst_n{};  // dst_n1, dst_n2, dst_n3, dst_n4
  std::array<int32_t, 4> dst_stride{};  // [bytes] dst_stride1, dst_stride2, dst_stride3, dst_stride4
  uint32_t dst_tile_mask = 0;  // Tiles to write to (multicast); 0, this tile, is the only legal value today.
  uint32_t crc = 0;  // CRC-32 of the other words (IEEE 802.3, as zlib's). The driver writes it when it loads the network; looked at where control.check of the queue is 1.

  static constexpr unsigned kWords = PRESIL_DMA_COMMAND_WORDS;
  static constexpr unsigned kBytes = PRESIL_DMA_COMMAND_BYTES;
  static constexpr unsigned kPitch = PRESIL_DMA_COMMAND_PITCH;  // bytes from one to the next in memory
  static constexpr unsigned kFields = PRESIL_DMA_COMMAND_FIELDS;

  // Legal values of fields that hold numbers.
  static constexpr uint32_t kSrcRegionMax = 7u;
  static constexpr uint32_t kDstRegionMax = 7u;
  static constexpr uint32_t kTagMax = 4294967295u;
  static constexpr uint32_t kWait0Max = 255u;
  static constexpr uint32_t kWait1Max = 255u;
  static constexpr uint32_t kSignalMax = 255u;
  static constexpr int32_t kWait0ValueMax = 2147483647;
  static constexpr int32_t kWait1ValueMax = 2147483647;
  static constexpr uint32_t kSignalAddMax = 65535u;
  static constexpr uint32_t kElemBytesMax = 4095u;
  static constexpr uint32_t kPatternMax = 4294967295u;
  static constexpr uint64_t kSrcBaseMax = 1099511627775;
  static constexpr uint32_t kSrcRowBytesMin = 1;
  static constexpr uint32_t kSrcRowBytesMax = 16777215u;
  static constexpr uint32_t kSrcN1Min = 1;
  static constexpr uint32_t kSrcN1Max = 65535u;
  static constexpr uint32_t kSrcN2Min = 1;
  static constexpr uint32_t kSrcN2Max = 65535u;
  static constexpr uint32_t kSrcN3Min = 1;
  static constexpr uint32_t kSrcN3Max = 65535u;
  static constexpr uint32_t kSrcN4Min = 1;
  static constexpr uint32_t kSrcN4Max = 65535u;
  static constexpr int32_t kSrcStride1Max = 2147483647;
  static constexpr int32_t kSrcStride2Max = 2147483647;
  static constexpr int32_t kSrcStride3Max = 2147483647;
  static constexpr int32_t kSrcStride4Max = 2147483647;
  static constexpr uint64_t kDstBaseMax = 1099511627775;
  static constexpr uint32_t kDstRowBytesMin = 1;
  static constexpr uint32_t kDstRowBytesMax = 16777215u;
  static constexpr uint32_t kDstN1Min = 1;
  static constexpr uint32_t kDstN1Max = 65535u;
  static constexpr uint32_t kDstN2Min = 1;
  static constexpr uint32_t kDstN2Max = 65535u;
  static constexpr uint32_t kDstN3Min = 1;
  static constexpr uint32_t kDstN3Max = 65535u;
  static constexpr uint32_t kDstN4Min = 1;
  static constexpr uint32_t kDstN4Max = 65535u;
  static constexpr int32_t kDstStride1Max = 2147483647;
  static constexpr int32_t kDstStride2Max = 2147483647;
  static constexpr int32_t kDstStride3Max = 2147483647;
  static constexpr int32_t kDstStride4Max = 2147483647;
  static constexpr uint32_t kDstTileMaskMax = 0u;
  static constexpr uint32_t kCrcMax = 4294967295u;

  static const presil_command_format& format() { return *presil_dma_command_format(); }

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

  // Field i of enum presil_dma_command_field as a number.
  int64_t get(unsigned field) const {
    switch (field) {
      case PRESIL_DMA_COMMAND_OP: return int64_t(op);
      case PRESIL_DMA_COMMAND_SRC_SPACE: return int64_t(src_space);
      case PRESIL_DMA_COMMAND_DST_SPACE: return int64_t(dst_space);
      case PRESIL_DMA_COMMAND_SRC_REGION: return int64_t(src_region);
      case PRESIL_DMA_COMMAND_DST_REGION: return int64_t(dst_region);
      case PRESIL_DMA_COMMAND_XOR80: return int64_t(xor80);
      case PRESIL_DMA_COMMAND_PACK: return int64_t(pack);
      case PRESIL_DMA_COMMAND_FENCE: return int64_t(fence);
      case PRESIL_DMA_COMMAND_IRQ: return int64_t(irq);
      case PRESIL_DMA_COMMAND_ISA_VERSION: return int64_t(isa_version);
      case PRESIL_DMA_COMMAND_TAG: return int64_t(tag);
      case PRESIL_DMA_COMMAND_WAIT0: return int64_t(wait0);
      case PRESIL_DMA_COMMAND_WAIT1: return int64_t(wait1);
      case PRESIL_DMA_COMMAND_SIGNAL: return int64_t(signal);
      case PRESIL_DMA_COMMAND_WAIT0_VALUE: return int64_t(wait0_value);
      case PRESIL_DMA_COMMAND_WAIT1_VALUE: return int64_t(wait1_value);
      case PRESIL_DMA_COMMAND_SIGNAL_ADD: return int64_t(signal_add);
      case PRESIL_DMA_COMMAND_ELEM_BYTES: return int64_t(elem_bytes);
      case PRESIL_DMA_COMMAND_PATTERN: return int64_t(pattern);
      case PRESIL_DMA_COMMAND_SRC_BASE: return int64_t(src_base);
      case PRESIL_DMA_COMMAND_SRC_ROW_BYTES: return int64_t(src_row_bytes);
      case PRESIL_DMA_COMMAND_SRC_N1: return int64_t(src_n[0]);
      case PRESIL_DMA_COMMAND_SRC_N2: return int64_t(src_n[1]);
      case PRESIL_DMA_COMMAND_SRC_N3: return int64_t(src_n[2]);
      case PRESIL_DMA_COMMAND_SRC_N4: return int64_t(src_n[3]);
      case PRESIL_DMA_COMMAND_SRC_STRIDE1: return int64_t(src_stride[0]);
      case PRESIL_DMA_COMMAND_SRC_STRIDE2: return int64_t(src_stride[1]);
      case PRESIL_DMA_COMMAND_SRC_STRIDE3: return int64_t(src_stride[2]);
      case PRESIL_DMA_COMMAND_SRC_STRIDE4: return int64_t(src_stride[3]);
      case PRESIL_DMA_COMMAND_DST_BASE: return int64_t(dst_base);
      case PRESIL_DMA_COMMAND_DST_ROW_BYTES: return int64_t(dst_row_bytes);
      case PRESIL_DMA_COMMAND_DST_N1: return int64_t(dst_n[0]);
      case PRESIL_DMA_COMMAND_DST_N2: return int64_t(dst_n[1]);
      case PRESIL_DMA_COMMAND_DST_N3: return int64_t(dst_n[2]);
      case PRESIL_DMA_COMMAND_DST_N4: return int64_t(dst_n[3]);
      case PRESIL_DMA_COMMAND_DST_STRIDE1: return int64_t(dst_stride[0]);
      case PRESIL_DMA_COMMAND_DST_STRIDE2: return int64_t(dst_stride[1]);
      case PRESIL_DMA_COMMAND_DST_STRIDE3: return int64_t(dst_stride[2]);
      case PRESIL_DMA_COMMAND_DST_STRIDE4: return int64_t(dst_stride[3]);
      case PRESIL_DMA_COMMAND_DST_TILE_MASK: return int64_t(dst_tile_mask);
      case PRESIL_DMA_COMMAND_CRC: return int64_t(crc);
      default: return 0;
    }
  }
  void set(unsigned field, int64_t value) {
    switch (field) {
      case PRESIL_DMA_COMMAND_OP: op = Op(value); break;
      case PRESIL_DMA_COMMAND_SRC_SPACE: src_space = Space(value); break;
      case PRESIL_DMA_COMMAND_DST_SPACE: dst_space = Space(value); break;
      case PRESIL_DMA_COMMAND_SRC_REGION: src_region = uint8_t(value); break;
      case PRESIL_DMA_COMMAND_DST_REGION: dst_region = uint8_t(value); break;
      case PRESIL_DMA_COMMAND_XOR80: xor80 = value != 0; break;
      case PRESIL_DMA_COMMAND_PACK: pack = Pack(value); break;
      case PRESIL_DMA_COMMAND_FENCE: fence = value != 0; break;
      case PRESIL_DMA_COMMAND_IRQ: irq = value != 0; break;
      case PRESIL_DMA_COMMAND_ISA_VERSION: isa_version = uint8_t(value); break;
      case PRESIL_DMA_COMMAND_TAG: tag = uint32_t(value); break;
      case PRESIL_DMA_COMMAND_WAIT0: wait0 = uint8_t(value); break;
      case PRESIL_DMA_COMMAND_WAIT1: wait1 = uint8_t(value); break;
      case PRESIL_DMA_COMMAND_SIGNAL: signal = uint8_t(value); break;
      case PRESIL_DMA_COMMAND_WAIT0_VALUE: wait0_value = int32_t(value); break;
      case PRESIL_DMA_COMMAND_WAIT1_VALUE: wait1_value = int32_t(value); break;
      case PRESIL_DMA_COMMAND_SIGNAL_ADD: signal_add = uint16_t(value); break;
      case PRESIL_DMA_COMMAND_ELEM_BYTES: elem_bytes = uint16_t(value); break;
      case PRESIL_DMA_COMMAND_PATTERN: pattern = uint32_t(value); break;
      case PRESIL_DMA_COMMAND_SRC_BASE: src_base = uint64_t(value); break;
      case PRESIL_DMA_COMMAND_SRC_ROW_BYTES: src_row_bytes = uint32_t(value); break;
      case PRESIL_DMA_COMMAND_SRC_N1: src_n[0] = uint16_t(value); break;
      case PRESIL_DMA_COMMAND_SRC_N2: src_n[1] = uint16_t(value); break;
      case PRESIL_DMA_COMMAND_SRC_N3: src_n[2] = uint16_t(value); break;
      case PRESIL_DMA_COMMAND_SRC_N4: src_n[3] = uint16_t(value); break;
      case PRESIL_DMA_COMMAND_SRC_STRIDE1: src_stride[0] = int32_t(value); break;
      case PRESIL_DMA_COMMAND_SRC_STRIDE2: src_stride[1] = int32_t(value); break;
      case PRESIL_DMA_COMMAND_SRC_STRIDE3: src_stride[2] = int32_t(value); break;
      case PRESIL_DMA_COMMAND_SRC_STRIDE4: src_stride[3] = int32_t(value); break;
      case PRESIL_DMA_COMMAND_DST_BASE: dst_base = uint64_t(value); break;
      case PRESIL_DMA_COMMAND_DST_ROW_BYTES: dst_row_bytes = uint32_t(value); break;
      case PRESIL_DMA_COMMAND_DST_N1: dst_n[0] = uint16_t(value); break;
      case PRESIL_DMA_COMMAND_DST_N2: dst_n[1] = uint16_t(value); break;
      case PRESIL_DMA_COMMAND_DST_N3: dst_n[2] = uint16_t(value); break;
      case PRESIL_DMA_COMMAND_DST_N4: dst_n[3] = uint16_t(value); break;
      case PRESIL_DMA_COMMAND_DST_STRIDE1: dst_stride[0] = int32_t(value); break;
      case PRESIL_DMA_COMMAND_DST_STRIDE2: dst_stride[1] = int32_t(value); break;
      case PRESIL_DMA_COMMAND_DST_STRIDE3: dst_stride[2] = int32_t(value); break;
      case PRESIL_DMA_COMMAND_DST_STRIDE4: dst_stride[3] = int32_t(value); break;
      case PRESIL_DMA_COMMAND_DST_TILE_MASK: dst_tile_mask = uint32_t(value); break;
      case PRESIL_DMA_COMMAND_CRC: crc = uint32_t(value); break;
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

}  // namespace presil::dma
