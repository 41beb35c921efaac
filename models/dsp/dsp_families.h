// The families of vector instructions, each a table in a file of its own.
#pragma once

#include <vector>

#include "models/dsp/dsp_lanes.h"

namespace presil::dsp::PRESIL_DSP_LANES {

const Lanes& lanes();
Handler handler_of(const VectorInfo& info, bool masked);

const std::vector<VectorRow>& vector_integer_rows();
const std::vector<VectorRow>& vector_multiply_rows();
const std::vector<VectorRow>& vector_fixed_rows();
const std::vector<VectorRow>& vector_reduce_rows();
const std::vector<VectorRow>& vector_mask_rows();
const std::vector<VectorRow>& vector_permute_rows();
const std::vector<VectorRow>& vector_float_rows();
const std::vector<VectorRow>& vector_convert_rows();

}  // namespace presil::dsp::PRESIL_DSP_LANES
