/* Opening a SoC: capabilities, rings, interrupts. */
#include "driver/core/device.h"

#include <string.h>

#include "rtl/common/job.h"
#include "rtl/host/host.h"
#include "rtl/sync/sync.h"

#define SYNC presil_in_tile(d, PRESIL_TILE_SYNC)
#define HOST presil_in_tile(d, PRESIL_TILE_HOST)
#define FIELD(word, name) (((word)&PRESIL_##name##_MASK) >> PRESIL_##name##_SHIFT)

_Static_assert(PRESIL_JOB_ENTRY_BYTES << PRESIL_RING_LOG2 <= PRESIL_PAGE_BYTES,
               "a ring fits its page");

size_t presil_device_bytes(void) {
  return sizeof(presil_device);
}

void presil_device_set_stamp(presil_device* device, const char* soc_sha256) {
  if (!device) return;
  presil_text t = presil_text_in(device->stamp, sizeof device->stamp);
  if (soc_sha256) TEXT(&t, soc_sha256);
}

bool presil_device_set_parameters(presil_device* device, const char* engine,
                                  const uint64_t* parameters) {
  if (!device || !engine || !parameters) return false;
  for (unsigned kind = PRESIL_ENGINE_KINDS; kind < PRESIL_ENGINE_MOST_KINDS; ++kind) {
    const presil_engine_description* joined = presil_joined_engine(kind);
    if (!joined || strcmp(joined->name, engine) != 0) continue;
    device->parameters[kind] = parameters;
    return true;
  }
  return false;
}

presil_capability presil_device_capability(const presil_device* device) {
  static const presil_capability none = {0};
  return device ? device->capability : none;
}
uint32_t presil_device_tile(const presil_device* device) {
  return device ? device->tile : 0;
}

uint32_t presil_device_tiles(presil_device* d) {
  if (!presil_is_open(d)) return 0;
  presil_lock(d);
  const uint32_t tiles = FIELD(presil_read(d, HOST + PRESIL_HOST_REG_TILES), HOST_TILES_COUNT);
  presil_unlock(d);
  return tiles;
}

const presil_error_info* presil_error(const presil_device* device) {
  static const presil_error_info none = {
      PRESIL_REFUSED, "driver", -1, "", "device", -1, -1, "driver: there is no device"};
  return device ? &device->error : &none;
}

/* The configuration's hash, if the host block holds one. */
static void read_stamp(presil_device* d) {
  char* at = d->stamp;
  uint32_t any = 0;
  for (unsigned i = 0; i < PRESIL_HOST_CONFIG_HASH_COUNT; ++i) {
    const uint32_t word = presil_read(d, HOST + PRESIL_HOST_REG_CONFIG_HASH(i));
    any |= word;
    for (unsigned bits = 0; bits < 32; bits += 8) {
      *at++ = "0123456789abcdef"[word >> (bits + 4) & 15];
      *at++ = "0123456789abcdef"[word >> bits & 15];
    }
  }
  *at = 0;
  if (!any) d->stamp[0] = 0;
}

/* @return which tile it says that it is */
static uint32_t read_capability(presil_device* d) {
  presil_capability* c = &d->capability;
  const uint32_t id = presil_read(d, HOST + PRESIL_HOST_REG_ID);
  c->isa_version = (uint8_t)FIELD(id, HOST_ID_ISA_VERSION);
  c->sram_bytes = presil_read(d, HOST + PRESIL_HOST_REG_SRAM);
  /* Id 0 means none: of n counters, ids 1 .. n - 1 can be used. */
  const uint32_t counters = FIELD(presil_read(d, SYNC + PRESIL_SYNC_REG_ID), SYNC_ID_COUNTERS);
  c->counters = (uint8_t)(counters == 0 ? 0 : counters > 256 ? 255 : counters - 1);
  for (unsigned kind = 0; kind < PRESIL_ENGINE_MOST_KINDS; ++kind) {
    if (!presil_engine_description_of(kind)) continue;
    d->instances[kind] = 1;
    if (FIELD(id, HOST_ID_MOST_INSTANCES) <= 1) continue;
    const uint32_t four = presil_read(d, HOST + PRESIL_HOST_REG_INSTANCES(kind / 4));
    d->instances[kind] = (uint8_t)(four >> kind % 4 * 8);
  }
  return FIELD(id, HOST_ID_TILE);
}

