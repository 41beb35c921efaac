// Encodings and the way they are written, against clang's assembler: every row, many operands.
#include <gelf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "models/dsp/dsp_isa.h"
#include "tests/dsp/dsp_program.h"

namespace presil::dsp {
namespace {

constexpr const char* kClang =
    "clang-19 --target=riscv64-unknown-elf -mno-relax "
    "-march=rv64imfc_zicsr_zifencei_zba_zbb_zve64f ";

constexpr size_t kRoom = 1 << 20;

bool has_clang() {
  return std::system("clang-19 --version > /dev/null 2>&1") == 0;
}

// The bytes of .text after the assembler has read `text`.
std::vector<uint8_t> assemble(const std::string& text) {
  std::string folder = std::filesystem::temp_directory_path() / "presil-asm-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return {};
  std::ofstream(folder + "/a.s") << text;
  const std::string command = kClang + ("-c " + folder) + "/a.s -o " + folder + "/a.o";
  std::vector<uint8_t> bytes;
  if (std::system(command.c_str()) == 0) {
    elf_version(EV_CURRENT);
    FILE* file = std::fopen((folder + "/a.o").c_str(), "rb");
    Elf* elf = elf_begin(fileno(file), ELF_C_READ, nullptr);
    size_t names = 0;
    elf_getshdrstrndx(elf, &names);
    for (Elf_Scn* s = elf_nextscn(elf, nullptr); s != nullptr; s = elf_nextscn(elf, s)) {
      GElf_Shdr header;
      gelf_getshdr(s, &header);
      if (std::strcmp(elf_strptr(elf, names, header.sh_name), ".text") != 0) continue;
      const Elf_Data* data = elf_getdata(s, nullptr);
      const auto* begin = static_cast<const uint8_t*>(data->d_buf);
      bytes.assign(begin, begin + data->d_size);
    }
    elf_end(elf);
    std::fclose(file);
  }
  std::filesystem::remove_all(folder);
  return bytes;
}

uint32_t random_vtype(Random& random) {
  for (;;) {
    const auto bits = static_cast<uint32_t>(random() & 0xff);
    if ((bits & 7) != 4 && (bits >> 3 & 7) < 4) return bits;
  }
}

// The assembler refuses some overlaps, and groups of whole registers that are not aligned.
uint32_t with_registers_apart(const Instruction& row, uint32_t word, Random& random) {
  const auto n = static_cast<uint32_t>(random());
  const uint32_t d = 8 + n % 8, a = 16 + (n >> 8) % 8, b = 24 + (n >> 16) % 8;
  auto put = [&](unsigned at, uint32_t reg) {
    if ((row.mask >> at & 31) == 0) word = (word & ~(31u << at)) | reg << at;
  };
  put(7, d);
  put(20, a);
  if (row.operands.find('y') != std::string::npos) put(15, b);
  const bool whole = row.vector.access == VectorInfo::Access::kWhole;
  const uint32_t group = whole ? 1 + (word >> 29) : row.name.substr(0, 3) == "vmv" ? 8 : 1;
  if (group == 1) return word;
  return word & ~((group - 1) << 7) & ~(whole ? 0 : (group - 1) << 20 & ~row.mask);
}

// Random bits where the row leaves them open, as far as an assembler would write them.
uint32_t random_word(const Instruction& row, Random& random) {
  uint32_t word = row.match | (static_cast<uint32_t>(random()) & ~row.mask);
  for (const char* p = row.operands.c_str(); *p != 0; ++p) {
    if (*p == 'r' && (word >> 12 & 7) > 4) word |= 7u << 12;  // dynamic
    if (*p == 'f') {
      word &= 0x0fffffff;  // an ordinary fence, of no registers
      word = (word & ~0x000f8f80u) | 0x01100000;
    }
    if (*p == 'u' && (word >> 12) == 0) word |= 1u << 12;
    if (*p == 'c') word = (word & 0xfffff) | 0x30000000 | (word & 0x0ff00000);
  }
  if (row.operands.empty()) word = row.match;
  if (row.is_vector) word = with_registers_apart(row, word, random);
  if (row.name == "vsetvli") word = (word & 0x000fffff) | random_vtype(random) << 20;
  if (row.name == "vsetivli") word = (word & 0x000fffff) | (0xc00 | random_vtype(random)) << 20;
  return word;
}

TEST(DspIsa, every_row_is_written_and_encoded_as_clang_does) {
  if (!has_clang()) GTEST_SKIP() << "SKIPPED: encodings are not compared, there is no clang-19";
  Random random(3);
  // Room before and after, so that every jump leads into the section.
  const std::string room = ".zero " + std::to_string(kRoom) + "\n";
  std::string text = ".option norvc\n.option norelax\n" + room;
  std::vector<uint32_t> words;
  for (const Instruction& row : Isa::get().rows()) {
    for (int i = 0; i < 40; ++i) {
      const uint32_t word = random_word(row, random);
      if (Isa::get().find(word) != &row) continue;  // the operands make it another instruction
      words.push_back(word);
      text += disassemble(word) + "\n";
    }
  }
  const std::vector<uint8_t> bytes = assemble(text + room);
  ASSERT_EQ(bytes.size(), 2 * kRoom + 4 * words.size());
  for (size_t i = 0; i < words.size(); ++i) {
    uint32_t got = 0;
    std::memcpy(&got, &bytes[kRoom + 4 * i], 4);
    ASSERT_EQ(got, words[i]) << disassemble(words[i]);
  }
}

// What the compressed instruction stands for, where the assembler chooses to compress.
TEST(DspIsa, compressed_instructions_stand_for_what_clang_compresses) {
  if (!has_clang()) GTEST_SKIP() << "SKIPPED: encodings are not compared, there is no clang-19";
  std::string text = ".option norelax\n";
  std::vector<uint16_t> halves;
  for (uint32_t half = 0; half < 0x10000; half += 1 + half % 3) {
    const uint32_t word = expand(static_cast<uint16_t>(half));
    if (word == 0 || (half & 3) == 3) continue;
    ASSERT_NE(Isa::get().find(word), nullptr) << half;
    const Instruction& row = *Isa::get().find(word);
    if (row.cls == Class::kBranch || row.cls == Class::kJump) continue;
    if (row.name == "addi" && imm_i(word) == 0) continue;  // a hint, or as well a c.mv
    halves.push_back(static_cast<uint16_t>(half));
    text += disassemble(word) + "\n";
  }
  const std::vector<uint8_t> bytes = assemble(text);
  size_t at = 0, compressed = 0;
  for (const uint16_t half : halves) {
    ASSERT_LT(at + 1, bytes.size());
    const auto got = static_cast<uint16_t>(bytes[at] | bytes[at + 1] << 8);
    at += (got & 3) == 3 ? 4 : 2;
    if ((got & 3) == 3) continue;  // a hint, which the assembler writes in 32 bits
    ++compressed;
    // Another form of the same instruction has the same meaning.
    EXPECT_EQ(disassemble(expand(got)), disassemble(expand(half)));
    EXPECT_EQ(disassemble(half), disassemble(expand(half)));
  }
  EXPECT_EQ(at, bytes.size());
  EXPECT_GT(compressed, halves.size() * 9 / 10);
}

}  // namespace
}  // namespace presil::dsp
