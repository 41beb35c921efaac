/* presil: run compiled networks on a SoC with a DLA, DMA engines and an ARM host.
 *
 * One header for every port (model, mock, RTL, bare metal, Linux): the same program, unchanged,
 * runs on all of them. C11, no heap: the caller provides the storage of a device and of a network.
 * Functions return a status; presil_error() then tells the whole story in one sentence.
 * Several networks share a device, and several threads where its port has `lock` and `unlock`: each
 * thread then uses networks of its own, and presil_network_error() for what its calls have met.
 */
#ifndef PRESIL_PRESIL_H
#define PRESIL_PRESIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "presil/port.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rises when a program must be compiled again: a structure or a function's meaning has changed. */
#define PRESIL_ABI 3

#if defined(__GNUC__) && !defined(__arm__)
#pragma GCC visibility push(default) /* all else of the driver is hidden */
#endif

typedef enum presil_status {
  PRESIL_OK = 0,
  PRESIL_REFUSED =
      2, /* bad argument, bad loadable, loadable for another SoC; nothing was touched */
  PRESIL_HARDWARE = 3,  /* an engine reported an error, or the bus did */
  PRESIL_TIMED_OUT = 4, /* the job did not end in time; the error text names the waiting queues */
  PRESIL_CANCELLED = 5,
  PRESIL_NO_MEMORY = 6
} presil_status;

/* What went wrong, where. Numbers are -1 where there is nothing to say. */
typedef struct presil_error_info {
  presil_status status;
  char block[16];  /* "dla", "dma1", "sync", "driver", ... */
  int64_t command; /* index in the block's stream */
  char layer[64];  /* name from the loadable's debug map */
  char field[32];  /* command field or register */
  int64_t got;
  int64_t wanted;  /* the violated bound */
  char text[1024]; /* all of it, as a sentence: component, field, value, requirement, remedy */
} presil_error_info;

/* What the silicon at the port is, read from its capability registers. */
typedef struct presil_capability {
  uint8_t isa_version;
  uint16_t dla_macs_k, dla_macs_c, dla_acc_depth;
  uint8_t dla_int16, dla_int4, dla_int2;
  uint8_t dma_channels;
  uint8_t dsp; /* 1: there is a vector DSP */
  uint8_t counters;
  uint32_t sram_bytes;
} presil_capability;

typedef struct presil_device presil_device;
typedef struct presil_network presil_network;

/* Memory that host and engines share: `host` is the CPU's view, `address` the engines'. */
typedef struct presil_buffer {
  void* host;
  uint64_t address;
  size_t bytes;
} presil_buffer;

/* One tensor at the network's edge; NHWC, little-endian. */
typedef struct presil_tensor_info {
  const char* name;
  const char* dtype; /* "int8", "float32", ... */
  uint32_t rank;
  int64_t shape[8];
  size_t bytes;
  float scale; /* 0 where not quantised */
  int32_t zero_point;
} presil_tensor_info;

size_t presil_device_bytes(void);
size_t presil_network_bytes(void);

/* Opens the SoC at a port: reads its capabilities, sets up job rings and interrupts.
 * @param storage at least presil_device_bytes(), aligned to 16 bytes; lives as long as the device
 * @param device on failure it answers presil_error only, or is NULL when there was no storage for
 * it */
presil_status presil_open(const presil_port* port, void* storage, size_t storage_bytes,
                          presil_device** device);
void presil_close(presil_device* device);
/* The same of tile `tile`: a device is one tile, whose registers begin at tile << 26, and the port
 * brings that tile's interrupts. presil_open is of tile 0. */
presil_status presil_open_tile(const presil_port* port, uint32_t tile, void* storage,
                               size_t storage_bytes, presil_device** device);
/* Which tile it is, and how many the SoC has; reads a register. 0 where the device is not open. */
uint32_t presil_device_tile(const presil_device* device);
uint32_t presil_device_tiles(presil_device* device);

/* The SHA-256 (hex) of the configuration this device was built with, told by its builder; a
 * loadable compiled for another one is refused. presil_open takes it from the host block's
 * registers where they hold one. NULL: not known, capability registers decide alone. */
void presil_device_set_stamp(presil_device* device, const char* soc_sha256);

