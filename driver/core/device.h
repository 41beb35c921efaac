/* What a device and a network hold. Both live in the caller's storage. */
#ifndef PRESIL_DRIVER_DEVICE_H
#define PRESIL_DRIVER_DEVICE_H

#include "driver/core/engine.h"
#include "driver/core/loadable.h"
#include "driver/core/text.h"
#include "presil/presil.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PRESIL_RING_LOG2 2u /* 4 entries: PRESIL_MOST_DEPTH */
#define PRESIL_USUAL_DEPTH 2u
#define PRESIL_LAST_TILE ((PRESIL_DRAM_BASE >> PRESIL_TILE_SHIFT) - 1)
#define PRESIL_MAX_EDGES 16 /* inputs, and outputs, of a network */
#define PRESIL_PAGE_BYTES 4096u
/* Register control of a queue that works: it fetches, and looks at the CRC of what it fetches. */
#define PRESIL_QUEUE_WORKS (PRESIL_QUEUE_CONTROL_ENABLE_MASK | PRESIL_QUEUE_CONTROL_CHECK_MASK)

/* What a report says of a job. */
typedef struct presil_job {
  uint32_t id;
  uint32_t value_base;
  uint32_t host_next; /* host command that is next */
  uint32_t segment;   /* that is next, or that the engines have */
} presil_job;

/* A job from its submission until its program knows that it has ended. */
typedef struct presil_job_record {
  presil_network* network; /* NULL: a free record */
  presil_job job;
  presil_job_info info;
  uint8_t set;             /* of the network's memory */
  presil_buffer buffer[2]; /* of the program: inputs, outputs; host NULL: the network's own */
  presil_job_ended* ended;
  void* user;
  uint64_t* counters; /* of the program; NULL: they are not read */
} presil_job_record;

struct presil_device {
  presil_port port;
  uint32_t tile;                            /* whose engines it drives */
  uint8_t queues[PRESIL_ENGINE_MOST_KINDS]; /* that an engine of each kind has here; 0: none */
  uint8_t instances[PRESIL_ENGINE_MOST_KINDS];
  bool started[PRESIL_QUEUES];                          /* set up */
  const uint64_t* parameters[PRESIL_ENGINE_MOST_KINDS]; /* of engines from outside */
  presil_capability capability;
  presil_error_info error;
  char stamp[64 + 1];           /* of the SoC: a SHA-256 in hexadecimal digits; empty: not known */
  presil_memory rings;          /* one page a queue */
  uint16_t tail[PRESIL_QUEUES]; /* doorbells rung so far */
  uint32_t value_base;          /* where the next job begins */
  const presil_network* counters_of; /* whose counters reach value_base; NULL: none's */
  uint32_t level[PRESIL_QUEUES];     /* by queue: what its counter reaches, */
  bool level_known[PRESIL_QUEUES];   /* if that is known */
  presil_job_record jobs[PRESIL_MOST_JOBS];
  uint8_t running[PRESIL_MOST_DEPTH]; /* records of what the engines have, oldest first */
  uint8_t running_count, depth;
  uint8_t holds;                /* networks on hold */
  presil_job_record* at_border; /* the engines have ended a segment of it, and counters stand there;
                                 * NULL: of none */
  uint32_t submitted;           /* jobs so far: their ids */
  bool second_slot;             /* has been armed */
  bool stuck;                   /* an engine did not stop when told to */
  bool off;                     /* without power */
  presil_event events[PRESIL_EVENTS];
  uint32_t event_count; /* so far */
};

typedef struct presil_edge {
  presil_tensor_info info; /* its name lies in the network's map */
  uint32_t region;
  uint64_t offset;
} presil_edge;

/* A function of a DSP image. */
typedef struct presil_symbol {
  uint32_t image_crc;
  uint32_t address, bytes;
  uint32_t name; /* offset in the network's names */
} presil_symbol;

/* Where a queue stands at the border before a segment: segments.c. */
typedef struct presil_cut {
  uint32_t command; /* the first after it */
  uint32_t level;   /* of the queue's counter, from value_base on */
  uint32_t offset;  /* of the segment's stream in the copies */
} presil_cut;

