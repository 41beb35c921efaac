// What presil says when it does not take something: one paragraph that names the part that refuses,
// what was got, what is required and what to do next. Everything above the driver throws it; the
// command line prints it and ends with exit code 2.
#pragma once

#include <stdexcept>
#include <string>

namespace presil {

/// While it lives, refusals of its thread begin with what they are found in the course of, so that
/// none has to be caught and thrown again for that. The outer of two comes first.
class RefusalContext {
 public:
  /// @param component, what  as of a Refusal; what ends without a colon
  RefusalContext(const std::string& component, const std::string& what)
      : m_words(component + ": " + what + ": "), m_outer(innermost()) {
    innermost() = this;
  }
  ~RefusalContext() { innermost() = m_outer; }
  RefusalContext(const RefusalContext&) = delete;
  RefusalContext& operator=(const RefusalContext&) = delete;

  /// Of all that live now.
  static std::string words() {
    std::string all;
    for (const RefusalContext* one = innermost(); one != nullptr; one = one->m_outer) {
      all.insert(0, one->m_words);
    }
    return all;
  }

 private:
  static const RefusalContext*& innermost() {
    static thread_local const RefusalContext* context = nullptr;
    return context;
  }

  std::string m_words;
  const RefusalContext* m_outer;
};

class Refusal : public std::runtime_error {
 public:
  /// @param component  the part that refuses, one word as in the room's name, e.g. "import"
  /// @param what got, required and what next, in sentences
  Refusal(const std::string& component, const std::string& what)
      : std::runtime_error(RefusalContext::words() + component + ": " + what) {}
};

}  // namespace presil
