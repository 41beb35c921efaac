/* A program for silicon that has no engine from outside: instead of rtl/common/joined_engines,
 * which prints names with a C library. */
#include <stddef.h>

#include "rtl/common/joined_engines.h"
#include "rtl/soc/engine_kinds.h"

bool presil_join_engine(const presil_engine_description* engine) {
  (void)engine;
  return false;
}
void presil_leave_engines(void) {}
const presil_engine_description* presil_joined_engine(unsigned kind) {
  (void)kind;
  return NULL;
}
unsigned presil_joined_kind(unsigned queue) {
  (void)queue;
  return PRESIL_ENGINE_NONE;
}
unsigned presil_joined_instance(unsigned queue) {
  (void)queue;
  return 0;
}
unsigned presil_joined_channel(unsigned queue) {
  (void)queue;
  return 0;
}
const char* presil_joined_queue_name(unsigned queue) {
  (void)queue;
  return "queue";
}
