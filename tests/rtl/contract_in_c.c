/* The C headers are C11 and say the same as the C++ ones: command_words_test.cpp calls this. */
#include "rtl/common/job.h"
#include "rtl/dla/dla.h"
#include "rtl/dma/dma.h"
#include "rtl/host/host.h"
#include "rtl/sync/sync.h"

_Static_assert(PRESIL_DLA_COMMAND_BYTES == 160 && PRESIL_DLA_COMMAND_PITCH == 256,
               "dla.md section 6");
_Static_assert(PRESIL_DMA_COMMAND_BYTES == 128 && PRESIL_HOST_COMMAND_BYTES == 64,
               "dma-sync-memory.md");
_Static_assert(PRESIL_JOB_ENTRY_BYTES == 128, "dma-sync-memory.md section 3");

enum presil_queue_error_code presil_contract_check_in_c(const uint32_t* words, const char** field);
enum presil_queue_error_code presil_contract_check_in_c(const uint32_t* words, const char** field) {
  struct presil_violation violation = {PRESIL_QUEUE_ERROR_CODE_NONE, "", 0, 0, 0, 0, 0};
  const enum presil_queue_error_code code =
      presil_command_check(presil_dla_command_format(), words, &violation);
  *field = violation.field;
  return code;
}
