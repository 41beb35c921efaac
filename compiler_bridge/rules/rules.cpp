#include "compiler_bridge/rules/rules.h"

#include <algorithm>

#include "compiler_bridge/engine/engine_compiler.h"
#include "compiler_bridge/engine/joined.h"
#include "compiler_bridge/rules/rule.h"

namespace presil::rules {

namespace {

using Part = std::vector<Entry> (*)();

std::vector<Entry> joined(std::initializer_list<Part> parts) {
  std::vector<Entry> all;
  for (const Part part : parts) {
    std::vector<Entry> entries = part();
    std::move(entries.begin(), entries.end(), std::back_inserter(all));
  }
  return all;
}

const std::vector<Entry>& entries_of(Engine engine) {
  static const std::vector<Entry> all[] = {
      no_work_entries(),
      joined({dla_conv_entries, dla_pool_entries, dla_post_entries, dla_shape_entries}),
      dma_entries(),
      joined({dsp_entries, dsp_element_entries, dsp_move_entries, dsp_recurrent_entries,
              dsp_reduce_entries, dsp_window_entries, dsp_user_entries}),
      host_entries(),
  };
  return all[static_cast<size_t>(engine)];
}

Verdict take(Engine engine, const std::vector<Entry>& entries, const ir::Graph& graph,
             const ir::Op& op, const SocConfig& soc) {
  const Subject subject{graph, op, soc.dla, soc.dsp};
  for (const Entry& entry : entries) {
    if (entry.kind != op.kind) continue;
    for (const Rule& rule : entry.rules) {
      std::optional<Finding> finding = rule.finding(subject);
      if (!finding) continue;
      return verdict(engine, Verdict::Kind::kRule, *std::move(finding),
                     rule.about_kind ? "" : rule.remedy);
    }
    return {engine, Verdict::Kind::kTaken};
  }
  return verdict(engine, Verdict::Kind::kUnknown, {"", ir::to_string(op.kind), ""});
}

}  // namespace

bool is_byte_product(const ir::Graph& graph, const ir::Op& op) {
  const bool weighted = op.kind == ir::OpKind::kConv2d || op.kind == ir::OpKind::kDepthwiseConv2d ||
                        op.kind == ir::OpKind::kFullyConnected;
  if (!weighted || graph.tensor(op.input(0)).elements() == 0) return false;
  const ir::Tensor &x = graph.tensor(op.input(0)), &weights = graph.tensor(op.input(1));
  const bool wider = x.dtype == ir::DType::kFloat32 || x.dtype == ir::DType::kInt16;
  return wider && weights.dtype == ir::DType::kInt8 && weights.is_constant();
}

std::vector<Engine> engines_of(const SocConfig& soc) {
  std::vector<Engine> all = {Engine::kNone};
  for (const auto& [name, engine] : soc.engines) {
    const engine::Joined* joined = engine.units == 0 ? nullptr : engine::find(name);
    if (joined != nullptr && joined->compiler != nullptr) {
      all.push_back(placement::engine_named(name));
    }
  }
  for (const Engine engine : {Engine::kDla, Engine::kDma, Engine::kDsp, Engine::kHost}) {
    if (engine != Engine::kDsp || soc.dsp.units != 0) all.push_back(engine);
  }
  return all;
}

Verdict take(Engine engine, const ir::Graph& graph, const ir::Op& op, const SocConfig& soc) {
  if (!placement::is_outside(engine)) {
    if (engine == Engine::kDsp && soc.dsp.units == 0) {
      return verdict(engine, Verdict::Kind::kAbsent, {"dsp.units", "", ""});
    }
    return take(engine, entries_of(engine), graph, op, soc);
  }
  const engine::Joined& joined = engine::engine_of(to_string(engine));
  return take(engine, joined.compiler->rules(joined.in(soc)), graph, op, soc);
}
std::vector<OpSupport> support_table() {
  std::vector<OpSupport> table;
  for (const ir::OpInfo& kind : ir::op_table()) {
    for (const Engine engine : kEngines) {
      for (const Entry& entry : entries_of(engine)) {
        if (entry.kind != kind.kind) continue;
        const std::string types = entry.dtypes.empty() ? kind.types : entry.dtypes;
        OpSupport row{kind.name, to_string(engine), types, {}, {}, entry.kernels};
        for (const Rule& rule : entry.rules) {
          row.limits.push_back(rule.limit);
          row.remedies.push_back(rule.remedy);
        }
        table.push_back(std::move(row));
      }
    }
  }
  return table;
}

}  // namespace presil::rules
