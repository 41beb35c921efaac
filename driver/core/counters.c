/* Performance counters by name; one snapshot a call. And what a job's engines have counted. */
#include <string.h>

#include "driver/core/device.h"

static uint64_t registers_of(presil_device* d, unsigned queue) {
  const presil_engine_description* engine = presil_engine_of(queue);
  return presil_engine_registers(d, queue) + engine->counters_offset +
         engine->counters_pitch * presil_channel_of_queue(queue);
}

static void snapshot(presil_device* d, unsigned queue) {
  presil_write(d, registers_of(d, queue) + presil_engine_of(queue)->counters_control, 1);
}

/* Of the last snapshot. */
static uint64_t value_of(presil_device* d, unsigned queue, uint32_t counter) {
  const uint64_t at = registers_of(d, queue) + presil_engine_of(queue)->counters[counter].offset;
  const uint64_t low = presil_read(d, at); /* 64 bit, low word first */
  return low | (uint64_t)presil_read(d, at + 4) << 32;
}

static uint32_t read_counters(presil_device* d, const char* block, presil_counter* counters,
                              uint32_t capacity) {
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (!presil_queue_started(d, q) || strcmp(block, presil_queue_name(q)) != 0) continue;
    const presil_engine_description* engine = presil_engine_of(q);
    snapshot(d, q);
    for (uint32_t i = 0; i < engine->counter_count && i < capacity; ++i) {
      counters[i].name = engine->counters[i].name;
      counters[i].cycles = value_of(d, q, i);
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

/* Does a row of the network's jobs have this queue's counters? */
static bool counts(const presil_network* n, unsigned queue) {
  return n->streams[queue].commands && presil_queue_started(n->device, queue);
}

uint32_t presil_network_counters(const presil_network* n, presil_counter_name* names,
                                 uint32_t capacity) {
  uint32_t count = 0;
  if (!n || !n->device || (capacity && !names)) return 0;
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (!counts(n, q)) continue;
    const presil_engine_description* engine = presil_engine_of(q);
    for (uint32_t i = 0; i < engine->counter_count; ++i, ++count) {
      if (count >= capacity) continue;
      names[count].block = presil_queue_name(q);
      names[count].name = engine->counters[i].name;
    }
  }
  return count;
}

/* The row of the segment that the engines are about to have, or have ended. All snapshots are taken
 * before any is read. */
static uint64_t* row_of(const presil_job_record* r) {
  const presil_network* n = r->network;
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (counts(n, q)) snapshot(n->device, q);
  }
  return r->counters + (size_t)r->job.segment * presil_network_counters(n, NULL, 0);
}

void presil_counting_begins(const presil_job_record* r) {
  const presil_network* n = r->network;
  if (!r->counters) return;
  uint64_t* to = row_of(r);
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    for (uint32_t i = 0; counts(n, q) && i < presil_engine_of(q)->counter_count; ++i)
      *to++ = value_of(n->device, q, i);
  }
}

void presil_counting_ends(const presil_job_record* r) {
  const presil_network* n = r->network;
  if (!r->counters) return;
  uint64_t* to = row_of(r);
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    for (uint32_t i = 0; counts(n, q) && i < presil_engine_of(q)->counter_count; ++i, ++to)
      *to = value_of(n->device, q, i) - *to;
  }
}
