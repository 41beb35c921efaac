// What an engine's folder gives the compiler: which operators it takes, what they become, which
// commands compute them and in how many cycles. Tensors of such a layer lie in the SRAM in blocks
// of 16 channels (C16); presil brings them there, cuts layers into tiles and orders the commands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/layer/work.h"
#include "compiler_bridge/rules/rule.h"
#include "models/soc/soc_config.h"

namespace presil::engine {

/// The engine as a SoC has it.
struct Instance {
  const SocConfig& soc;
  const EngineConfig& engine;  ///< its parameters, all of them

  uint64_t parameter(const std::string& name) const { return engine.parameters.at(name); }
};

/// What a pattern of operators becomes: one layer.
struct Lowered {
  std::vector<int> ops;  ///< of the graph: the first is what the layer is, the others joined it
  layer::Work work;      ///< the engine's own struct
};

/// What one command makes: rows [y0, y1) of the result, all columns, of blocks [b0, b1).
struct Tile {
  int y0 = 0, y1 = 0, b0 = 0, b1 = 0;
  int rows() const { return y1 - y0; }
  int blocks() const { return b1 - b0; }
};

/// What a command reads of an operand: rows [y0, y1), all columns, of blocks [b0, b1).
using Part = Tile;

/// Where a part, or a result, lies in the SRAM: its first pixel; 16 bytes from pixel to pixel.
struct Address {
  uint32_t base = 0, row_pitch = 0, block_pitch = 0;
};

/// Bytes [begin, end) of the SRAM.
struct Bytes {
  bool write = false;
  uint64_t begin = 0, end = 0;
};

/// Functions of their arguments alone: no state, so that stages may ask in any order. `work` is
/// what lower() has made. Operands that are read come as in work.operands(); the one that is
/// written is the result. An exception ends the compilation with the engine's name.
class EngineCompiler {
 public:
  EngineCompiler() = default;
  EngineCompiler(const EngineCompiler&) = delete;
  EngineCompiler& operator=(const EngineCompiler&) = delete;
  virtual ~EngineCompiler() = default;

  /// The word of its layers in text (T::kWord of the work), and what reads them.
  virtual const char* word() const = 0;
  virtual layer::Work read(layer::FieldReader& reader) const = 0;

  /// Rules by kind of operator. What is found becomes a placement::Verdict of this engine; the
  /// support table prints the limits.
  virtual std::vector<rules::Entry> rules(const Instance& instance) const = 0;

  /// The longest pattern that begins with `op`, which the rules take. May append constants to the
  /// graph.
  virtual Lowered lower(ir::Graph& graph, int op, const Instance& instance) const = 0;

  /// Rows and blocks that one command can make at most, both from 0 on.
  virtual Tile most(const layer::Work& work, const Instance& instance) const = 0;

  /// What a tile reads of the operand with that index.
  virtual Part reads(const layer::Work& work, size_t operand, const Tile& tile) const = 0;

  /// Bytes that come with a tile's command (tables); empty: none.
  virtual std::vector<uint8_t> constants(const layer::Work&, const Tile&) const { return {}; }

  /// From a command's start to its end, operands in the SRAM: of the engine's own `_timing`.
  virtual Cycle cycles(const layer::Work& work, const Tile& tile,
                       const Instance& instance) const = 0;

  /// The words of a tile's command, but for waits, signal and tag.
  /// @param constants  where they lie, 16-byte aligned
  virtual std::vector<uint32_t> command(const layer::Work& work, const Tile& tile,
                                        const std::vector<Address>& reads, const Address& result,
                                        uint32_t constants) const = 0;

  /// What a command touches, from its words alone: the memory of a compiled network is checked by
  /// it.
  virtual std::vector<Bytes> touched(const uint32_t* words) const = 0;
};

}  // namespace presil::engine
