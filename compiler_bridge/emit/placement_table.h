// Placement records in a loadable, written and read.
#pragma once

#include "compiler_bridge/placement/record.h"
#include "rtl/soc/loadable_generated.h"

namespace presil::emit {

flatbuffers::Offset<loadable::Placement> create_placement(flatbuffers::FlatBufferBuilder& builder,
                                                          const placement::Placement& record);

/// Of a table that has `verdicts`; tables written before there were records have none.
placement::Placement read_placement(const loadable::Loadable& l, const loadable::Placement& table);

}  // namespace presil::emit
