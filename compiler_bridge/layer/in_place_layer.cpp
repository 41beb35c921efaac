#include "compiler_bridge/layer/in_place_layer.h"

#include "compiler_bridge/layer/work_model.h"

namespace presil::layer {
namespace {

constexpr std::array<const char*, 6> kRelations = {"view",   "slice", "bit_flip",
                                                   "concat", "stack", "interleave"};

}  // namespace

const char* to_string(Relation relation) {
  return kRelations.at(static_cast<size_t>(relation));
}

Operands InPlaceLayer::operands() const {
  Operands all;
  for (const TensorId input : inputs) all.push_back(Operand::in_place(input, false));
  all.push_back(Operand::in_place(output, true));
  return all;
}

template <class Self, class F>
void InPlaceLayer::fields(Self& s, F&& f) {
  f("relation", word(kRelations, s.relation)), f("inputs", tensor(s.inputs));
  f("output", tensor(s.output)), f("at", s.at), f("stride_y", s.stride_y);
  f("stride_x", s.stride_x);
}

InPlaceLayer view(TensorId input, TensorId output) {
  return {Relation::kView, {input}, output};
}

InPlaceLayer slice(TensorId input, TensorId output, uint64_t at) {
  return {Relation::kSlice, {input}, output, at};
}

InPlaceLayer bit_flip(TensorId input, TensorId output) {
  return {Relation::kFlip, {input}, output};
}

InPlaceLayer concat(std::vector<TensorId> inputs, TensorId output) {
  return {Relation::kConcat, std::move(inputs), output};
}

InPlaceLayer stack(std::vector<TensorId> inputs, TensorId output) {
  return {Relation::kStack, std::move(inputs), output};
}

InPlaceLayer interleave(std::vector<TensorId> inputs, TensorId output, int stride_y, int stride_x) {
  return {Relation::kInterleave, std::move(inputs), output, 0, stride_y, stride_x};
}

template Work::Work(InPlaceLayer);
template Work read_work<InPlaceLayer>(FieldReader&);

}  // namespace presil::layer
