#include "models/dla/dla_player.h"

#include <algorithm>

#include "models/dla/dla_accesses.h"
#include "models/dla/dla_shape.h"

namespace presil::dla {
namespace {

constexpr unsigned kLineFifo = 8, kSecondFifo = 16, kParameterSets = 4;
constexpr Cycle cycles_request_to_operand = 3;  // request 1 + bank 1 + feature FIFO 1
constexpr Cycle cycles_request_to_word = 2;     // request and bank 1 + FIFO 1
constexpr Cycle cycles_operand_to_post = 3;     // M 1 + A 1 + post FIFO 1
constexpr Cycle cycles_unit_copy = 2;           // a unit's start -> its first request

// One access at a time: its words are asked for until each has had its bank.
class Port {
 public:
  explicit Port(unsigned ports) : m_ports(ports) {}

  /// @return whether `access` is complete in this cycle
  bool ask(const Access& access, uint64_t& taken) {
    unsigned missing = 0, granted = 0;
    for (unsigned p = 0; p < access.words; ++p) {
      const uint64_t bank = uint64_t{1} << access.banks[p];
      if (m_got >> p & 1) continue;
      if ((taken & bank) || granted == m_ports) {
        ++missing;
      } else {
        taken |= bank;
        ++granted;
        m_got |= 1u << p;
      }
    }
    if (missing == 0) m_got = 0;
    return missing == 0;
  }

 private:
  const unsigned m_ports;
  uint32_t m_got = 0;
};

// What is somewhere on its way, each with the cycle from which it can be used.
template <unsigned N>
class Queue {
 public:
  unsigned size() const { return m_size; }
  bool ready(Cycle now) const { return m_size > 0 && m_at[m_first] <= now; }
  unsigned ready_count(Cycle now) const {
    unsigned n = 0;
    while (n < m_size && m_at[(m_first + n) % N] <= now) ++n;
    return n;
  }
  template <class What>
  void each(What what) const {
    for (unsigned i = 0; i < m_size; ++i) what(m_at[(m_first + i) % N]);
  }
  void push(Cycle at) { m_at[(m_first + m_size++) % N] = at; }
  void pop(unsigned n = 1) {
    m_first = (m_first + n) % N;
    m_size -= n;
  }

 private:
  std::array<Cycle, N> m_at{};
  unsigned m_first = 0, m_size = 0;
};

// A FIFO's credits in use as its user sees them: what happens in a cycle shows in the next.
class Credits {
 public:
  unsigned used() const { return m_used; }
  void add(int change) { m_change += change; }
  void tick() {
    m_used = static_cast<unsigned>(static_cast<int>(m_used) + m_change);
    m_change = 0;
  }

 private:
  unsigned m_used = 0;
  int m_change = 0;
};

class Player {
 public:
  Player(const Plan& plan, Cycle sequencer, Cycle loader, Cycle first_write, Cycle post_free,
         Cycle last_pass)
      : m_plan(plan),
        m_all(plan),
        m_features_from(sequencer + cycles_unit_copy),
        m_lines_from(loader + cycles_unit_copy),
        m_first_write(first_write),
        m_post_from(post_free + cycles_operand_to_post),
        m_sets_from(last_pass + 1),
        m_feature_port(plan.config.feat_ports),
        m_output_port(plan.config.macs_k / 16),
        m_second_port(plan.config.macs_k / 16),
        m_line_port(plan.config.weight_ports) {
    const Command& c = plan.command;
    m_sums = plan.sums_in;
    m_second = c.ew_op != EwOp::kNone;
    m_upsample = c.upsample2;
    m_word_a_beat = c.out_type == OutType::kInt32;
    const Cycle post = (plan.config.macs_k + plan.config.post_lanes - 1) / plan.config.post_lanes;
    const Cycle ew = (plan.config.macs_k + plan.config.ew_lanes - 1) / plan.config.ew_lanes;
    m_beats = std::max<Cycle>({post, m_second ? ew : 1, m_word_a_beat ? 4 : 1});
  }

  PlayedRun run() {
    const size_t words = m_all.output.size();
    m_now = std::min({m_features_from, m_lines_from, m_first_write});
    while (m_written < words) {
      // Grants, in the order of the ports; then what moves on, from the output back.
      m_taken = 0;
      m_moved = false;
      const bool asked = ask_features();
      const bool wrote = write();
      const bool second = ask_second();
      const bool line = ask_line();
      move_output(wrote);
      move_post();
      Cycle PlayedRun::*const cause = fire();
      fill();
      if (asked) m_features.push(m_now + cycles_request_to_operand), m_steps_used.add(1);
      if (second) m_words.push(m_now + cycles_request_to_word), m_words_used.add(1);
      if (line) m_lines.push(m_now + cycles_request_to_word), m_lines_used.add(1);
      for (Credits* c : {&m_steps_used, &m_words_used, &m_lines_used, &m_post_used}) c->tick();
      // Where nothing moves, nothing will before the earliest of the times waited for.
      const Cycle until = m_moved || asked || m_taken != 0 ? m_now + 1 : wake();
      if (m_fired > 0 && cause != nullptr) m_run.*cause += until - m_now;
      m_now = until;
    }
    return m_run;
  }

