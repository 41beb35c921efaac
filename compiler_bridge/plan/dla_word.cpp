#include "compiler_bridge/plan/dla_word.h"

#include "compiler_bridge/plan/cost.h"

namespace presil::plan {
namespace {

/// A single output walks no stride, however far the next tile's is.
uint8_t walked(int stride, int outputs) {
  return static_cast<uint8_t>(stride > layer::kMostStride && outputs == 1 ? 1 : stride);
}

void put_input(const layer::DlaLayer& layer, bool packed, const Tile& tile, const Run& run,
               const Window& window, const View& view, dla::Command& c) {
  c.in_base = static_cast<uint32_t>(view.base);
  c.in_row_pitch = view.row_pitch;
  c.in_h = static_cast<uint16_t>(window.rows());
  c.in_w = static_cast<uint16_t>(window.columns());
  c.pad_top = static_cast<uint8_t>(window.pad_top);
  c.pad_left = static_cast<uint8_t>(window.pad_left);
  c.pad_value = static_cast<int16_t>(layer.pad_value);
  c.kernel_h = static_cast<uint8_t>(layer.kernel_h);
  c.kernel_w = static_cast<uint8_t>(layer.kernel_w);
  c.stride_y = walked(layer.stride_y, tile.rows());
  c.stride_x = walked(layer.stride_x, tile.columns());
  c.dil_y = static_cast<uint8_t>(layer.dil_y);
  c.dil_x = static_cast<uint8_t>(layer.dil_x);
  c.in_kb_step = static_cast<uint8_t>(run.step);
  if (packed) {
    c.packed = true;
    c.packed_ic = static_cast<uint8_t>(layer.in_c);
    c.in_x_step = static_cast<uint16_t>(c.stride_x * layer.in_c);
    c.in_blocks = static_cast<uint16_t>((layer.kernel_w * layer.in_c + 15) / 16);
    c.row_bytes = static_cast<uint16_t>(window.columns() * layer.in_c);
  } else {
    c.in_cb_pitch = view.block_pitch;
    c.in_x_step = static_cast<uint16_t>(view.x_step);
    c.in_blocks = static_cast<uint16_t>(run.in_blocks);
  }
}

void put_output(const layer::DlaLayer& layer, const Tile& tile, const Run& run, const View& view,
                int lanes_last, dla::Command& c) {
  c.out_h = static_cast<uint16_t>(tile.rows());
  c.out_w = static_cast<uint16_t>(tile.columns());
  c.out_base = static_cast<uint32_t>(view.base);
  c.out_row_pitch = view.row_pitch;
  c.out_cb_pitch = view.block_pitch;
  c.out_x_step = static_cast<uint16_t>(layer.sums ? layer.columns_made() * int(view.x_step)
                                                  : int(view.x_step));
  c.out_blocks = static_cast<uint16_t>(run.blocks());
  c.out_lanes_last = static_cast<uint8_t>(lanes_last);
  c.upsample2 = layer.upsample2;
}

void put_parameter_block(const layer::DlaLayer& layer, const RunViews& views, dla::Command& c) {
  const RunParameterBlock& shape = views.parameter_block;
  const auto at = [&](uint32_t offset) {
    return static_cast<uint32_t>(views.parameter_block_at + offset);
  };
  if (shape.has_weights) {
    c.w_base = at(shape.weights);
    c.w_kb_pitch = shape.kb_pitch;
    c.w_cb_pitch = shape.cb_pitch;
    c.w_zero = static_cast<int8_t>(layer.weight_zero);
  }
  if (shape.has_params) c.p_base = at(shape.params);
  if (shape.has_lut) {
    c.lut_en = true;
    c.lut_base = at(shape.lut);
  }
}

void put_post(const layer::DlaLayer& layer, const Tile& tile, dla::Command& c) {
  c.rule = layer.rule;
  c.act_min = static_cast<int16_t>(layer.act_min);
  c.act_max = static_cast<int16_t>(layer.act_max);
  c.out_zero = static_cast<int16_t>(layer.out_zero);
  if (layer.divide_inside) {
    const auto taps = static_cast<uint32_t>(taps_inside(layer, tile));
    if (taps == 1) {
      c.rule = dla::Rule::kNone;  // the mean of one value is the value
    } else {
      c.div_count = static_cast<uint16_t>(taps);
      c.div_recip = static_cast<uint32_t>((uint64_t{1} << 32) / taps + 1);
    }
  } else if (layer.rule == dla::Rule::kDivide) {
    c.div_recip = layer.div_recip;
    c.div_count = static_cast<uint16_t>(layer.div_count);
  }
}

/// The first part begins with the bias, each other one with the sums so far.
void put_sums_in(const View& sums, dla::Command& c) {
  c.acc_init = dla::AccInit::kInt32;
  c.res_base = static_cast<uint32_t>(sums.base);
  c.res_row_pitch = sums.row_pitch;
  c.res_cb_pitch = sums.block_pitch;
  c.res_x_step = static_cast<uint16_t>(sums.x_step);
}

void put_sums_as_they_are(dla::Command& c) {
  c.out_type = dla::OutType::kInt32;
  c.rule = dla::Rule::kNone;
  c.act_min = c.act_max = c.out_zero = 0;
}

/// What requantises, clamps, looks up and doubles is the last part's.
void put_sums_out(const View& sums, dla::Command& c) {
  put_sums_as_they_are(c);
  c.lut_en = c.upsample2 = false;
  c.lut_base = 0;
  c.out_base = static_cast<uint32_t>(sums.base);
  c.out_row_pitch = sums.row_pitch;
  c.out_cb_pitch = sums.block_pitch;
  c.out_x_step = static_cast<uint16_t>(sums.x_step);
}

/// Only what the rule reads: every other field of the unit must be 0 (rtl/dla/README.md, R21).
void put_element_wise(const layer::ElementWise& ew, const View& view, bool broadcast,
                      dla::Command& c) {
  if (ew.op == dla::EwOp::kNone) return;
  const bool tflite = ew.rule == dla::EwRule::kTflite, mul = ew.op == dla::EwOp::kMul;
  c.ew_op = ew.op;
  c.ew_rule = ew.rule;
  c.res_base = static_cast<uint32_t>(view.base);
  c.res_cb_pitch = view.block_pitch;
  c.res_row_pitch = broadcast ? 0 : view.row_pitch;
  c.res_x_step = broadcast ? uint16_t{0} : static_cast<uint16_t>(view.x_step);
  if (tflite || mul) {
    c.ew_a_zero = static_cast<int16_t>(ew.a_zero);
    c.ew_b_zero = static_cast<int16_t>(ew.b_zero);
  }
  if (!mul) {
    c.ew_a_mult = ew.a_mult;
    c.ew_b_mult = ew.b_mult;
  }
  if (!mul && tflite) {
    c.ew_a_shift = static_cast<int8_t>(ew.a_shift);
    c.ew_b_shift = static_cast<int8_t>(ew.b_shift);
    c.ew_left_shift = static_cast<uint8_t>(ew.left_shift);
  }
  c.ew_out_mult = ew.out_mult;
  if (tflite || !mul) c.ew_out_shift = static_cast<int8_t>(ew.out_shift);
  c.ew_out_zero = static_cast<int16_t>(ew.out_zero);
  c.ew_act_min = static_cast<int16_t>(ew.act_min);
  c.ew_act_max = static_cast<int16_t>(ew.act_max);
}

}  // namespace

View sums_view(const Tile& tile, uint64_t base) {
  View v;
  v.base = base;
  v.x_step = kSumsBytes;
  v.rows = tile.rows(), v.columns = tile.columns(), v.blocks = tile.blocks();
  v.row_pitch = kSumsBytes * static_cast<uint32_t>(v.columns);
  v.block_pitch = v.row_pitch * static_cast<uint32_t>(v.rows);
  v.word_bytes = kSumsBytes;
  return v;
}

dla::Command dla_word(const layer::DlaLayer& layer, bool packed, const Tile& tile, const Run& run,
                      const Window& window, const RunViews& views, int lanes_last,
                      const DlaConfig& config) {
  dla::Command c = dla::Command::make(layer.op);
  c.block_rows = static_cast<uint8_t>(block_rows(layer, tile.rows(), tile.columns(), config));
  put_input(layer, packed, tile, run, window, views.input, c);
  put_output(layer, tile, run, views.output, lanes_last, c);
  put_parameter_block(layer, views, c);
  put_post(layer, tile, c);
  put_element_wise(layer.ew, views.operand, views.broadcast, c);
  if (layer.sums) put_sums_as_they_are(c);
  if (!tile.first) put_sums_in(views.sums, c);
  if (!tile.last) put_sums_out(views.sums, c);
  return c;
}

}  // namespace presil::plan
