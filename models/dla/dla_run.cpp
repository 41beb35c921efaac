#include "models/dla/dla_run.h"

#include <algorithm>

#include "models/dla/dla_loader.h"
#include "models/dla/dla_player.h"
#include "models/dla/dla_stepper.h"

namespace presil::dla {
namespace {

// The passes of a command, one evaluation each.
Run run_passes(const Plan& p, const RunStart& start, Loader& loader) {
  const Cycle c = p.cycles_pixel;
  const bool pool = p.command.op == Op::kMaxpool || p.command.op == Op::kSumpool;
  // Pixels that fit between the operand stage and a writer that does not write: post FIFO, four
  // stages of post-processing, output FIFO, the word that asks for its bank.
  const Cycle words = p.command.upsample2 ? 1 : p.words_pixel;  // in the FIFO
  const Cycle room =
      kPostFifo + kPostStages / (p.beats() > 1 ? p.beats() : 1) + kOutputFifo / words + 1 / words;
  Run run;
  Cycle x = start.sequencer + cycles_start_to_operand;
  Cycle post = start.post_free;
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
            const Cycle last =
                start.first_write + cycles_write_to_credit + (pixels_done - 1 - room) * c;
            hold(last + 1 - x, run.out);
            post = std::max(post, x + t);
          }
        }
        x += t;
      }
    }
  }
  run.last = x - 1;
  run.post_free = post;
  const Cycle last_word = start.first_write + pixels_done * p.words_pixel - 1;
  run.end = std::max({run.last, post - 1, last_word - cycles_operand_to_write}) +
            cycles_operand_to_write + (p.command.upsample2 ? p.beats() - 1 : 0);
  return run;
}

Run stepped(const Plan& p, const SteppedRun& s) {
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
  run.out = s.out;
  return run;
}

// The same to every unit: what ended before it was needed has no say.
RunStart normal(RunStart s) {
  s.first_write = std::max(s.first_write, s.sequencer);
  s.post_free = std::max(s.post_free, s.sequencer);
  s.last_pass = std::max(s.last_pass, s.loader);
  return s;
}

RunStart moved(RunStart s, Cycle by) {
  for (Cycle* cycle : {&s.sequencer, &s.loader, &s.first_write, &s.post_free, &s.last_pass})
    *cycle += by;
  return s;
}

Run moved(Run run, Cycle by) {
  for (Cycle* cycle :
       {&run.first, &run.last, &run.last_pass, &run.post_free, &run.end, &run.loader_free})
    *cycle += by;
  return run;
}

bool same(const RunStart& a, const RunStart& b) {
  return a.sequencer == b.sequencer && a.loader == b.loader && a.first_write == b.first_write &&
         a.post_free == b.post_free && a.last_pass == b.last_pass;
}

}  // namespace

Run run_of(const Plan& plan, const RunStart& start) {
  if (plan.played) {
    const PlayedRun played = run_played(plan, start.sequencer, start.loader, start.first_write,
                                        start.post_free, start.last_pass);
    Run run = stepped(plan, played);
    run.turn = played.turn;
    run.loader_free = played.loader_free;
    return run;
  }
  Loader loader(plan, start.loader, start.last_pass);
  Run run = plan.stepped
                ? stepped(plan, run_stepped(plan, start.sequencer, start.first_write, loader))
                : run_passes(plan, start, loader);
  run.loader_free = loader.free();
  return run;
}

Run KnownRuns::find(const Plan& plan, const RunStart& start) {
  const Cycle from = start.sequencer;
  const RunStart start_at_zero = moved(normal(start), -from);
  for (const Known& known : m_known) {
    if (same(known.start, start_at_zero)) return moved(known.run, from);
  }
  const Run run = run_of(plan, start_at_zero);
  if (m_known.size() < kMost) {
    m_known.push_back({start_at_zero, run});
  } else {
    m_known[m_next++ % kMost] = {start_at_zero, run};
  }
  return moved(run, from);
}

}  // namespace presil::dla
