#include "models/dsp/dsp_listing.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>

#include "models/dsp/dsp_isa.h"

namespace presil::dsp {

Line line_at(const Memory& memory, uint32_t pc, const std::vector<Symbol>& functions) {
  Line line;
  uint16_t halves[2] = {};
  const uint8_t* bytes = (pc & 1) != 0 ? nullptr : memory.at(pc, 2, kExecute);
  if (bytes == nullptr) return {"(no instruction)", 0, true, 0};
  std::memcpy(&halves[0], bytes, 2);
  const bool wide = (halves[0] & 3) == 3;
  if (wide && (bytes = memory.at(pc + 2, 2, kExecute)) == nullptr)
    return {"(half an instruction)", 0, true, 0};
  if (wide) std::memcpy(&halves[1], bytes, 2);
  const uint32_t word = wide ? uint32_t{halves[1]} << 16 | halves[0] : expand(halves[0]);
  line.bytes = wide ? 4 : 2;
  line.text = disassemble(word);
  const Instruction* row = Isa::get().find(word);
  if (row == nullptr) {
    line.leads_away = true;
    return line;
  }
  line.leads_away = row->cls == Class::kBranch || row->cls == Class::kJump ||
                    row->cls == Class::kJumpRegister || row->name == "ecall" ||
                    row->name == "ebreak";
  if (writes(*row, 'b')) line.target = pc + static_cast<uint32_t>(imm_b(word));
  if (writes(*row, 'j')) line.target = pc + static_cast<uint32_t>(imm_j(word));
  if (line.target != 0) {
    const std::string place = place_in(functions, line.target);
    if (!place.empty()) line.text += "  <" + place + ">";
  }
  return line;
}

std::vector<Stretch> basic_blocks(const Profile& profile, const Memory& memory,
                                  const std::vector<Symbol>& functions) {
  std::set<uint32_t> leaders;
  for (const Symbol& function : functions) leaders.insert(static_cast<uint32_t>(function.address));
  for (const auto& [pc, at] : profile)
    if (const Line line = line_at(memory, pc, {}); line.target != 0) leaders.insert(line.target);
  std::vector<Stretch> all;
  uint32_t next = 0;  // the pc that would go on with the stretch; 0: it has ended
  for (const auto& [pc, at] : profile) {
    const Line line = line_at(memory, pc, {});
    if (pc != next || leaders.count(pc) != 0) all.push_back({pc, pc, at.executed, 0});
    all.back().last = pc;
    all.back().cycles += cycles_of(at);
    next = line.leads_away ? 0 : pc + line.bytes;
  }
  return all;
}

uint64_t cycles_of(const PcProfile& at) {
  return std::accumulate(at.stalls.begin(), at.stalls.end(), uint64_t{0});
}

const char* name_of(Stall stall) {
  constexpr const char* kNames[] = {"run",           "load_use",  "branch",
                                    "divide",        "far_load",  "vector_queue",
                                    "vector_result", "sram_bank", "own_dma"};
  static_assert(std::size(kNames) == static_cast<size_t>(Stall::kCount));
  return kNames[static_cast<size_t>(stall)];
}

}  // namespace presil::dsp
