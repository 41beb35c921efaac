// Printed from rtl/host/host.rdl and its engine.yaml by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include <stddef.h>

#include "rtl/host/host.h"
#include "rtl/common/engine_description.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline const presil_engine_description* presil_host_description(void) {
  static const presil_engine_description description = {
      "host", "The host, through register SIGNAL or COUNT.", 4 /* interface */, 3 /* kind */,
      2, 1 /* queues */, 1, 3 /* instances */, 0x0u, 0x0u /* their registers */,
      0x0u, 0x0u, 0x0u, NULL, 0,
      0x0u, NULL, 0,
      presil_host_command_format, 2 /* waits */,
      {PRESIL_HOST_COMMAND_WAIT0, PRESIL_HOST_COMMAND_WAIT1},
      {PRESIL_HOST_COMMAND_WAIT0_VALUE, PRESIL_HOST_COMMAND_WAIT1_VALUE},
      PRESIL_HOST_COMMAND_SIGNAL, PRESIL_HOST_COMMAND_SIGNAL_ADD, PRESIL_HOST_COMMAND_TAG,
      NULL, 0};
  return &description;
}

#ifdef __cplusplus
}
#endif
