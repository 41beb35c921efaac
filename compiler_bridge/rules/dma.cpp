// What only moves values, from memory to memory: commands of the DMA, each a row and four loops.
// Whether the host is faster at it is a question of cost, asked by `../compile`.
#include "compiler_bridge/common/moves.h"
#include "compiler_bridge/rules/rule.h"

namespace presil::rules {

Rule as_it_is() {
  return {"values as they are",
          [](const Subject& s) -> std::optional<Finding> {
            if (!common::moves_of(s.graph, s.op).empty()) return std::nullopt;
            return Finding{"y", ir::type_of(s.out()) + " with values of its own",
                           "a copy: inputs of its quantisation, no activation"};
          },
          "give all inputs the result's quantisation, and clamp after it"};
}

namespace {

Rule at_most_4_loops() {
  return within("loops around a row", 0, 4, "move it in two steps", [](const Subject& s) {
    size_t most = 0;
    for (const common::Move& move : common::moves_of(s.graph, s.op)) {
      most = std::max(most, move.loops.size());
    }
    return static_cast<int64_t>(most);
  });
}

}  // namespace

std::vector<Entry> dma_entries() {
  using K = ir::OpKind;
  std::vector<Entry> entries;
  for (const K kind :
       {K::kReshape, K::kConcat, K::kTranspose, K::kStridedSlice, K::kTile, K::kMirrorPad}) {
    entries.push_back({kind, "any", {as_it_is(), at_most_4_loops()}});
  }
  return entries;
}

}  // namespace presil::rules
