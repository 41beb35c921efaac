#include "pool_layer.h"

#include <array>

#include "compiler_bridge/layer/text.h"
#include "compiler_bridge/layer/work_model.h"

namespace presil::pool {
namespace {

constexpr std::array<const char*, 2> kWindows{"max", "average"};

}  // namespace

layer::Operands PoolLayer::operands() const {
  layer::Operand in{input, false, layer::Operand::Form::kBlocked};
  in.extent = layer::Extent{in_h, in_w, channels};
  in.lanes = layer::Operand::Lanes::kAligned;  // a lane of a result is made of that lane's taps
  layer::Operand out{output, true, layer::Operand::Form::kBlocked};
  out.extent = layer::Extent{out_h, out_w, channels};
  out.lanes = layer::Operand::Lanes::kFree;
  return {in, out};
}

template <class Self, class F>
void PoolLayer::fields(Self& s, F&& f) {
  f("op", layer::word(kWindows, s.op)), f("ties_up", s.ties_up);
  f("input", layer::tensor(s.input)), f("output", layer::tensor(s.output));
  f("in_h", s.in_h), f("in_w", s.in_w), f("out_h", s.out_h), f("out_w", s.out_w);
  f("channels", s.channels), f("kernel_h", s.kernel_h), f("kernel_w", s.kernel_w);
  f("stride_y", s.stride_y), f("stride_x", s.stride_x);
  f("pad_top", s.pad_top), f("pad_left", s.pad_left);
  f("clamp_low", s.clamp_low), f("clamp_high", s.clamp_high);
}

void know_pool_layers() {
  layer::know_work(PoolLayer::kWord, layer::read_work<PoolLayer>);
}

}  // namespace presil::pool

namespace presil::layer {

template Work::Work(pool::PoolLayer);
template Work read_work<pool::PoolLayer>(FieldReader&);

}  // namespace presil::layer
