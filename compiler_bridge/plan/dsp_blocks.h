// Which tensors the DSP has where the DLA has them: as blocked buffers in the SRAM (layout.h),
// ordered by a counter, with nothing moved between.
#pragma once

#include <set>

#include "compiler_bridge/layer/dsp_layer.h"
#include "compiler_bridge/layer/layer.h"
#include "models/soc/soc_config.h"

namespace presil::plan {

/// Sets `stored` of operands whose kernels take blocks, where the DLA has made the tensor or reads
/// it, as far as its form there allows, unless what is computed in padding costs more than is
/// saved.
/// @param dense  layers of which nothing is to be stored
void store_operands(const ir::Graph& graph, layer::Layers& layers, const std::set<int>& dense,
                    const SocConfig& config);

}  // namespace presil::plan
