#include "sim/python/decisions.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <vector>

#include "models/base/refusal.h"

namespace py = pybind11;

namespace presil::python {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Refusal("decisions", what);
}

void only(const py::dict& given, const std::vector<std::string>& known, const std::string& where) {
  for (const auto& [key, value] : given) {
    const auto name = py::str(key).cast<std::string>();
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::string all;
    for (const std::string& one : known) all += (all.empty() ? "" : ", ") + one;
    refuse(where + " has '" + name + "', expected: " + all);
  }
}

template <class Value>
Value value_of(const py::handle& given, const std::string& where, const char* expected) {
  try {
    return given.cast<Value>();
  } catch (const py::cast_error&) {
    refuse(where + " is " + py::repr(given).cast<std::string>() + ", expected " + expected);
  }
}

plan::Tiling tiling_from(const py::dict& given, const std::string& layer) {
  only(given, {"rows", "columns", "blocks", "blocks_outer", "depth", "in_blocks"},
       "tilings: '" + layer + "'");
  plan::Tiling tiling;
  const auto whole = [&](const char* key, int& field) {
    if (!given.contains(key)) refuse("tilings: '" + layer + "' lacks " + key);
    field = value_of<int>(given[key], "tilings: '" + layer + "': " + key, "a whole number");
  };
  whole("rows", tiling.rows);
  whole("columns", tiling.columns);
  whole("blocks", tiling.blocks);
  whole("depth", tiling.depth);
  whole("in_blocks", tiling.in_blocks);
  int outer = 1;
  whole("blocks_outer", outer);
  tiling.blocks_outer = outer != 0;
  return tiling;
}

}  // namespace

plan::Decisions decisions_from(const py::dict& given) {
  only(given, {"prefetch", "tilings", "kept", "extents"}, "the value");
  plan::Decisions made;
  constexpr int kMostAhead = 256;
  if (given.contains("prefetch") && !given["prefetch"].is_none()) {
    made.prefetch = value_of<int>(given["prefetch"], "prefetch", "a whole number of layers");
    if (*made.prefetch < 0 || *made.prefetch > kMostAhead) {
      refuse("prefetch is " + std::to_string(*made.prefetch) + ", must be 0 to " +
             std::to_string(kMostAhead));
    }
  }
  if (given.contains("tilings")) {
    for (const auto& [name, one] : value_of<py::dict>(given["tilings"], "tilings", "a mapping")) {
      const auto layer = py::str(name).cast<std::string>();
      const auto parts = value_of<py::dict>(one, "tilings: '" + layer + "'", "a mapping");
      made.tilings[layer] = tiling_from(parts, layer);
    }
  }
  if (given.contains("kept")) {
    for (const auto& [name, one] : value_of<py::dict>(given["kept"], "kept", "a mapping")) {
      const auto buffer = py::str(name).cast<std::string>();
      if (!py::isinstance<py::bool_>(one)) {
        refuse("kept: '" + buffer + "' is " + py::repr(one).cast<std::string>() +
               ", expected true or false");
      }
      made.kept[buffer] = one.cast<bool>();
    }
  }
  return made;
}

py::dict decisions_dict(const plan::Decisions& decisions,
                        const std::map<std::string, plan::Extents>& extents) {
  py::dict d, tilings, kept, cut;
  d["prefetch"] = decisions.prefetch ? py::object(py::int_(*decisions.prefetch)) : py::none();
  for (const auto& [name, t] : decisions.tilings) {
    py::dict one;
    one["rows"] = t.rows, one["columns"] = t.columns, one["blocks"] = t.blocks;
    one["blocks_outer"] = t.blocks_outer, one["depth"] = t.depth, one["in_blocks"] = t.in_blocks;
    tilings[py::str(name)] = one;
  }
  for (const auto& [name, keep] : decisions.kept) kept[py::str(name)] = keep;
  for (const auto& [name, e] : extents) {
    py::dict one;
    one["rows"] = e.rows, one["columns"] = e.columns;
    one["blocks"] = e.blocks, one["in_blocks"] = e.in_blocks;
    cut[py::str(name)] = one;
  }
  d["tilings"] = tilings, d["kept"] = kept, d["extents"] = cut;
  return d;
}

}  // namespace presil::python
