#include "driver/core/hash.h"

#include <nettle/sha2.h>

void presil_sha256(const void* bytes, size_t size, char digits[PRESIL_SHA256_DIGITS + 1]) {
  struct sha256_ctx context;
  uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_init(&context);
  sha256_update(&context, size, bytes);
  sha256_digest(&context, sizeof digest, digest);
  for (size_t i = 0; i < sizeof digest; ++i) {
    digits[2 * i] = "0123456789abcdef"[digest[i] >> 4];
    digits[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
  }
  digits[PRESIL_SHA256_DIGITS] = 0;
}
