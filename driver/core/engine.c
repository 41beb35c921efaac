#include "driver/core/engine.h"

#include "rtl/dla/dla.h"
#include "rtl/dma/dma.h"
#include "rtl/dsp/dsp.h"
#include "rtl/host/host.h"

static const presil_engine dla = {
    "dla",
    presil_dla_command_format,
    presil_dla_check,
    3,
    {PRESIL_DLA_COMMAND_WAIT_WEIGHTS, PRESIL_DLA_COMMAND_WAIT_IN, PRESIL_DLA_COMMAND_WAIT_OUT},
    {PRESIL_DLA_COMMAND_WAIT_WEIGHTS_VALUE, PRESIL_DLA_COMMAND_WAIT_IN_VALUE,
     PRESIL_DLA_COMMAND_WAIT_OUT_VALUE},
    PRESIL_DLA_COMMAND_SIGNAL,
    PRESIL_DLA_COMMAND_SIGNAL_ADD,
    PRESIL_DLA_COMMAND_TAG,
};

static const presil_engine dma = {
    "dma",
    presil_dma_command_format,
    presil_dma_check,
    2,
    {PRESIL_DMA_COMMAND_WAIT0, PRESIL_DMA_COMMAND_WAIT1, 0},
    {PRESIL_DMA_COMMAND_WAIT0_VALUE, PRESIL_DMA_COMMAND_WAIT1_VALUE, 0},
    PRESIL_DMA_COMMAND_SIGNAL,
    PRESIL_DMA_COMMAND_SIGNAL_ADD,
    PRESIL_DMA_COMMAND_TAG,
};

static const presil_engine dsp = {
    "dsp",
    presil_dsp_command_format,
    presil_dsp_check,
    3,
    {PRESIL_DSP_COMMAND_WAIT0, PRESIL_DSP_COMMAND_WAIT1, PRESIL_DSP_COMMAND_WAIT2},
    {PRESIL_DSP_COMMAND_WAIT0_VALUE, PRESIL_DSP_COMMAND_WAIT1_VALUE,
     PRESIL_DSP_COMMAND_WAIT2_VALUE},
    PRESIL_DSP_COMMAND_SIGNAL,
    PRESIL_DSP_COMMAND_SIGNAL_ADD,
    PRESIL_DSP_COMMAND_TAG,
};

static const presil_engine host = {
    "host",
    presil_host_command_format,
    presil_host_check,
    2,
    {PRESIL_HOST_COMMAND_WAIT0, PRESIL_HOST_COMMAND_WAIT1, 0},
    {PRESIL_HOST_COMMAND_WAIT0_VALUE, PRESIL_HOST_COMMAND_WAIT1_VALUE, 0},
    PRESIL_HOST_COMMAND_SIGNAL,
    PRESIL_HOST_COMMAND_SIGNAL_ADD,
    PRESIL_HOST_COMMAND_TAG,
};

const presil_engine* presil_engine_of(unsigned queue) {
  if (queue == PRESIL_QUEUE_DLA) return &dla;
  if (queue == PRESIL_QUEUE_DSP) return &dsp;
  if (queue == PRESIL_QUEUE_HOST) return &host;
  if (queue >= PRESIL_QUEUE_DMA0 && queue < PRESIL_QUEUES) return &dma;
  return NULL;
}

const char* presil_queue_name(unsigned queue) {
  static const char* const names[PRESIL_QUEUES] = {"dla",  "dsp",  "host", "dma0", "dma1", "dma2",
                                                   "dma3", "dma4", "dma5", "dma6", "dma7"};
  return queue < PRESIL_QUEUES ? names[queue] : "queue";
}

bool presil_found(presil_finding* finding, unsigned rule, const char* what, int64_t got,
                  int64_t low, int64_t high, const char* why) {
  finding->code = PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN;
  finding->rule = rule;
  finding->what = what;
  finding->why = why;
  finding->got = got;
  finding->low = low;
  finding->high = high;
  return false;
}

bool presil_within(presil_finding* finding, unsigned rule, const char* what, int64_t got,
                   int64_t low, int64_t high, const char* why) {
  return (got >= low && got <= high) || presil_found(finding, rule, what, got, low, high, why);
}
