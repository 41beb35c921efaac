#include "rtl/common/joined_engines.h"

#include <stdio.h>
#include <string.h>

#include "rtl/soc/engine_kinds.h"

#define NAME_BYTES 48 /* of an engine, at most 31 characters, its number and that of its queue */

static const presil_engine_description* engines[PRESIL_ENGINE_MOST_KINDS];

/* Of queue PRESIL_OWN_QUEUES + i. */
static struct {
  const presil_engine_description* engine; /* NULL: no engine has it */
  unsigned instance, channel;
  char name[NAME_BYTES];
} queues[PRESIL_OUTSIDE_QUEUES];

static bool outside(unsigned queue) {
  return queue >= PRESIL_OWN_QUEUES && queue < PRESIL_QUEUES &&
         queues[queue - PRESIL_OWN_QUEUES].engine != NULL;
}

/* Are there queues for it, of one instance? */
static bool has_queues(unsigned first, unsigned count) {
  return count != 0 && count <= PRESIL_OUTSIDE_QUEUES && first >= PRESIL_OWN_QUEUES &&
         first <= PRESIL_QUEUES - count;
}

unsigned presil_joined_instances(const presil_engine_description* engine) {
  unsigned count = 0;
  while (count < engine->instances &&
         has_queues(presil_queue_of_instance(engine, count), engine->queues))
    ++count;
  return count;
}

/* As rtl/gen names queues that are printed: toy, toy1; of several queues toy0, toy1_0. */
static void put_name(char* name, const presil_engine_description* engine, unsigned instance,
                     unsigned channel) {
  if (instance == 0 && engine->queues == 1) {
    snprintf(name, NAME_BYTES, "%s", engine->name);
  } else if (instance == 0) {
    snprintf(name, NAME_BYTES, "%s%u", engine->name, channel);
  } else if (engine->queues == 1) {
    snprintf(name, NAME_BYTES, "%s%u", engine->name, instance);
  } else {
    snprintf(name, NAME_BYTES, "%s%u_%u", engine->name, instance, channel);
  }
}

bool presil_join_engine(const presil_engine_description* engine) {
  const unsigned instances = presil_joined_instances(engine);
  if (engine->kind < PRESIL_ENGINE_KINDS || engine->kind >= PRESIL_ENGINE_MOST_KINDS ||
      engines[engine->kind] != NULL || instances == 0) {
    return false;
  }
  for (unsigned i = 0; i < instances * engine->queues; ++i) {
    if (outside(presil_queue_of_instance(engine, i / engine->queues) + i % engine->queues))
      return false;
  }
  engines[engine->kind] = engine;
  for (unsigned i = 0; i < instances * engine->queues; ++i) {
    const unsigned instance = i / engine->queues, channel = i % engine->queues;
    const unsigned at = presil_queue_of_instance(engine, instance) + channel - PRESIL_OWN_QUEUES;
    queues[at].engine = engine;
    queues[at].instance = instance;
    queues[at].channel = channel;
    put_name(queues[at].name, engine, instance, channel);
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

unsigned presil_joined_instance(unsigned queue) {
  return outside(queue) ? queues[queue - PRESIL_OWN_QUEUES].instance : 0;
}

unsigned presil_joined_channel(unsigned queue) {
  return outside(queue) ? queues[queue - PRESIL_OWN_QUEUES].channel : 0;
}

const char* presil_joined_queue_name(unsigned queue) {
  return outside(queue) ? queues[queue - PRESIL_OWN_QUEUES].name : "queue";
}
