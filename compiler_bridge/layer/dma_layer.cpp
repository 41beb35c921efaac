#include "compiler_bridge/layer/dma_layer.h"

#include "compiler_bridge/layer/work_model.h"

namespace presil::layer {

Operands DmaLayer::operands() const {
  Operands all;
  for (const Move& move : moves) all.push_back(Operand::linear(move.input, false));
  all.push_back(Operand::linear(output, true));
  for (Operand& operand : all) operand.copied = true;
  return all;
}

template <class Self, class F>
void DmaLayer::Move::fields(Self& s, F&& f) {
  f("input", tensor(s.input)), f("bytes", s.bytes);
}

template <class Self, class F>
void DmaLayer::fields(Self& s, F&& f) {
  f("moves", s.moves), f("output", tensor(s.output)), f("flip_sign", s.flip_sign),
      f("kernel", s.kernel);
}

template Work::Work(DmaLayer);
template Work read_work<DmaLayer>(FieldReader&);

}  // namespace presil::layer
