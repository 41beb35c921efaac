/* Gives jobs to the engines: one ring entry and one doorbell per queue. Up to `depth` jobs are in
 * the rings, so that an engine goes from one to the next without the host.
 *
 * All jobs lie on one line of counter values: each begins at the value_base where the one before
 * ends. A network that was compiled for it follows its own last job at once: its commands wait for
 * what they must not overtake. Any other job is held by its entries' barrier until all its counters
 * have reached its value_base; counters that the jobs before do not use are raised by the host.
 *
 * A network that can be preempted is given segment by segment, each alone on the engines: when they
 * have ended it, what has the highest priority is next, perhaps another job. The engines then being
 * idle, the counters are set to where a job goes on. */
#include <string.h>

#include "driver/core/device.h"
#include "rtl/common/job.h"
#include "rtl/sync/sync.h"

#define SYNC presil_in_tile(d, PRESIL_TILE_SYNC)
#define MOST_ADD 65535u  /* of one signal */
#define MOST_SIGNALS 16u /* to raise one counter: else the job waits until the engines are idle */

static void set(uint32_t* entry, unsigned field, uint64_t value) {
  presil_field_set(entry, &presil_job_entry_fields()[field], (int64_t)value);
}

/* Put together here and written once: the ring may be in memory that no cache serves. */
static void write_entry(const presil_job_record* r, const presil_memory* regions,
                        const presil_stream* stream, bool barrier, void* to) {
  const presil_network* n = r->network;
  uint32_t entry[PRESIL_JOB_ENTRY_BYTES / sizeof(uint32_t)];
  memset(entry, 0, sizeof entry);
  set(entry, PRESIL_JOB_ENTRY_VALID, 1);
  set(entry, PRESIL_JOB_ENTRY_STOP_ON_ERROR, 1);
  set(entry, PRESIL_JOB_ENTRY_BARRIER, barrier);
  set(entry, PRESIL_JOB_ENTRY_ISA_VERSION, PRESIL_JOB_ISA_VERSION);
  set(entry, PRESIL_JOB_ENTRY_TAG, r->job.id);
  set(entry, PRESIL_JOB_ENTRY_STREAM_ADDRESS, (int64_t)stream->address);
  set(entry, PRESIL_JOB_ENTRY_COMMAND_COUNT, stream->commands);
  set(entry, PRESIL_JOB_ENTRY_SYNC_COUNT, n->counters);
  set(entry, PRESIL_JOB_ENTRY_VALUE_BASE, r->job.value_base);
  if (n->sram_base) set(entry, PRESIL_JOB_ENTRY_SRAM_BASE, n->sram_base);
  for (unsigned region = 0; region < PRESIL_REGIONS; ++region) {
    if (!regions[region].bytes) continue;
    set(entry, PRESIL_JOB_ENTRY_REGION_BASE0 + region, regions[region].address);
    set(entry, PRESIL_JOB_ENTRY_REGION_LIMIT0 + region, regions[region].bytes / PRESIL_PAGE_BYTES);
  }
  presil_crc_write(presil_job_entry_format(), entry);
  memcpy(to, entry, sizeof entry);
}

/* Another network, or none, has used the counters: bring them to where this device's next job
 * begins, or goes on. No engine runs. */
static void set_counters(presil_device* d, const presil_network* n, uint32_t segment) {
  presil_write(d, SYNC + PRESIL_SYNC_REG_CONTROL, PRESIL_SYNC_CONTROL_SET_ENABLE_MASK);
  for (uint32_t id = 1; id <= n->counters; ++id) {
    const bool queue = id <= PRESIL_QUEUES;
    const uint32_t level =
        d->value_base + (queue && segment ? presil_segment_level(n, segment, id - 1) : 0);
    presil_write(d, SYNC + PRESIL_SYNC_REG_COUNT(id), level);
    if (!queue) continue;
    d->level[id - 1] = level;
    d->level_known[id - 1] = true;
  }
  presil_write(d, SYNC + PRESIL_SYNC_REG_CONTROL, 0);
  d->counters_of = n;
}

static bool used_now(presil_device* d, unsigned queue) {
  for (unsigned i = 0; i < d->running_count; ++i) {
    if (presil_running(d, i)->network->streams[queue].commands) return true;
  }
  return false;
}

/* Can all counters of the network be brought to value_base while engines run? One that a job in
 * flight uses is left alone: it comes there by itself, or the network waits. */
static bool can_raise(presil_device* d, const presil_network* n) {
  if (n->counters > PRESIL_QUEUES) return false;
  for (unsigned q = 0; q < n->counters; ++q) {
    if (!d->level_known[q]) return false;
    const uint32_t left = d->value_base - d->level[q];
    if (left && (used_now(d, q) || left > MOST_ADD * MOST_SIGNALS)) return false;
  }
  return true;
}

