// Printed from rtl/dsp/dsp.rdl and its engine.yaml by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include <stddef.h>

#include "rtl/dsp/dsp.h"
#include "rtl/common/engine_description.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline const presil_engine_description* presil_dsp_description(void) {
  static const presil_counter_description counters[] = {
      {"cycles", 0x8u, NULL},
      {"run", 0x10u, "run"},
      {"load_use", 0x18u, "load_use"},
      {"branch", 0x20u, "branch"},
      {"divide", 0x28u, "divide"},
      {"far_load", 0x30u, "far_load"},
      {"vector_queue", 0x38u, "vector_queue"},
      {"vector_result", 0x40u, "vector_result"},
      {"sram_bank", 0x48u, "sram_bank"},
      {"own_dma", 0x50u, "own_dma"},
      {"start", 0x58u, "start"},
      {"fetch", 0x60u, "fetch"},
      {"idle", 0x68u, NULL},
      {"commands", 0x70u, NULL},
      {"instructions", 0x78u, NULL},
      {"elements", 0x80u, NULL},
      {"bytes_read", 0x88u, NULL},
      {"bytes_written", 0x90u, NULL},
      {"wait_dla", 0x100u, "wait:dla"},
      {"wait_dsp", 0x108u, "wait:dsp"},
      {"wait_dma", 0x110u, "wait:dma"},
      {"wait_host", 0x118u, "wait:host"},
  };
  static const presil_capability_bit capability[] = {
      {"on_trap", 0x1u, "on_trap go_on."},
      {"gather_by_element", 0x2u, "vrgather.vv and vcompress take an element a cycle."},
  };
  static const presil_engine_description description = {
      "dsp", "The vector DSP.", 4 /* interface */, 1 /* kind */,
      1, 1 /* queues */, 1, 2 /* instances */, 0x200u, 0x100u /* their registers */,
      0x1000u, 0x200u, 0x0u, counters, 22,
      0x18u, capability, 2,
      presil_dsp_command_format, 3 /* waits */,
      {PRESIL_DSP_COMMAND_WAIT0, PRESIL_DSP_COMMAND_WAIT1, PRESIL_DSP_COMMAND_WAIT2},
      {PRESIL_DSP_COMMAND_WAIT0_VALUE, PRESIL_DSP_COMMAND_WAIT1_VALUE, PRESIL_DSP_COMMAND_WAIT2_VALUE},
      PRESIL_DSP_COMMAND_SIGNAL, PRESIL_DSP_COMMAND_SIGNAL_ADD, PRESIL_DSP_COMMAND_TAG,
      NULL, 0};
  return &description;
}

#ifdef __cplusplus
}
#endif
