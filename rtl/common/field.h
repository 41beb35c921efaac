/* Fields of command words: tables, access, check. C11 and C++.
 *
 * Each contract prints one table of struct presil_field per command (rtl/<block>/<block>.h). With
 * it one function reads, writes or checks any command, and names the field it objects to. Words are
 * 32 bit, little-endian in memory; a field starts in `word` at bit `lsb` and may go on into the
 * next word (lsb + width <= 64).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "rtl/common/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

struct presil_field {
  const char* name;
  const char* const*
      codes; /* codes[v]: name of code v, NULL where v is no code; NULL: not an enumeration */
  int64_t min, max;     /* smallest and largest legal value */
  uint32_t legal_codes; /* enumeration: bit v is set when code v is legal */
  uint32_t
      used_by; /* bit o is set when operation o uses the field, else it must be 0; 0: always used */
  uint16_t multiple_of; /* a legal value is a multiple of this; 1: any */
  uint8_t word, lsb, width;
  uint8_t is_signed;
  uint8_t code_count; /* entries of codes */
  uint8_t is_hex;     /* written in hexadecimal in readable streams */
};

/* A command as a whole. Field 0 of an engine's command is its operation; a job entry has none. */
struct presil_command_format {
  const char* name; /* "dla_command" */
  const struct presil_field* fields;
  const uint32_t* reserved; /* per word: bits that belong to no field and must be 0 */
  uint16_t field_count, word_count, pitch_bytes;
  int16_t op_field, isa_version_field; /* index in fields, -1: none */
};

/* What presil_command_check objects to. */
struct presil_violation {
  enum presil_queue_error_code code;
  const char* field; /* "reserved" where the bits belong to no field */
  unsigned word;
  int64_t got, min, max; /* reserved bits: got are the bits, min = max = 0 */
  unsigned multiple_of;
};

static inline int64_t presil_field_get(const uint32_t* words, const struct presil_field* f) {
  uint64_t bits = words[f->word];
  if (f->lsb + f->width > 32) bits |= (uint64_t)words[f->word + 1] << 32;
  bits >>= f->lsb;
  uint64_t mask = f->width == 64 ? ~(uint64_t)0 : ((uint64_t)1 << f->width) - 1;
  bits &= mask;
  if (f->is_signed && (bits >> (f->width - 1))) bits |= ~mask;
  return (int64_t)bits;
}

/* Sets the field's bits to the low bits of value; the others stay. */
static inline void presil_field_set(uint32_t* words, const struct presil_field* f, int64_t value) {
  uint64_t mask = f->width == 64 ? ~(uint64_t)0 : ((uint64_t)1 << f->width) - 1;
  uint64_t bits = ((uint64_t)value & mask) << f->lsb;
  mask <<= f->lsb;
  words[f->word] = (words[f->word] & ~(uint32_t)mask) | (uint32_t)bits;
  if (f->lsb + f->width > 32) {
    words[f->word + 1] = (words[f->word + 1] & ~(uint32_t)(mask >> 32)) | (uint32_t)(bits >> 32);
  }
}

/* Does operation `op` use the field? */
static inline int presil_field_used(const struct presil_field* f, int64_t op) {
  return f->used_by == 0 || (op >= 0 && op < 32 && ((f->used_by >> op) & 1u));
}

/* The name of code v, or NULL. */
static inline const char* presil_field_code_name(const struct presil_field* f, int64_t v) {
  return f->codes != NULL && v >= 0 && v < f->code_count ? f->codes[v] : NULL;
}

/* The legal value nearest to 0: what a field holds in a fresh command. */
static inline int64_t presil_field_default(const struct presil_field* f) {
  return f->min > 0 ? f->min : f->max < 0 ? f->max : 0;
}

/* Checks a value of a field for operation `op`. Returns NONE when legal, else the code, and fills v
 * (may be NULL). */
static inline enum presil_queue_error_code presil_field_check(const struct presil_field* f,
                                                              int64_t got, int64_t op,
                                                              struct presil_violation* v) {
  enum presil_queue_error_code code = PRESIL_QUEUE_ERROR_CODE_NONE;
  const int used = presil_field_used(f, op);
  const int64_t min = used ? f->min : 0, max = used ? f->max : 0;
  if (got < min || got > max) {
    code = PRESIL_QUEUE_ERROR_CODE_ILLEGAL_VALUE;
  } else if (f->codes != NULL && presil_field_code_name(f, got) == NULL) {
    code = PRESIL_QUEUE_ERROR_CODE_ILLEGAL_VALUE;
  } else if (f->codes != NULL && used && !((f->legal_codes >> got) & 1u)) {
    code = PRESIL_QUEUE_ERROR_CODE_UNSUPPORTED;
  } else if (f->multiple_of > 1 && got % f->multiple_of != 0) {
    code = PRESIL_QUEUE_ERROR_CODE_MISALIGNED;
  }
  if (code != PRESIL_QUEUE_ERROR_CODE_NONE && v != NULL) {
    v->code = code;
    v->field = f->name;
    v->word = f->word;
    v->got = got;
    v->min = min;
    v->max = max;
    v->multiple_of = f->multiple_of;
  }
  return code;
}

/* Checks version, operation, reserved bits, then each field in order; v (may be NULL) gets the
 * first violation. Rules between fields (block README) are not checked here. */
static inline enum presil_queue_error_code presil_command_check(
    const struct presil_command_format* format, const uint32_t* words, struct presil_violation* v) {
  int64_t op = -1;
  if (format->isa_version_field >= 0) {
    const struct presil_field* f = &format->fields[format->isa_version_field];
    if (presil_field_check(f, presil_field_get(words, f), op, v) != PRESIL_QUEUE_ERROR_CODE_NONE) {
      if (v != NULL) v->code = PRESIL_QUEUE_ERROR_CODE_BAD_VERSION;
      return PRESIL_QUEUE_ERROR_CODE_BAD_VERSION;
    }
  }
  if (format->op_field >= 0) {
    const struct presil_field* f = &format->fields[format->op_field];
    if (presil_field_check(f, presil_field_get(words, f), op, v) != PRESIL_QUEUE_ERROR_CODE_NONE) {
      if (v != NULL) v->code = PRESIL_QUEUE_ERROR_CODE_BAD_OP;
      return PRESIL_QUEUE_ERROR_CODE_BAD_OP;
    }
    op = presil_field_get(words, f);
  }
  for (unsigned w = 0; w < format->word_count; ++w) {
    const uint32_t bits = words[w] & format->reserved[w];
    if (bits == 0) continue;
    if (v != NULL) {
      v->code = PRESIL_QUEUE_ERROR_CODE_RESERVED_BITS;
      v->field = "reserved";
      v->word = w;
      v->got = bits;
      v->min = v->max = 0;
      v->multiple_of = 1;
    }
    return PRESIL_QUEUE_ERROR_CODE_RESERVED_BITS;
  }
  for (unsigned i = 0; i < format->field_count; ++i) {
    const struct presil_field* f = &format->fields[i];
    const enum presil_queue_error_code code =
        presil_field_check(f, presil_field_get(words, f), op, v);
    if (code != PRESIL_QUEUE_ERROR_CODE_NONE) return code;
  }
  return PRESIL_QUEUE_ERROR_CODE_NONE;
}

#ifdef __cplusplus
}
#endif
