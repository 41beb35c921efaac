/* What the vector DSP says of a program: where it is, and why it was stopped. */
#include <presil/dsp_kernel.h>
#include <string.h>

#include "driver/core/device.h"
#include "driver/core/dsp.h"
#include "rtl/dsp/dsp.h"
#include "rtl/dsp/dsp_view.h"
#include "rtl/soc/address_map.h"

#define DSP presil_in_tile(d, PRESIL_TILE_DSP)
#define FIELD(word, name) (((word)&PRESIL_##name##_MASK) >> PRESIL_##name##_SHIFT)
#define COMMAND(words, name) \
  presil_field_get(words, &presil_dsp_command_fields()[PRESIL_DSP_COMMAND_##name])

static uint64_t read64(presil_device* d, uint32_t offset) {
  const uint64_t low = presil_read(d, DSP + offset);
  return low | (uint64_t)presil_read(d, DSP + offset + 4) << 32;
}

/* The guard is hit from above, or from below: by what goes on past the variables. */
static const char* guard_name(presil_device* d) {
  const uint64_t address = read64(d, PRESIL_DSP_REG_TRAP_ADDRESS);
  const uint64_t stack = (address | (PRESIL_DSP_GUARD_BYTES - 1)) + 1; /* its lowest byte */
  return read64(d, PRESIL_DSP_REG_TRAP_SP) < stack
             ? "its stack has overflowed"
             : "it has touched the guard between its variables and its stack";
}

static const char* cause_name(presil_device* d, uint32_t cause) {
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
      return guard_name(d);
    case PRESIL_DSP_TRAP_CAUSE_KERNEL_REFUSED:
      return "it refuses its work";
    default:
      return "an unknown cause";
  }
}

/* The function of an image that holds an address; NULL: none is known. */
static const presil_symbol* function_at(const presil_network* n, uint32_t crc, uint32_t address) {
  for (uint32_t i = 0; i < n->symbols; ++i) {
    const presil_symbol* s = &n->symbol[i];
    if (s->image_crc == crc && address >= s->address && address - s->address < s->bytes) return s;
  }
  return NULL;
}

/* ", in nms + 0x1a, pc 0x1000002a" */
static void place(presil_text* t, const presil_network* n, uint32_t crc, uint32_t pc) {
  const presil_symbol* s = function_at(n, crc, pc);
  if (!s) {
    TEXT(t, " at pc ", presil_in_hex(pc));
    return;
  }
  TEXT(t, ", in ", n->names + s->name);
  if (pc != s->address) TEXT(t, " + ", presil_in_hex(pc - s->address));
  TEXT(t, ", pc ", presil_in_hex(pc));
}

/* The kernel that a run calls: the name that PRESIL_KERNEL was given, or its address. */
static void name_kernel(presil_text* t, const presil_network* n, unsigned queue, uint32_t crc,
                        uint32_t command) {
  static const char prefix[] = "presil_entry_";
  const uint32_t* words = presil_network_command(n, queue, command);
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

void presil_dsp_report_place(presil_text* t, const presil_network* n, unsigned queue,
                             uint32_t command) {
  presil_device* d = n->device;
  const uint32_t pc = presil_read(d, DSP + PRESIL_DSP_REG_PROGRAM_PC);
  if (!pc) return;
  const uint32_t crc = presil_read(d, DSP + PRESIL_DSP_REG_IMAGE_CRC);
  TEXT(t, " ");
  name_kernel(t, n, queue, crc, command);
  place(t, n, crc, pc);
}

static void bytes(presil_text* t, uint32_t count) {
  TEXT(t, count, count == 1 ? " byte" : " bytes");
}

/* Of an address with no region of the command in its memory. */
static const char* memory_of(uint64_t address) {
  if (address < 0x1000) return ", a null pointer";
  if (address < PRESIL_DSP_ITCM) return ", where no memory is";
  if (address < PRESIL_DSP_EXIT) return ", in the program's own code";
  if (address < PRESIL_DSP_DTCM) return ", where no memory is";
  if (address < PRESIL_DSP_SRAM) return ", after the data memory";
  if (address < PRESIL_DSP_OWN) return ", in the SRAM, where the kernel has no tensor";
  if (address < PRESIL_DSP_OWN + PRESIL_DSP_OWN_BYTES) return ", among the DSP's own registers";
  if (address < PRESIL_DRAM_BASE || address >= 2 * PRESIL_DRAM_BASE) return ", where no memory is";
  return ", in the DRAM, where the kernel has no tensor";
}

/* "4 bytes after tensor 'boxes'" */
static void near_tensor(presil_text* t, const presil_network* n, uint32_t cause, uint64_t address) {
  presil_device* d = n->device;
  const uint32_t region = presil_read(d, DSP + PRESIL_DSP_REG_TRAP_REGION);
  const uint32_t distance = presil_read(d, DSP + PRESIL_DSP_REG_TRAP_DISTANCE);
  const uint32_t tensor = FIELD(region, DSP_TRAP_REGION_TENSOR);
  const uint32_t where = FIELD(region, DSP_TRAP_REGION_NEAR);
  switch (where) {
    case PRESIL_DSP_NEAR_IN_REGION:
      TEXT(t, ", byte ", distance, " of");
      break;
    case PRESIL_DSP_NEAR_BELOW:
      TEXT(t, ", ");
      bytes(t, distance);
      TEXT(t, " before");
      break;
    case PRESIL_DSP_NEAR_ABOVE:
      TEXT(t, ", ");
      bytes(t, distance);
      TEXT(t, " after");
      break;
    default:
      TEXT(t, memory_of(address));
      return;
  }
  if (tensor < n->tensors) {
    TEXT(t, " tensor '", n->names + n->tensor_name[tensor], "'");
  } else {
    TEXT(t, " region ", FIELD(region, DSP_TRAP_REGION_REGION), ", which is no tensor");
  }
  if (where != PRESIL_DSP_NEAR_IN_REGION) return;
  if (cause == PRESIL_DSP_TRAP_CAUSE_LOAD_FAULT) TEXT(t, ", which it may not read");
  if (cause == PRESIL_DSP_TRAP_CAUSE_STORE_FAULT) TEXT(t, ", which it may not write");
}

/* What a kernel has returned. */
static void refusal(presil_text* t, uint32_t code) {
  static const char* const names[] = {[PRESIL_DSP_REFUSED_BLOCK] = "the argument block",
                                      [PRESIL_DSP_REFUSED_COUNT] = "the number of tensors",
                                      [PRESIL_DSP_REFUSED_PARAMS] = "its parameters",
                                      [PRESIL_DSP_REFUSED_TYPE] = "the type of a tensor",
                                      [PRESIL_DSP_REFUSED_SHAPE] = "the shape of a tensor",
                                      [PRESIL_DSP_REFUSED_SCRATCH] = "its scratch"};
  TEXT(t, " with code ", (int32_t)code);
  if (code < sizeof names / sizeof *names && names[code]) TEXT(t, ", ", names[code]);
  if (code >= PRESIL_DSP_REFUSED_BY_USER) TEXT(t, ", a reason of its own");
}

/* "lw x11, 1(x11) (0x15a583)", where the port can say it in words. */
static void instruction(presil_text* t, const presil_device* d, uint32_t word) {
  char words[64] = "";
  if (d->port.instruction) d->port.instruction(d->port.self, word, words, sizeof words);
  TEXT(t, ", instruction ");
  if (*words) TEXT(t, words, " (");
  TEXT(t, presil_in_hex(word));
  if (*words) TEXT(t, ")");
}

/* The address of an access that was refused, and what it is. */
static void access(presil_text* t, const presil_network* n, uint32_t cause) {
  presil_device* d = n->device;
  const uint64_t address = read64(d, PRESIL_DSP_REG_TRAP_ADDRESS);
  TEXT(t, ", address ", presil_in_hex(address));
  if (cause != PRESIL_DSP_TRAP_CAUSE_STACK_GUARD) near_tensor(t, n, cause, address);
  const uint32_t trap = presil_read(d, DSP + PRESIL_DSP_REG_TRAP);
  const uint32_t element = FIELD(trap, DSP_TRAP_VSTART);
  if (element) TEXT(t, ", element ", element, " of a vector");
}

static bool is_access(uint32_t cause) {
  return (cause >= PRESIL_DSP_TRAP_CAUSE_LOAD_MISALIGNED &&
          cause <= PRESIL_DSP_TRAP_CAUSE_STORE_FAULT) ||
         cause == PRESIL_DSP_TRAP_CAUSE_STACK_GUARD;
}

bool presil_dsp_report_error(presil_network* n, unsigned queue, presil_where at, uint32_t code) {
  if (code != PRESIL_QUEUE_ERROR_CODE_KERNEL_TRAP) return false;
  presil_device* d = n->device;
  const uint32_t cause = FIELD(presil_read(d, DSP + PRESIL_DSP_REG_TRAP), DSP_TRAP_CAUSE);
  const uint32_t crc = presil_read(d, DSP + PRESIL_DSP_REG_IMAGE_CRC);
  presil_text t = presil_error_begin(d, PRESIL_HARDWARE, at, "trap", cause, 0);
  if (at.command >= 0) {
    name_kernel(&t, n, queue, crc, (uint32_t)at.command);
  } else {
    TEXT(&t, "a kernel");
  }
  TEXT(&t, " was stopped: ", cause_name(d, cause));
  if (cause == PRESIL_DSP_TRAP_CAUSE_KERNEL_REFUSED) {
    refusal(&t, presil_read(d, DSP + PRESIL_DSP_REG_TRAP_CODE));
  } else {
    if (is_access(cause)) access(&t, n, cause);
    place(&t, n, crc, presil_read(d, DSP + PRESIL_DSP_REG_TRAP_PC));
    const uint32_t word = presil_read(d, DSP + PRESIL_DSP_REG_TRAP_WORD);
    if (word || cause == PRESIL_DSP_TRAP_CAUSE_ILLEGAL) instruction(&t, d, word);
    TEXT(&t, ", sp ", presil_in_hex(read64(d, PRESIL_DSP_REG_TRAP_SP)));
  }
  TEXT(&t, ", cycle ", read64(d, PRESIL_DSP_REG_TRAP_CYCLE),
       "; the job has ended without a result");
  presil_write(d, DSP + PRESIL_DSP_REG_TRAP_CONTROL, PRESIL_DSP_TRAP_CONTROL_CLEAR_MASK);
  return true;
}
