// How a layer of an engine from outside is cut into commands, what that takes of the SRAM and of
// time. Its tensors are blocked buffers: whole in the SRAM, or in tiles that come and go.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "compiler_bridge/engine/engine_compiler.h"
#include "compiler_bridge/engine/joined.h"
#include "compiler_bridge/plan/layout.h"
#include "compiler_bridge/plan/plan.h"

namespace presil::plan {

/// The layer as it is planned. Operands: those that are read, in their order, then the result.
struct OutsideShape {
  const engine::Joined* engine = nullptr;  ///< null: the layer is no such one
  const layer::Work* work = nullptr;
  std::vector<layer::Operand> operands;
  std::vector<const BlockedBuffer*> buffers;  ///< by operand
  std::vector<bool> streamed;                 ///< by operand: comes and goes by tiles
  int rows = 0, blocks = 0;                   ///< of the result
  uint64_t arriving = 0;  ///< bytes of the first operand that come from memory meanwhile

  const layer::Operand& result() const { return operands.back(); }
  size_t reads() const { return operands.size() - 1; }
};

OutsideShape outside_shape(const Layout& layout, int step);

/// Tiles of at most so many rows and blocks, in the order of execution: rows of a range of blocks
/// follow each other.
std::vector<engine::Tile> outside_tiles(const OutsideShape& shape, int rows, int blocks);

/// Pixels of an operand that a tile touches.
Window outside_window(const OutsideShape& shape, size_t operand, const engine::Part& part);

struct OutsideChoice {
  int rows = 0, blocks = 0;               ///< 0: nothing fits
  int depth = 1;                          ///< buffers of each operand that is streamed
  std::vector<uint64_t> entry_bytes;      ///< of a buffer, by operand; 0: not streamed
  uint64_t constants = 0;                 ///< bytes of a tile's constants
  uint64_t bytes = 0;                     ///< of the SRAM, for all buffers
  Cycle cycles = 0, moved = 0, lost = 0;  ///< as of a TilingChoice
};

/// Ways to cut it.
std::vector<OutsideChoice> outside_menu(const OutsideShape& shape, const SocConfig& config);

/// The least that any of them takes of the SRAM.
uint64_t least_bytes(const std::vector<OutsideChoice>& menu);

/// All such layers of a network, while a plan is sought.
class OutsideSteps {
 public:
  OutsideSteps(const Layout& layout, const SocConfig& config);

  bool is_one(int step) const { return m_steps[size_t(step)].shape.engine != nullptr; }
  const OutsideShape& shape(int step) const { return m_steps[size_t(step)].shape; }

  /// The fastest way of at most `budget` bytes; null: none.
  /// @param kept  by blocked buffer: it stays in the SRAM
  const OutsideChoice* choose(int step, const std::function<bool(int)>& kept, uint64_t arriving,
                              uint64_t budget);
  /// A lower bound of what it takes of the SRAM: what is kept, and tiles of the others.
  /// @param any  whether anything may be kept
  uint64_t least(int step, bool any);

 private:
  struct Layer {
    OutsideShape shape;
    std::map<std::vector<bool>, std::vector<OutsideChoice>> menus;
  };
  const std::vector<OutsideChoice>& menu(Layer& layer);

  const Layout& m_layout;
  const SocConfig& m_config;
  std::vector<Layer> m_steps;  ///< by step
};

}  // namespace presil::plan
