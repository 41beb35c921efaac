// Which tensors stay in the SRAM, how layers are cut into tiles, and where every buffer lies.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "compiler_bridge/placement/verdict.h"
#include "compiler_bridge/plan/layout.h"
#include "compiler_bridge/plan/memory.h"
#include "compiler_bridge/plan/pack.h"
#include "compiler_bridge/plan/tiling.h"

namespace presil::plan {

class Search;

/// Buffers of one size that a stream of tiles goes through, in turn. No entries: not streamed.
struct Ring {
  std::vector<int> buffers;  ///< index in Plan::buffers
  uint64_t entry_bytes = 0;
  bool used() const { return !buffers.empty(); }
};

/// One DSP layer in time and memory.
struct DspPlan {
  int64_t tiles = 0;
  std::vector<Ring> operands;     ///< inputs, then outputs; not used: what is not moved
  std::vector<int> operand_from;  ///< step from which loads may be under way
  Ring scratch;
};

/// One layer of an engine from outside in time and memory.
struct OutsidePlan {
  int rows = 0, blocks = 0;       ///< of a tile, at most; 0: the layer is no such one
  std::vector<Ring> operands;     ///< those that are read, then the result; not used: it stays
  std::vector<int> operand_from;  ///< step from which loads may be under way
};

/// One layer of an engine in time and memory.
struct LayerPlan {
  Tiling tiling;
  std::vector<Run> runs;
  bool packed = false;
  Cycle cycles = 0;               ///< as estimated; of host and DMA: not known
  bool needs_memory = false;      ///< with half of the memory it would be slower
  Cycle lost = 0;                 ///< of them: to moving data
  Ring input, operand, output;    ///< tiles of tensors that do not stay in the SRAM
  Ring parameter_block;           ///< weights, parameters, tables
  bool weights_resident = false;  ///< the parameter block is there since an earlier layer
  Ring sums;                      ///< int32 sums of one tile, where they are made in parts
  /// Steps from which loads of the first tiles (of the parameter block) may be under way.
  int input_from = 0, operand_from = 0, parameter_block_from = 0;
  DspPlan dsp;          ///< of a DSP layer, which has a parameter block besides
  OutsidePlan outside;  ///< of another engine's, which may have one
};

/// Where a storage is kept.
enum class Keep : uint8_t {
  kSram,    ///< whole, from its first to its last use
  kLinear,  ///< in memory as its NHWC flat
  kTiles,   ///< in memory as C16, in the scratch region
};

/// A storage with its decision.
struct KeptBuffer {
  Keep keep = Keep::kSram;
  int buffer = kNone;   ///< kSram: in Plan::buffers
  uint64_t offset = 0;  ///< kTiles: in the scratch region
  int load_step = 0;    ///< kSram and loaded: step at whose beginning the load is put
};

struct Plan {
  std::vector<LayerPlan> layers;            ///< by step; those of host and DMA are empty
  std::vector<KeptBuffer> blocked_buffers;  ///< by storage
  std::vector<Buffer> buffers;              ///< in the SRAM
  Placing placing;                          ///< of the buffers
  std::vector<uint64_t> linear_offsets;     ///< by flat: offset in its region
  std::vector<int> linear_buffers;  ///< by flat that stays in the SRAM: in `buffers`; else kNone
  uint64_t scratch_bytes = 0;
  int prefetch = 0;  ///< steps that weights are loaded ahead
  Cycle cycles = 0;  ///< of all layers of DLA and DSP, as estimated

  uint64_t offset_of(int buffer) const { return placing.offsets[size_t(buffer)]; }
  bool is_resident(int flat) const {
    return flat != kNone && linear_buffers[size_t(flat)] != kNone;
  }
};

/// A layer that does not fit even alone and in the smallest tiles.
struct Misfit {
  int layer = 0;  ///< of the partition
  placement::Verdict verdict;
  uint64_t needed = 0;  ///< bytes of SRAM
};

/// What planning comes to: a plan, or what stands against one.
struct Planned {
  Plan plan = {};
  /// Others that are about as fast, as estimated (finalists.h).
  std::vector<Plan> others = {};
  /// Layers that do not fit, all that are known: nothing helps.
  std::vector<Misfit> misfits = {};
  /// Layers of the DSP, of the partition, whose stored operands do not fit the SRAM as a whole: in
  /// another layout they are dense in memory, and come in tiles.
  std::set<int> not_stored = {};

  bool fits() const { return misfits.empty() && not_stored.empty(); }
};

/// Keeps everything in the SRAM if it fits. Else moves blocked buffers out, one by one, the
/// cheapest in traffic for the bytes it frees first, cuts their layers into tiles, and goes on a
/// little after the first plan that fits: the fastest one, as estimated, is taken. Where the search
/// has used up its units it moves blocked buffers out at all steps that need it at once, and takes
/// what fits.
Planned make_plan(const Layout& layout, const SocConfig& config, Search& search);

}  // namespace presil::plan
