#include "models/dla/dla_stepper.h"

#include <algorithm>
#include <array>

#include "models/dla/dla_shape.h"

namespace presil::dla {
namespace {

using Banks = uint64_t;  // bit b: bank b

// Banks of an address, of `count`, a power of two; all addresses but those of packed rows are
// multiples of 16.
Banks bank_of(uint64_t address, unsigned count) {
  return Banks{1} << (address / 16 & (count - 1));
}

// Where the words of `banks` lie when they are `bytes`, a multiple of 16, further on.
Banks moved(Banks banks, Cycle bytes, unsigned count) {
  const auto by = static_cast<unsigned>(bytes / 16) & (count - 1);
  if (by == 0) return banks;
  const Banks all = ~Banks{0} >> (64 - count);
  return (banks << by | banks >> (count - by)) & all;
}

struct Step {
  Banks reads = 0, writes = 0;
  uint16_t cycles = 1;
  bool first_of_pass = false, first_of_group = false;
  bool pixel = false;  // its result goes to post-processing
};

// The steps of a command in order: group of output channels, block of rows, row, pixel, column.
class Steps {
 public:
  explicit Steps(const Plan& plan) : m_plan(plan), m_c(plan.command) {
    m_groups_k = plan.config.macs_k / 16;
    m_columns = m_c.op == Op::kConv ? 1 : m_c.kernel_w;
    m_rows = m_c.op == Op::kConv ? 1 : m_c.kernel_h;
    m_fresh = std::min<unsigned>(m_c.stride_x, m_columns);
    begin_row();
  }

  /// Is there a step? It is then the next one.
  bool next(Step& step) {
    if (m_group == m_plan.kbs) return false;
    step = Step();
    step.first_of_pass = m_first_row && m_x == 0 && m_column == 0;
    step.first_of_group = step.first_of_pass && m_y == 0;
    read(step);
    step.pixel = m_column + 1 == m_columns;
    if (step.pixel) step.writes = moved(m_write, m_x * m_c.out_x_step, m_plan.config.banks);
    advance();
    return true;
  }

 private:
  unsigned blocks_of_group() const {
    return static_cast<unsigned>(
        std::min<Cycle>(m_groups_k, m_c.out_blocks - m_group * m_groups_k));
  }

  // What the pixels of a row have in common: banks of column 0 of the image and of the output, rows
  // of the window inside the image, cycles of a read.
  void begin_row() {
    m_first_row = m_y % m_c.block_rows == 0;
    const unsigned out_blocks = blocks_of_group();
    m_write = 0;
    for (unsigned b = 0; b < out_blocks; ++b) {
      m_write |= bank_of(
          static_cast<uint64_t>(m_c.out_base + (m_group * m_groups_k + b) * m_c.out_cb_pitch +
                                m_y * m_c.out_row_pitch),
          m_plan.config.banks);
    }
    if (m_c.packed) return;
    const Cycle y = m_y * m_c.stride_y - m_c.pad_top;
    const bool conv = m_c.op == Op::kConv;
    const unsigned blocks = conv ? m_c.in_blocks : out_blocks;
    const Cycle first = (conv ? m_group : m_group * m_groups_k) * m_c.in_kb_step;
    m_read = 0;
    unsigned rows = 0;
    for (unsigned r = 0; r < m_rows; ++r) {
      const Cycle row = y + Cycle{r} * m_c.dil_y;
      if (row < 0 || row >= m_c.in_h) continue;
      ++rows;
      for (unsigned b = 0; b < blocks; ++b) {
        m_read |= bank_of(static_cast<uint64_t>(m_c.in_base + (first + b) * m_c.in_cb_pitch +
                                                row * m_c.in_row_pitch),
                          m_plan.config.banks);
      }
    }
    m_read_cycles = 1;
    if (rows == 0) return;
    if (rows != m_known_rows || blocks != m_known_blocks) {
      m_known_cycles = static_cast<uint16_t>(cycles_to_read(m_c, m_plan.config, rows, blocks));
      m_known_rows = rows;
      m_known_blocks = blocks;
    }
    m_read_cycles = m_known_cycles;
  }

  void read(Step& step) {
    if (m_c.packed) return read_packed(step, m_y * m_c.stride_y - m_c.pad_top);
    const Cycle x = m_x * m_c.stride_x - m_c.pad_left + Cycle{m_column} * m_c.dil_x;
    if (x < 0 || x >= m_c.in_w) return;
    step.reads = moved(m_read, x * m_c.in_x_step, m_plan.config.banks);
    step.cycles = m_read_cycles;
  }

