/* driver/core/loadable.h without FlatBuffers' C++: the same answers of the same bytes. */
#include "driver/core/loadable.h"

#include <string.h>

#include "driver/port/baremetal/fb_table.h"

#define SPACE_REGION 1u
#define SPACE_NONE 2u
#define LAYOUT_NHWC 0u

static uint32_t u8_of(const uint8_t* table, unsigned id, uint32_t otherwise) {
  const uint8_t* field = presil_fb_field(table, id);
  return field ? *field : otherwise;
}
static uint32_t u32_of(const uint8_t* table, unsigned id, uint32_t otherwise) {
  const uint8_t* field = presil_fb_field(table, id);
  return field ? presil_fb_u32(field) : otherwise;
}
static uint64_t u64_of(const uint8_t* table, unsigned id) {
  const uint8_t* field = presil_fb_field(table, id);
  return field ? presil_fb_u64(field) : 0;
}
static const char* text_of(const uint8_t* table, unsigned id) {
  return (const char*)presil_fb_target(table, id) + 4;
}
static uint32_t count_of(const uint8_t* table, unsigned id) {
  return presil_fb_count(presil_fb_target(table, id));
}
static const uint8_t* entry_of(const presil_loadable* l, unsigned id, uint32_t i) {
  return presil_fb_entry(presil_fb_target(l->root, id), i);
}

const char* presil_loadable_read(const void* bytes, size_t size, presil_loadable* l) {
  if ((uintptr_t)bytes % 8 != 0) return "its bytes must start at a multiple of 8";
  if (size > ((size_t)1 << 31) - 1) return "the file is larger than 2 GiB";
  if (size < 16) return "it ends before its header";
  const uint8_t* root = presil_fb_verify_loadable(bytes, (uint32_t)size);
  if (!root || memcmp((const uint8_t*)bytes + 4, "PRSL", 4) != 0)
    return "its structure points outside the file";
  memset(l, 0, sizeof *l);
  l->root = root;
  l->isa_version = (uint8_t)u8_of(root, FB_ISA_VERSION, 0);
  l->network = text_of(root, FB_NETWORK);
  l->numerics = text_of(root, FB_NUMERICS);
  l->soc_name = text_of(root, FB_SOC_NAME);
  l->soc_sha256 = text_of(root, FB_SOC_SHA256);
  l->image = presil_fb_target(root, FB_IMAGE) + 4;
  l->image_bytes = count_of(root, FB_IMAGE);
  l->input_bytes = u64_of(root, FB_INPUT_BYTES);
  l->output_bytes = u64_of(root, FB_OUTPUT_BYTES);
  l->scratch_bytes = u64_of(root, FB_SCRATCH_BYTES);
  l->sram_bytes = u32_of(root, FB_SRAM_BYTES, 0);
  l->job_span = u32_of(root, FB_JOB_SPAN, 0);
  l->counters = u8_of(root, FB_COUNTERS, 0);
  l->streams = count_of(root, FB_STREAMS);
  l->commands = count_of(root, FB_COMMANDS);
  l->layers = count_of(root, FB_LAYERS);
  l->tensors = count_of(root, FB_TENSORS);
  l->inputs = count_of(root, FB_INPUTS);
  l->outputs = count_of(root, FB_OUTPUTS);
  l->dsp_images = count_of(root, FB_DSP_IMAGES);
  l->overlaps = u8_of(root, FB_OVERLAPS, 0) != 0;
  return NULL;
}

presil_loadable_stream presil_loadable_get_stream(const presil_loadable* l, uint32_t i) {
  const uint8_t* s = entry_of(l, FB_STREAMS, i);
  const presil_loadable_stream stream = {u8_of(s, FB_STREAM_QUEUE, 0), u64_of(s, FB_STREAM_OFFSET),
                                         u32_of(s, FB_STREAM_COMMANDS, 0)};
  return stream;
}

