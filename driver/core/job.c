/* Jobs: one ring entry and one doorbell per engine; then the host's stream and the end of all
 * queues. */
#include "rtl/common/job.h"

#include <string.h>

#include "driver/core/device.h"
#include "rtl/host/host.h"
#include "rtl/sync/sync.h"

#define SYNC presil_in_tile(d, PRESIL_TILE_SYNC)
#define HOST presil_in_tile(d, PRESIL_TILE_HOST)

static void set(uint32_t* entry, unsigned field, uint64_t value) {
  presil_field_set(entry, &presil_job_entry_fields()[field], (int64_t)value);
}

static void write_entry(const presil_network* n, unsigned queue, uint32_t* to) {
  uint32_t entry[PRESIL_JOB_ENTRY_WORDS] = {0}; /* written to shared memory once, whole */
  set(entry, PRESIL_JOB_ENTRY_VALID, 1);
  set(entry, PRESIL_JOB_ENTRY_STOP_ON_ERROR, 1);
  set(entry, PRESIL_JOB_ENTRY_ISA_VERSION, PRESIL_JOB_ISA_VERSION);
  set(entry, PRESIL_JOB_ENTRY_TAG, n->job.id);
  set(entry, PRESIL_JOB_ENTRY_STREAM_ADDRESS,
      n->regions[PRESIL_REGION_CONSTANTS].address + n->streams[queue].offset);
  set(entry, PRESIL_JOB_ENTRY_COMMAND_COUNT, n->streams[queue].commands);
  set(entry, PRESIL_JOB_ENTRY_SYNC_COUNT, n->counters);
  set(entry, PRESIL_JOB_ENTRY_VALUE_BASE, n->job.value_base);
  for (unsigned r = 0; r < PRESIL_REGIONS; ++r) {
    set(entry, PRESIL_JOB_ENTRY_REGION_BASE0 + r, n->regions[r].bytes ? n->regions[r].address : 0);
    set(entry, PRESIL_JOB_ENTRY_REGION_LIMIT0 + r, n->regions[r].bytes / PRESIL_PAGE_BYTES);
  }
  presil_crc_write(presil_job_entry_format(), entry);
  memcpy(to, entry, sizeof entry);
}

/* Another network, or none, has used the counters: bring them to where this device's next job
 * begins. No engine runs. */
static void set_counters(presil_network* n) {
  presil_device* d = n->device;
  presil_write(d, SYNC + PRESIL_SYNC_REG_CONTROL, PRESIL_SYNC_CONTROL_SET_ENABLE_MASK);
  for (uint32_t id = 1; id <= n->counters; ++id)
    presil_write(d, SYNC + PRESIL_SYNC_REG_COUNT(id), d->value_base);
  presil_write(d, SYNC + PRESIL_SYNC_REG_CONTROL, 0);
  d->counters_of = n;
}

presil_status presil_job_submit(presil_network* n, uint32_t* job) {
  presil_device* d = n->device;
  if (d->stuck) {
    presil_text t = presil_error_begin(d, PRESIL_HARDWARE, presil_in_driver(), "", -1, -1);
    TEXT(&t, "an engine did not stop when it was told to; reset the SoC and open it again");
    return PRESIL_HARDWARE;
  }
  if (d->running) {
    presil_text t =
        presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "job", d->running->job.id, -1);
    TEXT(&t, "job ", d->running->job.id, " is in flight; wait for it or cancel it first");
    return PRESIL_REFUSED;
  }

  presil_error_clear(d);
  if (d->counters_of != n) set_counters(n);
  n->job.id = d->jobs++;
  n->job.value_base = d->value_base;
  n->job.host_next = 0;
  d->running = n;
  d->port.clean(d->port.self, n->regions[PRESIL_REGION_INPUTS].host,
                n->regions[PRESIL_REGION_INPUTS].bytes);
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (!n->streams[q].commands || !presil_queue_started(d, q)) continue;
    const uint32_t slot = d->tail[q] & ((1u << PRESIL_RING_LOG2) - 1);
    uint8_t* ring = (uint8_t*)d->rings.host + (size_t)q * PRESIL_PAGE_BYTES;
    uint32_t* entry = (uint32_t*)(ring + (size_t)slot * PRESIL_JOB_ENTRY_BYTES);
    write_entry(n, q, entry);
    d->port.clean(d->port.self, entry, PRESIL_JOB_ENTRY_BYTES);
  }
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (!n->streams[q].commands || !presil_queue_started(d, q)) continue;
    presil_write(d, presil_queue_registers(d, q) + PRESIL_QUEUE_REG_TAIL, ++d->tail[q]);
  }
  *job = n->job.id;
  return PRESIL_OK;
}