/* Register 0 of every engine: bits 15:8 are its command queues. */
static void read_engines(presil_device* d) {
  const uint32_t kinds = presil_read(d, HOST + PRESIL_HOST_REG_ENGINES);
  for (unsigned kind = 0; kind < PRESIL_ENGINE_MOST_KINDS; ++kind) {
    const presil_engine_description* engine = presil_engine_description_of(kind);
    if (!engine || engine->queue_pitch == 0 || !(kinds >> kind & 1)) continue;
    const uint64_t registers = presil_engine_registers(d, engine->first_queue);
    const presil_engine_driver* driver = presil_engine_driver_of(engine->first_queue);
    if (!driver) continue; /* nothing checks its commands */
    const uint32_t queues = presil_read(d, registers) >> 8 & 0xff;
    d->queues[kind] = (uint8_t)(queues < engine->queues ? queues : engine->queues);
    if (driver->read_capability) driver->read_capability(d, registers, &d->capability);
  }
}

presil_status presil_queue_check_idle(presil_device* d, unsigned q) {
  const uint32_t state = FIELD(
      presil_read(d, presil_queue_registers(d, q) + PRESIL_QUEUE_REG_STATUS), QUEUE_STATUS_STATE);
  if (state == PRESIL_QUEUE_STATE_IDLE) return PRESIL_OK;
  const presil_where at = {presil_queue_name(q), -1, NULL};
  presil_text t =
      presil_error_begin(d, PRESIL_HARDWARE, at, "status.state", state, PRESIL_QUEUE_STATE_IDLE);
  TEXT(&t, "its queue is in state ", state,
       ", must be idle (0): another driver uses it, or the SoC was not reset");
  return PRESIL_HARDWARE;
}

static bool starts_at_once(const presil_device* d, unsigned q) {
  return presil_queue_exists(d, q) && !presil_engine_driver_of(q)->starts_with_network;
}

static presil_status check_idle(presil_device* d) {
  presil_status status = PRESIL_OK;
  for (unsigned q = 0; q < PRESIL_QUEUES && status == PRESIL_OK; ++q) {
    if (starts_at_once(d, q)) status = presil_queue_check_idle(d, q);
  }
  return status;
}

/* One a queue: those of a tile with one engine of each kind, and further ones up to the last that
 * exists. */
static unsigned ring_pages(const presil_device* d) {
  unsigned pages = PRESIL_LINKED_QUEUES;
  for (unsigned q = pages; q < PRESIL_QUEUES; ++q) {
    if (presil_queue_exists(d, q)) pages = q + 1;
  }
  return pages;
}

void presil_queue_start(presil_device* d, unsigned q) {
  const uint64_t registers = presil_queue_registers(d, q);
  const uint64_t ring = d->rings.address + (uint64_t)q * PRESIL_PAGE_BYTES;
  d->tail[q] = (uint16_t)presil_read(d, registers + PRESIL_QUEUE_REG_TAIL);
  presil_write(d, registers + PRESIL_QUEUE_REG_RING_BASE, (uint32_t)ring);
  presil_write(d, registers + PRESIL_QUEUE_REG_RING_BASE_HI, (uint32_t)(ring >> 32));
  presil_write(d, registers + PRESIL_QUEUE_REG_RING_SIZE_LOG2, PRESIL_RING_LOG2);
  presil_write(d, registers + PRESIL_QUEUE_REG_CONTEXT(0),
               1u << PRESIL_QUEUE_CONTEXT_SYNC_FIRST_SHIFT |
                   (uint32_t)d->capability.counters << PRESIL_QUEUE_CONTEXT_SYNC_LAST_SHIFT);
  presil_write(d, registers + PRESIL_QUEUE_REG_IRQ_ENABLE,
               PRESIL_QUEUE_IRQ_ENABLE_ERROR_MASK | PRESIL_QUEUE_IRQ_ENABLE_STOPPED_MASK);
  presil_write(d, registers + PRESIL_QUEUE_REG_CONTROL, PRESIL_QUEUE_WORKS);
  d->started[q] = true;
}

presil_status presil_queue_prepare(presil_device* d, unsigned q) {
  if (d->started[q]) return PRESIL_OK;
  const presil_status idle = presil_queue_check_idle(d, q);
  if (idle == PRESIL_OK) presil_queue_start(d, q);
  return idle;
}

presil_status presil_open(const presil_port* port, void* storage, size_t bytes,
                          presil_device** device) {
  return presil_open_tile(port, 0, storage, bytes, device);
}

