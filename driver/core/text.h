/* Sentences in a fixed buffer: TEXT(&t, "counter ", id, " is ", value). Too long a text is cut. */
#ifndef PRESIL_DRIVER_TEXT_H
#define PRESIL_DRIVER_TEXT_H

#include <stddef.h>
#include <stdint.h>

typedef struct presil_text {
  char* at;    /* where the next character goes; always a terminating 0 there */
  size_t left; /* characters that still fit, the 0 not counted */
} presil_text;

typedef struct presil_hex {
  uint64_t value;
} presil_hex;

static inline presil_hex presil_in_hex(uint64_t value) {
  const presil_hex hex = {value};
  return hex;
}

presil_text presil_text_in(char* buffer, size_t bytes);
void presil_text_string(presil_text* t, const char* s);
void presil_text_signed(presil_text* t, int64_t v);
void presil_text_unsigned(presil_text* t, uint64_t v);
void presil_text_hex(presil_text* t, presil_hex v);

#define PRESIL_TEXT_1(t, x) \
  _Generic((x), char *: presil_text_string, const char *: presil_text_string,                 \
           presil_hex: presil_text_hex, unsigned long: presil_text_unsigned,                  \
           unsigned long long: presil_text_unsigned, default: presil_text_signed)(t, x)
#define PRESIL_TEXT_2(t, x, ...) PRESIL_TEXT_1(t, x), PRESIL_TEXT_1(t, __VA_ARGS__)
#define PRESIL_TEXT_3(t, x, ...) PRESIL_TEXT_1(t, x), PRESIL_TEXT_2(t, __VA_ARGS__)
#define PRESIL_TEXT_4(t, x, ...) PRESIL_TEXT_1(t, x), PRESIL_TEXT_3(t, __VA_ARGS__)
#define PRESIL_TEXT_5(t, x, ...) PRESIL_TEXT_1(t, x), PRESIL_TEXT_4(t, __VA_ARGS__)
#define PRESIL_TEXT_6(t, x, ...) PRESIL_TEXT_1(t, x), PRESIL_TEXT_5(t, __VA_ARGS__)
#define PRESIL_TEXT_7(t, x, ...) PRESIL_TEXT_1(t, x), PRESIL_TEXT_6(t, __VA_ARGS__)
#define PRESIL_TEXT_8(t, x, ...) PRESIL_TEXT_1(t, x), PRESIL_TEXT_7(t, __VA_ARGS__)
#define PRESIL_TEXT_9(t, x, ...) PRESIL_TEXT_1(t, x), PRESIL_TEXT_8(t, __VA_ARGS__)
#define PRESIL_TEXT_OF(_1, _2, _3, _4, _5, _6, _7, _8, _9, n, ...) PRESIL_TEXT_##n
#define TEXT(t, ...) \
  ((void)(PRESIL_TEXT_OF(__VA_ARGS__, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)(t, __VA_ARGS__)))

#endif
