// Random programs of vector instructions. The table's rows say which operands there are, the rules
// of the simulator which are legal: a reserved encoding is never compared.
#include <cstring>

#include "tests/dsp/dsp_assembler.h"
#include "tests/dsp/dsp_random.h"

namespace presil::dsp {
namespace {

using Access = VectorInfo::Access;

// Registers that prepare operands: an address, a stride, an avl.
constexpr unsigned kAddress = 6, kStride = 7, kAvl = 5;

void add(Unit& unit, const std::string& name, const std::vector<int64_t>& operands) {
  append(unit, encode(name, operands));
}

Unit configure(Random& random, const Config& config, Vtype& vtype) {
  do vtype = Vtype::of(pick(random, 256), config);
  while (vtype.vill());
  const unsigned vlmax = vtype.vlmax(config);
  Unit unit;
  const auto bits = static_cast<int64_t>(vtype.csr());
  switch (pick(random, 4)) {
    case 0:
      add(unit, "vsetivli", {x_target(random), static_cast<int64_t>(pick(random, 32)), bits});
      break;
    case 1:
      add(unit, "vsetvli", {1 + static_cast<int64_t>(pick(random, 2) * 2), 0, bits});
      break;
    default:
      add(unit, "addi", {kAvl, 0, static_cast<int64_t>(pick(random, vlmax + vlmax / 4 + 2))});
      add(unit, "vsetvli", {x_target(random), kAvl, bits});
  }
  return unit;
}

// Addresses and strides that stay in the memory.
void prepare(Unit& unit, const VectorOp& v, Access access, Vtype vtype, Random& random,
             const Config& config) {
  if (access == Access::kStrided) {
    const int64_t most = 1024 / static_cast<int64_t>(vtype.vlmax(config)) / v.eew_bytes;
    const auto steps = static_cast<uint64_t>(2 * most + 1);
    const int64_t stride = (static_cast<int64_t>(pick(random, steps)) - most) * v.eew_bytes;
    add(unit, "addi", {kStride, 0, stride});
    add(unit, "addi", {kAddress, 8, (static_cast<int64_t>(pick(random, 128)) - 64) * 8});
    return;
  }
  add(unit, "addi", {kAddress, 8, (static_cast<int64_t>(pick(random, 128)) - 128) * 8});
  if (access != Access::kIndexed) return;
  // Indices: multiples of 8 below 1 KiB.
  const unsigned eew = v.vs2.eew;
  const int64_t bits = (31 - __builtin_clz(eew / 8)) << 3 | (v.vs2.emul_log2 & 7);
  add(unit, "csrrs", {kAvl, 0xc20, 0});
  add(unit, "vsetvli", {kStride, 0, bits});
  add(unit, "addi", {kStride, 0, 0x3f8});
  add(unit, "vand.vx", {v.vs2.reg, v.vs2.reg, kStride, 1});
  add(unit, "vsetvli", {0, kAvl, static_cast<int64_t>(vtype.csr())});
}

// Bits of the word that the row leaves open, registers often on the boundary of a group.
uint32_t random_word(const Instruction& row, Random& random) {
  auto bits = static_cast<uint32_t>(random());
  const auto align = static_cast<uint32_t>(~uint64_t{0} << pick(random, 4)) & 31;
  const bool vector_1 = row.operands.find('y') != std::string::npos;
  bits &= ~(0x1fu << 7) | align << 7;
  bits &= ~(0x1fu << 20) | align << 20;
  if (vector_1) bits &= ~(0x1fu << 15) | align << 15;
  uint32_t word = row.match | (bits & ~row.mask);
  if (writes_x(row)) word = (word & ~(31u << 7)) | x_target(random) << 7;
  return word;
}

}  // namespace

Program random_vector_program(Random& random, const Config& config, const std::string& name) {
  std::vector<const Instruction*> rows;
  for (const Instruction& row : Isa::get().rows())
    if (row.is_vector && row.name.find(name) != std::string::npos) rows.push_back(&row);
  Program p;
  p.seed = random();
  Vtype vtype;
  p.body.push_back(configure(random, config, vtype));
  for (unsigned tries = 0; p.body.size() < 25 && tries < 4000; ++tries) {
    if (pick(random, 64) == 0) p.body.push_back(configure(random, config, vtype));
    const Instruction& row = *rows[pick(random, rows.size())];
    // Loads and stores come in a hundred and more forms.
    if (name.empty() && row.vector.access != Access::kNone && pick(random, 3) != 0) continue;
    uint32_t word = random_word(row, random);
    VectorOp v;
    if (Isa::get().find(word) != &row || !operands_of(row, word, vtype, config, v)) continue;
    Unit unit;
    if (row.vector.access != Access::kNone) {
      prepare(unit, v, row.vector.access, vtype, random, config);
      word = (word & ~(31u << 15)) | kAddress << 15;
      if (row.vector.access == Access::kStrided) word = (word & ~(31u << 20)) | kStride << 20;
    }
    // qemu 7.2 fails an assertion on a conversion towards zero, but behind an instruction that
    // rounds by frm in the same run of instructions.
    if (row.name.find(".rtz.") != std::string::npos) add(unit, "fcvt.s.w", {31, 0, 7});
    append(unit, word);
    p.body.push_back(unit);
  }
  return p;
}

}  // namespace presil::dsp
