#include "driver/core/hash.h"

#include <nettle/sha2.h>

void presil_sha256(const void* bytes, size_t size, uint8_t digest[PRESIL_SHA256_BYTES]) {
  struct sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, size, bytes);
  sha256_digest(&context, PRESIL_SHA256_BYTES, digest);
}
