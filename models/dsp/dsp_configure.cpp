// vsetvli, vsetivli, vsetvl: vl and vtype.
#include "models/dsp/dsp_isa.h"
#include "models/dsp/dsp_scalar.h"

namespace presil::dsp {
namespace {

// The vtype is known when the block is decoded (Decoded::imm has its key), so what follows in the
// block is decoded for it. rs3: 0 a register's avl, 1 VLMAX, 2 keep vl, 3 the 5 bits of rs1.
enum Avl : uint8_t { kRegister, kMost, kKeep, kImmediate };

template <Avl avl>
Decoded* set_vl(Hart& h, Decoded* o) {
  h.vtype = Vtype::of_key(static_cast<uint16_t>(o->imm));
  const unsigned vlmax = h.vtype.vlmax(h.config);
  const uint64_t elements = avl == kRegister    ? h.x[o->rs1]
                            : avl == kMost      ? ~uint64_t{0}
                            : avl == kImmediate ? o->rs1
                                                : h.vl;
  h.vl = vl_for(elements, vlmax);
  h.vstart = 0;
  h.x[o->rd] = h.vl;
  PRESIL_DSP_NEXT(h, o + 1);
}

// vtype from a register: the block ends here.
Decoded* set_vl_register(Hart& h, Decoded* o) {
  const Vtype requested = Vtype::of(h.x[o->rs2], h.config);
  const bool keep = o->rs1 == 0 && o->rd == 32;
  const unsigned vlmax = requested.vlmax(h.config);
  // Keeping vl with another VLMAX is reserved: vill.
  const bool ill = keep && vlmax != h.vtype.vlmax(h.config);
  const uint64_t avl = keep ? h.vl : o->rs1 == 0 ? ~uint64_t{0} : h.x[o->rs1];
  h.vtype = ill ? Vtype{} : requested;
  h.vl = h.vtype.vill() ? 0 : vl_for(avl, vlmax);
  h.vstart = 0;
  h.x[o->rd] = h.vl;
  o->exit[1].next = nullptr;  // another vtype may follow
  return leave(h, o, 1, uint64_t{o->pc} + o->length, o->at);
}

}  // namespace

bool configure(Decoded& op, uint32_t word, Vtype& vtype, const Config& config) {
  const bool immediate_avl = word >> 30 == 3;
  if (word >> 31 == 1 && !immediate_avl) {
    op.run = set_vl_register;
    return false;
  }
  const Vtype requested =
      Vtype::of(immediate_avl ? word >> 20 & 0x3ff : word >> 20 & 0x7ff, config);
  const bool keep = !immediate_avl && op.rs1 == 0 && op.rd == 32;
  const bool ill = keep && requested.vlmax(config) != vtype.vlmax(config);
  vtype = ill ? Vtype{} : requested;
  op.imm = vtype.key();
  op.run = immediate_avl ? set_vl<kImmediate>
           : keep        ? set_vl<kKeep>
           : op.rs1 == 0 ? set_vl<kMost>
                         : set_vl<kRegister>;
  return true;
}

const std::vector<ScalarRow>& configure_rows() {
  static const std::vector<ScalarRow> rows = {
      {"vsetvli", 0x00007057, 0x8000707f, "d, s, E", Class::kConfigure, nullptr},
      {"vsetivli", 0xc0007057, 0xc000707f, "d, z, e", Class::kConfigure, nullptr},
      {"vsetvl", 0x80007057, kMaskR, "d, s, t", Class::kConfigure, set_vl_register},
  };
  return rows;
}

}  // namespace presil::dsp
