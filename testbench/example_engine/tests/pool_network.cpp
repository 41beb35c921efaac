#include "pool_network.h"

#include "models/base/digest.h"

namespace presil::pool::test {
namespace {

constexpr uint32_t kTarget = 0x1000;

dma::Command copy(dma::Space from, dma::Space to, uint8_t region, uint64_t sram, uint32_t bytes) {
  dma::Command c = dma::Command::make(dma::Op::kCopy);
  c.src_space = from;
  c.dst_space = to;
  (from == dma::Space::kSystem ? c.src_region : c.dst_region) = region;
  (from == dma::Space::kSram ? c.src_base : c.dst_base) = sram;
  c.src_row_bytes = c.dst_row_bytes = bytes;
  c.signal_add = 1;
  return c;
}

}  // namespace

Command largest(uint8_t queue) {
  Command c = Command::make(Op::kMax);
  c.clamp_low = -128;
  c.clamp_high = 127;
  c.in_h = c.in_w = kIn;
  c.out_h = c.out_w = kOut;
  c.blocks = 1;
  c.kernel_h = c.kernel_w = c.stride_y = c.stride_x = 2;
  c.in_row_pitch = kIn * 16;
  c.in_block_pitch = kInBytes;
  c.out_base = kTarget;
  c.out_row_pitch = kOut * 16;
  c.out_block_pitch = kOutBytes;
  c.wait0 = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DMA0);
  c.wait0_value = 1;
  c.signal = static_cast<uint8_t>(PRESIL_QUEUE_COUNTER(queue));
  c.signal_add = 1;
  return c;
}

driver::LoadableMaker network_of(const Command& c, uint8_t queue, const SocConfig& config) {
  driver::LoadableMaker m;
  m.soc_sha256 = soc_sha256(config);
  m.soc_text = canonical_text(config);
  m.counters = static_cast<uint8_t>(PRESIL_QUEUE_COUNTER(queue));
  m.inputs = {{"image", {1, kIn, kIn, 16}, PRESIL_REGION_INPUTS, 0, kInBytes}};
  m.outputs = {{"half", {1, kOut, kOut, 16}, PRESIL_REGION_OUTPUTS, 0, kOutBytes}};
  dma::Command load =
      copy(dma::Space::kSystem, dma::Space::kSram, PRESIL_REGION_INPUTS, 0, kInBytes);
  load.signal = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DMA0);
  dma::Command store =
      copy(dma::Space::kSram, dma::Space::kSystem, PRESIL_REGION_OUTPUTS, kTarget, kOutBytes);
  store.wait0 = c.signal;
  store.wait0_value = 1;
  store.signal = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DMA1);
  m.dma[0] = {load};
  m.dma[1] = {store};
  std::vector<uint32_t> words(Command::kPitch / 4);
  c.encode(words.data());
  m.outside[queue] = {words};
  return m;
}

}  // namespace presil::pool::test
