// What an engine computes for one layer, before tiles and addresses: the seam between deciding what
// runs where (partition, with the rules' sentences) and deciding when and with which memory (plan).
// Everything an engine's command says about values is here; everything about place and order is
// not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "compiler_bridge/common/moves.h"
#include "compiler_bridge/dsp_image/dsp_image.h"
#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/placement/record.h"
#include "compiler_bridge/plan/weights.h"
#include "rtl/dla/dla_command.h"

namespace presil::plan {

using TensorId = int;  ///< index in ir::Graph::tensors
inline constexpr TensorId kNoTensor = -1;

/// The element-wise unit behind the requantiser (rtl/dla/README.md): a = result, b = `operand`.
struct ElementWise {
  dla::EwOp op = dla::EwOp::kNone;
  dla::EwRule rule = dla::EwRule::kTflite;
  TensorId operand = kNoTensor;
  int32_t a_zero = 0, b_zero = 0, out_zero = 0;
  int32_t a_mult = 0, b_mult = 0, out_mult = 0;
  int32_t a_shift = 0, b_shift = 0, out_shift = 0;
  unsigned left_shift = 0;
  int32_t act_min = -128, act_max = 127;
};

/// One DLA layer: convolution (a fully connected layer is a 1x1 one), depthwise convolution,
/// pooling (a mean over rows and columns is one window), or a pass of one tensor through the
/// post-processing. Sizes in elements of NHWC tensors with batch 1.
struct DlaLayer {
  dla::Op op = dla::Op::kConv;
  TensorId input = kNoTensor;
  TensorId output = kNoTensor;
  int in_h = 1, in_w = 1, in_c = 1;     ///< as the command sees the input (a view may differ)
  int out_h = 1, out_w = 1, out_c = 1;  ///< before upsample2
  int kernel_h = 1, kernel_w = 1;
  int stride_y = 1, stride_x = 1;
  int dil_y = 1, dil_x = 1;
  int pad_top = 0, pad_left = 0;  ///< bottom and right follow from the sizes
  int32_t pad_value = 0;   ///< conv: the input's zero point; pass: what a margin holds; pools: 0
  bool upsample2 = false;  ///< each result is written to 2 x 2 pixels

  /// Output channels [g * out_c / groups, ...) of a conv read input channels [g * in_c / groups,
  /// ...) alone; it divides both.
  int groups = 1;
  /// conv: [out_c][kernel_h][kernel_w][in_c / groups]; dwconv: [channel][kernel_h][kernel_w]; else
  /// empty
  Weights weights;
  int32_t weight_zero = 0;
  /// conv 1x1: weights that the graph computes. Pixels of this tensor are output channels, its
  /// channels input channels; it has one row, or, with `weights_by_row`, one for each output row.
  TensorId weights_from = kNoTensor;
  bool weights_by_row = false;
  /// Beside weights_from: the input's zero point, which `bias` cannot hold: the DLA itself adds
  /// -in_zero * sum (w - weight_zero) to it.
  int32_t in_zero = 0;
  /// Beside weights_from: the input is a matrix with 1 on its diagonal of so many pixels and
  /// channels, and output pixel x is channel x of the weights: what they are, transposed. 0: no.
  int diagonal = 0;
  std::vector<int32_t> bias;  ///< per output channel, the input's zero point folded in; sumpool too
  std::vector<int32_t> multiplier;  ///< per output channel; rule float: bits of the float32 scale
  std::vector<int8_t> shift;        ///< per output channel, positive is left
  dla::Rule rule = dla::Rule::kDouble;
  uint32_t div_recip = 0;
  uint32_t div_count = 0;
  /// Rule divide: by the number of taps inside the image instead, another one at each border.
  bool divide_inside = false;
  int32_t out_zero = 0, act_min = -128, act_max = 127;
  std::vector<int8_t> lut;  ///< 256 entries by value as uint8, or empty
  ElementWise ew;

  bool has_computed_weights() const { return weights_from != kNoTensor; }
};

/// A task of the ARM: a kernel of driver/kernels/host on NHWC tensors in memory.
struct HostLayer {
  uint32_t kernel = 0;
  std::vector<TensorId> inputs;
  std::vector<TensorId> outputs;
  std::vector<uint8_t> attributes;  ///< the kernel's own struct, see driver/kernels/host/kernels.h
};

/// A tensor of a DSP layer, and how much of it one command has.
struct DspOperand {
  enum class Cut : uint8_t {
    kRows,    ///< its part of the layer's rows, brought into the SRAM or taken out of it
    kWindow,  ///< the same of rows of an image that the layer's window covers, DspLayer::window
    kWhole,   ///< all of it, in the SRAM
    kMemory   ///< all of it where it lies in memory: the kernel's own DMA channel reads what it
              ///< wants
  };
  /// What the kernel takes as well as dense bytes: the tensor where the DLA has it in the SRAM, in
  /// blocks of 16 channels. Of one layer all operands but kNone say the same.
  enum class Blocks : uint8_t {
    kNone,
    kLanes,  ///< (1, block, y, x, 16): every lane is computed by itself, those that no channel has
             ///< too, and nobody minds what comes of them; all such operands of the layer, or none
    kRows,   ///< (y, x, channel), where the channels of a pixel lie dense; each operand by itself
  };
  TensorId tensor = kNoTensor;
  Cut cut = Cut::kWhole;
  ir::DType dtype = ir::DType::kInt8;
  std::vector<int64_t> shape;  ///< as the kernel sees it; where it is cut, behind the axis of rows
  bool constant = false;
  Blocks blocks = Blocks::kNone;
  bool stored = false;  ///< as `lay_out` decides: it is its storage in the SRAM, nothing is moved

