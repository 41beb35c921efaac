// How an op becomes a layer of the DSP; one list per family, dsp_<family>.cpp.
#pragma once

#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/layer/dsp_layer.h"

namespace presil::partition {

struct DspLowering {
  ir::OpKind kind;
  layer::DspLayer (*lower)(ir::Graph& graph, const ir::Op& op);
};

std::vector<DspLowering> dsp_detection_lowerings();
std::vector<DspLowering> dsp_element_lowerings();
std::vector<DspLowering> dsp_function_lowerings();
std::vector<DspLowering> dsp_move_lowerings();
std::vector<DspLowering> dsp_recurrent_lowerings();
std::vector<DspLowering> dsp_reduce_lowerings();
std::vector<DspLowering> dsp_window_lowerings();

/// Rows of `shape` along the last axis of a tensor; all of it is one row where it has no axes.
struct Rows {
  int64_t count = 1, length = 1;
};
Rows rows_of(const ir::Tensor& tensor);

/// Some of a tensor's rows, each of `shape` elements.
layer::DspOperand in_rows(const ir::Graph& graph, ir::TensorId tensor, std::vector<int64_t> shape);
/// All of it, in its own shape, or in another one.
layer::DspOperand whole(const ir::Graph& graph, ir::TensorId tensor);
layer::DspOperand whole_as(const ir::Graph& graph, ir::TensorId tensor, std::vector<int64_t> shape);

/// The kernel takes its results and the first `inputs` inputs in blocks of 16 channels as well
/// (layer/dsp_layer.h), so that the DLA hands them over in the SRAM. Leaves the layer as it is
/// where a tensor is none of the DLA's: no int8, or, by lanes, more than one image.
void takes_blocks(const ir::Graph& graph, layer::DspLayer& layer, layer::DspOperand::Blocks blocks,
                  size_t inputs);

}  // namespace presil::partition
