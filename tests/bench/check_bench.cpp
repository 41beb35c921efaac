// The driver's check of a loadable's streams against its whole load, over the mock:
//   check_bench NET.presil...
// link: presil_driver presil_port_mock presil_loadable_schema
#include <presil/presil.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

#include "driver/core/device.h"
#include "driver/port/mock/mock_port.h"

namespace {

using Clock = std::chrono::steady_clock;

/// Of the fastest of 20 calls, in microseconds.
template <class What>
double fastest(What what) {
  double best = 1e30;
  for (int i = 0; i < 20; ++i) {
    const auto began = Clock::now();
    what();
    best = std::min(best, std::chrono::duration<double, std::micro>(Clock::now() - began).count());
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  presil::driver::MockPort mock;
  mock.host.set_engines_kinds(mock.host.engines_kinds() | 1u << PRESIL_ENGINE_DSP);
  std::vector<std::max_align_t> storage(presil_device_bytes() / sizeof(std::max_align_t) + 1);
  presil_device* device = nullptr;
  if (presil_open(mock.port(), storage.data(), storage.size() * sizeof storage[0], &device) != 0)
    return 1;
  for (int i = 1; i < argc; ++i) {
    std::ifstream stream(argv[i], std::ios::binary);
    const std::vector<uint8_t> file(std::istreambuf_iterator<char>(stream), {});
    presil_loadable l;
    if (file.size() < PRESIL_CHECKSUM_BYTES ||
        presil_loadable_read(file.data(), file.size() - PRESIL_CHECKSUM_BYTES, &l) != nullptr)
      return 2;
    presil_network network{};
    network.device = device;
    presil_limits limits{};
    limits.sram_bytes = device->capability.sram_bytes;
    limits.sync_count = l.counters;
    limits.image = l.image;
    limits.image_bytes = l.image_bytes;
    if (presil_load_check(device, &l, &network, &limits) != PRESIL_OK) return 3;
    for (const unsigned queue : {PRESIL_QUEUE_DLA, PRESIL_QUEUE_DSP})
      presil_engine_driver_of(queue)->read_limits(device, &limits);
    bool taken = true;
    const double check = fastest([&] { taken = presil_streams_check(device, &l, &limits); });
    const double crc = fastest([&] { presil_checksum_check(file.data(), file.size()); });
    std::printf("%s: %s, %u commands, check of streams %.0f us, CRC of the file %.0f us\n", argv[i],
                taken ? "taken" : presil_error(device)->text, l.commands, check, crc);
  }
  presil_close(device);
}