struct presil_network {
  presil_device* device;
  presil_memory regions[PRESIL_REGIONS]; /* bytes 0: not used; of set 0 */
  presil_network *same, *same_before;    /* a ring of networks that have the constants in common */
  uint32_t checksum;                     /* of their loadable */
  presil_memory more[PRESIL_MOST_SETS - 1][PRESIL_REGIONS]; /* of further sets; constants: none */
  presil_memory map; /* layers and names, for errors: CPU only */
  struct {
    uint32_t commands; /* 0: the queue is not used */
    uint64_t offset;   /* in the image */
  } streams[PRESIL_QUEUES];
  uint32_t job_span;
  uint32_t counters;
  uint32_t inputs, outputs;
  presil_edge input[PRESIL_MAX_EDGES], output[PRESIL_MAX_EDGES];
  uint32_t commands, layers;   /* of the map */
  const int32_t* layer_of_tag; /* commands entries */
  const uint32_t* layer_name;  /* layers entries: offset in names */
  uint32_t tensors, symbols;   /* of the map, where the network uses the DSP; else 0 */
  const uint32_t* tensor_name; /* tensors entries: offset in names */
  const presil_symbol* symbol; /* symbols entries */
  const char* names;
  bool on_hold;                       /* by its program */
  uint32_t sram_base, sram_bytes;     /* of the SRAM: what its commands touch */
  uint32_t segments;                  /* its jobs are given so; 0: whole */
  uint32_t used_queues;               /* that have commands, */
  uint8_t used_queue[PRESIL_QUEUES];  /* and which of these a queue is */
  const presil_cut* cuts;             /* by segment and used queue; one more than segments */
  const uint32_t* begins;             /* layer with which a segment begins */
  presil_memory cut_memory, copies;   /* of the cuts: CPU only; of the streams */
  bool overlaps;                      /* its streams wait for the job before where they must */
  uint8_t sets, next_set, last_set;   /* of memory: all, of the next job, of the last waited for */
  uint32_t set_job[PRESIL_MOST_SETS]; /* which job has used it last, */
  bool set_used[PRESIL_MOST_SETS];    /* if one has */
  presil_job job;                     /* of reports */
  presil_error_info error;
  uint32_t failed_job; /* which `error` tells of, if a job's */
};

/* error.c: begins the story of a failure; TEXT the rest of the sentence to what it returns. */
struct presil_where {
  const char* block; /* "dla", "driver" */
  int64_t command;   /* -1: none */
  const char* layer; /* NULL: none */
};
presil_text presil_error_begin(presil_device* device, presil_status status, presil_where where,
                               const char* field, int64_t got, int64_t expected);
void presil_error_clear(presil_device* device);
/* For `got` and `expected`: what does not fit is given as the largest number. */
static inline int64_t presil_signed(uint64_t v) {
  return v > INT64_MAX ? INT64_MAX : (int64_t)v;
}
static inline presil_where presil_in_driver(void) {
  const presil_where where = {"driver", -1, NULL};
  return where;
}

/* command_crc.c: the CRC of a command, or job entry, in its field; a format without one has none.
 */
void presil_crc_write(const struct presil_command_format* format, uint32_t* words);
bool presil_crc_right(const struct presil_command_format* format, const uint32_t* words);

/* checksum.c: NULL if the last PRESIL_CHECKSUM_BYTES are the CRC-32 of all before them, else what
 * is wrong with the file. */
#define PRESIL_CHECKSUM_BYTES 4u
const char* presil_checksum_check(const void* bytes, size_t size);

/* load_check.c: for this SoC and whole; fills the network's inputs and outputs and the
 * limits' regions. */
presil_status presil_load_check(presil_device* device, const presil_loadable* loadable,
                                presil_network* network, presil_limits* limits);
uint64_t presil_region_bytes(const presil_loadable* loadable, uint32_t region);

/* stream_check.c: a walk over streams, and its reading. */
typedef struct presil_walk {
  presil_device* device;
  const presil_loadable* loadable;
  const presil_limits* limits;
  presil_loadable_stream streams[PRESIL_QUEUES]; /* by queue; commands 0: not used */
} presil_walk;
void presil_walk_words(const presil_walk* w, unsigned queue, uint32_t index, uint32_t* words);
presil_where presil_walk_where(const presil_walk* w, unsigned queue, uint32_t index,
                               const uint32_t* words);

/* stream_check.c: every command of every stream, then all streams together; false: the error is
 * set. */
bool presil_streams_check(presil_device* device, const presil_loadable* loadable,
                          const presil_limits* limits);

/* device.c: one queue, before and when it is used. */
presil_status presil_queue_check_idle(presil_device* device, unsigned queue);
void presil_queue_start(presil_device* device, unsigned queue);
/* Checked and set up, unless it already is. */
presil_status presil_queue_prepare(presil_device* device, unsigned queue);

/* registers.c */
/* Addresses: in the device's tile; of an engine's registers; of a queue's block of them. */
static inline uint64_t presil_in_tile(const presil_device* device, uint32_t offset) {
  return PRESIL_TILE_BASE(device->tile) + offset;
}
uint64_t presil_engine_registers(const presil_device* device, unsigned queue);
uint64_t presil_queue_registers(const presil_device* device, unsigned queue);
static inline uint32_t presil_read(presil_device* device, uint64_t address) {
  return device->port.read32(device->port.self, address);
}
static inline void presil_write(presil_device* device, uint64_t address, uint32_t value) {
  device->port.write32(device->port.self, address, value);
}
uint32_t presil_count(presil_device* device, uint32_t id); /* a counter of sync */
static inline bool presil_reached(uint32_t counter, uint32_t value) {
  return (int32_t)(counter - value) >= 0;
}
/* Does the SoC have it, as an engine's queue with registers? */
bool presil_queue_exists(const presil_device* device, unsigned queue);
/* And is it set up? */
bool presil_queue_started(const presil_device* device, unsigned queue);

/* report.c */
void presil_report_engine_error(presil_network* network, unsigned queue);
void presil_report_hang(presil_network* network, bool dead, uint64_t timeout_ns);
/* A queue's registers are not what the driver has written: the tile has been reset. */
bool presil_was_reset(presil_device* device);

