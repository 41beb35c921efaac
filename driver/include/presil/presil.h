/* presil: run compiled networks on a SoC with a DLA, DMA engines and an ARM host.
 *
 * One header for every port (model, mock, RTL, bare metal, Linux): the same program, unchanged,
 * runs on all of them. C11, no heap: the caller provides the storage of a device and of a network.
 * Functions return a status; presil_error() then tells the whole story in one sentence.
 * A device is used from one thread.
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

/* Checks a loadable whole, in software, before any hardware is touched: its structure, hashes,
 * configuration stamp, and every command of every stream by the rules of rtl/<block>/README.md.
 * Then places its image in device memory. `loadable` may be freed afterwards.
 * @param loadable aligned to 8 bytes
 * @param storage at least presil_network_bytes(), aligned to 16 bytes; lives as long as the network
 * @param network NULL on failure */
presil_status presil_network_load(presil_device* device, const void* loadable, size_t bytes,
                                  void* storage, size_t storage_bytes, presil_network** network);
void presil_network_unload(presil_network* network);

uint32_t presil_network_inputs(const presil_network* network);
uint32_t presil_network_outputs(const presil_network* network);
presil_status presil_network_input_info(const presil_network* network, uint32_t index,
                                        presil_tensor_info* info);
presil_status presil_network_output_info(const presil_network* network, uint32_t index,
                                         presil_tensor_info* info);
/* Where input / output `index` of the next job lies: write and read it in place. */
void* presil_network_input(presil_network* network, uint32_t index);
const void* presil_network_output(const presil_network* network, uint32_t index);
/* System address at which region `region` (enum presil_region) of its jobs begins; 0: not used. */
uint64_t presil_network_region_address(const presil_network* network, uint32_t region);

/* Rings the doorbells of every engine; returns at once. One job of a device at a time today. */
presil_status presil_job_submit(presil_network* network, uint32_t* job);
/* Runs the job's host tasks as their turn comes and waits for its end.
 * PRESIL_TIMED_OUT leaves the job in flight: wait again, or cancel it. PRESIL_HARDWARE has ended
 * it.
 * @param timeout_ns of the port's time; 0 waits without end */
presil_status presil_job_wait(presil_network* network, uint32_t job, uint64_t timeout_ns);
/* Stops every engine and moves queues and counters past the job: later jobs are as if it had run,
 * its outputs hold anything. PRESIL_CANCELLED, or PRESIL_HARDWARE if an engine does not stop. */
presil_status presil_job_cancel(presil_network* network, uint32_t job);

/* 64-bit performance counters of a block. */
typedef struct presil_counter {
  const char* name; /* "run", "stall_weights", "wait_in_dma", ... */
  uint64_t cycles;
} presil_counter;
/* @return number of counters of `block` ("dla", "dma0", ...); fills at most `capacity` */
uint32_t presil_counters(presil_device* device, const char* block, presil_counter* counters,
                         uint32_t capacity);

#ifdef __cplusplus
}
#endif
#endif
