#include "compiler_bridge/plan/dsp_schedule.h"

#include <algorithm>
#include <stdexcept>

#include "compiler_bridge/plan/dsp_blocks.h"
#include "compiler_bridge/plan/dsp_plan.h"

namespace presil::plan {
namespace {

using OperandCut = layer::DspOperand::Cut;

constexpr uint64_t kImageAlign = 16;
/// A kernel that takes this many times its estimate hangs; none is stopped before kLeastWatchdog.
constexpr uint64_t kPatience = 8, kLeastWatchdog = 100000;

Access access(const DspRegion& region, bool write) {
  return {region.space, write ? Gate::kOut : Gate::kIn, write, region.offset,
          region.offset + region.bytes};
}

}  // namespace

void DspScheduler::add(const layer::Work& work) {
  const auto& layer = *work.as<layer::DspLayer>();
  m_layer = &layer;
  if (m_table_index.empty()) number_tensors();
  select(*m_images[size_t(m_s.step)]);
  const LayerPlan& plan = m_s.layer_plan();
  const MovedOperands moved =
      moved_operands(layer, m_s.layout, [&](int flat) { return m_s.plan.is_resident(flat); });
  const DspParameterBlock parameter_block = dsp_parameter_block(layer, moved, plan.dsp.tiles);
  m_parameter_block = constants_and_arguments(layer, parameter_block);
  const uint64_t parameter_block_at = m_s.plan.offset_of(plan.parameter_block.buffers.front());

  std::vector<RingState> rings;
  for (size_t i = 0; i < plan.dsp.operands.size(); ++i) {
    rings.emplace_back(plan.dsp.operands[i],
                       m_s.slot_from(plan.dsp.operand_from[i], m_s.queues.loads));
  }
  const int parameter_block_slot = m_s.slot_from(plan.parameter_block_from, m_s.queues.weights);
  const int64_t most = rows_of_tile(layer, plan.dsp.tiles);
  const int first_slot = m_s.program.next_slot();
  std::vector<std::vector<DspRegion>> regions;
  for (int64_t k = 0; k < plan.dsp.tiles; ++k) {
    const int slot = m_s.program.next_slot();
    const Tile tile{k, k * most, std::min(most, layer.rows - k * most), {slot, slot + 1}};
    std::vector<DspRegion> of_tile;
    for (size_t i = 0; i < layer.inputs.size(); ++i) {
      const layer::DspOperand& operand = layer.inputs[i];
      if (operand.is_carried()) {
        of_tile.push_back({kSram, parameter_block_at + parameter_block.constants[i],
                           operand.bytes(), true, false, -1});
      } else {
        of_tile.push_back(load(operand, tile, rings[i]));
      }
    }
    std::vector<Entry> stores;
    for (size_t i = 0; i < layer.outputs.size(); ++i) {
      of_tile.push_back(place(layer.outputs[i], tile, rings[layer.inputs.size() + i], stores));
    }
    if (plan.dsp.scratch.used()) {
      of_tile.push_back({kSram, m_s.plan.offset_of(plan.dsp.scratch.buffers.front()),
                         layer.scratch_bytes, true, true, -1});
    }
    run(layer, parameter_block, parameter_block_at, tile, of_tile);
    for (Entry& store : stores) m_s.program.after(std::move(store));
    for (const layer::DspOperand& output : layer.outputs) {
      if (output.stored) store(output.tensor, stored(output));
    }
  }
  // Tables are whole now: the load is put where its slot is, before all tiles.
  const uint64_t offset = m_s.schedule.image.add(m_parameter_block, PRESIL_BURST_BYTES);
  m_s.program.before(std::min(parameter_block_slot, first_slot),
                     dma_entry(copy_bytes(region_space(PRESIL_REGION_CONSTANTS), offset, kSram,
                                          parameter_block_at, m_parameter_block.size()),
                               m_s.queues.weights, m_s.layer, 0));
}

/// Until the first layer is computed the memory is for what that one and the next ones wait for, if
/// those before the DSP's take as long as a select.
int DspScheduler::select_step(const dsp_image::Image& image) const {
  if (m_s.schedule.overlaps) return 0;
  Cycle cycles = 0;
  for (int step = 1; step < m_s.step; ++step) cycles += m_s.plan.layers[size_t(step)].cycles;
  return cycles < select_cycles(image, m_s.config) ? 0 : 1;
}

/// The image is in the instruction memory before the DSP has anything else to do, where it can be.
void DspScheduler::select(const dsp_image::Image& image) {
  if (m_resident == &image) return;
  auto& images = m_s.schedule.dsp_images;
  auto known = std::find_if(images.begin(), images.end(),
                            [&](const PlacedImage& placed) { return placed.image == &image; });
  if (known == images.end()) {
    images.push_back({m_s.schedule.image.add(image.bytes, kImageAlign), &image});
    known = std::prev(images.end());
  }
  dsp::Command c = dsp::Command::make(dsp::Op::kSelect);
  c.image_offset = static_cast<uint32_t>(known->offset);
  c.image_bytes = static_cast<uint32_t>(image.bytes.size());
  c.image_region = PRESIL_REGION_CONSTANTS;
  c.image_crc = image.crc;
  Entry e;
  e.queue = PRESIL_QUEUE_DSP;
  e.word = c;
  int slot = m_s.program.next_slot();
  if (m_resident == nullptr) {
    slot = m_s.first_slot(select_step(image));
    if (slot > 0) {
      m_s.program.add_access(slot - 1, ordered(kSelected, true));
      e.accesses.push_back(ordered(kSelected, false));
    }
  }
  m_s.program.before(slot, std::move(e));
  m_resident = &image;
}

std::vector<uint8_t> DspScheduler::constants_and_arguments(
    const layer::DspLayer& layer, const DspParameterBlock& parameter_block) const {
  std::vector<uint8_t> bytes(parameter_block.bytes, 0);
  const auto put = [&](uint64_t at, const auto& from) {
    std::copy(from.begin(), from.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
  };
  for (size_t i = 0; i < layer.inputs.size(); ++i) {
    const layer::DspOperand& operand = layer.inputs[i];
    if (operand.is_carried())
      put(parameter_block.constants[i], *m_s.graph.tensor(operand.tensor).data);
  }
  const int64_t tiles = m_s.layer_plan().dsp.tiles;
  const int64_t most = rows_of_tile(layer, tiles), last = layer.rows - (tiles - 1) * most;
  std::vector<View> views;
  for (const auto* operands : {&layer.inputs, &layer.outputs}) {
    for (const layer::DspOperand& operand : *operands) {
      if (operand.stored) views.push_back(stored(operand));
    }
  }
  for (int64_t k = 0; parameter_block.args_by_tile && k < tiles; ++k) {
    const int64_t first = k * most, rows = std::min(most, layer.rows - first);
    put(parameter_block.arguments(k, true), argument_block(layer, rows, views, first));
  }
  if (parameter_block.args_by_tile) return bytes;
  put(parameter_block.args, argument_block(layer, most, views));
  if (last != most) put(parameter_block.last_args, argument_block(layer, last, views));
  return bytes;
}

void DspScheduler::store(TensorId tensor, const View& all) {
  const Window window{0, all.rows, 0, all.columns, 0, 0};
  m_moves.store_tile(tensor, all.columns, window, 0, all.blocks, all, 0);
}

bool DspScheduler::is_in_linear(const layer::DspOperand& operand) const {
  if (operand.stored || operand.is_carried()) return false;
  return operand.cut == OperandCut::kMemory || m_s.places.is_resident(operand.tensor);
}

DspScheduler::Part DspScheduler::part_of(const layer::DspOperand& operand, const Tile& tile) const {
  const OperandRows rows = operand_rows(*m_layer, operand, tile.first, tile.rows);
  return {operand.bytes() * uint64_t(rows.first), operand.bytes() * uint64_t(rows.count)};
}

DspRegion DspScheduler::in_linear(const layer::DspOperand& operand, const Tile& tile,
                                  bool write) const {
  const Part part = part_of(operand, tile);
  return {m_s.places.linear_space(operand.tensor),
          m_s.places.linear_offset(operand.tensor) + part.at,
          part.bytes,
          !write || operand.cut != OperandCut::kMemory,
          write,
          table_index(operand.tensor)};
}

View DspScheduler::stored(const layer::DspOperand& operand) const {
  const Extent all = extent_of(m_s.graph.tensor(operand.tensor));
  return m_s.places.stored(operand.tensor, all.w, {0, all.h, 0, all.w, 0, 0}, 0,
                           m_s.layout.place(operand.tensor).lanes.blocks());
}

DspRegion DspScheduler::in_blocks(const layer::DspOperand& operand, bool write) const {
  const View view = stored(operand);
  const uint64_t last = uint64_t(view.block_pitch) * uint64_t(view.blocks - 1) +
                        uint64_t(view.row_pitch) * uint64_t(view.rows - 1);
  return {view.space, view.base, last + view.row_bytes(), true, write, table_index(operand.tensor)};
}

DspRegion DspScheduler::load(const layer::DspOperand& operand, const Tile& tile, RingState& ring) {
  if (operand.stored) return in_blocks(operand, false);
  if (is_in_linear(operand)) return in_linear(operand, tile, false);
  const Part part = part_of(operand, tile);
  const int key = operand.is_cut() ? int(tile.number) : 0;
  const auto turn = ring.take({key, 0, 0, 0, 0, 0}, tile.slots);
  const uint64_t at = m_s.plan.offset_of(turn.buffer);
  if (turn.fresh) {
    const uint64_t from = m_s.places.linear_offset(operand.tensor) + part.at;
    m_s.program.before(turn.slot, dma_entry(copy_bytes(m_s.places.linear_space(operand.tensor),
                                                       from, kSram, at, part.bytes),
                                            m_s.queues.loads, m_s.layer, uint32_t(tile.number)));
  }
  return {kSram, at, part.bytes, true, false, table_index(operand.tensor)};
}

DspRegion DspScheduler::place(const layer::DspOperand& operand, const Tile& tile, RingState& ring,
                              std::vector<Entry>& stores) {
  if (operand.stored) return in_blocks(operand, true);
  if (is_in_linear(operand)) return in_linear(operand, tile, true);
  const Part part = part_of(operand, tile);
  const auto turn = ring.take({int(tile.number), 0, 0, 0, 0, 0}, tile.slots);
  const uint64_t at = m_s.plan.offset_of(turn.buffer);
  const uint64_t to = m_s.places.linear_offset(operand.tensor) + part.at;
  Entry e =
      dma_entry(copy_bytes(kSram, at, m_s.places.linear_space(operand.tensor), to, part.bytes),
                m_s.queues.stores, m_s.layer, uint32_t(tile.number));
  e.completes = m_s.layout.sharing_linear(operand.tensor);
  e.completes_linear = true;
  stores.push_back(std::move(e));
  return {kSram, at, part.bytes, true, true, table_index(operand.tensor)};
}

void DspScheduler::run(const layer::DspLayer& layer, const DspParameterBlock& parameter_block,
                       uint64_t parameter_block_at, const Tile& tile,
                       const std::vector<DspRegion>& regions) {
  const dsp_image::Image& image = *m_resident;
  const bool whole = tile.rows == rows_of_tile(layer, m_s.layer_plan().dsp.tiles);
  const uint64_t table = parameter_block.table(tile.number, whole);
  const std::vector<uint8_t> bytes = region_table(regions);
  std::copy(bytes.begin(), bytes.end(),
            m_parameter_block.begin() + static_cast<std::ptrdiff_t>(table));

  dsp::Command c = dsp::Command::make(dsp::Op::kRun);
  c.entry = image.entry(layer.kernel);
  if (c.entry == 0) {
    throw std::logic_error("plan: " + image.name + " has no kernel " + layer.kernel);
  }
  c.args_base =
      static_cast<uint32_t>(parameter_block_at + parameter_block.arguments(tile.number, whole));
  c.args_bytes = static_cast<uint32_t>(argument_bytes(layer));
  c.region_count = static_cast<uint8_t>(regions.size());
  c.regions_base = static_cast<uint32_t>(parameter_block_at + table);
  c.image_crc = image.crc;
  const uint64_t usual = layer.cycles(tile.rows + layer.padding, m_s.config.dsp);
  c.watchdog = static_cast<uint32_t>(
      std::clamp<uint64_t>(kPatience * std::max(usual, layer.longest_cycles(m_s.config.dsp)),
                           kLeastWatchdog, UINT32_MAX));
  Entry e;
  e.queue = PRESIL_QUEUE_DSP;
  e.word = c;
  e.layer = m_s.layer;
  e.tile = static_cast<uint32_t>(tile.number);
  e.accesses.push_back(
      {kSram, Gate::kIn, false, parameter_block_at, parameter_block_at + m_parameter_block.size()});
  for (const DspRegion& region : regions) {
    // Constants never change: nothing has to wait for them.
    if (region.space == region_space(PRESIL_REGION_CONSTANTS)) continue;
    e.accesses.push_back(access(region, region.write));
  }
  for (const layer::DspOperand& operand : layer.outputs) {
    if (!operand.stored && !is_in_linear(operand)) continue;
    const std::vector<TensorId> made = operand.stored ? m_s.layout.sharing_storage(operand.tensor)
                                                      : m_s.layout.sharing_linear(operand.tensor);
    e.completes.insert(e.completes.end(), made.begin(), made.end());
    e.completes_linear = !operand.stored;
  }
  m_s.program.compute(std::move(e));
}

/// Of the tensor in the loadable's table: those that lie somewhere, in the graph's order.
int DspScheduler::table_index(TensorId tensor) const {
  return m_table_index[size_t(tensor)];
}

void DspScheduler::number_tensors() {
  int placed = 0;
  for (const TensorRecord& r : m_s.schedule.tensors) {
    m_table_index.push_back(r.placed ? placed++ : -1);
  }
}

}  // namespace presil::plan