 private:
  Cycle wake() const {
    Cycle wake = INT64_MAX;
    const auto consider = [&](Cycle at) {
      if (at > m_now) wake = std::min(wake, at);
    };
    for (const Cycle at :
         {m_features_from, m_lines_from, m_first_write, m_first_write + cycles_write_to_credit,
          m_post_from, m_sets_from, m_set_from, m_run.last_pass + cycles_pool_pass_at_least}) {
      consider(at);
    }
    m_features.each(consider);
    m_words.each(consider);
    m_lines.each(consider);
    m_post.each(consider);
    return wake == INT64_MAX ? m_now + 1 : wake;
  }

  bool ask_features() {
    if (m_now < m_features_from || m_next_step == m_all.steps.size()) return false;
    if (m_steps_used.used() == kFeatureFifo) return false;
    if (!m_feature_port.ask(m_all.steps[m_next_step], m_taken)) return false;
    ++m_next_step;
    return true;
  }

  bool ask_second() {
    if (m_now < m_features_from || m_next_word == m_all.second.size()) return false;
    if (m_words_used.used() == kSecondFifo) return false;
    if (!m_second_port.ask(m_all.second[m_next_word], m_taken)) return false;
    ++m_next_word;
    return true;
  }

  bool ask_line() {
    if (m_now < m_lines_from || m_next_line == m_all.lines.size()) return false;
    const LineAccess& line = m_all.lines[m_next_line];
    if (line.kind == LineAccess::kNothing) {  // its turn takes a cycle
      ++m_next_line;
      m_moved = true;
      return false;
    }
    if (m_lines_used.used() == kLineFifo || !m_line_port.ask(line, m_taken)) return false;
    ++m_next_line;
    return true;
  }

  bool write() {
    if (!m_held || m_now < m_first_write) return false;
    if (!m_output_port.ask(m_all.output[m_written], m_taken)) return false;
    ++m_written;
    m_run.end = m_now;
    return true;
  }

  // The word that asks for its bank, the output FIFO, the fourth stage of post-processing.
  void move_output(bool wrote) {
    const bool release = wrote && (!m_upsample || m_written % 4 == 0);
    const bool refill = m_output > 0 && (!m_held || release);
    const bool out_ready = m_output != kOutputFifo;
    const bool pushed = m_stage[3].valid && out_ready;
    m_held = refill || (m_held && !release);
    m_move4 = !m_stage[3].valid || out_ready;
    m_output = m_output + pushed - refill;
    m_moved = m_moved || pushed || refill;
  }

  // Beats through the four stages; the second operand is there for each that leaves the second.
  void move_post() {
    const bool present = !m_second || m_words.ready(m_now);
    const bool move3 = (!m_stage[2].valid || m_move4) && present;
    const bool move2 = !m_stage[1].valid || move3;
    const bool move1 = !m_stage[0].valid || move2;
    if (m_second && m_stage[1].valid && m_stage[1].last && move3) {
      m_words.pop();
      m_words_used.add(-1);
    }
    const bool head = m_now >= m_post_from && m_post.ready(m_now);
    const bool valid = head && !m_sent;
    Beat beat{valid, m_beat + 1 == m_beats, m_word_a_beat || m_beat + 1 == m_beats};
    const bool accepted = valid && move1 && beat.last;
    const bool pop = (accepted || m_sent) && (!m_upsample || m_square == 3);
    m_moved = m_moved || pop || (valid && move1) || (m_stage[0].valid && move2) ||
              (m_stage[1].valid && move3) || (m_stage[2].valid && m_move4);
    if (m_move4) m_stage[3] = {m_stage[2].valid && m_stage[2].emits, false, false};
    if (!m_stage[2].valid || m_move4) {
      m_stage[2] = m_stage[1];
      m_stage[2].valid = m_stage[1].valid && present;
    }
    if (move2) m_stage[1] = m_stage[0];
    if (move1) m_stage[0] = beat;
    if (valid && move1) m_beat = beat.last ? 0 : m_beat + 1;
    m_sent = (m_sent || accepted) && !pop;
    if (pop) {
      m_square = 0;
      m_post.pop();
      m_post_used.add(-1);
      if (m_all.steps[m_result_steps[m_results % kPostFifo]].last_of_group) {
        m_parameters -= reads_parameters(m_plan.command);
      }
      ++m_results;
    } else if (m_upsample && head && m_square != 3) {
      ++m_square;
      m_moved = true;
    }
  }

