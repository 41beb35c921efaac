/* Cycles of each kernel, from its first instruction to its return, as a function of the shape: what
 * a compiler reckons with. C11 and C++17.
 *
 * For VLEN 512, DLEN 256, tensors dense in SRAM, no other engine at it. Measured on the model;
 * tests/dsp_kernels keeps each within 15 % of it where a command takes 1000 cycles or more. */
#ifndef PRESIL_DRIVER_DSP_COST_H
#define PRESIL_DRIVER_DSP_COST_H

#include <stdint.h>

/* Into the kernel and out of it, with two tensors. */
#define PRESIL_DSP_CYCLES_ENTRY 500u

/* `runs` stretches of `run` elements that lie dense (walk.h); 1 for dense tensors. */
static inline uint64_t presil_dsp_cycles_table_i8(uint64_t runs, uint64_t run) {
  return PRESIL_DSP_CYCLES_ENTRY + runs * (40 + run * 5 / 32);
}

/* Rows along the last axis. */
static inline uint64_t presil_dsp_cycles_softmax_i8(uint64_t rows, uint64_t depth) {
  const uint64_t tables = 2000;
  if (depth <= 64 && rows >= 8) {
    return PRESIL_DSP_CYCLES_ENTRY + tables + (rows + 63) / 64 * (400 + depth * 194);
  }
  if (depth < 160) return PRESIL_DSP_CYCLES_ENTRY + tables + rows * (140 + depth * 5 / 2);
  return PRESIL_DSP_CYCLES_ENTRY + tables + rows * (600 + depth * 4 / 5);
}

#endif
