// Printed from every engine.yaml with its contract by `python3 rtl/gen/print.py`; do not edit. C11.
// clang-format off
#pragma once

#include "rtl/dla/dla_description.h"
#include "rtl/dsp/dsp_description.h"
#include "rtl/dma/dma_description.h"
#include "rtl/host/host_description.h"
#include "rtl/soc/engine_kinds.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NULL: there is no such kind here. */
static inline const presil_engine_description* presil_engine_description_of(unsigned kind) {
  switch (kind) {
    case PRESIL_ENGINE_DLA: return presil_dla_description();
    case PRESIL_ENGINE_DSP: return presil_dsp_description();
    case PRESIL_ENGINE_DMA: return presil_dma_description();
    case PRESIL_ENGINE_HOST: return presil_host_description();
    default: return presil_joined_engine(kind);
  }
}

#ifdef __cplusplus
}
#endif