static void raise(presil_device* d, const presil_network* n) {
  for (unsigned q = 0; q < n->counters; ++q) {
    while (d->level[q] != d->value_base) {
      const uint32_t left = d->value_base - d->level[q];
      const uint32_t add = left < MOST_ADD ? left : MOST_ADD;
      presil_write(d, SYNC + PRESIL_SYNC_REG_SIGNAL,
                   (uint32_t)PRESIL_QUEUE_COUNTER(q) << PRESIL_SYNC_SIGNAL_ID_SHIFT |
                       add << PRESIL_SYNC_SIGNAL_ADD_SHIFT);
      d->level[q] += add;
    }
  }
}

/* Does the job, or its segment, have commands of a queue with a ring? */
static bool rings(const presil_device* d, const presil_job_record* r, unsigned q) {
  return r->network->streams[q].commands && presil_queue_started(d, q) &&
         !presil_passes(r->network, r->job.segment, q);
}

/* The job gets its value_base; one that goes on at once has it. */
static void begin(presil_device* d, presil_job_record* r) {
  presil_job_record* const before = d->at_border;
  d->at_border = NULL;
  if (before == r && r->job.segment) return;
  if (before && before->network && before->job.segment) {
    ++before->info.held;
    presil_log(d, PRESIL_EVENT_HELD, before->job.id);
  }
  r->job.value_base = d->value_base;
  d->value_base += r->network->job_span;
  if (r->job.segment) {
    presil_log(d, PRESIL_EVENT_RESUMED, r->job.id);
    return;
  }
  r->job.host_next = 0;
  r->info.started_ns = d->port.now_ns(d->port.self);
  presil_log(d, PRESIL_EVENT_STARTED, r->job.id);
}

/* Does it get the engines only when they have nothing, and no other job until it has ended? */
static bool is_alone(const presil_job_record* r) {
  return r->network->segments || r->counters;
}

static void give(presil_device* d, presil_job_record* r, bool barrier) {
  const presil_network* n = r->network;
  begin(d, r);
  r->info.state = PRESIL_JOB_RUNNING;
  d->running[d->running_count++] = (uint8_t)(r - d->jobs);
  d->counters_of = n;
  presil_memory regions[PRESIL_REGIONS];
  for (unsigned region = 0; region < PRESIL_REGIONS; ++region)
    regions[region] = presil_job_region(r, region);
  const presil_memory* const inputs = &regions[PRESIL_REGION_INPUTS];
  d->port.clean(d->port.self, inputs->host, inputs->bytes);
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (!n->streams[q].commands) continue;
    d->level[q] = r->job.value_base +
                  (n->segments ? presil_segment_level(n, r->job.segment + 1, q) : n->job_span);
    if (!rings(d, r, q)) continue;
    const presil_stream stream = presil_segment_stream(n, r->job.segment, q);
    const uint32_t slot = d->tail[q] & ((1u << PRESIL_RING_LOG2) - 1);
    uint8_t* ring = (uint8_t*)d->rings.host + (size_t)q * PRESIL_PAGE_BYTES;
    uint8_t* entry = ring + (size_t)slot * PRESIL_JOB_ENTRY_BYTES;
    write_entry(r, regions, &stream, barrier, entry);
    d->port.clean(d->port.self, entry, PRESIL_JOB_ENTRY_BYTES);
  }
  presil_counting_begins(r);
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (rings(d, r, q))
      presil_write(d, presil_queue_registers(d, q) + PRESIL_QUEUE_REG_TAIL, ++d->tail[q]);
  }
}

void presil_dispatch(presil_device* d) {
  while (d->running_count < d->depth && !d->stuck && !d->off) {
    presil_job_record* r = presil_next_queued(d);
    if (!r) return;
    bool barrier = false;
    if (d->running_count && (is_alone(r) || is_alone(presil_running(d, 0)))) return;
    if (d->running_count == 0) {
      const bool goes_on = r->job.segment && d->at_border == r;
      if (!goes_on && (r->job.segment || d->counters_of != r->network))
        set_counters(d, r->network, r->job.segment);
    } else if (d->counters_of != r->network || !r->network->overlaps) {
      if (!can_raise(d, r->network)) return;
      raise(d, r->network);
      barrier = true;
    }
    give(d, r, barrier);
  }
}

void presil_take_back(presil_device* d) {
  for (unsigned i = 0; i < d->running_count; ++i) {
    presil_job_record* r = presil_running(d, i);
    if (r->info.state != PRESIL_JOB_RUNNING) continue;
    if (d->stuck) {
      presil_end_job(d, r, PRESIL_HARDWARE);
      continue;
    }
    r->info.state = PRESIL_JOB_QUEUED;
    r->job.segment = r->info.borders = 0;
    ++r->info.restarts;
    presil_log(d, PRESIL_EVENT_RESTARTED, r->job.id);
  }
  d->running_count = 0;
}
