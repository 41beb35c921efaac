// What presil-sim does for one client: a SoC, one network on it, jobs through the driver. Messages
// are in README.md; each function answers one of them.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace presil::platform {

/// An answer that is no: `exit` is the command line's exit code (2 refused, 3 hardware, 70 defect).
class Failure : public std::runtime_error {
 public:
  Failure(int exit, const std::string& text, nlohmann::json detail = nullptr)
      : std::runtime_error(text), m_exit(exit), m_detail(std::move(detail)) {}
  int exit() const { return m_exit; }
  /// What a program can read of it besides the text; null for nothing.
  const nlohmann::json& detail() const { return m_detail; }

 private:
  int m_exit;
  nlohmann::json m_detail;
};

class Session {
 public:
  Session();
  ~Session();

  /// @throws Failure, Refusal
  nlohmann::json answer(const nlohmann::json& message);

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace presil::platform
