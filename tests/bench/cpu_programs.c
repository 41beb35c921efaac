// Programs that the speed of the Arm core's instruction-set simulator is measured with;
// cpu_programs.py compiles each of them by itself and prints its bytes. The first four do what
// CoreMark does: lists, matrices, a state machine, checksums.
#include <stddef.h>
#include <stdint.h>

// Without a call of memset.
#define CLEAR(array, n) \
  for (volatile int clear = 0; clear < (n); ++clear) (array)[clear] = 0

#if defined(LIST)
struct Item {
  struct Item* next;
  int32_t key, value;
};
static inline __attribute__((always_inline)) struct Item* merge(struct Item* a, struct Item* b) {
  struct Item head, *last = &head;
  while (a != NULL && b != NULL) {
    struct Item** least = a->key <= b->key ? &a : &b;
    last->next = *least;
    last = *least;
    *least = last->next;
  }
  last->next = a != NULL ? a : b;
  return head.next;
}
// Merge sort of 256 items, then as many look-ups.
uint32_t program(struct Item* items, size_t n) {
  struct Item* sorted[12];
  CLEAR(sorted, 12);
  n /= 16;
  for (size_t i = 0; i < n; ++i) {
    items[i].next = NULL;
    items[i].key = (int32_t)(i * 2654435761u >> 16);
    struct Item* run = &items[i];
    unsigned level = 0;
    for (; sorted[level] != NULL; ++level) {
      run = merge(sorted[level], run);
      sorted[level] = NULL;
    }
    sorted[level] = run;
  }
  struct Item* all = NULL;
  for (unsigned level = 0; level < 12; ++level) all = merge(sorted[level], all);
  uint32_t found = 0;
  for (size_t i = 0; i < n / 4; ++i)
    for (struct Item* p = all; p != NULL; p = p->next)
      if (p->key == (int32_t)(i << 8)) ++found;
  return found + (uint32_t)all->key;
}
#elif defined(MATRIX)
// 24 x 24 of 16 bits.
uint32_t program(const int16_t* a, size_t n, int32_t* out) {
  const int16_t* b = a + 24 * 24;
  int32_t sum = (int32_t)n;
  for (int i = 0; i < 24; ++i) {
    for (int j = 0; j < 24; ++j) {
      int32_t s = 0;
      for (int k = 0; k < 24; ++k) s += a[24 * i + k] * b[24 * k + j];
      out[24 * i + j] = s;
      sum += s >> 4;
    }
  }
  return (uint32_t)sum;
}
#elif defined(STATE)
// Numbers in a text: sign, digits, point, exponent.
uint32_t program(const uint8_t* text, size_t n) {
  uint32_t counts[5];
  CLEAR(counts, 5);
  enum { START, INTEGER, FRACTION, EXPONENT, OTHER } state = START;
  for (size_t i = 0; i < n; ++i) {
    const uint8_t c = text[i];
    switch (state) {
      case START:
        state = c >= '0' && c <= '9'   ? INTEGER
                : c == '.'             ? FRACTION
                : c == '+' || c == '-' ? START
                                       : OTHER;
        break;
      case INTEGER:
        if (c == '.')
          state = FRACTION;
        else if (c == 'e' || c == 'E')
          state = EXPONENT;
        else if (c < '0' || c > '9')
          state = OTHER;
        break;
      case FRACTION:
        if (c == 'e')
          state = EXPONENT;
        else if (c < '0' || c > '9')
          state = START;
        break;
      case EXPONENT:
        if (c < '0' || c > '9') state = START;
        break;
      default:
        if ((c & 7) == 0) state = START;
    }
    ++counts[state];
  }
  return counts[0] ^ counts[1] << 4 ^ counts[2] << 8 ^ counts[3] << 12 ^ counts[4] << 16;
}
#elif defined(CRC)
uint32_t program(const uint8_t* a, size_t n) {
  uint16_t crc = 0;
  for (size_t i = 0; i < n; ++i) {
    crc ^= a[i];
    for (int bit = 0; bit < 8; ++bit) crc = (uint16_t)(crc >> 1 ^ (crc & 1 ? 0xa001 : 0));
  }
  return crc;
}
#elif defined(DRIVER)
// As a driver's submit: commands are checked by a table, copied to a ring, a doorbell is written.
struct Command {
  uint8_t opcode, flags;
  uint16_t words;
  uint32_t address, bytes, arguments[5];
};
struct Queue {
  uint32_t head, tail, doorbell, errors;
  uint32_t ring[1024];
};
static inline __attribute__((always_inline)) int check(const struct Command* c, uint32_t low,
                                                       uint32_t high) {
  if (c->opcode >= 12) return 1;
  if ((c->address & 15) != 0 || c->bytes == 0) return 2;
  if (c->address < low || c->bytes > high - c->address) return 3;
  for (unsigned i = 0; i < (c->words & 3u); ++i)
    if (c->arguments[i] == 0xffffffff) return 4;
  return 0;
}
uint32_t program(const struct Command* commands, size_t n, struct Queue* queue) {
  volatile uint32_t* doorbell = &queue->doorbell;
  queue->head = queue->tail = queue->errors = 0;
  n /= 32;
  for (size_t i = 0; i < n; ++i) {
    const struct Command* c = &commands[i & 127];
    if (check(c, 0x1000, 0xf0000000) != 0) ++queue->errors;
    const uint32_t* from = (const uint32_t*)c;
    for (unsigned w = 0; w < 8; ++w) queue->ring[(queue->tail + w) & 1023] = from[w];
    queue->tail = (queue->tail + 8) & 1023;
    *doorbell = queue->tail;
  }
  return queue->errors + queue->tail;
}
#elif defined(FLOAT)
// A filter of 16 taps, and a division for each sample.
uint32_t program(const int16_t* a, size_t n, float* out) {
  float taps[16];
  for (volatile int k = 0; k < 16; ++k) taps[k] = 0.1f * (float)(k < 8 ? k + 1 : 16 - k);
  n = n > 512 ? 512 : n;
  for (size_t i = 0; i + 16 < n; ++i) {
    float s = 0;
    for (int k = 0; k < 16; ++k) s += taps[k] * (float)a[i + (size_t)k];
    out[i] = s / (1.0f + (s < 0 ? -s : s));
  }
  return (uint32_t)(out[7] * 1000.0f);
}
#endif
