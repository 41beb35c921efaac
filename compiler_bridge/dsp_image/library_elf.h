/* The images of the library of kernels, ELF files in this program. C11 and C++17. */
#ifndef PRESIL_DSP_IMAGE_LIBRARY_ELF_H
#define PRESIL_DSP_IMAGE_LIBRARY_ELF_H

/* Of each image of driver/kernels/dsp/prebuilt. */
#define PRESIL_DSP_LIBRARY(image)                                                             \
  image(elements) image(integers) image(floats) image(detection) image(dynamic) image(boxes)  \
      image(lstm) image(moves) image(pairs) image(recurrent) image(rows) image(rows_by_table) \
          image(segmentation) image(sums) image(wide)

#ifdef __cplusplus
extern "C" {
#endif
#define PRESIL_DSP_DECLARE(name)                      \
  extern const unsigned char presil_dsp_elf_##name[]; \
  extern const unsigned char presil_dsp_elf_##name##_end[];
PRESIL_DSP_LIBRARY(PRESIL_DSP_DECLARE)
#undef PRESIL_DSP_DECLARE
#ifdef __cplusplus
}
#endif

#endif
