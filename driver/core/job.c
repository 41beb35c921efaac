/* Jobs as a program sees them: start, wait, poll, cancel. */
#include <string.h>

#include "driver/core/device.h"
#include "rtl/host/host.h"

#define HOST presil_in_tile(d, PRESIL_TILE_HOST)

static presil_status refuse(presil_network* n, const char* field, int64_t got, int64_t expected,
                            const char* text) {
  presil_device* d = n->device;
  presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), field, got, expected);
  TEXT(&t, text);
  n->error = d->error;
  return PRESIL_REFUSED;
}

static presil_status stuck(presil_network* n) {
  presil_device* d = n->device;
  presil_text t = presil_error_begin(d, PRESIL_HARDWARE, presil_in_driver(), "", -1, -1);
  TEXT(&t, "an engine did not stop when it was told to; reset the SoC and open it again");
  n->error = d->error;
  return PRESIL_HARDWARE;
}

static presil_status not_in_flight(presil_network* n, uint32_t job) {
  presil_device* d = n->device;
  presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "job", job, -1);
  TEXT(&t, "job ", job, " of this network is not in flight");
  n->error = d->error;
  return PRESIL_REFUSED;
}

/* Buffers of the program: whole pages, and as large as the network's own. */
static bool take_buffer(presil_network* n, const presil_buffer* given, unsigned region,
                        presil_buffer* taken) {
  memset(taken, 0, sizeof *taken);
  if (!given) return true;
  const char* const field = region == PRESIL_REGION_INPUTS ? "inputs" : "outputs";
  const size_t bytes = n->regions[region].bytes;
  const bool whole = given->host && given->address % PRESIL_PAGE_BYTES == 0 && bytes > 0;
  if (whole && given->bytes >= bytes) {
    *taken = *given;
    return true;
  }
  presil_device* d = n->device;
  presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), field,
                                     presil_signed(given->bytes), presil_signed(bytes));
  TEXT(&t, "the buffer for ", field, " has ", given->bytes, " bytes at ",
       presil_in_hex(given->address), ", requires ", bytes);
  TEXT(&t, " at a multiple of 4096; presil_buffer_alloc gives such ones");
  n->error = d->error;
  return false;
}

static presil_job_record* free_record(presil_device* d) {
  for (unsigned i = 0; i < PRESIL_MOST_JOBS; ++i) {
    if (!d->jobs[i].network) return &d->jobs[i];
  }
  return NULL;
}

/* Whose job has the memory that the next one needs; NULL: it is free. */
static const presil_job_record* owner_of_next(const presil_network* n) {
  const presil_device* d = n->device;
  for (unsigned i = 0; i < PRESIL_MOST_JOBS; ++i) {
    if (d->jobs[i].network == n && d->jobs[i].set == n->next_set) return &d->jobs[i];
  }
  return NULL;
}

