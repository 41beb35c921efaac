#include "driver/core/text.h"

presil_text presil_text_in(char* buffer, size_t bytes) {
  const presil_text t = {buffer, bytes - 1};
  buffer[0] = 0;
  return t;
}

void presil_text_string(presil_text* t, const char* s) {
  for (; *s && t->left; ++s, --t->left) *t->at++ = *s;
  *t->at = 0;
}

static void number(presil_text* t, uint64_t v, unsigned base) {
  char digits[24];
  char* at = digits + sizeof digits;
  *--at = 0;
  do *--at = "0123456789abcdef"[v % base];
  while (v /= base);
  presil_text_string(t, at);
}

void presil_text_unsigned(presil_text* t, uint64_t v) {
  number(t, v, 10);
}

void presil_text_signed(presil_text* t, int64_t v) {
  if (v < 0) presil_text_string(t, "-");
  number(t, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, 10);
}

void presil_text_hex(presil_text* t, presil_hex v) {
  presil_text_string(t, "0x");
  number(t, v.value, 16);
}
