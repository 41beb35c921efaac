/* CRC-32, four bytes a step. A CRC is linear: what a byte does is the sum of what its bits do. */
#include "driver/core/crc.h"

#include <string.h>

/* Row k: what a byte does that is followed by k others. */
#define BIT(i, b, crc) (((i) >> (b)&1) * (crc))
#define OF_0(i)                                                                                    \
  (BIT(i, 0, 0x77073096) ^ BIT(i, 1, 0xee0e612c) ^ BIT(i, 2, 0x076dc419) ^ BIT(i, 3, 0x0edb8832) ^ \
   BIT(i, 4, 0x1db71064) ^ BIT(i, 5, 0x3b6e20c8) ^ BIT(i, 6, 0x76dc4190) ^ BIT(i, 7, 0xedb88320))
#define OF_1(i)                                                                                    \
  (BIT(i, 0, 0x191b3141) ^ BIT(i, 1, 0x32366282) ^ BIT(i, 2, 0x646cc504) ^ BIT(i, 3, 0xc8d98a08) ^ \
   BIT(i, 4, 0x4ac21251) ^ BIT(i, 5, 0x958424a2) ^ BIT(i, 6, 0xf0794f05) ^ BIT(i, 7, 0x3b83984b))
#define OF_2(i)                                                                                    \
  (BIT(i, 0, 0x01c26a37) ^ BIT(i, 1, 0x0384d46e) ^ BIT(i, 2, 0x0709a8dc) ^ BIT(i, 3, 0x0e1351b8) ^ \
   BIT(i, 4, 0x1c26a370) ^ BIT(i, 5, 0x384d46e0) ^ BIT(i, 6, 0x709a8dc0) ^ BIT(i, 7, 0xe1351b80))
#define OF_3(i)                                                                                    \
  (BIT(i, 0, 0xb8bc6765) ^ BIT(i, 1, 0xaa09c88b) ^ BIT(i, 2, 0x8f629757) ^ BIT(i, 3, 0xc5b428ef) ^ \
   BIT(i, 4, 0x5019579f) ^ BIT(i, 5, 0xa032af3e) ^ BIT(i, 6, 0x9b14583d) ^ BIT(i, 7, 0xed59b63b))
#define X4(row, i) row(i), row(i + 1), row(i + 2), row(i + 3)
#define X16(row, i) X4(row, i), X4(row, i + 4), X4(row, i + 8), X4(row, i + 12)
#define X64(row, i) X16(row, i), X16(row, i + 16), X16(row, i + 32), X16(row, i + 48)
#define X256(row) X64(row, 0u), X64(row, 64u), X64(row, 128u), X64(row, 192u)
const uint32_t presil_crc_rows[4][256] = {{X256(OF_0)}, {X256(OF_1)}, {X256(OF_2)}, {X256(OF_3)}};

uint32_t presil_crc32(const void* bytes, size_t size) {
  const uint8_t* at = bytes;
  uint32_t crc = PRESIL_CRC_BEGIN;
  uint32_t words[16]; /* copied at once: a call for each word takes as long as its CRC */
  for (; size >= sizeof words; size -= sizeof words, at += sizeof words) {
    memcpy(words, at, sizeof words);
    for (unsigned i = 0; i < 16; ++i) crc = presil_crc_word(crc, words[i]);
  }
  for (; size > 0; --size) crc = crc >> 8 ^ presil_crc_rows[0][(crc ^ *at++) & 255];
  return ~crc;
}
