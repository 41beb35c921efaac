/* The parts of the vector DSP's share of the driver, as dsp.c joins them. */
#ifndef PRESIL_DRIVER_DSP_H
#define PRESIL_DRIVER_DSP_H

#include "driver/core/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* dsp_check.c */
bool presil_dsp_check(const uint32_t* words, const presil_limits* limits, presil_finding* finding);

/* dsp_report.c */
bool presil_dsp_report_error(presil_network* network, unsigned queue, presil_where at,
                             uint32_t code);
/* After "runs": the kernel of this command, and where in it the DSP is. */
void presil_dsp_report_place(presil_text* t, const presil_network* network, unsigned queue,
                             uint32_t command);

#ifdef __cplusplus
}
#endif
#endif
