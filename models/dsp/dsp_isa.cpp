#include "models/dsp/dsp_isa.h"

namespace presil::dsp {
namespace {

int64_t sign_extended(uint32_t value, unsigned bits) {
  return static_cast<int32_t>(value << (32 - bits)) >> (32 - bits);
}

}  // namespace

int64_t imm_i(uint32_t w) {
  return sign_extended(w >> 20, 12);
}
int64_t imm_s(uint32_t w) {
  return sign_extended((w >> 25) << 5 | (w >> 7 & 31), 12);
}
int64_t imm_b(uint32_t w) {
  return sign_extended(
      (w >> 31) << 12 | (w >> 7 & 1) << 11 | (w >> 25 & 63) << 5 | (w >> 8 & 15) << 1, 13);
}
int64_t imm_j(uint32_t w) {
  return sign_extended(
      (w >> 31) << 20 | (w >> 12 & 255) << 12 | (w >> 20 & 1) << 11 | (w >> 21 & 1023) << 1, 21);
}
int64_t imm_u(uint32_t w) {
  return static_cast<int32_t>(w & 0xfffff000);
}

bool writes(const Instruction& row, char field) {
  for (const char* p = row.operands.c_str(); *p != 0; ++p)
    if (*p == field) return true;
  return false;
}

Isa::Isa() : m_buckets(256) {
  auto family = [&](const char* extension, const std::vector<ScalarRow>& rows) {
    for (const ScalarRow& r : rows) {
      Instruction i;
      i.name = r.name;
      i.match = r.match;
      i.mask = r.mask;
      i.operands = r.operands;
      i.cls = r.cls;
      i.extension = extension;
      i.run = r.run;
      m_rows.push_back(i);
    }
  };
  family("I, Zicsr, Zifencei", system_rows());
  family("I", integer_rows());
  family("M", multiply_rows());
  family("Zba, Zbb", bit_rows());
  family("F", float_rows());
  family("Zve64f", configure_rows());
  const Lanes &common = common_lanes(), &best = best_lanes();
  for (size_t f = 0; f < common.families.size(); ++f)
    for (const Instruction& i : instructions_of(common.families[f], best.families[f]))
      m_rows.push_back(i);
  for (const Instruction& i : vector_memory_instructions()) m_rows.push_back(i);
  for (uint16_t i = 0; i < m_rows.size(); ++i) {
    const Instruction& row = m_rows[i];
    for (uint32_t b = 0; b < m_buckets.size(); ++b) {
      const uint32_t word = (b >> 3) << 2 | (b & 7) << 12;
      const uint32_t fixed = row.mask & 0x707c;
      if ((word & fixed) == (row.match & fixed)) m_buckets[b].push_back(i);
    }
  }
}

const Isa& Isa::get() {
  static const Isa isa;
  return isa;
}

const Instruction* Isa::find(uint32_t word) const {
  if ((word & 3) != 3) return nullptr;
  for (const uint16_t i : m_buckets[bucket(word)])
    if ((word & m_rows[i].mask) == m_rows[i].match) return &m_rows[i];
  return nullptr;
}

}  // namespace presil::dsp
