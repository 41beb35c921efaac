#include "pool_layer.h"

#include <array>

#include "compiler_bridge/layer/work_model.h"

namespace presil::pool {
namespace {

constexpr std::array<const char*, 4> kKinds{"max", "average", "nearest", "bilinear"};

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
  f("op", layer::word(kKinds, s.op)), f("rounds_up", s.rounds_up);
  f("input", layer::tensor(s.input)), f("output", layer::tensor(s.output));
  f("in_h", s.in_h), f("in_w", s.in_w), f("out_h", s.out_h), f("out_w", s.out_w);
  f("channels", s.channels), f("clamp_low", s.clamp_low), f("clamp_high", s.clamp_high);
  f("kernel_h", s.kernel_h), f("kernel_w", s.kernel_w);
  f("stride_y", s.stride_y), f("stride_x", s.stride_x);
  f("pad_top", s.pad_top), f("pad_left", s.pad_left);
  f("align_corners", s.align_corners), f("half_pixel_centers", s.half_pixel_centers);
}

}  // namespace presil::pool

namespace presil::layer {

template Work::Work(pool::PoolLayer);
template Work read_work<pool::PoolLayer>(FieldReader&);

}  // namespace presil::layer
