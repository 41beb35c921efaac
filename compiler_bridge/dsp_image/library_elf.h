/* The library of kernels, an ELF file in this program. C11 and C++17. */
#ifndef PRESIL_DSP_IMAGE_LIBRARY_ELF_H
#define PRESIL_DSP_IMAGE_LIBRARY_ELF_H

#ifdef __cplusplus
extern "C" {
#endif
extern const unsigned char presil_dsp_library_elf[];
extern const unsigned char presil_dsp_library_elf_end[];
#ifdef __cplusplus
}
#endif

#endif
