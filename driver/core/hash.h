/* SHA-256. */
#ifndef PRESIL_DRIVER_HASH_H
#define PRESIL_DRIVER_HASH_H

#include <stddef.h>
#include <stdint.h>

#define PRESIL_SHA256_BYTES 32

void presil_sha256(const void* bytes, size_t size, uint8_t digest[PRESIL_SHA256_BYTES]);

#endif
