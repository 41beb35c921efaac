// The native half of the Python package: importer, compiler, reference interpreter, descriptions.
// Simulation never happens here: presil-sim does it in a process of its own.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdlib>

#include "compiler_bridge/compile/compile.h"
#include "compiler_bridge/compile/stages.h"
#include "compiler_bridge/compile/verify_passes.h"
#include "compiler_bridge/import/format.h"
#include "compiler_bridge/import/onnx.h"
#include "compiler_bridge/import/post.h"
#include "compiler_bridge/import/tflite.h"
#include "compiler_bridge/import/tosa.h"
#include "compiler_bridge/ir/binary.h"
#include "compiler_bridge/ir/count.h"
#include "compiler_bridge/ir/text.h"
#include "compiler_bridge/ir/with_batch.h"
#include "compiler_bridge/ir/with_states.h"
#include "compiler_bridge/partition/name.h"
#include "compiler_bridge/rules/rules.h"
#include "models/base/refusal.h"
#include "sim/python/arrays.h"
#include "sim/python/command_waits.h"
#include "sim/python/decisions.h"
#include "sim/python/graph_builder.h"
#include "sim/python/loadable_info.h"
#include "sim/python/soc_info.h"
#include "sim/python/told.h"
#include "sim/python/user_kernels.h"

namespace py = pybind11;
using presil::Refusal;
using presil::SocConfig;
namespace ir = presil::ir;

