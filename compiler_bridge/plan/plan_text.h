// A layout, a plan and a schedule as text: for `presil inspect --stage` and golden tests.
#pragma once

#include <string>

#include "compiler_bridge/plan/plan.h"
#include "compiler_bridge/plan/schedule.h"

namespace presil::plan {

/// Layers by step; blocked buffers and linear buffers with their tensors, bytes and lifetimes;
/// loads.
std::string layout_text(const ir::Graph& graph, const Layout& layout);

/// By step: how its layer is cut, and its buffers; then what stays where.
std::string tiles_text(const Layout& layout, const Plan& plan);

/// Commands in the order in which they are written down: queue, number, layer and tile, and the
/// bytes that each reads and writes.
std::string schedule_text(const Layout& layout, const Schedule& schedule);

}  // namespace presil::plan
