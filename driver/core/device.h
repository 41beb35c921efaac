/* What a device and a network hold. Both live in the caller's storage. */
#ifndef PRESIL_DRIVER_DEVICE_H
#define PRESIL_DRIVER_DEVICE_H

#include "driver/core/engine.h"
#include "driver/core/hash.h"
#include "driver/core/loadable.h"
#include "driver/core/text.h"
#include "presil/presil.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PRESIL_RING_LOG2 2u /* 4 entries; one job is in flight */
#define PRESIL_MAX_EDGES 16 /* inputs, and outputs, of a network */
#define PRESIL_PAGE_BYTES 4096u
/* Register control of a queue that works: it fetches, and looks at the CRC of what it fetches. */
#define PRESIL_QUEUE_WORKS (PRESIL_QUEUE_CONTROL_ENABLE_MASK | PRESIL_QUEUE_CONTROL_CHECK_MASK)

struct presil_device {
  presil_port port;
  uint32_t tile;                            /* whose engines it drives */
  uint8_t queues[PRESIL_ENGINE_MOST_KINDS]; /* that an engine of each kind has here; 0: none */
  uint8_t instances[PRESIL_ENGINE_MOST_KINDS];
  bool started[PRESIL_QUEUES];                          /* set up */
  const uint64_t* parameters[PRESIL_ENGINE_MOST_KINDS]; /* of engines from outside */
  presil_capability capability;
  presil_error_info error;
  char stamp[2 * PRESIL_SHA256_BYTES + 1]; /* of the SoC; empty: not known */
  presil_memory rings;                     /* one page a queue */
  uint16_t tail[PRESIL_QUEUES];            /* doorbells rung so far */
  uint32_t value_base;                     /* what the counters of `counters_of` have reached */
  const presil_network* counters_of;       /* NULL: the counters hold anything */
  presil_network* running;                 /* whose job is in flight */
  uint32_t jobs;                           /* submitted so far */
  bool stuck;                              /* an engine did not stop when told to */
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

/* A job in flight. */
typedef struct presil_job {
  uint32_t id;
  uint32_t value_base;
  uint32_t host_next; /* host command that is next */
} presil_job;

struct presil_network {
  presil_device* device;
  presil_memory regions[PRESIL_REGIONS]; /* bytes 0: not used */
  presil_memory map;                     /* layers and names, for errors: CPU only */
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
  presil_job job;
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

/* checksum.c: NULL if the last PRESIL_CHECKSUM_BYTES are the SHA-256 of all before them, else what
 * is wrong with the file. */
#define PRESIL_CHECKSUM_BYTES PRESIL_SHA256_BYTES
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

/* recover.c: stops every engine, moves queues and counters past the job in flight. */
void presil_recover(presil_network* network);

/* host_queue.c: outcome of running the host's stream */
typedef enum presil_step { PRESIL_STEP_DONE, PRESIL_STEP_WAIT, PRESIL_STEP_FAILED } presil_step;
/* Runs host commands as far as counters allow. WAIT: the compare slot will interrupt. */
presil_step presil_host_step(presil_network* network);

/* wait.c: a compare slot for (counter id, value). False: the counter is there already, no slot is
 * set. */
bool presil_slot_arm(presil_device* device, uint32_t id, uint32_t value);

#ifdef __cplusplus
}
#endif

#endif