static presil_status start(presil_network* n, const presil_job_options* options, uint32_t* job) {
  static const presil_job_options none = {0, NULL, NULL, NULL, NULL, NULL, 0};
  presil_device* d = n->device;
  if (!options) options = &none;
  if (d->stuck) return stuck(n);
  if (d->off)
    return refuse(n, "power", 0, 1, "the device is without power; presil_device_set_power");
  const presil_job_record* owner = owner_of_next(n);
  if (owner) {
    presil_text t =
        presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "job", owner->job.id, -1);
    TEXT(&t, "job ", owner->job.id, " is in flight; wait for it or cancel it first");
    n->error = d->error;
    return PRESIL_REFUSED;
  }
  presil_job_record* r = free_record(d);
  if (!r) {
    return refuse(n, "jobs", PRESIL_MOST_JOBS, PRESIL_MOST_JOBS - 1,
                  "the device has 16 jobs, at most that many are kept; wait for one of them");
  }
  const uint32_t rows = presil_network_segments(n);
  if (options->counters && options->counter_rows < rows) {
    presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "counter_rows",
                                       options->counter_rows, rows);
    TEXT(&t, "the array of counters has ", options->counter_rows, " rows, requires ", rows,
         ": one from each layer border to the next (presil_network_borders), at least 1");
    n->error = d->error;
    return PRESIL_REFUSED;
  }
  presil_buffer buffers[2];
  if (!take_buffer(n, options->inputs, PRESIL_REGION_INPUTS, &buffers[0]) ||
      !take_buffer(n, options->outputs, PRESIL_REGION_OUTPUTS, &buffers[1])) {
    return PRESIL_REFUSED;
  }

  presil_error_clear(d);
  memset(r, 0, sizeof *r);
  r->network = n;
  r->job.id = *job = d->submitted++;
  r->info.state = PRESIL_JOB_QUEUED;
  r->info.priority = options->priority;
  r->info.submitted_ns = d->port.now_ns(d->port.self);
  r->set = n->next_set;
  memcpy(r->buffer, buffers, sizeof buffers);
  r->ended = options->ended;
  r->user = options->user;
  r->counters = options->counters;
  n->set_job[r->set] = r->job.id;
  n->set_used[r->set] = true;
  n->next_set = (uint8_t)((n->next_set + 1) % n->sets);
  presil_log(d, PRESIL_EVENT_SUBMITTED, r->job.id);
  presil_dispatch(d);
  return PRESIL_OK;
}

presil_status presil_job_start(presil_network* n, const presil_job_options* options,
                               uint32_t* job) {
  presil_device* d = presil_device_of(n);
  if (!d) return PRESIL_REFUSED;
  if (!job) return refuse(n, "job", -1, -1, "the pointer for the job's number is NULL");
  presil_lock(d);
  const presil_status status = start(n, options, job);
  presil_unlock(d);
  return status;
}

presil_status presil_job_submit(presil_network* n, uint32_t* job) {
  return presil_job_start(n, NULL, job);
}

/* Its program knows that it has ended. */
static presil_status collect(presil_network* n, presil_job_record* r) {
  presil_device* d = n->device;
  const presil_status status = r->info.status;
  const uint32_t job = r->job.id;
  n->last_set = r->set;
  r->network = NULL;
  if (status == PRESIL_HARDWARE) {
    if (n->failed_job != job) return stuck(n);
    d->error = n->error;
  }
  return status;
}

/* An interrupt that is never cleared would keep the driver busy without bound. */
#define IDLE_WAKES 1000u

/* How many host tasks the engines' jobs have been given so far: something moves. */
static uint32_t moved(presil_device* d) {
  uint32_t tasks = d->event_count;
  for (unsigned i = 0; i < d->running_count; ++i) tasks += presil_running(d, i)->info.host_tasks;
  return tasks;
}

/* The job's own hang, or that of the one which it waits for. */
static void report_hang(presil_job_record* r, bool dead, uint64_t timeout_ns) {
  presil_device* d = r->network->device;
  presil_log(d, PRESIL_EVENT_TIMED_OUT, r->job.id);
  const bool own = r->info.state == PRESIL_JOB_RUNNING || d->running_count == 0;
  presil_job_record* of = own ? r : presil_running(d, 0);
  of->network->job = of->job;
  presil_report_hang(of->network, dead, timeout_ns);
  r->network->error = d->error;
}

