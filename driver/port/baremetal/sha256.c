/* presil_sha256 without a library: FIPS 180-4. */
#include <string.h>

#include "driver/core/hash.h"

#define BLOCK_BYTES 64u

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotated(uint32_t x, unsigned by) {
  return x >> by | x << (32 - by);
}

/* A round; the caller names the variables one further each time, so that none is moved. */
#define ROUND(a, b, c, d, e, f, g, h, i)                                             \
  do {                                                                               \
    const uint32_t first = (h) + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + \
                           (((e) & (f)) ^ (~(e) & (g))) + constants[i] + w[i];       \
    (d) += first;                                                                    \
    (h) = first + (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) +                \
          (((a) & (b)) ^ ((a) & (c)) ^ ((b) & (c)));                                 \
  } while (0)

static void add_block(uint32_t state[8], const uint8_t* block) {
  uint32_t w[64];
  memcpy(w, block, BLOCK_BYTES); /* by words, where it is aligned: an access of DRAM is long */
  for (unsigned i = 0; i < 16; ++i) w[i] = __builtin_bswap32(w[i]);
  for (unsigned i = 16; i < 64; ++i) {
    const uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) +
           (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
  }
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
  for (unsigned i = 0; i < 64; i += 8) {
    ROUND(a, b, c, d, e, f, g, h, i);
    ROUND(h, a, b, c, d, e, f, g, i + 1);
    ROUND(g, h, a, b, c, d, e, f, i + 2);
    ROUND(f, g, h, a, b, c, d, e, i + 3);
    ROUND(e, f, g, h, a, b, c, d, i + 4);
    ROUND(d, e, f, g, h, a, b, c, i + 5);
    ROUND(c, d, e, f, g, h, a, b, i + 6);
    ROUND(b, c, d, e, f, g, h, a, i + 7);
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
  state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

void presil_sha256(const void* bytes, size_t size, uint8_t digest[PRESIL_SHA256_BYTES]) {
  uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const uint8_t* at = bytes;
  size_t left = size;
  for (; left >= BLOCK_BYTES; left -= BLOCK_BYTES, at += BLOCK_BYTES) add_block(state, at);

  uint8_t last[2 * BLOCK_BYTES] = {0};
  memcpy(last, at, left);
  last[left] = 0x80;
  const size_t padded = left < BLOCK_BYTES - 8 ? BLOCK_BYTES : 2 * BLOCK_BYTES;
  const uint64_t bits = (uint64_t)size * 8;
  for (unsigned i = 0; i < 8; ++i) last[padded - 1 - i] = (uint8_t)(bits >> 8 * i);
  for (size_t i = 0; i < padded; i += BLOCK_BYTES) add_block(state, last + i);
  for (unsigned i = 0; i < PRESIL_SHA256_BYTES; ++i)
    digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}
