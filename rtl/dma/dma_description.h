// Printed from rtl/dma/dma.rdl and its engine.yaml by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include <stddef.h>

#include "rtl/dma/dma.h"
#include "rtl/common/engine_description.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline const presil_engine_description* presil_dma_description(void) {
  static const presil_counter_description counters[] = {
      {"cycles", 0x8u, NULL},
      {"run", 0x10u, "run"},
      {"read_credit", 0x18u, "read_credit"},
      {"dram_row", 0x20u, "dram_row"},
      {"dram_turnaround", 0x28u, "dram_turnaround"},
      {"dram_refresh", 0x30u, "dram_refresh"},
      {"dram_busy", 0x38u, "dram_busy"},
      {"write_queue", 0x40u, "write_queue"},
      {"sram_port", 0x48u, "sram_port"},
      {"fetch", 0x50u, "fetch"},
      {"drain", 0x58u, "drain"},
      {"idle", 0x60u, NULL},
      {"commands", 0x68u, NULL},
      {"bytes_read", 0x70u, NULL},
      {"bytes_written", 0x78u, NULL},
      {"wait_dla", 0x100u, "wait:dla"},
      {"wait_dsp", 0x108u, "wait:dsp"},
      {"wait_dma", 0x110u, "wait:dma"},
      {"wait_host", 0x118u, "wait:host"},
  };
  static const presil_capability_bit capability[] = {
      {"multicast", 0x1u, "dst_tile_mask other than 0."},
  };
  static const presil_engine_description description = {
      "dma", "A DMA channel.", 4 /* interface */, 2 /* kind */,
      3, 8 /* queues */, 1, 11 /* instances */, 0x200u, 0x100u /* their registers */,
      0x1000u, 0x200u, 0x0u, counters, 19,
      0xcu, capability, 1,
      presil_dma_command_format, 2 /* waits */,
      {PRESIL_DMA_COMMAND_WAIT0, PRESIL_DMA_COMMAND_WAIT1},
      {PRESIL_DMA_COMMAND_WAIT0_VALUE, PRESIL_DMA_COMMAND_WAIT1_VALUE},
      PRESIL_DMA_COMMAND_SIGNAL, PRESIL_DMA_COMMAND_SIGNAL_ADD, PRESIL_DMA_COMMAND_TAG,
      NULL, 0};
  return &description;
}

#ifdef __cplusplus
}
#endif
