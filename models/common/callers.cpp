#include "models/common/callers.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <new>

#include "models/common/timekeeper.h"

namespace presil {
namespace {

constexpr size_t kStackBytes = 4u << 20;  // pages come into being when they are touched
constexpr size_t kGuardBytes = 64u << 10;

}  // namespace

/// With a guard below: what goes beyond it ends the process.
class Callers::Stack {
 public:
  Stack()
      : m_map(mmap(nullptr, kGuardBytes + kStackBytes, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    if (m_map == MAP_FAILED) throw std::bad_alloc();
    if (mprotect(begin(), kStackBytes, PROT_READ | PROT_WRITE) != 0) {
      munmap(m_map, kGuardBytes + kStackBytes);
      throw std::bad_alloc();
    }
  }
  ~Stack() { munmap(m_map, kGuardBytes + kStackBytes); }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  void* begin() const { return static_cast<char*>(m_map) + kGuardBytes; }

 private:
  void* m_map;
};

struct Callers::Caller {
  enum class State : uint8_t { kPasses, kSleeps, kEnded };

  unsigned number = 0;
  std::function<void()> body;
  State state = State::kPasses;
  Cycle wake = 0;     ///< it goes on then, before what is due in that cycle
  bool dead = false;  ///< it sleeps no longer, for nothing can wake it
  std::exception_ptr thrown;
  ucontext_t context{};
  std::unique_ptr<Stack> stack;
};

Callers::Callers(Timekeeper& keeper) : m_keeper(keeper), m_main(std::make_unique<Caller>()) {}
Callers::~Callers() = default;

unsigned Callers::current() const {
  return m_current == nullptr ? 0 : m_current->number;
}

// makecontext passes ints alone.
void Callers::enter(unsigned high, unsigned low) {
  auto& self = *reinterpret_cast<Callers*>(uintptr_t{high} << 32 | low);
  Caller& caller = *self.m_current;
  try {
    caller.body();
  } catch (...) {
    caller.thrown = std::current_exception();
  }
  caller.state = Caller::State::kEnded;
  self.yield();
}

void Callers::run(std::vector<std::function<void()>> bodies) {
  const auto self = reinterpret_cast<uintptr_t>(this);
  m_callers.clear();
  for (std::function<void()>& body : bodies) {
    auto caller = std::make_unique<Caller>();
    caller->number = static_cast<unsigned>(m_callers.size());
    caller->body = std::move(body);
    caller->wake = m_keeper.cycle();
    caller->stack = std::make_unique<Stack>();
    getcontext(&caller->context);
    caller->context.uc_stack.ss_sp = caller->stack->begin();
    caller->context.uc_stack.ss_size = kStackBytes;
    caller->context.uc_link = nullptr;
    makecontext(&caller->context, reinterpret_cast<void (*)()>(&Callers::enter), 2,
                static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
    m_callers.push_back(std::move(caller));
  }
  m_keeper.set_callers(this);
  let_time_pass();
  m_keeper.set_callers(nullptr);
  std::exception_ptr thrown;
  for (const auto& caller : m_callers) {
    if (caller->thrown && !thrown) thrown = caller->thrown;
  }
  m_callers.clear();
  if (thrown) std::rethrow_exception(thrown);
}

void Callers::let_time_pass() {
  for (;;) {
    Caller* next = nullptr;
    bool sleep = true;  // all of them
    for (const auto& caller : m_callers) {
      if (caller->state == Caller::State::kEnded) continue;
      sleep = sleep && caller->state == Caller::State::kSleeps;
      if (next == nullptr || caller->wake < next->wake) next = caller.get();
    }
    if (next == nullptr) return;
    if (sleep && !m_keeper.anything_left()) {
      next->dead = true;  // the others are asked when it has gone on
    } else if (next->wake > m_keeper.cycle()) {
      m_keeper.run_for_callers(next->wake);
      if (next->wake > m_keeper.cycle()) continue;  // another was stopped before, or all is over
    }
    resume(*next);
  }
}

void Callers::resume(Caller& caller) {
  m_current = &caller;
  swapcontext(&m_main->context, &caller.context);
  m_current = nullptr;
}

void Callers::yield() {
  swapcontext(&m_current->context, &m_main->context);
}

void Callers::pass(Cycle cycles) {
  if (cycles <= 0) return;
  m_current->state = Caller::State::kPasses;
  m_current->wake = m_keeper.cycle() + cycles;
  yield();
}

void Callers::run_before(Cycle end) {
  m_current->state = Caller::State::kSleeps;
  m_current->wake = end;
  m_current->dead = false;
  yield();
  m_current->state = Caller::State::kPasses;
}

void Callers::stop(unsigned caller) {
  m_callers.at(caller)->wake = m_keeper.cycle();
}

bool Callers::pending() const {
  return !m_current->dead;
}

}  // namespace presil