namespace {

py::list tensor_list(const ir::Graph& graph, const std::vector<ir::TensorId>& ids) {
  py::list list;
  for (const ir::TensorId id : ids) {
    list.append(presil::python::tensor_dict(graph.tensor(id)));
  }
  return list;
}

ir::Numerics numerics_of(const std::string& name) {
  for (const auto numerics :
       {ir::Numerics::kTflite, ir::Numerics::kXnnpack, ir::Numerics::kTosa, ir::Numerics::kOnnx}) {
    if (name == ir::to_string(numerics)) return numerics;
  }
  throw Refusal("numerics", "got '" + name + "', expected tflite, xnnpack, tosa or onnx");
}

/// Some operators have rules of one kind only; a refusal leaves the graph as it was.
void set_numerics(ir::Graph& graph, ir::Numerics numerics) {
  const ir::Numerics before = graph.numerics;
  graph.numerics = numerics;
  try {
    ir::verify(graph);
  } catch (const Refusal&) {
    graph.numerics = before;
    throw;
  }
}

std::vector<presil::reference::TensorValue> values_of(const ir::Graph& graph,
                                                      const std::vector<py::array>& arrays) {
  if (arrays.size() != graph.inputs.size()) {
    throw Refusal("input", "got " + std::to_string(arrays.size()) + " arrays, expected " +
                               std::to_string(graph.inputs.size()));
  }
  std::vector<presil::reference::TensorValue> values;
  for (size_t i = 0; i < arrays.size(); ++i) {
    values.push_back(presil::python::to_value(arrays[i], graph.tensor(graph.inputs[i])));
  }
  return values;
}

/// bytes, or a memoryview of some, for as long as they are read.
class Held {
 public:
  explicit Held(const py::buffer& bytes) {
    if (PyObject_GetBuffer(bytes.ptr(), &m_buffer, PyBUF_SIMPLE) != 0)
      throw py::error_already_set();
  }
  ~Held() { PyBuffer_Release(&m_buffer); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  presil::python::ByteView view() const {
    return {static_cast<const uint8_t*>(m_buffer.buf), static_cast<size_t>(m_buffer.len)};
  }

 private:
  Py_buffer m_buffer;
};

/// Long work without Python's lock: other threads go on, and the one that hears Ctrl-C is one.
template <class Work>
auto unlocked(Work work) {
  const py::gil_scoped_release release;
  return work();
}

py::list arrays_of(const std::vector<presil::reference::TensorValue>& values) {
  py::list list;
  for (const auto& value : values) list.append(presil::python::to_array(value));
  return list;
}

using Interpreter = std::vector<presil::reference::TensorValue> (*)(
    const ir::Graph&, const std::vector<presil::reference::TensorValue>&,
    const presil::reference::CustomOperator&);

py::list interpret(Interpreter run, const ir::Graph& graph, const std::vector<py::array>& arrays,
                   const py::object& custom_function) {
  const auto inputs = values_of(graph, arrays);
  const auto custom = presil::python::custom_operator(custom_function);
  std::vector<presil::reference::TensorValue> results;
  {
    py::gil_scoped_release release;
    results = run(graph, inputs, custom);
  }
  return arrays_of(results);
}

/// Operators whose time follows the data: what a candidate is, and in which tensors they lie.
py::list data_dependent(const ir::Graph& g) {
  py::list list;
  for (const ir::Op& op : g.ops) {
    py::dict d;
    if (op.kind == ir::OpKind::kNms) {
      const auto& nms = op.as<ir::Nms>();
      d["score"] = nms.score, d["iou"] = nms.iou, d["max"] = nms.max;
      d["labelled"] = nms.labelled;
      d["tables"] = op.inputs;
    } else if (op.kind == ir::OpKind::kDetectionPostProcess) {
      const auto& detection = op.as<ir::DetectionPostProcess>();
      d["score"] = detection.score, d["iou"] = detection.iou, d["max"] = detection.max;
      d["regular"] = detection.regular, d["classes"] = detection.classes;
      d["tables"] = std::vector<ir::TensorId>{op.input(1)};
    } else {
      continue;
    }
    d["op"] = ir::to_string(op.kind);
    d["count"] = op.outputs.back();
    py::list tensors;
    for (const auto id : py::cast<std::vector<ir::TensorId>>(d["tables"])) {
      tensors.append(presil::python::tensor_dict(g.tensor(id)));
    }
    d["tensors"] = tensors;
    list.append(d);
  }
  return list;
}

void bind_graph(py::module_& m) {
  py::class_<ir::Graph>(m, "Graph")
      .def_readonly("name", &ir::Graph::name)
      .def_property(
          "numerics", [](const ir::Graph& g) { return ir::to_string(g.numerics); },
          [](ir::Graph& g, const std::string& name) { set_numerics(g, numerics_of(name)); })
      .def_property_readonly("inputs", [](const ir::Graph& g) { return tensor_list(g, g.inputs); })
      .def_property_readonly("outputs",
                             [](const ir::Graph& g) { return tensor_list(g, g.outputs); })
      .def_readonly("output_ids", &ir::Graph::outputs)
      .def_property_readonly("ops",
                             [](const ir::Graph& g) {
                               py::list ops;
                               for (const ir::Op& op : g.ops) {
                                 ops.append(presil::python::op_dict(g, op));
                               }
                               return ops;
                             })
      .def_readonly("input_ids", &ir::Graph::inputs)
      .def_property_readonly("data_dependent", data_dependent)
      .def_property_readonly("macs", [](const ir::Graph& g) { return ir::macs(g); })
      .def_property_readonly("params", [](const ir::Graph& g) { return ir::parameters(g); })
      .def("with_batch", ir::with_batch, py::arg("images"))
      .def("with_states", ir::with_states)
      .def_property_readonly("states",
                             [](const ir::Graph& g) {
                               std::vector<std::pair<ir::TensorId, ir::TensorId>> pairs;
                               for (const ir::State& s : g.states)
                                 pairs.emplace_back(s.before, s.after);
                               return pairs;
                             })
      .def(
          "text",
          [](const ir::Graph& g, bool payload) {
            ir::PrintOptions options;
            options.payload = payload;
            return ir::print(g, options);
          },
          py::arg("payload") = false)
      .def("readable",
           [](const ir::Graph& g) {
             ir::PrintOptions options;
             options.payload = false;
             options.names = presil::partition::short_names(g, g);
             return ir::print(g, options);
           })
      .def("to_bytes",
           [](const ir::Graph& g) {
             const std::vector<uint8_t> bytes = ir::to_bytes(g);
             return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
           })
      .def("attach_post", [](ir::Graph& g, const std::string& yaml) {
        return presil::import::attach_post(g, yaml);
      });
  m.def(
      "import_tflite",
      [](const py::buffer& bytes, const std::string& name, const py::dict& customs) {
        const Held held(bytes);
        const auto operators = presil::python::custom_operators(customs);
        const auto work = [&] {
          return presil::import::import_tflite(held.view().data, held.view().size, name, operators);
        };
        return operators.empty() ? unlocked(work) : work();  // they call Python
      },
      py::arg("bytes"), py::arg("name"), py::arg("customs") = py::dict());
  m.def(
      "import_onnx",
      [](const py::buffer& bytes, const std::string& name, const std::string& folder) {
        const Held held(bytes);
        return unlocked([&] {
          return presil::import::import_onnx(held.view().data, held.view().size, name, folder);
        });
      },
      py::arg("bytes"), py::arg("name"), py::arg("folder") = "");
  m.def(
      "import_network",
      [](const py::buffer& bytes, const std::string& name, const std::string& extension,
         const std::string& folder, const py::dict& customs, bool signed_inputs) {
        const Held held(bytes);
        const presil::import::Source source = {
            held.view().data, held.view().size, name,
            extension,        folder,           presil::python::custom_operators(customs),
            signed_inputs};
        const auto work = [&] { return presil::import::import_network(source); };
        return source.customs.empty() ? unlocked(work) : work();  // they call Python
      },
      py::arg("bytes"), py::arg("name"), py::arg("extension") = "", py::arg("folder") = "",
      py::arg("customs") = py::dict(), py::arg("signed_inputs") = false);
  m.def(
      "format_of",
      [](const py::buffer& bytes, const std::string& extension) {
        const Held held(bytes);
        const presil::import::Format* format =
            presil::import::format_of({held.view().data, held.view().size, "", extension, "", {}});
        return std::string(format == nullptr ? "" : format->name);
      },
      py::arg("bytes"), py::arg("extension") = "");
  m.def("onnx_operators", &presil::import::onnx_operators);
  m.def("tosa_operators", &presil::import::tosa_operators);
  m.def(
      "graph_of_bytes",
      [](const py::buffer& bytes) {
        const Held held(bytes);
        ir::Graph graph = ir::from_bytes(held.view().data, held.view().size);
        ir::verify(graph);
        return graph;
      },
      py::arg("bytes"));
  m.def("parse_graph", [](const std::string& text) {
    ir::Graph graph = ir::parse(text);
    ir::verify(graph);
    return graph;
  });
  m.def(
      "reference",
      [](const ir::Graph& g, const std::vector<py::array>& inputs, const py::object& custom) {
        return interpret(presil::reference::run, g, inputs, custom);
      },
      py::arg("graph"), py::arg("inputs"), py::arg("custom") = py::none());
  m.def(
      "reference_all",
      [](const ir::Graph& g, const std::vector<py::array>& inputs, const py::object& custom) {
        return interpret(presil::reference::run_all, g, inputs, custom);
      },
      py::arg("graph"), py::arg("inputs"), py::arg("custom") = py::none());
}

py::dict passes_dict(const presil::compile::VerifiedPasses& verified) {
  py::dict d;
  py::list applied;
  for (const auto& run : verified.applied) applied.append(py::make_tuple(run.pass, run.rewrites));
  d["applied"] = applied;
  d["compared"] = verified.compared;
  d["broken"] = py::none();
  if (!verified.broken) return d;
  const presil::compile::BrokenPass& broken = *verified.broken;
  py::dict b;
  b["pass"] = broken.pass;
  b["run"] = broken.run;
  b["sentence"] = broken.sentence;
  b["tensor"] = broken.tensor;
  b["name"] = broken.name;
  b["index"] = broken.index;
  b["before"] = broken.before;
  b["after"] = broken.after;
  d["broken"] = b;
  return d;
}

using presil::compile::CompileOptions;
using UserKernels = std::vector<presil::partition::UserKernel>;
using KernelVerdicts = std::map<int, std::vector<presil::placement::Verdict>>;

CompileOptions compile_options(bool fallback, bool by_host, const UserKernels& kernels,
                               const KernelVerdicts& verdicts, int effort) {
  CompileOptions options;
  options.fallback = fallback;
  options.kernels = kernels;
  options.kernel_verdicts = verdicts;
  options.dispatch = by_host ? presil::plan::Dispatch::kHost : presil::plan::Dispatch::kSync;
  options.effort = effort;
  return options;
}

void bind_compiler(py::module_& m) {
  using presil::compile::Compiled;
  py::class_<Compiled>(m, "Compiled", py::buffer_protocol())
      .def_buffer([](Compiled& c) {  // the loadable's bytes
        return py::buffer_info(static_cast<const uint8_t*>(c.loadable.data()),
                               static_cast<py::ssize_t>(c.loadable.size()));
      })
      .def_readonly("estimate", &Compiled::estimate)
      .def_readonly("work", &Compiled::work)
      .def_property_readonly("decisions", [](const Compiled& c) {
        return presil::python::decisions_dict(c.decisions, c.extents);
      });
  m.def(
      "compile",
      [](const ir::Graph& graph, const SocConfig& soc, bool strip, bool fallback, bool by_host,
         const UserKernels& kernels, const KernelVerdicts& verdicts, int effort,
         const py::object& progress, bool overlaps, uint64_t sram_bytes, const py::dict& decisions,
         const std::vector<std::string>& without) {
        CompileOptions options = compile_options(fallback, by_host, kernels, verdicts, effort);
        options.overlaps = overlaps;
        options.sram_bytes = sram_bytes;
        options.progress = presil::python::told_now_and_then(progress);
        options.strip = strip;
        options.decisions = presil::python::decisions_from(decisions);
        for (const std::string& engine : without) {
          options.without.insert(presil::placement::engine_named(engine));
        }
        return unlocked([&] { return presil::compile::compile(graph, soc, options); });
      },
      py::arg("graph"), py::arg("soc"), py::arg("strip") = false, py::arg("fallback") = true,
      py::arg("by_host") = false, py::arg("kernels") = UserKernels{},
      py::arg("kernel_verdicts") = KernelVerdicts{}, py::arg("effort") = presil::plan::kUsualEffort,
      py::arg("progress") = py::none(), py::arg("overlaps") = false, py::arg("sram_bytes") = 0,
      py::arg("decisions") = py::dict(), py::arg("without") = std::vector<std::string>{});
  m.def("stage_names", &presil::compile::stage_names);
  m.def(
      "stage_text",
      [](const std::string& stage, const ir::Graph& graph, const SocConfig& soc, bool fallback,
         bool by_host, const UserKernels& kernels, const KernelVerdicts& verdicts, int effort) {
        const CompileOptions options =
            compile_options(fallback, by_host, kernels, verdicts, effort);
        return unlocked([&] { return presil::compile::stage_text(stage, graph, soc, options); });
      },
      py::arg("stage"), py::arg("graph"), py::arg("soc"), py::arg("fallback"), py::arg("by_host"),
      py::arg("kernels"), py::arg("kernel_verdicts"), py::arg("effort"));
  m.def("print_after", [](const std::string& pass, const ir::Graph& graph) {
    return unlocked([&] { return presil::compile::print_after(pass, graph); });
  });
  m.def(
      "verify_passes",
      [](const ir::Graph& graph, const std::vector<py::array>& arrays, const py::object& function) {
        const auto inputs = values_of(graph, arrays);
        const auto custom = presil::python::custom_operator(function);
        py::gil_scoped_release release;
        const presil::compile::VerifiedPasses verified = presil::compile::verify_passes(
            graph, inputs, presil::passes::standard_passes(), custom);
        py::gil_scoped_acquire acquire;
        return passes_dict(verified);
      },
      py::arg("graph"), py::arg("inputs"), py::arg("custom") = py::none());
  m.def("ops", [] {
    py::list rows;
    for (const auto& support : presil::rules::support_table()) {
      py::dict row;
      row["op"] = support.op;
      row["engine"] = support.engine;
      row["dtypes"] = py::str(support.dtypes).attr("split")(", ");
      row["limits"] = support.limits;
      row["changes"] = support.remedies;
      row["kernels"] = support.kernels;
      rows.append(row);
    }
    return rows;
  });
}

void bind_loadable(py::module_& m) {
  namespace python = presil::python;
  m.def("dla_alone", [](const py::buffer& bytes, const SocConfig& soc) {
    return python::dla_alone(Held(bytes).view(), soc.dla);
  });
  m.def("command_waits", [](const py::buffer& b) {
    const Held held(b);
    return unlocked([&] { return python::command_waits(held.view()); });
  });
  m.def("stream_text", [](const py::buffer& b) {
    const Held held(b);
    return unlocked([&] { return python::stream_text(held.view()); });
  });
  m.def("memory_map", [](const py::buffer& b) {
    const Held held(b);
    return unlocked([&] { return python::memory_map(held.view()); });
  });
  m.def("assemble", [](const std::string& text, const py::buffer& bytes) {
    return python::assemble(text, Held(bytes).view());
  });
  m.def("check_memory", [](const py::buffer& b) { return python::check_memory(Held(b).view()); });
  m.def("loadable_info", [](const py::buffer& b) { return python::loadable_info(Held(b).view()); });
  m.def("loadable_graph",
        [](const py::buffer& b) { return python::loadable_graph(Held(b).view()); });
}

}  // namespace

PYBIND11_MODULE(_presil, m) {
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Refusal& refusal) {
      PyErr_SetString(py::module_::import("presil.refusal").attr("Refusal").ptr(), refusal.what());
    }
  });
  bind_graph(m);
  presil::python::bind_graph_builder(m);
  presil::python::bind_soc(m);
  presil::python::bind_user_kernels(m);
  bind_compiler(m);
  bind_loadable(m);
}