  // @return what holds the step up, or nullptr
  Cycle PlayedRun::*fire() {
    if (m_fired == m_all.steps.size()) return nullptr;
    const StepAccess& step = m_all.steps[m_fired];
    const bool result = step.last_pass && step.pixel;
    const bool sums = m_sums && step.first_pass && step.pixel;
    if (!m_features.ready(m_now)) return &PlayedRun::bank;
    if (step.first_of_pass && m_set_from > m_now) return &PlayedRun::weights;
    if (step.first_of_pass && !step.first_pass &&
        m_now < m_run.last_pass + cycles_pool_pass_at_least) {
      return &PlayedRun::turn;
    }
    if ((sums && m_words.ready_count(m_now) < 4) || (result && m_post_used.used() == kPostFifo)) {
      return m_now < m_first_write + cycles_write_to_credit ? &PlayedRun::out : &PlayedRun::post;
    }
    m_moved = true;
    if (m_fired == 0) m_run.first = m_now;
    ++m_run.steps;
    m_run.last = m_now;
    m_features.pop();
    m_steps_used.add(-1);
    if (sums) {
      m_words.pop(4);
      m_words_used.add(-4);
    }
    if (step.first_of_pass) {
      m_run.last_pass = m_now;
      m_set_from = kNone;
      m_sets_from = m_now + 1;
    }
    if (result) {
      m_result_steps[(m_results + m_post.size()) % kPostFifo] = m_fired;
      m_post.push(m_now + cycles_operand_to_post);
      m_post_used.add(1);
    }
    ++m_fired;
    return nullptr;
  }

  // The loader's other end: tables, parameters and sets out of its FIFO, each to its buffer.
  void fill() {
    if (m_filled == m_all.lines.size() || m_now < m_lines_from) return;
    const LineAccess& line = m_all.lines[m_filled];
    const bool pending = m_set_from != kNone || m_now < m_sets_from;
    if (line.ends_pass || line.kind == LineAccess::kSet) {
      if (pending) return;
    }
    if (line.kind == LineAccess::kParameters && m_parameters == kParameterSets) return;
    if (line.kind != LineAccess::kNothing) {
      if (!m_lines.ready(m_now)) return;
      m_lines.pop();
      m_lines_used.add(-1);
    }
    m_parameters += line.kind == LineAccess::kParameters && line.ends_phase;
    if (line.ends_pass) m_set_from = m_now + 1;
    m_run.loader_free = m_now + 1;
    m_moved = true;
    ++m_filled;
  }

  struct Beat {
    bool valid = false, last = false, emits = false;
  };
  static constexpr Cycle kNone = INT64_MAX;  // no set is full

  const Plan& m_plan;
  const Accesses m_all;
  const Cycle m_features_from, m_lines_from, m_first_write, m_post_from;
  Cycle m_sets_from;         // a set may be loaded from here on
  Cycle m_set_from = kNone;  // the set that is full may be used from here on
  bool m_sums, m_second, m_upsample, m_word_a_beat;
  Cycle m_beats;

  Cycle m_now = 0;
  uint64_t m_taken = 0;  // banks of this cycle
  bool m_moved = false;  // something, in this cycle
  Port m_feature_port, m_output_port, m_second_port, m_line_port;
  size_t m_next_step = 0, m_next_word = 0, m_next_line = 0, m_fired = 0, m_filled = 0;
  size_t m_written = 0, m_results = 0;
  Credits m_steps_used, m_words_used, m_lines_used, m_post_used;
  Queue<kFeatureFifo> m_features;
  Queue<kSecondFifo> m_words;
  Queue<kLineFifo> m_lines;
  Queue<kPostFifo> m_post;
  std::array<size_t, kPostFifo> m_result_steps{};
  std::array<Beat, 4> m_stage{};
  unsigned m_output = 0, m_parameters = 0, m_square = 0;
  Cycle m_beat = 0;
  bool m_held = false, m_move4 = true, m_sent = false;
  PlayedRun m_run;
};

}  // namespace

PlayedRun run_played(const Plan& plan, Cycle sequencer, Cycle loader, Cycle first_write,
                     Cycle post_free, Cycle last_pass) {
  return Player(plan, sequencer, loader, first_write, post_free, last_pass).run();
}

}  // namespace presil::dla
