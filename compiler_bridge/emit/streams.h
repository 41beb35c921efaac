// The streams of a loadable, found and inside its image: what the two directions of the text share.
#pragma once

#include <array>

#include "rtl/common/field.h"
#include "rtl/soc/address_map.h"
#include "rtl/soc/loadable_generated.h"

namespace presil::emit {

inline constexpr unsigned kMaxCommandWords = PRESIL_MAX_COMMAND_WORDS;

/// By queue; null: the queue has none.
using Streams = std::array<const loadable::Stream*, PRESIL_QUEUES>;

/// Refuses (presil::Refusal) a stream outside the image, of no queue, or there twice.
Streams streams_of(const loadable::Loadable& l);

/// Of the commands that the queue takes.
const presil_command_format& format_of(uint8_t queue);

}  // namespace presil::emit
