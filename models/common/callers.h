// Several callers outside the kernel on one time, as the hosts of several tiles: each runs on a
// stack of its own and lets time pass as if it were alone, by Timekeeper::pass and run_before. Time
// goes on when all of them let it, up to the first cycle that one of them waits for; of several
// that are due in a cycle the first of the list goes first. One thread, so nothing depends on the
// machine.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "models/soc/soc_config.h"

namespace presil {

class Timekeeper;

class Callers {
 public:
  explicit Callers(Timekeeper& keeper);
  ~Callers();
  Callers(const Callers&) = delete;
  Callers& operator=(const Callers&) = delete;

  /// Runs each on its own stack, until the last has ended.
  /// @throws what the first of them has thrown, once all have ended
  void run(std::vector<std::function<void()>> bodies);

  // ---- for the Timekeeper, from a caller
  bool inside() const { return m_current != nullptr; }
  unsigned current() const;
  void pass(Cycle cycles);
  void run_before(Cycle end);
  /// From an event: the run_before() of this caller ends with this cycle.
  void stop(unsigned caller);
  /// False where the last run_before() has ended because nothing can happen of itself.
  bool pending() const;

 private:
  class Stack;
  struct Caller;
  static void enter(unsigned high, unsigned low);
  void let_time_pass();
  void resume(Caller& caller);
  void yield();

  Timekeeper& m_keeper;
  std::vector<std::unique_ptr<Caller>> m_callers;
  Caller* m_current = nullptr;
  std::unique_ptr<Caller> m_main;
};

}  // namespace presil
