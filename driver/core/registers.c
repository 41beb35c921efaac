/* Where registers are, and the few that every part of the driver reads. */
#include "driver/core/device.h"
#include "rtl/dla/dla.h"
#include "rtl/dma/dma.h"
#include "rtl/dsp/dsp.h"
#include "rtl/sync/sync.h"

uint64_t presil_queue_registers(unsigned queue) {
  if (queue == PRESIL_QUEUE_DLA)
    return PRESIL_TILE_BASE(0) + PRESIL_TILE_DLA + PRESIL_DLA_REG_QUEUE;
  if (queue == PRESIL_QUEUE_DSP)
    return PRESIL_TILE_BASE(0) + PRESIL_TILE_DSP + PRESIL_DSP_REG_QUEUE;
  return PRESIL_TILE_BASE(0) + PRESIL_TILE_DMA + PRESIL_DMA_REG_CHANNEL(queue - PRESIL_QUEUE_DMA0);
}

bool presil_queue_exists(const presil_device* device, unsigned queue) {
  if (queue == PRESIL_QUEUE_DLA) return device->capability.dla_macs_k != 0;
  if (queue == PRESIL_QUEUE_DSP) return device->dsp_started;
  return queue >= PRESIL_QUEUE_DMA0 && queue - PRESIL_QUEUE_DMA0 < device->capability.dma_channels;
}

uint32_t presil_count(presil_device* device, uint32_t id) {
  return presil_read(device, PRESIL_TILE_BASE(0) + PRESIL_TILE_SYNC + PRESIL_SYNC_REG_COUNT(id));
}
