#include "tests/ports/steps.h"

#include <string.h>

const char* const port_step_names[PORT_STEPS] = {"load",   "run",      "compare", "in flight",
                                                 "cancel", "time out", "recover"};

typedef struct state {
  const port_world* world;
  presil_device* device;
  presil_network* network;
  uint32_t job;
} state;

static const char* told(const state* s, const char* otherwise) {
  const char* text = presil_error(s->device)->text;
  return text[0] ? text : otherwise;
}

static presil_status start(state* s, uint32_t* job) {
  presil_tensor_info info;
  presil_network_input_info(s->network, 0, &info);
  memcpy(presil_network_input(s->network, 0), s->world->input, info.bytes);
  return presil_job_submit(s->network, job);
}

static const char* exact(const state* s, uint32_t job) {
  presil_tensor_info info;
  presil_network_output_info(s->network, 0, &info);
  const uint8_t* got = presil_job_output(s->network, job, 0);
  const uint8_t* expected = s->world->expected;
  if (!got) return "the job has no output";
  for (size_t i = 0; i < info.bytes; ++i) {
    if (got[i] != expected[i]) return "a byte of the output differs";
  }
  return NULL;
}

static const char* load(state* s) {
  const port_world* w = s->world;
  if (presil_open(w->port, w->device, w->device_bytes, &s->device) != PRESIL_OK)
    return told(s, "the device does not open");
  if (w->stamp) presil_device_set_stamp(s->device, w->stamp);
  if (presil_network_load(s->device, w->loadable, w->loadable_bytes, w->network, w->network_bytes,
                          &s->network) != PRESIL_OK)
    return told(s, "the network does not load");
  if (presil_network_set_in_flight(s->network, 2) != PRESIL_OK)
    return told(s, "no memory for two jobs");
  return NULL;
}

static const char* run(state* s) {
  if (start(s, &s->job) != PRESIL_OK) return told(s, "the job is not taken");
  if (presil_job_wait(s->network, s->job, s->world->timeout_ns) != PRESIL_OK)
    return told(s, "the job does not end");
  return NULL;
}

static const char* compare(state* s) {
  return exact(s, s->job);
}

static const char* in_flight(state* s) {
  uint32_t first, second;
  if (start(s, &first) != PRESIL_OK || start(s, &second) != PRESIL_OK)
    return told(s, "two jobs are not taken");
  const uint32_t jobs[] = {first, second};
  for (unsigned i = 0; i < 2; ++i) {
    if (presil_job_wait(s->network, jobs[i], s->world->timeout_ns) != PRESIL_OK)
      return told(s, "one of two jobs does not end");
    const char* differs = exact(s, jobs[i]);
    if (differs) return differs;
  }
  return NULL;
}

static const char* cancel(state* s) {
  uint32_t job, other;
  if (start(s, &job) != PRESIL_OK || start(s, &other) != PRESIL_OK)
    return told(s, "two jobs are not taken");
  if (presil_job_cancel(s->network, job) != PRESIL_CANCELLED)
    return told(s, "the job is not cancelled");
  if (presil_job_wait(s->network, other, s->world->timeout_ns) != PRESIL_OK)
    return told(s, "the job beside a cancelled one does not end");
  return exact(s, other);
}

static const char* time_out(state* s) {
  if (start(s, &s->job) != PRESIL_OK) return told(s, "the job is not taken");
  if (presil_job_wait(s->network, s->job, 1) != PRESIL_TIMED_OUT)
    return "a job has ended within a nanosecond";
  const char* const text = presil_error(s->device)->text;
  if (text[0] == 0) return "a timeout without a report";
  if (presil_job_cancel(s->network, s->job) != PRESIL_CANCELLED)
    return told(s, "the job is not cancelled");
  return NULL;
}

static const char* recover(state* s) {
  if (presil_device_reset(s->device, PRESIL_RESET_SOFT) != PRESIL_OK)
    return told(s, "the device is not reset");
  const char* wrong = run(s);
  if (!wrong) wrong = exact(s, s->job);
  presil_network_unload(s->network);
  presil_close(s->device);
  return wrong;
}

const char* port_steps(const port_world* world, unsigned* done) {
  static const char* (*const steps[PORT_STEPS])(state*) = {load,   run,      compare, in_flight,
                                                           cancel, time_out, recover};
  state s = {world, NULL, NULL, 0};
  for (*done = 0; *done < PORT_STEPS; ++*done) {
    const char* const wrong = steps[*done](&s);
    if (wrong) return wrong;
  }
  return NULL;
}
