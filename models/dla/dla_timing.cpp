#include "models/dla/dla_timing.h"

#include <algorithm>

#include "models/dla/dla_run.h"

namespace presil::dla {
namespace {

// Takes `cycles` away from what is not run, then from run: they already counted for the command
// before, whose last results were still under way.
void trim(Attribution& cycles, Cycle surplus) {
  std::array<Cause, static_cast<size_t>(Cause::kCount)> order{};
  size_t n = 0;
  for (const Cause first : {Cause::kStart, Cause::kPost, Cause::kWeights}) order[n++] = first;
  for (size_t i = static_cast<size_t>(Cause::kCount); i-- > 0;) {
    const Cause cause = static_cast<Cause>(i);
    if (cause == Cause::kStart || cause == Cause::kPost || cause == Cause::kWeights) continue;
    order[n++] = cause;  // run, code 0, comes last
  }
  for (const Cause cause : order) {
    const Cycle less = std::min(surplus, cycles[cause]);
    cycles.add(cause, -less);
    surplus -= less;
  }
}

// Attributes the cycles from `from` to the first operand: to waiting as the hardware's counters see
// it, the sequencer's first, then the loader's; then to filling; then to a loader that takes longer
// than its words do.
void attribute_start(const Plan& p, const Arrival& a, const Schedule& s, Cycle from,
                     Attribution& cycles) {
  const bool by_sequencer = s.first_operand == s.sequencer + cycles_start_to_operand;
  const Cycle cold = by_sequencer ? s.first_operand
                                  : s.loader + cycles_start_to_weight_fifo + p.cycles_table +
                                        p.cycles_parameters + p.cycles_set + 1;
  const Cycle in = std::clamp(a.in, from, s.first_operand);
  const Cycle weights = std::clamp(a.weights, in, s.first_operand);
  const Cycle filled = std::clamp(cold, weights, s.first_operand);
  cycles.add(wait_for(Cause::kWaitIn, a.in_by), in - from);
  cycles.add(wait_for(Cause::kWaitWeights, a.weights_by), weights - in);
  cycles.add(Cause::kStart, filled - weights);
  cycles.add(Cause::kWeights, s.first_operand - filled);
}

Schedule schedule_nop(const Arrival& a, Schedule s, Pipeline& pipeline) {
  const Cycle all = std::max({s.sequencer, s.loader, s.writer});
  s.end = all + cycles_start_to_nop_end;
  s.first_operand = s.last_operand = s.end - cycles_operand_to_write;
  const Cycle from = std::max(pipeline.end, a.offered);
  const Cycle in = std::clamp(a.in, from, s.end);
  const Cycle weights = std::clamp(a.weights, in, s.end);
  const Cycle out = std::clamp(a.out, weights, s.end);
  s.cycles.add(wait_for(Cause::kWaitIn, a.in_by), in - from);
  s.cycles.add(wait_for(Cause::kWaitWeights, a.weights_by), weights - in);
  s.cycles.add(wait_for(Cause::kWaitOut, a.out_by), out - weights);
  s.cycles.add(Cause::kStart, s.end - out);
  pipeline.sequencer_free = pipeline.loader_free = all + 1;
  pipeline.writer_free = s.end + 1;
  pipeline.operand_done = s.last_operand;
  pipeline.end = s.end;
  return s;
}

}  // namespace

Cycle Pipeline::taken(Cycle offered) const {
  return std::max({offered, sequencer_free, loader_free, writer_free});
}

Schedule schedule(const Plan& p, const Arrival& a, Pipeline& pipeline, KnownRuns* known) {
  Schedule s;
  const Cycle fence = p.command.fence ? pipeline.end + 1 : Pipeline::kLongAgo;
  const Cycle decode = a.setup + p.config.cycles_command;
  s.sequencer = std::max({a.offered, pipeline.sequencer_free, a.in, fence}) + decode;
  s.loader = std::max({a.offered, pipeline.loader_free, a.weights, fence}) + a.setup;
  s.writer = std::max({a.offered, pipeline.writer_free, a.out, fence});
  if (p.command.op == Op::kNop) return schedule_nop(a, s, pipeline);

  const Cycle first_write = s.writer + cycles_start_to_write;
  const bool out_waited = a.out == s.writer;
  const RunStart start{s.sequencer, s.loader, first_write, pipeline.post_free, pipeline.last_pass};
  const Run run = known != nullptr ? known->find(p, start) : run_of(p, start);
  s.first_operand = run.first;
  s.last_operand = run.last;
  s.end = run.end;
  s.steps = static_cast<uint64_t>(run.steps);

  // The operand stage from the last step of the command before (or the offer) to the last of this
  // one.
  const Cycle from = std::max(pipeline.operand_done + 1, a.offered);
  attribute_start(p, a, s, from, s.cycles);
  s.cycles.add(Cause::kRun, run.steps);
  s.cycles.add(Cause::kFeatureBank, run.bank);
  s.cycles.add(Cause::kWeights, run.weights);
  s.cycles.add(Cause::kPost, run.post);
  s.cycles.add(Cause::kStart, run.turn);
  s.cycles.add(out_waited ? wait_for(Cause::kWaitOut, a.out_by) : Cause::kPost, run.out);
  // Its last results on their way out: 8 cycles when nothing stands before them. Where the command
  // before was still on its way, those cycles are its own, and this command's drain takes their
  // place.
  const Cycle total = s.end - std::max(pipeline.end, a.offered);
  const Cycle late = s.end - s.last_operand - cycles_operand_to_write;
  s.cycles.add(out_waited && run.out > 0 ? wait_for(Cause::kWaitOut, a.out_by) : Cause::kPost,
               late);
  const Cycle rest = total - s.cycles.total();
  if (rest >= 0) {
    s.cycles.add(Cause::kStart, rest);
  } else {
    trim(s.cycles, -rest);
  }

  pipeline.sequencer_free = s.last_operand + cycles_last_operand_to_sequencer_free;
  pipeline.loader_free = run.loader_free;
  pipeline.writer_free = s.end + 1;
  pipeline.post_free = run.post_free;
  pipeline.last_pass = run.last_pass;
  pipeline.operand_done = s.last_operand;
  pipeline.end = s.end;
  hold(p.cycles_alone, s, pipeline, Cause::kPost);
  return s;
}

void hold(Cycle cycles, Schedule& s, Pipeline& pipeline, Cause cause) {
  s.last_operand += cycles;
  s.end += cycles;
  s.cycles.add(cause, cycles);
  for (Cycle* unit :
       {&pipeline.sequencer_free, &pipeline.loader_free, &pipeline.writer_free, &pipeline.post_free,
        &pipeline.last_pass, &pipeline.operand_done, &pipeline.end}) {
    *unit += cycles;
  }
}

Cycle cycles_of(const Command& command, const DlaConfig& config) {
  Pipeline pipeline;
  return schedule(Plan(command, config), Arrival(), pipeline).end;
}

}  // namespace presil::dla
