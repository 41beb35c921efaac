// The steps on a simulated SoC:
//   model|rtl LOADABLE INPUT EXPECTED      the driver in this process
//   serve NAME                             its port for another process
//   firmware HOST CORE ELF LOADABLE INPUT EXPECTED   the driver and the steps as firmware
#include "sim/platform/soc.h"

#include <presil/remote.h>

#include <cstring>
#include <systemc>

#include "models/base/digest.h"
#include "sim/host_cpu/host_cpu.h"
#include "tests/ports/files.h"

namespace {

using presil::SocConfig;
using presil::driver::PortFiles;
using presil::platform::BlockKinds;
using presil::platform::Soc;

BlockKinds kinds_of(const std::string& world) {
  BlockKinds kinds;
  if (world != "rtl") return kinds;
  for (const char* block : {"dla", "dma", "sync"}) presil::platform::set_block(kinds, block, "rtl");
  return kinds;
}

/// What the firmware is given lies at the end of its window.
int run_firmware(Soc& soc, char** argv) {
  presil::host_cpu::HostCpu& cpu = soc.host_cpu({argv[1], argv[2], argv[3]});
  const PortFiles files(argv + 4);
  cpu.start();
  presil_cpu_exchange& exchange = cpu.exchange();
  uint32_t end = cpu.window_bytes();
  const auto put = [&](const std::vector<uint8_t>& bytes) {
    end = (end - static_cast<uint32_t>(bytes.size())) & ~4095u;
    std::memcpy(cpu.window(end), bytes.data(), bytes.size());
    return PRESIL_CPU_WINDOW + end;
  };
  exchange.loadable = put(files.loadable);
  exchange.loadable_bytes = static_cast<uint32_t>(files.loadable.size());
  exchange.input[0].address = put(files.input);
  exchange.output[0].address = put(files.expected);
  exchange.window_bytes = end;
  exchange.cycles_per_us = SocConfig{}.clock_mhz;
  exchange.timeout_ns = 10'000'000'000;
  const std::string stamp = presil::soc_sha256(SocConfig{});
  std::memcpy(exchange.stamp, stamp.c_str(), stamp.size() + 1);
  const uint32_t status = cpu.serve(PRESIL_CPU_RUN);
  for (uint32_t i = 0; i < exchange.inputs; ++i) std::printf("%s: done\n", port_step_names[i]);
  if (status != PRESIL_OK)
    std::printf("%s: %s\n", port_step_names[exchange.inputs], exchange.error);
  return status != PRESIL_OK;
}

}  // namespace

int sc_main(int, char** argv) {
  const std::string world = argv[1];
  Soc soc(SocConfig{}, kinds_of(world), presil::platform::rtl_maker());
  if (world == "serve") {
    const char* const wrong = presil_remote_serve(argv[2], soc.port(), 256 << 20, 20'000);
    if (wrong != nullptr) std::fprintf(stderr, "%s\n", wrong);
    return wrong != nullptr;
  }
  if (world == "firmware") return run_firmware(soc, argv + 1);
  return presil::driver::run_port_steps(soc.port(), PortFiles(argv + 2),
                                        presil::soc_sha256(SocConfig{}).c_str());
}
