// Bursts of one id, of the RTL and of its model: the same ones in the same order; the model gets
// the answers that the RTL gets, when both have asked.
#pragma once

#include <deque>
#include <functional>
#include <string>

#include "models/common/ports.h"
#include "models/common/timeline.h"
#include "sim/rtl/divergence.h"

namespace presil::rtl {

class BurstMatch {
 public:
  using Done = std::function<void(const BurstTimes&)>;

  /// @param stage of a difference: "fetch", "read", "write"
  BurstMatch(std::string block, std::string stage, Timeline& timeline,
             std::function<void(const Divergence&)> report);
  BurstMatch(const BurstMatch&) = delete;
  BurstMatch& operator=(const BurstMatch&) = delete;

  void rtl_asked(const Burst& burst);
  /// The oldest one without an answer.
  void rtl_answered(const BurstTimes& times);
  void model_asked(const Burst& burst, Done done);
  /// An abort or an error: what only one of the two has asked for the other will not ask for.
  void dropped();
  /// Both begin again.
  void renewed();

 private:
  struct Pair {
    Burst rtl, model;
    bool by_rtl = false, by_model = false, answered = false;
    BurstTimes times;
    Done model_done;
  };
  Pair& pair(uint64_t number);
  void progress();

  std::string m_block, m_stage;
  Timeline& m_timeline;
  std::function<void(const Divergence&)> m_report;
  std::deque<Pair> m_pairs;
  uint64_t m_first = 0;  // number of m_pairs.front()
  uint64_t m_by_rtl = 0, m_by_model = 0, m_answered = 0;
  bool m_dropped = false;
};

}  // namespace presil::rtl
