/* A .presil file's structure: every offset, length and string that the driver follows stays inside
 * the bytes. What only tools read (placements, operands, buffers, the graph) is not looked at. */
#include <stdbool.h>

#include "driver/port/baremetal/fb_table.h"

typedef enum { END, SCALAR, TEXT_FIELD, VECTOR, TABLES } fb_kind;

/* A field that the driver reads: `bytes` of a scalar or of a vector's element. */
typedef struct fb_rule {
  uint8_t kind, id, bytes;
  bool required;
  const struct fb_rule* of; /* TABLES: the rules of each */
} fb_rule;

static const fb_rule tensor[] = {{TEXT_FIELD, FB_TENSOR_NAME, 1, true, NULL},
                                 {SCALAR, FB_TENSOR_DTYPE, 1, false, NULL},
                                 {VECTOR, FB_TENSOR_SHAPE, 8, true, NULL},
                                 {VECTOR, FB_TENSOR_SCALES, 4, false, NULL},
                                 {VECTOR, FB_TENSOR_ZERO_POINTS, 8, false, NULL},
                                 {SCALAR, FB_TENSOR_SPACE, 1, false, NULL},
                                 {SCALAR, FB_TENSOR_REGION, 1, false, NULL},
                                 {SCALAR, FB_TENSOR_OFFSET, 8, false, NULL},
                                 {SCALAR, FB_TENSOR_BYTES, 8, false, NULL},
                                 {SCALAR, FB_TENSOR_LAYOUT, 1, false, NULL},
                                 {END, 0, 0, false, NULL}};
static const fb_rule stream[] = {{SCALAR, FB_STREAM_QUEUE, 1, false, NULL},
                                 {SCALAR, FB_STREAM_OFFSET, 8, false, NULL},
                                 {SCALAR, FB_STREAM_COMMANDS, 4, false, NULL},
                                 {END, 0, 0, false, NULL}};
static const fb_rule command[] = {{SCALAR, FB_COMMAND_QUEUE, 1, false, NULL},
                                  {SCALAR, FB_COMMAND_INDEX, 4, false, NULL},
                                  {SCALAR, FB_COMMAND_LAYER, 4, false, NULL},
                                  {END, 0, 0, false, NULL}};
static const fb_rule layer[] = {{TEXT_FIELD, FB_LAYER_NAME, 1, true, NULL},
                                {END, 0, 0, false, NULL}};
static const fb_rule symbol[] = {{TEXT_FIELD, FB_SYMBOL_NAME, 1, true, NULL},
                                 {SCALAR, FB_SYMBOL_ADDRESS, 4, false, NULL},
                                 {SCALAR, FB_SYMBOL_BYTES, 4, false, NULL},
                                 {END, 0, 0, false, NULL}};
static const fb_rule image[] = {{SCALAR, FB_IMAGE_OFFSET, 8, false, NULL},
                                {SCALAR, FB_IMAGE_BYTES, 4, false, NULL},
                                {SCALAR, FB_IMAGE_CRC, 4, false, NULL},
                                {TABLES, FB_IMAGE_SYMBOLS, 4, false, symbol},
                                {END, 0, 0, false, NULL}};
