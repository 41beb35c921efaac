/* The vector DSP's share of the driver: what it is, the order of its images. Its queue is set up
 * when the first network that uses it is loaded. */
#include "driver/core/dsp.h"

#include "driver/core/device.h"
#include "rtl/dsp/dsp.h"
#include "rtl/dsp/dsp_rules.h"

#define FIELD(word, name) (((word)&PRESIL_##name##_MASK) >> PRESIL_##name##_SHIFT)
#define F(name) presil_field_get(words, &presil_dsp_command_fields()[PRESIL_DSP_COMMAND_##name])

static void read_capability(presil_device* d, uint64_t registers, presil_capability* c) {
  (void)d;
  (void)registers;
  c->dsp = 1;
}

static void read_limits(presil_device* d, presil_limits* limits) {
  const uint64_t registers = presil_in_tile(d, PRESIL_TILE_DSP);
  limits->itcm_bytes = presil_read(d, registers + PRESIL_DSP_REG_ITCM);
  limits->dsp_on_trap =
      FIELD(presil_read(d, registers + PRESIL_DSP_REG_CAPABILITY), DSP_CAPABILITY_ON_TRAP);
}

/* Every job brings the images that it runs: what another network has left there is not its own. */
static bool check_resident(presil_walk* w, unsigned queue) {
  int64_t crc = -1;
  uint32_t words[PRESIL_MAX_COMMAND_WORDS];
  for (uint32_t i = 0; i < w->streams[queue].commands; ++i) {
    presil_walk_words(w, queue, i, words);
    const int64_t op = F(OP), expected = F(IMAGE_CRC);
    if (op == PRESIL_DSP_OP_SELECT) crc = expected;
    if (op != PRESIL_DSP_OP_RUN || expected == crc) continue;
    presil_text t =
        presil_error_begin(w->device, PRESIL_REFUSED, presil_walk_where(w, queue, i, words),
                           "image_crc", expected, crc);
    TEXT(&t, "image_crc is ", presil_in_hex((uint64_t)expected));
    if (crc < 0) {
      TEXT(&t, ", requires a select before it");
    } else {
      TEXT(&t, ", must be ", presil_in_hex((uint64_t)crc), ", that of the select before it");
    }
    TEXT(&t, " (rule R", PRESIL_DSP_R8_RESIDENT, " of rtl/dsp/README.md)");
    return false;
  }
  return true;
}

/* The image stays resident. */
static bool leaves(const uint32_t* words) {
  return F(OP) == PRESIL_DSP_OP_SELECT;
}

const presil_engine_driver presil_dsp_driver = {.read_capability = read_capability,
                                                .check = presil_dsp_check,
                                                .check_stream = check_resident,
                                                .read_limits = read_limits,
                                                .leaves = leaves,
                                                .report_error = presil_dsp_report_error,
                                                .report_place = presil_dsp_report_place,
                                                .starts_with_network = true};
