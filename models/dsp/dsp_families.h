// The families of vector instructions, each a table in a file of its own.
#pragma once

#include "models/dsp/dsp_lanes.h"

namespace presil::dsp::PRESIL_DSP_LANES {

const Lanes& lanes();
Handler handler_of(const VectorInfo& info, bool masked);

Rows vector_integer_rows();
Rows vector_multiply_rows();
Rows vector_fixed_rows();
Rows vector_reduce_rows();
Rows vector_mask_rows();
Rows vector_permute_rows();
Rows vector_float_rows();
Rows vector_convert_rows();

}  // namespace presil::dsp::PRESIL_DSP_LANES