  // The words of the window that the one before did not have.
  void read_packed(Step& step, Cycle y) {
    if (y < 0 || y >= m_c.in_h) return;
    const Cycle start = m_x * m_c.in_x_step - Cycle{m_c.pad_left} * m_c.packed_ic;
    const Cycle end = std::min<Cycle>(start + 16, m_c.row_bytes);
    if (m_x == 0) m_word = std::max<Cycle>(start, 0) / 16;
    unsigned words = 0;
    for (; m_word * 16 < end; ++m_word, ++words) {
      step.reads |= bank_of(static_cast<uint64_t>(m_c.in_base + y * m_c.in_row_pitch + m_word * 16),
                            m_plan.config.banks);
    }
    const unsigned ports = m_plan.config.feat_ports;
    step.cycles = static_cast<uint16_t>(std::max(1u, (words + ports - 1) / ports));
  }

  void advance() {
    if (++m_column < m_columns) return;
    m_column = m_columns - m_fresh;
    if (++m_x < m_c.out_w) return;
    m_x = m_column = 0;
    if (++m_y == m_c.out_h) {
      m_y = 0;
      if (++m_group == m_plan.kbs) return;
    }
    begin_row();
  }

  const Plan& m_plan;
  const Command& m_c;
  Cycle m_groups_k;
  unsigned m_columns, m_rows, m_fresh;
  Cycle m_group = 0, m_y = 0, m_x = 0, m_word = 0;
  unsigned m_column = 0;
  Banks m_read = 0, m_write = 0;
  uint16_t m_read_cycles = 1, m_known_cycles = 1;
  unsigned m_known_rows = 0, m_known_blocks = 0;  // what m_known_cycles are of
  bool m_first_row = false;
};

// A short first-in first-out queue.
template <class T, unsigned N>
class Fifo {
 public:
  unsigned size() const { return m_size; }
  bool empty() const { return m_size == 0; }
  bool full() const { return m_size == N; }
  const T& front() const { return m_entries[m_first]; }
  T& push() { return m_entries[(m_first + m_size++) % N]; }  // to be filled
  void pop() {
    m_first = (m_first + 1) % N;
    --m_size;
  }

 private:
  std::array<T, N> m_entries{};
  unsigned m_first = 0, m_size = 0;
};

constexpr Cycle cycles_request_to_operand = 3;  // request 1 + bank 1 + feature FIFO 1
constexpr Cycle cycles_operand_to_post = 3;     // M 1 + A 1 + post FIFO 1

struct Operand {
  Cycle ready = 0;
  Step step;
};
struct Result {
  Cycle ready = 0;
  Banks writes = 0;
};

// Features and output with all that stands between them, cycle by cycle.
class Stepper {
 public:
  Stepper(const Plan& plan, Cycle sequencer, Cycle first_write, Loader& loader)
      : m_steps(plan), m_first_write(first_write), m_loader(loader) {
    m_now = sequencer + cycles_start_to_operand - cycles_request_to_operand;
    m_more = m_steps.next(m_next);
  }

  SteppedRun run() {
    while (m_more || !m_features.empty() || m_under_way > 0) {
      m_wake = INT64_MAX;
      m_moved = false;
      request();
      move_output(write());
      move_post();
      Cycle SteppedRun::*const cause = fire();
      m_post_used = static_cast<unsigned>(static_cast<int>(m_post_used) + m_post_change);
      m_post_change = 0;
      // Where nothing moves, nothing will before the earliest of the times waited for.
      const Cycle until = m_moved ? m_now + 1 : std::max(m_now + 1, m_wake);
      if (m_fired_any && cause != nullptr) m_run.*cause += until - m_now;
      m_now = until;
    }
    return m_run;
  }

 private:
  struct Stage {
    bool valid = false;
    Banks writes = 0;
  };

  void wake_at(Cycle cycle) {
    if (cycle > m_now) m_wake = std::min(m_wake, cycle);
  }

  void request() {
    m_reads = 0;
    if (m_busy == 0) {
      if (!m_more || m_features.full()) return;
      m_busy = m_next.cycles;
    }
    m_moved = true;
    m_reads = m_next.reads;
    if (--m_busy == 0) {
      Operand& operand = m_features.push();
      operand.ready = m_now + cycles_request_to_operand;
      operand.step = m_next;
      m_more = m_steps.next(m_next);
    }
  }

