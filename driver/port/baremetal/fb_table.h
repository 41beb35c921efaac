/* Tables of FlatBuffers, read where they lie: a table names its vtable, the vtable says at which
 * offset a field is. Nothing here checks: fb_verify.c has, before. */
#ifndef PRESIL_BAREMETAL_FB_TABLE_H
#define PRESIL_BAREMETAL_FB_TABLE_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t presil_fb_u16(const uint8_t* at) {
  return at[0] | (uint32_t)at[1] << 8;
}
static inline uint32_t presil_fb_u32(const uint8_t* at) {
  return presil_fb_u16(at) | presil_fb_u16(at + 2) << 16;
}
static inline uint64_t presil_fb_u64(const uint8_t* at) {
  return presil_fb_u32(at) | (uint64_t)presil_fb_u32(at + 4) << 32;
}

/* NULL: absent. */
static inline const uint8_t* presil_fb_field(const uint8_t* table, unsigned id) {
  const uint8_t* vtable = table - (int32_t)presil_fb_u32(table);
  const unsigned entry = 4 + 2 * id;
  if (entry >= presil_fb_u16(vtable)) return NULL;
  const uint32_t offset = presil_fb_u16(vtable + entry);
  return offset ? table + offset : NULL;
}
/* What a field that is an offset leads to: string, vector, table. NULL: absent. */
static inline const uint8_t* presil_fb_target(const uint8_t* table, unsigned id) {
  const uint8_t* field = presil_fb_field(table, id);
  return field ? field + presil_fb_u32(field) : NULL;
}
static inline uint32_t presil_fb_count(const uint8_t* vector) {
  return vector ? presil_fb_u32(vector) : 0;
}
static inline const uint8_t* presil_fb_entry(const uint8_t* vector, uint32_t i) {
  const uint8_t* at = vector + 4 + (size_t)4 * i;
  return at + presil_fb_u32(at);
}

/* fb_verify.c: the fields that the driver reads of a .presil file lie inside its bytes. */
const uint8_t* presil_fb_verify_loadable(const uint8_t* bytes, uint32_t size);

/* Fields by number: the order of rtl/soc/loadable.fbs. */
enum {
  FB_TENSOR_NAME = 0,
  FB_TENSOR_DTYPE = 1,
  FB_TENSOR_SHAPE = 2,
  FB_TENSOR_SCALES = 3,
  FB_TENSOR_ZERO_POINTS = 4,
  FB_TENSOR_SPACE = 6,
  FB_TENSOR_REGION = 7,
  FB_TENSOR_OFFSET = 8,
  FB_TENSOR_BYTES = 9,
  FB_TENSOR_LAYOUT = 10,
  FB_STREAM_QUEUE = 0,
  FB_STREAM_OFFSET = 1,
  FB_STREAM_COMMANDS = 2,
  FB_COMMAND_QUEUE = 0,
  FB_COMMAND_INDEX = 1,
  FB_COMMAND_LAYER = 2,
  FB_LAYER_NAME = 0,
  FB_IMAGE_OFFSET = 0,
  FB_IMAGE_BYTES = 1,
  FB_IMAGE_CRC = 2,
  FB_IMAGE_SYMBOLS = 3,
  FB_SYMBOL_NAME = 0,
  FB_SYMBOL_ADDRESS = 1,
  FB_SYMBOL_BYTES = 2,
  FB_ISA_VERSION = 0,
  FB_NETWORK = 2,
  FB_NUMERICS = 3,
  FB_SOC_NAME = 4,
  FB_SOC_SHA256 = 5,
  FB_IMAGE = 7,
  FB_TENSORS = 8,
  FB_INPUTS = 9,
  FB_OUTPUTS = 10,
  FB_STREAMS = 11,
  FB_COMMANDS = 12,
  FB_LAYERS = 13,
  FB_INPUT_BYTES = 15,
  FB_OUTPUT_BYTES = 16,
  FB_SCRATCH_BYTES = 17,
  FB_SRAM_BYTES = 18,
  FB_COUNTERS = 19,
  FB_JOB_SPAN = 20,
  FB_DSP_IMAGES = 24,
  FB_OVERLAPS = 26
};

#endif
