/* The C headers are C11 and say the same as the C++ ones: command_words_test.cpp calls this. */
#include "rtl/common/job.h"
#include "rtl/dla/dla.h"
#include "rtl/dma/dma.h"
#include "rtl/dsp/dsp.h"
#include "rtl/dsp/dsp_view.h"
#include "rtl/host/host.h"
#include "rtl/sync/sync.h"

_Static_assert(PRESIL_DLA_COMMAND_BYTES == 160 && PRESIL_DLA_COMMAND_PITCH == 256,
               "dla.md section 6");
_Static_assert(PRESIL_DMA_COMMAND_BYTES == 128 && PRESIL_HOST_COMMAND_BYTES == 64,
               "dma-sync-memory.md");
_Static_assert(PRESIL_DSP_COMMAND_BYTES == 64 && PRESIL_DSP_COMMAND_PITCH == 64,
               "dsp.md section 5");
_Static_assert(sizeof(struct presil_dsp_region) == PRESIL_DSP_REGION_BYTES &&
                   (PRESIL_DSP_REGION_RESERVED ^ PRESIL_DSP_REGION_SPACE_MASK ^
                    PRESIL_DSP_REGION_READ ^ PRESIL_DSP_REGION_WRITE ^ 0xffff0000u) == 0xffffffffu,
               "a region entry has no bit twice and none unnamed");
_Static_assert(PRESIL_DSP_OWN_REGION_SIZE(PRESIL_DSP_REGIONS) == PRESIL_DSP_OWN_BYTES,
               "the registers of all regions, and nothing after them");
_Static_assert(PRESIL_JOB_ENTRY_BYTES == 128, "dma-sync-memory.md section 3");

enum presil_queue_error_code presil_contract_check_in_c(const uint32_t* words, const char** field);
enum presil_queue_error_code presil_contract_check_in_c(const uint32_t* words, const char** field) {
  struct presil_violation violation = {PRESIL_QUEUE_ERROR_CODE_NONE, "", 0, 0, 0, 0, 0};
  const enum presil_queue_error_code code =
      presil_command_check(presil_dla_command_format(), words, &violation);
  *field = violation.field;
  return code;
}
