/* Rules between the fields of a DMA command, and its addresses: rtl/dma/README.md, in its order. */
#include "driver/core/device.h"
#include "rtl/dma/dma.h"
#include "rtl/dma/dma_rules.h"

#define F(name) presil_field_get(words, &presil_dma_command_fields()[PRESIL_DMA_COMMAND_##name])

/* One side of a command: a row and four dimensions. */
typedef struct side {
  int64_t base, row;
  int64_t n[4], stride[4];
  bool system;
  unsigned region;
} side;

static side source(const uint32_t* words) {
  const side s = {F(SRC_BASE),
                  F(SRC_ROW_BYTES),
                  {F(SRC_N1), F(SRC_N2), F(SRC_N3), F(SRC_N4)},
                  {F(SRC_STRIDE1), F(SRC_STRIDE2), F(SRC_STRIDE3), F(SRC_STRIDE4)},
                  F(SRC_SPACE) == PRESIL_DMA_SPACE_SYSTEM,
                  (unsigned)F(SRC_REGION)};
  return s;
}

static side destination(const uint32_t* words) {
  const side s = {F(DST_BASE),
                  F(DST_ROW_BYTES),
                  {F(DST_N1), F(DST_N2), F(DST_N3), F(DST_N4)},
                  {F(DST_STRIDE1), F(DST_STRIDE2), F(DST_STRIDE3), F(DST_STRIDE4)},
                  F(DST_SPACE) == PRESIL_DMA_SPACE_SYSTEM,
                  (unsigned)F(DST_REGION)};
  return s;
}

#define STREAM_LIMIT (INT64_C(1) << 32)

/* Bytes of the stream; anything from 2^32 on is given as 2^32. */
static int64_t length(const side* s) {
  int64_t bytes = s->row;
  for (int i = 0; i < 4; ++i) {
    bytes *= s->n[i]; /* below 2^32 * 2^16 */
    if (bytes >= STREAM_LIMIT) return STREAM_LIMIT;
  }
  return bytes;
}

static bool stream_rule(presil_finding* f, unsigned rule, const char* what, int64_t got,
                        int64_t low, int64_t high, const char* why) {
  if (presil_within(f, rule, what, got, low, high, why)) return true;
  f->code = PRESIL_QUEUE_ERROR_CODE_STREAM_LENGTH;
  return false;
}

/* Rows hold whole elements, or elements whole rows. */
static bool nests(int64_t row, int64_t element) {
  return row % element == 0 || element % row == 0;
}

static bool packed_rules(presil_finding* f, unsigned rule, int64_t in_bytes, int64_t in_row,
                         int64_t in_element, int64_t out_bytes, int64_t out_row,
                         int64_t out_element) {
  const char* const cut = "an element is cut by the end of a row";
  return stream_rule(f, rule, "source bytes left over by elements", in_bytes % in_element, 0, 0,
                     cut) &&
         (nests(in_row, in_element) ||
          stream_rule(f, rule, "src_row_bytes", in_row, in_element, in_element, cut)) &&
         stream_rule(f, rule, "destination bytes", out_bytes, in_bytes / in_element * out_element,
                     in_bytes / in_element * out_element, "as many as the packed source gives") &&
         (nests(out_row, out_element) ||
          stream_rule(f, rule, "dst_row_bytes", out_row, out_element, out_element, cut));
}

static bool place_rule(presil_finding* f, unsigned rule, const side* s, const char* region,
                       const char* base) {
  const char* const why = "SRAM addresses have 24 bits and no region";
  return s->system || (presil_within(f, rule, region, s->region, 0, 0, why) &&
                       presil_within(f, rule, base, s->base, 0, (1 << 24) - 1, why));
}

static bool inside(presil_finding* f, const presil_limits* limits, const side* s,
                   const char* first_name, const char* end_name) {
  int64_t first = s->base, end = s->base + s->row;
  for (int i = 0; i < 4; ++i) {
    const int64_t span = (s->n[i] - 1) * s->stride[i]; /* below 2^47 */
    if (span < 0) {
      first += span;
    } else {
      end += span;
    }
  }
  const int64_t limit =
      s->system ? (int64_t)limits->region_pages[s->region] * 4096 : limits->sram_bytes;
  if (presil_within(f, 0, first_name, first, 0, INT64_MAX, "it is before the region") &&
      presil_within(f, 0, end_name, end, 0, limit,
                    s->system ? "the region ends there" : "the SRAM ends there")) {
    return true;
  }
  f->code = PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE;
  return false;
}

