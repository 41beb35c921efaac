/* Performance counters by name; one snapshot a call. */
#include <string.h>

#include "driver/core/device.h"

static uint32_t read_counters(presil_device* d, const char* block, presil_counter* counters,
                              uint32_t capacity) {
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (!presil_queue_started(d, q) || strcmp(block, presil_queue_name(q)) != 0) continue;
    const presil_engine_description* engine = presil_engine_of(q);
    const uint64_t base = presil_engine_registers(d, q) + engine->counters_offset +
                          engine->counters_pitch * presil_channel_of_queue(q);
    presil_write(d, base + engine->counters_control, 1); /* snapshot */
    for (uint32_t i = 0; i < engine->counter_count && i < capacity; ++i) {
      const uint64_t at = base + engine->counters[i].offset; /* 64 bit, low word first */
      const uint64_t low = presil_read(d, at);
      counters[i].name = engine->counters[i].name;
      counters[i].cycles = low | (uint64_t)presil_read(d, at + 4) << 32;
    }
    return engine->counter_count;
  }
  return 0;
}

uint32_t presil_counters(presil_device* d, const char* block, presil_counter* counters,
                         uint32_t capacity) {
  if (!presil_is_open(d) || !block || (capacity && !counters)) return 0;
  presil_lock(d);
  const uint32_t count = read_counters(d, block, counters, capacity);
  presil_unlock(d);
  return count;
}
