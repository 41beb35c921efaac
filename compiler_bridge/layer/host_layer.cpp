#include "compiler_bridge/layer/host_layer.h"

#include "compiler_bridge/layer/work_model.h"

namespace presil::layer {

Operands HostLayer::operands() const {
  Operands all;
  for (const TensorId input : inputs) all.push_back(Operand::linear(input, false));
  for (const TensorId output : outputs) all.push_back(Operand::linear(output, true));
  for (Operand& operand : all) operand.in_memory = true;
  return all;
}

template <class Self, class F>
void HostLayer::fields(Self& s, F&& f) {
  f("kernel", s.kernel), f("inputs", tensor(s.inputs)), f("outputs", tensor(s.outputs));
  f("attributes", s.attributes);
}

template Work::Work(HostLayer);
template Work read_work<HostLayer>(FieldReader&);

}  // namespace presil::layer
