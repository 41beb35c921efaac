// The DMA's values written down once more for tests: one byte at a time, each place computed by
// division from its position in the stream, sharing nothing with models/dma. And random commands.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "models/common/ports.h"
#include "rtl/dma/dma_command.h"

namespace presil::dma::test {

/// A stretch of memory that begins at a system or SRAM address; around it there is none.
struct Memory final : BytePort {
  uint64_t address = 0;
  std::vector<uint8_t> bytes;

  Memory() = default;
  Memory(uint64_t from, std::vector<uint8_t> content) : address(from), bytes(std::move(content)) {}
  uint8_t* bytes_at(uint64_t at, size_t count) override {
    if (at < address || at + count > address + bytes.size()) return nullptr;
    return bytes.data() + (at - address);
  }
};

/// The destination after the command, whose bases are offsets in src.bytes and dst.bytes.
std::vector<uint8_t> oracle(const Command& command, const Memory& src, const Memory& dst);

struct Case {
  Command command;  ///< legal; bases are offsets in src.bytes and dst.bytes
  Memory src, dst;  ///< random bytes; the command reaches all of them and a margin
};

/// Any operation, pack and shape: up to some thousand bytes in rows and four dimensions a side,
/// with strides that follow on, leave gaps, overlap, repeat or run backwards.
Case random_case(std::mt19937& random);

}  // namespace presil::dma::test
