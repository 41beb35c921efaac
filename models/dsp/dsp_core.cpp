#include "models/dsp/dsp_core.h"

#include <cstring>

#include "models/dsp/dsp_trace.h"

namespace presil::dsp {
namespace {

// A kernel may read a group of eight registers up to the end; loops of the host may read a line
// beyond what they use.
constexpr size_t kSlack = 64;

}  // namespace

Core::Core(const Config& config) {
  check(config);
  m_hart.config = config;
  m_hart.blocks = &m_blocks;
  m_hart.unit.reset(config);
  m_vectors = std::make_unique<uint8_t[]>(size_t{32} * config.vlenb() + kSlack);
  const auto address = reinterpret_cast<uintptr_t>(m_vectors.get());
  m_hart.v = m_vectors.get() + (-address & (kSlack - 1));
}

Core::~Core() = default;

void Core::reset() {
  m_hart.x = {};
  m_hart.f = {};
  std::memset(m_hart.v, 0, size_t{32} * m_hart.config.vlenb());
  m_hart.vl = m_hart.vstart = 0;
  m_hart.vtype = Vtype{};
  m_hart.vxrm = m_hart.vxsat = m_hart.frm = m_hart.fflags = 0;
  m_hart.cycle = 0;
  m_hart.stalls = {};
  m_hart.sram_read = m_hart.sram_written = 0;
  m_hart.stop = {};
  m_hart.unit.reset(m_hart.config);
  m_blocks.clear_counts();
  m_late.clear();
}

Stalls Core::stalls() const {
  Stalls all{};
  const auto known = m_blocks.stalls();
  uint64_t sum = 0;
  for (size_t s = 1; s < all.size(); ++s) sum += all[s] = known[s] + m_hart.stalls[s];
  all[0] = m_hart.cycle - sum;
  return all;
}

Profile Core::profile() const {
  Profile all = m_blocks.profile();
  for (const auto& [pc, late] : m_late) {
    PcProfile& here = all[pc];
    for (size_t s = 0; s < late.stalls.size(); ++s) here.stalls[s] += late.stalls[s];
    here.beats += late.beats;
    here.elements += late.elements;
  }
  return all;
}

const Stop& Core::run(uint64_t pc, uint64_t limit) {
  m_hart.limit = limit;
  for (Decoded* op = m_blocks.at(m_hart, static_cast<uint32_t>(pc)); op != nullptr;)
    op = op->run(m_hart, op);
  if (m_blocks.tracer() != nullptr) m_blocks.tracer()->stopped(m_hart);
  return m_hart.stop;
}

}  // namespace presil::dsp
