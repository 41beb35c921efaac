// The example for an RTOS: tasks that sleep in semaphores, an interrupt that gives one, no poll.
#include <atomic>
#include <mutex>
#include <thread>

#include "driver/example/rtos_service.h"
#include "tests/driver/device_fixture.h"

namespace presil::driver {
namespace {

std::mutex the_lock;  // of the port

/// The board: the mock's line, which a thread watches as an interrupt controller does.
class Board {
 public:
  Board(MockPort& mock, soc_service& service) : m_mock(mock), m_service(service) {
    m_thread = std::thread([this] { watch(); });
  }
  ~Board() {
    m_ends = true;
    m_thread.join();
  }
  static void unmask(void* board) { static_cast<Board*>(board)->m_masked = false; }
  unsigned interrupts() const { return m_interrupts; }

 private:
  void watch() {
    while (!m_ends) {
      if (m_masked) {
        std::this_thread::yield();
        continue;
      }
      presil_wait_result woken;
      {
        const std::lock_guard<std::mutex> locked(the_lock);
        woken = m_mock.port()->wait(m_mock.port()->self, 100);
      }
      if (woken != PRESIL_WAIT_INTERRUPT) continue;
      m_masked = true;
      ++m_interrupts;
      soc_service_interrupt(&m_service);
    }
  }

  MockPort& m_mock;
  soc_service& m_service;
  std::atomic<bool> m_masked{false}, m_ends{false};
  std::atomic<unsigned> m_interrupts{0};
  std::thread m_thread;
};

/// The host's task alone computes on the mock: y = x + 1.
LoadableMaker through_host() {
  LoadableMaker m = four_queues();
  m.change_image = [offset = m.host[0].tensors_offset](std::vector<uint8_t>& image) {
    image[offset + offsetof(presil_host_tensor, region)] = PRESIL_REGION_INPUTS;
  };
  return m;
}

class Rtos : public DeviceTest {
 protected:
  void SetUp() override {
    port = *mock.port();
    port.lock = [](void*) { the_lock.lock(); };
    port.unlock = [](void*) { the_lock.unlock(); };
    ASSERT_EQ(presil_open(&port, device_storage.data(), bytes_of(device_storage), &device),
              PRESIL_OK);
  }
  presil_port port{};
};

TEST_F(Rtos, tasks_run_networks_without_a_poll) {
  constexpr unsigned kTasks = 3, kJobs = 40;
  const std::vector<uint8_t> file = through_host().finish();
  std::vector<Buffer> of_networks(kTasks, Buffer(network_storage.size()));
  std::vector<presil_network*> networks(kTasks);
  for (unsigned t = 0; t < kTasks; ++t) {
    ASSERT_EQ(presil_network_load(device, file.data(), file.size(), of_networks[t].data(),
                                  bytes_of(of_networks[t]), &networks[t]),
              PRESIL_OK)
        << text();
  }
  soc_service service;
  Board* of_service = nullptr;
  soc_service_init(
      &service, device, [](void* board) { Board::unmask(*static_cast<Board**>(board)); },
      &of_service);
  {
    Board board(mock, service);
    of_service = &board;
    std::thread serving([&] { soc_service_task(&service); });
    std::atomic<unsigned> exact{0};
    std::vector<std::thread> tasks;
    for (unsigned t = 0; t < kTasks; ++t) {
      tasks.emplace_back([&, t] {
        for (unsigned j = 0; j < kJobs; ++j) {
          const auto value = static_cast<uint8_t>(16 * t + j);
          std::memset(presil_network_input(networks[t], 0), value, 256);
          uint32_t job = 0;
          if (soc_service_run(&service, networks[t], static_cast<uint8_t>(t), &job) != PRESIL_OK)
            continue;
          const auto* out = static_cast<const uint8_t*>(presil_job_output(networks[t], job, 0));
          exact += out != nullptr && out[0] == value + 1 && out[255] == value + 1;
        }
      });
    }
    for (std::thread& task : tasks) task.join();
    EXPECT_EQ(exact, kTasks * kJobs);
    EXPECT_GE(board.interrupts(), kJobs);
    soc_service_end(&service);
    serving.join();
  }
  for (presil_network* n : networks) presil_network_unload(n);
}

}  // namespace
}  // namespace presil::driver
