#include "compiler_bridge/emit/loadable.h"

#include <algorithm>
#include <stdexcept>

#include "compiler_bridge/emit/engine_codes.h"
#include "compiler_bridge/emit/placement_table.h"
#include "compiler_bridge/emit/stream.h"
#include "compiler_bridge/engine/joined.h"
#include "compiler_bridge/ir/binary.h"
#include "compiler_bridge/ir/count.h"
#include "compiler_bridge/ir/vector_allocator.h"
#include "models/base/checksum.h"
#include "models/base/digest.h"
#include "rtl/soc/loadable_generated.h"

namespace presil::emit {
namespace {

namespace fb = presil::loadable;
using Strings = std::vector<flatbuffers::Offset<flatbuffers::String>>;

void check_commands(const std::vector<plan::ScheduledCommand>& commands) {
  for (const plan::ScheduledCommand& command : commands) {
    const std::string broken = plan::violation_of(command.word);
    if (broken.empty()) continue;
    throw std::logic_error("emit: a command of " + queue_name(command.queue) +
                           " breaks its contract: " + broken);
  }
}

/// Of the weights as the network has them, not as they are packed, and the constants among the
/// inputs. Without bias and what requantises.
uint64_t weight_bytes_of(const ir::Graph& graph, const layer::Layer& layer) {
  uint64_t bytes = layer.work.weight_bytes();
  for (const layer::TensorId tensor : layer::read(layer.work.operands())) {
    const ir::Tensor& t = graph.tensors[static_cast<size_t>(tensor)];
    if (t.is_constant()) bytes += t.data->size();
  }
  return bytes;
}

/// Enough that the buffer need not grow, which would have it in memory twice.
size_t expected_bytes(const LoadableParts& parts) {
  constexpr size_t kRoom = 512;  // for what is said of a tensor, a layer, a command
  size_t bytes = parts.schedule.image.bytes().size();
  for (const ir::Tensor& tensor : parts.imported.tensors) {
    if (tensor.is_constant() && !parts.strip) bytes += tensor.data->size();
  }
  const size_t things = parts.graph.tensors.size() + parts.imported.tensors.size() +
                        parts.graph.ops.size() + parts.schedule.commands.size();
  return bytes + kRoom * (things + 64);
}

class Writer {
 public:
  explicit Writer(const LoadableParts& parts)
      : m_parts(parts), m_schedule(parts.schedule), m_fbb(expected_bytes(parts), &m_allocator) {}

  std::vector<uint8_t> run() {
    check_commands(m_schedule.commands);
    choose_tensors();
    const auto tensors = m_fbb.CreateVector(tensor_tables());
    const auto layers = m_fbb.CreateVector(layer_tables());
    const auto placements = m_fbb.CreateVector(placement_tables());
    const auto commands = m_fbb.CreateVector(command_tables());
    const auto buffers = m_fbb.CreateVector(buffer_tables());
    const auto images = m_fbb.CreateVector(image_tables());
    const auto streams = m_fbb.CreateVector(stream_tables(m_schedule.image));
    const auto image_bytes = m_fbb.CreateVector(m_schedule.image.bytes());
    m_schedule.image.clear();  // the largest part: not in memory twice for longer than it must be
    const std::string soc = canonical_text(m_parts.config);
    const auto network = text(m_parts.imported.name);
    const auto numerics = text(ir::to_string(m_parts.imported.numerics));
    const auto version = text(PRESIL_VERSION);
    const auto soc_name = text(m_parts.config.name), soc_text = text(soc);
    const auto soc_hash = text(soc_sha256(m_parts.config));
    const auto inputs = m_fbb.CreateVector(indices(m_parts.graph.inputs));
    const auto outputs = m_fbb.CreateVector(indices(m_parts.graph.outputs));
    flatbuffers::Offset<flatbuffers::Vector<uint8_t>> graph;
    if (!m_parts.strip) graph = m_fbb.CreateVector(ir::to_bytes(m_parts.imported));

    const auto engines = engine_tables();

    fb::LoadableBuilder b(m_fbb);
    b.add_isa_version(PRESIL_DLA_ISA_VERSION);
    b.add_presil_version(version);
    b.add_network(network);
    b.add_numerics(numerics);
    b.add_soc_name(soc_name);
    b.add_soc_sha256(soc_hash);
    b.add_soc_text(soc_text);
    b.add_image(image_bytes);
    b.add_tensors(tensors);
    b.add_inputs(inputs);
    b.add_outputs(outputs);
    b.add_streams(streams);
    b.add_commands(commands);
    b.add_layers(layers);
    b.add_placements(placements);
    b.add_input_bytes(m_parts.layout.input_bytes);
    b.add_output_bytes(m_parts.layout.output_bytes);
    b.add_scratch_bytes(m_parts.plan.scratch_bytes);
    b.add_sram_bytes(static_cast<uint32_t>(m_parts.plan.placing.peak));
    b.add_counters(counters());
    b.add_job_span(m_schedule.job_span);
    if (m_schedule.overlaps) b.add_overlaps(true);
    if (!graph.IsNull()) b.add_graph(graph);
    b.add_params(static_cast<uint64_t>(ir::parameters(m_parts.imported)));
    b.add_buffers(buffers);
    b.add_dsp_images(images);
    if (!engines.IsNull()) b.add_engines(engines);
    fb::FinishLoadableBuffer(m_fbb, b.Finish());
    std::vector<uint8_t> file = m_allocator.take(m_fbb);
    append_checksum(file);
    return file;
  }

