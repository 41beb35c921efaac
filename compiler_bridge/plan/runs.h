// Which input blocks the output blocks of a layer are made from, and how many of them one command
// can walk through.
#pragma once

#include <vector>

#include "compiler_bridge/plan/forms.h"
#include "models/soc/soc_config.h"

namespace presil::plan {

/// Output blocks [b0, b1) that one command makes: block b from the `in_blocks` input blocks that
/// begin at c0 + (b - b0) * step (the command's in_kb_step).
struct Run {
  int b0 = 0, b1 = 0;
  int c0 = 0;
  int in_blocks = 1;
  int step = 0;

  int blocks() const { return b1 - b0; }
  int c1() const { return c0 + (blocks() - 1) * step + in_blocks; }
  /// Output blocks [from, to) of it.
  Run outputs(int from, int to) const {
    return {from, to, c0 + (from - b0) * step, in_blocks, step};
  }
  /// Of each output block's sum the `count` input blocks that begin `first` blocks after its
  /// first.
  Run inputs(int first, int count) const { return {b0, b1, c0 + first, count, step}; }
  bool operator==(const Run& o) const {
    return b0 == o.b0 && b1 == o.b1 && c0 == o.c0 && in_blocks == o.in_blocks && step == o.step;
  }
};

/// All output blocks of a layer in as few runs as can be, both ends ascending. An array of more
/// than 16 rows computes several output blocks at once; its runs are cut between those, and do not
/// step (rtl/dla/README.md, R10).
///
/// One run: lane-wise layers (block b reads block b), dense rows (their one block), convolutions
/// without groups (each reads everything). Groups: an output block reads the blocks that hold the
/// channels of its own groups.
std::vector<Run> runs_of(const layer::DlaLayer& layer, bool packed, const Lanes& in,
                         const Lanes& out, const DlaConfig& config);

}  // namespace presil::plan