presil_loadable_command presil_loadable_get_command(const presil_loadable* l, uint32_t i) {
  const uint8_t* c = entry_of(l, FB_COMMANDS, i);
  const presil_loadable_command command = {u8_of(c, FB_COMMAND_QUEUE, 0),
                                           u32_of(c, FB_COMMAND_INDEX, 0),
                                           (int32_t)u32_of(c, FB_COMMAND_LAYER, UINT32_MAX)};
  return command;
}

const char* presil_loadable_get_layer(const presil_loadable* l, uint32_t i) {
  return text_of(entry_of(l, FB_LAYERS, i), FB_LAYER_NAME);
}

static int32_t edge_of(const presil_loadable* l, unsigned id, uint32_t i) {
  return (int32_t)presil_fb_u32(presil_fb_target(l->root, id) + 4 + (size_t)4 * i);
}
int32_t presil_loadable_get_input(const presil_loadable* l, uint32_t i) {
  return edge_of(l, FB_INPUTS, i);
}
int32_t presil_loadable_get_output(const presil_loadable* l, uint32_t i) {
  return edge_of(l, FB_OUTPUTS, i);
}

presil_loadable_dsp_image presil_loadable_get_dsp_image(const presil_loadable* l, uint32_t i) {
  const uint8_t* d = entry_of(l, FB_DSP_IMAGES, i);
  const presil_loadable_dsp_image image = {u64_of(d, FB_IMAGE_OFFSET), u32_of(d, FB_IMAGE_BYTES, 0),
                                           u32_of(d, FB_IMAGE_CRC, 0),
                                           count_of(d, FB_IMAGE_SYMBOLS)};
  return image;
}

presil_loadable_symbol presil_loadable_get_symbol(const presil_loadable* l, uint32_t image,
                                                  uint32_t i) {
  const uint8_t* d = entry_of(l, FB_DSP_IMAGES, image);
  const uint8_t* s = presil_fb_entry(presil_fb_target(d, FB_IMAGE_SYMBOLS), i);
  const presil_loadable_symbol symbol = {
      text_of(s, FB_SYMBOL_NAME), u32_of(s, FB_SYMBOL_ADDRESS, 0), u32_of(s, FB_SYMBOL_BYTES, 0)};
  return symbol;
}

presil_loadable_tensor presil_loadable_get_tensor(const presil_loadable* l, uint32_t i) {
  const uint8_t* t = entry_of(l, FB_TENSORS, i);
  const uint8_t* shape = presil_fb_target(t, FB_TENSOR_SHAPE);
  const uint8_t* scales = presil_fb_target(t, FB_TENSOR_SCALES);
  const uint8_t* zeros = presil_fb_target(t, FB_TENSOR_ZERO_POINTS);
  presil_loadable_tensor out;
  memset(&out, 0, sizeof out);
  out.name = text_of(t, FB_TENSOR_NAME);
  out.dtype = u8_of(t, FB_TENSOR_DTYPE, 0);
  out.rank = presil_fb_count(shape);
  for (uint32_t axis = 0; axis < out.rank && axis < 8; ++axis)
    out.shape[axis] = (int64_t)presil_fb_u64(shape + 4 + (size_t)8 * axis);
  if (presil_fb_count(scales)) {
    const uint32_t bits = presil_fb_u32(scales + 4);
    memcpy(&out.scale, &bits, sizeof bits);
  }
  if (presil_fb_count(zeros)) out.zero_point = (int32_t)presil_fb_u64(zeros + 4);
  out.in_region = u8_of(t, FB_TENSOR_SPACE, SPACE_NONE) == SPACE_REGION;
  out.nhwc = u8_of(t, FB_TENSOR_LAYOUT, LAYOUT_NHWC) == LAYOUT_NHWC;
  out.region = u8_of(t, FB_TENSOR_REGION, 0);
  out.offset = u64_of(t, FB_TENSOR_OFFSET);
  out.bytes = u64_of(t, FB_TENSOR_BYTES);
  return out;
}