 private:
  flatbuffers::Offset<flatbuffers::String> text(const std::string& s) {
    return m_fbb.CreateString(s);
  }

  /// In the table: whatever lies somewhere at run time.
  void choose_tensors() {
    m_index.assign(m_parts.graph.tensors.size(), -1);
    for (size_t t = 0; t < m_schedule.tensors.size(); ++t) {
      if (!m_schedule.tensors[t].placed) continue;
      m_index[t] = static_cast<int32_t>(m_tensors.size());
      m_tensors.push_back(t);
    }
  }

  std::vector<int32_t> indices(const std::vector<layer::TensorId>& tensors) const {
    std::vector<int32_t> list;
    for (layer::TensorId t : tensors) {
      if (m_index[static_cast<size_t>(t)] >= 0) list.push_back(m_index[static_cast<size_t>(t)]);
    }
    return list;
  }

  std::vector<flatbuffers::Offset<fb::Tensor>> tensor_tables() {
    std::vector<flatbuffers::Offset<fb::Tensor>> tables;
    for (size_t t : m_tensors) tables.push_back(tensor_table(t));
    return tables;
  }

  flatbuffers::Offset<fb::Tensor> tensor_table(size_t t) {
    const ir::Tensor& tensor = m_parts.graph.tensors[t];
    const plan::TensorRecord& record = m_schedule.tensors[t];
    const bool imported = t < m_parts.imported.tensors.size();
    const auto name = text(tensor.name);
    const auto shape = m_fbb.CreateVector(tensor.shape);
    const auto scales = m_fbb.CreateVector(tensor.quantization.scales);
    const auto zeros = m_fbb.CreateVector(tensor.quantization.zero_points);
    const std::vector<int16_t> lanes(record.lane_channel.begin(), record.lane_channel.end());
    const auto lane_channel = m_fbb.CreateVector(lanes);
    flatbuffers::Offset<flatbuffers::Vector<uint32_t>> other_tags;
    if (!record.other_tags.empty()) other_tags = m_fbb.CreateVector(record.other_tags);
    fb::TensorBuilder b(m_fbb);
    b.add_name(name);
    b.add_dtype(static_cast<fb::DType>(tensor.dtype));
    b.add_shape(shape);
    b.add_scales(scales);
    b.add_zero_points(zeros);
    b.add_graph_tensor(imported ? static_cast<int32_t>(t) : -1);
    b.add_space(record.space == plan::kSram ? fb::Space_sram : fb::Space_region);
    b.add_region(record.space == plan::kSram ? uint8_t{0} : static_cast<uint8_t>(record.space - 1));
    b.add_offset(record.offset);
    b.add_bytes(record.bytes);
    b.add_layout(record.flat ? fb::Layout_nhwc : fb::Layout_c16);
    b.add_x_pitch(record.x_pitch);
    b.add_row_pitch(record.row_pitch);
    b.add_block_pitch(record.block_pitch);
    b.add_lane_channel(lane_channel);
    b.add_complete_tag(record.complete_tag);
    if (!other_tags.IsNull()) b.add_other_tags(other_tags);
    const auto part = m_parts.graph.parts.find(static_cast<ir::TensorId>(t));
    const bool is_part = part != m_parts.graph.parts.end() &&
                         static_cast<size_t>(part->second.of) < m_parts.imported.tensors.size();
    if (is_part) {
      b.add_part_of(part->second.of);
      b.add_part_first(static_cast<uint64_t>(part->second.first));
    }
    b.add_kept((imported || is_part) && record.completed);
    return b.Finish();
  }

  std::vector<flatbuffers::Offset<fb::Layer>> layer_tables() {
    std::vector<flatbuffers::Offset<fb::Layer>> tables;
    for (const layer::Layer& layer : m_parts.partition.layers) {
      const layer::Operands operands = layer.work.operands();
      const auto outputs = indices(layer::written(operands));
      const auto reads = operand_tables(layer::read(operands));
      const auto makes = operand_tables(layer::written(operands));
      tables.push_back(fb::CreateLayerDirect(
          m_fbb, layer.name.c_str(), layer.op.c_str(), code_of(layer.engine()), &layer.source_ops,
          layer.macs, &outputs, &reads, &makes, weight_bytes_of(m_parts.graph, layer)));
    }
    return tables;
  }

