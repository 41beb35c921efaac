/* The checksum of a .presil file: nothing in it is believed before all of it is known to be what
 * was written. The identifier alone is looked at first, to tell another kind of file from a damaged
 * one. */
#include <string.h>

#include "driver/core/crc.h"
#include "driver/core/device.h"

#define IDENTIFIER_AT 4u /* of FlatBuffers, after the offset of the root */
#define SMALLEST (IDENTIFIER_AT + 4u + PRESIL_CHECKSUM_BYTES)

const char* presil_checksum_check(const void* bytes, size_t size) {
  const uint8_t* const file = bytes;
  uint8_t crc[PRESIL_CHECKSUM_BYTES];
  if (!bytes || size == 0) return "it is empty";
  if (size >= IDENTIFIER_AT + 4 && memcmp(file + IDENTIFIER_AT, "PRSL", 4) != 0)
    return "it does not begin as a .presil file does";
  if (size < SMALLEST) return "it is cut short: it ends before its checksum";
  memcpy(crc, file + size - sizeof crc, sizeof crc);
  const uint32_t written =
      crc[0] | (uint32_t)crc[1] << 8 | (uint32_t)crc[2] << 16 | (uint32_t)crc[3] << 24;
  if (presil_crc32(file, size - sizeof crc) == written) return NULL;
  return "it is cut short or damaged: its last 4 bytes are not the CRC-32 of all before them; copy "
         "the file again or compile the network again";
}
