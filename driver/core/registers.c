/* Where registers are, and the few that every part of the driver reads. */
#include "driver/core/device.h"
#include "rtl/sync/sync.h"

uint64_t presil_engine_registers(const presil_device* device, unsigned queue) {
  return presil_in_tile(
      device, PRESIL_TILE_ENGINE(presil_kind_of_queue(queue), presil_instance_of_queue(queue)));
}

uint64_t presil_queue_registers(const presil_device* device, unsigned queue) {
  const presil_engine_description* engine = presil_engine_of(queue);
  return presil_engine_registers(device, queue) + engine->queue_offset +
         engine->queue_pitch * presil_channel_of_queue(queue);
}

bool presil_queue_exists(const presil_device* device, unsigned queue) {
  const presil_engine_description* engine = presil_engine_of(queue);
  return engine && presil_instance_of_queue(queue) < device->instances[engine->kind] &&
         presil_channel_of_queue(queue) < device->queues[engine->kind];
}

bool presil_queue_started(const presil_device* device, unsigned queue) {
  return device->started[queue];
}

uint32_t presil_count(presil_device* device, uint32_t id) {
  return presil_read(device, presil_in_tile(device, PRESIL_TILE_SYNC + PRESIL_SYNC_REG_COUNT(id)));
}
