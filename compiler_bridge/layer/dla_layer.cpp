#include "compiler_bridge/layer/dla_layer.h"

#include "compiler_bridge/layer/work_model.h"

namespace presil::layer {
namespace {

/// Dense rows of NHWC, several columns of the kernel in one word: for convolutions of few channels.
bool takes_rows(const DlaLayer& layer) {
  constexpr int kMostChannels = 8, kWordBytes = 16;
  return layer.op == dla::Op::kConv && !layer.has_computed_weights() &&
         layer.in_c <= kMostChannels && layer.dil_x == 1 && layer.stride_x <= kMostStride &&
         layer.stride_x * layer.in_c <= kWordBytes;
}

}  // namespace

Operands DlaLayer::operands() const {
  using Lanes = Operand::Lanes;
  Operands all;
  Operand in{input, false, Operand::Form::kBlocked};
  in.extent = Extent{in_h, in_w, in_c};
  in.at_once = is_lane_wise() ? Operand::AtOnce::kRows : Operand::AtOnce::kColumns;
  in.lanes = is_lane_wise() ? Lanes::kAligned : Lanes::kAny;
  // Rows of weights have no gaps. Lanes that no channel has meet others like them.
  if (has_computed_weights()) in.lanes = Lanes::kDense;
  in.zero_padding = has_computed_weights();
  in.four_rows = kernel_h > 1 && is_lane_wise();
  in.packable = takes_rows(*this);
  all.push_back(in);
  if (has_computed_weights()) {
    Operand weights_in{weights_from, false, Operand::Form::kEither};
    weights_in.zero_padding = true;
    all.push_back(weights_in);
  }
  if (has_operand()) {
    Operand second{ew.operand, false, Operand::Form::kBlocked};
    second.lanes = Lanes::kAligned;
    all.push_back(second);
  }
  Operand out{output, true, Operand::Form::kBlocked};
  out.extent = Extent{out_h * rows_made(), out_w * columns_made(), out_c};
  // A convolution can put its channels anywhere, if the compiler packs its weights.
  out.lanes = has_computed_weights() ? Lanes::kDense : Lanes::kFree;
  all.push_back(out);
  return all;
}

template <class Self, class F>
void ElementWise::fields(Self& s, F&& f) {
  f("op", code("ew_op", s.op)), f("rule", code("ew_rule", s.rule)), f("operand", tensor(s.operand));
  f("a_zero", s.a_zero), f("b_zero", s.b_zero), f("out_zero", s.out_zero);
  f("a_mult", s.a_mult), f("b_mult", s.b_mult), f("out_mult", s.out_mult);
  f("a_shift", s.a_shift), f("b_shift", s.b_shift), f("out_shift", s.out_shift);
  f("left_shift", s.left_shift), f("act_min", s.act_min), f("act_max", s.act_max);
}

template <class Self, class F>
void DlaLayer::fields(Self& s, F&& f) {
  f("op", code("op", s.op)), f("input", tensor(s.input)), f("output", tensor(s.output));
  f("in_h", s.in_h), f("in_w", s.in_w), f("in_c", s.in_c);
  f("out_h", s.out_h), f("out_w", s.out_w), f("out_c", s.out_c);
  f("kernel_h", s.kernel_h), f("kernel_w", s.kernel_w);
  f("stride_y", s.stride_y), f("stride_x", s.stride_x), f("dil_y", s.dil_y), f("dil_x", s.dil_x);
  f("pad_top", s.pad_top), f("pad_left", s.pad_left), f("pad_value", s.pad_value);
  f("upsample2", s.upsample2), f("sums", s.sums), f("groups", s.groups);
  f("weights", s.weights), f("weight_zero", s.weight_zero);
  f("weights_from", tensor(s.weights_from)), f("weights_by_row", s.weights_by_row);
  f("in_zero", s.in_zero), f("diagonal", s.diagonal);
  f("bias", s.bias), f("multiplier", s.multiplier), f("shift", s.shift),
      f("rule", code("rule", s.rule));
  f("div_recip", s.div_recip), f("div_count", s.div_count), f("divide_inside", s.divide_inside);
  f("out_zero", s.out_zero), f("act_min", s.act_min), f("act_max", s.act_max);
  f("lut", s.lut), f("ew", s.ew);
}

template Work::Work(DlaLayer);
template Work read_work<DlaLayer>(FieldReader&);

}  // namespace presil::layer
