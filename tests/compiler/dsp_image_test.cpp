// ELF files as images of the DSP's instruction memory, and what is refused.
#include "compiler_bridge/dsp_image/dsp_image.h"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "rtl/dsp/dsp_view.h"
#include "rtl/soc/refusal.h"

namespace presil::dsp_image {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::vector<uint8_t> library_elf() {
  std::ifstream file("driver/dsp/prebuilt/kernels.elf", std::ios::binary);
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

TEST(DspImage, the_library_in_the_compiler_is_the_committed_file) {
  const Image file = read_image(library_elf(), "kernels.elf");
  EXPECT_EQ(library().bytes, file.bytes);
  EXPECT_EQ(library().bytes.size() % 16, 0u);
  EXPECT_EQ(library().crc, crc32(file.bytes.data(), file.bytes.size()));
  EXPECT_THAT(library().kernels(), Contains("softmax_i8"));
  EXPECT_GE(library().entry("softmax_i8"), PRESIL_DSP_ITCM);
  EXPECT_LT(library().entry("softmax_i8"), PRESIL_DSP_ITCM + library().bytes.size());
  EXPECT_EQ(library().entry("none"), 0u);
  EXPECT_EQ(objection(library(), DspConfig{}), "");
}

TEST(DspImage, its_check_value_is_zlibs) {
  const std::string text = "123456789";
  EXPECT_EQ(crc32(reinterpret_cast<const uint8_t*>(text.data()), text.size()), 0xcbf43926u);
}

TEST(DspImage, what_is_no_linked_program_for_the_dsp_is_refused_by_name) {
  EXPECT_EQ(refusal_of({1, 2, 3}),
            "dsp: 'mine.elf' is no ELF file; build it with driver/dsp/build.py, which compiles and "
            "links for the DSP");
  std::vector<uint8_t> elf = library_elf();
  const auto with = [&](size_t at, uint8_t value) {
    std::vector<uint8_t> changed = elf;
    changed.at(at) = value;
    return refusal_of(changed);
  };
  constexpr size_t kClass = 4, kType = 16, kMachine = 18, kSegmentAddress = 64 + 24 + 3;
  EXPECT_THAT(with(kMachine, 62), HasSubstr("is for another machine than RISC-V"));
  EXPECT_THAT(with(kClass, 1), HasSubstr("'mine.elf' is"));  // 32 bits, or no ELF by then
  EXPECT_THAT(with(kType, 1), HasSubstr("is not linked to fixed addresses"));
  EXPECT_THAT(with(kSegmentAddress, 0x20), HasSubstr("has bytes outside the instruction memory"));
  elf.resize(200);
  EXPECT_NE(refusal_of(elf), "accepted");
}

TEST(DspImage, what_it_wants_beyond_the_dsp_is_named) {
  Image image = library();
  DspConfig config;
  config.itcm_bytes = 4 << 10;
  image.bytes.resize(8 << 10);
  EXPECT_EQ(objection(image, config),
            "has a program of 8192 bytes, the DSP has room for 4096 (dsp.itcm_bytes)");
  config = DspConfig{};
  config.dtcm_bytes = 16 << 10;
  image.data_bytes = 9000;
  EXPECT_EQ(objection(image, config),
            "has variables of 9000 bytes, the DSP has room for 8128 (dsp.dtcm_bytes but the "
            "stack)");
  config = DspConfig{};
  image.extensions = "rv64i2p1_m2p0_a2p1";
  EXPECT_EQ(objection(image, config), "wants a, which the DSP does not have");
  image.extensions = "rv64i2p1_zve32f1p0_zvl1024b1p0";
  EXPECT_EQ(objection(image, config),
            "wants vector registers of 1024 bits (zvl1024b), the DSP's (dsp.vlen) have 512");
  image.extensions = "rv64i2p1_zve64f1p0";
  EXPECT_EQ(objection(image, config), "");
  config.elen = 32;
  EXPECT_EQ(objection(image, config),
            "wants zve64f, the DSP's widest element (dsp.elen) has 32 bits");
}

}  // namespace
}  // namespace presil::dsp_image
