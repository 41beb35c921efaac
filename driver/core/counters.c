/* Performance counters by name; one snapshot a call. */
#include <string.h>

#include "driver/core/device.h"
#include "rtl/dla/dla.h"
#include "rtl/dma/dma.h"
#include "rtl/dsp/dsp.h"

typedef struct entry {
  const char* name;
  uint32_t offset; /* in the block of counters; 64 bit, low word first */
} entry;

static const entry dla[] = {
    {"cycles", PRESIL_DLA_COUNTERS_REG_CYCLES},
    {"run", PRESIL_DLA_COUNTERS_REG_RUN},
    {"stall_feature", PRESIL_DLA_COUNTERS_REG_STALL_FEATURE},
    {"stall_weights", PRESIL_DLA_COUNTERS_REG_STALL_WEIGHTS},
    {"stall_post", PRESIL_DLA_COUNTERS_REG_STALL_POST},
    {"start", PRESIL_DLA_COUNTERS_REG_START},
    {"fetch", PRESIL_DLA_COUNTERS_REG_FETCH},
    {"idle", PRESIL_DLA_COUNTERS_REG_IDLE},
    {"wait_in_dla", PRESIL_DLA_COUNTERS_REG_WAIT_IN(0)},
    {"wait_in_dma", PRESIL_DLA_COUNTERS_REG_WAIT_IN(1)},
    {"wait_in_dsp", PRESIL_DLA_COUNTERS_REG_WAIT_IN(2)},
    {"wait_in_host", PRESIL_DLA_COUNTERS_REG_WAIT_IN(3)},
    {"wait_weights_dla", PRESIL_DLA_COUNTERS_REG_WAIT_WEIGHTS(0)},
    {"wait_weights_dma", PRESIL_DLA_COUNTERS_REG_WAIT_WEIGHTS(1)},
    {"wait_weights_dsp", PRESIL_DLA_COUNTERS_REG_WAIT_WEIGHTS(2)},
    {"wait_weights_host", PRESIL_DLA_COUNTERS_REG_WAIT_WEIGHTS(3)},
    {"wait_out_dla", PRESIL_DLA_COUNTERS_REG_WAIT_OUT(0)},
    {"wait_out_dma", PRESIL_DLA_COUNTERS_REG_WAIT_OUT(1)},
    {"wait_out_dsp", PRESIL_DLA_COUNTERS_REG_WAIT_OUT(2)},
    {"wait_out_host", PRESIL_DLA_COUNTERS_REG_WAIT_OUT(3)},
    {"commands", PRESIL_DLA_COUNTERS_REG_COMMANDS},
    {"steps", PRESIL_DLA_COUNTERS_REG_STEPS},
};

static const entry dma[] = {
    {"cycles", PRESIL_DMA_COUNTERS_REG_CYCLES},
    {"run", PRESIL_DMA_COUNTERS_REG_RUN},
    {"read_credit", PRESIL_DMA_COUNTERS_REG_READ_CREDIT},
    {"dram_row", PRESIL_DMA_COUNTERS_REG_DRAM_ROW},
    {"dram_turnaround", PRESIL_DMA_COUNTERS_REG_DRAM_TURNAROUND},
    {"dram_refresh", PRESIL_DMA_COUNTERS_REG_DRAM_REFRESH},
    {"dram_busy", PRESIL_DMA_COUNTERS_REG_DRAM_BUSY},
    {"write_queue", PRESIL_DMA_COUNTERS_REG_WRITE_QUEUE},
    {"sram_port", PRESIL_DMA_COUNTERS_REG_SRAM_PORT},
    {"fetch", PRESIL_DMA_COUNTERS_REG_FETCH},
    {"drain", PRESIL_DMA_COUNTERS_REG_DRAIN},
    {"idle", PRESIL_DMA_COUNTERS_REG_IDLE},
    {"wait_dla", PRESIL_DMA_COUNTERS_REG_WAIT(0)},
    {"wait_dma", PRESIL_DMA_COUNTERS_REG_WAIT(1)},
    {"wait_dsp", PRESIL_DMA_COUNTERS_REG_WAIT(2)},
    {"wait_host", PRESIL_DMA_COUNTERS_REG_WAIT(3)},
    {"commands", PRESIL_DMA_COUNTERS_REG_COMMANDS},
    {"bytes_read", PRESIL_DMA_COUNTERS_REG_BYTES_READ},
    {"bytes_written", PRESIL_DMA_COUNTERS_REG_BYTES_WRITTEN},
};

