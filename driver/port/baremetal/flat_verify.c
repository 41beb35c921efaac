/* A .presil file's structure: every offset, length and string that the driver follows stays inside
 * the bytes. What only tools read (placements, operands, buffers, the graph) is not looked at. */
#include <stdbool.h>

#include "driver/port/baremetal/flat_table.h"

typedef enum { END, SCALAR, TEXT_FIELD, VECTOR, TABLES } flat_kind;

/* A field that the driver reads: `bytes` of a scalar or of a vector's element. */
typedef struct flat_rule {
  uint8_t kind, id, bytes;
  bool required;
  const struct flat_rule* of; /* TABLES: the rules of each */
} flat_rule;

static const flat_rule tensor[] = {{TEXT_FIELD, FLAT_TENSOR_NAME, 1, true, NULL},
                                   {SCALAR, FLAT_TENSOR_DTYPE, 1, false, NULL},
                                   {VECTOR, FLAT_TENSOR_SHAPE, 8, true, NULL},
                                   {VECTOR, FLAT_TENSOR_SCALES, 4, false, NULL},
                                   {VECTOR, FLAT_TENSOR_ZERO_POINTS, 8, false, NULL},
                                   {SCALAR, FLAT_TENSOR_SPACE, 1, false, NULL},
                                   {SCALAR, FLAT_TENSOR_REGION, 1, false, NULL},
                                   {SCALAR, FLAT_TENSOR_OFFSET, 8, false, NULL},
                                   {SCALAR, FLAT_TENSOR_BYTES, 8, false, NULL},
                                   {SCALAR, FLAT_TENSOR_LAYOUT, 1, false, NULL},
                                   {END, 0, 0, false, NULL}};
static const flat_rule stream[] = {{SCALAR, FLAT_STREAM_QUEUE, 1, false, NULL},
                                   {SCALAR, FLAT_STREAM_OFFSET, 8, false, NULL},
                                   {SCALAR, FLAT_STREAM_COMMANDS, 4, false, NULL},
                                   {END, 0, 0, false, NULL}};
static const flat_rule command[] = {{SCALAR, FLAT_COMMAND_QUEUE, 1, false, NULL},
                                    {SCALAR, FLAT_COMMAND_INDEX, 4, false, NULL},
                                    {SCALAR, FLAT_COMMAND_LAYER, 4, false, NULL},
                                    {END, 0, 0, false, NULL}};
static const flat_rule layer[] = {{TEXT_FIELD, FLAT_LAYER_NAME, 1, true, NULL},
                                  {END, 0, 0, false, NULL}};
static const flat_rule symbol[] = {{TEXT_FIELD, FLAT_SYMBOL_NAME, 1, true, NULL},
                                   {SCALAR, FLAT_SYMBOL_ADDRESS, 4, false, NULL},
                                   {SCALAR, FLAT_SYMBOL_BYTES, 4, false, NULL},
                                   {END, 0, 0, false, NULL}};
static const flat_rule image[] = {{SCALAR, FLAT_IMAGE_OFFSET, 8, false, NULL},
                                  {SCALAR, FLAT_IMAGE_BYTES, 4, false, NULL},
                                  {SCALAR, FLAT_IMAGE_CRC, 4, false, NULL},
                                  {TABLES, FLAT_IMAGE_SYMBOLS, 4, false, symbol},
                                  {END, 0, 0, false, NULL}};