static presil_status wait(presil_network* n, uint32_t job, uint64_t timeout_ns) {
  presil_device* d = n->device;
  if (!presil_record_of(n, job)) return not_in_flight(n, job);

  const uint64_t began = d->port.now_ns(d->port.self);
  unsigned wakes = 0;
  bool looked = false; /* once more, after the wait has ended without an interrupt */
  for (uint64_t last = began;;) {
    const uint32_t before = moved(d);
    const presil_step step = presil_progress(d);
    /* Looked up again: another thread, or a callback, may have taken it. */
    presil_job_record* r = presil_record_of(n, job);
    if (!r) return not_in_flight(n, job);
    if (r->info.state == PRESIL_JOB_ENDED) return collect(n, r);
    if (step == PRESIL_STEP_FAILED) continue; /* another job has */
    const uint64_t now = d->port.now_ns(d->port.self);
    presil_wait_result woken = PRESIL_WAIT_TIMED_OUT;
    if (timeout_ns == 0 || now - began < timeout_ns)
      woken = d->port.wait(d->port.self, timeout_ns == 0 ? UINT64_MAX : timeout_ns - (now - began));
    wakes = now != last || before != moved(d) ? 0 : wakes + 1;
    last = now;
    if (wakes == IDLE_WAKES) {
      presil_text t = presil_error_begin(d, PRESIL_HARDWARE, presil_in_driver(), "irq_pending",
                                         presil_read(d, HOST + PRESIL_HOST_REG_IRQ_PENDING), 0);
      TEXT(&t, "an interrupt line stays up although all that was pending has been cleared");
      presil_fail(d, d->running_count ? presil_running(d, 0) : NULL);
    }
    if (!presil_service(d)) continue;
    if (woken == PRESIL_WAIT_INTERRUPT) {
      looked = false;
      continue;
    }
    if (!looked || before != moved(d)) { /* an interrupt may have been lost, not its cause */
      looked = true;
      continue;
    }
    r = presil_record_of(n, job);
    if (!r) return not_in_flight(n, job);
    report_hang(r, woken == PRESIL_WAIT_DEAD, timeout_ns);
    return PRESIL_TIMED_OUT;
  }
}

presil_status presil_job_wait(presil_network* n, uint32_t job, uint64_t timeout_ns) {
  presil_device* d = presil_device_of(n);
  if (!d) return PRESIL_REFUSED;
  presil_lock(d);
  const presil_status status = wait(n, job, timeout_ns);
  presil_tell_ended(d);
  presil_unlock(d);
  return status;
}

uint32_t presil_device_service(presil_device* d) {
  if (!presil_is_open(d)) return UINT32_MAX;
  presil_lock(d);
  /* Also with no job: a line that stays up would wake a program that sleeps on it at once. */
  const bool failed = !presil_service(d) || presil_progress(d) == PRESIL_STEP_FAILED;
  presil_tell_ended(d);
  const uint32_t left = presil_in_flight(d, NULL);
  presil_unlock(d);
  return failed ? UINT32_MAX : left;
}

presil_status presil_job_poll(presil_network* n, uint32_t job, presil_job_info* info) {
  presil_device* d = presil_device_of(n);
  if (!d) return PRESIL_REFUSED;
  if (!info) return refuse(n, "info", -1, -1, "the pointer for what is told of the job is NULL");
  presil_lock(d);
  if (d->running_count) presil_service(d);
  presil_progress(d);
  const presil_job_record* r = presil_record_of(n, job);
  if (r) *info = r->info;
  const presil_status status = r ? PRESIL_OK : not_in_flight(n, job);
  presil_tell_ended(d);
  presil_unlock(d);
  return status;
}

static presil_status cancel(presil_network* n, uint32_t job) {
  presil_device* d = n->device;
  presil_job_record* r = presil_record_of(n, job);
  if (!r) return not_in_flight(n, job);
  const presil_job_state state = r->info.state;
  presil_end_job(d, r, PRESIL_CANCELLED);
  if (state == PRESIL_JOB_RUNNING) presil_recover(d);
  if (!r->ended) r->network = NULL;
  if (d->stuck) {
    presil_text t =
        presil_error_begin(d, PRESIL_HARDWARE, presil_in_driver(), "status.state", -1, -1);
    TEXT(&t, "job ", job,
         " is cancelled, but an engine did not stop; reset the SoC and open it again");
    n->error = d->error;
    return PRESIL_HARDWARE;
  }
  presil_error_clear(d);
  presil_dispatch(d);
  return PRESIL_CANCELLED;
}

presil_status presil_job_cancel(presil_network* n, uint32_t job) {
  presil_device* d = presil_device_of(n);
  if (!d) return PRESIL_REFUSED;
  presil_lock(d);
  const presil_status status = cancel(n, job);
  presil_tell_ended(d);
  presil_unlock(d);
  return status;
}