static const entry dsp[] = {
    {"cycles", PRESIL_DSP_COUNTERS_REG_CYCLES},
    {"run", PRESIL_DSP_COUNTERS_REG_RUN},
    {"load_use", PRESIL_DSP_COUNTERS_REG_LOAD_USE},
    {"branch", PRESIL_DSP_COUNTERS_REG_BRANCH},
    {"divide", PRESIL_DSP_COUNTERS_REG_DIVIDE},
    {"far_load", PRESIL_DSP_COUNTERS_REG_FAR_LOAD},
    {"vector_queue", PRESIL_DSP_COUNTERS_REG_VECTOR_QUEUE},
    {"vector_result", PRESIL_DSP_COUNTERS_REG_VECTOR_RESULT},
    {"sram_bank", PRESIL_DSP_COUNTERS_REG_SRAM_BANK},
    {"own_dma", PRESIL_DSP_COUNTERS_REG_OWN_DMA},
    {"start", PRESIL_DSP_COUNTERS_REG_START},
    {"fetch", PRESIL_DSP_COUNTERS_REG_FETCH},
    {"idle", PRESIL_DSP_COUNTERS_REG_IDLE},
    {"wait_dla", PRESIL_DSP_COUNTERS_REG_WAIT(0)},
    {"wait_dma", PRESIL_DSP_COUNTERS_REG_WAIT(1)},
    {"wait_dsp", PRESIL_DSP_COUNTERS_REG_WAIT(2)},
    {"wait_host", PRESIL_DSP_COUNTERS_REG_WAIT(3)},
    {"commands", PRESIL_DSP_COUNTERS_REG_COMMANDS},
    {"instructions", PRESIL_DSP_COUNTERS_REG_INSTRUCTIONS},
    {"elements", PRESIL_DSP_COUNTERS_REG_ELEMENTS},
    {"bytes_read", PRESIL_DSP_COUNTERS_REG_BYTES_READ},
    {"bytes_written", PRESIL_DSP_COUNTERS_REG_BYTES_WRITTEN},
};

static uint32_t read_all(presil_device* d, uint64_t base, uint32_t control, const entry* table,
                         uint32_t size, presil_counter* counters, uint32_t capacity) {
  presil_write(d, base + control, 1); /* snapshot */
  for (uint32_t i = 0; i < size && i < capacity; ++i) {
    const uint64_t low = presil_read(d, base + table[i].offset);
    counters[i].name = table[i].name;
    counters[i].cycles = low | (uint64_t)presil_read(d, base + table[i].offset + 4) << 32;
  }
  return size;
}

uint32_t presil_counters(presil_device* d, const char* block, presil_counter* counters,
                         uint32_t capacity) {
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (!presil_queue_exists(d, q) || strcmp(block, presil_queue_name(q)) != 0) continue;
    if (q == PRESIL_QUEUE_DLA) {
      return read_all(d, PRESIL_TILE_BASE(0) + PRESIL_TILE_DLA + PRESIL_DLA_REG_COUNTERS,
                      PRESIL_DLA_COUNTERS_REG_CONTROL, dla, sizeof dla / sizeof dla[0], counters,
                      capacity);
    }
    if (q == PRESIL_QUEUE_DSP) {
      return read_all(d, PRESIL_TILE_BASE(0) + PRESIL_TILE_DSP + PRESIL_DSP_REG_COUNTERS,
                      PRESIL_DSP_COUNTERS_REG_CONTROL, dsp, sizeof dsp / sizeof dsp[0], counters,
                      capacity);
    }
    return read_all(
        d, PRESIL_TILE_BASE(0) + PRESIL_TILE_DMA + PRESIL_DMA_REG_COUNTERS(q - PRESIL_QUEUE_DMA0),
        PRESIL_DMA_COUNTERS_REG_CONTROL, dma, sizeof dma / sizeof dma[0], counters, capacity);
  }
  return 0;
}
