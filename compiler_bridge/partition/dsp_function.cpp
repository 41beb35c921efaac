// Functions along rows.
#include <algorithm>

#include "compiler_bridge/common/exponential.h"
#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/partition/dsp_lowering.h"
#include "compiler_bridge/partition/host_float.h"
#include "compiler_bridge/partition/host_parts.h"
#include "driver/kernels/dsp/params.h"

namespace presil::partition {
namespace {

layer::DspLayer in_rows_of(const ir::Graph& graph, const ir::Op& op, const char* kernel) {
  const Rows rows = rows_of(graph.tensor(op.output()));
  layer::DspLayer layer;
  layer.kernel = layer.host_kernel = kernel;
  layer.inputs = {in_rows(graph, op.input(0), {rows.length})};
  layer.outputs = {in_rows(graph, op.output(), {rows.length})};
  layer.rows = rows.count;
  layer.cost = {kernel, {rows.length}};
  layer.host_elements = static_cast<uint64_t>(graph.tensor(op.input(0)).elements());
  return layer;
}

// Under xnnpack by a table of exponentials.
layer::DspLayer softmax_by_table(ir::Graph& graph, const ir::Op& op) {
  const ir::TensorId table = add_constant(graph, graph.tensor(op.output()).name + "/table",
                                          ir::DType::kFloat32, {256}, exponentials(graph, op));
  layer::DspLayer layer = in_rows_of(graph, op, "softmax_table_i8");
  layer.inputs.push_back(whole(graph, table));
  layer.params = bytes_of(presil_dsp_softmax_table_i8{});
  layer.host_kernel = "softmax_i8_table";
  takes_blocks(graph, layer, layer::DspOperand::Blocks::kRows, 1);
  return layer;
}

// Under tflite in fixed point, by a table of those.
layer::DspLayer softmax(ir::Graph& graph, const ir::Op& op) {
  if (is_float(graph, op)) {
    layer::DspLayer layer = in_rows_of(graph, op, "softmax_f32");
    layer.params = bytes_of(presil_dsp_softmax_f32{op.as<ir::Softmax>().beta});
    return layer;
  }
  if (!ir::by_fixed_point(graph.numerics)) return softmax_by_table(graph, op);
  const double beta = static_cast<double>(op.as<ir::Softmax>().beta);
  const double scale = static_cast<double>(graph.tensor(op.input(0)).quantization.scale());
  const common::FixedSoftmax fixed(op, beta * scale);
  const ir::TensorId table = add_constant(graph, graph.tensor(op.output()).name + "/table",
                                          ir::DType::kInt32, {256}, fixed.exponentials());
  layer::DspLayer layer = in_rows_of(graph, op, "softmax_i8");
  layer.inputs.push_back(whole(graph, table));
  layer.params = bytes_of(presil_dsp_softmax_i8{});
  takes_blocks(graph, layer, layer::DspOperand::Blocks::kRows, 1);
  return layer;
}

layer::DspLayer layer_norm(ir::Graph& graph, const ir::Op& op) {
  layer::DspLayer layer = in_rows_of(graph, op, "layer_norm_f32");
  for (const size_t row : {size_t{1}, size_t{2}}) {
    layer.inputs.push_back(whole(graph, op.input(row)));
  }
  layer.params = bytes_of(presil_dsp_layer_norm_f32{op.as<ir::LayerNorm>().epsilon});
  layer.host_elements *= 3;  // as its own kernel counts
  return layer;
}

layer::DspLayer top_k(ir::Graph& graph, const ir::Op& op) {
  const Rows x = rows_of(graph.tensor(op.input(0))), y = rows_of(graph.tensor(op.output()));
  layer::DspLayer layer;
  layer.kernel = layer.host_kernel = "top_k";
  layer.inputs = {in_rows(graph, op.input(0), {x.length})};
  for (const ir::TensorId id : op.outputs) layer.outputs.push_back(in_rows(graph, id, {y.length}));
  layer.params = bytes_of(presil_dsp_top_k{});
  layer.rows = x.count;
  layer.cost = {"top_k", {x.length, y.length}};
  layer.host_elements = static_cast<uint64_t>(graph.tensor(op.input(0)).elements() * y.length);
  return layer;
}

}  // namespace

std::vector<DspLowering> dsp_function_lowerings() {
  using K = ir::OpKind;
  return {
      {K::kSoftmax, softmax},
      {K::kLayerNorm, layer_norm},
      {K::kTopK, top_k},
  };
}

}  // namespace presil::partition
