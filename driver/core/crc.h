/* CRC-32 (IEEE 802.3, as zlib's): of commands and job entries, images of the DSP, .presil files. */
#ifndef PRESIL_DRIVER_CRC_H
#define PRESIL_DRIVER_CRC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

uint32_t presil_crc32(const void* bytes, size_t size);

/* By words of little-endian memory: from PRESIL_CRC_BEGIN on; the CRC is the complement. */
#define PRESIL_CRC_BEGIN UINT32_MAX
extern const uint32_t presil_crc_rows[4][256];
static inline uint32_t presil_crc_word(uint32_t crc, uint32_t word) {
  crc ^= word;
  return presil_crc_rows[3][crc & 255] ^ presil_crc_rows[2][crc >> 8 & 255] ^
         presil_crc_rows[1][crc >> 16 & 255] ^ presil_crc_rows[0][crc >> 24];
}

#ifdef __cplusplus
}
#endif

#endif
