/* The host's queue: its stream in order, as an engine would run it. A command waits for its
 * counters by the compare slot; a task runs between invalidate and clean of what it reads and
 * writes; then it signals. Engines cannot tell it from one of theirs. */
#include "driver/core/device.h"
#include "driver/core/host_task.h"
#include "rtl/host/host.h"
#include "rtl/sync/sync.h"

static void observe(presil_device* d, presil_host_state state, uint32_t counter_id, uint32_t tag) {
  if (d->port.observe) d->port.observe(d->port.self, state, counter_id, tag);
}

/* True if all counters of the command are there; else the slot is armed for the first that is not.
 */
static bool waits_met(presil_job_record* r, const uint32_t* words, uint32_t tag) {
  presil_device* d = r->network->device;
  const presil_engine_description* engine = presil_engine_of(PRESIL_QUEUE_HOST);
  for (unsigned i = 0; i < engine->waits; ++i) {
    const uint32_t id = (uint32_t)presil_engine_get(engine, words, engine->wait[i]);
    if (id == 0) continue;
    const uint32_t value =
        (uint32_t)presil_engine_get(engine, words, engine->value[i]) + r->job.value_base;
    if (presil_slot_arm(d, 0, id, value)) {
      observe(d, PRESIL_HOST_WAIT, id, tag);
      return false;
    }
  }
  return true;
}

/* Checked at load; looked at again, for the CPU's accesses no engine's limits guard. */
static bool inside(const presil_job_record* r, const struct presil_host_tensor* entry,
                   uint64_t bytes) {
  if (entry->region >= PRESIL_REGIONS) return false;
  const uint64_t room = presil_job_region(r, entry->region).bytes;
  return entry->offset <= room && bytes <= room - entry->offset;
}

static bool run_kernel(presil_job_record* r, const uint32_t* words, presil_task* cost) {
  const presil_network* n = r->network;
  const presil_port* port = &n->device->port;
  presil_host_task task = presil_host_task_of(words, n->regions[PRESIL_REGION_CONSTANTS].host);
  const uint32_t reads = presil_kernel_reads(task.kernel, task.count);
  for (uint32_t i = 0; i < task.count; ++i) {
    presil_kernel_tensor* tensor = &task.tensors[i];
    if (!inside(r, &task.entries[i], (uint64_t)presil_tensor_bytes(tensor))) return false;
    tensor->data =
        (uint8_t*)presil_job_region(r, task.entries[i].region).host + task.entries[i].offset;
    const size_t bytes = (size_t)presil_tensor_bytes(tensor);
    cost->bytes += bytes;
    if (i < reads && task.entries[i].region != PRESIL_REGION_CONSTANTS) {
      port->invalidate(port->self, tensor->data, bytes);
    }
  }
  presil_kernel_refusal refusal;
  if (!presil_kernel_run(task.kernel, task.tensors, task.count, task.attributes,
                         task.attribute_bytes, &refusal)) {
    return false;
  }
  for (uint32_t i = reads; i < task.count; ++i) {
    port->clean(port->self, task.tensors[i].data, (size_t)presil_tensor_bytes(&task.tensors[i]));
  }
  cost->kernel = task.kernel;
  cost->kernel_name = presil_kernel_price(task.kernel, task.tensors, task.count, task.attributes);
  cost->elements = presil_kernel_elements(task.kernel, task.tensors, task.count, task.attributes);
  return true;
}

static void signal_counter(presil_device* d, const uint32_t* words) {
  const presil_engine_description* engine = presil_engine_of(PRESIL_QUEUE_HOST);
  const uint32_t id = (uint32_t)presil_engine_get(engine, words, engine->signal);
  const uint32_t add = (uint32_t)presil_engine_get(engine, words, engine->signal_add);
  if (id == 0) return;
  presil_write(d, presil_in_tile(d, PRESIL_TILE_SYNC + PRESIL_SYNC_REG_SIGNAL),
               id << PRESIL_SYNC_SIGNAL_ID_SHIFT | add << PRESIL_SYNC_SIGNAL_ADD_SHIFT);
}

static void fail_at(const presil_job_record* r, const char* field, const char* why) {
  presil_network* const n = r->network;
  const presil_where at = {"host", r->job.host_next,
                           presil_network_layer(n, PRESIL_QUEUE_HOST, r->job.host_next)};
  presil_text t = presil_error_begin(n->device, PRESIL_HARDWARE, at, field, -1, -1);
  TEXT(&t, why);
}

presil_step presil_host_step(presil_job_record* r) {
  presil_network* n = r->network;
  presil_device* d = n->device;
  const presil_engine_description* engine = presil_engine_of(PRESIL_QUEUE_HOST);
  const uint32_t end = presil_segment_end(n, r->job.segment, PRESIL_QUEUE_HOST);
  for (; r->job.host_next < end; ++r->job.host_next) {
    const uint32_t* words = presil_network_command(n, PRESIL_QUEUE_HOST, r->job.host_next);
    const uint32_t tag = (uint32_t)presil_engine_get(engine, words, engine->tag);
    if (!presil_crc_right(engine->format(), words)) {
      fail_at(r, "crc",
              "the command does not have the CRC of its words: memory has changed since the "
              "driver wrote it, load the network again");
      return PRESIL_STEP_FAILED;
    }
    if (!waits_met(r, words, tag)) return PRESIL_STEP_WAIT;
    observe(d, PRESIL_HOST_RUN, 0, tag);
    presil_task cost = {0, "nop", tag, 0, 0};
    if (presil_engine_get(engine, words, PRESIL_HOST_COMMAND_OP) == PRESIL_HOST_OP_RUN &&
        !run_kernel(r, words, &cost)) {
      fail_at(r, "image",
              "the task was whole when the network was loaded and no longer is: something has "
              "written to its image");
      return PRESIL_STEP_FAILED;
    }
    d->port.spend(d->port.self, &cost);
    ++r->info.host_tasks;
    signal_counter(d, words);
    observe(d, PRESIL_HOST_IDLE, 0, tag);
  }
  return PRESIL_STEP_DONE;
}
