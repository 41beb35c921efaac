// A kernel of the user as a layer of the DSP (driver/kernels/dsp/README.md): its registration
// has decided which operator of which network it computes, and with what.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compiler_bridge/dsp_image/dsp_image.h"
#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/layer/dsp_layer.h"

namespace presil::partition {

struct UserKernel {
  int op = -1;  ///< of the imported graph
  std::shared_ptr<const dsp_image::Image> image;
  std::string kernel;           ///< as PRESIL_KERNEL names it
  std::string rule;             ///< what it takes, in words; "": not said
  std::vector<uint8_t> params;  ///< the kernel's own struct
  uint64_t cycles = 0;          ///< of the whole operator, as its author estimates
  /// This axis of all tensors that are computed is rows, as many in each, and row i of the results
  /// reads row i of the inputs alone: a command may get some of them. -1: it reads all there is.
  int rows = -1;
  uint64_t scratch_bytes = 0;
  bool prefer = false;  ///< whatever it costs

  /// "kernel lift of mine.elf"
  std::string label() const { return "kernel " + kernel + " of " + image->name; }
};

/// Inputs and outputs are the op's, in its order. With rows the kernel sees [rows, axes after].
layer::DspLayer user_layer(const ir::Graph& graph, const ir::Op& op, const UserKernel& kernel);

/// Rows of a tensor along an axis before which all extents are 1; 0: it has none.
int64_t rows_along(const ir::Tensor& tensor, int axis);

}  // namespace presil::partition
