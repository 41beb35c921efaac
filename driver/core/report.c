/* What the hardware says, as sentences. */
#include "driver/core/device.h"

#define FIELD(word, name) (((word)&PRESIL_QUEUE_##name##_MASK) >> PRESIL_QUEUE_##name##_SHIFT)

static const char* error_name(uint32_t code) {
  static const char* const names[] = {
      "no error",
      "the job entry is not legal",
      "the job's context or its counters are not legal",
      "isa_version of the command is not the engine's",
      "the operation is not defined",
      "a reserved bit is 1",
      "a field is outside its range",
      "the command requires a feature that this hardware lacks",
      "an address or pitch is misaligned",
      "a rule between fields is broken",
      "an address is outside the SRAM or its region",
      "a counter is outside those of the job",
      "source and destination differ in length",
      "a data access was answered with a bus error",
      "fetching a command or job entry was answered with a bus error",
      "the doorbell ran past the ring",
      "a program of the DSP has trapped",
      "memory has an error that ECC cannot correct",
      "it does not have the CRC of its words, memory has changed: load the network again",
  };
  return code < sizeof names / sizeof names[0] ? names[code] : "an unknown error code";
}

void presil_report_engine_error(presil_network* n, unsigned queue) {
  presil_device* d = n->device;
  const uint64_t registers = presil_queue_registers(d, queue);
  const uint32_t error = presil_read(d, registers + PRESIL_QUEUE_REG_ERROR);
  const uint32_t index = presil_stream_index(
      n, queue, presil_read(d, registers + PRESIL_QUEUE_REG_ERROR_COMMAND_INDEX));
  const uint32_t job = presil_read(d, registers + PRESIL_QUEUE_REG_ERROR_JOB_TAG);
  const uint64_t address = presil_read(d, registers + PRESIL_QUEUE_REG_ERROR_ADDRESS) |
                           (uint64_t)presil_read(d, registers + PRESIL_QUEUE_REG_ERROR_ADDRESS_HI)
                               << 32;
  const uint32_t code = FIELD(error, ERROR_CODE), rule = FIELD(error, ERROR_RULE),
                 word = FIELD(error, ERROR_WORD);
  const presil_where at = {presil_queue_name(queue), index == UINT32_MAX ? -1 : (int64_t)index,
                           presil_network_layer(n, queue, index)};
  const presil_engine_driver* driver = presil_engine_driver_of(queue);
  if (driver->report_error && driver->report_error(n, queue, at, code)) return;
  presil_text t = presil_error_begin(d, PRESIL_HARDWARE, at, "error", code, 0);
  TEXT(&t, "the hardware stopped: ", error_name(code), " (code ", code);
  if (rule) TEXT(&t, ", rule R", rule);
  if (word) TEXT(&t, ", word ", word);
  if (address) TEXT(&t, ", address ", presil_in_hex(address));
  TEXT(&t, ", job ", job, ")");
  if (index == UINT32_MAX) TEXT(&t, " in the job entry");
  TEXT(&t, "; the job has ended without a result");
}

/* The signalling queue's command with which its counter reaches `value` (relative to the job). */
static bool signaller(const presil_network* n, unsigned queue, int64_t value, uint32_t* index) {
  const presil_engine_description* engine = presil_engine_of(queue);
  int64_t sum = 0;
  for (uint32_t i = 0; i < n->streams[queue].commands; ++i) {
    const uint32_t* words = presil_network_command(n, queue, i);
    if (presil_engine_get(engine, words, engine->signal))
      sum += presil_engine_get(engine, words, engine->signal_add);
    if (sum >= value) {
      *index = i;
      return true;
    }
  }
  return false;
}

static void name_command(presil_text* t, const presil_network* n, unsigned queue, uint32_t index) {
  const char* const layer = presil_network_layer(n, queue, index);
  TEXT(t, presil_queue_name(queue), " command ", index);
  if (layer) TEXT(t, " (layer ", layer, ")");
}