/* Looks at the interrupt lines. False: an engine or sync has stopped, the error is set. */
static bool service(presil_network* n) {
  presil_device* d = n->device;
  const uint32_t lines = presil_read(d, HOST + PRESIL_HOST_REG_IRQ_PENDING);
  if (lines & PRESIL_HOST_IRQ_PENDING_SYNC_MASK) {
    const uint32_t status = presil_read(d, SYNC + PRESIL_SYNC_REG_IRQ_STATUS);
    presil_write(d, SYNC + PRESIL_SYNC_REG_IRQ_STATUS, status);
    const presil_where at = {"sync", -1, NULL};
    if (status & PRESIL_SYNC_IRQ_STATUS_OVERFLOW_MASK) {
      const uint32_t id =
          presil_read(d, SYNC + PRESIL_SYNC_REG_OVERFLOW) & PRESIL_SYNC_OVERFLOW_ID_MASK;
      presil_text t = presil_error_begin(d, PRESIL_HARDWARE, at, "overflow", id, 0);
      TEXT(&t, "something waits for a value of counter ", id,
           " that is more than 2^30 ahead of it");
      return false;
    }
    if (status & PRESIL_SYNC_IRQ_STATUS_REFUSED_MASK) {
      const uint32_t id =
          presil_read(d, SYNC + PRESIL_SYNC_REG_REFUSED) & PRESIL_SYNC_REFUSED_ID_MASK;
      presil_text t =
          presil_error_begin(d, PRESIL_HARDWARE, at, "refused", id, d->capability.counters);
      TEXT(&t, "a signal to counter ", id, " was dropped, the SoC has counters 1..",
           d->capability.counters);
      return false;
    }
  }
  if (!(lines & PRESIL_HOST_IRQ_PENDING_ENGINES_MASK)) return true;
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (!presil_queue_started(d, q)) continue;
    const uint64_t registers = presil_queue_registers(d, q);
    const uint32_t status = presil_read(d, registers + PRESIL_QUEUE_REG_IRQ_STATUS);
    if (!status) continue;
    presil_write(d, registers + PRESIL_QUEUE_REG_IRQ_STATUS, status);
    if (status & PRESIL_QUEUE_IRQ_STATUS_ERROR_MASK) {
      presil_report_engine_error(n, q);
      return false;
    }
  }
  return true;
}

/* DONE, or WAIT with the slot armed for the first queue that has not ended. */
static presil_step queues_ended(presil_network* n) {
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (n->streams[q].commands &&
        presil_slot_arm(n->device, PRESIL_QUEUE_COUNTER(q), n->job.value_base + n->job_span)) {
      return PRESIL_STEP_WAIT;
    }
  }
  return PRESIL_STEP_DONE;
}

static void finish(presil_network* n) {
  presil_device* d = n->device;
  d->value_base = n->job.value_base + n->job_span;
  d->running = NULL;
  for (unsigned r = PRESIL_REGION_OUTPUTS; r < PRESIL_REGIONS; ++r) {
    if (n->regions[r].bytes)
      d->port.invalidate(d->port.self, n->regions[r].host, n->regions[r].bytes);
  }
}

static presil_status check_job(presil_network* n, uint32_t job) {
  presil_device* d = n->device;
  if (d->running == n && n->job.id == job) return PRESIL_OK;
  presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "job", job, -1);
  TEXT(&t, "job ", job, " of this network is not in flight");
  return PRESIL_REFUSED;
}

/* An interrupt that is never cleared would keep the driver busy without bound. */
#define IDLE_WAKES 1000u

presil_status presil_job_wait(presil_network* n, uint32_t job, uint64_t timeout_ns) {
  presil_device* d = n->device;
  const presil_status mine = check_job(n, job);
  if (mine != PRESIL_OK) return mine;

  const uint64_t began = d->port.now_ns(d->port.self);
  unsigned wakes = 0;
  bool looked = false; /* once more, after the wait has ended without an interrupt */
  for (uint64_t last = began;;) {
    const uint32_t before = n->job.host_next;
    presil_step step = presil_host_step(n);
    if (step == PRESIL_STEP_DONE) step = queues_ended(n);
    if (step == PRESIL_STEP_DONE) break;
    const uint64_t now = d->port.now_ns(d->port.self);
    presil_wait_result woken = PRESIL_WAIT_TIMED_OUT;
    if (step == PRESIL_STEP_WAIT && (timeout_ns == 0 || now - began < timeout_ns)) {
      woken = d->port.wait(d->port.self, timeout_ns == 0 ? UINT64_MAX : timeout_ns - (now - began));
    }
    wakes = now != last || before != n->job.host_next ? 0 : wakes + 1;
    last = now;
    if (wakes == IDLE_WAKES) {
      presil_text t = presil_error_begin(d, PRESIL_HARDWARE, presil_in_driver(), "irq_pending",
                                         presil_read(d, HOST + PRESIL_HOST_REG_IRQ_PENDING), 0);
      TEXT(&t, "an interrupt line stays up although all that was pending has been cleared");
      step = PRESIL_STEP_FAILED;
    }
    if (step == PRESIL_STEP_FAILED || !service(n)) {
      presil_recover(n);
      return PRESIL_HARDWARE;
    }
    if (woken == PRESIL_WAIT_INTERRUPT) {
      looked = false;
      continue;
    }
    if (!looked ||
        before != n->job.host_next) { /* an interrupt may have been lost, not its cause */
      looked = true;
      continue;
    }
    presil_report_hang(n, woken == PRESIL_WAIT_DEAD, timeout_ns);
    return PRESIL_TIMED_OUT;
  }
  finish(n);
  return PRESIL_OK;
}

presil_status presil_job_cancel(presil_network* n, uint32_t job) {
  presil_device* d = n->device;
  const presil_status mine = check_job(n, job);
  if (mine != PRESIL_OK) return mine;
  presil_recover(n);
  if (d->stuck) {
    presil_text t =
        presil_error_begin(d, PRESIL_HARDWARE, presil_in_driver(), "status.state", -1, -1);
    TEXT(&t, "job ", job,
         " is cancelled, but an engine did not stop; reset the SoC and open it again");
    return PRESIL_HARDWARE;
  }
  presil_error_clear(d);
  return PRESIL_CANCELLED;
}
