// Random programs of vector instructions. The table's rows say which operands there are, the rules
// of the simulator which are legal: a reserved encoding is never compared.
#include <algorithm>
#include <cstring>

#include "tests/dsp/dsp_assembler.h"
#include "tests/dsp/dsp_random.h"

namespace presil::dsp {
namespace {

using Access = VectorInfo::Access;

// Registers that prepare operands: an address, a stride, an avl.
constexpr unsigned kAddress = 6, kStride = 7, kAvl = 5;
constexpr int64_t kVstart = 0x008, kVtype = 0xc21;

void add(Unit& unit, const std::string& name, const std::vector<int64_t>& operands) {
  append(unit, encode(name, operands));
}

// What the vector unit is set to, as far as it is known beforehand.
struct Setting {
  Vtype vtype;
  unsigned vl = 0;
};

Unit configure(Random& random, const Config& config, Setting& now) {
  do now.vtype = Vtype::of(pick(random, 256), config);
  while (now.vtype.vill());
  const unsigned vlmax = now.vtype.vlmax(config);
  Unit unit;
  const auto bits = static_cast<int64_t>(now.vtype.csr());
  auto avl = static_cast<unsigned>(pick(random, vlmax + vlmax / 4 + 2));
  switch (pick(random, 5)) {
    case 0:
      avl = static_cast<unsigned>(pick(random, 32));
      add(unit, "vsetivli", {x_target(random), avl, bits});
      break;
    case 1:
      avl = vlmax;
      add(unit, "vsetvli", {1 + static_cast<int64_t>(pick(random, 2) * 2), 0, bits});
      break;
    case 2:  // a vtype of any bits first, which vsetvl may refuse
      add(unit, "addi", {kStride, 0, static_cast<int64_t>(pick(random, 4096))});
      add(unit, "vsetvl", {x_target(random), kStride, kStride});
      add(unit, "csrrs", {x_target(random), kVtype, 0});
      add(unit, "addi", {kAvl, 0, avl});
      add(unit, "addi", {kStride, 0, bits});
      add(unit, "vsetvl", {x_target(random), kAvl, kStride});
      break;
    default:
      add(unit, "addi", {kAvl, 0, avl});
      add(unit, "vsetvli", {x_target(random), kAvl, bits});
  }
  now.vl = static_cast<unsigned>(vl_for(avl, vlmax));
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

// Whether it is compared at a vstart other than 0. qemu 7.2 does not set it to 0 after vslideup
// and moves of one element, fails at it in moves of whole registers, and passes by instructions
// whose vstart is vl or more.
bool begins_anywhere(const Instruction& row) {
  const std::string& name = row.name;
  const bool moves = name.find("mv") == 1 || name.find("fmv") == 1;
  return (row.vector.shape.flags & kFromStart) == 0 && row.vector.access != Access::kWhole &&
         row.vector.access != Access::kMask && (!moves || name.find(".v.") != std::string::npos) &&
         name.find("slideup") == std::string::npos && name.find(".rtz.") == std::string::npos;
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

std::vector<Use> shuffled(std::vector<Use> uses, Random& random) {
  for (size_t i = uses.size(); i > 1; --i) std::swap(uses[i - 1], uses[pick(random, i)]);
  return uses;
}

}  // namespace

Program VectorPrograms::next(Random& random, const Config& config) {
  std::vector<const Instruction*> rows;
  for (const Instruction& row : Isa::get().rows())
    if (row.is_vector && row.name.find(m_name) != std::string::npos) rows.push_back(&row);
  Program p;
  p.seed = random();
  Setting now;
  const Vtype& vtype = now.vtype;
  p.body.push_back(configure(random, config, now));
  for (unsigned tries = 0; p.body.size() < 25 && tries < 4000; ++tries) {
    if (pick(random, 64) == 0) p.body.push_back(configure(random, config, now));
    std::vector<Use>& left = m_left[{vtype.sew(), vtype.lmul_log2()}];
    const bool in_turn = m_name.empty() && now.vl != 0 && pick(random, 2) == 0;
    if (in_turn && left.empty()) left = shuffled(legal_uses(config, vtype), random);
    const Instruction& row =
        in_turn ? Isa::get().rows()[left.back().row] : *rows[pick(random, rows.size())];
    // Loads and stores come in a hundred and more forms.
    if (!in_turn && m_name.empty() && row.vector.access != Access::kNone && pick(random, 3) != 0)
      continue;
    VectorOp v;
    uint32_t word = 0;
    bool taken = false;
    for (unsigned k = 0; k < (in_turn ? 1000 : 1) && !taken; ++k) {
      word = random_word(row, random);
      taken = Isa::get().find(word) == &row && operands_of(row, word, vtype, config, v) &&
              (!in_turn || v.masked == left.back().masked);
    }
    if (in_turn) left.pop_back();
    if (!taken) continue;
    Unit unit;
    if (row.vector.access != Access::kNone) {
      prepare(unit, v, row.vector.access, vtype, random, config);
      word = (word & ~(31u << 15)) | kAddress << 15;
      if (row.vector.access == Access::kStrided) word = (word & ~(31u << 20)) | kStride << 20;
    }
    // qemu 7.2 fails an assertion on a conversion towards zero, but after an instruction that
    // rounds by frm in the same run of instructions.
    if (row.name.find(".rtz.") != std::string::npos) add(unit, "fcvt.s.w", {31, 0, 7});
    const bool later = begins_anywhere(row) && now.vl > 1 && pick(random, 12) == 0;
    const auto vstart = static_cast<int64_t>(pick(random, std::clamp(now.vl, 1u, 32u)));
    if (later) add(unit, "csrrwi", {0, kVstart, vstart});
    append(unit, word);
    // It is 0 again; and qemu looks again, which takes it for the same in a run of instructions.
    if (later) add(unit, "csrrs", {x_target(random), kVstart, 0});
    p.body.push_back(unit);
  }
  return p;
}

}  // namespace presil::dsp
