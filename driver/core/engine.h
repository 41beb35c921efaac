/* What the driver knows of an engine: its description (rtl/soc/engines.h, printed) and what its own
 * file says of its commands. A new engine is one file that defines presil_<name>_driver. */
#ifndef PRESIL_DRIVER_ENGINE_H
#define PRESIL_DRIVER_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/core/text.h"
#include "presil/presil.h"
#include "rtl/common/field.h"
#include "rtl/soc/address_map.h"
#include "rtl/soc/engines.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a command may touch. */
typedef struct presil_limits {
  uint32_t sram_bytes;
  uint32_t acc_depth, macs_k, macs_c;
  uint32_t sync_count;                   /* counter ids 1 .. sync_count */
  uint32_t region_pages[PRESIL_REGIONS]; /* of 4 KiB */
  const uint8_t* image;                  /* region 0 */
  size_t image_bytes;
  uint32_t itcm_bytes;  /* of the DSP; 0: there is none */
  uint32_t dsp_on_trap; /* its capability */
  /* Of the engine whose command is checked, if it is one from outside: as its engine.yaml lists
   * them (presil_device_set_parameters). */
  const uint64_t* parameters;
} presil_limits;

/* Why a command is refused. */
typedef struct presil_finding {
  enum presil_queue_error_code code;
  unsigned rule;    /* of the block's README, 0: none */
  const char* what; /* field, or what was computed from fields */
  const char* why;  /* the rule in words, NULL: the range says it all */
  int64_t got, low, high;
} presil_finding;

/* Fills the finding; false. */
bool presil_found(presil_finding* finding, unsigned rule, const char* what, int64_t got,
                  int64_t low, int64_t high, const char* why);

/* True if low <= got <= high; else fills the finding. Checks are chains of these. */
bool presil_within(presil_finding* finding, unsigned rule, const char* what, int64_t got,
                   int64_t low, int64_t high, const char* why);

typedef struct presil_where presil_where;
struct presil_walk;

/* An engine's own share of the driver. All but check may be NULL. */
typedef struct presil_engine_driver {
  /* What its registers say of the device; called only where the SoC has the engine. */
  void (*read_capability)(presil_device* device, uint64_t registers, presil_capability* capability);
  /* Rules between fields and addresses; the fields themselves have passed presil_command_check. */
  bool (*check)(const uint32_t* words, const presil_limits* limits, presil_finding* finding);
  /* Rules between the commands of its stream; false: the error is set. */
  bool (*check_stream)(struct presil_walk* walk, unsigned queue);
  /* What its registers say of the limits, before a network that uses it is checked. */
  void (*read_limits)(presil_device* device, presil_limits* limits);
  /* Sets the error where the engine knows more than its queue's registers; false: it does not. */
  bool (*report_error)(presil_network* network, unsigned queue, presil_where at, uint32_t code);
  /* After "runs": where in its command it is. */
  void (*report_place)(presil_text* t, const presil_network* network, unsigned queue,
                       uint32_t command);
  /* Its queue is set up when the first network that uses it is loaded, not with the device: a SoC
   * whose networks do not use it is as one without. */
  bool starts_with_network;
  /* Does the command leave something in the engine that those after it need, up to the next such
   * one? NULL: none does, commands carry all. */
  bool (*leaves)(const uint32_t* words);
} presil_engine_driver;

/* NULL: no engine has the queue. */
const presil_engine_description* presil_engine_of(unsigned queue);
const presil_engine_driver* presil_engine_driver_of(unsigned queue);

/* The driver of an engine from outside that has joined (rtl/common/joined_engines.h); without it
 * devices are as without the engine. Before a device is opened: a simulation when it loads the
 * engine, software for silicon in its board file.
 * @return false: no engine of this kind has joined, it has a driver already, or there is no check
 */
bool presil_join_engine_driver(unsigned kind, const presil_engine_driver* driver);
/* Forgets drivers and engines: for tests. */
void presil_leave_engine_drivers(void);

static inline int64_t presil_engine_get(const presil_engine_description* engine,
                                        const uint32_t* words, unsigned field) {
  return presil_field_get(words, &engine->format()->fields[field]);
}

#ifdef __cplusplus
}
#endif
#endif
