// What the driver takes for a job: submission, waits, the ring, the end; over the mock, whose
// registers are memory and whose engines only wait and signal. The mock's time is in it.
//
// link: presil_driver presil_port_mock presil_loadable_maker presil_loadable_schema
#include <benchmark/benchmark.h>
#include <presil/presil.h>

#include <cstddef>
#include <cstdlib>
#include <vector>

#include "driver/port/mock/mock_engine.h"
#include "tests/driver/loadable_maker.h"

namespace presil::driver {
namespace {

using Words = std::vector<std::max_align_t>;

Words words(size_t bytes) {
  return Words(bytes / sizeof(std::max_align_t) + 1);
}

/// A load, a command of the DLA, a store and a task of the host: four queues.
void job(benchmark::State& state) {
  MockPort mock;
  MockEngines engines{mock};
  Words of_device = words(presil_device_bytes()), of_network = words(presil_network_bytes());
  presil_device* device = nullptr;
  presil_network* network = nullptr;
  const std::vector<uint8_t> file = four_queues().finish();
  if (presil_open(mock.port(), of_device.data(), presil_device_bytes(), &device) != PRESIL_OK ||
      presil_network_load(device, file.data(), file.size(), of_network.data(),
                          presil_network_bytes(), &network) != PRESIL_OK)
    std::abort();
  for (auto _ : state) {
    uint32_t id = 0;
    if (presil_job_submit(network, &id) != PRESIL_OK ||
        presil_job_wait(network, id, 1'000'000'000) != PRESIL_OK)
      std::abort();
    mock.writes.clear();
    mock.trace.clear();
  }
  presil_network_unload(network);
  presil_close(device);
}
BENCHMARK(job)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace presil::driver

BENCHMARK_MAIN();
