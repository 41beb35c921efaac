/* What the author of a kernel for the vector DSP includes, C11 or C++17; and what lays out a
 * kernel's arguments, on any host.
 *
 * A kernel is a function over tensors in DLPack's public layout:
 *
 *   #include <presil/dsp_kernel.h>
 *   typedef struct { int32_t by; } shift_params;
 *   static int32_t shift(const DLTensor* in, DLTensor* out, const shift_params* params) {
 *     const int8_t* x = (const int8_t*)presil_dsp_data(in);
 *     ...
 *     return 0;
 *   }
 *   PRESIL_KERNEL(shift)
 *
 * driver/kernels/dsp/build.py compiles and links it. The DSP runs it to its end: no interrupts, no
 * system calls, no heap, no state is kept. It may touch its tensors, its scratch, its arguments
 * and DTCM, nothing else. Variables are 0 at the beginning of every run. Stack: 8 KiB. */
#ifndef PRESIL_DSP_KERNEL_H
#define PRESIL_DSP_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The argument block, as it lies in SRAM: little-endian, 16-aligned ------------------------
 * header; n_in + n_out tensors; shapes and strides, int64 each; params, 16-aligned. */

#define PRESIL_DSP_MAGIC 0x31414450u /* "PDA1" */
#define PRESIL_DSP_MAX_TENSORS 16
#define PRESIL_DSP_MAX_BLOCK 2048 /* bytes, params included */
#define PRESIL_DSP_MAX_RANK 6
#define PRESIL_DSP_DEVICE 12 /* DLPack's kDLExtDev */
#define PRESIL_DSP_NO_SCRATCH 0xffffffffu
#define PRESIL_DSP_REGISTERS 0x30000000u    /* own DMA, as a program sees it */
#define PRESIL_DSP_REGION_BASES 0x30000100u /* uint64 per region: address of its first byte */

typedef struct presil_dsp_header {
  uint32_t magic;
  uint16_t n_in, n_out;
  uint32_t params_bytes;
  uint32_t params_offset;  /* from the block's first byte, multiple of 16 */
  uint32_t shapes_offset;  /* multiple of 8 */
  uint32_t scratch_region; /* PRESIL_DSP_NO_SCRATCH: none */
  uint32_t scratch_bytes;
  uint32_t reserved; /* 0 */
} presil_dsp_header;

/* A DLTensor before addresses are known; the same bytes. */
typedef struct presil_dsp_tensor {
  uint64_t region; /* 0..15: of the command's region table */
  int32_t device_type, device_id;
  int32_t ndim;
  uint8_t code, bits; /* code 0 signed, 1 unsigned, 2 float */
  uint16_t lanes;
  uint64_t shape;   /* offset in the block of int64[ndim] */
  uint64_t strides; /* likewise, in elements */
  uint64_t byte_offset;
} presil_dsp_tensor;

/* Why a kernel does nothing: what its entry returns, the driver's "kernel refused". 0: done. */
enum presil_dsp_refusal {
  PRESIL_DSP_DONE = 0,
  PRESIL_DSP_REFUSED_BLOCK = 1,   /* the argument block is none */
  PRESIL_DSP_REFUSED_COUNT = 2,   /* number of tensors */
  PRESIL_DSP_REFUSED_PARAMS = 3,  /* bytes or values of the parameters */
  PRESIL_DSP_REFUSED_TYPE = 4,    /* type of an element */
  PRESIL_DSP_REFUSED_SHAPE = 5,   /* rank, shape, strides */
  PRESIL_DSP_REFUSED_SCRATCH = 6, /* less than the kernel requires */
  PRESIL_DSP_REFUSED_BY_USER = 16 /* from here on a kernel's own reasons */
};

/* ---- What a kernel sees; a program that has DLPack's own header uses that ----------------------
 */
#ifndef DLPACK_DLPACK_H_
typedef struct DLDevice {
  int32_t device_type;
  int32_t device_id;
} DLDevice;

typedef struct DLDataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} DLDataType;

typedef struct DLTensor {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  int64_t* strides; /* in elements; never null here */
  uint64_t byte_offset;
} DLTensor;
#endif

static inline void* presil_dsp_data(const DLTensor* tensor) {
  return (char*)tensor->data + tensor->byte_offset;
}
static inline int64_t presil_dsp_elements(const DLTensor* tensor) {
  int64_t n = 1;
  for (int32_t i = 0; i < tensor->ndim; ++i) n *= tensor->shape[i];
  return n;
}

