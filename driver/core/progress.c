/* What the host does while jobs run: tasks of its own queue, the ends of jobs, the engines'
 * interrupts, and the next jobs into the rings. */
#include "driver/core/device.h"
#include "rtl/host/host.h"
#include "rtl/sync/sync.h"

#define SYNC presil_in_tile(d, PRESIL_TILE_SYNC)
#define HOST presil_in_tile(d, PRESIL_TILE_HOST)

/* The host's queue: the oldest job that has tasks left; in order, as any engine's. */
static presil_step run_host(presil_device* d, bool* sleeps) {
  for (unsigned i = 0; i < d->running_count; ++i) {
    presil_job_record* r = presil_running(d, i);
    const presil_step step = presil_host_step(r);
    if (step == PRESIL_STEP_FAILED) presil_fail(d, r);
    if (step == PRESIL_STEP_WAIT) *sleeps = true;
    if (step != PRESIL_STEP_DONE) return step;
  }
  return PRESIL_STEP_DONE;
}

/* Have all queues ended what they have of the job? Else the slot is armed for the first that has
 * not. */
static bool ended(presil_device* d, const presil_job_record* r, unsigned slot) {
  const presil_network* n = r->network;
  if (r->job.host_next < presil_segment_end(n, r->job.segment, PRESIL_QUEUE_HOST)) return false;
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (!n->streams[q].commands || presil_passes(n, r->job.segment, q)) continue;
    const uint32_t level =
        n->segments ? presil_segment_level(n, r->job.segment + 1, q) : n->job_span;
    if (presil_slot_arm(d, slot, PRESIL_QUEUE_COUNTER(q), r->job.value_base + level)) return false;
  }
  return true;
}

/* The engines have nothing: the highest priority is next, this job goes on later. */
static void leave_border(presil_device* d, presil_job_record* r) {
  ++r->job.segment;
  ++r->info.borders;
  r->info.state = PRESIL_JOB_QUEUED;
  d->running_count = 0; /* such a job is alone */
  d->at_border = r;
  d->counters_of = NULL;
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) d->level_known[q] = false;
}

static void finish(presil_device* d, presil_job_record* r) {
  presil_counting_ends(r);
  if (r->job.segment + 1 < presil_network_segments(r->network)) {
    leave_border(d, r);
    return;
  }
  for (unsigned region = PRESIL_REGION_OUTPUTS; region < PRESIL_REGIONS; ++region) {
    const presil_memory memory = presil_job_region(r, region);
    if (memory.bytes) d->port.invalidate(d->port.self, memory.host, memory.bytes);
  }
  for (unsigned i = 1; i < d->running_count; ++i) d->running[i - 1] = d->running[i];
  --d->running_count;
  presil_end_job(d, r, PRESIL_OK);
}

presil_step presil_progress(presil_device* d) {
  for (;;) {
    presil_dispatch(d);
    if (d->running_count == 0) return PRESIL_STEP_DONE;
    bool host_sleeps = false;
    if (run_host(d, &host_sleeps) == PRESIL_STEP_FAILED) return PRESIL_STEP_FAILED;
    /* Jobs end in the order in which the engines got them. */
    presil_job_record* oldest = presil_running(d, 0);
    if (!ended(d, oldest, host_sleeps ? 1 : 0)) return PRESIL_STEP_WAIT;
    finish(d, oldest);
  }
}

/* Whose job an engine has stopped in. */
static presil_job_record* stopped_in(presil_device* d, unsigned queue) {
  if (d->running_count > 1) {
    const uint32_t id =
        presil_read(d, presil_queue_registers(d, queue) + PRESIL_QUEUE_REG_ERROR_JOB_TAG);
    for (unsigned i = 0; i < d->running_count; ++i) {
      if (presil_running(d, i)->job.id == id) return presil_running(d, i);
    }
  }
  return d->running_count ? presil_running(d, 0) : NULL;
}

static bool sync_in_order(presil_device* d) {
  const uint32_t status = presil_read(d, SYNC + PRESIL_SYNC_REG_IRQ_STATUS);
  presil_write(d, SYNC + PRESIL_SYNC_REG_IRQ_STATUS, status);
  const presil_where at = {"sync", -1, NULL};
  if (status & PRESIL_SYNC_IRQ_STATUS_OVERFLOW_MASK) {
    const uint32_t id =
        presil_read(d, SYNC + PRESIL_SYNC_REG_OVERFLOW) & PRESIL_SYNC_OVERFLOW_ID_MASK;
    presil_text t = presil_error_begin(d, PRESIL_HARDWARE, at, "overflow", id, 0);
    TEXT(&t, "something waits for a value of counter ", id, " that is more than 2^30 ahead of it");
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
  return true;
}

bool presil_service(presil_device* d) {
  presil_job_record* failed = d->running_count ? presil_running(d, 0) : NULL;
  const uint32_t lines = presil_read(d, HOST + PRESIL_HOST_REG_IRQ_PENDING);
  if ((lines & PRESIL_HOST_IRQ_PENDING_SYNC_MASK) && !sync_in_order(d)) {
    presil_fail(d, failed);
    return false;
  }
  if (!(lines & PRESIL_HOST_IRQ_PENDING_ENGINES_MASK)) return true;
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (!presil_queue_started(d, q)) continue;
    const uint64_t registers = presil_queue_registers(d, q);
    const uint32_t status = presil_read(d, registers + PRESIL_QUEUE_REG_IRQ_STATUS);
    if (!status) continue;
    presil_write(d, registers + PRESIL_QUEUE_REG_IRQ_STATUS, status);
    if (!(status & PRESIL_QUEUE_IRQ_STATUS_ERROR_MASK)) continue;
    failed = stopped_in(d, q);
    if (failed) {
      failed->network->job = failed->job;
      presil_report_engine_error(failed->network, q);
    }
    presil_fail(d, failed);
    return false;
  }
  return true;
}

void presil_fail(presil_device* d, presil_job_record* r) {
  if (r) {
    r->network->error = d->error;
    r->network->failed_job = r->job.id;
    presil_end_job(d, r, PRESIL_HARDWARE);
  }
  presil_recover(d);
}
