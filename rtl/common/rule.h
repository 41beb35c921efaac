/* A rule that a command keeps beyond its fields, as the engine's engine.yaml lists it. rtl/gen
 * prints <engine>_rules.h: a name for each number, and all of them by number. C11. */
#ifndef PRESIL_RTL_COMMON_RULE_H
#define PRESIL_RTL_COMMON_RULE_H

#include "rtl/common/queue.h"

typedef struct presil_rule {
  unsigned number; /* R1 is 1 */
  const char* name;
  const char* operations;            /* that it applies to */
  const char* must_hold;             /* as the engine's README has it */
  const char* required;              /* the same without `operations`: for a refusal */
  enum presil_queue_error_code code; /* that the queue reports */
} presil_rule;

#endif
