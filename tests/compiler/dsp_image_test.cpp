// ELF files as images of the DSP's instruction memory, and what is refused.
#include "compiler_bridge/dsp_image/dsp_image.h"

#include <elf.h>
#include <gmock/gmock.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "models/base/crc.h"
#include "models/base/refusal.h"
#include "rtl/dsp/dsp_view.h"

namespace presil::dsp_image {
namespace {

using testing::HasSubstr;

std::vector<uint8_t> library_elf(const std::string& name = "integers") {
  std::ifstream file("driver/kernels/dsp/prebuilt/" + name + ".elf", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class F>
std::string refusal(const F& f) {
  try {
    f();
  } catch (const Refusal& r) {
    return r.what();
  }
  return "accepted";
}
std::string refusal_of(const std::vector<uint8_t>& elf) {
  return refusal([&] { read_image(elf, "mine.elf"); });
}

TEST(DspImage, the_library_in_the_compiler_is_the_committed_files) {
  std::vector<std::string> names;
  for (const Image& image : library()) {
    const std::string name = image.name.substr(image.name.find('(') + 1);
    names.push_back(name.substr(0, name.size() - 1));
    const Image file = read_image(library_elf(names.back()), "library.elf");
    EXPECT_EQ(image.bytes, file.bytes);
    EXPECT_EQ(image.bytes.size() % 16, 0u);
    EXPECT_EQ(image.crc, crc32(file.bytes.data(), file.bytes.size()));
    EXPECT_EQ(image.entry("none"), 0u);
    EXPECT_FALSE(unfit(image, DspConfig{}));
    for (const std::string& kernel : image.kernels()) {
      EXPECT_GE(image.entry(kernel), PRESIL_DSP_ITCM);
      EXPECT_LT(image.entry(kernel), PRESIL_DSP_ITCM + image.bytes.size());
    }
  }
  EXPECT_THAT(names, testing::ElementsAre("elements", "integers", "floats", "detection", "dynamic",
                                          "boxes", "lstm", "moves", "pairs", "recurrent", "rows",
                                          "rows_by_table", "segmentation", "sums", "wide"));
}

TEST(DspImage, a_kernel_is_in_the_images_of_the_networks_that_need_it) {
  const auto names = [](const char* kernel) {
    std::string all;
    for (const Image* image : library_with(kernel)) all += image->name;
    return all;
  };
  EXPECT_EQ(names("table_i8"),
            "the library of kernels (elements)the library of kernels (integers)"
            "the library of kernels (floats)the library of kernels (detection)"
            "the library of kernels (recurrent)");
  EXPECT_EQ(names("top_k"), "the library of kernels (integers)the library of kernels (detection)");
  EXPECT_EQ(names("nms"), "the library of kernels (detection)the library of kernels (boxes)");
  EXPECT_EQ(library_with("transpose").size(), 9u);
  EXPECT_EQ(library_with("none").size(), 0u);
}

TEST(DspImage, its_check_value_is_zlibs) {
  const std::string text = "123456789";
  EXPECT_EQ(crc32(reinterpret_cast<const uint8_t*>(text.data()), text.size()), 0xcbf43926u);
}

TEST(DspImage, what_is_no_linked_program_for_the_dsp_is_refused_by_name) {
  EXPECT_EQ(refusal_of({1, 2, 3}),
            "dsp: 'mine.elf' is no ELF file; build it with driver/kernels/dsp/build.py, which "
            "compiles and "
            "links for the DSP");
  std::vector<uint8_t> elf = library_elf();
  const auto with = [&](size_t at, uint8_t value) {
    std::vector<uint8_t> changed = elf;
    changed.at(at) = value;
    return refusal_of(changed);
  };
  constexpr size_t kClass = 4, kOrder = 5;
  EXPECT_THAT(with(kOrder, 2), HasSubstr("is big-endian, expected little-endian"));
  EXPECT_THAT(with(kClass, 1), HasSubstr("is a 32-bit program, expected 64 bits"));
  constexpr size_t kType = 16, kMachine = 18, kSegmentAddress = 64 + 24 + 3;
  EXPECT_THAT(with(kMachine, 62), HasSubstr("is for another machine than RISC-V"));
  EXPECT_THAT(with(kType, 1), HasSubstr("is not linked to fixed addresses"));
  EXPECT_THAT(with(kSegmentAddress, 0x20), HasSubstr("has bytes outside the instruction memory"));
  constexpr size_t kSegmentSize = 64 + 32 + 2;
  EXPECT_THAT(with(kSegmentSize, 0x7f), HasSubstr("has a segment that reaches beyond its end"));
  const std::string whole = std::to_string(elf.size() - 1);
  elf.pop_back();
  EXPECT_THAT(refusal_of(elf), HasSubstr(" is cut off: its sections are listed from byte "));
  EXPECT_THAT(refusal_of(elf), HasSubstr(" on, it has " + whole + "; build it"));
  for (const size_t left : {200, 60, 0}) {
    elf.resize(left);
    EXPECT_NE(refusal_of(elf), "accepted") << left;
  }
}

TEST(DspImage, kernels_are_found_by_the_names_of_their_functions) {
  const auto with_names = [](const char* from, const char* to, bool stripped) {
    std::vector<uint8_t> elf = library_elf();
    Elf64_Ehdr header;
    std::memcpy(&header, elf.data(), sizeof header);
    for (unsigned i = 0; i < header.e_shnum; ++i) {
      Elf64_Shdr section;
      const size_t at = header.e_shoff + i * sizeof section;
      std::memcpy(&section, &elf.at(at), sizeof section);
      if (section.sh_type == SHT_SYMTAB && stripped) section.sh_size = 0;
      std::memcpy(&elf.at(at), &section, sizeof section);
      if (section.sh_type != SHT_STRTAB) continue;
      for (uint64_t k = 0; k + std::strlen(from) < section.sh_size; ++k) {
        uint8_t* name = &elf.at(section.sh_offset + k);
        if (std::memcmp(name, from, std::strlen(from)) == 0) std::memcpy(name, to, std::strlen(to));
      }
    }
    return refusal_of(elf);
  };
  EXPECT_THAT(
      with_names("presil_entry_", "presil_orphan", false),
      HasSubstr("has no kernel: a function of it requires PRESIL_KERNEL(its name) after it"));
  EXPECT_THAT(with_names("", "", true),
              HasSubstr("has no names of functions (stripped?), by which kernels are found"));
}

TEST(DspImage, a_symbol_that_is_nowhere_is_named) {
  std::vector<uint8_t> elf = library_elf();
  Elf64_Ehdr header;
  std::memcpy(&header, elf.data(), sizeof header);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, &elf.at(header.e_shoff + i * sizeof section), sizeof section);
    if (section.sh_type != SHT_SYMTAB) continue;
    const size_t at = section.sh_offset + section.sh_size - sizeof(Elf64_Sym);  // a global one
    Elf64_Sym symbol;
    std::memcpy(&symbol, &elf.at(at), sizeof symbol);
    symbol.st_shndx = SHN_UNDEF;
    std::memcpy(&elf.at(at), &symbol, sizeof symbol);
  }
  EXPECT_THAT(
      refusal_of(elf),
      testing::MatchesRegex("dsp: 'mine.elf' requires [a-zA-Z0-9_]+, which it does not define; "
                            "build it with driver/kernels/dsp/build.py.*"));
}

std::string said(const Image& image, const DspConfig& config) {
  const auto finding = unfit(image, config);
  return finding ? finding->rule + " is " + finding->got + ", must be " + finding->limit : "";
}

TEST(DspImage, what_it_requires_beyond_the_dsp_is_named) {
  Image image = library().front();
  DspConfig config;
  config.itcm_bytes = 4 << 10;
  image.bytes.resize(8 << 10);
  EXPECT_EQ(said(image, config), "program is 8192 bytes, must be at most 4096 (dsp.itcm_bytes)");
  config = DspConfig{};
  config.dtcm_bytes = 16 << 10;
  image.data_bytes = 9000;
  EXPECT_EQ(said(image, config),
            "data is 9000 bytes, must be at most 8128 (dsp.dtcm_bytes less the stack)");
  config = DspConfig{};
  image.extensions = "rv64i2p1_m2p0_a2p1";
  EXPECT_EQ(said(image, config),
            "set of extensions is a, which the DSP does not have, must be as "
            "driver/kernels/dsp/build.py builds it");
  image.extensions = "rv64i2p1_m2p0_a2p1_f2p2_d2p2_v1p0";
  EXPECT_THAT(said(image, config), HasSubstr("is a, d, v, which the DSP does not have"));
  image.extensions = "";
  EXPECT_THAT(said(image, config),
              HasSubstr("list of extensions is absent (no .riscv.attributes), must be as "));
  image.extensions = "rv64i2p1_zve32f1p0_zvl1024b1p0";
  EXPECT_EQ(said(image, config),
            "length of vector registers is 1024 bits (zvl1024b), must be at most 512 (dsp.vlen)");
  image.extensions = "rv64i2p1_zve64f1p0";
  EXPECT_FALSE(unfit(image, config));
  config.elen = 32;
  EXPECT_EQ(said(image, config),
            "widest element is 64 bits (zve64f), must be at most 32 bits (dsp.elen)");
}

}  // namespace
}  // namespace presil::dsp_image
