#include "rtl/common/joined_engines.h"

#include <stdio.h>
#include <string.h>

#include "rtl/soc/engine_kinds.h"

#define NAME_BYTES 40 /* of an engine, at most 31 characters, and the number of its queue */

static const presil_engine_description* engines[PRESIL_ENGINE_MOST_KINDS];

/* Of queue PRESIL_OWN_QUEUES + i. */
static struct {
  const presil_engine_description* engine; /* NULL: no engine has it */
  char name[NAME_BYTES];
} queues[PRESIL_OUTSIDE_QUEUES];

static bool outside(unsigned queue) {
  return queue >= PRESIL_OWN_QUEUES && queue < PRESIL_QUEUES &&
         queues[queue - PRESIL_OWN_QUEUES].engine != NULL;
}

bool presil_join_engine(const presil_engine_description* engine) {
  const unsigned first = engine->first_queue, count = engine->queues;
  if (engine->kind < PRESIL_ENGINE_KINDS || engine->kind >= PRESIL_ENGINE_MOST_KINDS ||
      engines[engine->kind] != NULL) {
    return false;
  }
  if (count == 0 || count > PRESIL_OUTSIDE_QUEUES || first < PRESIL_OWN_QUEUES ||
      first > PRESIL_QUEUES - count) {
    return false;
  }
  for (unsigned i = 0; i < count; ++i) {
    if (outside(first + i)) return false;
  }
  engines[engine->kind] = engine;
  for (unsigned i = 0; i < count; ++i) {
    char* const name = queues[first + i - PRESIL_OWN_QUEUES].name;
    if (count == 1) {
      snprintf(name, NAME_BYTES, "%s", engine->name);
    } else {
      snprintf(name, NAME_BYTES, "%s%u", engine->name, i);
    }
    queues[first + i - PRESIL_OWN_QUEUES].engine = engine;
  }
  return true;
}

void presil_leave_engines(void) {
  memset(engines, 0, sizeof engines);
  memset(queues, 0, sizeof queues);
}

const presil_engine_description* presil_joined_engine(unsigned kind) {
  return kind < PRESIL_ENGINE_MOST_KINDS ? engines[kind] : NULL;
}

unsigned presil_joined_kind(unsigned queue) {
  if (!outside(queue)) return PRESIL_ENGINE_NONE;
  return queues[queue - PRESIL_OWN_QUEUES].engine->kind;
}

unsigned presil_joined_channel(unsigned queue) {
  return outside(queue) ? queue - queues[queue - PRESIL_OWN_QUEUES].engine->first_queue : 0;
}

const char* presil_joined_queue_name(unsigned queue) {
  return outside(queue) ? queues[queue - PRESIL_OWN_QUEUES].name : "queue";
}
