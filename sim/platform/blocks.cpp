#include "sim/platform/blocks.h"

#include "rtl/soc/refusal.h"

namespace presil::platform {
namespace {

BlockKind kind_of(const std::string& block, const std::string& kind) {
  if (kind == "model") return BlockKind::kModel;
  if (kind == "rtl") return BlockKind::kRtl;
  if (kind == "lockstep") return BlockKind::kLockstep;
  throw Refusal("block", block + " is '" + kind + "', wants model, rtl or lockstep");
}

}  // namespace

void set_block(BlockKinds& kinds, const std::string& block, const std::string& kind) {
  const BlockKind wanted = kind_of(block, kind);
  if (block == "dla") {
    kinds.dla = wanted;
  } else if (wanted != BlockKind::kModel) {
    throw Refusal("block", block + " cannot be " + kind +
                               " yet: today dla can be model, rtl or lockstep, other blocks model");
  }
}

}  // namespace presil::platform
