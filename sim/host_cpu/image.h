/* What an image holds besides a program: a network, a sample, what the outputs must be. `presil
 * firmware` writes it, the program and the simulation read it; README.md. C11 and C++17. */
#ifndef PRESIL_IMAGE_H
#define PRESIL_IMAGE_H

#include <stdint.h>

#define PRESIL_IMAGE_AT 0x000ff000u /* in flash: the structure below */
#define PRESIL_IMAGE_MAGIC 0x4d495350u
#define PRESIL_IMAGE_VERSION 1u
#define PRESIL_IMAGE_EDGES 16

typedef struct presil_image_edge {
  uint32_t address; /* as the core sees it, in the window into DRAM */
  uint32_t bytes;
} presil_image_edge;

typedef struct presil_image {
  uint32_t magic, version;
  uint32_t cycles_per_us; /* of the core's clock */
  uint32_t loadable, loadable_bytes;
  uint32_t buffers; /* the window's bytes from here on are the driver's */
  uint32_t window_bytes;
  uint32_t checked; /* 1: `expected` has what the outputs must be, for the sample in `input` */
  uint32_t inputs, outputs;
  presil_image_edge input[PRESIL_IMAGE_EDGES];
  presil_image_edge output[PRESIL_IMAGE_EDGES]; /* the program leaves them there */
  uint32_t expected[PRESIL_IMAGE_EDGES];        /* addresses; as many bytes as of the output */
  char stamp[68];                               /* of the SoC: SHA-256 in hexadecimal digits */
  char core[8];                                 /* "m33" */
} presil_image;

#endif
