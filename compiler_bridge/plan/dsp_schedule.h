// The commands of the layers of the DSP, and the DMA's around them, as they are put into a program.
#pragma once

#include <functional>

#include "compiler_bridge/plan/dsp_arguments.h"
#include "compiler_bridge/plan/dsp_images.h"
#include "compiler_bridge/plan/places.h"
#include "compiler_bridge/plan/program.h"
#include "compiler_bridge/plan/ring_state.h"

namespace presil::plan {

class DspScheduler {
 public:
  /// Puts the stores of a stored tensor to its flats, behind what has computed last.
  using Store = std::function<void(TensorId tensor, const View& all)>;

  /// @param slot_from  the slot before which a load may be put that can be under way from a step on
  DspScheduler(const ir::Graph& graph, const Layout& layout, const Plan& plan, const Places& places,
               Schedule& schedule, ProgramBuilder& program, const DmaQueues& queues,
               const DspConfig& config, std::function<int(int step, uint8_t queue)> slot_from,
               Store store)
      : m_graph(graph),
        m_layout(layout),
        m_plan(plan),
        m_places(places),
        m_schedule(schedule),
        m_program(program),
        m_queues(queues),
        m_slot_from(std::move(slot_from)),
        m_store(std::move(store)),
        m_images(choose_images(layout, config)) {}

  /// An image is selected in front of the first of the layers that run by it.
  void add(int step, const layer::DspLayer& layer);

 private:
  using Entry = ProgramBuilder::Entry;
  struct Tile {
    int64_t number = 0, first = 0, rows = 0;
    Slots slots;
  };
  void select(const dsp_image::Image& image);
  std::vector<uint8_t> constants_and_arguments(const layer::DspLayer& layer,
                                               const DspBlob& blob) const;
  /// Where the tile's part of an input lies; its load is put.
  DspRegion load(const layer::DspOperand& operand, const Tile& tile, RingState& ring);
  /// Where the tile's part of an output is made; what takes it out joins `stores`.
  DspRegion place(const layer::DspOperand& operand, const Tile& tile, RingState& ring,
                  std::vector<Entry>& stores);
  /// A tile's bytes of an operand, from its first one on.
  struct Part {
    uint64_t at = 0, bytes = 0;
  };
  Part part_of(const layer::DspOperand& operand, const Tile& tile) const;
  /// Where it lies and nothing is moved: the tile's part of a flat in the SRAM, or all in memory.
  DspRegion in_flat(const layer::DspOperand& operand, const Tile& tile, bool write) const;
  bool is_in_flat(const layer::DspOperand& operand) const;
  /// All of a stored operand, where it lies.
  View stored(const layer::DspOperand& operand) const;
  DspRegion in_blocks(const layer::DspOperand& operand, bool write) const;
  void run(const layer::DspLayer& layer, const DspBlob& blob, uint64_t blob_at, const Tile& tile,
           const std::vector<DspRegion>& regions);
  int table_index(TensorId tensor) const;
  void number_tensors();

  const ir::Graph& m_graph;
  const Layout& m_layout;
  const Plan& m_plan;
  const Places& m_places;
  Schedule& m_schedule;
  ProgramBuilder& m_program;
  const DmaQueues m_queues;
  const std::function<int(int, uint8_t)> m_slot_from;
  const Store m_store;
  const std::vector<const dsp_image::Image*> m_images;  ///< by step
  const dsp_image::Image* m_resident = nullptr;
  int m_step = 0, m_layer = kNone;
  std::vector<uint8_t> m_blob;     ///< of the layer under way: tables are filled in tile by tile
  std::vector<int> m_table_index;  ///< by tensor
};

}  // namespace presil::plan