static const flat_rule loadable[] = {
    {SCALAR, FLAT_ISA_VERSION, 1, false, NULL},   {TEXT_FIELD, FLAT_NETWORK, 1, true, NULL},
    {TEXT_FIELD, FLAT_NUMERICS, 1, true, NULL},   {TEXT_FIELD, FLAT_SOC_NAME, 1, true, NULL},
    {TEXT_FIELD, FLAT_SOC_SHA256, 1, true, NULL}, {VECTOR, FLAT_IMAGE, 1, true, NULL},
    {TABLES, FLAT_TENSORS, 4, true, tensor},      {VECTOR, FLAT_INPUTS, 4, true, NULL},
    {VECTOR, FLAT_OUTPUTS, 4, true, NULL},        {TABLES, FLAT_STREAMS, 4, true, stream},
    {TABLES, FLAT_COMMANDS, 4, true, command},    {TABLES, FLAT_LAYERS, 4, true, layer},
    {SCALAR, FLAT_INPUT_BYTES, 8, false, NULL},   {SCALAR, FLAT_OUTPUT_BYTES, 8, false, NULL},
    {SCALAR, FLAT_SCRATCH_BYTES, 8, false, NULL}, {SCALAR, FLAT_SRAM_BYTES, 4, false, NULL},
    {SCALAR, FLAT_COUNTERS, 1, false, NULL},      {SCALAR, FLAT_JOB_SPAN, 4, false, NULL},
    {TABLES, FLAT_DSP_IMAGES, 4, false, image},   {END, 0, 0, false, NULL}};

/* Tables may be shared: without a limit a small file could be walked for ever. */
#define MOST_TABLES (8u << 20)

typedef struct flat_file {
  const uint8_t* bytes;
  uint32_t size; /* below 2^31: sums of two offsets do not wrap */
  uint32_t tables;
} flat_file;

static bool within(const flat_file* f, uint32_t at, uint32_t bytes, uint32_t align) {
  return at % align == 0 && at <= f->size && bytes <= f->size - at;
}

/* Where the offset at `at` leads to. */
static bool follow(const flat_file* f, uint32_t at, uint32_t* to) {
  if (!within(f, at, 4, 4)) return false;
  const uint32_t offset = presil_flat_u32(f->bytes + at);
  *to = at + offset;
  return offset != 0 && offset < f->size && *to < f->size;
}

static bool verify_vector(const flat_file* f, uint32_t at, const flat_rule* rule, uint32_t* count) {
  if (!within(f, at, 4, 4)) return false;
  *count = presil_flat_u32(f->bytes + at);
  if (*count > (f->size - at - 4) / rule->bytes) return false;
  if (rule->bytes == 8 && *count != 0 && (at + 4) % 8 != 0) return false;
  if (rule->kind != TEXT_FIELD) return true;
  return *count < f->size - at - 4 && f->bytes[at + 4 + *count] == 0;
}

static bool verify_table(flat_file* f, uint32_t at, const flat_rule* rules);

static bool verify_field(flat_file* f, uint32_t at, const flat_rule* rule) {
  uint32_t vector, count, entry;
  if (rule->kind == SCALAR) return within(f, at, rule->bytes, rule->bytes);
  if (!follow(f, at, &vector) || !verify_vector(f, vector, rule, &count)) return false;
  for (uint32_t i = 0; rule->kind == TABLES && i < count; ++i) {
    if (!follow(f, vector + 4 + 4 * i, &entry) || !verify_table(f, entry, rule->of)) return false;
  }
  return true;
}

static bool verify_table(flat_file* f, uint32_t at, const flat_rule* rules) {
  if (!within(f, at, 4, 4) || ++f->tables > MOST_TABLES) return false;
  /* the vtable lies before or behind; out of range either way wraps to a large number */
  const uint32_t vtable = at - presil_flat_u32(f->bytes + at);
  if (!within(f, vtable, 2, 2)) return false;
  const uint32_t bytes = presil_flat_u16(f->bytes + vtable);
  if (bytes % 2 != 0 || !within(f, vtable, bytes, 2)) return false;
  for (; rules->kind != END; ++rules) {
    const uint32_t entry = 4 + 2u * rules->id;
    const uint32_t offset = entry < bytes ? presil_flat_u16(f->bytes + vtable + entry) : 0;
    if (offset == 0 ? rules->required : !verify_field(f, at + offset, rules)) return false;
  }
  return true;
}

const uint8_t* presil_flat_verify_loadable(const uint8_t* bytes, uint32_t size) {
  flat_file f = {bytes, size, 0};
  uint32_t root;
  return follow(&f, 0, &root) && verify_table(&f, root, loadable) ? bytes + root : NULL;
}