#if defined(__riscv)

/* What the entry made of the block. */
typedef struct presil_dsp_call {
  const DLTensor* in;
  DLTensor* out;
  const void* params;
  uint32_t params_bytes;
} presil_dsp_call;

/* Of the runtime: variables to 0, the block to DTCM, addresses into its tensors. */
int32_t presil_dsp_enter(const presil_dsp_header* block, presil_dsp_call* call);

/* How many tensors the command has. */
uint32_t presil_dsp_inputs(void);
uint32_t presil_dsp_outputs(void);
/* The command's scratch, or null: SRAM, 16-aligned, as it was left. */
void* presil_dsp_scratch(size_t* bytes);

/* Cycles since the core was reset. */
static inline uint64_t presil_dsp_cycles(void) {
  uint64_t cycles;
  __asm__ volatile("rdcycle %0" : "=r"(cycles));
  return cycles;
}

/* Variables that are not zeroed: tables and rows that a kernel fills itself. */
#define PRESIL_DSP_TCM __attribute__((section(".noinit")))

/* The DSP's own DMA channel: `rows` rows of row_bytes, whose first bytes are from_step and to_step
 * apart. Addresses must lie in the command's regions or in DTCM. Copies end in their order. */
static inline uint32_t presil_dsp_dma_start(void* to, const void* from, uint32_t row_bytes,
                                            uint32_t rows, int32_t to_step, int32_t from_step) {
  volatile uint64_t* address = (volatile uint64_t*)(uintptr_t)PRESIL_DSP_REGISTERS;
  volatile uint32_t* word = (volatile uint32_t*)(uintptr_t)PRESIL_DSP_REGISTERS;
  __asm__ volatile("fence" ::: "memory"); /* what has been written is there to be read */
  address[0] = (uintptr_t)from;
  address[1] = (uintptr_t)to;
  word[4] = row_bytes;
  word[5] = rows;
  word[6] = (uint32_t)from_step;
  word[7] = (uint32_t)to_step;
  word[8] = 1;
  return word[8]; /* its ticket */
}
static inline void presil_dsp_dma_wait(uint32_t ticket) {
  volatile uint32_t* word = (volatile uint32_t*)(uintptr_t)PRESIL_DSP_REGISTERS;
  word[9] = ticket; /* ends when the copy has */
  __asm__ volatile("fence" ::: "memory");
}

#ifdef __cplusplus
} /* extern "C" */
namespace presil::dsp {
inline int32_t invoke(int32_t (*kernel)(const DLTensor*, DLTensor*, const void*),
                      const presil_dsp_call& call) {
  return kernel(call.in, call.out, call.params);
}
template <class Params>
int32_t invoke(int32_t (*kernel)(const DLTensor*, DLTensor*, const Params*),
               const presil_dsp_call& call) {
  constexpr size_t bytes = __is_empty(Params) ? 0 : sizeof(Params); /* C++ gives it a byte */
  if (call.params_bytes < bytes) return PRESIL_DSP_REFUSED_PARAMS;
  return kernel(call.in, call.out, static_cast<const Params*>(call.params));
}
}  // namespace presil::dsp
#define PRESIL_DSP_EXTERN extern "C"
#define PRESIL_DSP_INVOKE(name, call) presil::dsp::invoke(name, call)
#else
#define PRESIL_DSP_EXTERN
#define PRESIL_DSP_INVOKE(name, call) name((call).in, (call).out, (call).params)
#endif

/* Makes presil_entry_<name>, which the command calls, of
 *   int32_t name(const DLTensor* in, DLTensor* out, const Params* params)
 * In C++ params that are shorter than Params are refused; C cannot know. No params: void. */
#define PRESIL_KERNEL(name)                                                      \
  PRESIL_DSP_EXTERN int32_t presil_entry_##name(const presil_dsp_header* block); \
  PRESIL_DSP_EXTERN __attribute__((section(".text.presil_entry"), used))         \
  int32_t presil_entry_##name(const presil_dsp_header* block) {                  \
    presil_dsp_call call;                                                        \
    const int32_t refused = presil_dsp_enter(block, &call);                      \
    return refused != 0 ? refused : PRESIL_DSP_INVOKE(name, call);               \
  }

#elif defined(__cplusplus)
} /* extern "C" */
#endif

#endif
