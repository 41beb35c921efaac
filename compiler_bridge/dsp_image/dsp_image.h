// Programs of the DSP: ELF files become images, the bytes of the instruction memory from its start
// (rtl/dsp/README.md), with the entries of their kernels and the names of their functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler_bridge/placement/verdict.h"
#include "models/soc/soc_config.h"

namespace presil::dsp_image {

struct Symbol {
  std::string name;
  uint32_t address = 0, bytes = 0;  ///< as the program sees it
};

struct Image {
  std::string name;               ///< for messages: its file, or "the library of kernels (..)"
  std::vector<uint8_t> bytes;     ///< a multiple of 16
  uint32_t data_bytes = 0;        ///< of the data memory that its variables take
  uint32_t crc = 0;               ///< CRC-32 of them (IEEE 802.3)
  std::string extensions;         ///< Tag_RISCV_arch: rv64i2p1_m2p0_...
  std::vector<Symbol> functions;  ///< by address

  /// Where PRESIL_KERNEL(kernel) is entered; 0: the image has no such kernel.
  uint32_t entry(const std::string& kernel) const;
  /// Names that PRESIL_KERNEL was given, by address.
  std::vector<std::string> kernels() const;
};

/// Refuses (presil::Refusal) what is no linked program of riscv64, what has bytes outside the
/// instruction memory and what has no kernel, with the name of the file and what helps.
Image read_image(const std::vector<uint8_t>& elf, const std::string& name);

/// What an image requires and the DSP does not have: extensions, register length, bytes; nullopt:
/// nothing.
std::optional<placement::Finding> unfit(const Image& image, const DspConfig& config);

/// presil's own kernels (driver/kernels/dsp), in images of what some networks require: a kernel may
/// be in several, and does the same in all.
const std::vector<Image>& library();
/// Those of them with a kernel.
std::vector<const Image*> library_with(const std::string& kernel);

}  // namespace presil::dsp_image
