// What a DMA command does to bytes, and which commands are refused. Plain C++, no time: the channel
// reads with `gather` when the command's waits are met and writes with `scatter` when it completes.
// The words are those of rtl/dma/README.md.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/common/queue_frontend.h"
#include "models/dma/dma_shape.h"

namespace presil::dma {

/// The source rows as one stream: padding dropped (pack drop), bit 7 flipped (xor80). Empty for
/// fill.
/// @param src the byte at src_base
std::vector<uint8_t> gather(const Command& command, const uint8_t* src);

/// Writes the stream to the destination rows: padded (pack pad), or the pattern (fill).
/// @param dst the byte at dst_base
/// @param dst_address its address after relocation: patterns go by address modulo 4
void scatter(const Command& command, const std::vector<uint8_t>& stream, uint8_t* dst,
             uint64_t dst_address);

/// The first rule that the command breaks: fields in order of the words, then R1 to R8, counters,
/// addresses.
/// @param words of the command as fetched
std::optional<QueueError> check(const uint32_t* words, const JobContext& job, uint32_t sram_bytes);

}  // namespace presil::dma
