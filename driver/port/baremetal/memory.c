/* The functions of <string.h> that compilers call and the driver uses. Compiled with -fno-builtin,
 * so that a loop does not become a call of itself. */
#include <stdint.h>
#include <string.h>

#define WORD sizeof(uintptr_t) /* of the core */

void* memcpy(void* to, const void* from, size_t bytes) {
  uint8_t* t = to;
  const uint8_t* f = from;
  if (WORD > 4 && (((uintptr_t)t | (uintptr_t)f) & (WORD - 1)) == 0) {
    for (; bytes >= WORD; bytes -= WORD, t += WORD, f += WORD)
      *(uintptr_t*)(void*)t = *(const uintptr_t*)(const void*)f;
  }
  if ((((uintptr_t)t | (uintptr_t)f) & 3) == 0) {
    for (; bytes >= 4; bytes -= 4, t += 4, f += 4)
      *(uint32_t*)(void*)t = *(const uint32_t*)(const void*)f;
  }
  while (bytes-- > 0) *t++ = *f++;
  return to;
}

void* memmove(void* to, const void* from, size_t bytes) {
  uint8_t* t = to;
  const uint8_t* f = from;
  if ((uintptr_t)t - (uintptr_t)f >= bytes) return memcpy(to, from, bytes);
  while (bytes-- > 0) t[bytes] = f[bytes];
  return to;
}

void* memset(void* to, int value, size_t bytes) {
  uint8_t* t = to;
  if (((uintptr_t)t & 3) == 0) {
    const uint32_t word = 0x01010101u * (uint8_t)value;
    for (; bytes >= 4; bytes -= 4, t += 4) *(uint32_t*)(void*)t = word;
  }
  while (bytes-- > 0) *t++ = (uint8_t)value;
  return to;
}

int memcmp(const void* a, const void* b, size_t bytes) {
  const uint8_t *x = a, *y = b;
  for (; bytes > 0; --bytes, ++x, ++y) {
    if (*x != *y) return *x < *y ? -1 : 1;
  }
  return 0;
}

size_t strlen(const char* text) {
  size_t n = 0;
  while (text[n]) ++n;
  return n;
}

int strncmp(const char* a, const char* b, size_t most) {
  for (; most > 0; --most, ++a, ++b) {
    if (*a != *b) return (uint8_t)*a < (uint8_t)*b ? -1 : 1;
    if (!*a) break;
  }
  return 0;
}

int strcmp(const char* a, const char* b) {
  return strncmp(a, b, SIZE_MAX);
}
