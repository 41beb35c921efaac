// Which vector encodings are reserved: chapters 5.2, 5.3 and the instructions' own words in the
// vector specification 1.0.
//
// Not refused, though version 1.0 reserves it in its latest print: one register read with two
// element widths by one instruction (a mask that is data too). Each operand is read as its own
// width says; compilers that follow the first print rely on it.
#include "models/dsp/dsp_isa.h"
#include "models/dsp/dsp_vector_op.h"

namespace presil::dsp {
namespace {

// The group of an operand of this width; false: no such element, or no such EMUL.
bool span_of(Width width, unsigned reg, Vtype vtype, const Config& config, Span& span) {
  const unsigned sew = vtype.sew();
  const int lmul = vtype.lmul_log2();
  switch (width) {
    case Width::kNone:
      span = {reg, 0, 0};
      return true;
    case Width::kSew:
      span = {reg, lmul, sew};
      break;
    case Width::kWide:
      span = {reg, lmul + 1, 2 * sew};
      break;
    case Width::kHalf:
      span = {reg, lmul - 1, sew / 2};
      break;
    case Width::kQuarter:
      span = {reg, lmul - 2, sew / 4};
      break;
    case Width::kEighth:
      span = {reg, lmul - 3, sew / 8};
      break;
    case Width::k16:
      span = {reg, lmul + 4 - log2_of(sew), 16};
      break;
    case Width::kReg1:
    case Width::kReg2:
    case Width::kReg4:
    case Width::kReg8:
      span = {reg, static_cast<int>(width) - static_cast<int>(Width::kReg1), sew};
      break;
    case Width::kMask:
      span = {reg, 0, 1};
      return true;
    case Width::kOne:
    case Width::kOneWide:
      span = {reg, 0, width == Width::kOne ? sew : 2 * sew};
      return span.eew <= config.elen;
  }
  if (span.eew < 8 || span.eew > config.elen || span.emul_log2 < -3 || span.emul_log2 > 3)
    return false;
  return reg % span.registers() == 0;
}

bool overlap(const Span& a, const Span& b) {
  return a.reg < b.reg + b.registers() && b.reg < a.reg + a.registers();
}

// May vd overlap a source as it does?
bool may_overlap(const Span& d, const Span& s) {
  if (s.eew == 0 || d.eew == 0 || !overlap(d, s) || d.eew == s.eew) return true;
  if (d.eew < s.eew) return d.reg == s.reg;  // the lowest part of the source
  return s.emul_log2 >= 0 && s.reg + s.registers() == d.reg + d.registers();  // the highest of vd
}

bool arithmetic(const Instruction& row, uint32_t word, Vtype vtype, const Config& config,
                VectorOp& out) {
  const Shape& shape = row.vector.shape;
  const bool vector_form = row.vector.form == kVV;
  if (!span_of(shape.d, word >> 7 & 31, vtype, config, out.vd) ||
      !span_of(shape.s2, word >> 20 & 31, vtype, config, out.vs2) ||
      !span_of(vector_form ? shape.s1 : Width::kNone, word >> 15 & 31, vtype, config, out.vs1))
    return false;
  if (shape.d >= Width::kReg1 && shape.d <= Width::kReg8) {  // whatever vl is
    out.whole = true;
    out.vlmax = out.vd.registers() * config.vlenb() / (vtype.sew() / 8);
  }
  const bool scalar_d = shape.d == Width::kOne || shape.d == Width::kOneWide;
  // A masked instruction does not write the mask that it reads, but where it makes a mask.
  const bool v0 = (word >> 25 & 1) == 0 && out.vd.eew != 0 && out.vd.reg == 0;
  if (v0 && !scalar_d && (shape.d != Width::kMask || (shape.flags & kNoOverlap) != 0)) return false;
  if ((shape.flags & kNoOverlap) != 0) {
    if (out.vs2.eew != 0 && overlap(out.vd, out.vs2)) return false;
    if (out.vs1.eew != 0 && overlap(out.vd, out.vs1)) return false;
  } else if (!scalar_d && (shape.flags & kAnyOverlap) == 0) {
    if (!may_overlap(out.vd, out.vs2) || !may_overlap(out.vd, out.vs1)) return false;
  }
  return true;
}

bool memory(const Instruction& row, uint32_t word, Vtype vtype, const Config& config,
            VectorOp& out) {
  using Access = VectorInfo::Access;
  const VectorInfo& v = row.vector;
  const unsigned eew = 1u << v.eew_log2;
  const unsigned reg = word >> 7 & 31;
  out.fields = static_cast<uint8_t>(1 + (word >> 29));
  if (eew > config.elen) return false;
  if (v.access == Access::kWhole) {  // does not depend on vtype
    out.vd = {reg, log2_of(out.fields), 8};
    out.group_registers = out.fields;
    out.fields = 1;
    out.whole = true;
    out.eew_bytes = 1;
    out.vlmax = config.vlenb() * out.group_registers;
    return reg % out.group_registers == 0;
  }
  if (vtype.vill()) return false;
  if (v.access == Access::kMask) {
    out.vd = {reg, 0, 8};
    out.eew_bytes = 1;
    return true;
  }
  const int emul = vtype.lmul_log2() + v.eew_log2 - static_cast<int>(vtype.sew_log2());
  const bool indexed = v.access == Access::kIndexed;
  out.vd = indexed ? Span{reg, vtype.lmul_log2(), vtype.sew()} : Span{reg, emul, eew};
  if (emul < -3 || emul > 3 || reg % out.vd.registers() != 0) return false;
  out.group_registers = static_cast<uint8_t>(out.vd.registers());
  if (out.fields * out.group_registers > 8 || reg + out.fields * out.group_registers > 32)
    return false;
  out.eew_bytes = static_cast<uint8_t>(out.vd.eew / 8);
  if (indexed) {
    out.vs2 = {word >> 20 & 31, emul, eew};
    out.index_bytes = static_cast<uint8_t>(eew / 8);
    if (out.vs2.reg % out.vs2.registers() != 0) return false;
    if (!v.store) {
      Span all = out.vd;
      if (out.fields == 1 && !may_overlap(out.vd, out.vs2)) return false;
      for (unsigned f = 0; out.fields > 1 && f < out.fields; ++f, all.reg += all.registers())
        if (overlap(all, out.vs2)) return false;
    }
  }
  const bool masked = (word >> 25 & 1) == 0;
  return v.store || !masked || reg != 0;
}

}  // namespace

bool operands_of(const Instruction& row, uint32_t word, Vtype vtype, const Config& config,
                 VectorOp& out) {
  const VectorInfo& v = row.vector;
  out.masked = (word >> 25 & 1) == 0;
  out.form = v.form;
  out.vlmax = vtype.vlmax(config);
  out.sew = static_cast<uint8_t>(vtype.vill() ? 8 : vtype.sew());
  out.reads_d = (v.shape.flags & kTernary) != 0;
  bool legal = false;
  if (v.access != VectorInfo::Access::kNone) {
    legal = memory(row, word, vtype, config, out);
  } else if (!vtype.vill()) {
    const unsigned i = vtype.sew_log2() - 3;
    out.kernel = v.kernels[config.common_host ? 0 : 1][i];
    legal = out.kernel != nullptr && arithmetic(row, word, vtype, config, out);
  }
  if (!legal) return false;
  out.d = out.vd.reg * config.vlenb();
  out.s2 = (word >> 20 & 31) * config.vlenb();
  out.s1 = (word >> 15 & 31) * config.vlenb();
  out.d_log2 = static_cast<uint8_t>(out.vd.eew < 8 ? 0 : log2_of(out.vd.eew) - 3);
  out.cost = cost_of(row, out, config);
  return true;
}

}  // namespace presil::dsp
