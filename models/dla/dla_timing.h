// The time of a DLA command: one evaluation per pass (one weight set on one block of pixels), none
// per step. README.md here has the equations with their constants added up. A plain function of
// commands, the cycles in which they were offered and their waits met, and what the units still had
// to do; so the sc_module, the compiler's cost queries and a shadow of RTL share it.
#pragma once

#include <cstdint>
#include <vector>

#include "models/common/attribution.h"
#include "models/soc/soc_config.h"
#include "rtl/dla/dla_command.h"

namespace presil::dla {

/// Sequencer starts -> its first operand can fire: copy 1 + start 1 + request 1 + bank 1 + feature
/// FIFO 1.
inline constexpr Cycle cycles_start_to_operand = 5;
/// Loader starts -> its first word is at the FIFO's head: copy 1 + request and bank 1 + FIFO 1.
inline constexpr Cycle cycles_start_to_weight_fifo = 3;
/// Operand fires -> its result is written: M 1 + A 1 + post FIFO 1 + P 4 + output FIFO 1 + grant 1.
inline constexpr Cycle cycles_operand_to_write = 9;
/// Writer starts -> first word granted: copy 1 + request 1.
inline constexpr Cycle cycles_start_to_write = 2;
/// A word is granted -> the operand stage sees the room: post-processing moves up 1 + credit 1.
inline constexpr Cycle cycles_write_to_credit = 2;
/// Last step of a command -> first of the next: sequencer reload. The last request leaves 3 cycles
/// (request, bank, FIFO) before its step; free 1 later, the sequencer's next step is 5 after: -3 +
/// 1 + 5.
inline constexpr Cycle cycles_between_commands = 2;
inline constexpr Cycle cycles_last_operand_to_sequencer_free =
    cycles_between_commands + 1 - cycles_start_to_operand;
/// All units have a nop's turn -> its signal: copy 1 + signal 1.
inline constexpr Cycle cycles_start_to_nop_end = 2;
/// A pool's pass may not read an accumulator before the pass before it has written it: M 1 + A 1
/// and the RAM's read and write 1 + 1.
inline constexpr Cycle cycles_pool_pass_at_least = 4;

/// The first step of a pass finds the sums of 4 pixels in the FIFO of 16 words, and takes one pixel
/// a cycle. The four words that the first frees space for are there 6 cycles after it: credit 1,
/// four requests, bank 1, FIFO 1, of which the last starts 3 after the first. So n pixels take 4 n
/// - 13.
inline constexpr Cycle cycles_sums_ahead = 13;

inline constexpr unsigned kPostFifo = 4;     ///< pixels
inline constexpr unsigned kPostStages = 4;   ///< beats
inline constexpr unsigned kOutputFifo = 16;  ///< words of each output port
inline constexpr unsigned kFeatureFifo = 4;  ///< steps

/// One pass over one block.
struct PassShape {
  Cycle steps = 0;   ///< operands that fire
  Cycle cycles = 0;  ///< they take at least: steps, and bank conflicts of the feature ports
};

/// Bytes moved between SRAM and the DLA.
struct Traffic {
  uint64_t features = 0, weights = 0, parameters = 0, second = 0, written = 0;
  uint64_t read() const { return features + weights + parameters + second; }
};

/// What of a command's time does not depend on when it runs.
class Plan {
 public:
  /// @param command accepted by check(); addresses as relocated (they decide bank conflicts)
  Plan(const Command& command, const DlaConfig& config);

  Command command;
  DlaConfig config;
  Cycle kbs = 0;                ///< groups of macs_k output channels
  Cycle passes = 0;             ///< of a block: weight sets that add up
  Cycle cycles_set = 0;         ///< to load a weight set; 0 where none is
  Cycle cycles_parameters = 0;  ///< to load those of a group
  Cycle cycles_table = 0;
  Cycle cycles_pixel = 1;  ///< post-processing of a pixel ("c")
  Cycle words_pixel = 1;   ///< that an output port writes for a pixel
  bool sums_in = false;    ///< partial sums are read in the first pass of a block
  bool stepped = false;    ///< feature and output port may meet in a bank in every step
  bool played = false;     ///< short, or upsampling: every port is played
  Cycle cycles_alone = 0;  ///< of post-processing after the array, where they do not overlap
  /// Cycles of a pixel in post-processing alone; cycles_pixel counts the output port's too.
  Cycle beats() const;

  struct Block {
    Cycle pixels = 0;
    std::vector<PassShape> shapes;  ///< of its passes; one entry where all are alike
    std::vector<PassShape> last;    ///< of the last group, where that reads fewer words; else empty
    const PassShape& pass(Cycle r, bool of_last = false) const {
      const std::vector<PassShape>& all = of_last && !last.empty() ? last : shapes;
      return all.size() == 1 ? all[0] : all[static_cast<size_t>(r)];
    }
  };
  std::vector<Block> blocks;  ///< of a group, in order
  Traffic traffic;

 private:
  void account(uint64_t set_words, uint64_t words);
};

/// Cycles to read, through the feature ports, `rows` words (of a column) of each of `blocks`
/// channel blocks: the fullest bank or the number of ports decides. The same wherever the first
/// word lies.
Cycle cycles_to_read(const Command& command, const DlaConfig& config, unsigned rows,
                     unsigned blocks);

/// Output pixels x output channels x what each sums over; 0 for pools and pass. Input channels
/// count in whole blocks of 16, packed ones as they are.
uint64_t macs(const Command& command);

/// When a command was offered and its waits met (a wait that it does not have: 0), and which queue
/// was waited for.
struct Arrival {
  Cycle offered = 0;
  Cycle weights = 0, in = 0, out = 0;
  Cycle setup = 0;  ///< of the layer that it begins, before any unit starts
  Signaller weights_by = Signaller::kDma, in_by = Signaller::kDma, out_by = Signaller::kDma;
};

/// What the units still have to do for the commands before.
struct Pipeline {
  static constexpr Cycle kLongAgo = INT64_MIN / 4;
  Cycle sequencer_free = kLongAgo, loader_free = kLongAgo, writer_free = kLongAgo;
  Cycle post_free = kLongAgo;  ///< as seen from the operand stage
  Cycle last_pass = kLongAgo;  ///< first step of the last pass: then its set's predecessor is free
  Cycle operand_done = kLongAgo;  ///< last step
  Cycle end = kLongAgo;           ///< of the command before

  /// All units have taken a command that is offered in cycle `offered`, waits or not.
  Cycle taken(Cycle offered) const;
};

struct Schedule {
  Cycle sequencer = 0, loader = 0, writer = 0;  ///< start of each unit
  Cycle first_operand = 0, last_operand = 0;
  Cycle end = 0;  ///< last word granted, signal sent
  uint64_t steps = 0;
  /// Of [max(end of the command before, offered), end), each cycle once.
  Attribution cycles;
};

class KnownRuns;

/// Schedules the next command and moves the pipeline on.
/// @param known runs of this command that have been computed before, to find this one among
Schedule schedule(const Plan& plan, const Arrival& arrival, Pipeline& pipeline,
                  KnownRuns* known = nullptr);

/// The command that was scheduled last stands still for `cycles` more: at the SRAM's banks, or
/// where `cause` says.
void hold(Cycle cycles, Schedule& schedule, Pipeline& pipeline, Cause cause = Cause::kFeatureBank);

/// Isolated latency of a command whose data is there: offered in cycle 0, ends in cycle
/// cycles_of().
Cycle cycles_of(const Command& command, const DlaConfig& config);

}  // namespace presil::dla
