#include "sim/python/loadable_info.h"

#include <pybind11/stl.h>

#include <cstring>

#include "compiler_bridge/emit/engine_codes.h"
#include "compiler_bridge/emit/memory_map.h"
#include "compiler_bridge/emit/placement_table.h"
#include "compiler_bridge/emit/stream.h"
#include "compiler_bridge/ir/binary.h"
#include "compiler_bridge/placement/explain.h"
#include "compiler_bridge/replay/check_memory.h"
#include "models/dla/dla_timing.h"
#include "rtl/soc/address_map.h"
#include "rtl/soc/engines.h"
#include "rtl/soc/loadable_generated.h"
#include "sim/platform/kernel_names.h"
#include "sim/platform/loadable_file.h"
#include "sim/platform/tensor_bytes.h"

namespace py = pybind11;

namespace presil::python {
namespace {

template <class Vector>
py::list list_of(const Vector* values) {
  py::list list;
  if (values == nullptr) return list;
  for (const auto value : *values) list.append(value);
  return list;
}

py::dict tensor_dict(const loadable::Tensor& t) {
  py::dict d;
  d["name"] = t.name()->str();
  d["dtype"] = loadable::EnumNameDType(t.dtype());
  d["shape"] = list_of(t.shape());
  d["scales"] = list_of(t.scales());
  d["zero_points"] = list_of(t.zero_points());
  d["graph_tensor"] = t.graph_tensor();
  d["part_of"] = t.part_of();
  d["part_first"] = t.part_first();
  d["space"] = loadable::EnumNameSpace(t.space());
  d["region"] = t.region();
  d["offset"] = t.offset();
  d["bytes"] = t.bytes();
  d["plain_bytes"] = platform::plain_bytes(t);
  d["layout"] = loadable::EnumNameLayout(t.layout());
  d["kept"] = t.kept();
  d["complete_tag"] = t.complete_tag();
  return d;
}

py::list operands(const flatbuffers::Vector<flatbuffers::Offset<loadable::Operand>>* values) {
  py::list list;
  if (values == nullptr) return list;
  for (const auto* value : *values) {
    py::dict d;
    d["name"] = value->name()->str();
    d["shape"] = list_of(value->shape());
    d["dtype"] = loadable::EnumNameDType(value->dtype());
    list.append(d);
  }
  return list;
}

py::dict layer_dict(const loadable::Loadable& of, const loadable::Layer& l) {
  py::dict d;
  d["name"] = l.name()->str();
  d["op"] = l.op()->str();
  d["engine"] = emit::engine_name(of, l.engine());
  d["source_ops"] = list_of(l.source_ops());
  d["macs"] = l.macs();
  d["outputs"] = list_of(l.outputs());
  d["reads"] = operands(l.reads());
  d["makes"] = operands(l.makes());
  d["weight_bytes"] = l.weight_bytes();
  return d;
}

py::dict verdict_dict(const placement::Verdict& v) {
  py::dict d;
  d["engine"] = placement::to_string(v.engine);
  d["kind"] = loadable::EnumNameVerdictKind(static_cast<loadable::VerdictKind>(v.kind));
  d["rule"] = v.rule;
  d["got"] = v.got;
  d["limit"] = v.limit;
  d["remedy"] = v.remedy;
  d["kernel"] = v.kernel;
  d["image"] = v.image;
  d["cycles"] = v.cycles;
  d["chosen"] = placement::to_string(v.chosen);
  d["chosen_cycles"] = v.chosen_cycles;
  d["text"] = placement::text(v);
  return d;
}

py::dict placement_dict(const loadable::Loadable& of, const loadable::Placement& p) {
  py::dict d;
  d["op"] = p.op()->str();
  d["name"] = p.name()->str();
  d["engine"] = emit::engine_name(of, p.engine());
  d["layer"] = p.layer();
  d["reason"] = p.reason()->str();
  d["change"] = p.change() == nullptr ? "" : p.change()->str();
  const placement::Placement record = emit::read_placement(of, p);
  const bool recorded = p.verdicts() != nullptr;
  d["sentence"] = recorded ? placement::sentence(record) : p.reason()->str();
  d["why"] = recorded ? placement::to_string(record.why) : "";
  d["into"] = record.into;
  d["into_layer"] = record.into_layer;
  d["kernel"] = record.kernel;
  d["image"] = record.image;
  py::list verdicts;
  for (const placement::Verdict& v : record.verdicts) verdicts.append(verdict_dict(v));
  d["verdicts"] = verdicts;
  return d;
}

py::tuple command_tuple(const loadable::Command& c) {
  return py::make_tuple(c.queue(), c.index(), c.layer(), c.tile());
}

py::dict buffer_dict(const loadable::Buffer& b) {
  py::dict d;
  d["what"] = b.what()->str();
  d["offset"] = b.offset();
  d["bytes"] = b.bytes();
  d["commands"] = list_of(b.commands());
  return d;
}

template <class Vector, class F>
py::list map(const Vector* values, F f) {
  py::list list;
  for (const auto* value : *values) list.append(f(*value));
  return list;
}

const loadable::Loadable& open(ByteView bytes) {
  return platform::open_loadable(bytes.data, bytes.size);
}

}  // namespace

py::dict loadable_info(ByteView bytes) {
  const loadable::Loadable& l = open(bytes);
  py::dict d;
  d["isa_version"] = l.isa_version();
  d["network"] = l.network()->str();
  d["numerics"] = l.numerics()->str();
  d["soc_name"] = l.soc_name()->str();
  d["soc_sha256"] = l.soc_sha256()->str();
  d["soc_text"] = l.soc_text()->str();
  d["inputs"] = list_of(l.inputs());
  d["outputs"] = list_of(l.outputs());
  d["tensors"] = map(l.tensors(), tensor_dict);
  d["layers"] = map(l.layers(), [&](const auto& layer) { return layer_dict(l, layer); });
  d["placements"] = map(l.placements(), [&](const auto& p) { return placement_dict(l, p); });
  d["commands"] = map(l.commands(), command_tuple);
  d["kernels"] = platform::kernels_of(l);
  d["buffers"] = l.buffers() == nullptr ? py::list() : map(l.buffers(), buffer_dict);
  d["image_bytes"] = l.image()->size();
  d["input_bytes"] = l.input_bytes();
  d["output_bytes"] = l.output_bytes();
  d["scratch_bytes"] = l.scratch_bytes();
  d["sram_bytes"] = l.sram_bytes();
  d["job_span"] = l.job_span();
  d["overlaps"] = l.overlaps();
  d["params"] = l.params();
  return d;
}

std::optional<ir::Graph> loadable_graph(ByteView bytes) {
  const loadable::Loadable& l = open(bytes);
  if (l.graph() == nullptr) return {};
  return ir::from_bytes(l.graph()->data(), l.graph()->size());
}

std::string stream_text(ByteView bytes) {
  return emit::stream_text(open(bytes));
}

std::string memory_map(ByteView bytes) {
  return emit::memory_map(open(bytes));
}

py::bytes assemble(const std::string& text, ByteView bytes) {
  open(bytes);
  const std::vector<uint8_t> made = emit::assemble(text, {bytes.data, bytes.data + bytes.size});
  return py::bytes(reinterpret_cast<const char*>(made.data()), made.size());
}

py::dict check_memory(ByteView bytes) {
  const replay::Checked checked = replay::check_memory(open(bytes));
  py::dict d;
  d["wrong"] = checked.wrong;
  d["commands"] = checked.commands;
  d["accesses"] = checked.accesses;
  d["bytes"] = checked.bytes;
  d["data_flow"] = checked.data_flow;
  return d;
}

std::vector<int64_t> dla_alone(ByteView bytes, const DlaConfig& config) {
  const loadable::Loadable& l = open(bytes);
  std::vector<int64_t> cycles(l.layers()->size(), 0);
  for (const auto* stream : *l.streams()) {
    if (presil_kind_of_queue(stream->queue()) != PRESIL_ENGINE_DLA) continue;
    for (uint32_t i = 0; i < stream->commands(); ++i) {
      uint32_t words[dla::Command::kWords];
      std::memcpy(words, l.image()->data() + stream->offset() + uint64_t{i} * dla::Command::kPitch,
                  sizeof words);
      const dla::Command command = dla::Command::decode(words);
      const int layer = l.commands()->Get(command.tag)->layer();
      if (layer >= 0) cycles[static_cast<size_t>(layer)] += dla::cycles_of(command, config);
    }
  }
  return cycles;
}

}  // namespace presil::python
