/* What every image has: the way into a kernel, and the four functions that a compiler calls by
 * itself. Compiled with -fno-builtin, else these four would call themselves. */
#include <presil/dsp_kernel.h>

extern char presil_dsp_bss_begin[], presil_dsp_bss_end[];

void* memcpy(void* to, const void* from, size_t bytes);
void* memmove(void* to, const void* from, size_t bytes);
void* memset(void* to, int value, size_t bytes);
int memcmp(const void* a, const void* b, size_t bytes);

/* Bytes go through the vector unit, a register group at a time. */
void* memcpy(void* to, const void* from, size_t bytes) {
  char* t = (char*)to;
  const char* f = (const char*)from;
  for (size_t vl; bytes > 0; bytes -= vl, t += vl, f += vl) {
    __asm__ volatile(
        "vsetvli %0, %1, e8, m8, ta, ma\n\t"
        "vle8.v v8, (%2)\n\t"
        "vse8.v v8, (%3)"
        : "=&r"(vl)
        : "r"(bytes), "r"(f), "r"(t)
        : "memory", "vl", "vtype", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15");
  }
  return to;
}

void* memmove(void* to, const void* from, size_t bytes) {
  if ((uintptr_t)to - (uintptr_t)from >= bytes) return memcpy(to, from, bytes);
  for (size_t vl; bytes > 0; bytes -= vl) { /* `to` lies after `from`: from the end */
    __asm__ volatile("vsetvli %0, %1, e8, m8, ta, ma" : "=r"(vl) : "r"(bytes) : "vl", "vtype");
    memcpy((char*)to + bytes - vl, (const char*)from + bytes - vl, vl);
  }
  return to;
}

void* memset(void* to, int value, size_t bytes) {
  char* t = (char*)to;
  for (size_t vl; bytes > 0; bytes -= vl, t += vl) {
    __asm__ volatile(
        "vsetvli %0, %1, e8, m8, ta, ma\n\t"
        "vmv.v.x v8, %2\n\t"
        "vse8.v v8, (%3)"
        : "=&r"(vl)
        : "r"(bytes), "r"(value), "r"(t)
        : "memory", "vl", "vtype", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15");
  }
  return to;
}

int memcmp(const void* a, const void* b, size_t bytes) {
  const unsigned char *p = (const unsigned char*)a, *q = (const unsigned char*)b;
  for (size_t i = 0; i < bytes; ++i) {
    if (p[i] != q[i]) return p[i] - q[i];
  }
  return 0;
}

static struct {
  void* scratch;
  size_t scratch_bytes;
  uint32_t inputs, outputs;
} now;

uint32_t presil_dsp_inputs(void) {
  return now.inputs;
}

uint32_t presil_dsp_outputs(void) {
  return now.outputs;
}

void* presil_dsp_scratch(size_t* bytes) {
  if (bytes != NULL) *bytes = now.scratch_bytes;
  return now.scratch;
}

/* The block's copy: a scalar load from SRAM takes three times as long. */
static PRESIL_DSP_TCM union {
  presil_dsp_header header;
  uint64_t words[PRESIL_DSP_MAX_BLOCK / 8];
  char bytes[PRESIL_DSP_MAX_BLOCK];
} arguments;

_Static_assert(sizeof(presil_dsp_header) == 32 && sizeof(presil_dsp_tensor) == sizeof(DLTensor),
               "the block's tensors become DLTensors where they stand");

int32_t presil_dsp_enter(const presil_dsp_header* block, presil_dsp_call* call) {
  if (block->magic != PRESIL_DSP_MAGIC) return PRESIL_DSP_REFUSED_BLOCK;
  const uint64_t bytes = (uint64_t)block->params_offset + block->params_bytes;
  if (bytes > sizeof arguments) return PRESIL_DSP_REFUSED_BLOCK;
  memcpy(arguments.bytes, block, bytes);
  memset(presil_dsp_bss_begin, 0, (size_t)(presil_dsp_bss_end - presil_dsp_bss_begin));
  const presil_dsp_header* header = &arguments.header;
  const uint32_t inputs = header->n_in, outputs = header->n_out, count = inputs + outputs;
  if (count > PRESIL_DSP_MAX_TENSORS) return PRESIL_DSP_REFUSED_COUNT;
  const uint64_t* bases = (const uint64_t*)(uintptr_t)PRESIL_DSP_REGION_BASES;
  DLTensor* tensors = (DLTensor*)(arguments.bytes + sizeof *header);
  for (DLTensor* t = tensors; t < tensors + count; ++t) {
    t->data = (void*)(uintptr_t)bases[(uintptr_t)t->data & (PRESIL_DSP_MAX_TENSORS - 1)];
    t->shape = (int64_t*)(arguments.bytes + (uintptr_t)t->shape);
    t->strides = (int64_t*)(arguments.bytes + (uintptr_t)t->strides);
  }
  call->in = tensors;
  call->out = tensors + inputs;
  call->params = arguments.bytes + header->params_offset;
  call->params_bytes = header->params_bytes;
  now.inputs = inputs;
  now.outputs = outputs;
  if (header->scratch_region != PRESIL_DSP_NO_SCRATCH) {
    now.scratch = (void*)(uintptr_t)bases[header->scratch_region & (PRESIL_DSP_MAX_TENSORS - 1)];
    now.scratch_bytes = header->scratch_bytes;
  }
  return PRESIL_DSP_DONE;
}
