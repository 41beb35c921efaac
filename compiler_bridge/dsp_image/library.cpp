#include <algorithm>

#include "compiler_bridge/dsp_image/dsp_image.h"
#include "compiler_bridge/dsp_image/library_elf.h"

namespace presil::dsp_image {

const std::vector<Image>& library() {
  const auto image = [](const char* name, const unsigned char* elf, const unsigned char* end) {
    return read_image({elf, end}, "the library of kernels (" + std::string(name) + ")");
  };
#define PRESIL_DSP_READ(name) image(#name, presil_dsp_elf_##name, presil_dsp_elf_##name##_end),
  static const std::vector<Image> images{PRESIL_DSP_LIBRARY(PRESIL_DSP_READ)};
#undef PRESIL_DSP_READ
  return images;
}

std::vector<const Image*> library_with(const std::string& kernel) {
  std::vector<const Image*> images;
  for (const Image& image : library()) {
    if (image.entry(kernel) != 0) images.push_back(&image);
  }
  return images;
}

}  // namespace presil::dsp_image
