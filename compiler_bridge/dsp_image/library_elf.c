/* presil's own kernels as they were linked: driver/dsp/prebuilt/kernels.elf. */
#include "compiler_bridge/dsp_image/library_elf.h"

__asm__(
    ".section .rodata\n"
    ".balign 16\n"
    ".global presil_dsp_library_elf\n"
    "presil_dsp_library_elf:\n"
    ".incbin \"" PRESIL_DSP_LIBRARY
    "\"\n"
    ".global presil_dsp_library_elf_end\n"
    "presil_dsp_library_elf_end:\n"
    ".byte 0\n"
    ".text\n");
