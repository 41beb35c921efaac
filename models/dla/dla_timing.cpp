#include "models/dla/dla_timing.h"

#include <algorithm>

#include "models/dla/dla_loader.h"
#include "models/dla/dla_player.h"
#include "models/dla/dla_stepper.h"

namespace presil::dla {
namespace {

// What the operand stage did between its first and last step, and when the results are out.
struct Run {
  Cycle first = 0, last = 0, last_pass = 0;
  Cycle post_free = 0;
  Cycle end = 0;
  Cycle steps = 0, bank = 0, weights = 0, post = 0, turn = 0, out = 0;
};

// The passes of a command, one evaluation each.
Run run_passes(const Plan& p, Cycle sequencer, Cycle first_write, bool out_waited,
               const Pipeline& before, Loader& loader) {
  const Cycle c = p.cycles_pixel;
  const bool pool = p.command.op == Op::kMaxpool || p.command.op == Op::kSumpool;
  // Pixels that fit between the operand stage and a writer that does not write: post FIFO, four
  // stages of post-processing, output FIFO, the word that asks for its bank.
  const Cycle words = p.command.upsample2 ? 1 : p.words_pixel;  // in the FIFO
  const Cycle room =
      kPostFifo + kPostStages / (p.beats() > 1 ? p.beats() : 1) + kOutputFifo / words + 1 / words;
  Run run;
  Cycle x = sequencer + cycles_start_to_operand;
  Cycle post = before.post_free;
  Cycle sums = Pipeline::kLongAgo;  // the cycle after those of the last pixel have been read
  Cycle pixels_done = 0;
  bool first_pass = true;
  for (Cycle kb = 0; kb < p.kbs; ++kb) {
    for (size_t block = 0; block < p.blocks.size(); ++block) {
      const Plan::Block& b = p.blocks[block];
      for (Cycle r = 0; r < p.passes; ++r) {
        const Cycle ready = loader.next(block == 0 && r == 0);
        if (ready > x) {
          if (!first_pass) run.weights += ready - x;
          x = ready;
        }
        if (first_pass) run.first = x;
        first_pass = false;
        loader.fired(x);
        run.last_pass = x;
        const PassShape& shape = b.pass(r, kb + 1 == p.kbs);
        Cycle t = shape.cycles;
        run.steps += shape.steps;
        run.bank += shape.cycles - shape.steps;
        const auto hold = [&](Cycle at_least, Cycle& cause) {
          if (at_least <= t) return;
          cause += at_least - t;
          t = at_least;
        };
        if (pool && r + 1 < p.passes) hold(cycles_pool_pass_at_least, run.turn);
        if (p.sums_in && r == 0) {
          // Four words a pixel; those of the first pixels are there before they are asked for.
          sums = std::max(sums, x - cycles_sums_ahead) + 4 * b.pixels;
          hold(sums - x, run.post);
        }
        if (r + 1 == p.passes) {
          // The post FIFO runs ahead of post-processing by 4 pixels, and is empty only once.
          post = std::max(post, x) + b.pixels * c;
          hold(post - x - (c - 1) * kPostFifo, run.post);
          post = std::max(post, x + t - 1 + c);  // the last step is a pixel
          pixels_done += b.pixels;
          if (pixels_done > room) {
            const Cycle last = first_write + cycles_write_to_credit + (pixels_done - 1 - room) * c;
            hold(last + 1 - x, out_waited ? run.out : run.post);
            post = std::max(post, x + t);
          }
        }
        x += t;
      }
    }
  }
  run.last = x - 1;
  run.post_free = post;
  run.end = std::max({run.last, post - 1,
                      first_write + pixels_done * p.words_pixel - 1 - cycles_operand_to_write}) +
            cycles_operand_to_write + (p.command.upsample2 ? p.beats() - 1 : 0);
  return run;
}

Run run_of(const Plan& p, const SteppedRun& s, bool out_waited) {
  Run run;
  run.first = s.first;
  run.last = s.last;
  run.last_pass = s.last_pass;
  run.post_free = s.last + p.cycles_pixel;
  run.end = s.end;
  run.steps = s.steps;
  run.bank = s.bank;
  run.weights = s.weights;
  run.post = s.post;
  (out_waited ? run.out : run.post) += s.out;
  return run;
}

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

Schedule schedule(const Plan& p, const Arrival& a, Pipeline& pipeline) {
  Schedule s;
  const Cycle fence = p.command.fence ? pipeline.end + 1 : Pipeline::kLongAgo;
  s.sequencer = std::max({a.offered, pipeline.sequencer_free, a.in, fence});
  s.loader = std::max({a.offered, pipeline.loader_free, a.weights, fence});
  s.writer = std::max({a.offered, pipeline.writer_free, a.out, fence});
  if (p.command.op == Op::kNop) return schedule_nop(a, s, pipeline);

  const Cycle first_write = s.writer + cycles_start_to_write;
  const bool out_waited = a.out == s.writer;
  Run run;
  Cycle loader_free = 0;
  if (p.played) {
    const PlayedRun played =
        run_played(p, s.sequencer, s.loader, first_write, pipeline.post_free, pipeline.last_pass);
    run = run_of(p, played, out_waited);
    run.turn = played.turn;
    loader_free = played.loader_free;
  } else {
    Loader loader(p, s.loader, pipeline.last_pass);
    run = p.stepped ? run_of(p, run_stepped(p, s.sequencer, first_write, loader), out_waited)
                    : run_passes(p, s.sequencer, first_write, out_waited, pipeline, loader);
    loader_free = loader.free();
  }
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
  s.cycles.add(wait_for(Cause::kWaitOut, a.out_by), run.out);
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
  pipeline.loader_free = loader_free;
  pipeline.writer_free = s.end + 1;
  pipeline.post_free = run.post_free;
  pipeline.last_pass = run.last_pass;
  pipeline.operand_done = s.last_operand;
  pipeline.end = s.end;
  return s;
}

void hold(Cycle cycles, Schedule& s, Pipeline& pipeline) {
  s.last_operand += cycles;
  s.end += cycles;
  s.cycles.add(Cause::kFeatureBank, cycles);
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
