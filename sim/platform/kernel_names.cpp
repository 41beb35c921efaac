#include "sim/platform/kernel_names.h"

#include <cstdio>
#include <cstring>

#include "rtl/dsp/dsp_command.h"
#include "rtl/soc/address_map.h"
#include "rtl/soc/loadable_generated.h"

namespace presil::platform {
namespace {

constexpr const char* kEntry = "presil_entry_";

}  // namespace

std::vector<dsp::Symbol> functions_of(const loadable::Loadable& loadable, uint32_t image_crc) {
  std::vector<dsp::Symbol> functions;
  if (loadable.dsp_images() == nullptr) return functions;
  for (const auto* image : *loadable.dsp_images()) {
    if (image->crc() != image_crc || image->symbols() == nullptr) continue;
    for (const auto* s : *image->symbols())
      functions.push_back({s->name()->str(), s->address(), s->bytes()});
    break;
  }
  return functions;
}

std::string kernel_at(const std::vector<dsp::Symbol>& functions, uint32_t entry) {
  for (const dsp::Symbol& function : functions) {
    if (function.address != entry) continue;
    const bool kernel = function.name.rfind(kEntry, 0) == 0;
    return kernel ? function.name.substr(std::strlen(kEntry)) : function.name;
  }
  char text[16];
  std::snprintf(text, sizeof text, "0x%x", entry);
  return text;
}

std::map<uint32_t, std::string> kernels_of(const loadable::Loadable& loadable) {
  std::map<uint32_t, std::string> kernels;
  for (const auto* stream : *loadable.streams()) {
    if (stream->queue() != PRESIL_QUEUE_DSP) continue;
    for (uint32_t i = 0; i < stream->commands(); ++i) {
      uint32_t words[dsp::Command::kWords];
      const uint64_t at = stream->offset() + uint64_t{i} * dsp::Command::kPitch;
      std::memcpy(words, loadable.image()->data() + at, sizeof words);
      const dsp::Command command = dsp::Command::decode(words);
      if (command.op != dsp::Op::kRun) continue;
      kernels[command.tag] = kernel_at(functions_of(loadable, command.image_crc), command.entry);
    }
  }
  return kernels;
}

}  // namespace presil::platform
