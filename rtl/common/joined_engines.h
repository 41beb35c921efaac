/* Engines from folders outside the checkout that this program knows besides those printed in
 * rtl/soc/engine_kinds.h. Each joins once, before a device is opened: a simulation loads it
 * (sim/engine), software for silicon names it in its board file. From then on the functions of
 * engine_kinds.h and engines.h answer for it too. One list for the program, no locks. C11. */
#ifndef PRESIL_RTL_COMMON_JOINED_ENGINES_H
#define PRESIL_RTL_COMMON_JOINED_ENGINES_H

#include <stdbool.h>

#include "rtl/common/engine_description.h"

#ifdef __cplusplus
extern "C" {
#endif

/* @param engine lives as long as the program. Its first instance joins, and each further one whose
 * queues a tile has
 * @return false, and nothing has changed: its kind or one of these queues is another engine's, or
 * the first instance lies outside what a tile has capacity for */
bool presil_join_engine(const presil_engine_description* engine);
/* How many instances of it join: those whose queues a tile has. */
unsigned presil_joined_instances(const presil_engine_description* engine);
/* Forgets all of them: for tests. */
void presil_leave_engines(void);

/* What engine_kinds.h and engines.h ask. */
const presil_engine_description* presil_joined_engine(unsigned kind); /* NULL: none */
unsigned presil_joined_kind(unsigned queue);                          /* PRESIL_ENGINE_NONE: none */
unsigned presil_joined_instance(unsigned queue);
unsigned presil_joined_channel(unsigned queue);
const char* presil_joined_queue_name(unsigned queue); /* "queue": none */

#ifdef __cplusplus
}
#endif
#endif
