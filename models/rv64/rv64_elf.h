// What a core loads of an ELF file.
#pragma once

#include "models/base/elf_file.h"
#include "models/dsp/dsp_memory.h"

namespace presil::rv64 {

/// @throws Refusal: no ELF, another machine, not linked, an extension that the core does not have
elf::Program read_elf(const std::string& file);
/// Writes the segments into the host bytes of a core's regions, where they are loaded.
/// @throws Refusal where a segment lies outside of them
void load(const elf::Program& program, const std::string& file, const dsp::Memory& memory);

}  // namespace presil::rv64
