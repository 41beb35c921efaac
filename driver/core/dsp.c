/* The vector DSP: what it is and its queue, looked at when the first network that uses it is
 * loaded, so that a SoC whose networks do not use it is as one without. */
#include "rtl/dsp/dsp.h"

#include "driver/core/device.h"

#define DSP (PRESIL_TILE_BASE(0) + PRESIL_TILE_DSP)
#define FIELD(word, name) (((word)&PRESIL_##name##_MASK) >> PRESIL_##name##_SHIFT)

void presil_dsp_limits(presil_device* d, presil_limits* limits) {
  limits->itcm_bytes = presil_read(d, DSP + PRESIL_DSP_REG_ITCM);
  limits->dsp_on_trap =
      FIELD(presil_read(d, DSP + PRESIL_DSP_REG_CAPABILITY), DSP_CAPABILITY_ON_TRAP);
}

presil_status presil_dsp_start(presil_device* d) {
  if (d->dsp_started) return PRESIL_OK;
  const presil_status idle = presil_queue_check_idle(d, PRESIL_QUEUE_DSP);
  if (idle != PRESIL_OK) return idle;
  presil_queue_start(d, PRESIL_QUEUE_DSP);
  d->dsp_started = true;
  return PRESIL_OK;
}
