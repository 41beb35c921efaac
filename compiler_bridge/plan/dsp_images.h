// Which image is in the DSP's instruction memory at each of its layers.
#pragma once

#include "compiler_bridge/dsp_image/dsp_image.h"
#include "compiler_bridge/plan/layout.h"

namespace presil::plan {

/// By step; null where the DSP has nothing to do. As few selects as can be: what is selected is the
/// image by which most of the layers that come next run; of equals one that the network has in any
/// case, then a small one.
std::vector<const dsp_image::Image*> choose_images(const Layout& layout, const DspConfig& config);

/// A select of an image, the memory to itself.
Cycle select_cycles(const dsp_image::Image& image, const SocConfig& config);

/// Cycles of the selects that there would not be without a step's layer: of its image and, between
/// two others by one image, of theirs. The first image is loaded under the layers before.
Cycle own_selects(const std::vector<const dsp_image::Image*>& images, int step,
                  const SocConfig& config);

/// Of the only image of a network that begins on the DSP: nothing hides its select, which all its
/// layers share. 0: there are others, or layers before.
Cycle first_select(const std::vector<const dsp_image::Image*>& images, const SocConfig& config);

}  // namespace presil::plan
