/* The CRC of commands and job entries: CRC-32 (IEEE 802.3, as zlib's) of all words, little-endian,
 * with the field that holds it as 0; its low bits, as many as the field has. */
#include <string.h>

#include "driver/core/device.h"

static const struct presil_field* crc_field(const struct presil_command_format* format) {
  for (unsigned i = format->field_count; i-- > 0;) {
    if (strcmp(format->fields[i].name, "crc") == 0) return &format->fields[i];
  }
  return NULL;
}

static uint32_t crc_of(const struct presil_command_format* format, const uint32_t* words,
                       const struct presil_field* field) {
  static const uint32_t of_nibble[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                         0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                         0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                         0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
  uint32_t crc = 0xffffffffu;
  for (unsigned i = 0; i < format->word_count; ++i) {
    const uint32_t own = i == field->word ? (0xffffffffu >> (32 - field->width)) << field->lsb : 0;
    crc ^= words[i] & ~own;
    for (unsigned nibble = 0; nibble < 8; ++nibble) crc = crc >> 4 ^ of_nibble[crc & 15];
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
