// A tensor of a layer as every stage may know it, whatever engine computes the layer: whether it is
// read or written, and in which form the engine requires it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler_bridge/ir/graph.h"

namespace presil::layer {

using TensorId = int;  ///< index in ir::Graph::tensors
inline constexpr TensorId kNoTensor = -1;

/// Pixels and channels as an engine sees a tensor.
struct Extent {
  int h = 1, w = 1, c = 1;
  bool operator==(const Extent& o) const { return h == o.h && w == o.w && c == o.c; }
};
/// Batch 1: the last axis is channels, the one before it columns, the rest rows.
Extent extent_of(const ir::Tensor& tensor);

struct Operand {
  enum class Form : uint8_t {
    kLinear,   ///< dense bytes
    kBlocked,  ///< in the SRAM, in blocks of 16 channels
    kEither,   ///< blocked where a layer made it so, else linear
    kCarried,  ///< a constant whose bytes go with the layer's parameters
    kInPlace,  ///< its bytes are the other operands': InPlaceLayer
  };
  /// Of a blocked operand: in which lanes of a block its channels lie.
  enum class Lanes : uint8_t {
    kAny,      ///< read: in any
    kDense,    ///< without gaps
    kAligned,  ///< read: those of the results
    kFree,     ///< written: those of the first aligned operand that is read, else without gaps
  };
  /// How many blocks of it the DLA's array reads in one step.
  enum class AtOnce : uint8_t { kOne, kColumns, kRows };

  TensorId tensor = kNoTensor;
  bool write = false;
  Form form = Form::kLinear;

  // ---- linear
  bool in_memory = false;  ///< must lie in a region: the engine has no way to the SRAM
  bool in_sram = false;    ///< must lie in the SRAM: loaded before and stored after, or resident
  bool copied = false;     ///< by the DMA, where it lies

  // ---- blocked
  std::optional<Extent> extent = {};  ///< as the engine sees it; none: as it is
  Lanes lanes = Lanes::kAny;
  bool by_choice = false;  ///< linear would do as well
  AtOnce at_once = AtOnce::kOne;
  bool four_rows = false;     ///< rows above each other are read at once
  bool packable = false;      ///< dense NHWC rows would do as well
  bool zero_padding = false;  ///< lanes that no channel has must be 0

  static Operand linear(TensorId tensor, bool write) { return {tensor, write, Form::kLinear}; }
  static Operand in_place(TensorId tensor, bool write) { return {tensor, write, Form::kInPlace}; }
};
using Operands = std::vector<Operand>;

/// Each tensor once, in the order of the operands.
std::vector<TensorId> read(const Operands& operands);
std::vector<TensorId> written(const Operands& operands);

}  // namespace presil::layer