presil_status presil_open_tile(const presil_port* port, uint32_t tile, void* storage,
                               size_t storage_bytes, presil_device** device) {
  if (!device) return PRESIL_REFUSED;
  *device = NULL;
  if (!storage || storage_bytes < sizeof(presil_device) || (uintptr_t)storage % 16 != 0)
    return PRESIL_REFUSED;
  presil_device* d = storage;
  memset(d, 0, sizeof *d);
  presil_error_clear(d);
  *device = d;
  if (port && !port->lock != !port->unlock)
    return presil_refuse_argument(d, "port",
                                  "the port has one of lock and unlock, must have both or none");
  if (!port || !port->read32 || !port->write32 || !port->alloc || !port->release || !port->clean ||
      !port->invalidate || !port->wait || !port->spend || !port->now_ns) {
    return presil_refuse_argument(
        d, "port",
        "the port lacks a function; only observe, instruction and those after it "
        "may be NULL");
  }
  if (tile > PRESIL_LAST_TILE) {
    presil_text t =
        presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "tile", tile, PRESIL_LAST_TILE);
    TEXT(&t, "the tile is ", tile, ", must be 0..", PRESIL_LAST_TILE,
         ": so many windows lie below the DRAM");
    return PRESIL_REFUSED;
  }
  d->port = *port;
  d->tile = tile;
  const uint32_t is = read_capability(d);
  if (is != tile) {
    presil_text t = presil_error_begin(d, PRESIL_HARDWARE, presil_in_driver(), "id.tile", is, tile);
    TEXT(&t, "at the place of tile ", tile, " its register id says tile ", is,
         "; does the SoC have so many tiles, and does the port reach this one's registers?");
    return PRESIL_HARDWARE;
  }
  if (d->capability.isa_version == 0 || d->capability.counters == 0) {
    presil_text t = presil_error_begin(d, PRESIL_HARDWARE, presil_in_driver(), "isa_version",
                                       d->capability.isa_version, 1);
    TEXT(&t, "no SoC answers: isa_version reads ", d->capability.isa_version, ", counters ",
         d->capability.counters, "; is it powered, and does the port reach its registers?");
    return PRESIL_HARDWARE;
  }
  read_engines(d);
  const presil_status idle = check_idle(d);
  if (idle != PRESIL_OK) return idle;
  const size_t bytes = (size_t)ring_pages(d) * PRESIL_PAGE_BYTES;
  if (d->port.alloc(d->port.self, bytes, PRESIL_PAGE_BYTES, &d->rings) != 0) {
    presil_text t =
        presil_error_begin(d, PRESIL_NO_MEMORY, presil_in_driver(), "rings", -1, (int64_t)bytes);
    TEXT(&t, "no memory for the job rings, requires ", bytes, " bytes");
    return PRESIL_NO_MEMORY;
  }

  memset(d->rings.host, 0, bytes);
  d->port.clean(d->port.self, d->rings.host, bytes);
  read_stamp(d);
  d->depth = PRESIL_USUAL_DEPTH;
  presil_device_start(d);
  return PRESIL_OK;
}

void presil_device_start(presil_device* d) {
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (d->started[q] || starts_at_once(d, q)) presil_queue_start(d, q);
  }
  presil_write(d, SYNC + PRESIL_SYNC_REG_LIMIT, d->capability.counters);
  presil_write(d, SYNC + PRESIL_SYNC_REG_IRQ_ENABLE,
               3u | PRESIL_SYNC_IRQ_ENABLE_OVERFLOW_MASK | PRESIL_SYNC_IRQ_ENABLE_REFUSED_MASK);
  presil_write(d, HOST + PRESIL_HOST_REG_IRQ_ENABLE,
               PRESIL_HOST_IRQ_ENABLE_ENGINES_MASK | PRESIL_HOST_IRQ_ENABLE_SYNC_MASK);
}

void presil_device_stop(presil_device* d) {
  presil_write(d, HOST + PRESIL_HOST_REG_IRQ_ENABLE, 0);
  presil_write(d, SYNC + PRESIL_SYNC_REG_IRQ_ENABLE, 0);
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (!presil_queue_started(d, q)) continue;
    presil_write(d, presil_queue_registers(d, q) + PRESIL_QUEUE_REG_IRQ_ENABLE, 0);
    presil_write(d, presil_queue_registers(d, q) + PRESIL_QUEUE_REG_CONTROL, 0);
  }
}

void presil_close(presil_device* d) {
  if (!d || !d->rings.host) return;
  if (!d->off) {
    d->depth = 0; /* nothing begins any more */
    presil_forget_jobs(d, NULL);
    presil_device_stop(d);
  }
  d->port.release(d->port.self, &d->rings);
  d->rings.host = NULL;
}

presil_status presil_device_set_depth(presil_device* d, uint32_t jobs) {
  if (!presil_is_open(d)) return PRESIL_REFUSED;
  if (jobs < 1 || jobs > PRESIL_MOST_DEPTH) {
    presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "jobs", jobs,
                                       jobs < 1 ? 1 : PRESIL_MOST_DEPTH);
    TEXT(&t, "the depth is ", jobs, " jobs, must be 1..", PRESIL_MOST_DEPTH);
    return PRESIL_REFUSED;
  }
  d->depth = (uint8_t)jobs;
  return PRESIL_OK;
}

int presil_device_handle(const presil_device* d) {
  return d && d->rings.host && d->port.handle ? d->port.handle(d->port.self) : -1;
}
