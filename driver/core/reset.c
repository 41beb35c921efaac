/* Reset and power of a device whose networks stay loaded. */
#include "driver/core/device.h"

static presil_status refuse(presil_device* d, const char* field, const char* text) {
  presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), field, -1, -1);
  TEXT(&t, text);
  return PRESIL_REFUSED;
}

static presil_status hard(presil_device* d) {
  if (d->port.reset(d->port.self) != 0) {
    presil_text t = presil_error_begin(d, PRESIL_HARDWARE, presil_in_driver(), "reset", -1, -1);
    TEXT(&t, "the port could not reset the SoC");
    return PRESIL_HARDWARE;
  }
  d->stuck = false;
  d->counters_of = NULL;
  d->at_border = NULL;
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) d->level_known[q] = false;
  presil_device_start(d);
  return PRESIL_OK;
}

static presil_status soft(presil_device* d) {
  presil_recover(d);
  if (!d->stuck) return PRESIL_OK;
  presil_text t =
      presil_error_begin(d, PRESIL_HARDWARE, presil_in_driver(), "status.state", -1, -1);
  TEXT(&t, "an engine did not stop when it was told to; PRESIL_RESET_HARD resets the SoC");
  return PRESIL_HARDWARE;
}

presil_status presil_device_reset(presil_device* d, presil_reset kind) {
  if (!presil_is_open(d)) return PRESIL_REFUSED;
  presil_lock(d);
  presil_status status;
  if (kind == PRESIL_RESET_HARD && !d->port.reset) {
    status =
        refuse(d, "reset", "this port cannot reset the SoC; PRESIL_RESET_SOFT stops every queue");
  } else if (d->off) {
    status = refuse(d, "power", "the device is without power; presil_device_set_power first");
  } else {
    const uint8_t depth = d->depth;
    d->depth = 0; /* nothing begins meanwhile */
    for (unsigned i = 0; i < PRESIL_MOST_JOBS; ++i) {
      presil_job_record* r = &d->jobs[i];
      if (r->network && r->info.state != PRESIL_JOB_ENDED) presil_end_job(d, r, PRESIL_CANCELLED);
    }
    d->running_count = 0;
    status = kind == PRESIL_RESET_HARD ? hard(d) : soft(d);
    d->depth = depth;
    presil_log(d, PRESIL_EVENT_RESET, UINT32_MAX);
  }
  presil_tell_ended(d);
  presil_unlock(d);
  return status;
}

presil_status presil_device_set_power(presil_device* d, bool on) {
  if (!presil_is_open(d)) return PRESIL_REFUSED;
  presil_lock(d);
  presil_status status = PRESIL_OK;
  if (!on && presil_in_flight(d, NULL)) {
    status = refuse(d, "power", "a job is in flight; wait for it or cancel it first");
  } else if (on == d->off) {
    if (!on) presil_device_stop(d);
    if (d->port.power && d->port.power(d->port.self, on) != 0) {
      presil_text t = presil_error_begin(d, PRESIL_HARDWARE, presil_in_driver(), "power", on, -1);
      TEXT(&t, "the port could not switch the power of the engines");
      status = PRESIL_HARDWARE;
    }
    d->off = status == PRESIL_OK ? !on : d->off;
    if (!d->off) presil_device_start(d);
    d->counters_of = NULL;
    for (unsigned q = 0; q < PRESIL_QUEUES; ++q) d->level_known[q] = false;
  }
  presil_unlock(d);
  return status;
}
