// Lines of images 2, 4 or 8 times as wide: pixels of y that are as many apart have the same weights
// along a row. So a line is made phase by phase, of all pixels of x at once, and not pixel by
// pixel, of few channels each. Phases stand one after another; at the end they are moved to their
// pixels, in runs of a pixel's channels, 32 bytes a cycle (moves.h).
#pragma once

#include "driver/kernels/dsp/moves.h"
#include "driver/kernels/dsp/resize.h"

namespace presil::dsp {

constexpr int64_t kMostPhases = 8;
constexpr size_t kPhases = 8192;  // elements of a line
constexpr int64_t kPhaseChannels = 512;

template <class Kind>
struct PhaseLines {
  typename Kind::X row[kPhases / 2 + 2 * kPhaseChannels];  // of x, its edges twice
  typename Kind::Line phases[kPhases];
  struct {
    int64_t low;  // of pixel 0 of x
    typename Kind::Weight weight;
  } of[kMostPhases];
};

/// How much wider y is, where its positions repeat from pixel to pixel of x, and words hold two
/// elements of a line; else 0. Of fewer columns none is not at an edge.
inline int64_t phases_of(const DLTensor& in, const Resized& s, bool align_corners) {
  constexpr int64_t kFewestColumns = 3, kFewest = 4;
  if (align_corners || s.w < kFewestColumns || s.ow % s.w != 0) return 0;
  if (s.c < kFewest || s.c > kPhaseChannels || s.c % 2 != 0) return 0;
  const int64_t phases = s.ow / s.w;
  const bool powers = phases == 2 || phases == 4 || phases == kMostPhases;
  const bool dense = in.strides[in.ndim - 2] == s.c;
  return powers && dense && s.ow * s.c <= static_cast<int64_t>(kPhases) ? phases : 0;
}

/// A line of y from a row of x, of `pixels` pixels of c channels.
template <class Kind>
[[gnu::noinline]] void across_by_phases(const Kind& kind, const typename Kind::X* row,
                                        int64_t pixels, int64_t c, int64_t phases,
                                        PhaseLines<Kind>& memory, typename Kind::Line* to) {
  using X = typename Kind::X;
  const auto length = static_cast<size_t>(pixels * c), pixel = static_cast<size_t>(c) * sizeof(X);
  const auto copy = [](X* copied, const X* from, size_t bytes) {
    copy_bytes(reinterpret_cast<const char*>(from), reinterpret_cast<char*>(copied), bytes);
  };
  copy(memory.row + c, row, length * sizeof(X));
  copy(memory.row, row, pixel);
  copy(memory.row + c + length, row + length - c, pixel);
  auto* phase = memory.phases;
  for (int64_t p = 0; p < phases; ++p, phase += length) {
    const X* first = memory.row + (memory.of[p].low + 1) * c;
    kind.run(first, first + c, memory.of[p].weight, length, phase);
  }
  phase = memory.phases;
  const int64_t bytes = c * static_cast<int64_t>(sizeof(typename Kind::Line));
  for (int64_t p = 0; p < phases; ++p, phase += length) {
    copy_runs_32(reinterpret_cast<const char*>(phase), bytes, reinterpret_cast<char*>(to + p * c),
                 phases * bytes, static_cast<size_t>(pixels), static_cast<size_t>(bytes / 4));
  }
}

}  // namespace presil::dsp
