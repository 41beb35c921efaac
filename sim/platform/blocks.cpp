#include "sim/platform/blocks.h"

#include "models/base/refusal.h"
#include "sim/engine/loaded_engines.h"

namespace presil::platform {
namespace {

BlockKind kind_of(const std::string& block, const std::string& kind) {
  if (kind == "model") return BlockKind::kModel;
  if (kind == "rtl") return BlockKind::kRtl;
  if (kind == "lockstep") return BlockKind::kLockstep;
  throw Refusal("block", block + " is '" + kind + "', must be model, rtl or lockstep");
}

}  // namespace

void set_block(BlockKinds& kinds, const std::string& block, const std::string& kind) {
  const struct {
    const char* name;
    BlockKind& kind;
  } blocks[] = {{"dla", kinds.dla}, {"dma", kinds.dma}, {"sync", kinds.sync}};
  for (const auto& known : blocks) {
    if (block != known.name) continue;
    known.kind = kind_of(block, kind);
    return;
  }
  if (loaded_engine(block) != nullptr) {
    kinds.outside[block] = kind_of(block, kind);
    return;
  }
  throw Refusal("block", "the SoC has no '" + block + "': it has dla, dma and sync");
}

std::unique_ptr<Block> RtlMaker::outside(const EngineBlockPlace& place, BlockKind) const {
  throw Refusal("block", std::string(place.library.description().name) +
                             " in RTL: this simulator has no RTL of an engine from outside; take "
                             "its model");
}

}  // namespace presil::platform
