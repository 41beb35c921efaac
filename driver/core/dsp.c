/* The vector DSP: what it is and its queue, looked at when the first network that uses it is
 * loaded, so that a SoC whose networks do not use it is as one without; and what it says of a
 * program that has trapped. */
#include "rtl/dsp/dsp.h"

#include <string.h>

#include "driver/core/device.h"
#include "rtl/dsp/dsp_view.h"

#define DSP (PRESIL_TILE_BASE(0) + PRESIL_TILE_DSP)
#define FIELD(word, name) (((word)&PRESIL_##name##_MASK) >> PRESIL_##name##_SHIFT)
#define COMMAND(words, name) \
  presil_field_get(words, &presil_dsp_command_fields()[PRESIL_DSP_COMMAND_##name])

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

static uint64_t read64(presil_device* d, uint32_t offset) {
  const uint64_t low = presil_read(d, DSP + offset);
  return low | (uint64_t)presil_read(d, DSP + offset + 4) << 32;
}

static const char* cause_name(uint32_t cause) {
  switch (cause) {
    case PRESIL_DSP_TRAP_CAUSE_FETCH:
      return "there is no instruction";
    case PRESIL_DSP_TRAP_CAUSE_ILLEGAL:
      return "an illegal instruction";
    case PRESIL_DSP_TRAP_CAUSE_BREAKPOINT:
      return "a breakpoint";
    case PRESIL_DSP_TRAP_CAUSE_LOAD_MISALIGNED:
      return "a misaligned load";
    case PRESIL_DSP_TRAP_CAUSE_LOAD_FAULT:
      return "a load outside what the kernel may read";
    case PRESIL_DSP_TRAP_CAUSE_STORE_MISALIGNED:
      return "a misaligned store";
    case PRESIL_DSP_TRAP_CAUSE_STORE_FAULT:
      return "a store outside what the kernel may write";
    case PRESIL_DSP_TRAP_CAUSE_WATCHDOG:
      return "it did not end before its watchdog";
    case PRESIL_DSP_TRAP_CAUSE_STACK_GUARD:
      return "its stack has overflowed";
    case PRESIL_DSP_TRAP_CAUSE_KERNEL_REFUSED:
      return "it refuses its work";
    default:
      return "an unknown cause";
  }
}

/* "nms + 0x1a": the function of an image that holds an address; false: none is known. */
static bool place_in(presil_text* t, const presil_network* n, uint32_t crc, uint32_t address) {
  for (uint32_t i = 0; i < n->symbols; ++i) {
    const presil_symbol* s = &n->symbol[i];
    if (s->image_crc != crc || address < s->address || address - s->address >= s->bytes) continue;
    TEXT(t, n->names + s->name);
    if (address != s->address) TEXT(t, " + ", presil_in_hex(address - s->address));
    return true;
  }
  return false;
}

/* The kernel that a run calls: the name that PRESIL_KERNEL was given, or its address. */
static void name_kernel(presil_text* t, const presil_network* n, uint32_t crc, uint32_t command) {
  static const char prefix[] = "presil_entry_";
  const uint32_t* words = presil_network_command(n, PRESIL_QUEUE_DSP, command);
  const uint32_t entry = (uint32_t)COMMAND(words, ENTRY);
  TEXT(t, "the kernel ");
  for (uint32_t i = 0; i < n->symbols; ++i) {
    if (n->symbol[i].image_crc != crc || n->symbol[i].address != entry) continue;
    const char* name = n->names + n->symbol[i].name;
    if (strncmp(name, prefix, sizeof prefix - 1) == 0) name += sizeof prefix - 1;
    TEXT(t, name);
    return;
  }
  TEXT(t, "at ", presil_in_hex(entry));
}

void presil_dsp_report_place(presil_text* t, const presil_network* n, uint32_t command) {
  presil_device* d = n->device;
  const uint32_t pc = presil_read(d, DSP + PRESIL_DSP_REG_PROGRAM_PC);
  if (!pc) return;
  const uint32_t crc = presil_read(d, DSP + PRESIL_DSP_REG_IMAGE_CRC);
  TEXT(t, " ");
  name_kernel(t, n, crc, command);
  TEXT(t, ", in ");
  if (place_in(t, n, crc, pc)) TEXT(t, ", ");
  TEXT(t, "pc ", presil_in_hex(pc));
}

/* "4 bytes behind tensor 'boxes'" */
static void near_tensor(presil_text* t, presil_device* d, const presil_network* n) {
  const uint32_t region = presil_read(d, DSP + PRESIL_DSP_REG_TRAP_REGION);
  const uint32_t distance = presil_read(d, DSP + PRESIL_DSP_REG_TRAP_DISTANCE);
  const uint32_t tensor = FIELD(region, DSP_TRAP_REGION_TENSOR);
  switch (FIELD(region, DSP_TRAP_REGION_NEAR)) {
    case PRESIL_DSP_NEAR_IN_REGION:
      TEXT(t, ", byte ", distance, " of");
      break;
    case PRESIL_DSP_NEAR_BELOW:
      TEXT(t, ", ", distance, " bytes in front of");
      break;
    case PRESIL_DSP_NEAR_ABOVE:
      TEXT(t, ", ", distance, " bytes behind");
      break;
    default:
      return;
  }
  if (tensor < n->tensors) {
    TEXT(t, " tensor '", n->names + n->tensor_name[tensor], "'");
  } else {
    TEXT(t, " region ", FIELD(region, DSP_TRAP_REGION_REGION), ", which is no tensor");
  }
}

void presil_dsp_report_trap(presil_network* n, presil_where at) {
  presil_device* d = n->device;
  const uint32_t trap = presil_read(d, DSP + PRESIL_DSP_REG_TRAP);
  const uint32_t cause = FIELD(trap, DSP_TRAP_CAUSE);
  const uint32_t pc = presil_read(d, DSP + PRESIL_DSP_REG_TRAP_PC);
  const uint32_t crc = presil_read(d, DSP + PRESIL_DSP_REG_IMAGE_CRC);
  presil_text t = presil_error_begin(d, PRESIL_HARDWARE, at, "trap", cause, 0);
  if (at.command >= 0) {
    name_kernel(&t, n, crc, (uint32_t)at.command);
  } else {
    TEXT(&t, "a kernel");
  }
  TEXT(&t, " was stopped: ", cause_name(cause));
  if (cause == PRESIL_DSP_TRAP_CAUSE_KERNEL_REFUSED) {
    TEXT(&t, " with code ", presil_read(d, DSP + PRESIL_DSP_REG_TRAP_CODE));
  } else if ((cause >= PRESIL_DSP_TRAP_CAUSE_LOAD_MISALIGNED &&
              cause <= PRESIL_DSP_TRAP_CAUSE_STORE_FAULT) ||
             cause == PRESIL_DSP_TRAP_CAUSE_STACK_GUARD) {
    TEXT(&t, ", address ", presil_in_hex(read64(d, PRESIL_DSP_REG_TRAP_ADDRESS)));
    near_tensor(&t, d, n);
    const uint32_t element = FIELD(trap, DSP_TRAP_VSTART);
    if (element) TEXT(&t, ", element ", element, " of a vector");
  }
  TEXT(&t, ", in ");
  if (place_in(&t, n, crc, pc)) TEXT(&t, ", ");
  TEXT(&t, "pc ", presil_in_hex(pc), ", instruction ",
       presil_in_hex(presil_read(d, DSP + PRESIL_DSP_REG_TRAP_WORD)), ", sp ",
       presil_in_hex(read64(d, PRESIL_DSP_REG_TRAP_SP)));
  TEXT(&t, ", cycle ", read64(d, PRESIL_DSP_REG_TRAP_CYCLE),
       "; the job has ended without a result");
  presil_write(d, DSP + PRESIL_DSP_REG_TRAP_CONTROL, PRESIL_DSP_TRAP_CONTROL_CLEAR_MASK);
}