/* How an engine from outside was built: its parameters in the order of its engine.yaml, told by the
 * device's builder as the stamp is; the check of its commands reads them. Until then networks that
 * use it are refused.
 * @param parameters live as long as the device
 * @return false: no engine of this name has joined */
bool presil_device_set_parameters(presil_device* device, const char* engine,
                                  const uint64_t* parameters);

presil_capability presil_device_capability(const presil_device* device);
const presil_error_info* presil_error(const presil_device* device);

/* Buffers belong to the caller until freed; `host` and `address` are aligned to 4 KiB. */
presil_status presil_buffer_alloc(presil_device* device, size_t bytes, presil_buffer* buffer);
void presil_buffer_free(presil_device* device, presil_buffer* buffer);
/* Memory that the program already shares with the engines, such as a camera's: no copy is made, and
 * it is not freed. @param address 40-bit system address, multiple of 4 KiB */
presil_status presil_buffer_import(presil_device* device, void* host, uint64_t address,
                                   size_t bytes, presil_buffer* buffer);
/* Before engines read what the CPU has written; before the CPU reads what they have written. Inputs
 * and outputs of jobs need neither: submit and wait do it. Refused outside of the buffer. */
presil_status presil_buffer_clean(presil_device* device, const presil_buffer* buffer, size_t offset,
                                  size_t bytes);
presil_status presil_buffer_invalidate(presil_device* device, const presil_buffer* buffer,
                                       size_t offset, size_t bytes);

/* Checks a loadable whole, in software, before any hardware is touched: its structure, hashes,
 * configuration stamp, and every command of every stream by the rules of rtl/<block>/README.md.
 * Then places its image in device memory. `loadable` may be freed afterwards.
 * @param loadable aligned to 8 bytes
 * @param storage at least presil_network_bytes(), aligned to 16 bytes; lives as long as the network
 * @param network NULL on failure */
presil_status presil_network_load(presil_device* device, const void* loadable, size_t bytes,
                                  void* storage, size_t storage_bytes, presil_network** network);
/* The same loadable once more, for another tile or device: it uses the image of weights and
 * commands that `other` has in memory, which stays until the last of them is unloaded. All the rest
 * is its own.
 * Networks that have an image in common are loaded and unloaded by one thread at a time.
 * @param other  loaded from the same bytes, at a port that gives out the same memory */
presil_status presil_network_load_shared(presil_device* device, presil_network* other,
                                         const void* loadable, size_t bytes, void* storage,
                                         size_t storage_bytes, presil_network** network);
void presil_network_unload(presil_network* network);

uint32_t presil_network_inputs(const presil_network* network);
uint32_t presil_network_outputs(const presil_network* network);
presil_status presil_network_input_info(const presil_network* network, uint32_t index,
                                        presil_tensor_info* info);
presil_status presil_network_output_info(const presil_network* network, uint32_t index,
                                         presil_tensor_info* info);
/* Where input `index` of the next job lies, to be written in place, and output `index` of the job
 * that was waited for last. With all of the network's memory in flight the next job's inputs are
 * those of its oldest job: write them when that has been waited for. */
void* presil_network_input(presil_network* network, uint32_t index);
const void* presil_network_output(const presil_network* network, uint32_t index);
/* System address at which region `region` (enum presil_region) of its jobs begins; 0: not used. */
uint64_t presil_network_region_address(const presil_network* network, uint32_t region);

/* The last failure of a call with this network; other threads do not change it. */
const presil_error_info* presil_network_error(const presil_network* network);

/* ---- Jobs: driver/README.md, "Jobs in flight" ------------------------------------------------ */

#define PRESIL_MOST_JOBS 16 /* of a device, submitted and not yet waited for */
#define PRESIL_MOST_SETS 4  /* jobs of one network in flight, each with its own buffers */
#define PRESIL_MOST_DEPTH 4 /* jobs that the engines have at once */

/* Gives the network memory (inputs, outputs, scratch) for `jobs` jobs in flight, 1 to
 * PRESIL_MOST_SETS; 1 after loading. Refused while a job of it is in flight. */
presil_status presil_network_set_in_flight(presil_network* network, uint32_t jobs);
/* May a job of it begin on an engine while the one before is still at work on others? Networks that
 * were compiled for it (`--in-flight`); of others the next job begins when the one before has
 * ended. */
