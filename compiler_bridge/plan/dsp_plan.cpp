#include "compiler_bridge/plan/dsp_plan.h"

#include <algorithm>

#include "compiler_bridge/plan/dsp_blocks.h"
#include "models/host/host_timing.h"

namespace presil::plan {
namespace {

using OperandCut = layer::DspOperand::Cut;

/// From a command's waits to its first instruction (rtl/dsp/README.md), and the loads of stores
/// that come before its signal.
constexpr Cycle kStart = 40;

/// All of it, whatever the tiles.
uint64_t whole_bytes(const layer::DspLayer& layer, const layer::DspOperand& operand) {
  const int64_t rows = operand.cut == OperandCut::kWindow ? layer.window.extent : layer.rows;
  return operand.bytes() * static_cast<uint64_t>(operand.is_cut() ? rows : 1);
}

struct Traffic {
  uint64_t bytes = 0, commands = 0;
};

/// @param moved  of the first one on
Traffic traffic_of(const layer::DspLayer& layer, const std::vector<layer::DspOperand>& operands,
                   MovedOperands::const_iterator moved, int64_t tiles) {
  Traffic t;
  const int64_t rows = rows_of_tile(layer, tiles);
  for (const layer::DspOperand& operand : operands) {
    if (!*moved++) continue;
    t.commands += static_cast<uint64_t>(operand.is_cut() ? tiles : 1);
    if (operand.cut != OperandCut::kWindow) t.bytes += whole_bytes(layer, operand);
    for (int64_t k = 0; operand.cut == OperandCut::kWindow && k < tiles; ++k) {
      const int64_t first = k * rows, count = std::min(rows, layer.rows - first);
      const OperandRows own = operand_rows(layer, operand, first, count);
      t.bytes += operand.bytes() * static_cast<uint64_t>(own.count);
    }
  }
  return t;
}

uint64_t padded(uint64_t bytes) {
  return (bytes + kWordBytes - 1) / kWordBytes * kWordBytes;
}

uint64_t sram_bytes(const layer::DspLayer& layer, const MovedOperands& moved, int64_t tiles,
                    int depth) {
  uint64_t bytes = dsp_parameter_block(layer, moved, tiles).bytes + padded(layer.scratch_bytes);
  const int64_t rows = rows_of_tile(layer, tiles);
  auto is_moved = moved.begin();
  for (const auto* operands : {&layer.inputs, &layer.outputs}) {
    for (const layer::DspOperand& operand : *operands) {
      if (!*is_moved++) continue;
      const uint64_t buffers = operand.is_cut() ? uint64_t(depth) : 1;
      bytes += buffers * padded(most_bytes(layer, operand, rows));
    }
  }
  return bytes;
}

DspChoice choice_of(const layer::DspLayer& layer, const MovedOperands& moved, int64_t tiles,
                    const SocConfig& config) {
  const auto outputs = moved.begin() + static_cast<std::ptrdiff_t>(layer.inputs.size());
  const Traffic in = traffic_of(layer, layer.inputs, moved.begin(), tiles);
  const Traffic out = traffic_of(layer, layer.outputs, outputs, tiles);
  DspChoice choice;
  choice.tiles = tiles;
  choice.depth = tiles > 1 ? 2 : 1;
  choice.bytes = sram_bytes(layer, moved, tiles, choice.depth);
  TileCost cost;
  cost.load = move_cycles(in.bytes, in.commands, config);
  cost.store = move_cycles(out.bytes, out.commands, config);
  cost.memory = memory_cycles(in.bytes + out.bytes, config);
  const int64_t rows = rows_of_tile(layer, tiles), last = layer.rows - (tiles - 1) * rows;
  const auto of = [&](int64_t n) { return dsp_command_cycles(layer, n, config); };
  cost.compute = of(rows) * (tiles - 1) + of(last);
  cost.tiles = cost.commands = static_cast<int>(tiles);
  cost.first = cost.load / tiles;
  cost.last = cost.store / tiles;
  cost.depth = choice.depth;
  cost.fill = cost.first, cost.drain = cost.last;
  // A call more must be worth its fetch, and those of its transfers.
  cost.words = fetch_cycles(config) * (tiles - 1);
  cost.in_turn = true;
  choice.cycles = cost.total();
  choice.moved = cost.load + cost.store;
  choice.lost = choice.cycles - std::min(choice.cycles, of(layer.rows));
  return choice;
}

/// Numbers of tiles that are worth a look: few, and then as few rows as can be.
std::vector<int64_t> tile_counts(const layer::DspLayer& layer) {
  std::vector<int64_t> counts;
  if (layer.by_row) return {layer.rows};
  const auto even = [&](int64_t tiles) {
    const int64_t rows = rows_of_tile(layer, tiles);
    const int64_t count = (layer.rows + rows - 1) / rows;
    if (counts.empty() || count > counts.back()) counts.push_back(count);
  };
  const bool cut =
      !layer.is_stored() && std::all_of(layer.outputs.begin(), layer.outputs.end(),
                                        [](const layer::DspOperand& o) { return o.is_cut(); });
  for (int64_t tiles = 1; tiles <= (cut ? layer.rows : 1); tiles += std::max<int64_t>(1, tiles / 4))
    even(tiles);
  if (cut) even(layer.rows);
  return counts;
}

}  // namespace

MovedOperands moved_operands(const layer::DspLayer& layer, const Layout& layout,
                             const std::function<bool(int flat)>& stays) {
  MovedOperands moved;
  for (const auto* operands : {&layer.inputs, &layer.outputs}) {
    for (const layer::DspOperand& o : *operands) {
      moved.push_back(o.is_moved() && !stays(layout.place(o.tensor).flat));
    }
  }
  return moved;
}

MovedOperands moved_operands(const layer::DspLayer& layer) {
  MovedOperands moved;
  for (const layer::DspOperand& input : layer.inputs) moved.push_back(input.is_moved());
  for (const layer::DspOperand& output : layer.outputs) moved.push_back(output.is_moved());
  return moved;
}

DspParameterBlock dsp_parameter_block(const layer::DspLayer& layer, const MovedOperands& moved,
                                      int64_t tiles) {
  auto by_command = moved.begin();
  bool part_of_linear = false;
  for (const auto* operands : {&layer.inputs, &layer.outputs}) {
    for (const layer::DspOperand& o : *operands) {
      part_of_linear |= !*by_command++ && o.is_moved() && o.is_cut();
    }
  }
  return dsp_parameter_block(layer, tiles, part_of_linear);
}

std::vector<DspChoice> dsp_menu(const layer::DspLayer& layer, const MovedOperands& moved,
                                const SocConfig& config) {
  std::vector<DspChoice> menu;
  for (const int64_t tiles : tile_counts(layer)) {
    menu.push_back(choice_of(layer, moved, tiles, config));
  }
  return menu;
}

DspChoice choose_dsp(const std::vector<DspChoice>& menu, uint64_t budget) {
  DspChoice best, least;
  for (const DspChoice& choice : menu) {
    if (least.bytes == 0 || choice.bytes < least.bytes) least = choice;
    if (choice.bytes > budget) continue;
    if (best.tiles == 0 || choice.cycles < best.cycles) best = choice;
  }
  if (best.tiles == 0) best.bytes = least.bytes;
  return best;
}

DspChoice choose_dsp(const layer::DspLayer& layer, const MovedOperands& moved, uint64_t budget,
                     const SocConfig& config) {
  return choose_dsp(dsp_menu(layer, moved, config), budget);
}

Cycle dsp_command_cycles(const layer::DspLayer& layer, int64_t rows, const SocConfig& config) {
  return static_cast<Cycle>(layer.cycles(rows + layer.padding, config.dsp)) + kStart;
}

Cycle dsp_cycles(const layer::DspLayer& layer, const MovedOperands& moved,
                 const SocConfig& config) {
  const DspChoice choice = choose_dsp(layer, moved, config.sram.bytes, config);
  return choice.cycles;
}

Cycle host_cycles(const layer::DspLayer& layer, const MovedOperands& moved, bool waits,
                  const SocConfig& config) {
  uint64_t bytes = 0;
  Cycle transfers = 0;  // by the DMA, before and after it
  auto of_dsp = moved.begin();
  for (const auto* operands : {&layer.inputs, &layer.outputs}) {
    for (const layer::DspOperand& operand : *operands) {
      const uint64_t own = whole_bytes(layer, operand);
      bytes += own;
      const bool also_for_dsp = *of_dsp++ || operand.constant || operand.cut == OperandCut::kMemory;
      if (!also_for_dsp) transfers += move_cycles(own, 1, config);
    }
  }
  const host::Task task{layer.host_kernel, layer.host_elements, bytes};
  const Cycle interrupt = waits ? config.host.cycles_interrupt : 0;
  return transfers + interrupt + host::task_cycles(config.host, task) +
         config.noc.cycles_register_write;  // the signal
}

}  // namespace presil::plan
