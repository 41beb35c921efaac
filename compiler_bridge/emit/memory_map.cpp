#include "compiler_bridge/emit/memory_map.h"

#include <algorithm>
#include <cstdio>

namespace presil::emit {
namespace {

struct Line {
  uint64_t begin = 0, end = 0;
  int first = 0, last = 0;
  std::string what;
};

std::string text_of(const Line& line) {
  char text[96];
  std::snprintf(text, sizeof text, "  0x%06llx .. 0x%06llx  %9llu B  steps %3d .. %3d  ",
                static_cast<unsigned long long>(line.begin),
                static_cast<unsigned long long>(line.end - 1),
                static_cast<unsigned long long>(line.end - line.begin), line.first, line.last);
  return text + line.what + "\n";
}

std::string print(std::vector<Line> lines) {
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.first < b.first;
  });
  std::string text;
  for (const Line& line : lines) text += text_of(line);
  return text;
}

}  // namespace

std::string memory_map(const ir::Graph& graph, const plan::Layout& layout, const plan::Plan& plan,
                       const std::vector<SramUse>& uses, const SocConfig& config) {
  std::vector<Line> sram, scratch, inputs, outputs;
  for (const SramUse& use : uses) {
    sram.push_back({use.begin, use.end, use.first, use.last, use.what});
  }
  for (size_t i = 0; i < layout.storages.size(); ++i) {
    const plan::Storage& s = layout.storages[i];
    const plan::KeptStorage& k = plan.storages[i];
    if (k.keep != plan::Keep::kTiles) continue;
    scratch.push_back(
        {k.offset, k.offset + s.bytes(), s.first, s.last, "tensor " + names_of(graph, s.tensors)});
  }
  for (size_t i = 0; i < layout.flats.size(); ++i) {
    const plan::Flat& f = layout.flats[i];
    const uint64_t at = plan.flat_offsets[i];
    const Line line{at, at + f.bytes, f.first, f.last, "tensor " + names_of(graph, f.tensors)};
    if (f.region == PRESIL_REGION_SCRATCH) scratch.push_back(line);
    if (f.region == PRESIL_REGION_INPUTS) inputs.push_back(line);
    if (f.region == PRESIL_REGION_OUTPUTS) outputs.push_back(line);
  }
  return "sram: " + std::to_string(plan.placing.peak) + " of " + std::to_string(config.sram.bytes) +
         " bytes\n" + print(sram) + "inputs: " + std::to_string(layout.input_bytes) + " bytes\n" +
         print(inputs) + "outputs: " + std::to_string(layout.output_bytes) + " bytes\n" +
         print(outputs) + "scratch: " + std::to_string(plan.scratch_bytes) + " bytes\n" +
         print(scratch);
}

}  // namespace presil::emit
