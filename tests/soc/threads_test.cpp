// Four networks from four threads on one simulated SoC, with cancels and timeouts at random: every
// job that ends is exact, and nothing is left; jobs whole, and held at layer borders for others.
// PRESIL_ALL=1: 10,000 jobs.
#include <atomic>
#include <cstdlib>
#include <random>
#include <thread>

#include "compiler_bridge/compile/compile.h"
#include "tests/soc/platform_fixture.h"

namespace presil::tests {
namespace {

constexpr unsigned kThreads = 4, kInputs = 4;

/// A network with its reference outputs for a few inputs.
struct Known {
  explicit Known(const Subject& of, bool overlaps) : subject(of) {
    compile::CompileOptions options;
    options.overlaps = overlaps;
    loadable = compile::compile(subject.graph, SocConfig{}, options).loadable;
    for (uint32_t seed = 0; seed < kInputs; ++seed) {
      inputs.push_back(random_inputs(subject.graph, seed));
      outputs.push_back(reference::run(subject.graph, inputs.back()));
    }
  }
  const Subject& subject;
  std::vector<uint8_t> loadable;
  std::vector<std::vector<reference::TensorValue>> inputs, outputs;
};

using Words = std::vector<std::max_align_t>;

struct Counts {
  std::atomic<unsigned> exact{0}, cancelled{0}, timed_out{0};
};

class Threads : public PlatformTest {
 protected:
  presil_network* load_another(const Known& known) {
    m_networks.emplace_back(presil_network_bytes() / sizeof(std::max_align_t) + 1);
    presil_network* loaded = nullptr;
    EXPECT_EQ(presil_network_load(device, known.loadable.data(), known.loadable.size(),
                                  m_networks.back().data(),
                                  m_networks.back().size() * sizeof(std::max_align_t), &loaded),
              PRESIL_OK)
        << text();
    EXPECT_EQ(presil_network_set_in_flight(loaded, 2), PRESIL_OK) << text();
    return loaded;
  }

  void four_networks(bool preemptible);

 private:
  std::vector<Words> m_networks;
};

bool is_exact(const presil_network* n, uint32_t job, const Known& known, uint32_t seed) {
  for (uint32_t i = 0; i < presil_network_outputs(n); ++i) {
    const auto& expected = known.outputs[seed][i].data;
    if (std::memcmp(presil_job_output(n, job, i), expected.data(), expected.size()) != 0)
      return false;
  }
  return true;
}

/// Two jobs in flight at a time; each is waited for, or cancelled, or times out and is one of both.
void work(presil_network* n, const Known& known, unsigned jobs, uint32_t number, Counts& counts) {
  std::mt19937 random(number);
  struct Started {
    uint32_t job, seed;
  };
  std::vector<Started> started;
  for (unsigned i = 0; i < jobs || !started.empty();) {
    if (i < jobs && started.size() < 2) {
      const uint32_t seed = static_cast<uint32_t>(random() % kInputs);
      for (uint32_t k = 0; k < presil_network_inputs(n); ++k) {
        const auto& bytes = known.inputs[seed][k].data;
        std::memcpy(presil_network_input(n, k), bytes.data(), bytes.size());
      }
      presil_job_options options{};
      options.priority = static_cast<uint8_t>(random() % 3);
      uint32_t job = 0;
      ASSERT_EQ(presil_job_start(n, &options, &job), PRESIL_OK) << presil_network_error(n)->text;
      started.push_back({job, seed});
      ++i;
      if (started.size() < 2 && random() % 2 == 0) continue;
    }
    const Started oldest = started.front();
    started.erase(started.begin());
    presil_status status = PRESIL_TIMED_OUT;
    if (random() % 10 != 0)
      status = presil_job_wait(n, oldest.job, random() % 4 == 0 ? 1 + random() % 100'000 : 0);
    if (status == PRESIL_TIMED_OUT) {
      ++counts.timed_out;
      status =
          random() % 2 == 0 ? presil_job_cancel(n, oldest.job) : presil_job_wait(n, oldest.job, 0);
    }
    if (status == PRESIL_CANCELLED) {
      ++counts.cancelled;
      continue;
    }
    ASSERT_EQ(status, PRESIL_OK) << presil_network_error(n)->text;
    ASSERT_TRUE(is_exact(n, oldest.job, known, oldest.seed)) << "job " << oldest.job;
    ++counts.exact;
  }
}

void Threads::four_networks(bool preemptible) {
  const unsigned each = std::getenv("PRESIL_ALL") != nullptr ? 2500 : 40;
  const Known knowns[kThreads] = {Known(digits(), true), Known(host_before_dla(), true),
                                  Known(digits_with_boxes(), true),
                                  Known(host_before_dla(), false)};
  std::vector<presil_network*> networks;
  uint32_t sram = 0;
  for (const Known& known : knowns) {
    networks.push_back(load_another(known));
    if (!preemptible) continue;
    ASSERT_EQ(presil_network_set_sram(networks.back(), sram), PRESIL_OK) << text();
    ASSERT_EQ(presil_network_set_preemptible(networks.back(), nullptr, PRESIL_EVERY_LAYER),
              PRESIL_OK)
        << text();
    sram += (presil_network_sram_bytes(networks.back()) + 4095) / 4096 * 4096;
  }
  Counts counts;
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] { work(networks[i], knowns[i], each, i + 1, counts); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counts.exact + counts.cancelled, kThreads * each);
  EXPECT_GT(counts.exact, 2 * each);
  EXPECT_GT(counts.cancelled, 0u);
  EXPECT_GT(counts.timed_out, 0u);
  EXPECT_EQ(presil_device_service(device), 0u) << "jobs are left";
  std::printf("%u exact, %u cancelled, %u timed out\n", counts.exact.load(),
              counts.cancelled.load(), counts.timed_out.load());
  for (presil_network* network : networks) presil_network_unload(network);
  presil_buffer all{};  // the memory of all is free again: it can be had in one piece
  EXPECT_EQ(presil_buffer_alloc(device, config.dram.bytes / 4 * 3, &all), PRESIL_OK) << text();
  presil_buffer_free(device, &all);
}

TEST_F(Threads, four_networks_from_four_threads_with_cancels_and_timeouts) {
  four_networks(false);
}

TEST_F(Threads, four_networks_that_give_way_at_layer_borders) {
  four_networks(true);
}

}  // namespace
}  // namespace presil::tests
