// example_block model|rtl BYTES [FOLDER]: a histogram of random bytes on a SoC in which the user's
// block is the C++ model, or the Verilog. Prints the counters' digest and the cycles: the same
// lines mean the same values in the same cycles. FOLDER gets a waveform of the Verilog, user.fst.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <systemc>

#include "models/base/digest.h"
#include "models/base/refusal.h"
#include "sim/platform/soc.h"
#include "sim/rtl/axi_block.h"
#include "testbench/example_block/histogram_driver.h"
#include "testbench/example_block/histogram_model.h"
#include "testbench/example_block/histogram_top.h"

namespace {

using namespace presil;

constexpr int kDiffers = 1, kRefused = 2, kHardware = 3;

std::unique_ptr<platform::Block> histogram_model(const platform::UserPlace& place) {
  return std::make_unique<example::HistogramModel>(place);
}

int run(const platform::UserMaker& block, uint32_t bytes, const std::string& waveforms) {
  platform::BlockKinds kinds;
  kinds.trace = {waveforms, 0, Timeline::kNever};
  platform::Soc soc(SocConfig{}, kinds, nullptr, block);  // this line registers the block
  const presil_port* port = soc.port();
  presil_memory source, counts;
  const size_t counts_bytes = sizeof(example::Histogram);
  if (port->alloc(port->self, bytes, 256, &source) != 0 ||
      port->alloc(port->self, counts_bytes, 256, &counts) != 0) {
    std::fprintf(stderr, "example_block: %u bytes are more than the memory has\n", bytes);
    return kRefused;
  }
  std::mt19937 random(bytes);
  auto* data = static_cast<uint8_t*>(source.host);
  for (uint32_t i = 0; i < bytes; ++i) data[i] = static_cast<uint8_t>(random() >> random() % 8);

  const histogram_result result = histogram_run(port, &source, bytes, &counts);
  if (result.error != nullptr) {
    std::fprintf(stderr, "example_block: %s\n", result.error);
    return kHardware;
  }
  example::Histogram expected{};
  example::count(expected, data, bytes);
  std::printf("counters sha256 %s\n", sha256(counts.host, counts_bytes).c_str());
  std::printf("cycles %u, doorbell to driver %llu ns\n", result.cycles,
              static_cast<unsigned long long>(result.ns));
  if (std::memcmp(expected.data(), counts.host, counts_bytes) == 0) return 0;
  std::fprintf(stderr, "example_block: the counters are wrong\n");
  return kDiffers;
}

}  // namespace

int sc_main(int argc, char** argv) try {
  const std::string kind = argc > 1 ? argv[1] : "";
  const long bytes = argc > 2 ? std::strtol(argv[2], nullptr, 10) : -1;
  if ((kind != "model" && kind != "rtl") || bytes < 0 || bytes % 16 != 0 || bytes > 1 << 28) {
    std::fprintf(stderr, "usage: example_block model|rtl BYTES [FOLDER], BYTES a multiple of 16\n");
    return kRefused;
  }
  return run(kind == "rtl" ? rtl::user_rtl(example::make_histogram_top) : histogram_model,
             static_cast<uint32_t>(bytes), argc > 3 ? argv[3] : "");
} catch (const Refusal& refusal) {
  std::fprintf(stderr, "example_block: %s\n", refusal.what());
  return kRefused;
}
