// What presil says when it does not take something: one paragraph that names the part that refuses,
// what was got, what is required and what to do next. Everything above the driver throws it; the
// command line prints it and ends with exit code 2.
#pragma once

#include <stdexcept>
#include <string>

namespace presil {

class Refusal : public std::runtime_error {
 public:
  /// @param component  the part that refuses, one word as in the room's name, e.g. "import"
  /// @param what got, required and what next, in sentences
  Refusal(const std::string& component, const std::string& what)
      : std::runtime_error(component + ": " + what) {}
};

}  // namespace presil
