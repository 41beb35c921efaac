/* Tables of FlatBuffers, read where they lie: a table names its vtable, the vtable says at which
 * offset a field is. Nothing here checks: flat_verify.c has, before. */
#ifndef PRESIL_BAREMETAL_FLAT_TABLE_H
#define PRESIL_BAREMETAL_FLAT_TABLE_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t presil_flat_u16(const uint8_t* at) {
  return at[0] | (uint32_t)at[1] << 8;
}
static inline uint32_t presil_flat_u32(const uint8_t* at) {
  return presil_flat_u16(at) | presil_flat_u16(at + 2) << 16;
}
static inline uint64_t presil_flat_u64(const uint8_t* at) {
  return presil_flat_u32(at) | (uint64_t)presil_flat_u32(at + 4) << 32;
}

/* NULL: absent. */
static inline const uint8_t* presil_flat_field(const uint8_t* table, unsigned id) {
  const uint8_t* vtable = table - (int32_t)presil_flat_u32(table);
  const unsigned entry = 4 + 2 * id;
  if (entry >= presil_flat_u16(vtable)) return NULL;
  const uint32_t offset = presil_flat_u16(vtable + entry);
  return offset ? table + offset : NULL;
}
/* What a field that is an offset leads to: string, vector, table. NULL: absent. */
static inline const uint8_t* presil_flat_target(const uint8_t* table, unsigned id) {
  const uint8_t* field = presil_flat_field(table, id);
  return field ? field + presil_flat_u32(field) : NULL;
}
static inline uint32_t presil_flat_count(const uint8_t* vector) {
  return vector ? presil_flat_u32(vector) : 0;
}
static inline const uint8_t* presil_flat_entry(const uint8_t* vector, uint32_t i) {
  const uint8_t* at = vector + 4 + (size_t)4 * i;
  return at + presil_flat_u32(at);
}

/* flat_verify.c: the fields that the driver reads of a .presil file lie inside its bytes. */
const uint8_t* presil_flat_verify_loadable(const uint8_t* bytes, uint32_t size);

/* Fields by number: the order of rtl/soc/loadable.fbs. */
enum {
  FLAT_TENSOR_NAME = 0,
  FLAT_TENSOR_DTYPE = 1,
  FLAT_TENSOR_SHAPE = 2,
  FLAT_TENSOR_SCALES = 3,
  FLAT_TENSOR_ZERO_POINTS = 4,
  FLAT_TENSOR_SPACE = 6,
  FLAT_TENSOR_REGION = 7,
  FLAT_TENSOR_OFFSET = 8,
  FLAT_TENSOR_BYTES = 9,
  FLAT_TENSOR_LAYOUT = 10,
  FLAT_STREAM_QUEUE = 0,
  FLAT_STREAM_OFFSET = 1,
  FLAT_STREAM_COMMANDS = 2,
  FLAT_COMMAND_QUEUE = 0,
  FLAT_COMMAND_INDEX = 1,
  FLAT_COMMAND_LAYER = 2,
  FLAT_LAYER_NAME = 0,
  FLAT_IMAGE_OFFSET = 0,
  FLAT_IMAGE_BYTES = 1,
  FLAT_IMAGE_CRC = 2,
  FLAT_IMAGE_SYMBOLS = 3,
  FLAT_SYMBOL_NAME = 0,
  FLAT_SYMBOL_ADDRESS = 1,
  FLAT_SYMBOL_BYTES = 2,
  FLAT_ISA_VERSION = 0,
  FLAT_NETWORK = 2,
  FLAT_NUMERICS = 3,
  FLAT_SOC_NAME = 4,
  FLAT_SOC_SHA256 = 5,
  FLAT_IMAGE = 7,
  FLAT_TENSORS = 8,
  FLAT_INPUTS = 9,
  FLAT_OUTPUTS = 10,
  FLAT_STREAMS = 11,
  FLAT_COMMANDS = 12,
  FLAT_LAYERS = 13,
  FLAT_INPUT_BYTES = 15,
  FLAT_OUTPUT_BYTES = 16,
  FLAT_SCRATCH_BYTES = 17,
  FLAT_SRAM_BYTES = 18,
  FLAT_COUNTERS = 19,
  FLAT_JOB_SPAN = 20,
  FLAT_DSP_IMAGES = 24
};

#endif
