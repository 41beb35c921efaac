/* An image of int8 twice as wide, each column two times: {x i8 [.., w, c]} {y i8 [.., 2 w, c]},
 * once as one writes it down, once in vectors. driver/kernels/dsp/README.md registers, runs and
 * times both.
 */
#include <presil/dsp_kernel.h>
#include <riscv_vector.h>

static int32_t check(const DLTensor* x, const DLTensor* y) {
  const int32_t axes = x->ndim;
  if (x->dtype.bits != 8 || y->dtype.bits != 8) return PRESIL_DSP_REFUSED_TYPE;
  if (axes < 2 || y->ndim != axes) return PRESIL_DSP_REFUSED_SHAPE;
  if (y->shape[axes - 2] != 2 * x->shape[axes - 2]) return PRESIL_DSP_REFUSED_SHAPE;
  return PRESIL_DSP_DONE;
}

/* A value at a time, by the tensors' strides. */
static int32_t resize_1x2_naive(const DLTensor* in, DLTensor* out, const void* params) {
  (void)params;
  const int32_t refused = check(in, out);
  if (refused != PRESIL_DSP_DONE) return refused;
  const int8_t* x = (const int8_t*)presil_dsp_data(in);
  int8_t* y = (int8_t*)presil_dsp_data(out);
  const int32_t column = in->ndim - 2, channel = in->ndim - 1;
  const int64_t columns = out->shape[column], channels = out->shape[channel];
  const int64_t rows = presil_dsp_elements(out) / (columns * channels);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < columns; ++i) {
      const int8_t* from = x + (row * columns + i) / 2 * in->strides[column];
      int8_t* to = y + (row * columns + i) * out->strides[column];
      for (int64_t k = 0; k < channels; ++k) {
        to[k * out->strides[channel]] = from[k * in->strides[channel]];
      }
    }
  }
  return PRESIL_DSP_DONE;
}
PRESIL_KERNEL(resize_1x2_naive)

/* A pixel's channels at a time: one load, two stores. */
static int32_t resize_1x2(const DLTensor* in, DLTensor* out, const void* params) {
  (void)params;
  const int32_t refused = check(in, out);
  if (refused != PRESIL_DSP_DONE) return refused;
  const int8_t* x = (const int8_t*)presil_dsp_data(in);
  int8_t* y = (int8_t*)presil_dsp_data(out);
  const size_t c = (size_t)in->shape[in->ndim - 1];
  const size_t pixels = (size_t)presil_dsp_elements(in) / c;
  for (size_t pixel = 0; pixel < pixels; ++pixel, y += c) {
    for (size_t left = c, n; left > 0; left -= n, x += n, y += n) {
      n = __riscv_vsetvl_e8m4(left);
      const vint8m4_t channels = __riscv_vle8_v_i8m4(x, n);
      __riscv_vse8_v_i8m4(y, channels, n);
      __riscv_vse8_v_i8m4(y + c, channels, n);
    }
  }
  return PRESIL_DSP_DONE;
}
PRESIL_KERNEL(resize_1x2)
