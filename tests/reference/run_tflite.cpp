// run_tflite FILE RULES: imports a network, reads its inputs from stdin one after another as raw
// bytes, runs the reference interpreter, writes the outputs to stdout likewise. For live_oracle.py.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "compiler_bridge/import/tflite.h"
#include "compiler_bridge/reference/reference.h"
#include "rtl/soc/refusal.h"

int main(int argc, char** argv) {
  using namespace presil;
  if (argc != 3) {
    std::fprintf(stderr, "run_tflite: wants FILE and tflite or xnnpack\n");
    return 2;
  }
  try {
    std::ifstream in(argv[1], std::ios::binary);
    const ir::Bytes bytes(std::istreambuf_iterator<char>(in), {});
    ir::Graph graph = import::import_tflite(bytes, argv[1]);
    graph.numerics =
        std::string(argv[2]) == "xnnpack" ? ir::Numerics::kXnnpack : ir::Numerics::kTflite;
    std::vector<reference::TensorValue> inputs;
    for (const ir::TensorId id : graph.inputs) {
      const ir::Tensor& t = graph.tensor(id);
      inputs.push_back({t.dtype, t.shape, ir::Bytes(t.bytes())});
      if (std::fread(inputs.back().data.data(), 1, t.bytes(), stdin) != t.bytes()) {
        throw Refusal("run_tflite", "stdin ends inside input \"" + t.name + "\"");
      }
    }
    for (const auto& output : reference::run(graph, inputs)) {
      std::fwrite(output.data.data(), 1, output.data.size(), stdout);
    }
  } catch (const Refusal& refusal) {
    std::fprintf(stderr, "%s\n", refusal.what());
    return 2;
  }
  return 0;
}
