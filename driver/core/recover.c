/* After an error or a cancel: every engine stops, queues go on after all that they had, and the
 * next job sets its counters. Jobs that have not ended begin again. */
#include "driver/core/device.h"
#include "rtl/sync/sync.h"

#define SYNC presil_in_tile(d, PRESIL_TILE_SYNC)

/* At most 16 bursts of 256 bytes drain, under 1000 cycles: 1 ms is ample at any clock. */
#define STOP_TIMEOUT_NS UINT64_C(1000000)

static uint32_t state(presil_device* d, unsigned queue) {
  return presil_read(d, presil_queue_registers(d, queue) + PRESIL_QUEUE_REG_STATUS) &
         PRESIL_QUEUE_STATUS_STATE_MASK;
}

static bool at_rest(presil_device* d, unsigned queue) {
  const uint32_t now = state(d, queue);
  return now == PRESIL_QUEUE_STATE_IDLE || now == PRESIL_QUEUE_STATE_ERROR ||
         now == PRESIL_QUEUE_STATE_STOPPED;
}

static bool all_at_rest(presil_device* d) {
  bool rest = true;
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q)
    rest = rest && (!presil_queue_started(d, q) || at_rest(d, q));
  return rest;
}

static void clear_interrupts(presil_device* d) {
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (presil_queue_started(d, q))
      presil_write(d, presil_queue_registers(d, q) + PRESIL_QUEUE_REG_IRQ_STATUS, 0xf);
  }
  presil_write(d, SYNC + PRESIL_SYNC_REG_IRQ_STATUS, 0x3ff);
}

void presil_recover(presil_device* d) {
  presil_write(d, SYNC + PRESIL_SYNC_REG_SLOT_CONTROL(0), 0);
  if (d->second_slot) presil_write(d, SYNC + PRESIL_SYNC_REG_SLOT_CONTROL(1), 0);
  d->second_slot = false;
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (presil_queue_started(d, q) && !at_rest(d, q)) {
      presil_write(d, presil_queue_registers(d, q) + PRESIL_QUEUE_REG_CONTROL,
                   PRESIL_QUEUE_WORKS | PRESIL_QUEUE_CONTROL_ABORT_MASK);
    }
  }
  const uint64_t deadline = d->port.now_ns(d->port.self) + STOP_TIMEOUT_NS;
  while (!all_at_rest(d)) {
    clear_interrupts(d);
    const uint64_t now = d->port.now_ns(d->port.self);
    if (now >= deadline || d->port.wait(d->port.self, deadline - now) != PRESIL_WAIT_INTERRUPT)
      break;
  }
  d->stuck = !all_at_rest(d) || presil_was_reset(d);
  clear_interrupts(d);
  for (unsigned q = 0; q < PRESIL_QUEUES && !d->stuck; ++q) {
    if (!presil_queue_started(d, q)) continue;
    const uint64_t registers = presil_queue_registers(d, q);
    if (state(d, q) == PRESIL_QUEUE_STATE_IDLE) { /* a doorbell may have been lost */
      d->tail[q] = (uint16_t)presil_read(d, registers + PRESIL_QUEUE_REG_TAIL);
      continue;
    }
    presil_write(d, registers + PRESIL_QUEUE_REG_HEAD, d->tail[q]);
    presil_write(d, registers + PRESIL_QUEUE_REG_CONTROL,
                 PRESIL_QUEUE_WORKS | PRESIL_QUEUE_CONTROL_START_MASK);
  }
  if (d->port.observe) d->port.observe(d->port.self, PRESIL_HOST_IDLE, 0, 0);
  d->counters_of = NULL; /* the next job sets them */
  d->at_border = NULL;
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) d->level_known[q] = false;
  presil_log(d, PRESIL_EVENT_STOPPED, UINT32_MAX);
  presil_take_back(d);
}
