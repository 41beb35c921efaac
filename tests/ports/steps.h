/* One program for every port: load, run, compare, two jobs in flight, cancel, time out, recover.
 * C11, of libc memcpy and memset: it is compiled as firmware too. */
#ifndef PRESIL_TESTS_PORT_STEPS_H
#define PRESIL_TESTS_PORT_STEPS_H

#include <presil/presil.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct port_world {
  const presil_port* port;
  const char* stamp; /* of the SoC; NULL: not known */
  void* device;      /* storage, presil_device_bytes() */
  void* network;     /* presil_network_bytes() */
  size_t device_bytes, network_bytes;
  const void* loadable;
  size_t loadable_bytes;
  const void *input, *expected; /* of the first input and output */
  uint64_t timeout_ns;          /* of a job that is to end */
} port_world;

enum { PORT_STEPS = 7 };
extern const char* const port_step_names[PORT_STEPS];

/* @param done how many steps were done
 * @return NULL, or what went wrong in the next one */
const char* port_steps(const port_world* world, unsigned* done);

#ifdef __cplusplus
}
#endif
#endif
