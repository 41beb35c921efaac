#include "compiler_bridge/plan/dsp_images.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <tuple>

#include "compiler_bridge/layer/dsp_layer.h"
#include "compiler_bridge/plan/memory_streams.h"
#include "models/dsp/dsp_timing.h"

namespace presil::plan {

std::vector<const dsp_image::Image*> choose_images(const Layout& layout, const DspConfig& config) {
  struct Call {
    int step;
    std::vector<const dsp_image::Image*> by;
  };
  std::vector<Call> calls;
  for (int step = 0; step < layout.step_count(); ++step) {
    const auto* dsp = layout.layer_at(step).work.as<layer::DspLayer>();
    if (dsp == nullptr) continue;
    calls.push_back({step, dsp->programs(&config)});
    if (calls.back().by.empty()) throw std::logic_error("plan: no image has " + dsp->kernel);
  }
  std::vector<const dsp_image::Image*> chosen(size_t(layout.step_count()), nullptr), used;
  for (size_t i = 0; i < calls.size();) {
    const auto has = [](const std::vector<const dsp_image::Image*>& list,
                        const dsp_image::Image* image) {
      return std::find(list.begin(), list.end(), image) != list.end();
    };
    const auto worth = [&](const dsp_image::Image* image) {
      size_t end = i;
      while (end < calls.size() && has(calls[end].by, image)) ++end;
      return std::make_tuple(end, has(used, image), -int64_t(image->bytes.size()));
    };
    const dsp_image::Image* best = *std::max_element(
        calls[i].by.begin(), calls[i].by.end(),
        [&](const dsp_image::Image* a, const dsp_image::Image* b) { return worth(a) < worth(b); });
    if (!has(used, best)) used.push_back(best);
    for (const size_t end = std::get<0>(worth(best)); i < end; ++i) {
      chosen[size_t(calls[i].step)] = best;
    }
  }
  return chosen;
}

namespace {

/// One image, and nothing before it under which it could be loaded.
bool is_alone(const std::vector<const dsp_image::Image*>& images) {
  return std::all_of(images.begin(), images.end(), [&](const dsp_image::Image* image) {
    return image == nullptr || image == images.front();
  });
}

}  // namespace

// The DSP fetches as a channel of the DMA loads, with as many bursts on their way as it may have.
Cycle select_cycles(const dsp_image::Image& image, const SocConfig& config) {
  SocConfig own = config;
  own.dma.bursts_per_channel = dsp::kPiecesOutstanding;
  const MemoryStreams memory(own);
  return memory.load_latency() + memory.reading(image.bytes.size());
}

Cycle first_select(const std::vector<const dsp_image::Image*>& images, const SocConfig& config) {
  if (images.empty() || images.front() == nullptr || !is_alone(images)) return 0;
  return select_cycles(*images.front(), config);
}

Cycle own_selects(const std::vector<const dsp_image::Image*>& images, int step,
                  const SocConfig& config) {
  const auto other = [](const dsp_image::Image* image) { return image != nullptr; };
  const auto here = images.begin() + step;
  const auto before = std::find_if(std::make_reverse_iterator(here), images.rend(), other);
  const auto after = std::find_if(here + 1, images.end(), other);
  const Cycle cycles = select_cycles(**here, config);
  if (first_select(images, config) != 0) {
    return std::count_if(images.begin(), images.end(), other) == 1 ? cycles : 0;
  }
  if (before == images.rend() || *before == *here) return 0;
  if (after != images.end() && *after == *here) return 0;
  const bool back = after != images.end() && *after == *before;
  return cycles + (back ? select_cycles(**before, config) : 0);
}

}  // namespace presil::plan
