// What is refused, by its text: a graph of one operator on inputs and constants of all sorts.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler_bridge/ir/text.h"
#include "models/base/refusal.h"

namespace presil::ir {

template <class Read>
inline std::string refusal(Read read) {
  try {
    read();
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "taken";
}

inline const char* const kHead = R"(graph "g" tflite {
  input %x : int8[1,4,4,8] q(0.5, 0)
  input %row : int8[1,6] q(0.5, 0)
  input %f : float32[5,6]
  const %w : int8[4,3,3,8] q(0.1, 0) = splat 1
  const %d : int8[1,3,3,8] q(0.1, 0) = splat 1
  const %m : int8[4,7] q(0.1, 0) = splat 1
  const %b : int32[3] = [1, 2, 3]
  const %s : float32[256] = splat 0.5
  const %t : int8[7] = splat 1
  input %u : int8[1,4,4,7] q(0.5, 0)
  input %box : int8[1,6,9] q(0.5, 0)
)";

inline std::string refusal_of(const std::string& line) {
  return refusal([&] { verify(parse(kHead + line + "\n}")); });
}

/// Every line is wrong in one thing; %y's own shape does not matter where the inputs are refused.
struct Line {
  const char* graph;
  const char* text;
};

}  // namespace presil::ir
