// What an engine says of the last op of a graph in text.
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "compiler_bridge/ir/text.h"
#include "compiler_bridge/placement/explain.h"
#include "compiler_bridge/rules/rules.h"

namespace presil::rules {

/// What is said against the last op of the graph; "" if the engine takes it.
inline std::string sentence(Engine engine, const std::string& lines,
                            ir::Numerics numerics = ir::Numerics::kTflite) {
  ir::Graph graph = ir::parse("graph \"g\" tflite {\n" + lines + "\n}");
  graph.numerics = numerics;
  ir::verify(graph);
  const Verdict verdict = take(engine, graph, graph.ops.back(), SocConfig{});
  return verdict.yes() ? "" : placement::line(verdict);
}
inline std::string dla(const std::string& lines, ir::Numerics numerics = ir::Numerics::kTflite) {
  return sentence(Engine::kDla, lines, numerics);
}
inline std::string host(const std::string& lines) {
  return sentence(Engine::kHost, lines);
}

inline std::string int8(const std::vector<int>& shape, const std::string& q = "q(0.5, -3)") {
  std::string text = "int8[";
  for (size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(shape[i]);
  return text + "] " + q;
}

}  // namespace presil::rules
