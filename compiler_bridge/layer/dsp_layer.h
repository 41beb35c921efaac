// What a kernel of the vector DSP computes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compiler_bridge/dsp_image/dsp_image.h"
#include "compiler_bridge/layer/dsp_cost.h"
#include "compiler_bridge/layer/operand.h"
#include "compiler_bridge/layer/work.h"

namespace presil::layer {

/// A tensor of a DSP layer, and how much of it one command has.
struct DspOperand {
  enum class Cut : uint8_t {
    kRows,    ///< its part of the layer's rows, brought into the SRAM or taken out of it
    kWindow,  ///< the same of rows of an image that the layer's window covers, DspLayer::window
    kWhole,   ///< all of it, in the SRAM
    kMemory   ///< all of it where it lies in memory: the kernel's own DMA channel reads what it
              ///< needs
  };
  /// What the kernel takes as well as dense bytes: the tensor where the DLA has it in the SRAM, in
  /// blocks of 16 channels. Of one layer all operands but kNone say the same, kOwn apart.
  enum class Blocks : uint8_t {
    kNone,
    kLanes,  ///< (1, block, y, x, 16): every lane is computed by itself, those that no channel has
             ///< too, and their results are not read; all such operands of the layer, or none
    kRows,   ///< (y, x, channel), where the channels of a pixel lie dense; each operand by itself
    kOwn,    ///< (1, block, y, x, 16); each operand by itself
  };
  TensorId tensor = kNoTensor;
  Cut cut = Cut::kWhole;
  ir::DType dtype = ir::DType::kInt8;
  std::vector<int64_t> shape;  ///< as the kernel sees it; where it is cut, after the axis of rows
  bool constant = false;
  Blocks blocks = Blocks::kNone;
  bool stored = false;  ///< as `lay_out` decides: blocked, as the DLA has it; nothing is moved

  std::vector<int64_t> strides = {};  ///< of `shape`, in elements; empty: dense
  bool image = false;  ///< where it is cut: the kernel sees an axis of 1 before the rows

  bool is_cut() const { return cut == Cut::kRows || cut == Cut::kWindow; }
  /// Whether it is loaded into the SRAM, or stored from it, where it lies in memory.
  bool is_moved() const;
  /// Constants beside the arguments of a layer, loaded with them.
  bool is_carried() const { return constant && cut == Cut::kWhole && !stored; }
  /// Where it is cut: of a row; else of all.
  uint64_t bytes() const;

  template <class Self, class F>
  static void fields(Self& s, F&& f);
};

/// A call of a kernel on the DSP, or several, each for some of the layer's rows.
struct DspLayer {
  static constexpr const char* kWord = "dsp";
  static constexpr const char* kEngine = "dsp";

  std::string kernel;                             ///< as PRESIL_KERNEL names it
  std::shared_ptr<const dsp_image::Image> image;  ///< of the user; null: of the library
  std::vector<DspOperand> inputs;
  std::vector<DspOperand> outputs;
  std::vector<uint8_t> params;  ///< the kernel's own struct, see driver/kernels/dsp/params.h
  int64_t rows = 1;             ///< that each operand of kRows has; they may be cut anywhere
  bool by_row = false;          ///< a command has one row, and the kernel sees no axis of rows
  /// Of images: row r of the results reads row (r * step - pad) / per, rounded down, and the size -
  /// 1 after it, as far as they are among the `extent` of each operand of kWindow. The kernel is
  /// told where it stands, in int32 of `params`: at `pad_at` how far the first row read lies before
  /// the first one there is; or, where `part_at` is not 0, there the first rows of result and
  /// operand.
  struct Window {
    int64_t step = 1, size = 1, pad = 0;
    int64_t extent = 0;  ///< 0: no operand is of kWindow
    size_t pad_at = 0;
    int64_t per = 1;
    size_t part_at = 0;

    /// The first row that row r of the results reads, were they without end.
    int64_t first_of(int64_t r) const {
      const int64_t at = r * step - pad;
      return at >= 0 ? at / per : -((per - 1 - at) / per);
    }

    template <class Self, class F>
    static void fields(Self& s, F&& f);
  };
  Window window;
  uint64_t scratch_bytes = 0;
  DspCost cost;  ///< of a command for so many rows
  /// Where the cycles are data-dependent, of a command whose data require most; the watchdog waits
  /// for it.
  DspCost longest;
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
  /// Images that have the kernel and fit in a DSP; without `config` all.
  std::vector<const dsp_image::Image*> programs(const DspConfig* config = nullptr) const;
  /// Of a command for so many rows.
  uint64_t cycles(int64_t for_rows) const { return cycles_of(cost, for_rows); }
  uint64_t cycles(int64_t for_rows, const DspConfig& config) const {
    return cycles_of(cost, for_rows, config);
  }
  uint64_t longest_cycles(const DspConfig& config) const {
    return cycles_of(longest, rows, config);
  }

  Operands operands() const;
  uint64_t weight_bytes() const { return 0; }
  KernelName kernel_name() const { return {kernel, image == nullptr ? "" : image->name}; }

  template <class Self, class F>
  static void fields(Self& s, F&& f);
};

}  // namespace presil::layer