static bool check(const uint32_t* words, const presil_limits* limits, presil_finding* f) {
  const int64_t op = F(OP), pack = F(PACK);
  if (op == PRESIL_DMA_OP_NOP) return true;
  const bool copy = op == PRESIL_DMA_OP_COPY;
  const side src = source(words), dst = destination(words);
  if (copy && !place_rule(f, PRESIL_DMA_R1_SRAM_SOURCE, &src, "src_region", "src_base"))
    return false;
  if (!place_rule(f, PRESIL_DMA_R2_SRAM_DESTINATION, &dst, "dst_region", "dst_base")) return false;
  if (copy) {
    const int64_t element = F(ELEM_BYTES), padded = (element + 15) / 16 * 16;
    const bool plain = pack == PRESIL_DMA_PACK_NONE;
    if (!presil_within(f, PRESIL_DMA_R3_ELEMENT, "elem_bytes", element, plain ? 0 : 1,
                       plain ? 0 : 4095, "elements go with pack")) {
      return false;
    }
    if (pack != PRESIL_DMA_PACK_PAD && !presil_within(f, PRESIL_DMA_R4_PATTERN, "pattern",
                                                      F(PATTERN), 0, 0, "only pack pad uses it")) {
      return false;
    }
    const int64_t s = length(&src), d = length(&dst);
    if (!stream_rule(f, PRESIL_DMA_R5_LENGTH, "source bytes", s, 1, STREAM_LIMIT - 1,
                     "a stream is shorter than 4 GiB") ||
        !stream_rule(f, PRESIL_DMA_R5_LENGTH, "destination bytes", d, 1, STREAM_LIMIT - 1,
                     "a stream is shorter than 4 GiB")) {
      return false;
    }
    if (plain && !stream_rule(f, PRESIL_DMA_R6_EQUAL_LENGTHS, "destination bytes", d, s, s,
                              "as many as the source has"))
      return false;
    if (pack == PRESIL_DMA_PACK_PAD &&
        !packed_rules(f, PRESIL_DMA_R7_PAD, s, src.row, element, d, dst.row, padded))
      return false;
    if (pack == PRESIL_DMA_PACK_DROP &&
        !packed_rules(f, PRESIL_DMA_R8_DROP, s, src.row, padded, d, dst.row, element))
      return false;
    if (!inside(f, limits, &src, "first source byte", "end of the source")) return false;
  } else if (!stream_rule(f, PRESIL_DMA_R5_LENGTH, "destination bytes", length(&dst), 1,
                          STREAM_LIMIT - 1, "a stream is shorter than 4 GiB")) {
    return false;
  }
  return inside(f, limits, &dst, "first destination byte", "end of the destination");
}

static void read_capability(presil_device* d, uint64_t registers, presil_capability* c) {
  (void)registers;
  c->dma_channels = d->queues[PRESIL_ENGINE_DMA];
}

/* The constants hold the streams: what has been checked must stay what it is. */
static bool check_stream(struct presil_walk* w, unsigned queue) {
  uint32_t words[PRESIL_DMA_COMMAND_WORDS];
  for (uint32_t i = 0; i < w->streams[queue].commands; ++i) {
    presil_walk_words(w, queue, i, words);
    if (F(OP) == PRESIL_DMA_OP_NOP || F(DST_SPACE) != PRESIL_DMA_SPACE_SYSTEM ||
        F(DST_REGION) != PRESIL_REGION_CONSTANTS)
      continue;
    presil_text t =
        presil_error_begin(w->device, PRESIL_REFUSED, presil_walk_where(w, queue, i, words),
                           "dst_region", PRESIL_REGION_CONSTANTS, PRESIL_REGION_OUTPUTS);
    TEXT(&t, "dst_region is ", PRESIL_REGION_CONSTANTS,
         ", the constants, which hold the streams; must be another one: nothing writes to them");
    return false;
  }
  return true;
}

const presil_engine_driver presil_dma_driver = {
    .read_capability = read_capability, .check = check, .check_stream = check_stream};