  std::vector<int64_t> strides = {};  ///< of `shape`, in elements; empty: dense
  bool image = false;  ///< where it is cut: the kernel sees an axis of 1 in front of the rows

  bool is_cut() const { return cut == Cut::kRows || cut == Cut::kWindow; }
  /// Where it is cut: of a row; else of all.
  uint64_t bytes() const;
};

inline std::vector<TensorId> tensors_of(const std::vector<DspOperand>& operands) {
  std::vector<TensorId> all;
  for (const DspOperand& operand : operands) all.push_back(operand.tensor);
  return all;
}

/// A call of a kernel on the DSP, or several, each for some of the layer's rows.
struct DspLayer {
  std::string kernel;                             ///< as PRESIL_KERNEL names it
  std::shared_ptr<const dsp_image::Image> image;  ///< of the user; null: of the library
  std::vector<DspOperand> inputs;
  std::vector<DspOperand> outputs;
  std::vector<uint8_t> params;  ///< the kernel's own struct, see driver/kernels/dsp/params.h
  int64_t rows = 1;             ///< that each operand of kRows has; they may be cut anywhere
  bool by_row = false;          ///< a command has one row, and the kernel sees no axis of rows
  /// Of images: row r of the results wants rows r * step - pad and the size - 1 behind it, as far
  /// as they are among the `extent` of each operand of kWindow. `pad_at`, int32 in `params`: how
  /// far the first row wanted lies before the first one there is.
  struct Window {
    int64_t step = 1, size = 1, pad = 0;
    int64_t extent = 0;  ///< 0: no operand is of kWindow
    size_t pad_at = 0;
  };
  Window window;
  uint64_t scratch_bytes = 0;
  /// Of a command for so many rows, as the kernel's author states it.
  std::function<uint64_t(int64_t rows)> cycles;
  /// Where the data decide, of a command whose data ask for most; the watchdog waits for it.
  uint64_t longest = 0;
  std::string host_kernel;     ///< of the host, that would do it instead; "": none
  uint64_t host_elements = 0;  ///< what its cost is counted in
  /// With stored operands, as `lay_out` says: pixels of an image row, and what is computed in lanes
  /// that no channel has, as rows.
  int64_t columns = 0, padding = 0;

  /// An operand is a storage: one command computes all.
  bool is_stored() const {
    const auto stored = [](const DspOperand& operand) { return operand.stored; };
    return std::any_of(inputs.begin(), inputs.end(), stored) ||
           std::any_of(outputs.begin(), outputs.end(), stored);
  }
  /// Images that have the kernel and that a DSP has room for; without `config` all.
  std::vector<const dsp_image::Image*> programs(const DspConfig* config = nullptr) const;
};

/// Bytes moved by the DMA, from memory to memory: dense NHWC tensors.
struct CopyLayer {
  struct Move {
    TensorId input = kNoTensor;
    common::Move bytes;
  };
  std::vector<Move> moves;  ///< all together write every byte of the output once
  TensorId output = kNoTensor;
  bool flip = false;   ///< bit 7 of every byte
  std::string kernel;  ///< of the host, that would do it instead
};

/// No work: `output` is `input` under another shape (both NHWC order).
struct ViewLayer {
  TensorId input = kNoTensor;
  TensorId output = kNoTensor;
};

/// No work: `output`'s bytes are those of `input` from byte `at` on.
struct SliceLayer {
  TensorId input = kNoTensor;
  TensorId output = kNoTensor;
  uint64_t at = 0;
};

/// No work: `output`'s channels are those of `inputs`, one after another; producers write in place.
struct ConcatLayer {
  std::vector<TensorId> inputs;
  TensorId output = kNoTensor;
};

/// No work: `output`'s bytes are those of `inputs`, one after another; producers write them there.
struct StackLayer {
  std::vector<TensorId> inputs;
  TensorId output = kNoTensor;
};

/// No work: `output`'s bytes are `input`'s with bit 7 flipped, uint8 as int8 or back; the DMA flips
/// them when it brings the one into the SRAM from the other's memory, or takes it out.
struct FlipLayer {
  TensorId input = kNoTensor;
  TensorId output = kNoTensor;
};

/// No work: pixel (r * stride_y + i, c * stride_x + j) of `output` is pixel (r, c) of
/// `inputs[i * stride_x + j]`; producers write in place, and nobody else reads the inputs.
struct InterleaveLayer {
  std::vector<TensorId> inputs;
  TensorId output = kNoTensor;
  int stride_y = 1, stride_x = 1;
};

struct Layer {
  std::string name;
  std::string op;               ///< e.g. "conv2d+leaky_relu"
  std::vector<int> source_ops;  ///< ops of the imported file
  std::vector<int> graph_ops;   ///< ops of the graph that was partitioned
  uint64_t macs = 0;
  std::variant<DlaLayer, HostLayer, ViewLayer, ConcatLayer, FlipLayer, InterleaveLayer, StackLayer,
               SliceLayer, CopyLayer, DspLayer>
      work;
};

using placement::Placement;

struct Partition {
  std::vector<Layer> layers;  ///< in an order that respects data
  std::vector<Placement> placements;
};

}  // namespace presil::plan
