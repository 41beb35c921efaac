// What only moves values.
#include <algorithm>

#include "compiler_bridge/layer/dsp_cost_family.h"
#include "driver/kernels/dsp/cost.h"

namespace presil::layer {
namespace {

/// Axes that are walked along, as the kernels have them: neighbours that lie one after another on
/// both sides are one.
struct Loops {
  struct Axis {
    uint64_t n;
    int64_t from, to;  ///< strides, in elements
  };
  std::vector<Axis> axes;

  void add(uint64_t n, int64_t from, int64_t to) {
    if (n == 1) return;
    const auto count = static_cast<int64_t>(n);
    const bool joins =
        !axes.empty() && axes.back().from == count * from && axes.back().to == count * to;
    if (joins) {
      axes.back() = {axes.back().n * n, from, to};
    } else {
      axes.push_back({n, from, to});
    }
  }
  uint64_t cycles(uint64_t size) const;

 private:
  uint64_t short_runs(uint64_t runs, uint64_t bytes, uint64_t size) const;
};

/// Runs of one axis are moved together, the longest.
uint64_t Loops::short_runs(uint64_t runs, uint64_t bytes, uint64_t size) const {
  constexpr uint64_t kWord = 4;
  uint64_t together = 1, odd = bytes;
  for (const Axis& axis : axes) {
    if (axis.from == 1 && axis.to == 1) continue;
    together = std::max(together, axis.n);
    odd |= static_cast<uint64_t>(axis.from | axis.to) * size;
  }
  return presil_dsp_cycles_moved_short_runs(runs, bytes, together, odd % kWord == 0 ? 1 : 0);
}

/// From there to here, element by element; no call counted.
uint64_t Loops::cycles(uint64_t size) const {
  uint64_t elements = 1, there = 1, here = 1;  // there, here: extents of the dense axes
  bool same = false;
  for (const Axis& axis : axes) {
    elements *= axis.n;
    if (axis.from == 1) there = axis.n;
    if (axis.to == 1) here = axis.n;
    same = same || (axis.from == 1 && axis.to == 1);
  }
  if (same || axes.empty()) return short_runs(elements / here, here * size, size);
  if (there > 1 && here > 1 && size == 1) {
    return presil_dsp_cycles_transposed_bytes(elements / (here * there), here, there);
  }
  const uint64_t run = here > 1 ? here : axes.back().n;
  return presil_dsp_cycles_moved_elements(elements / run, run);
}

/// From argument `first` on [bytes of an element, strides of the rows there and here, 0 where they
/// are no axis; of each further axis its extent and strides there and here]
uint64_t walked(const CostArguments& a, size_t first) {
  const uint64_t size = a.at(first);
  Loops loops;
  const auto stride = [&](size_t i) { return static_cast<int64_t>(a.at(i)); };
  const bool has_rows = a.at(first + 2) != 0;
  if (has_rows) loops.add(a.rows, stride(first + 1), stride(first + 2));
  for (size_t i = first + 3; i < a.values.size(); i += 3) {
    loops.add(a.at(i), stride(i + 1), stride(i + 2));
  }
  return PRESIL_DSP_CYCLES_ENTRY + loops.cycles(size);
}

uint64_t moved(const CostArguments& a) {
  return walked(a, 0);
}

/// [bytes of a row of the result, then as of moved]
uint64_t padded(const CostArguments& a) {
  return presil_dsp_cycles_filled(a.rows * a.at(0)) + walked(a, 1);
}

/// [bytes of a row of each input]
uint64_t concat(const CostArguments& a) {
  constexpr uint64_t kWord = 4;
  uint64_t cycles = PRESIL_DSP_CYCLES_ENTRY, odd = 0;
  for (size_t i = 0; i < a.values.size(); ++i) odd |= a.at(i);
  for (size_t i = 0; i < a.values.size(); ++i) {
    cycles += presil_dsp_cycles_moved_short_runs(a.rows, a.at(i), a.rows, odd % kWord == 0 ? 1 : 0);
  }
  return cycles;
}

/// [runs of a row, bytes of one]
uint64_t gather(const CostArguments& a) {
  return PRESIL_DSP_CYCLES_ENTRY + presil_dsp_cycles_moved_runs(a.rows * a.at(0), a.at(1));
}

/// [pixels of an image, columns, bytes of a pixel, rows of pixels that are alike, rows of an image]
uint64_t resize_nearest(const CostArguments& a) {
  return presil_dsp_cycles_resize_nearest(a.rows * a.at(0) / a.at(4), a.at(1), a.at(2), a.at(3));
}

/// [pixels of an image, columns, channels, pixels of rows of x as wide as those of y, rows of an
/// image]
template <uint32_t per_hundred, uint32_t per_pixel>
uint64_t resize_bilinear(const CostArguments& a) {
  return presil_dsp_cycles_resize_bilinear(a.rows * a.at(0) / a.at(4), a.rows * a.at(3) / a.at(4),
                                           a.at(1), a.at(2), per_hundred, per_pixel);
}

/// The same
template <uint32_t per_hundred>
uint64_t resize_phases(const CostArguments& a) {
  return presil_dsp_cycles_resize_phases(a.rows * a.at(0) / a.at(4), a.rows * a.at(3) / a.at(4),
                                         a.at(1), a.at(2), per_hundred);
}

}  // namespace

const std::vector<CostFunction>& move_costs() {
  static const std::vector<CostFunction> all = {
      {"moved", moved},
      {"padded", padded},
      {"concat", concat},
      {"gather", gather},
      {"resize_nearest", resize_nearest},
      {"resize_bilinear_i8_tflite",
       resize_bilinear<PRESIL_DSP_BILINEAR_I8_TFLITE, PRESIL_DSP_BILINEAR_I8_PIXEL>},
      {"resize_bilinear_i8_xnnpack",
       resize_bilinear<PRESIL_DSP_BILINEAR_I8_XNNPACK, PRESIL_DSP_BILINEAR_I8_PIXEL>},
      {"resize_bilinear_i8_tflite_short",
       resize_bilinear<PRESIL_DSP_BILINEAR_I8_TFLITE_SHORT, PRESIL_DSP_BILINEAR_I8_PIXEL_SHORT>},
      {"resize_bilinear_i8_xnnpack_short",
       resize_bilinear<PRESIL_DSP_BILINEAR_I8_XNNPACK_SHORT, PRESIL_DSP_BILINEAR_I8_PIXEL_SHORT>},
      {"resize_bilinear_i8_tflite_phases", resize_phases<PRESIL_DSP_BILINEAR_I8_TFLITE_PHASES>},
      {"resize_bilinear_i8_xnnpack_phases", resize_phases<PRESIL_DSP_BILINEAR_I8_XNNPACK_PHASES>},
      {"resize_bilinear_f32",
       resize_bilinear<PRESIL_DSP_BILINEAR_F32, PRESIL_DSP_BILINEAR_F32_PIXEL>},
  };
  return all;
}

}  // namespace presil::layer
