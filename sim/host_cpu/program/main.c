/* Loads the image's network, runs its sample once, compares. Exit status: 0 as expected, 1 other
 * outputs, 2 refused, 3 the hardware failed. Yours to change. */
#include <presil/presil.h>
#include <stdalign.h>
#include <string.h>

#include "driver/port/baremetal/baremetal_port.h"
#include "driver/port/baremetal/semihosting.h"
#include "rtl/soc/address_map.h"
#include "sim/host_cpu/exchange.h"
#include "sim/host_cpu/image.h"

#define CONTROL(offset) (*(volatile uint32_t*)(PRESIL_CPU_CONTROL + (offset)))
#define TIMEOUT_NS 10000000000u

static const presil_image* const image = (const presil_image*)PRESIL_IMAGE_AT;
static presil_baremetal soc;
static presil_port port;
static alignas(16) uint8_t device_storage[8 << 10], network_storage[16 << 10];
static presil_device* device;
static presil_network* network;

/* For the record of a simulation: what the host computes itself. */
static void observe(void* self, presil_host_state state, uint32_t counter_id, uint32_t tag) {
  (void)self;
  CONTROL(PRESIL_CPU_TAG) = tag;
  CONTROL(PRESIL_CPU_STATE) = (uint32_t)state | counter_id << 8;
}

static void say(const char* text) {
  presil_semihosting_write(text);
}

static void say_number(uint64_t n) {
  char text[21], *at = text + sizeof text;
  *--at = 0;
  do *--at = (char)('0' + n % 10);
  while (n /= 10);
  say(at);
}

static int failed(presil_status status) {
  say(device ? presil_error(device)->text : "driver: the device does not open");
  say("\n");
  return status == PRESIL_HARDWARE || status == PRESIL_TIMED_OUT ? 3 : 2;
}

static presil_status open_soc(void) {
  const uint32_t used = image->buffers - PRESIL_CPU_WINDOW; /* by the image itself */
  CONTROL(PRESIL_CPU_REMAP) = (uint32_t)(PRESIL_DRAM_BASE >> 12);
  soc.registers = (presil_window){PRESIL_CPU_TILE, PRESIL_TILE_BASE(0), 1u << PRESIL_TILE_SHIFT};
  soc.memory = (presil_window){image->buffers, PRESIL_DRAM_BASE + used, image->window_bytes - used};
  soc.interrupt = PRESIL_CPU_INTERRUPT;
  soc.cycles_per_us = image->cycles_per_us;
  port = presil_baremetal_port(&soc);
  port.observe = observe;
  const presil_status status = presil_open(&port, device_storage, sizeof device_storage, &device);
  if (status == PRESIL_OK) presil_device_set_stamp(device, image->stamp);
  return status;
}

static presil_status run(uint64_t* ns) {
  uint32_t job;
  for (uint32_t i = 0; i < image->inputs; ++i) {
    memcpy(presil_network_input(network, i), (const void*)(uintptr_t)image->input[i].address,
           image->input[i].bytes);
  }
  const uint64_t begin = port.now_ns(port.self);
  presil_status status = presil_job_submit(network, &job);
  if (status == PRESIL_OK) status = presil_job_wait(network, job, TIMEOUT_NS);
  if (status != PRESIL_OK) return status;
  *ns = port.now_ns(port.self) - begin;
  for (uint32_t i = 0; i < image->outputs; ++i) {
    memcpy((void*)(uintptr_t)image->output[i].address, presil_network_output(network, i),
           image->output[i].bytes);
  }
  return PRESIL_OK;
}

/* Bytes of all outputs that are not as expected. */
static uint32_t differing(void) {
  uint32_t bytes = 0;
  for (uint32_t i = 0; i < image->outputs; ++i) {
    const uint8_t* got = (const uint8_t*)(uintptr_t)image->output[i].address;
    const uint8_t* expected = (const uint8_t*)(uintptr_t)image->expected[i];
    for (uint32_t k = 0; k < image->output[i].bytes; ++k) bytes += got[k] != expected[k];
  }
  return bytes;
}

int main(void) {
  uint64_t ns = 0;
  if (image->magic != PRESIL_IMAGE_MAGIC || image->version != PRESIL_IMAGE_VERSION) {
    say("no network is in this image; `presil firmware` makes one that has it\n");
    return 2;
  }
  presil_status status = open_soc();
  if (status == PRESIL_OK) {
    status =
        presil_network_load(device, (const void*)(uintptr_t)image->loadable, image->loadable_bytes,
                            network_storage, sizeof network_storage, &network);
  }
  if (status == PRESIL_OK) status = run(&ns);
  if (status != PRESIL_OK) return failed(status);
  say("job: ");
  say_number(ns);
  say(" ns");
  if (image->checked) {
    const uint32_t wrong = differing();
    say("; bytes that are not as expected: ");
    say_number(wrong);
    status = wrong ? 1 : PRESIL_OK;
  }
  say("\n");
  return (int)status;
}
