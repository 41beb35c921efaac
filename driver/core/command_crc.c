/* The CRC of commands and job entries: CRC-32 (IEEE 802.3, as zlib's) of all words, little-endian,
 * with the field that holds it as 0; its low bits, as many as the field has. */
#include <string.h>

#include "driver/core/crc.h"
#include "driver/core/device.h"

static const struct presil_field* crc_field(const struct presil_command_format* format) {
  for (unsigned i = format->field_count; i-- > 0;) {
    if (strcmp(format->fields[i].name, "crc") == 0) return &format->fields[i];
  }
  return NULL;
}

static uint32_t crc_of(const struct presil_command_format* format, const uint32_t* words,
                       const struct presil_field* field) {
  uint32_t crc = PRESIL_CRC_BEGIN;
  for (unsigned i = 0; i < format->word_count; ++i) {
    const uint32_t own = i == field->word ? (0xffffffffu >> (32 - field->width)) << field->lsb : 0;
    crc = presil_crc_word(crc, words[i] & ~own);
  }
  return ~crc & 0xffffffffu >> (32 - field->width);
}

void presil_crc_write(const struct presil_command_format* format, uint32_t* words) {
  const struct presil_field* field = crc_field(format);
  if (field) presil_field_set(words, field, crc_of(format, words, field));
}

bool presil_crc_right(const struct presil_command_format* format, const uint32_t* words) {
  const struct presil_field* field = crc_field(format);
  return !field || (uint32_t)presil_field_get(words, field) == crc_of(format, words, field);
}
