#include "compiler_bridge/plan/cost.h"

#include <algorithm>
#include <numeric>

#include "compiler_bridge/plan/dma_copy.h"
#include "models/dla/dla_timing.h"
#include "models/dma/dma_timing.h"
#include "models/host/host_timing.h"

namespace presil::plan {
namespace {

constexpr uint64_t kAtomBytes = 64;  // that the DRAM moves at least

/// What the memory loses to refresh: the bank that is being read is refreshed as often as others.
double refreshed(const DramConfig& dram) {
  if (dram.setting == DramSetting::kIdeal) return 0;
  constexpr double kBanks = 8;
  switch (dram.refresh) {
    case DramRefresh::kPerBank:
      return double(dram.t_rfc_pb) / (double(dram.t_refi_pb) * kBanks);
    case DramRefresh::kAllBanks:
      return double(dram.t_rfc_ab) / double(dram.t_refi);
    default:
      return 0;
  }
}

/// Layers make it, not the network's caller.
bool is_made(const ir::Graph& graph, TensorId id) {
  return !graph.tensor(id).is_constant() &&
         std::find(graph.inputs.begin(), graph.inputs.end(), id) == graph.inputs.end();
}

/// What a copy reads and writes are tensors between layers, and few bytes.
bool lies_in_sram(const layer::DmaLayer& copy, const ir::Graph& graph, const SocConfig& config) {
  constexpr uint64_t kFewOfSram = 4;  // tensors that it holds besides
  uint64_t bytes = graph.tensor(copy.output).bytes();
  bool between = !graph.is_output(copy.output);
  for (const layer::DmaLayer::Move& move : copy.moves) {
    bytes += graph.tensor(move.input).bytes();
    between = between && is_made(graph, move.input);
  }
  return between && bytes * kFewOfSram <= config.sram.bytes;
}

}  // namespace

int block_rows(const layer::DlaLayer& layer, int rows, int columns, const DlaConfig& config) {
  constexpr int kFieldLimit = dla::Command::kBlockRowsMax;
  int most = std::min(rows, kFieldLimit);
  if (layer.op != dla::Op::kPass) {
    most = std::min(most, std::max(1, static_cast<int>(config.acc_depth) / columns));
  }
  const int count = (rows + most - 1) / most;
  return (rows + count - 1) / count;
}

ComputeCycles compute_cycles(const dla::Command& command, const DlaConfig& config) {
  const dla::Plan plan(command, config);
  dla::Pipeline pipeline;
  const dla::Arrival at_once;
  const Cycle first = dla::schedule(plan, at_once, pipeline).end;
  const Cycle second = dla::schedule(plan, at_once, pipeline).end;
  return {first, second - first, (plan.traffic.read() + plan.traffic.written) / kWordBytes};
}

Cycle move_cycles(uint64_t bytes, uint64_t commands, const SocConfig& config) {
  // Peak in bytes per cycle; a DMA command takes about 90 cycles from wait to signal without data.
  const double peak = double(config.dram.peak_mb_per_s) / double(config.clock_mhz);
  constexpr double kCommand = 90;
  // The DMA's port to the SRAM takes a word a cycle, whatever the bus is.
  const double rate = std::min({peak, double(config.noc.data_bytes), double(kWordBytes)});
  return static_cast<Cycle>(double(bytes) / rate + kCommand * double(commands));
}

Cycle memory_cycles(uint64_t bytes, const SocConfig& config) {
  const double peak = double(config.dram.peak_mb_per_s) / double(config.clock_mhz);
  return static_cast<Cycle>(double(bytes) / peak * (1 + refreshed(config.dram)));
}

double row_traffic(uint64_t bytes, uint64_t pitch) {
  const uint64_t parts = (pitch + bytes - 1) / bytes;
  uint64_t rows = 0, atoms = 0;
  const uint64_t period = std::lcm(kAtomBytes, pitch);
  for (uint64_t start = 0; start < period; start += pitch) {
    for (uint64_t part = 0; part < parts; ++part, ++rows) {
      const uint64_t begin = start + part * bytes, end = std::min(begin + bytes, start + pitch);
      atoms += (end - 1) / kAtomBytes - begin / kAtomBytes + 1;
    }
  }
  return double(atoms * kAtomBytes) / double(rows);
}

double row_cycles(double traffic, const SocConfig& config) {
  const DmaCopy one = copy_bytes(region_space(PRESIL_REGION_SCRATCH), 0, kSram, 0, kWordBytes);
  const double latency = double(dma::isolated_cycles(one.command, config));
  const double peak = double(config.dram.peak_mb_per_s) / double(config.clock_mhz);
  return std::max(latency / double(config.dma.bursts_per_channel), traffic / peak);
}

Cycle copy_cycles(const layer::DmaLayer& layer, const ir::Graph& graph, const SocConfig& config) {
  const Space space =
      lies_in_sram(layer, graph, config) ? kSram : region_space(PRESIL_REGION_SCRATCH);
  Cycle cycles = 0;
  for (const layer::DmaLayer::Move& move : layer.moves) {
    for (const DmaCopy& copy : copy_rows(move.bytes, space, 0, space, 0, layer.flip_sign)) {
      cycles += dma::isolated_cycles(copy.command, config);
    }
  }
  return cycles;
}

Cycle host_cycles(const layer::DmaLayer& layer, const ir::Graph& graph, const SocConfig& config) {
  const ir::Tensor& y = graph.tensor(layer.output);
  const host::Task task{layer.kernel, static_cast<uint64_t>(y.elements()), 2 * y.bytes()};
  const bool waits = std::any_of(layer.moves.begin(), layer.moves.end(),
                                 [&](const auto& move) { return is_made(graph, move.input); });
  return host::task_cycles(config.host, task) + (waits ? config.host.cycles_interrupt : 0) +
         config.noc.cycles_register_write;
}

Cycle host_cycles(const layer::HostLayer& layer, const std::string& kernel, const ir::Graph& graph,
                  const SocConfig& config) {
  host::Task task;
  const auto& known = config.host.kernel_cycles_per_element;
  task.kernel = known.count(kernel) != 0 ? kernel : kernel + "_i8";
  for (const TensorId id : layer.inputs) task.bytes += graph.tensor(id).bytes();
  for (const TensorId id : layer.outputs) {
    task.bytes += graph.tensor(id).bytes();
    task.elements += static_cast<uint64_t>(graph.tensor(id).elements());
  }
  return host::task_cycles(config.host, task) + config.host.cycles_interrupt;
}

// Tiles go to the DLAs in turns: where buffers are few, they still run one after another.
Cycle TileCost::total() const {
  Cycle least = with(1);
  for (int dlas = 2; dlas <= parallel; ++dlas) least = std::min(least, with(dlas));
  return least;
}

Cycle TileCost::with(int dlas) const {
  // A command more must be worth its fetch: one AXI read of 10 beats, 38 cycles apart at best.
  constexpr Cycle kFetch = 38;
  const Cycle fetched = kFetch * (commands - 1) / dlas;
  // By the DLA that has most. It loses a cycle in half of its meetings with each other one, and
  // before its first tile waits for the layer before on all of them: end, signal, nop, start.
  constexpr Cycle kMeet = 30;
  Cycle computed = compute * ((sums + dlas - 1) / dlas) / sums;
  if (dlas > 1)
    computed += kMeet + static_cast<Cycle>(double(computed) * meetings * (dlas - 1) / 2);
  if (depth <= dlas || tiles < 2) return load + computed + store + fetched;
  // Buffers beyond those that are computed on: as many more keep every DLA busy; of those that are
  // missing the transfers are waited for.
  const Cycle waited = (load + store) * std::max(0, 2 * dlas - depth) / dlas;
  // An input that is still coming is there after the first range of output channels.
  const Cycle after = computed / ranges * (ranges - 1);
  const Cycle least = arriving > 0 ? std::max(arriving, computed - after) + after : computed;
  const Cycle ends = std::max((load + store) * dlas / tiles, first + store / tiles);
  const Cycle one = least * dlas / tiles;
  return std::max(std::max({load, least, store}) + ends, memory + one) + waited + fetched;
}

Cycle LayersCost::loaded(Cycle ahead) const {
  if (ahead == 0) return m_memory;
  const int from = static_cast<int>(m_starts.size()) - m_prefetch;
  return (from > 0 ? std::max(m_memory, m_starts[static_cast<size_t>(from)]) : m_memory) + ahead;
}

Cycle LayersCost::end_with(Cycle ahead, Cycle cycles) const {
  return (ahead > 0 ? std::max(m_end, loaded(ahead)) : m_end) + cycles;
}

void LayersCost::add(Cycle ahead, Cycle cycles, Cycle moved, Cycle turn) {
  const Cycle end = end_with(ahead, cycles);
  m_memory = loaded(ahead) + moved;
  if (turn > 0) m_memory = std::max(m_memory, end - turn);
  m_starts.push_back(end - cycles);
  m_end = end;
}

}  // namespace presil::plan
