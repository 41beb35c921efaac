/* What the driver knows of an engine: how to read its commands and by which rules they are checked.
 * A new engine is one more entry in engine.c and one check file. */
#ifndef PRESIL_DRIVER_ENGINE_H
#define PRESIL_DRIVER_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rtl/common/field.h"
#include "rtl/soc/address_map.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PRESIL_MAX_WAITS 3
#define PRESIL_MAX_COMMAND_WORDS 40

/* What a command may touch. */
typedef struct presil_limits {
  uint32_t sram_bytes;
  uint32_t acc_depth, macs_k, macs_c;
  uint32_t sync_count;                   /* counter ids 1 .. sync_count */
  uint32_t region_pages[PRESIL_REGIONS]; /* of 4 KiB */
  const uint8_t* image;                  /* region 0 */
  size_t image_bytes;
  uint32_t itcm_bytes;  /* of the DSP; 0: there is none */
  uint32_t dsp_on_trap; /* its capability */
} presil_limits;

/* Why a command is refused. */
typedef struct presil_finding {
  enum presil_queue_error_code code;
  unsigned rule;    /* of the block's README, 0: none */
  const char* what; /* field, or what was computed from fields */
  const char* why;  /* the rule in words, NULL: the range says it all */
  int64_t got, low, high;
} presil_finding;

/* Fills the finding; false. */
bool presil_found(presil_finding* finding, unsigned rule, const char* what, int64_t got,
                  int64_t low, int64_t high, const char* why);

/* True if low <= got <= high; else fills the finding. Checks are chains of these. */
bool presil_within(presil_finding* finding, unsigned rule, const char* what, int64_t got,
                   int64_t low, int64_t high, const char* why);

typedef struct presil_engine {
  const char* name;
  const struct presil_command_format* (*format)(void);
  /* Rules between fields and addresses; the fields themselves have passed presil_command_check. */
  bool (*check)(const uint32_t* words, const presil_limits* limits, presil_finding* finding);
  unsigned waits; /* counters that a command can wait for */
  uint16_t wait[PRESIL_MAX_WAITS], value[PRESIL_MAX_WAITS];
  uint16_t signal, signal_add, tag; /* field numbers, as wait and value */
} presil_engine;

/* NULL: this queue has no engine that the driver knows. */
const presil_engine* presil_engine_of(unsigned queue);

/* "dla", "host", "dma3". */
const char* presil_queue_name(unsigned queue);

static inline int64_t presil_engine_get(const presil_engine* engine, const uint32_t* words,
                                        unsigned field) {
  return presil_field_get(words, &engine->format()->fields[field]);
}

bool presil_dla_check(const uint32_t* words, const presil_limits* limits, presil_finding* finding);
bool presil_dma_check(const uint32_t* words, const presil_limits* limits, presil_finding* finding);
bool presil_dsp_check(const uint32_t* words, const presil_limits* limits, presil_finding* finding);
bool presil_host_check(const uint32_t* words, const presil_limits* limits, presil_finding* finding);

/* CRC-32 of an image, as zlib's. */
uint32_t presil_dsp_crc(const uint8_t* bytes, size_t count);

#ifdef __cplusplus
}
#endif
#endif
