// Kernels of the DSP that a loadable calls, by name.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/dsp/dsp_elf.h"

namespace presil::loadable {
struct Loadable;
}

namespace presil::platform {

/// A function's name as people say it: of C++ without parameters, unnamed namespaces and long
/// template arguments.
std::string readable(const std::string& symbol);
/// The functions of an image, by address; of none where the loadable does not have it.
std::vector<dsp::Symbol> functions_of(const loadable::Loadable& loadable, uint32_t image_crc);
/// "softmax_i8" of the function presil_entry_softmax_i8 that begins there, another function's own
/// name, or the address.
std::string kernel_at(const std::vector<dsp::Symbol>& functions, uint32_t entry);
/// By the tag of each run.
std::map<uint32_t, std::string> kernels_of(const loadable::Loadable& loadable);

}  // namespace presil::platform
