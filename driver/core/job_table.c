/* The jobs of a device: which there are, whose turn is next, and telling that they have ended. */
#include "driver/core/device.h"

presil_job_record* presil_record_of(presil_network* n, uint32_t job) {
  presil_device* d = n->device;
  for (unsigned i = 0; i < PRESIL_MOST_JOBS; ++i) {
    if (d->jobs[i].network == n && d->jobs[i].job.id == job) return &d->jobs[i];
  }
  return NULL;
}

presil_job_record* presil_running(presil_device* d, unsigned order) {
  return &d->jobs[d->running[order]];
}

/* May a job of one not begin before a job of the other, which has begun, has ended? */
static bool share_sram(const presil_network* a, const presil_network* b) {
  return a == b || (a->sram_base < b->sram_base + b->sram_bytes &&
                    b->sram_base < a->sram_base + a->sram_bytes);
}

/* A job at a layer border whose SRAM `next` would use; NULL: none. It goes on first. */
static presil_job_record* in_the_way(presil_device* d, const presil_job_record* next) {
  for (unsigned i = 0; i < PRESIL_MOST_JOBS; ++i) {
    presil_job_record* r = &d->jobs[i];
    if (r->network && r->info.state == PRESIL_JOB_QUEUED && r->job.segment && r != next &&
        share_sram(r->network, next->network))
      return r;
  }
  return NULL;
}

/* Neither on hold nor in need of the SRAM of one that is. */
static bool may_run(presil_device* d, const presil_job_record* r) {
  if (r->network->on_hold) return false;
  const presil_job_record* other = r->job.segment ? NULL : in_the_way(d, r);
  return !other || !other->network->on_hold;
}

presil_job_record* presil_next_queued(presil_device* d) {
  presil_job_record* next = NULL;
  for (unsigned i = 0; i < PRESIL_MOST_JOBS; ++i) {
    presil_job_record* r = &d->jobs[i];
    if (!r->network || r->info.state != PRESIL_JOB_QUEUED) continue;
    if (d->holds && !may_run(d, r)) continue;
    const bool before =
        next &&
        (r->info.priority > next->info.priority ||
         (r->info.priority == next->info.priority && (int32_t)(r->job.id - next->job.id) < 0));
    if (!next || before) next = r;
  }
  presil_job_record* first = next && next->job.segment == 0 ? in_the_way(d, next) : NULL;
  return first ? first : next;
}

uint32_t presil_in_flight(const presil_device* d, const presil_network* n) {
  uint32_t count = 0;
  for (unsigned i = 0; i < PRESIL_MOST_JOBS; ++i) {
    const presil_job_record* r = &d->jobs[i];
    count += r->network && (!n || r->network == n) && r->info.state != PRESIL_JOB_ENDED;
  }
  return count;
}

presil_memory presil_job_region(const presil_job_record* r, unsigned region) {
  const presil_network* n = r->network;
  const unsigned own = region - PRESIL_REGION_INPUTS;
  if (own < 2 && r->buffer[own].host) {
    const presil_memory memory = {r->buffer[own].host, r->buffer[own].address,
                                  n->regions[region].bytes};
    return memory;
  }
  const bool further = r->set > 0 && region != PRESIL_REGION_CONSTANTS;
  return further ? n->more[r->set - 1][region] : n->regions[region];
}

void presil_end_job(presil_device* d, presil_job_record* r, presil_status status) {
  r->info.state = PRESIL_JOB_ENDED;
  r->info.status = status;
  r->info.ended_ns = d->port.now_ns(d->port.self);
  presil_log(d,
             status == PRESIL_OK          ? PRESIL_EVENT_ENDED
             : status == PRESIL_CANCELLED ? PRESIL_EVENT_CANCELLED
                                          : PRESIL_EVENT_FAILED,
             r->job.id);
}

void presil_tell_ended(presil_device* d) {
  for (unsigned i = 0; i < PRESIL_MOST_JOBS; ++i) {
    presil_job_record* r = &d->jobs[i];
    if (!r->network || !r->ended || r->info.state != PRESIL_JOB_ENDED) continue;
    const presil_job_record told = *r;
    r->network = NULL;
    presil_unlock(d);
    told.ended(told.user, told.network, told.job.id, told.info.status);
    presil_lock(d);
  }
}

void presil_forget_jobs(presil_device* d, const presil_network* n) {
  bool running = false;
  for (unsigned i = 0; i < PRESIL_MOST_JOBS; ++i) {
    presil_job_record* r = &d->jobs[i];
    if (!r->network || (n && r->network != n)) continue;
    running = running || r->info.state == PRESIL_JOB_RUNNING;
    if (r->info.state != PRESIL_JOB_ENDED) presil_end_job(d, r, PRESIL_CANCELLED);
  }
  if (running) presil_recover(d);
  for (unsigned i = 0; i < PRESIL_MOST_JOBS; ++i) {
    if (!n || d->jobs[i].network == n) d->jobs[i].network = NULL;
  }
  presil_dispatch(d);
}
