/* What the driver needs from the world below it. driver/port/<name> provides one: the mock for
 * tests, the model in a simulation, later Linux UIO, bare metal, a remote process. C11. */
#ifndef PRESIL_PORT_H
#define PRESIL_PORT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct presil_memory {
  void* host;       /* CPU view, coherent after `clean` / `invalidate` */
  uint64_t address; /* 40-bit system address, multiple of `align` */
  size_t bytes;
} presil_memory;

/* What the ARM has just computed: a simulator turns it into cycles, silicon ignores it. */
typedef struct presil_task {
  uint32_t kernel; /* enum in driver/kernels/host/kernels.h; 0 ("nop"): waits and signals only */
  const char* kernel_name; /* what its price is listed under: presil_kernel_price */
  uint32_t tag;            /* debug map key of the host command */
  uint64_t elements;       /* results computed, or what the kernel's cost is counted in */
  uint64_t bytes;          /* operands read and results written */
} presil_task;

typedef enum presil_wait_result {
  PRESIL_WAIT_INTERRUPT = 0,
  PRESIL_WAIT_TIMED_OUT = 1,
  PRESIL_WAIT_DEAD = 2 /* nothing in the simulated world can ever happen again */
} presil_wait_result;

/* What a host task is doing, for the record of a simulation. Silicon ignores it. */
typedef enum presil_host_state {
  PRESIL_HOST_IDLE = 0,
  PRESIL_HOST_WAIT = 1, /* a host command waits for a counter: `id` and `tag` tell which */
  PRESIL_HOST_RUN = 2
} presil_host_state;

typedef struct presil_port {
  void* self;
  uint32_t (*read32)(void* self, uint64_t address);
  void (*write32)(void* self, uint64_t address, uint32_t value);
  int (*alloc)(void* self, size_t bytes, size_t align, presil_memory* memory); /* 0: done */
  void (*release)(void* self, presil_memory* memory);
  void (*clean)(void* self, const void* host, size_t bytes);      /* CPU writes become visible */
  void (*invalidate)(void* self, const void* host, size_t bytes); /* engine writes become visible */
  /* Until an enabled interrupt line is up (at once if one is); UINT64_MAX waits without end. */
  presil_wait_result (*wait)(void* self, uint64_t timeout_ns);
  void (*spend)(void* self, const presil_task* task);
  uint64_t (*now_ns)(void* self);
  /* May be NULL. WAIT: counter id (absolute) and tag of the host command; RUN: tag, just before its
   * kernel, `spend` follows; IDLE: the command has signalled, or its job was stopped. */
  void (*observe)(void* self, presil_host_state state, uint32_t counter_id, uint32_t tag);
  /* May be NULL. An instruction of the DSP in words, "lw x11, 1(x11)", into `text`: what can
   * disassemble says it, else reports of traps have the instruction's bits alone. */
  void (*instruction)(void* self, uint32_t word, char* text, size_t bytes);
  /* Both or none: only one thread at a time is in the driver. `wait` is called with the lock held;
   * where it sleeps without holding up other threads it gives the lock up and takes it again. */
  void (*lock)(void* self);
  void (*unlock)(void* self);
  /* May be NULL: the SoC's reset; registers are as after power-on, memory stays. 0: done. */
  int (*reset)(void* self);
  /* May be NULL: clock and power of the engines. 0: done. */
  int (*power)(void* self, int on);
  /* May be NULL. What a program can sleep on until an enabled interrupt line is up; -1: nothing. */
  int (*handle)(void* self);
} presil_port;

#ifdef __cplusplus
}
#endif
#endif