bool presil_network_overlaps(const presil_network* network);
/* How many jobs the engines have at once, 1 to PRESIL_MOST_DEPTH; 2 after opening. What is beyond
 * waits by priority. */
presil_status presil_device_set_depth(presil_device* device, uint32_t jobs);

/* Bytes of the SRAM that its jobs use, and where these begin: 0 after loading. The loader has
 * checked that no command goes past them. Networks whose SRAM does not overlap can be held for one
 * another.
 * @param address multiple of 16; refused while a job of the network is in flight */
uint32_t presil_network_sram_bytes(const presil_network* network);
presil_status presil_network_set_sram(presil_network* network, uint32_t address);
/* Its jobs give way at layer borders to queued ones of a higher priority whose network's SRAM lies
 * elsewhere, and go on after them. They run alone, from border to border: what comes after one no
 * longer begins while what comes before it ends. Takes memory for a copy of its streams; refused
 * while a job of the network is in flight.
 * @param layers that begin at a border, as the loadable's debug map numbers them, in any order;
 * NULL: all of them @param count 0: jobs run whole, as after loading */
presil_status presil_network_set_preemptible(presil_network* network, const uint32_t* layers,
                                             uint32_t count);
#define PRESIL_EVERY_LAYER UINT32_MAX /* count, with layers NULL */
/* The layers that begin after a border, in order, the network's first layer before them; fills at
 * most `capacity`. @return how many there are; 0: its jobs run whole */
uint32_t presil_network_borders(const presil_network* network, uint32_t* layers, uint32_t capacity);

/* While on hold, jobs of the network do not get the engines: queued ones wait, and one that runs
 * stops at its next layer border if the network is preemptible. Jobs that would use its SRAM wait
 * too. */
void presil_network_hold(presil_network* network, bool on);

typedef void presil_job_ended(void* user, presil_network* network, uint32_t job,
                              presil_status status);

typedef struct presil_job_options {
  uint8_t priority; /* of jobs that the engines do not have yet, the largest is first */
  /* Instead of the network's own: presil_region_bytes() of the region at least, until the job has
   * been waited for. NULL: its own. */
  const presil_buffer *inputs, *outputs;
  /* Called when the job has ended, by the thread that sees it: in presil_job_wait, _poll or
   * presil_device_service of any job. It may submit; no wait for the job is needed. NULL: none
   */
  presil_job_ended* ended;
  void* user; /* its first argument */
  /* What the engines' counters count for the job: presil_network_counters() numbers in a row, a row
   * from each layer border to the next (presil_network_borders), one for a job that runs whole. The
   * job has the engines for itself. Written until it has ended; of one that has not ended with
   * PRESIL_OK it holds anything. NULL: they are not read. */
  uint64_t* counters;
  uint32_t counter_rows; /* of the array */
} presil_job_options;

/* Bytes of the region (enum presil_region) that a job's buffer must have. */
size_t presil_network_region_bytes(const presil_network* network, uint32_t region);

/* What a number in a row of a job's counters is: a counter of a block. */
typedef struct presil_counter_name {
  const char* block; /* "dla", "dma0", ... as of presil_counters */
  const char* name;  /* "run", "stall_weights", ... */
} presil_counter_name;
/* The counters of all queues that the network's jobs use, in the order of a row; fills at most
 * `capacity`. @return how many there are */
uint32_t presil_network_counters(const presil_network* network, presil_counter_name* names,
                                 uint32_t capacity);

/* Puts the job into the engines' queues, or after jobs that wait for an entry there; returns at
 * once. @param options NULL: all 0 */
presil_status presil_job_start(presil_network* network, const presil_job_options* options,
                               uint32_t* job);
/* The same without options. */
presil_status presil_job_submit(presil_network* network, uint32_t* job);
/* Runs host tasks of all jobs as their turn comes and waits for the end of this one.
 * PRESIL_TIMED_OUT leaves the job in flight: wait again, or cancel it. PRESIL_HARDWARE has ended
 * it; other jobs that the engines had begin again.
 * @param timeout_ns of the port's time; 0 waits without end */
presil_status presil_job_wait(presil_network* network, uint32_t job, uint64_t timeout_ns);
/* A job that has not begun is taken out of its queue. Else every engine stops, queues and counters
 * move past the job, and other jobs that the engines had begin again: all later ones are as if it
 * had run, its outputs hold anything. PRESIL_CANCELLED, or PRESIL_HARDWARE if an engine does not
 * stop. */
