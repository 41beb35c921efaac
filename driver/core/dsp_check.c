/* Rules between the fields of a DSP command, its addresses, and that a program is what it was when
 * it was compiled: rtl/dsp/README.md, in its order. */
#include "driver/core/crc.h"
#include "driver/core/dsp.h"
#include "rtl/dsp/dsp.h"
#include "rtl/dsp/dsp_rules.h"
#include "rtl/dsp/dsp_view.h"

#define F(name) presil_field_get(words, &presil_dsp_command_fields()[PRESIL_DSP_COMMAND_##name])

static bool range(presil_finding* f, const char* what, int64_t end, int64_t limit,
                  const char* why) {
  if (presil_within(f, 0, what, end, 0, limit, why)) return true;
  f->code = PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE;
  return false;
}

static bool check_run(const uint32_t* words, const presil_limits* limits, presil_finding* f) {
  const int64_t first = PRESIL_DSP_ITCM;
  if (!presil_within(f, PRESIL_DSP_R1_ENTRY, "entry", F(ENTRY), first,
                     first + limits->itcm_bytes - 1, "a program is in the instruction memory")) {
    return false;
  }
  if (!presil_within(f, 0, "on_trap", F(ON_TRAP), 0, limits->dsp_on_trap,
                     "a job must not end well with a program that has trapped")) {
    f->code = PRESIL_QUEUE_ERROR_CODE_UNSUPPORTED;
    return false;
  }
  const char* const why = "the SRAM ends there";
  return range(f, "end of the argument block", F(ARGS_BASE) + F(ARGS_BYTES), limits->sram_bytes,
               why) &&
         range(f, "end of the region table",
               F(REGIONS_BASE) + F(REGION_COUNT) * PRESIL_DSP_REGION_BYTES, limits->sram_bytes,
               why);
}

static bool check_select(const uint32_t* words, const presil_limits* limits, presil_finding* f) {
  const int64_t offset = F(IMAGE_OFFSET), bytes = F(IMAGE_BYTES), region = F(IMAGE_REGION);
  const bool in_sram = F(IMAGE_IN_SRAM) != 0;
  const char* const why = "SRAM addresses have 24 bits and no region";
  if (!presil_within(f, PRESIL_DSP_R3_IMAGE_FITS, "image_bytes", bytes, 16, limits->itcm_bytes,
                     "an image fits the instruction memory") ||
      (in_sram && (!presil_within(f, PRESIL_DSP_R4_SRAM_IMAGE, "image_region", region, 0, 0, why) ||
                   !presil_within(f, PRESIL_DSP_R4_SRAM_IMAGE, "image_offset", offset, 0,
                                  (1 << 24) - 1, why)))) {
    return false;
  }
  if (!range(f, "end of the image", offset + bytes,
             in_sram ? limits->sram_bytes : (int64_t)limits->region_pages[region] * 4096,
             in_sram ? "the SRAM ends there" : "the region ends there")) {
    return false;
  }
  if (in_sram || region != PRESIL_REGION_CONSTANTS || !limits->image) return true;
  if ((uint64_t)(offset + bytes) > limits->image_bytes)
    return range(f, "end of the image", offset + bytes, (int64_t)limits->image_bytes,
                 "the constants end there");
  const int64_t crc = presil_crc32(limits->image + offset, (size_t)bytes);
  return presil_within(f, PRESIL_DSP_R9_IMAGE_CRC, "image_crc", F(IMAGE_CRC), crc, crc,
                       "its bytes have this CRC-32");
}

bool presil_dsp_check(const uint32_t* words, const presil_limits* limits, presil_finding* f) {
  switch (F(OP)) {
    case PRESIL_DSP_OP_RUN:
      return check_run(words, limits, f);
    case PRESIL_DSP_OP_SELECT:
      return check_select(words, limits, f);
    default:
      return true;
  }
}
