// The list of instructions as a page, printed from the table.
#include <cstdio>

#include "models/dsp/dsp_isa.h"

namespace presil::dsp {
namespace {

const char* name_of(Class cls) {
  switch (cls) {
    case Class::kAlu:
      return "alu";
    case Class::kLoad:
      return "load";
    case Class::kStore:
      return "store";
    case Class::kBranch:
      return "branch";
    case Class::kJump:
      return "jump";
    case Class::kJumpRegister:
      return "jump to register";
    case Class::kMultiply:
      return "multiply";
    case Class::kDivide32:
      return "divide 32";
    case Class::kDivide64:
      return "divide 64";
    case Class::kFloat:
      return "float";
    case Class::kFloatDivide:
      return "float divide";
    case Class::kSystem:
      return "system";
    case Class::kConfigure:
      return "configure";
    case Class::kVector:
      return "vector";
    case Class::kVectorLong:
      return "vector, six stages";
    case Class::kVectorMultiply:
      return "vector multiply";
    case Class::kVectorCompare:
      return "vector compare";
    case Class::kVectorMask:
      return "mask";
    case Class::kVectorCount:
      return "mask to scalar";
    case Class::kVectorIota:
      return "vector index";
    case Class::kVectorToScalar:
      return "vector to scalar";
    case Class::kVectorReduce:
      return "reduction";
    case Class::kVectorFloatSum:
      return "float sum";
    case Class::kVectorDivide:
      return "vector divide";
    case Class::kVectorSlide:
      return "slide";
    case Class::kVectorGather:
      return "gather";
    case Class::kVectorGatherOne:
      return "gather one";
    case Class::kVectorLoad:
      return "vector load";
    case Class::kVectorStore:
      return "vector store";
  }
  return "";
}

// SEW that the instruction has, of 8, 16, 32, 64.
std::string widths(const Instruction& row) {
  if (!row.is_vector || row.vector.access != VectorInfo::Access::kNone) return "";
  std::string text;
  for (unsigned i = 0; i < 4; ++i)
    if (row.vector.kernels[0][i] != nullptr)
      text += (text.empty() ? "" : " ") + std::to_string(8u << i);
  return text == "8 16 32 64" ? "all" : text;
}

}  // namespace

std::string instruction_list() {
  std::string text =
      "<!-- Printed from the table of models/dsp by tests/dsp/dsp_instructions_test: do not edit. "
      "-->\n# Instructions of the DSP\n\n"
      "Written as clang's assembler takes them, with lowest registers; segment loads and stores "
      "of 2 fields stand for those of up to 8.\n\n"
      "| instruction | match, mask | extension | class | SEW |\n|---|---|---|---|---|\n";
  for (const Instruction& row : Isa::get().rows()) {
    const bool memory = row.is_vector && row.vector.access != VectorInfo::Access::kNone;
    const uint32_t fields = row.match >> 29;
    if (memory && row.vector.access != VectorInfo::Access::kWhole && fields > 1) continue;
    const uint32_t word = row.match | (row.is_vector ? 1u << 25 : 0);
    char bits[32];
    std::snprintf(bits, sizeof bits, "%08x %08x", row.match, row.mask);
    const std::string written =
        Isa::get().find(word) == &row ? disassemble(word) : disassemble(row.match);
    text += "| `" + written + "` | `" + bits + "` | " + row.extension + " | " + name_of(row.cls) +
            " | " + widths(row) + " |\n";
  }
  return text;
}

}  // namespace presil::dsp
