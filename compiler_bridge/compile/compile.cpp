#include "compiler_bridge/compile/compile.h"

#include <algorithm>
#include <optional>

#include "compiler_bridge/compile/kernel_choice.h"
#include "compiler_bridge/emit/loadable.h"
#include "compiler_bridge/emit/memory_map.h"
#include "compiler_bridge/emit/stream.h"
#include "compiler_bridge/partition/dsp_layer.h"
#include "compiler_bridge/partition/partition.h"
#include "compiler_bridge/passes/pass.h"
#include "compiler_bridge/plan/arrange.h"
#include "compiler_bridge/plan/cost.h"
#include "compiler_bridge/plan/dsp_images.h"
#include "compiler_bridge/plan/dsp_plan.h"
#include "models/base/refusal.h"
#include "rtl/soc/loadable_generated.h"

namespace presil::compile {
namespace {

std::string engine_of(const plan::Layer& layer) {
  if (std::holds_alternative<plan::DlaLayer>(layer.work)) return "dla";
  if (std::holds_alternative<plan::HostLayer>(layer.work)) return "host";
  if (std::holds_alternative<plan::CopyLayer>(layer.work)) return "dma";
  if (std::holds_alternative<plan::DspLayer>(layer.work)) return "dsp";
  return "none";
}

std::vector<LayerInfo> infos(const plan::Partition& partition, const plan::Schedule& schedule) {
  std::vector<LayerInfo> list;
  for (const plan::Layer& layer : partition.layers) {
    list.push_back({layer.name, layer.op, engine_of(layer), layer.source_ops, layer.macs, 0});
  }
  for (const plan::ScheduledCommand& c : schedule.commands) {
    if (c.layer == plan::kNone) continue;
    LayerInfo& layer = list[static_cast<size_t>(c.layer)];
    const bool computes = c.queue < PRESIL_QUEUE_DMA0;
    if (computes || layer.engine == "dma") ++layer.commands;
  }
  return list;
}

void refuse_fallback(const plan::Partition& partition) {
  for (const plan::Placement& p : partition.placements) {
    if (p.engine != "host") continue;
    throw Refusal("compile", p.op + " " + p.name + " would run on the host (" + p.reason() +
                                 "), and --no-fallback requires every op on an engine");
  }
}

/// An output that nothing computes would never be written.
void refuse_given_outputs(const ir::Graph& graph) {
  for (const ir::TensorId id : graph.outputs) {
    const ir::Tensor& tensor = graph.tensor(id);
    const bool input = std::count(graph.inputs.begin(), graph.inputs.end(), id) != 0;
    if (!input && !tensor.is_constant()) continue;
    throw Refusal("compile", "output '" + tensor.name + "' of the network is " +
                                 (input ? "one of its inputs" : "a constant") +
                                 ", must be a result of an operator; take it from the outputs");
  }
}

/// A job entry limits a region in pages, with 16 bits.
void refuse_large_region(const std::string& what, uint64_t bytes) {
  const uint64_t most = uint64_t{65535} * 4096;
  if (bytes <= most) return;
  throw Refusal("compile", "the network's " + what + " take " + std::to_string(bytes) +
                               " bytes, a job has " + std::to_string(most) +
                               " for them; make its tensors smaller");
}

/// What runs where, and with which memory.
struct Arranged {
  ir::Graph graph;
  plan::Partition partition;
  plan::Layout layout;
  plan::Plan plan;
};

/// A convolution with something element-wise behind it cannot make its sums in parts: the DLA has
/// one port for both. @return the op behind it; -1: none
int fused_behind(const plan::Layer& layer, const ir::Graph& graph) {
  const auto* dla = std::get_if<plan::DlaLayer>(&layer.work);
  if (dla == nullptr || dla->op != dla::Op::kConv || dla->ew.op == dla::EwOp::kNone) return -1;
  for (const int op : layer.graph_ops) {
    const ir::OpKind kind = graph.ops[static_cast<size_t>(op)].kind;
    const bool element_wise =
        kind == ir::OpKind::kAdd || kind == ir::OpKind::kSub || kind == ir::OpKind::kMul;
    if (element_wise) return op;
  }
  return -1;
}

/// Why none of the images with a layer's kernel fits the DSP; nullopt: one does.
std::optional<placement::Verdict> unfit(const plan::DspLayer& layer, const DspConfig& config) {
  if (!layer.programs(&config).empty()) return std::nullopt;
  const dsp_image::Image& image = *layer.programs().front();
  placement::Verdict verdict = placement::verdict(
      rules::Engine::kDsp, placement::Verdict::Kind::kImage, *dsp_image::unfit(image, config));
  verdict.image = image.name;
  return verdict;
}

placement::Verdict slower(rules::Engine engine, Cycle cycles, rules::Engine chosen,
                          Cycle chosen_cycles) {
  placement::Verdict verdict{engine, placement::Verdict::Kind::kCost};
  verdict.cycles = cycles, verdict.chosen = chosen, verdict.chosen_cycles = chosen_cycles;
  return verdict;
}

/// Kernels whose image the DSP cannot hold are the host's. @return whether there are any
bool leave_programs(const Arranged& a, const DspConfig& config, partition::Limits& limits) {
  bool any = false;
  for (const plan::Layer& layer : a.partition.layers) {
    const auto* dsp = std::get_if<plan::DspLayer>(&layer.work);
    if (dsp == nullptr) continue;
    const std::optional<placement::Verdict> verdict = unfit(*dsp, config);
    if (verdict) any |= limits.not_on_dsp.emplace(layer.graph_ops.front(), *verdict).second;
  }
  return any;
}

/// What the DSP would take for an op that moves values; nullopt: it does not move them.
std::optional<Cycle> moved_by_dsp(Arranged& a, int index, const SocConfig& config,
                                  const partition::Limits& limits) {
  const ir::Op op = a.graph.ops[static_cast<size_t>(index)];
  if (limits.not_on_dsp.count(index) != 0 || op.kind == ir::OpKind::kQuantize) return std::nullopt;
  if (!rules::take(rules::Engine::kDsp, a.graph, op, config).yes()) return std::nullopt;
  const plan::DspLayer layer = partition::dsp_layer(a.graph, op);
  if (layer.programs(&config.dsp).empty()) return std::nullopt;
  const plan::MovedOperands moved = plan::moved_operands(layer);
  if (plan::choose_dsp(layer, moved, config.sram.bytes, config).tiles == 0) return std::nullopt;
  return plan::dsp_cycles(layer, moved, config);
}

/// What the DMA moves and another engine moves faster. @return whether there is any
bool leave_copies(Arranged& a, const SocConfig& config, bool fallback, partition::Limits& limits) {
  const size_t before = limits.not_on_dma.size();
  for (const plan::Layer& layer : a.partition.layers) {
    const auto* copy = std::get_if<plan::CopyLayer>(&layer.work);
    if (copy == nullptr) continue;
    const int op = layer.graph_ops.front();
    const Cycle dma = plan::copy_cycles(*copy, config);
    const Cycle host = fallback ? plan::host_cycles(*copy, a.graph, config) : dma;
    const Cycle dsp = moved_by_dsp(a, op, config, limits).value_or(dma);
    if (dma <= std::min(host, dsp)) continue;
    int64_t row = copy->moves.front().bytes.row;
    for (const auto& move : copy->moves) row = std::min(row, move.bytes.row);
    placement::Verdict verdict =
        slower(rules::Engine::kDma, dma, dsp < host ? rules::Engine::kDsp : rules::Engine::kHost,
               std::min(host, dsp));
    verdict.rule = "bytes in a row", verdict.got = std::to_string(row);
    limits.not_on_dma.emplace(op, verdict);
  }
  return limits.not_on_dma.size() != before;
}

/// Layers of the DSP that the host is faster at; the layout says which of their tensors have to be
/// moved. @return whether there are any
bool leave_to_host(const Arranged& a, const SocConfig& config, partition::Limits& limits) {
  const size_t before = limits.not_on_dsp.size();
  const auto images = plan::choose_images(a.layout, config.dsp);
  for (int step = 0; step < a.layout.step_count(); ++step) {
    const plan::Layer& layer = a.layout.layer_at(step);
    const auto* dsp = std::get_if<plan::DspLayer>(&layer.work);
    if (dsp == nullptr || dsp->host_kernel.empty()) continue;
    const plan::MovedOperands moved = plan::moved_operands(*dsp, a.layout, [&](int flat) {
      if (flat == plan::kNone) return false;
      const plan::Flat& place = a.layout.flats[static_cast<size_t>(flat)];
      return place.uses_of_dsp > 0 && place.bytes <= config.sram.bytes;
    });
    const Cycle selects = plan::own_selects(images, step, config);
    const Cycle cycles = plan::dsp_cycles(*dsp, moved, config) + selects;
    const Cycle host = plan::host_cycles(*dsp, moved, config);
    if (cycles <= host) continue;
    placement::Verdict verdict = slower(rules::Engine::kDsp, cycles, rules::Engine::kHost, host);
    if (selects > 0) {
      verdict.rule = "an image select for it alone", verdict.got = std::to_string(selects);
    }
    limits.not_on_dsp.emplace(layer.graph_ops.front(), verdict);
  }
  return limits.not_on_dsp.size() != before;
}

/// A kernel of the user for which the SRAM has no room.
struct NoRoomForKernel {
  ir::TensorId made;
  placement::Verdict verdict;
};

/// A layer that does not fit the SRAM: what was fused behind it apart if that may help, else its
/// first op on the host. What was fused behind that may still fit.
/// @return whether that is anything new
bool leave_misfit(const plan::NoRoom::Misfit& misfit, const Arranged& a, bool fallback,
                  partition::Limits& limits) {
  const plan::Layer& layer = a.partition.layers[static_cast<size_t>(misfit.layer)];
  const auto* call = std::get_if<plan::DspLayer>(&layer.work);
  if (call != nullptr && call->image != nullptr) {
    throw NoRoomForKernel{call->outputs.front().tensor, misfit.verdict};
  }
  const int behind = fused_behind(layer, a.graph);
  if (behind >= 0 && limits.not_fused.insert(behind).second) return true;
  auto& limit = call != nullptr ? limits.not_on_dsp : limits.not_on_dla;
  return fallback && limit.emplace(layer.graph_ops.front(), misfit.verdict).second;
}

/// Where layers do not fit the SRAM, all is arranged anew without them.
Arranged arrange(const ir::Graph& prepared, const ir::Graph& imported, const SocConfig& config,
                 bool fallback, const partition::UserKernels& kernels, plan::Search& search) {
  partition::Limits limits;
  for (;;) {
    Arranged a;
    a.graph = prepared;
    search.stage("partition");
    a.partition = partition::partition(a.graph, config, imported, limits, kernels);
    if (leave_programs(a, config.dsp, limits)) continue;
    if (leave_copies(a, config, fallback, limits)) continue;
    if (!fallback) refuse_fallback(a.partition);
    search.stage("layout");
    a.layout = plan::lay_out(a.graph, a.partition, config);
    search.begin(a.layout.steps.size());
    if (fallback && leave_to_host(a, config, limits)) continue;
    refuse_large_region("inputs", a.layout.input_bytes);
    refuse_large_region("outputs", a.layout.output_bytes);
    try {
      plan::Arranged arranged = plan::arrange(a.graph, a.partition, config, a.layout, search);
      a.layout = std::move(arranged.layout);
      a.plan = std::move(arranged.plan);
      return a;
    } catch (const plan::NoRoom& no_room) {
      bool any = false;
      for (const plan::NoRoom::Misfit& misfit : no_room.misfits) {
        any |= leave_misfit(misfit, a, fallback, limits);
      }
      if (!any) throw;
    }
  }
}

/// With the kernels of the user where they are chosen.
Arranged arrange(const ir::Graph& imported, const SocConfig& config, const CompileOptions& options,
                 plan::Search& search) {
  KernelChoice choice(imported, config, options.kernels, options.kernel_verdicts);
  for (;;) {
    try {
      search.stage("passes");
      Arranged a = arrange(passes::prepare(choice.graph()), imported, config, options.fallback,
                           choice.taken(), search);
      if (choice.undecided() && choice.decide(a.partition, a.graph)) continue;
      choice.annotate(a.partition.placements);
      return a;
    } catch (const NoRoomForKernel& no_room) {
      choice.leave(no_room.made, no_room.verdict);
    }
  }
}

}  // namespace

Compiled compile(const ir::Graph& imported, const SocConfig& config,
                 const CompileOptions& options) {
  check(config);
  refuse_given_outputs(imported);
  if (options.effort < 0 || options.effort > plan::kMostEffort) {
    throw Refusal("compile", "effort is " + std::to_string(options.effort) + ", must be 0 to " +
                                 std::to_string(plan::kMostEffort) + "; " +
                                 std::to_string(plan::kUsualEffort) + " is the usual one");
  }
  plan::Search search(options.effort, options.progress);
  const auto [graph, partition, layout, plan] = arrange(imported, config, options, search);
  refuse_large_region("tensors in DRAM", plan.scratch_bytes);
  plan::Schedule schedule =
      plan::make_schedule(graph, layout, plan, config, options.dispatch, &search);
  search.stage("emit");

  const auto sram = emit::sram_use(graph, imported, layout, plan, schedule);

  Compiled compiled;
  compiled.loadable = emit::write_loadable(
      {imported, graph, partition, layout, plan, schedule, sram, config, options.strip});
  const loadable::Loadable& written = *loadable::GetLoadable(compiled.loadable.data());
  compiled.stream_text = emit::stream_text(written);
  compiled.memory_map = emit::memory_map(written);
  compiled.placements = partition.placements;
  compiled.layers = infos(partition, schedule);
  compiled.estimate = plan.cycles;
  compiled.work = search.spent();
  return compiled;
}

}  // namespace presil::compile
