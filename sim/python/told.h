// Long native work that Python hears of, and can interrupt.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <string>

#include "compiler_bridge/plan/search.h"

namespace presil::python {

/// A callback for work without the GIL: at every new stage and ten times a second it takes it, lets
/// signals be handled (Ctrl-C then ends the work), and calls `progress` (None: not called) with
/// stage, done and total.
inline plan::Progress told_now_and_then(const pybind11::object& progress) {
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kEvery{100};
  return [&progress, last = Clock::now(), told = std::string()](const char* stage, uint64_t done,
                                                                uint64_t total) mutable {
    const Clock::time_point now = Clock::now();
    if (told == stage && now - last < kEvery) return;
    last = now;
    told = stage;
    const pybind11::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
    if (!progress.is_none()) progress(stage, done, total);
  };
}

}  // namespace presil::python
