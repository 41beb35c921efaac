// Decisions of the planner as dictionaries of Python.
#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <string>

#include "compiler_bridge/plan/decisions.h"
#include "compiler_bridge/plan/dla_extents.h"

namespace presil::python {

/// {"prefetch": n or None, "tilings": {layer: {"rows": ..}}, "kept": {buffer: bool}}; keys may be
/// missing. Refuses (presil::Refusal) others, and values of another type.
plan::Decisions decisions_from(const pybind11::dict& given);

/// The same of a plan, and "extents": what each layer's tilings cut.
pybind11::dict decisions_dict(const plan::Decisions& decisions,
                              const std::map<std::string, plan::Extents>& extents);

}  // namespace presil::python
