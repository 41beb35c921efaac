#include "compiler_bridge/emit/operands.h"

#include <algorithm>

namespace presil::emit {
namespace {

using Tensors = std::vector<plan::TensorId>;

struct Inputs {
  Tensors operator()(const plan::DlaLayer& dla) const {
    return {dla.input, dla.weights_from, dla.ew.operand};
  }
  Tensors operator()(const plan::DspLayer& dsp) const { return plan::tensors_of(dsp.inputs); }
  Tensors operator()(const plan::CopyLayer& copy) const {
    Tensors all;
    for (const auto& move : copy.moves) all.push_back(move.input);
    return all;
  }
  Tensors operator()(const plan::ViewLayer& view) const { return {view.input}; }
  Tensors operator()(const plan::SliceLayer& slice) const { return {slice.input}; }
  Tensors operator()(const plan::FlipLayer& flip) const { return {flip.input}; }
  template <class Many>  // host, concat, stack, interleave
  Tensors operator()(const Many& layer) const {
    return layer.inputs;
  }
};

struct Outputs {
  Tensors operator()(const plan::HostLayer& host) const { return host.outputs; }
  Tensors operator()(const plan::DspLayer& dsp) const { return plan::tensors_of(dsp.outputs); }
  template <class One>
  Tensors operator()(const One& layer) const {
    return {layer.output};
  }
};

}  // namespace

std::vector<plan::TensorId> inputs_of(const plan::Layer& layer) {
  Tensors each;
  for (const plan::TensorId tensor : std::visit(Inputs{}, layer.work)) {
    const bool seen = std::find(each.begin(), each.end(), tensor) != each.end();
    if (tensor != plan::kNoTensor && !seen) each.push_back(tensor);
  }
  return each;
}

std::vector<plan::TensorId> outputs_of(const plan::Layer& layer) {
  return std::visit(Outputs{}, layer.work);
}

uint64_t weight_bytes_of(const ir::Graph& graph, const plan::Layer& layer) {
  uint64_t bytes = 0;
  if (const auto* dla = std::get_if<plan::DlaLayer>(&layer.work)) bytes = dla->weights.size();
  for (const plan::TensorId tensor : inputs_of(layer)) {
    const ir::Tensor& t = graph.tensors[static_cast<size_t>(tensor)];
    if (t.is_constant()) bytes += t.data->size();
  }
  return bytes;
}

}  // namespace presil::emit
