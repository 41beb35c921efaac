/* What the rest of presil knows of an engine: one constant value for each, printed into its folder
 * by rtl/gen (<engine>_description.h) from engine.yaml and its contract; all of them in
 * rtl/soc/engines.h. C11. */
#ifndef PRESIL_RTL_COMMON_ENGINE_DESCRIPTION_H
#define PRESIL_RTL_COMMON_ENGINE_DESCRIPTION_H

#include <stdint.h>

#include "rtl/common/field.h"

#define PRESIL_ENGINE_MAX_WAITS 4

/* A counter of 64 bits, low word first. */
typedef struct presil_counter_description {
  const char* name;
  uint32_t offset; /* in a queue's block of counters */
  const char*
      cause; /* whose cycles it counts, by its name in run.json; NULL: no cycles of a cause */
} presil_counter_description;

/* A bit that reads 1 where the engine has an optional feature. */
typedef struct presil_capability_bit {
  const char* name;
  uint32_t mask; /* in the capability register */
  const char* meaning;
} presil_capability_bit;

/* How an engine outside can be built: a whole number from min to max. */
typedef struct presil_parameter_description {
  const char *name, *unit;
  uint64_t value, min, max; /* value: where a SoC says nothing */
  const char* meaning;
} presil_parameter_description;

typedef struct presil_engine_description {
  const char* name; /* of its queues too, followed by a number where it has several */
  const char* meaning;
  uint32_t interface; /* version of engine.yaml */
  uint32_t kind;      /* enum presil_engine_kind; code of engine_e in sync */

  uint32_t first_queue, queues;       /* enum presil_queue: of each instance, at most */
  uint32_t instances, next_queue;     /* in a tile, at most; the first queue of instance 1 */
  uint32_t queue_offset, queue_pitch; /* of queue i's registers, in the engine's; pitch 0: the
                                         driver walks its queue */
  uint32_t counters_offset, counters_pitch;
  uint32_t counters_control; /* in a block of counters; bit 0 takes a snapshot */
  const presil_counter_description* counters;
  uint32_t counter_count;
  uint32_t capability_offset; /* of the register of the bits */
  const presil_capability_bit* capability;
  uint32_t capability_count;

  const struct presil_command_format* (*format)(void);
  uint32_t waits; /* counters that a command can wait for */
  uint16_t wait[PRESIL_ENGINE_MAX_WAITS], value[PRESIL_ENGINE_MAX_WAITS]; /* field numbers */
  uint16_t signal, signal_add, tag;

  /* In the order of engine.yaml. Of an engine outside; presil's own have theirs in the SoC. */
  const presil_parameter_description* parameters;
  uint32_t parameter_count;
} presil_engine_description;

/* The first queue of an instance, as the description numbers them. */
static inline uint32_t presil_queue_of_instance(const presil_engine_description* engine,
                                                uint32_t instance) {
  return instance == 0 ? engine->first_queue : engine->next_queue + (instance - 1) * engine->queues;
}

#endif
