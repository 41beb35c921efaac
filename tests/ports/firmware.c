/* The steps as firmware: request RUN runs them all; `inputs` of the exchange is how many were done.
 */
#include <presil/presil.h>
#include <stdalign.h>
#include <string.h>

#include "driver/port/baremetal/baremetal_port.h"
#include "rtl/soc/address_map.h"
#include "sim/host_cpu/exchange.h"
#include "tests/ports/steps.h"

#define CONTROL(offset) (*(volatile uint32_t*)(PRESIL_CPU_CONTROL + (offset)))

static presil_cpu_exchange exchange;
static presil_baremetal soc;
static presil_port port;
static alignas(16) uint8_t device[8 << 10], network[16 << 10];

static presil_status run(void) {
  CONTROL(PRESIL_CPU_REMAP) = (uint32_t)(PRESIL_DRAM_BASE >> 12);
  soc.registers = (presil_window){PRESIL_CPU_TILE, PRESIL_TILE_BASE(0), 1u << PRESIL_TILE_SHIFT};
  soc.memory = (presil_window){PRESIL_CPU_WINDOW, PRESIL_DRAM_BASE, exchange.window_bytes};
  soc.interrupt = PRESIL_CPU_INTERRUPT;
  soc.cycles_per_us = exchange.cycles_per_us;
  port = presil_baremetal_port(&soc);
  const port_world world = {&port,
                            exchange.stamp,
                            device,
                            network,
                            sizeof device,
                            sizeof network,
                            (const void*)(uintptr_t)exchange.loadable,
                            exchange.loadable_bytes,
                            (const void*)(uintptr_t)exchange.input[0].address,
                            (const void*)(uintptr_t)exchange.output[0].address,
                            exchange.timeout_ns};
  unsigned done = 0;
  const char* const wrong = port_steps(&world, &done);
  exchange.inputs = done;
  if (!wrong) return PRESIL_OK;
  size_t bytes = strlen(wrong);
  if (bytes > sizeof exchange.error - 1) bytes = sizeof exchange.error - 1;
  memcpy(exchange.error, wrong, bytes);
  exchange.error[bytes] = 0;
  return PRESIL_HARDWARE;
}

int main(void) {
  CONTROL(PRESIL_CPU_EXCHANGE) = (uint32_t)(uintptr_t)&exchange;
  for (;;) {
    const uint32_t request = CONTROL(PRESIL_CPU_REQUEST);
    CONTROL(PRESIL_CPU_DONE) = (uint32_t)(request == PRESIL_CPU_RUN ? run() : PRESIL_REFUSED);
  }
}
