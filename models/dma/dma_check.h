// What the DMA refuses, in the order of rtl/dma/README.md: fields, rules R1 to R8, counters,
// addresses.
#pragma once

#include <optional>

#include "models/common/queue_frontend.h"
#include "rtl/dma/dma_command.h"

namespace presil::dma {

/// @param words kWords of the command as fetched
/// @return the first fault
std::optional<QueueError> check(const uint32_t* words, const JobContext& job, uint32_t sram_bytes);

}  // namespace presil::dma