  std::vector<flatbuffers::Offset<fb::Operand>> operand_tables(
      const std::vector<layer::TensorId>& tensors) {
    std::vector<flatbuffers::Offset<fb::Operand>> tables;
    for (const layer::TensorId id : tensors) {
      const ir::Tensor& tensor = m_parts.graph.tensors[static_cast<size_t>(id)];
      if (tensor.is_constant()) continue;
      tables.push_back(fb::CreateOperandDirect(
          m_fbb, tensor.name.c_str(), static_cast<fb::DType>(tensor.dtype), &tensor.shape));
    }
    return tables;
  }

  std::vector<flatbuffers::Offset<fb::Placement>> placement_tables() {
    std::vector<flatbuffers::Offset<fb::Placement>> tables;
    for (const placement::Placement& p : m_parts.partition.placements) {
      tables.push_back(create_placement(m_fbb, p));
    }
    return tables;
  }

  std::vector<flatbuffers::Offset<fb::Command>> command_tables() {
    std::vector<flatbuffers::Offset<fb::Command>> tables;
    for (const plan::ScheduledCommand& c : m_schedule.commands) {
      tables.push_back(fb::CreateCommand(m_fbb, c.queue, c.index, c.layer, c.tile));
    }
    return tables;
  }

  std::vector<flatbuffers::Offset<fb::Buffer>> buffer_tables() {
    std::vector<flatbuffers::Offset<fb::Buffer>> tables;
    for (const SramUse& use : m_parts.sram) {
      tables.push_back(fb::CreateBufferDirect(
          m_fbb, use.what.c_str(), static_cast<uint32_t>(use.begin),
          static_cast<uint32_t>(use.end - use.begin), &use.commands, use.first, use.last));
    }
    return tables;
  }

  std::vector<flatbuffers::Offset<fb::DspImage>> image_tables() {
    std::vector<flatbuffers::Offset<fb::DspImage>> tables;
    for (const plan::PlacedImage& placed : m_schedule.dsp_images) {
      std::vector<flatbuffers::Offset<fb::DspSymbol>> symbols;
      for (const dsp_image::Symbol& s : placed.image->functions) {
        symbols.push_back(fb::CreateDspSymbolDirect(m_fbb, s.name.c_str(), s.address, s.bytes));
      }
      tables.push_back(fb::CreateDspImageDirect(m_fbb, placed.offset,
                                                static_cast<uint32_t>(placed.image->bytes.size()),
                                                placed.image->crc, &symbols));
    }
    return tables;
  }

  flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<fb::OutsideEngine>>> engine_tables() {
    std::vector<flatbuffers::Offset<fb::OutsideEngine>> tables;
    for (const auto& [name, engine] : m_parts.config.engines) {
      const engine::Joined* joined = engine::find(name);
      if (engine.units == 0 || joined == nullptr) continue;
      const auto kind = static_cast<uint8_t>(joined->description->kind);
      tables.push_back(fb::CreateOutsideEngineDirect(m_fbb, kind, name.c_str()));
    }
    if (tables.empty()) return {};
    return m_fbb.CreateVector(tables);
  }

  /// Appends the streams to the image.
  std::vector<flatbuffers::Offset<fb::Stream>> stream_tables(plan::Image& image) {
    std::vector<flatbuffers::Offset<fb::Stream>> tables;
    for (uint8_t q = 0; q < PRESIL_QUEUES; ++q) {
      const std::vector<uint32_t> words = words_of(m_schedule.commands, q);
      if (words.empty()) continue;
      const auto count = std::count_if(m_schedule.commands.begin(), m_schedule.commands.end(),
                                       [&](const auto& c) { return c.queue == q; });
      const uint64_t offset = image.add(words, PRESIL_BURST_BYTES);
      tables.push_back(fb::CreateStream(m_fbb, q, offset, static_cast<uint32_t>(count)));
    }
    return tables;
  }

  uint8_t counters() const {
    unsigned highest = 0;
    for (const plan::ScheduledCommand& c : m_schedule.commands) {
      highest = std::max(highest, PRESIL_QUEUE_COUNTER(c.queue));
    }
    return static_cast<uint8_t>(highest);
  }

  const LoadableParts& m_parts;
  plan::Schedule& m_schedule;
  ir::VectorAllocator m_allocator;
  flatbuffers::FlatBufferBuilder m_fbb;
  std::vector<int32_t> m_index;   ///< graph tensor -> table
  std::vector<size_t> m_tensors;  ///< table -> graph tensor
};

}  // namespace

std::vector<uint8_t> write_loadable(const LoadableParts& parts) {
  return Writer(parts).run();
}

}  // namespace presil::emit
