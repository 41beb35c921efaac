/* The driver's port to a SoC in another process: registers through shared memory and doorbells,
 * buffers in memory that both see. Every port can be served: a simulation's, a mock's.
 * Link presil::remote. */
#ifndef PRESIL_REMOTE_H
#define PRESIL_REMOTE_H

#include <presil/port.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

typedef struct presil_remote presil_remote;

/* The SoC that is served by this name; waits up to `timeout_ms` for it.
 * @return NULL: presil_remote_error says why */
presil_remote* presil_remote_open(const char* name, uint32_t timeout_ms);
const char* presil_remote_error(void);
/* For presil_open; valid until presil_remote_close. */
const presil_port* presil_remote_port(presil_remote* remote);
void presil_remote_close(presil_remote* remote);

/* Serves `port` to one client, from now until that closes or has died. Buffers are copies: `clean`
 * brings the client's bytes to the SoC, `invalidate` the SoC's to the client, as caches do.
 * @param bytes of all buffers together
 * @param timeout_ms for a client to come; 0: without end
 * @return NULL, or what went wrong */
const char* presil_remote_serve(const char* name, const presil_port* port, size_t bytes,
                                uint32_t timeout_ms);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
