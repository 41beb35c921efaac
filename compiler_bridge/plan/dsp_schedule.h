// The commands of the layers of the DSP, and the DMA's around them, as they are put into a program.
#pragma once

#include "compiler_bridge/plan/dsp_arguments.h"
#include "compiler_bridge/plan/dsp_images.h"
#include "compiler_bridge/plan/engine_scheduler.h"
#include "compiler_bridge/plan/ring_state.h"
#include "compiler_bridge/plan/tensor_moves.h"

namespace presil::plan {

class DspScheduler : public EngineScheduler {
 public:
  DspScheduler(Scheduling& scheduling, TensorMoves& moves)
      : m_s(scheduling),
        m_moves(moves),
        m_images(choose_images(scheduling.layout, scheduling.config.dsp)) {}

  /// An image is selected before the first of the layers that run by it.
  void add(const layer::Work& work) override;

 private:
  using Entry = ProgramBuilder::Entry;
  struct Tile {
    int64_t number = 0, first = 0, rows = 0;
    Slots slots;
  };
  void select(const dsp_image::Image& image);
  /// The step whose beginning the first select waits for; 0: none.
  int select_step(const dsp_image::Image& image) const;
  std::vector<uint8_t> constants_and_arguments(const layer::DspLayer& layer,
                                               const DspParameterBlock& parameter_block) const;
  /// Where the tile's part of an input lies; its load is put.
  DspRegion load(const layer::DspOperand& operand, const Tile& tile, RingState& ring);
  /// Where the tile's part of an output is made; its store joins `stores`.
  DspRegion place(const layer::DspOperand& operand, const Tile& tile, RingState& ring,
                  std::vector<Entry>& stores);
  /// A tile's bytes of an operand, from its first one on.
  struct Part {
    uint64_t at = 0, bytes = 0;
  };
  Part part_of(const layer::DspOperand& operand, const Tile& tile) const;
  /// Where it lies and nothing is moved: the tile's part of a linear buffer in the SRAM, or all in
  /// memory.
  DspRegion in_linear(const layer::DspOperand& operand, const Tile& tile, bool write) const;
  bool is_in_linear(const layer::DspOperand& operand) const;
  /// All of a stored operand, where it lies.
  View stored(const layer::DspOperand& operand) const;
  DspRegion in_blocks(const layer::DspOperand& operand, bool write) const;
  void run(const layer::DspLayer& layer, const DspParameterBlock& parameter_block,
           uint64_t parameter_block_at, const Tile& tile, const std::vector<DspRegion>& regions);
  /// Of a blocked tensor to its linear buffers, after what has computed last.
  void store(TensorId tensor, const View& all);
  int table_index(TensorId tensor) const;
  void number_tensors();

  Scheduling& m_s;
  TensorMoves& m_moves;
  const std::vector<const dsp_image::Image*> m_images;  ///< by step
  const dsp_image::Image* m_resident = nullptr;
  const layer::DspLayer* m_layer = nullptr;
  std::vector<uint8_t>
      m_parameter_block;           ///< of the layer under way: tables are filled in tile by tile
  std::vector<int> m_table_index;  ///< by tensor
};

}  // namespace presil::plan
