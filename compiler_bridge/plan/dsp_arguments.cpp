#include "compiler_bridge/plan/dsp_arguments.h"

#include <presil/dsp_kernel.h>

#include <algorithm>
#include <cstring>

#include "compiler_bridge/plan/dsp_blocks.h"
#include "models/base/refusal.h"
#include "rtl/dsp/dsp_view.h"

namespace presil::plan {
namespace {

constexpr uint64_t kAlign = 16;

uint64_t aligned(uint64_t at) {
  return (at + kAlign - 1) / kAlign * kAlign;
}

struct Element {
  uint8_t code, bits;
};

// DLPack's: 0 signed, 1 unsigned, 2 float; a bool is a byte.
Element element_of(ir::DType dtype) {
  switch (dtype) {
    case ir::DType::kInt8:
      return {0, 8};
    case ir::DType::kUint8:
      return {1, 8};
    case ir::DType::kInt16:
      return {0, 16};
    case ir::DType::kInt32:
      return {0, 32};
    case ir::DType::kInt64:
      return {0, 64};
    case ir::DType::kFloat32:
      return {2, 32};
    case ir::DType::kBool:
      return {1, 8};
  }
  return {0, 8};
}

/// Inputs, then outputs.
template <class F>
void each_operand(const layer::DspLayer& layer, F&& f) {
  for (const layer::DspOperand& operand : layer.inputs) f(operand);
  for (const layer::DspOperand& operand : layer.outputs) f(operand);
}

/// Axes that a kernel sees; of stored operands those that layer::DspOperand::Blocks says.
size_t rank_of(const layer::DspLayer& layer, const layer::DspOperand& operand) {
  constexpr size_t kLanes = 5, kRows = 3;
  if (operand.stored) return operand.blocks == layer::DspOperand::Blocks::kRows ? kRows : kLanes;
  if (!operand.is_cut() || layer.by_row) return operand.shape.size();
  return operand.shape.size() + (layer.columns != 0 ? 2 : 1) + (operand.image ? 1 : 0);
}

struct Axes {
  std::vector<int64_t> shape, strides;
};

/// @param rows  of the operand
Axes dense_axes(const layer::DspLayer& layer, const layer::DspOperand& operand, int64_t rows) {
  Axes axes{operand.shape, operand.strides};
  if (!axes.strides.empty()) return axes;
  if (operand.is_cut() && !layer.by_row) {
    const bool columns = layer.columns != 0;
    if (columns) axes.shape.insert(axes.shape.begin(), layer.columns);
    axes.shape.insert(axes.shape.begin(), columns ? rows / layer.columns : rows);
    if (operand.image) axes.shape.insert(axes.shape.begin(), 1);
  }
  axes.strides.assign(axes.shape.size(), 1);
  for (size_t i = axes.shape.size(); i > 1; --i) {
    axes.strides[i - 2] = axes.strides[i - 1] * axes.shape[i - 1];
  }
  return axes;
}

Axes stored_axes(const layer::DspOperand& operand, const View& view) {
  const int64_t h = view.rows, w = view.columns, x = view.x_step, y = view.row_pitch;
  if (operand.blocks == layer::DspOperand::Blocks::kRows) {
    return {{h, w, operand.shape.back()}, {y, x, 1}};
  }
  const int64_t block = view.block_pitch;
  return {{1, view.blocks, h, w, 16}, {block * view.blocks, block, y, x, 1}};
}

class Writer {
 public:
  explicit Writer(uint64_t bytes) : m_bytes(bytes, 0) {}

  template <class T>
  void put(uint64_t at, const T& value) {
    std::memcpy(m_bytes.data() + at, &value, sizeof value);
  }
  void put(uint64_t at, const std::vector<int64_t>& values) {
    if (!values.empty()) std::memcpy(m_bytes.data() + at, values.data(), values.size() * 8);
  }
  std::vector<uint8_t> take() { return std::move(m_bytes); }

