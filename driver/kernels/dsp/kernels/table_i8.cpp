// Any function of an int8 value, as a table: logistic, tanh, GELU, requantisation.
//
// Tensors: {x i8, table i8 [256], indexed by x as uint8} {y i8}, one shape.
// Arithmetic: none.
// Per vector: vle8, vrgather.vv, vse8. Bound: table registers / DLEN bytes = 0.125 cycles per
// element at VLEN 512, 0.063 at 1024 (both accesses of SRAM: 0.063).
#include "driver/kernels/dsp/lookup.h"
#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/walk.h"

namespace presil::dsp {
namespace {

int32_t table_i8(const DLTensor* in, DLTensor* out, const presil_dsp_table_i8*) {
  if (presil_dsp_inputs() != 2 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  if (in[0].dtype.bits != 8 || in[1].dtype.bits != 8 || out->dtype.bits != 8) {
    return PRESIL_DSP_REFUSED_TYPE;
  }
  if (!same_shape(in[0], *out) || presil_dsp_elements(&in[1]) != 256) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  const auto* table = static_cast<const uint8_t*>(presil_dsp_data(&in[1]));
  for (Walk<2> walk({&in[0], out}, *out); walk; walk.next()) {
    const uint8_t* x = walk.at<uint8_t>(0);
    uint8_t* y = walk.at<uint8_t>(1);
    if (walk.dense(0) && walk.dense(1)) {
      look_up(table, x, y, walk.run());
      continue;
    }
    for (size_t i = 0; i < walk.run(); ++i, x += walk.step(0), y += walk.step(1)) *y = table[*x];
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(table_i8)

}  // namespace presil::dsp
