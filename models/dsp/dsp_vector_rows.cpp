// From the families' tables to instructions: a row stands for one per form.
#include "models/dsp/dsp_isa.h"

#if defined(PRESIL_DSP_AVX2)
namespace presil::dsp::avx2 {
const Lanes& lanes();
}
#endif
namespace presil::dsp::plain {
const Lanes& lanes();
}

namespace presil::dsp {
namespace {

constexpr uint32_t kOpV = 0x57;
constexpr uint32_t kFunct6 = 0xfc000000, kVm = 1u << 25, kVs1 = 31u << 15, kVs2 = 31u << 20;

uint32_t funct3(Group group, Form form) {
  const bool scalar = form == kVX || form == kVF;
  switch (group) {
    case Group::kOpi:
      return form == kVI || form == kVU || form == kWholeMove ? 3 : scalar ? 4 : 0;
    case Group::kOpm:
      return scalar ? 6 : 2;
    default:
      return scalar ? 5 : 1;
  }
}

std::string suffix(char style, Form form) {
  const char letter = form == kVX ? 'x' : form == kVF ? 'f' : form == kVV ? 'v' : 'i';
  switch (style) {
    case 'v':
      return std::string(".v") + letter;
    case 'w':
      return std::string(".w") + letter;
    case 'm':
      return std::string(".v") + letter + "m";
    case 's':
      return ".vs";
    case 'q':
      return ".mm";
    case '1':  // vmv.v: one letter follows
      return std::string(".") + letter;
    default:
      return "";
  }
}

const char* first_operand(Form form) {
  switch (form) {
    case kVX:
      return "s";
    case kVF:
      return "S";
    case kVI:
      return "I";
    case kVU:
      return "U";
    default:
      return "y";
  }
}

std::string operands_of_row(const VectorRow& row, Form form) {
  const Shape& shape = row.shape;
  std::string text = shape.d == Width::kNone ? (row.group == Group::kOpf ? "D" : "d") : "v";
  const std::string one = first_operand(form);
  const bool has_one = form != kUnary && row.vs1 < 0;
  const bool has_two = shape.s2 != Width::kNone;
  if ((shape.flags & kTernary) != 0) {
    text += ", " + one + ", w";
  } else {
    if (has_two) text += ", w";
    if (has_one) text += ", " + one;
  }
  if ((shape.flags & kWantsMask) != 0) {
    text += ", 0";
  } else if ((shape.flags & kNoMask) == 0) {
    text += "m";
  }
  return text;
}

}  // namespace

const Lanes& common_lanes() {
  return plain::lanes();
}

#if defined(PRESIL_DSP_AVX2)
namespace {
bool host_has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
}  // namespace
const Lanes& best_lanes() {
  return host_has_avx2() ? avx2::lanes() : plain::lanes();
}
const char* best_lanes_name() {
  return host_has_avx2() ? "AVX2" : "common instructions";
}
#else
const Lanes& best_lanes() {
  return plain::lanes();
}
const char* best_lanes_name() {
  return "common instructions";
}
#endif

std::vector<Instruction> instructions_of(Rows rows, Rows best) {
  std::vector<Instruction> all;
  for (size_t r = 0; r < rows.count; ++r) {
    const VectorRow& row = rows.first[r];
    for (const Form form : {kVV, kVX, kVI, kVU, kVF, kUnary, kWholeMove}) {
      if ((row.forms & form) == 0) continue;
      Instruction i;
      i.name = row.name + suffix(row.shape.style, form);
      i.match = kOpV | funct3(row.group, form) << 12 | uint32_t{row.funct6} << 26;
      i.mask = kFunct6 | kMaskI;
      if ((row.shape.flags & (kWantsMask | kNoMask)) != 0) {
        i.mask |= kVm;
        if ((row.shape.flags & kNoMask) != 0) i.match |= kVm;
      }
      if (row.vs1 >= 0) {
        i.mask |= kVs1;
        i.match |= static_cast<uint32_t>(row.vs1) << 15;
      }
      if (row.vs2 >= 0) {
        i.mask |= kVs2;
        i.match |= static_cast<uint32_t>(row.vs2) << 20;
      }
      i.operands = operands_of_row(row, form);
      i.cls = row.cls;
      i.extension = "Zve64f";
      i.is_vector = true;
      i.vector.shape = row.shape;
      i.vector.form = form;
      const size_t kind = form == kVV || form == kUnary || form == kWholeMove ? 0 : 1;
      i.vector.kernels = {row.kernels[kind], best.first[r].kernels[kind]};
      all.push_back(i);
    }
  }
  return all;
}

}  // namespace presil::dsp