/* The oldest command that has not ended; false: the queue has nothing left to run. */
static bool oldest(const presil_network* n, unsigned queue, uint32_t* index) {
  presil_device* d = n->device;
  if (!presil_queue_exists(d, queue)) { /* the driver walks it */
    *index = n->job.host_next;
  } else {
    const uint64_t registers = presil_queue_registers(d, queue);
    const uint32_t state =
        presil_read(d, registers + PRESIL_QUEUE_REG_STATUS) & PRESIL_QUEUE_STATUS_STATE_MASK;
    if (state == PRESIL_QUEUE_STATE_IDLE) return false;
    *index =
        presil_stream_index(n, queue, presil_read(d, registers + PRESIL_QUEUE_REG_CURRENT_COMMAND));
  }
  return *index < n->streams[queue].commands;
}

/* One queue that has not ended: what its oldest command waits for, or that it works. */
static void report_queue(presil_text* t, presil_network* n, unsigned queue, bool dead) {
  presil_device* d = n->device;
  const presil_engine_description* engine = presil_engine_of(queue);
  uint32_t index = 0;
  TEXT(t, "; ");
  if (!oldest(n, queue, &index)) {
    const uint32_t id = PRESIL_QUEUE_COUNTER(queue);
    TEXT(t, presil_queue_name(queue), " has nothing to run, yet its counter ", id, " is ",
         (int32_t)(presil_count(d, id) - n->job.value_base), " of ",
         presil_segment_level(n, n->job.segment + 1, queue), ": a doorbell or a signal is lost");
    return;
  }
  name_command(t, n, queue, index);
  const uint32_t* words = presil_network_command(n, queue, index);
  for (unsigned i = 0; i < engine->waits; ++i) {
    const uint32_t id = (uint32_t)presil_engine_get(engine, words, engine->wait[i]);
    const int64_t value = presil_engine_get(engine, words, engine->value[i]);
    if (id == 0) continue;
    const uint32_t count = presil_count(d, id);
    if (presil_reached(count, (uint32_t)value + n->job.value_base)) continue;
    TEXT(t, " waits for counter ", id, " to reach ", value, ", it is ",
         (int32_t)(count - n->job.value_base));
    uint32_t by = 0;
    if (signaller(n, id - 1, value, &by)) {
      TEXT(t, ": ");
      name_command(t, n, id - 1, by);
      TEXT(t, " should signal it");
    }
    return;
  }
  TEXT(t, dead ? " has all it waits for and does not end" : " runs");
  const presil_engine_driver* driver = presil_engine_driver_of(queue);
  if (driver->report_place) driver->report_place(t, n, queue, index);
}

bool presil_was_reset(presil_device* d) {
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (!presil_queue_started(d, q)) continue;
    const uint32_t ring = (uint32_t)(d->rings.address + (uint64_t)q * PRESIL_PAGE_BYTES);
    const uint64_t registers = presil_queue_registers(d, q);
    if (presil_read(d, registers + PRESIL_QUEUE_REG_RING_BASE) != ring) return true;
  }
  return false;
}

void presil_report_hang(presil_network* n, bool dead, uint64_t timeout_ns) {
  presil_device* d = n->device;
  presil_text t = presil_error_begin(d, PRESIL_TIMED_OUT, presil_in_driver(), "timeout_ns", -1,
                                     presil_signed(timeout_ns));
  TEXT(&t, "job ", n->job.id);
  if (dead) {
    TEXT(&t, " hangs: nothing in the system can ever happen again");
  } else {
    TEXT(&t, " did not end within ", timeout_ns, " ns");
  }
  if (presil_was_reset(d)) {
    TEXT(&t, ": the SoC has been reset, its rings are gone; open it again");
    return;
  }
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    const uint32_t level = presil_segment_level(n, n->job.segment + 1, q);
    if (!n->streams[q].commands ||
        presil_reached(presil_count(d, PRESIL_QUEUE_COUNTER(q)), n->job.value_base + level))
      continue;
    report_queue(&t, n, q, dead);
  }
}
