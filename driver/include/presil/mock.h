/* A SoC for tests of programs, without hardware and without a simulation: registers, memory,
 * counters, interrupts, and engines that wait and signal as their streams say but compute nothing.
 * What the host computes is computed. Link presil::mock. */
#ifndef PRESIL_MOCK_H
#define PRESIL_MOCK_H

#include <presil/port.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct presil_mock presil_mock;

/* A SoC of its own, which takes loadables of every SoC; NULL: no memory. */
presil_mock* presil_mock_open(void);
/* Its port, for presil_open; valid until presil_mock_close. */
const presil_port* presil_mock_port(presil_mock* mock);
void presil_mock_close(presil_mock* mock);

#ifdef __cplusplus
}
#endif
#endif
