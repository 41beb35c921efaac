/* A compiled network as plain C: what the driver reads of a .presil file (rtl/soc/loadable.fbs).
 * Everything points into the caller's bytes, nothing is copied. */
#ifndef PRESIL_DRIVER_LOADABLE_H
#define PRESIL_DRIVER_LOADABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct presil_loadable {
  const void* root;
  uint8_t isa_version;
  const char *network, *numerics;
  const char *soc_name, *soc_sha256;
  const uint8_t* image;
  size_t image_bytes;
  uint64_t input_bytes, output_bytes, scratch_bytes;
  uint32_t sram_bytes, job_span;
  uint32_t counters;
  uint32_t streams, commands, layers, tensors, inputs, outputs;
  uint32_t dsp_images;
  bool overlaps; /* commands wait for the job before where they must */
} presil_loadable;

typedef struct presil_loadable_stream {
  uint32_t queue;
  uint64_t offset;
  uint32_t commands;
} presil_loadable_stream;

typedef struct presil_loadable_command {
  uint32_t queue;
  uint32_t index;
  int32_t layer; /* -1: none */
} presil_loadable_command;

typedef struct presil_loadable_tensor {
  const char* name;
  uint32_t dtype; /* enum presil_dtype */
  uint32_t rank;
  int64_t shape[8];
  float scale; /* of the first channel; 0: not quantised */
  int32_t zero_point;
  bool in_region, nhwc;
  uint32_t region;
  uint64_t offset, bytes;
} presil_loadable_tensor;

typedef struct presil_loadable_dsp_image {
  uint64_t offset; /* in the image */
  uint32_t bytes, crc, symbols;
} presil_loadable_dsp_image;

typedef struct presil_loadable_symbol {
  const char* name;
  uint32_t address, bytes;
} presil_loadable_symbol;

/* Reads what the checksum covers after verifying its structure: every offset, length and string is
 * inside the bytes.
 * @param bytes aligned to 8 bytes
 * @return NULL, or what is wrong with it */
const char* presil_loadable_read(const void* bytes, size_t size, presil_loadable* loadable);

/* Entries by index; the caller stays below the counts above. */
presil_loadable_stream presil_loadable_get_stream(const presil_loadable* loadable, uint32_t i);
presil_loadable_command presil_loadable_get_command(const presil_loadable* loadable, uint32_t i);
const char* presil_loadable_get_layer(const presil_loadable* loadable, uint32_t i);
/* Tensor index of input / output i; may be any number, compare with `tensors`. */
int32_t presil_loadable_get_input(const presil_loadable* loadable, uint32_t i);
int32_t presil_loadable_get_output(const presil_loadable* loadable, uint32_t i);
presil_loadable_tensor presil_loadable_get_tensor(const presil_loadable* loadable, uint32_t i);
presil_loadable_dsp_image presil_loadable_get_dsp_image(const presil_loadable* loadable,
                                                        uint32_t i);
presil_loadable_symbol presil_loadable_get_symbol(const presil_loadable* loadable, uint32_t image,
                                                  uint32_t i);

#ifdef __cplusplus
}
#endif
#endif
