// What each stage of the compiler hands to the next, as text.
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/compile/compile.h"

namespace presil::compile {

/// In their order: "import", "passes", "placement", "layers", "layout", "tiles", "play",
/// "schedule", "streams".
const std::vector<std::string>& stage_names();

/// Compiles as far as the stage. Graphs, layers and streams can be read again: ir::parse,
/// layer::parse, emit::assemble. Refuses (presil::Refusal) what compile() refuses, and a stage that
/// does not exist.
std::string stage_text(const std::string& stage, const ir::Graph& imported, const SocConfig& config,
                       const CompileOptions& options = {});

/// The graph after each run of a pass that changed it, as ir::print writes it, each after a comment
/// with the number of the run; a comment alone where it changes nothing.
/// Refuses (presil::Refusal) a pass that does not exist.
std::string print_after(const std::string& pass, const ir::Graph& imported);

}  // namespace presil::compile
