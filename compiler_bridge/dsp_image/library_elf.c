/* presil's own kernels as they were linked: driver/kernels/dsp/prebuilt. */
#include "compiler_bridge/dsp_image/library_elf.h"

#define PRESIL_DSP_INCLUDE(name)                 \
  __asm__(                                       \
      ".section .rodata\n"                       \
      ".balign 16\n"                             \
      ".global presil_dsp_elf_" #name            \
      "\n"                                       \
      "presil_dsp_elf_" #name                    \
      ":\n"                                      \
      ".incbin \"" PRESIL_DSP_PREBUILT "/" #name \
      ".elf\"\n"                                 \
      ".global presil_dsp_elf_" #name            \
      "_end\n"                                   \
      "presil_dsp_elf_" #name                    \
      "_end:\n"                                  \
      ".byte 0\n"                                \
      ".text\n");
PRESIL_DSP_LIBRARY(PRESIL_DSP_INCLUDE)
