#include "testbench/example_block/histogram_driver.h"

#include "rtl/host/host.h"
#include "rtl/soc/address_map.h"

static const uint64_t kBlock = PRESIL_TILE_BASE(0) + PRESIL_TILE_USER;
static const uint64_t kHost = PRESIL_TILE_BASE(0) + PRESIL_TILE_HOST;
static const uint64_t kTimeoutNs = 1000000000;

static void set(const presil_port* port, uint32_t offset, uint32_t value) {
  port->write32(port->self, kBlock + offset, value);
}

static uint32_t get(const presil_port* port, uint32_t offset) {
  return port->read32(port->self, kBlock + offset);
}

static void set_address(const presil_port* port, uint32_t offset, uint64_t address) {
  set(port, offset, (uint32_t)address);
  set(port, offset + 4, (uint32_t)(address >> 32));
}

histogram_result histogram_run(const presil_port* port, const presil_memory* source, uint32_t bytes,
                               const presil_memory* counts) {
  histogram_result result = {0, 0, 0, 0};
  if (get(port, HISTOGRAM_ID) != HISTOGRAM_ID_VALUE) {
    result.error = "there is no histogram in this tile";
    return result;
  }
  port->clean(port->self, source->host, bytes);
  set(port, HISTOGRAM_BYTES, bytes);
  set_address(port, HISTOGRAM_SOURCE, source->address);
  set_address(port, HISTOGRAM_TARGET, counts->address);
  set(port, HISTOGRAM_IRQ_ENABLE, 1);
  port->write32(port->self, kHost + PRESIL_HOST_REG_IRQ_ENABLE, PRESIL_HOST_IRQ_ENABLE_USER_MASK);

  const uint64_t began = port->now_ns(port->self);
  set(port, HISTOGRAM_CONTROL, 1);
  const presil_wait_result ended = port->wait(port->self, kTimeoutNs);
  result.ns = port->now_ns(port->self) - began;
  port->write32(port->self, kHost + PRESIL_HOST_REG_IRQ_ENABLE, 0);
  if (ended != PRESIL_WAIT_INTERRUPT) {
    result.error = ended == PRESIL_WAIT_DEAD ? "it hangs" : "it does not end in time";
    return result;
  }
  result.status = get(port, HISTOGRAM_STATUS);
  result.cycles = get(port, HISTOGRAM_CYCLES);
  set(port, HISTOGRAM_STATUS, 0);
  port->invalidate(port->self, counts->host, HISTOGRAM_COUNTERS * sizeof(uint32_t));
  if (result.status != HISTOGRAM_DONE) result.error = "it could not reach its memory";
  return result;
}
