#include "driver/core/engine.h"

#include <string.h>

#define DECLARED(name, NAME) extern const presil_engine_driver presil_##name##_driver;
PRESIL_FOR_EACH_ENGINE(DECLARED)

const presil_engine_description* presil_engine_of(unsigned queue) {
  return presil_engine_description_of(presil_kind_of_queue(queue));
}

static const presil_engine_driver* joined[PRESIL_ENGINE_MOST_KINDS];

const presil_engine_driver* presil_engine_driver_of(unsigned queue) {
#define ENTRY(name, NAME) &presil_##name##_driver,
  static const presil_engine_driver* const drivers[] = {PRESIL_FOR_EACH_ENGINE(ENTRY)};
  const unsigned kind = presil_kind_of_queue(queue);
  if (kind < PRESIL_ENGINE_KINDS) return drivers[kind];
  return kind < PRESIL_ENGINE_MOST_KINDS ? joined[kind] : NULL;
}

bool presil_join_engine_driver(unsigned kind, const presil_engine_driver* driver) {
  if (presil_joined_engine(kind) == NULL || driver == NULL || driver->check == NULL) return false;
  if (joined[kind] != NULL && joined[kind] != driver) return false;
  joined[kind] = driver;
  return true;
}

void presil_leave_engine_drivers(void) {
  memset(joined, 0, sizeof joined);
  presil_leave_engines();
}

bool presil_found(presil_finding* finding, unsigned rule, const char* what, int64_t got,
                  int64_t low, int64_t high, const char* why) {
  finding->code = PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN;
  finding->rule = rule;
  finding->what = what;
  finding->why = why;
  finding->got = got;
  finding->low = low;
  finding->high = high;
  return false;
}

bool presil_within(presil_finding* finding, unsigned rule, const char* what, int64_t got,
                   int64_t low, int64_t high, const char* why) {
  return (got >= low && got <= high) || presil_found(finding, rule, what, got, low, high, why);
}
