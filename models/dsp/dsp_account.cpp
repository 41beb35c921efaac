// Registers of the DSP that tell what it is, what trapped, and where its cycles went.
#include <algorithm>

#include "models/common/counter_snapshot.h"
#include "models/dsp/dsp_engine.h"
#include "rtl/dsp/dsp_description.h"

namespace presil::dsp {

void Engine::show_configuration() {
  const DspConfig& d = m_config.dsp;
  m_bank.set_id_prefetch(static_cast<uint8_t>(d.prefetch));
  m_bank.set_vector_vlen(static_cast<uint16_t>(d.vlen));
  m_bank.set_vector_dlen(static_cast<uint16_t>(d.dlen));
  m_bank.set_unit_elen(static_cast<uint8_t>(d.elen));
  m_bank.set_unit_arithmetic_sequencers(static_cast<uint8_t>(d.arithmetic_sequencers));
  m_bank.set_itcm_bytes(d.itcm_bytes);
  m_bank.set_dtcm_bytes(d.dtcm_bytes);
  m_bank.set_stack_bytes(kStackBytes);
  m_bank.set_capability_gather_by_element(d.gather_by_element != 0);
  m_bank.set_sram_bytes(m_config.sram.bytes);
}

// The first one stays until it is cleared.
void Engine::show_trap(const Work& work, const Trap& trap) {
  if (m_bank.trap_cause() != TrapCause::kNone) return;
  m_bank.set_trap_cause(trap.cause);
  m_bank.set_trap_vstart(static_cast<uint16_t>(trap.vstart));
  m_bank.set_trap_pc(trap.pc);
  m_bank.set_trap_word(trap.word);
  m_bank.set_trap_address(trap.address);
  m_bank.set_trap_sp(trap.sp);
  m_bank.set_trap_cycle(trap.cycle);
  m_bank.set_trap_tag(work.command.tag);
  m_bank.set_trap_command(work.index);
  m_bank.set_trap_code(trap.code);
  m_bank.set_trap_region_near(trap.near);
  m_bank.set_trap_region_region(trap.region);
  m_bank.set_trap_region_tensor(trap.tensor);
  m_bank.set_trap_distance(trap.distance);
}

// What the program's cycles were spent on, into the command's.
void Engine::account_program(Work& work) {
  static constexpr struct {
    Stall stall;
    Cause cause;
  } kCauses[] = {{Stall::kRun, Cause::kRun},
                 {Stall::kLoadUse, Cause::kLoadUse},
                 {Stall::kBranch, Cause::kBranch},
                 {Stall::kDivide, Cause::kDivide},
                 {Stall::kFar, Cause::kFarLoad},
                 {Stall::kVectorQueue, Cause::kVectorQueue},
                 {Stall::kVectorResult, Cause::kVectorResult},
                 {Stall::kBank, Cause::kSramBank},
                 {Stall::kDevice, Cause::kOwnDma}};
  static_assert(std::size(kCauses) == static_cast<size_t>(Stall::kCount));
  const Core& core = m_program.core();
  const Stalls stalls = core.stalls();
  for (const auto& row : kCauses)
    work.cycles.add(row.cause, static_cast<Cycle>(stalls[static_cast<size_t>(row.stall)]));
  work.sram_read += core.hart().unit.sram_read() + core.hart().sram_read;
  work.sram_written += core.hart().unit.sram_written() + core.hart().sram_written;
  work.actions.instructions += core.instructions();
  work.actions.elements += core.hart().unit.elements();
  s_instructions += core.instructions();
  s_elements += core.hart().unit.elements();
  if (m_watch != nullptr) m_watch->ends(m_start, core);
}

// The queue's cycles from the end of the command before, or from the offer if that is later.
CommandRecord Engine::record_of(const Work& work, Cycle end) const {
  CommandRecord record;
  record.queue = PRESIL_QUEUE_DSP;
  record.tag = work.command.tag;
  record.job = work.job->entry.tag;
  record.index = work.index;
  record.doorbell = work.job->doorbell;
  record.offered = work.offered;
  record.start = work.start;
  record.end = end;
  record.cycles = work.cycles;
  const Cycle from = std::max(m_accounted, work.offered);
  for (const Segment& wait : work.waits) {
    const Cycle begin = std::max(wait.begin, from);
    if (begin < wait.end) record.cycles.add(wait.cause, wait.end - begin);
  }
  // What was dropped in the middle.
  record.cycles.add(Cause::kStart, end - from - record.cycles.total());
  record.sram_read_bytes = work.sram_read;
  record.sram_written_bytes = work.sram_written;
  record.dram_read_bytes = work.dram_read;
  record.dram_written_bytes = work.dram_written;
  record.actions = work.actions;
  return record;
}

// Between commands the queue was idle up to the doorbell of the job, then fetching.
void Engine::account(const CommandRecord& record) {
  if (record.offered > m_accounted) {
    const Cycle doorbell = std::clamp(record.doorbell, m_accounted, record.offered);
    m_idle += doorbell - m_accounted;
    m_cycles.add(Cause::kFetch, record.offered - doorbell);
  }
  m_cycles += record.cycles;
  m_accounted = record.end;
}

// The counters as they stand: those of a command come when it ends, idle cycles up to now.
void Engine::snapshot() {
  if (m_frontend.jobs() == 0 && !m_active && !m_next && now() > m_accounted) {
    m_idle += now() - m_accounted;
    m_accounted = now();
  }
  static const CounterSnapshot causes(*presil_dsp_description());
  causes.write(m_bank, m_cycles);
  CountersView view = m_bank.counters();
  view.set_cycles(static_cast<uint64_t>(m_cycles.total() + m_idle));
  view.set_idle(static_cast<uint64_t>(m_idle));
  view.set_commands(s_commands);
  view.set_instructions(s_instructions);
  view.set_elements(s_elements);
  view.set_bytes_read(m_copier.bytes_read() + m_frontend.fetched_bytes() - m_fetched_before);
  view.set_bytes_written(m_copier.bytes_written());
}

}  // namespace presil::dsp
