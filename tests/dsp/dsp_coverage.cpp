#include "tests/dsp/dsp_coverage.h"

#include <set>

namespace presil::dsp {
namespace {

constexpr uint32_t kMaskBit = 1u << 25;

// Some registers that the rules take: groups apart from each other and from v0, or where a segment
// needs all eight, one after the other.
bool legal(const Instruction& row, bool masked, Vtype vtype, const Config& config) {
  const uint32_t vm = masked ? 0 : kMaskBit;
  if ((row.mask & kMaskBit) != 0 && (row.match & kMaskBit) != vm) return false;
  for (const uint32_t groups : {8u << 7 | 16u << 20 | 24u << 15, 8u << 7 | 24u << 20 | 1u << 15}) {
    const uint32_t word = row.match | ((groups | vm) & ~row.mask);
    VectorOp op;
    if (Isa::get().find(word) == &row && operands_of(row, word, vtype, config, op)) return true;
  }
  return false;
}

}  // namespace

void Coverage::before(const Hart& hart, const Decoded& op, uint64_t) {
  const Instruction& row = Isa::get().rows()[op.row];
  if (!row.is_vector) {
    ++m_rows[op.row];
    return;
  }
  const bool whole = row.vector.access == VectorInfo::Access::kWhole;
  if (hart.vl == 0 && !whole) return;
  ++m_rows[op.row];
  if (hart.vtype.vill()) return;
  ++m_uses[{op.row, op.in.vector->masked, hart.vtype.sew(), hart.vtype.lmul_log2()}];
}

void Coverage::add(const Coverage& other) {
  for (const auto& [row, count] : other.m_rows) m_rows[row] += count;
  for (const auto& [use, count] : other.m_uses) m_uses[use] += count;
}

uint64_t Coverage::executed(unsigned row) const {
  const auto found = m_rows.find(row);
  return found == m_rows.end() ? 0 : found->second;
}

std::vector<std::string> Coverage::missing(const Config& config) const {
  std::vector<std::string> all;
  for (const Use& use : legal_uses(config))
    if (m_uses.count(use) == 0) all.push_back(to_text(use));
  return all;
}

std::vector<std::string> Coverage::beyond(const Config& config) const {
  const std::vector<Use> legal = legal_uses(config);
  const std::set<Use> known(legal.begin(), legal.end());
  std::vector<std::string> all;
  for (const auto& [use, count] : m_uses)
    if (known.count(use) == 0) all.push_back(to_text(use));
  return all;
}

std::vector<Use> legal_uses(const Config& config, Vtype vtype) {
  std::vector<Use> all;
  const auto& rows = Isa::get().rows();
  for (unsigned i = 0; i < rows.size(); ++i)
    for (const bool masked : {false, true})
      if (rows[i].is_vector && legal(rows[i], masked, vtype, config))
        all.push_back({i, masked, vtype.sew(), vtype.lmul_log2()});
  return all;
}

std::vector<Use> legal_uses(const Config& config) {
  std::vector<Use> all;
  for (unsigned bits = 0; bits < 64; ++bits) {
    const Vtype vtype = Vtype::of(bits, config);
    if (vtype.vill()) continue;
    const std::vector<Use> uses = legal_uses(config, vtype);
    all.insert(all.end(), uses.begin(), uses.end());
  }
  return all;
}

std::string to_text(const Use& use) {
  const int lmul = use.lmul_log2;
  return Isa::get().rows()[use.row].name + (use.masked ? ", masked, e" : ", e") +
         std::to_string(use.sew) + (lmul < 0 ? ", mf" : ", m") +
         std::to_string(1u << (lmul < 0 ? -lmul : lmul));
}

}  // namespace presil::dsp
