/* SHA-256 as 64 lower-case hexadecimal digits. */
#ifndef PRESIL_DRIVER_HASH_H
#define PRESIL_DRIVER_HASH_H

#include <stddef.h>

#define PRESIL_SHA256_DIGITS 64

void presil_sha256(const void* bytes, size_t size, char digits[PRESIL_SHA256_DIGITS + 1]);

#endif
