// A callable held in place: what an event does. Moves, never allocates; 80 bytes are enough for a
// callback with the times of a burst, more is refused by the compiler.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace presil {

class Action {
 public:
  static constexpr size_t kBytes = 80;

  Action() = default;
  template <class F, class = std::enable_if_t<!std::is_same_v<std::decay_t<F>, Action>>>
  Action(F&& f) {  // NOLINT: implicit, so that a lambda is an action
    using Callable = std::decay_t<F>;
    static_assert(sizeof(Callable) <= kBytes, "an action captures too much");
    static_assert(alignof(Callable) <= alignof(std::max_align_t));
    new (m_bytes) Callable(std::forward<F>(f));
    m_call = [](void* self) { (*static_cast<Callable*>(self))(); };
    m_move = [](void* from, void* to) {
      if (to != nullptr) new (to) Callable(std::move(*static_cast<Callable*>(from)));
      static_cast<Callable*>(from)->~Callable();
    };
  }
  Action(Action&& other) noexcept { take(other); }
  Action& operator=(Action&& other) noexcept {
    if (this != &other) {
      drop();
      take(other);
    }
    return *this;
  }
  ~Action() { drop(); }

  void operator()() { m_call(m_bytes); }

 private:
  void take(Action& other) {
    m_call = other.m_call;
    m_move = other.m_move;
    if (m_move != nullptr) m_move(other.m_bytes, m_bytes);
    other.m_call = nullptr;
    other.m_move = nullptr;
  }
  void drop() {
    if (m_move != nullptr) m_move(m_bytes, nullptr);
    m_call = nullptr;
    m_move = nullptr;
  }

  alignas(std::max_align_t) unsigned char m_bytes[kBytes];
  void (*m_call)(void*) = nullptr;
  void (*m_move)(void* from, void* to) = nullptr;  // to == nullptr: destroy
};

}  // namespace presil
