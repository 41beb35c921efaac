#include "sim/python/soc_info.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "models/base/digest.h"
#include "models/soc/soc_config.h"
#include "sim/python/engine_info.h"
#include "sim/socs/soc_file.h"

namespace py = pybind11;

namespace presil::python {
namespace {

/// "dla.macs_k=16\n..." as {"dla.macs_k": 16.0, ...}
py::dict config_dict(const SocConfig& config) {
  py::dict d;
  const std::string text = presil::canonical_text(config);
  for (size_t at = 0; at < text.size();) {
    const size_t equals = text.find('=', at);
    const size_t end = text.find('\n', at);
    const std::string value = text.substr(equals + 1, end - equals - 1);
    const py::str name(text.substr(at, equals - at));
    char* rest = nullptr;
    const double number = std::strtod(value.c_str(), &rest);
    const auto whole = static_cast<int64_t>(number);
    if (*rest != '\0')  // one of several names
      d[name] = value;
    else if (static_cast<double>(whole) == number)
      d[name] = whole;
    else
      d[name] = number;
    at = end + 1;
  }
  return d;
}

/// What people read: the name, and, where load_soc has set it, the parameters that differ.
py::object soc_label(const py::object& soc) {
  return soc.attr("__dict__").attr("get")("_label", soc.attr("name"));
}

}  // namespace

void bind_soc(py::module_& m) {
  py::class_<SocConfig>(m, "Soc", py::dynamic_attr())
      .def_readonly("name", &SocConfig::name)
      .def_property("label", soc_label,
                    [](const py::object& soc, const std::string& label) {
                      soc.attr("__dict__")["_label"] = label;
                    })
      .def_property_readonly("tiles", &presil::tiles_of)
      .def(
          "tile",
          [](const py::object& soc, unsigned number) {
            const auto& config = soc.cast<const SocConfig&>();
            if (number >= presil::tiles_of(config))
              throw py::index_error("soc: there is no tile " + std::to_string(number));
            py::object tile = py::cast(presil::tile_of(config, number));
            const auto label = soc_label(soc).cast<std::string>();
            const size_t name = std::min(label.find(' '), label.size());
            tile.attr("label") =
                tile.attr("name").cast<std::string>() + label.substr(name);  // and the parameters
            return tile;
          },
          py::arg("number"), "A tile as a SoC of its own.")
      .def_readonly("clock_mhz", &SocConfig::clock_mhz)
      .def_property_readonly("dma_channels", [](const SocConfig& c) { return c.dma.channels; })
      .def_property_readonly("macs_per_cycle",
                             [](const SocConfig& c) {
                               return c.dla.units * c.dla.macs_k * c.dla.macs_c / c.dla.cycles_step;
                             })
      .def_property_readonly(
          "array_macs",
          [](const SocConfig& c) { return c.dla.macs_k * c.dla.macs_c / c.dla.cycles_step; })
      .def_property_readonly("canonical_text",
                             [](const SocConfig& c) { return presil::canonical_text(c); })
      .def_property_readonly("complete_text",
                             [](const SocConfig& c) { return presil::complete_text(c); })
      .def_property_readonly("sha256", [](const SocConfig& c) { return presil::soc_sha256(c); })
      .def_property_readonly("config", config_dict);
  m.def("parse_soc", &presil::socs::parse_soc, py::arg("text"), py::arg("name"),
        py::arg("overrides") = std::vector<presil::socs::Override>{});
  m.def("parse_engines", &presil::socs::parse_engines, py::arg("text"));
  bind_engines(m);
}

}  // namespace presil::python
