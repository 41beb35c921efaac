#include "compiler_bridge/plan/check_order.h"

#include <algorithm>
#include <tuple>

namespace presil::plan {
namespace {

void join(Clock& clock, const Clock& other) {
  for (size_t q = 0; q < clock.size(); ++q) clock[q] = std::max(clock[q], other[q]);
}

/// What is certainly complete when a command begins, gate by gate.
struct Known {
  uint8_t queue = 0;
  uint32_t count = 0;  ///< its own number in the queue, from 1
  bool in_order = true;
  std::array<Clock, kGates> gates{};
};

[[noreturn]] void defect(const std::string& what) {
  throw OrderDefect("plan: the order of commands is not kept: " + what);
}

std::string name(const Known& command) {
  return "command " + std::to_string(command.count - 1) + " of queue " +
         std::to_string(command.queue);
}

/// Walks the program once: every wait must be for a command that came before, whose knowledge is
/// then inherited.
std::vector<Known> follow_waits(const std::vector<Step>& steps, const Program& program) {
  std::vector<Known> known(steps.size());
  std::array<std::array<Clock, kGates>, PRESIL_QUEUES> gates{};
  std::array<std::vector<Clock>, PRESIL_QUEUES> completed;
  for (const Ordered& ordered : program) {
    const uint8_t q = ordered.queue;
    Known command;
    command.queue = q;
    command.count = static_cast<uint32_t>(completed[q].size()) + 1;
    for (size_t port = 0; port < kGates; ++port) {
      const Wait& wait = ordered.waits[port];
      if (wait.count == 0) continue;
      if (wait.count > completed[wait.queue].size()) {
        defect(name(command) + " waits for command " + std::to_string(wait.count - 1) +
               " of queue " + std::to_string(wait.queue) + ", which comes later");
      }
      const Clock& reached = completed[wait.queue][wait.count - 1];
      if (q == PRESIL_QUEUE_DLA) {
        join(gates[q][port], reached);
      } else {
        for (Clock& gate : gates[q]) join(gate, reached);
      }
    }
    if (ordered.fence && !completed[q].empty()) {
      for (Clock& gate : gates[q]) join(gate, completed[q].back());
    }
    command.gates = gates[q];
    // A nop has no data, so its writer may pass before its sequencer; a real command's may not.
    if (ordered.step >= 0) {
      join(command.gates[static_cast<size_t>(Gate::kOut)],
           command.gates[static_cast<size_t>(Gate::kIn)]);
      gates[q] = command.gates;
      command.in_order = steps[static_cast<size_t>(ordered.step)].in_order;
      known[static_cast<size_t>(ordered.step)] = command;
    }
    Clock done = completed[q].empty() ? Clock{} : completed[q].back();
    for (const Clock& gate : command.gates) join(done, gate);
    done[q] = command.count;
    completed[q].push_back(done);
  }
  return known;
}

bool in_order(const Known& earlier, bool earlier_writes, const Known& later, const Access& access) {
  if (earlier.queue == later.queue && earlier.in_order && later.in_order) {
    const bool read_after_write = earlier_writes && !access.write;
    // The units of the DLA each work in order, but one runs ahead of the other.
    if (earlier.queue != PRESIL_QUEUE_DLA || !read_after_write) return true;
  }
  return later.gates[static_cast<size_t>(access.gate)][earlier.queue] >= earlier.count;
}

struct Touch {
  const Access* access;
  size_t step;
};

}  // namespace

void check_order(const std::vector<Step>& steps, const Program& program) {
  const std::vector<Known> known = follow_waits(steps, program);
  std::vector<Touch> touches;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (known[i].count == 0) defect("step " + std::to_string(i) + " is not in the program");
    for (const Access& access : steps[i].accesses) touches.push_back({&access, i});
  }
  std::sort(touches.begin(), touches.end(), [](const Touch& a, const Touch& b) {
    return std::tie(a.access->space, a.access->begin) < std::tie(b.access->space, b.access->begin);
  });
  // Sweep over addresses: every access against those that began before it and have not ended.
  std::vector<Touch> open;
  for (const Touch& touch : touches) {
    const auto closed = [&](const Touch& other) {
      return other.access->space != touch.access->space || other.access->end <= touch.access->begin;
    };
    open.erase(std::remove_if(open.begin(), open.end(), closed), open.end());
    for (const Touch& other : open) {
      if (other.step == touch.step || !(other.access->write || touch.access->write)) continue;
      const bool forward = other.step < touch.step;
      const Touch& first = forward ? other : touch;
      const Touch& second = forward ? touch : other;
      if (in_order(known[first.step], first.access->write, known[second.step], *second.access)) {
        continue;
      }
      defect(name(known[second.step]) + (second.access->write ? " writes" : " reads") +
             " bytes from " + std::to_string(touch.access->begin) + " in space " +
             std::to_string(touch.access->space) + " that " + name(known[first.step]) +
             (first.access->write ? " writes" : " reads") + ", and may begin before that is done");
    }
    open.push_back(touch);
  }
}

}  // namespace presil::plan
