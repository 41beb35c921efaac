/* The driver as firmware: opens the tile, loads networks, runs jobs, as it is asked to. */
#include <presil/presil.h>
#include <stdalign.h>
#include <string.h>

#include "driver/kernels/host/kernels.h"
#include "driver/port/baremetal/baremetal_port.h"
#include "rtl/soc/address_map.h"
#include "sim/host_cpu/exchange.h"

#define CONTROL(offset) (*(volatile uint32_t*)(PRESIL_CPU_CONTROL + (offset)))

static presil_cpu_exchange exchange;
static presil_baremetal soc;
static presil_port port;
static alignas(16) uint8_t device_storage[8 << 10], network_storage[16 << 10];
static presil_device* device;
static presil_network* network;
static uint32_t job;
static uint32_t used_by_device; /* bytes of the window */

static void observe(void* self, presil_host_state state, uint32_t counter_id, uint32_t tag) {
  (void)self;
  CONTROL(PRESIL_CPU_TAG) = tag;
  CONTROL(PRESIL_CPU_STATE) = (uint32_t)state | counter_id << 8;
}

static void tell_error(void) {
  const char* text = device ? presil_error(device)->text : "driver: the device does not open";
  size_t bytes = strlen(text);
  if (bytes > sizeof exchange.error - 1) bytes = sizeof exchange.error - 1;
  memcpy(exchange.error, text, bytes);
  exchange.error[bytes] = 0;
}

static presil_status open_soc(void) {
  for (uint32_t k = 0; k < 32 * PRESIL_CPU_KERNEL_WORDS; ++k) {
    if (presil_kernel_name(k)) exchange.kernels[k / 32] |= 1u << k % 32;
  }
  CONTROL(PRESIL_CPU_REMAP) = (uint32_t)(PRESIL_DRAM_BASE >> 12);
  soc.registers = (presil_window){PRESIL_CPU_TILE, PRESIL_TILE_BASE(0), 1u << PRESIL_TILE_SHIFT};
  soc.memory = (presil_window){PRESIL_CPU_WINDOW, PRESIL_DRAM_BASE, exchange.window_bytes};
  soc.interrupt = PRESIL_CPU_INTERRUPT;
  soc.cycles_per_us = exchange.cycles_per_us;
  port = presil_baremetal_port(&soc);
  port.observe = observe;
  const presil_status status = presil_open(&port, device_storage, sizeof device_storage, &device);
  if (status == PRESIL_OK) presil_device_set_stamp(device, exchange.stamp);
  used_by_device = soc.used;
  return status;
}

static presil_cpu_edge edge(const void* at, const presil_tensor_info* info) {
  const presil_cpu_edge e = {(uint32_t)(uintptr_t)at - soc.memory.base + soc.memory.system,
                             info->bytes};
  return e;
}

static presil_status load(void) {
  presil_network_unload(network);
  network = NULL;
  soc.used = used_by_device; /* all that the network before had */
  soc.memory.bytes = exchange.window_bytes;
  const presil_status status = presil_network_load(
      device, (const void*)(uintptr_t)exchange.loadable, exchange.loadable_bytes, network_storage,
      sizeof network_storage, &network);
  if (status != PRESIL_OK) return status;
  presil_tensor_info info;
  exchange.inputs = presil_network_inputs(network);
  exchange.outputs = presil_network_outputs(network);
  for (uint32_t i = 0; i < exchange.inputs && i < PRESIL_CPU_EDGES; ++i) {
    presil_network_input_info(network, i, &info);
    exchange.input[i] = edge(presil_network_input(network, i), &info);
  }
  for (uint32_t i = 0; i < exchange.outputs && i < PRESIL_CPU_EDGES; ++i) {
    presil_network_output_info(network, i, &info);
    exchange.output[i] = edge(presil_network_output(network, i), &info);
  }
  for (uint32_t r = 0; r < PRESIL_CPU_REGIONS; ++r)
    exchange.region[r] = presil_network_region_address(network, r);
  return PRESIL_OK;
}

static void phase(enum presil_cpu_phase which) {
  CONTROL(PRESIL_CPU_PHASE) = which;
}

/* An inference as a program has it: its inputs copied, the job, the outputs copied. */
static presil_status run(void) {
  phase(PRESIL_CPU_COPIES_INPUT);
  for (uint32_t i = 0; i < exchange.inputs && i < PRESIL_CPU_EDGES; ++i) {
    memcpy(presil_network_input(network, i), (const void*)(uintptr_t)exchange.given[i],
           (size_t)exchange.input[i].bytes);
  }
  phase(PRESIL_CPU_DRIVER);
  presil_status status = presil_job_submit(network, &job);
  if (status == PRESIL_OK) status = presil_job_wait(network, job, exchange.timeout_ns);
  phase(PRESIL_CPU_COPIES_OUTPUT);
  for (uint32_t i = 0; status == PRESIL_OK && i < exchange.outputs && i < PRESIL_CPU_EDGES; ++i) {
    memcpy((void*)(uintptr_t)exchange.taken[i], presil_network_output(network, i),
           (size_t)exchange.output[i].bytes);
  }
  phase(PRESIL_CPU_INFERRED);
  return status;
}

static presil_status serve(uint32_t request) {
  presil_status status = PRESIL_REFUSED;
  if (request == PRESIL_CPU_OPEN) status = open_soc();
  if (request == PRESIL_CPU_LOAD) status = load();
  if (request == PRESIL_CPU_RUN) status = run();
  if (request == PRESIL_CPU_CANCEL) status = presil_job_cancel(network, job);
  if (status != PRESIL_OK && status != PRESIL_CANCELLED) tell_error();
  return status;
}

int main(void) {
  CONTROL(PRESIL_CPU_EXCHANGE) = (uint32_t)(uintptr_t)&exchange;
  for (;;) CONTROL(PRESIL_CPU_DONE) = (uint32_t)serve(CONTROL(PRESIL_CPU_REQUEST));
}