 private:
  std::vector<uint8_t> m_bytes;
};

/// Where the parts of a block begin.
struct Block {
  uint64_t shapes = 0, params = 0, bytes = 0;
};
Block block_of(const layer::DspLayer& layer) {
  Block block;
  const size_t tensors = layer.inputs.size() + layer.outputs.size();
  block.shapes = sizeof(presil_dsp_header) + tensors * sizeof(presil_dsp_tensor);
  uint64_t at = block.shapes;
  each_operand(layer, [&](const layer::DspOperand& operand) {
    at += 2 * sizeof(int64_t) * rank_of(layer, operand);
  });
  block.params = aligned(at);
  block.bytes = aligned(block.params + layer.params.size());
  return block;
}

}  // namespace

size_t region_count(const layer::DspLayer& layer) {
  return layer.inputs.size() + layer.outputs.size() + (layer.scratch_bytes != 0 ? 1 : 0);
}

uint64_t argument_bytes(const layer::DspLayer& layer) {
  return block_of(layer).bytes;
}

OperandRows operand_rows(const layer::DspLayer& layer, const layer::DspOperand& operand,
                         int64_t first, int64_t rows) {
  if (!operand.is_cut()) return {};
  if (operand.cut == layer::DspOperand::Cut::kRows) return {first, rows};
  const layer::DspLayer::Window& w = layer.window;
  const int64_t last = w.first_of(first + rows - 1) + w.size;
  const int64_t from = std::clamp<int64_t>(w.first_of(first), 0, w.extent - 1);
  return {from, std::max(from + 1, std::min(last, w.extent)) - from};
}

uint64_t most_bytes(const layer::DspLayer& layer, const layer::DspOperand& operand, int64_t rows) {
  if (!operand.is_cut()) return operand.bytes();
  const layer::DspLayer::Window& w = layer.window;
  const bool own = operand.cut == layer::DspOperand::Cut::kRows;
  const int64_t covered = ((rows - 1) * w.step + w.per - 1) / w.per + w.size;
  const int64_t most = own ? rows : std::min(w.extent, covered);
  return operand.bytes() * static_cast<uint64_t>(most);
}

std::vector<uint8_t> argument_block(const layer::DspLayer& layer, int64_t rows,
                                    const std::vector<View>& stored, int64_t first) {
  const Block block = block_of(layer);
  Writer writer(block.bytes);
  presil_dsp_header header{};
  header.magic = PRESIL_DSP_MAGIC;
  header.n_in = static_cast<uint16_t>(layer.inputs.size());
  header.n_out = static_cast<uint16_t>(layer.outputs.size());
  header.params_bytes = static_cast<uint32_t>(layer.params.size());
  header.params_offset = static_cast<uint32_t>(block.params);
  header.shapes_offset = static_cast<uint32_t>(block.shapes);
  header.scratch_region = PRESIL_DSP_NO_SCRATCH;
  if (layer.scratch_bytes != 0) {
    header.scratch_region = static_cast<uint32_t>(region_count(layer) - 1);
    header.scratch_bytes = static_cast<uint32_t>(layer.scratch_bytes);
  }
  writer.put(0, header);
  uint64_t at = sizeof header, shapes = block.shapes, region = 0;
  auto view = stored.begin();
  each_operand(layer, [&](const layer::DspOperand& operand) {
    const auto [shape, strides] =
        operand.stored
            ? stored_axes(operand, *view++)
            : dense_axes(layer, operand, operand_rows(layer, operand, first, rows).count);
    const Element element = element_of(operand.dtype);
    presil_dsp_tensor tensor{};
    tensor.region = region++;
    tensor.device_type = PRESIL_DSP_DEVICE;
    tensor.ndim = static_cast<int32_t>(shape.size());
    tensor.code = element.code, tensor.bits = element.bits, tensor.lanes = 1;
    tensor.shape = shapes;
    tensor.strides = shapes + sizeof(int64_t) * shape.size();
    writer.put(at, tensor);
    writer.put(tensor.shape, shape);
    writer.put(tensor.strides, strides);
    at += sizeof tensor;
    shapes += 2 * sizeof(int64_t) * shape.size();
  });
  std::vector<uint8_t> bytes = writer.take();
  if (!layer.params.empty()) {
    std::memcpy(bytes.data() + block.params, layer.params.data(), layer.params.size());
  }
  each_operand(layer, [&](const layer::DspOperand& operand) {
    if (operand.cut != layer::DspOperand::Cut::kWindow) return;
    const layer::DspLayer::Window& w = layer.window;
    const int64_t from = operand_rows(layer, operand, first, rows).first;
    const auto tell = [&](size_t at_param, int64_t row) {
      const auto value = static_cast<int32_t>(row);
      std::memcpy(bytes.data() + block.params + at_param, &value, sizeof value);
    };
    if (w.part_at == 0) {
      tell(w.pad_at, from - w.first_of(first));
    } else {
      tell(w.part_at, first), tell(w.part_at + sizeof(int32_t), from);
    }
  });
  return bytes;
}

std::vector<uint8_t> region_table(const std::vector<DspRegion>& regions) {
  std::vector<uint8_t> bytes;
  for (const DspRegion& region : regions) {
    if (region.offset + region.bytes > UINT32_MAX) {
      throw Refusal("plan", "a tensor for the dsp lies at byte " + std::to_string(region.offset) +
                                " of its region, a region table has 4 GiB; make the network's "
                                "tensors smaller");
    }
    presil_dsp_region entry{};
    entry.offset = static_cast<uint32_t>(region.offset);
    entry.bytes = static_cast<uint32_t>(region.bytes);
    entry.what = region.space == kSram ? PRESIL_DSP_REGION_SPACE_SRAM : region.space - 1u;
    if (region.read) entry.what |= PRESIL_DSP_REGION_READ;
    if (region.write) entry.what |= PRESIL_DSP_REGION_WRITE;
    const bool named = region.tensor >= 0 && region.tensor < int(PRESIL_DSP_REGION_NO_TENSOR);
    entry.what |= (named ? unsigned(region.tensor) : PRESIL_DSP_REGION_NO_TENSOR)
                  << PRESIL_DSP_REGION_TENSOR_SHIFT;
    const auto* raw = reinterpret_cast<const uint8_t*>(&entry);
    bytes.insert(bytes.end(), raw, raw + sizeof entry);
  }
  return bytes;
}

DspParameterBlock dsp_parameter_block(const layer::DspLayer& layer, int64_t tiles,
                                      bool table_by_tile) {
  DspParameterBlock parameter_block;
  parameter_block.table_by_tile = table_by_tile;
  each_operand(layer, [&](const layer::DspOperand& operand) {
    parameter_block.constants.push_back(parameter_block.bytes);
    if (operand.is_carried())
      parameter_block.bytes = aligned(parameter_block.bytes + operand.bytes());
  });
  parameter_block.args = parameter_block.last_args = parameter_block.bytes;
  parameter_block.args_bytes = argument_bytes(layer);
  parameter_block.args_by_tile = layer.window.extent != 0;
  parameter_block.table_by_tile |= parameter_block.args_by_tile;
  parameter_block.bytes +=
      parameter_block.args_bytes * static_cast<uint64_t>(parameter_block.args_by_tile ? tiles : 1);
  const bool last = layer.rows % rows_of_tile(layer, tiles) != 0;
  if (last && !parameter_block.args_by_tile) {
    parameter_block.last_args = parameter_block.bytes;
    parameter_block.bytes += parameter_block.args_bytes;
  }
  parameter_block.tables = parameter_block.bytes;
  parameter_block.table_bytes = sizeof(presil_dsp_region) * region_count(layer);
  const int64_t by_turns = last ? 3 : std::min<int64_t>(tiles, 2);
  parameter_block.bytes += parameter_block.table_bytes *
                           static_cast<uint64_t>(parameter_block.table_by_tile ? tiles : by_turns);
  return parameter_block;
}

}  // namespace presil::plan
