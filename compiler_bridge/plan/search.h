// How much the planner may search, and what it has found so far: one for a whole compilation, so
// that what is arranged anew does not look at the same tilings again.
//
// Work is counted in units, about as many microseconds of a desktop's core, and never timed: the
// same network gets the same plan on every machine. Where the units are used up, whole steps of
// the search are left out, and what is left takes time in proportion to the network.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler_bridge/plan/choose_tiling.h"
#include "compiler_bridge/plan/command_times.h"
#include "compiler_bridge/plan/decisions.h"
#include "compiler_bridge/plan/memory_streams.h"

namespace presil::plan {

/// Told now and then: what is being done, and how many of how many are done (total 0: unknown).
using Progress = std::function<void(const char* stage, uint64_t done, uint64_t total)>;

inline constexpr int kMostEffort = 3, kUsualEffort = 2;

/// What a level of effort allows.
struct Effort {
  uint64_t units = 0, units_a_layer = 0;
  int further_moves = 0;  ///< tensors spilled after the first plan that fits, for a faster one
  double trials = 0;      ///< of the units spent: on tensors that stay or go for a trial
  uint64_t played = 0;    ///< bursts of plans that are played against each other, in all
};
Effort effort_of(int level);

/// Of several layers some take more than estimated, some less: of few the estimate errs by more.
/// Their plans are quickly made and played, so that many may be.
inline bool has_few_layers(size_t layers) {
  return layers <= 4;
}

class Search {
 public:
  explicit Search(int level = kUsualEffort, Progress progress = {})
      : m_effort(effort_of(level)), m_left(m_effort.units), m_progress(std::move(progress)) {}

  /// For another compilation with the same effort.
  Search anew() const {
    Search search;
    search.m_effort = m_effort, search.m_left = m_effort.units, search.m_progress = m_progress;
    return search;
  }

  const Effort& effort() const { return m_effort; }

  /// What is not searched for, told before anything is planned.
  void decide(Decisions decisions) { m_decided = std::move(decisions); }
  const Decisions& decided() const { return m_decided; }

  /// Grants what the level has for the layers of a network, once.
  void begin(size_t layers);
  void spend(uint64_t units);
  /// Commands that were played: units that count for trials alone, since a command is played once.
  void played(uint64_t units) { m_played += units; }
  uint64_t spent() const { return m_spent; }
  bool is_spent() const { return m_spent >= m_left; }

  /// What is spent while it lives is spent on a trial.
  class Trial {
   public:
    explicit Trial(Search& search) : m_search(search), m_before(search.worked()) {}
    ~Trial() { m_search.m_tried += m_search.worked() - m_before; }
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;

   private:
    Search& m_search;
    uint64_t m_before;
  };
  /// Units are left for trials, of which more may be had where more can be won.
  /// @param lost  share of a plan's cycles that another one can win (lost_share)
  bool may_try(double lost) const;
  /// Plans with so many bursts in all may be played: a burst takes half a unit.
  bool may_play(uint64_t bursts) const;

  /// What is done from now on, for `progress`.
  void stage(const char* name, uint64_t total = 0);
  void done(uint64_t done) { m_done = done; }
  void tell(uint64_t done) {
    m_done = done;
    tell();
  }

  /// What the memory of this SoC takes, found once.
  MemoryStreams& memory(const SocConfig& config);
  /// Likewise commands of its DLAs.
  CommandTimes& commands(const SocConfig& config);

  /// tiling_menu(), made once for all layers that are alike. Stays where it is. Of plans for less
  /// SRAM it is the same: the one with the most comes first.
  const std::vector<TilingChoice>& menu(const LayerShape& shape, Cut cut, const SocConfig& config);

 private:
  void tell() const;

  Effort m_effort;
  /// Units, with those of commands that were played for their time.
  uint64_t worked() const { return m_spent + m_played; }

  uint64_t m_most_bytes = 0;  ///< of the SRAM, of all that have asked
  uint64_t m_left = 0, m_spent = 0, m_played = 0, m_tried = 0;
  bool m_begun = false, m_few = false;
  Decisions m_decided;
  Progress m_progress;
  const char* m_stage = "";
  uint64_t m_done = 0, m_total = 0, m_untold = 0;
  std::map<std::vector<int64_t>, std::vector<TilingChoice>> m_menus;
  std::optional<MemoryStreams> m_memory;
  std::optional<CommandTimes> m_commands;
};

}  // namespace presil::plan