static const fb_rule loadable[] = {{SCALAR, FB_ISA_VERSION, 1, false, NULL},
                                   {TEXT_FIELD, FB_NETWORK, 1, true, NULL},
                                   {TEXT_FIELD, FB_NUMERICS, 1, true, NULL},
                                   {TEXT_FIELD, FB_SOC_NAME, 1, true, NULL},
                                   {TEXT_FIELD, FB_SOC_SHA256, 1, true, NULL},
                                   {VECTOR, FB_IMAGE, 1, true, NULL},
                                   {TABLES, FB_TENSORS, 4, true, tensor},
                                   {VECTOR, FB_INPUTS, 4, true, NULL},
                                   {VECTOR, FB_OUTPUTS, 4, true, NULL},
                                   {TABLES, FB_STREAMS, 4, true, stream},
                                   {TABLES, FB_COMMANDS, 4, true, command},
                                   {TABLES, FB_LAYERS, 4, true, layer},
                                   {SCALAR, FB_INPUT_BYTES, 8, false, NULL},
                                   {SCALAR, FB_OUTPUT_BYTES, 8, false, NULL},
                                   {SCALAR, FB_SCRATCH_BYTES, 8, false, NULL},
                                   {SCALAR, FB_SRAM_BYTES, 4, false, NULL},
                                   {SCALAR, FB_COUNTERS, 1, false, NULL},
                                   {SCALAR, FB_JOB_SPAN, 4, false, NULL},
                                   {TABLES, FB_DSP_IMAGES, 4, false, image},
                                   {SCALAR, FB_OVERLAPS, 1, false, NULL},
                                   {END, 0, 0, false, NULL}};

/* Tables may be shared: without a limit a small file could be walked without bound. */
#define MOST_TABLES (8u << 20)

typedef struct fb_file {
  const uint8_t* bytes;
  uint32_t size; /* below 2^31: sums of two offsets do not wrap */
  uint32_t tables;
} fb_file;

static bool within(const fb_file* f, uint32_t at, uint32_t bytes, uint32_t align) {
  return at % align == 0 && at <= f->size && bytes <= f->size - at;
}

/* Where the offset at `at` leads to. */
static bool follow(const fb_file* f, uint32_t at, uint32_t* to) {
  if (!within(f, at, 4, 4)) return false;
  const uint32_t offset = presil_fb_u32(f->bytes + at);
  *to = at + offset;
  return offset != 0 && offset < f->size && *to < f->size;
}

static bool verify_vector(const fb_file* f, uint32_t at, const fb_rule* rule, uint32_t* count) {
  if (!within(f, at, 4, 4)) return false;
  *count = presil_fb_u32(f->bytes + at);
  if (*count > (f->size - at - 4) / rule->bytes) return false;
  if (rule->bytes == 8 && *count != 0 && (at + 4) % 8 != 0) return false;
  if (rule->kind != TEXT_FIELD) return true;
  return *count < f->size - at - 4 && f->bytes[at + 4 + *count] == 0;
}

static bool verify_table(fb_file* f, uint32_t at, const fb_rule* rules);

static bool verify_field(fb_file* f, uint32_t at, const fb_rule* rule) {
  uint32_t vector, count, entry;
  if (rule->kind == SCALAR) return within(f, at, rule->bytes, rule->bytes);
  if (!follow(f, at, &vector) || !verify_vector(f, vector, rule, &count)) return false;
  for (uint32_t i = 0; rule->kind == TABLES && i < count; ++i) {
    if (!follow(f, vector + 4 + 4 * i, &entry) || !verify_table(f, entry, rule->of)) return false;
  }
  return true;
}

static bool verify_table(fb_file* f, uint32_t at, const fb_rule* rules) {
  if (!within(f, at, 4, 4) || ++f->tables > MOST_TABLES) return false;
  /* the vtable lies before or after; out of range either way wraps to a large number */
  const uint32_t vtable = at - presil_fb_u32(f->bytes + at);
  if (!within(f, vtable, 2, 2)) return false;
  const uint32_t bytes = presil_fb_u16(f->bytes + vtable);
  if (bytes % 2 != 0 || !within(f, vtable, bytes, 2)) return false;
  for (; rules->kind != END; ++rules) {
    const uint32_t entry = 4 + 2u * rules->id;
    const uint32_t offset = entry < bytes ? presil_fb_u16(f->bytes + vtable + entry) : 0;
    if (offset == 0 ? rules->required : !verify_field(f, at + offset, rules)) return false;
  }
  return true;
}

const uint8_t* presil_fb_verify_loadable(const uint8_t* bytes, uint32_t size) {
  fb_file f = {bytes, size, 0};
  uint32_t root;
  return follow(&f, 0, &root) && verify_table(&f, root, loadable) ? bytes + root : NULL;
}
