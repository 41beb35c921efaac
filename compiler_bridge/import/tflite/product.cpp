// Products of matrices and what is made of them.
#include <algorithm>
#include <tuple>

#include "compiler_bridge/import/tflite/reader.h"
#include "compiler_bridge/ir/shape.h"

namespace presil::import {
namespace {

void fully_connected(const OpReader& r) {
  const auto& o = r.options<file::FullyConnected>();
  r.require_weight_zero();
  r.require(o.weights_format() == 0, [&] {
    return "its weights are shuffled (format " + std::to_string(o.weights_format()) +
           "), must be plain rows; export the file again";
  });
  // Of floats with int8 weights alone: exporters set it elsewhere too, where it says nothing.
  const bool dynamic = r.out().dtype == ir::DType::kFloat32 && r.in(1).dtype == ir::DType::kInt8;
  r.op.attributes =
      ir::FullyConnected{r.activation(o.activation()), dynamic && o.asymmetric_quantize_inputs()};
}

void batch_matmul(const OpReader& r) {
  const auto& o = r.options<file::BatchMatMul>();
  r.op.attributes = ir::BatchMatmul{o.adj_x(), o.adj_y()};
}

/// The state starts at 0 in every run: it is no input of the graph's operator but its result.
/// Inputs in the file: x, 4 weights of x, 4 of the state, 3 of peepholes, 4 biases, 2 of a
/// projection, state h, state c, 4 of a normalisation.
void lstm(const OpReader& r) {
  const auto& o = r.options<file::Lstm>();
  r.require(r.op.inputs.size() == 24, [&] {
    return "it has " + std::to_string(r.op.inputs.size()) +
           " inputs, expected all 24, absent ones too";
  });
  r.require(o.activation() == file::Fused_Tanh, [&] {
    return "its activation is number " + std::to_string(o.activation()) + ", must be tanh";
  });
  for (const auto& [first, count, what] : {std::tuple{size_t{9}, size_t{3}, "peepholes"},
                                           {16, 2, "a projection"},
                                           {20, 4, "a normalisation"}}) {
    for (size_t i = first; i < first + count; ++i) {
      r.require(!r.has(i),
                [&, w = what] { return std::string("it has ") + w + ", must be a plain LSTM"; });
    }
  }
  std::vector<ir::TensorId> inputs(r.op.inputs.begin(), r.op.inputs.begin() + 9);
  inputs.insert(inputs.end(), r.op.inputs.begin() + 12, r.op.inputs.begin() + 16);
  for (size_t i = 0; i < inputs.size(); ++i) {
    r.require(inputs[i] != ir::kAbsent, [&] {
      return "its " + ir::info(r.op.kind).inputs[i] +
             " is missing: gates that share their weights are not supported";
    });
  }
  r.require(r.has(18) && r.has(19), "its state is missing");
  r.op.outputs.push_back(r.op.inputs[18]);
  r.op.outputs.push_back(r.op.inputs[19]);
  r.op.inputs = std::move(inputs);
  r.op.attributes = ir::Lstm{o.time_major(), o.cell_clip()};
}

/// The state starts at its zero in every run, as an LSTM's. The clamp plays no part: TFLite's
/// kernels of int8 saturate to y's type alone.
void svdf(const OpReader& r) {
  r.require(r.has(4), "its state is missing");
  r.op.outputs.push_back(r.op.inputs[4]);
  r.op.attributes = ir::Svdf{r.options<file::Svdf>().rank()};
  r.keep_inputs(r.has(3) ? 4 : 3);
}

}  // namespace

std::vector<Conversion> product_conversions() {
  return {
      {file::Builtin_SVDF, ir::OpKind::kSvdf, 5, 5, types::kInt8, svdf, {4}},
      {file::Builtin_FULLY_CONNECTED, ir::OpKind::kFullyConnected, 2, 3, types::kFWide,
       fully_connected},
      {file::Builtin_UNIDIRECTIONAL_SEQUENCE_LSTM,
       ir::OpKind::kLstm,
       1,
       24,
       types::kInt8,
       lstm,
       {18, 19}},
      {file::Builtin_BATCH_MATMUL, ir::OpKind::kBatchMatmul, 2, 2, types::kFSigned, batch_matmul},
  };
}

}  // namespace presil::import
