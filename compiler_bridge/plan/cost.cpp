#include "compiler_bridge/plan/cost.h"

#include <algorithm>
#include <stdexcept>

#include "compiler_bridge/plan/dma_copy.h"
#include "driver/kernels/host/kernels.h"
#include "models/dla/dla_timing.h"
#include "models/dma/dma_timing.h"
#include "models/host/host_timing.h"
#include "models/sync/sync_timing.h"

namespace presil::plan {
namespace {

/// A load of `bytes` in one row.
dma::Command load_of(uint64_t bytes) {
  return copy_bytes(region_space(PRESIL_REGION_SCRATCH), 0, kSram, 0, bytes).command;
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

/// Type and shape, which a kernel's work is counted by.
presil_kernel_tensor kernel_tensor(const ir::Tensor& tensor) {
  presil_kernel_tensor t{};
  t.dtype = static_cast<uint32_t>(tensor.dtype);
  t.rank = static_cast<uint32_t>(std::min<size_t>(tensor.shape.size(), PRESIL_KERNEL_MAX_RANK));
  for (uint32_t i = 0; i < t.rank; ++i) t.shape[i] = static_cast<uint32_t>(tensor.shape[i]);
  return t;
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

Cycle load_latency(const SocConfig& config) {
  return dma::cycles_met_to_take + dma::isolated_cycles(load_of(kWordBytes), config) +
         sync::cycles_complete_to_met;
}

Cycle store_latency(const SocConfig& config) {
  const DmaCopy one = copy_bytes(kSram, 0, region_space(PRESIL_REGION_SCRATCH), 0, kWordBytes);
  return dma::cycles_met_to_take + dma::isolated_cycles(one.command, config) +
         sync::cycles_complete_to_met;
}

Cycle move_cycles(uint64_t bytes, uint64_t commands, const SocConfig& config) {
  const double peak = double(config.dram.peak_mb_per_s) / double(config.clock_mhz);
  // The DMA's port to the SRAM takes a word a cycle, whatever the bus is.
  const double rate = std::min({peak, double(config.noc.data_bytes), double(kWordBytes)});
  return static_cast<Cycle>(double(bytes) / rate) +
         load_latency(config) * static_cast<Cycle>(commands);
}

Cycle memory_cycles(uint64_t bytes, const SocConfig& config) {
  return static_cast<Cycle>(double(bytes) * double(config.clock_mhz) /
                            double(config.dram.peak_mb_per_s));
}

Cycle fetch_cycles(const SocConfig& config) {
  const uint64_t bytes = dla::Command::kWords * sizeof(uint32_t);
  return dma::isolated_cycles(load_of(bytes), config) / std::max(1u, config.dla.prefetch);
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

Cycle host_cycles(const layer::HostLayer& layer, const ir::Graph& graph, const SocConfig& config) {
  host::Task task;
  std::vector<presil_kernel_tensor> tensors;
  for (const auto* operands : {&layer.inputs, &layer.outputs}) {
    for (const TensorId id : *operands) {
      tensors.push_back(kernel_tensor(graph.tensor(id)));
      task.bytes += graph.tensor(id).bytes();
    }
  }
  const auto count = static_cast<uint32_t>(tensors.size());
  const void* const attributes = layer.attributes.data();
  const char* const kernel = presil_kernel_price(layer.kernel, tensors.data(), count, attributes);
  if (kernel == nullptr) throw std::logic_error("plan: a layer of the host has no kernel");
  task.kernel = kernel;
  task.elements = presil_kernel_elements(layer.kernel, tensors.data(), count, attributes);
  return host::task_cycles(config.host, task) + config.host.cycles_interrupt;
}

// Tiles go to the DLAs in turns: where buffers are few, they still run one after another.
Cycle TileCost::total() const {
  Cycle least = with(1);
  for (int dlas = 2; dlas <= parallel; ++dlas) least = std::min(least, with(dlas));
  return least;
}

double TileCost::busy() const {
  return double(memory) / double(std::max({memory, load, compute, store, Cycle{1}}));
}

double TileCost::computed() const {
  return std::max(double(compute), (double(fetch) + double(queued) * busy()) * commands);
}

double TileCost::words_between() const {
  return double(words) * (in_turn ? 1 : busy());
}

Cycle TileCost::with(int dlas) const {
  // By the DLA that has most. It loses a cycle in half of its meetings with each other one.
  const int most = (sums + dlas - 1) / dlas;
  double computed = this->computed() * most / sums;
  if (dlas > 1) computed += double(meet) + computed * meetings * (dlas - 1) / 2;
  const double tile = computed * dlas / tiles;
  const double moved = double(std::max({load - arriving, store, memory - arriving})) / tiles;
  // All buffers are full at first; then each is filled again for every turn that it takes.
  const double turn = tile + double(std::max(fill, drain));
  const int further = std::max(0, tiles - dlas), turns = (tiles + depth - 1) / depth;
  const double between = std::max({std::max(computed / tiles, turn / depth) * further,
                                   moved * (tiles - 1), turn * (turns - 1) * (dlas > 1 ? 1 : 0)});
  const double borders = std::max(0.0, double(border_fill) - computed / tiles) * border_loads;
  // An input that is still coming is there after the first range of output channels, whose stores
  // the memory moves meanwhile.
  const double after = computed / ranges * (ranges - 1);
  const double others = double(std::max(Cycle{0}, memory - arriving)) * (tiles - 1) / tiles;
  const double come =
      std::max(double(arriving) + std::max(others / ranges + after, others), double(memory - last));
  return static_cast<Cycle>(std::max(double(first) + between + borders, come) + tile +
                            words_between()) +
         last;
}

LayersCost::Clock LayersCost::after(const Clock& clock, const LayerCost& layer, Cycle start) {
  Clock next = clock;
  if (layer.ahead > 0) {
    next.memory = std::max(clock.memory, start) + layer.ahead;
    next.end = std::max(clock.end, next.memory);
  }
  next.end += layer.cycles;
  next.memory += layer.moved;
  if (layer.turn > 0) next.memory = std::max(next.memory, next.end - layer.turn);
  return next;
}

Cycle LayersCost::start_of(const LayerCost& layer, const std::vector<Cycle>& more) const {
  const auto ahead = static_cast<size_t>(layer.only_next ? 1 : m_prefetch);
  const size_t index = m_starts.size() + more.size();
  if (layer.ahead == 0 || index <= ahead) return 0;
  const size_t from = index - ahead;
  return from < m_starts.size() ? m_starts[from] : more[from - m_starts.size()];
}

Cycle LayersCost::end_with(const LayerCost& layer) const {
  std::vector<Cycle> more;
  Clock clock = m_clock;
  const auto put = [&](const LayerCost& one) {
    clock = after(clock, one, start_of(one, more));
    more.push_back(clock.end - one.cycles);
  };
  put(layer);
  for (size_t i = m_layers.size() + 1; i < m_former.size(); ++i) put(m_former[i]);
  return clock.end;
}

void LayersCost::add(const LayerCost& layer) {
  m_clock = after(m_clock, layer, start_of(layer, {}));
  m_starts.push_back(m_clock.end - layer.cycles);
  m_layers.push_back(layer);
}

}  // namespace presil::plan