/* network.c */
const uint32_t* presil_network_command(const presil_network* network, unsigned queue,
                                       uint32_t index);
const char* presil_network_layer(const presil_network* network, unsigned queue,
                                 uint32_t index); /* NULL: none */

/* What `map` is too: whole pages, zero. */
bool presil_network_allocate(presil_device* device, uint64_t bytes, presil_memory* memory);

/* segments.c: a network whose jobs are given whole has one segment. */
void presil_segments_release(presil_network* network);
uint32_t presil_network_segments(const presil_network* network);
typedef struct presil_stream {
  uint64_t address;
  uint32_t commands; /* 0: the queue has none in this segment */
  uint32_t first;    /* of the network's stream, */
  uint32_t repeated; /* after so many that are there again */
} presil_stream;
presil_stream presil_segment_stream(const presil_network* network, uint32_t segment,
                                    unsigned queue);
/* The network's first command of the queue after the segment. */
uint32_t presil_cut_command(const presil_network* network, uint32_t segment, unsigned queue);
static inline uint32_t presil_segment_end(const presil_network* network, uint32_t segment,
                                          unsigned queue) {
  const uint32_t all = network->streams[queue].commands;
  return all && network->segments ? presil_cut_command(network, segment + 1, queue) : all;
}
/* Has the queue, which has commands, none in this segment? */
static inline bool presil_passes(const presil_network* network, uint32_t segment, unsigned queue) {
  return network->segments && presil_cut_command(network, segment, queue) ==
                                  presil_cut_command(network, segment + 1, queue);
}
/* Of the queue's counter before the segment, from value_base on. */
uint32_t presil_segment_level(const presil_network* network, uint32_t segment, unsigned queue);
/* Index in the network's stream of the command with this index in the ring entry's, of the segment
 * that `network->job` is in. */
uint32_t presil_stream_index(const presil_network* network, unsigned queue, uint32_t index);

/* recover.c: stops every engine, moves queues and counters past all jobs that they have. */
void presil_recover(presil_device* device);

/* job_table.c */
presil_job_record* presil_record_of(presil_network* network, uint32_t job); /* NULL: none */
presil_job_record* presil_running(presil_device* device, unsigned order);   /* oldest: 0 */
/* Of those that wait for a ring entry; NULL: none does. */
presil_job_record* presil_next_queued(presil_device* device);
uint32_t presil_in_flight(const presil_device* device, const presil_network* network);
/* A region of the record's job: the program's buffer, or of its set. */
presil_memory presil_job_region(const presil_job_record* record, unsigned region);
/* Takes out all jobs of the network, of every one for NULL. */
void presil_forget_jobs(presil_device* device, const presil_network* network);
/* Its callback is called, with the device unlocked; of all that have ended. */
void presil_tell_ended(presil_device* device);
/* The record has ended so. */
void presil_end_job(presil_device* device, presil_job_record* record, presil_status status);

/* dispatch.c: gives the engines what waits, as far as depth and counters allow. */
void presil_dispatch(presil_device* device);
/* Forgets what the engines had, after they were stopped: the jobs wait again. */
void presil_take_back(presil_device* device);

/* progress.c: everything that can be done now. WAIT: a compare slot will interrupt. FAILED: a job
 * has ended so. */
typedef enum presil_step { PRESIL_STEP_DONE, PRESIL_STEP_WAIT, PRESIL_STEP_FAILED } presil_step;
presil_step presil_progress(presil_device* device);
/* Looks at the interrupt lines; false: a job has failed. */
bool presil_service(presil_device* device);
/* This job has failed, the error is set: engines stop, others begin again. */
void presil_fail(presil_device* device, presil_job_record* record);

/* host_queue.c: runs host commands as far as counters allow. */
presil_step presil_host_step(presil_job_record* record);

/* slot.c: a compare slot for (counter id, value). False: the counter is there already, no slot is
 * set. */
bool presil_slot_arm(presil_device* device, unsigned slot, uint32_t id, uint32_t value);

/* counters.c: before the engines get a segment of the job, and after they have ended it. */
void presil_counting_begins(const presil_job_record* record);
void presil_counting_ends(const presil_job_record* record);

/* events.c */
void presil_log(presil_device* device, presil_event_kind kind, uint32_t job);

/* device.c: rings, interrupts, counters' limit; of an idle SoC. */
void presil_device_start(presil_device* device);
void presil_device_stop(presil_device* device);

/* handle.c: is it one that calls can use? If it is none the error says why. */
bool presil_is_open(presil_device* device);
/* Of a network that is loaded, on a device that is open; else NULL, and the errors say why. */
presil_device* presil_device_of(presil_network* network);
presil_status presil_refuse_argument(presil_device* device, const char* field, const char* text);

static inline void presil_lock(presil_device* device) {
  if (device->port.lock) device->port.lock(device->port.self);
}
static inline void presil_unlock(presil_device* device) {
  if (device->port.unlock) device->port.unlock(device->port.self);
}

#ifdef __cplusplus
}
#endif

#endif
