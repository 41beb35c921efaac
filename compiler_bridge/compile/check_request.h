// What is refused before anything is compiled.
#pragma once

#include "compiler_bridge/compile/compile.h"

namespace presil::compile {

/// Refuses (presil::Refusal) a SoC that cannot be, engines that are not loaded, outputs that
/// nothing would write, and options that there are not.
void check_request(const ir::Graph& imported, const SocConfig& config,
                   const CompileOptions& options);

}  // namespace presil::compile
