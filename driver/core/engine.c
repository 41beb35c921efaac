#include "driver/core/engine.h"

#define DECLARED(name, NAME) extern const presil_engine_driver presil_##name##_driver;
PRESIL_FOR_EACH_ENGINE(DECLARED)

const presil_engine_description* presil_engine_of(unsigned queue) {
  return queue < PRESIL_QUEUES ? presil_engine_description_of(presil_kind_of_queue(queue)) : NULL;
}

const presil_engine_driver* presil_engine_driver_of(unsigned queue) {
#define ENTRY(name, NAME) &presil_##name##_driver,
  static const presil_engine_driver* const drivers[] = {PRESIL_FOR_EACH_ENGINE(ENTRY)};
  return queue < PRESIL_QUEUES ? drivers[presil_kind_of_queue(queue)] : NULL;
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