  /// @return whether the words of a pixel have all found their banks
  bool write() {
    if (!m_held.valid) return false;
    wake_at(m_first_write);
    if (m_now < m_first_write) return false;
    m_held.writes &= m_reads;
    if (m_held.writes != 0) return false;
    m_run.end = m_now;
    --m_under_way;
    m_moved = true;
    return true;
  }

  // The word that asks for its bank, the output FIFO, the last stage of post-processing.
  void move_output(bool wrote) {
    const bool refill = !m_output.empty() && (!m_held.valid || wrote);
    const bool ready = !m_output.full();
    if (refill) {
      m_held = {true, m_output.front()};
      m_output.pop();
    } else if (wrote) {
      m_held.valid = false;
    }
    if (m_stage[3].valid && ready) m_output.push() = m_stage[3].writes;
    m_moved = m_moved || refill || (m_stage[3].valid && ready);
    m_move4 = !m_stage[3].valid || ready;
  }

  // A stage moves on where the next one does.
  void move_post() {
    const bool move3 = !m_stage[2].valid || m_move4, move2 = !m_stage[1].valid || move3;
    const bool move1 = !m_stage[0].valid || move2;
    if (!m_post.empty()) wake_at(m_post.front().ready);
    const bool head = !m_post.empty() && m_post.front().ready <= m_now;
    m_moved = m_moved || (m_stage[2].valid && m_move4) || (m_stage[1].valid && move3) ||
              (m_stage[0].valid && move2) || (head && move1);
    if (m_move4) m_stage[3] = m_stage[2];
    if (move3) m_stage[2] = m_stage[1];
    if (move2) m_stage[1] = m_stage[0];
    if (!move1) return;
    m_stage[0].valid = head;
    if (!head) return;
    m_stage[0].writes = m_post.front().writes;
    m_post.pop();
    --m_post_change;
  }

  /// @return where the cycle of the operand stage went; nullptr when all steps have fired
  Cycle SteppedRun::*fire() {
    if (!m_more && m_features.empty()) return nullptr;
    if (m_features.empty() || m_features.front().ready > m_now) {
      if (!m_features.empty()) wake_at(m_features.front().ready);
      return &SteppedRun::bank;
    }
    const Step step = m_features.front().step;
    if (step.first_of_pass && !m_set_known) {
      m_set_ready = m_loader.next(step.first_of_group);
      m_set_known = true;
    }
    if (step.first_of_pass && m_set_ready > m_now) {
      wake_at(m_set_ready);
      return &SteppedRun::weights;
    }
    if (step.pixel && m_post_used == kPostFifo) {
      return m_now < m_first_write + cycles_write_to_credit ? &SteppedRun::out : &SteppedRun::post;
    }
    m_moved = true;
    if (step.pixel) {
      Result& result = m_post.push();
      result.ready = m_now + cycles_operand_to_post;
      result.writes = step.writes;
      ++m_post_change;
      ++m_under_way;
    }
    m_features.pop();
    if (!m_fired_any) m_run.first = m_now;
    m_fired_any = true;
    m_run.last = m_now;
    if (step.first_of_pass) {
      m_run.last_pass = m_now;
      m_loader.fired(m_now);
      m_set_known = false;
    }
    return &SteppedRun::steps;
  }

  Steps m_steps;
  Cycle m_first_write;
  Loader& m_loader;
  Step m_next;
  bool m_more = false;  // m_next is one
  Cycle m_busy = 0, m_now = 0, m_wake = 0, m_set_ready = 0;
  Banks m_reads = 0;
  bool m_moved = false, m_fired_any = false, m_set_known = false;
  unsigned m_under_way = 0;  // pixels that have fired and are not written
  Fifo<Operand, kFeatureFifo> m_features;
  Fifo<Result, kPostFifo> m_post;
  unsigned m_post_used = 0;  // its entries as the operand stage sees them: those of the last cycle
  int m_post_change = 0;
  std::array<Stage, kPostStages> m_stage{};
  bool m_move4 = true;  // the last stage takes what is before it
  Fifo<Banks, kOutputFifo> m_output;
  Stage m_held;  // asks for its banks
  SteppedRun m_run;
};

}  // namespace

SteppedRun run_stepped(const Plan& plan, Cycle sequencer, Cycle first_write, Loader& loader) {
  return Stepper(plan, sequencer, first_write, loader).run();
}

}  // namespace presil::dla
