// Printed from rtl/dla/dla.rdl and its engine.yaml by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include <stddef.h>

#include "rtl/dla/dla.h"
#include "rtl/common/engine_description.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline const presil_engine_description* presil_dla_description(void) {
  static const presil_counter_description counters[] = {
      {"cycles", 0x8u, NULL},
      {"run", 0x10u, "run"},
      {"stall_feature", 0x18u, "feature_bank"},
      {"stall_weights", 0x20u, "weights"},
      {"stall_post", 0x28u, "post"},
      {"start", 0x30u, "start"},
      {"fetch", 0x38u, "fetch"},
      {"idle", 0x40u, NULL},
      {"commands", 0x48u, NULL},
      {"steps", 0x50u, NULL},
      {"wait_in_dla", 0x100u, "wait_in:dla"},
      {"wait_in_dsp", 0x108u, "wait_in:dsp"},
      {"wait_in_dma", 0x110u, "wait_in:dma"},
      {"wait_in_host", 0x118u, "wait_in:host"},
      {"wait_weights_dla", 0x200u, "wait_weights:dla"},
      {"wait_weights_dsp", 0x208u, "wait_weights:dsp"},
      {"wait_weights_dma", 0x210u, "wait_weights:dma"},
      {"wait_weights_host", 0x218u, "wait_weights:host"},
      {"wait_out_dla", 0x300u, "wait_out:dla"},
      {"wait_out_dsp", 0x308u, "wait_out:dsp"},
      {"wait_out_dma", 0x310u, "wait_out:dma"},
      {"wait_out_host", 0x318u, "wait_out:host"},
  };
  static const presil_capability_bit capability[] = {
      {"int16", 0x1u, "in_type, out_type and rule int16."},
      {"int4", 0x2u, "w_bits int4."},
      {"int2", 0x4u, "w_bits int2."},
      {"rule_mul_add_shift", 0x8u, "rule mul_add_shift."},
  };
  static const presil_engine_description description = {
      "dla", "The convolution engine.", 4 /* interface */, 0 /* kind */,
      0, 1 /* queues */, 4, 11 /* instances */, 0x200u, 0x100u /* their registers */,
      0x1000u, 0x400u, 0x0u, counters, 22,
      0x14u, capability, 4,
      presil_dla_command_format, 3 /* waits */,
      {PRESIL_DLA_COMMAND_WAIT_WEIGHTS, PRESIL_DLA_COMMAND_WAIT_IN, PRESIL_DLA_COMMAND_WAIT_OUT},
      {PRESIL_DLA_COMMAND_WAIT_WEIGHTS_VALUE, PRESIL_DLA_COMMAND_WAIT_IN_VALUE, PRESIL_DLA_COMMAND_WAIT_OUT_VALUE},
      PRESIL_DLA_COMMAND_SIGNAL, PRESIL_DLA_COMMAND_SIGNAL_ADD, PRESIL_DLA_COMMAND_TAG,
      NULL, 0};
  return &description;
}

#ifdef __cplusplus
}
#endif