presil_status presil_job_cancel(presil_network* network, uint32_t job);
/* Output `index` of a job that has been waited for, until its memory is used by a later job:
 * `presil_network_set_in_flight` jobs later. NULL: there is no such output. */
const void* presil_job_output(const presil_network* network, uint32_t job, uint32_t index);

typedef enum presil_job_state {
  PRESIL_JOB_QUEUED = 1,  /* the engines do not have it: not yet, or it is at a layer border */
  PRESIL_JOB_RUNNING = 2, /* they do */
  PRESIL_JOB_ENDED = 3    /* presil_job_wait returns `status` at once */
} presil_job_state;

typedef struct presil_job_info {
  presil_job_state state;
  presil_status status; /* of a job that has ended */
  uint8_t priority;
  uint32_t restarts;   /* begun again because another job failed or was cancelled */
  uint32_t host_tasks; /* that the driver has run for it */
  uint16_t held;       /* times that another job went first at a layer border */
  uint16_t borders;    /* that it has passed */
  uint64_t submitted_ns, started_ns, ended_ns; /* of the port's time; 0: not yet */
} presil_job_info;

/* Does what is to be done now, without waiting, and tells how far the job is. */
presil_status presil_job_poll(presil_network* network, uint32_t job, presil_job_info* info);
/* The same for all jobs of the device: for programs that sleep on the port's handle (or in a
 * semaphore that the interrupt gives) and not in presil_job_wait.
 * @return jobs in flight; UINT32_MAX: an engine has failed, presil_error tells */
uint32_t presil_device_service(presil_device* device);
/* What becomes readable when presil_device_service has something to do: on Linux a file descriptor
 * for poll(2). -1: the port has none. */
int presil_device_handle(const presil_device* device);

/* ---- What has happened ------------------------------------------------------------------------
 */

typedef enum presil_event_kind {
  PRESIL_EVENT_SUBMITTED = 1,
  PRESIL_EVENT_STARTED = 2,
  PRESIL_EVENT_ENDED = 3,
  PRESIL_EVENT_FAILED = 4,
  PRESIL_EVENT_CANCELLED = 5,
  PRESIL_EVENT_TIMED_OUT = 6,
  PRESIL_EVENT_RESTARTED = 7,
  PRESIL_EVENT_STOPPED = 8, /* all engines, after a failure or a cancel */
  PRESIL_EVENT_RESET = 9,
  PRESIL_EVENT_HELD = 10, /* at a layer border, for another job */
  PRESIL_EVENT_RESUMED = 11
} presil_event_kind;

typedef struct presil_event {
  uint64_t time_ns;
  presil_event_kind kind;
  uint32_t job; /* UINT32_MAX: none */
} presil_event;

#define PRESIL_EVENTS 32 /* that a device keeps */
/* The newest events, oldest first. @return how many were written, at most `capacity` */
uint32_t presil_events(presil_device* device, presil_event* events, uint32_t capacity);

/* ---- Reset and power --------------------------------------------------------------------------
 */

typedef enum presil_reset {
  PRESIL_RESET_SOFT = 0, /* every queue is stopped and starts again; all else stays */
  PRESIL_RESET_HARD = 1  /* the SoC's reset, by the port; memory stays */
} presil_reset;

/* Ends all jobs as cancelled. Networks stay loaded. PRESIL_HARDWARE: an engine has not stopped. */
presil_status presil_device_reset(presil_device* device, presil_reset kind);
/* Off: queues and interrupts are disabled, and the port's `power` is told; refused while a job is
 * in flight. On again: everything is set up as after opening. */
presil_status presil_device_set_power(presil_device* device, bool on);

/* 64-bit performance counters of a block. */
typedef struct presil_counter {
  const char* name; /* "run", "stall_weights", "wait_in_dma", ... */
  uint64_t cycles;
} presil_counter;
/* @return number of counters of `block` ("dla", "dma0", ...); fills at most `capacity` */
uint32_t presil_counters(presil_device* device, const char* block, presil_counter* counters,
                         uint32_t capacity);

#if defined(__GNUC__) && !defined(__arm__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
