// An image on a core: its program opens the tile, loads the network that the image has, and runs it
// as its author likes. Seen from a session it is a driver whose job is the program, from its reset
// to its end.
#include <algorithm>
#include <array>
#include <cstring>
#include <set>

#include "models/base/refusal.h"
#include "rtl/soc/address_map.h"
#include "sim/host_cpu/host_cpu.h"
#include "sim/host_cpu/image.h"
#include "sim/platform/core_account.h"
#include "sim/platform/job_driver.h"
#include "sim/platform/session.h"

namespace presil::platform {
namespace {

using host_cpu::HostCpu;
using nlohmann::json;

constexpr uint64_t kNoTimeout = ~uint64_t{0};

class ImageDriver : public JobDriver {
 public:
  ImageDriver(Soc& soc, const SocConfig& config, const json& host)
      : m_soc(soc),
        m_clock_mhz(config.clock_mhz),
        m_file(host.at("firmware")),
        m_checked(host.value("checked", true)),
        m_cpu(soc.host_cpu({host.at("kind"), host.at("core"), m_file})) {
    prepare();
  }

  presil_status load(const std::vector<uint8_t>& file) override {
    const presil_image& image = note();
    const uint8_t* own = m_cpu.bytes(image.loadable, image.loadable_bytes);
    if (own == nullptr || image.loadable_bytes != file.size() ||
        std::memcmp(own, file.data(), file.size()) != 0) {
      throw Refusal("host", "'" + m_file + "' does not have this network; give its own");
    }
    m_loaded = true;
    return PRESIL_OK;
  }
  void unload() override { m_loaded = false; }
  bool loaded() const override { return m_loaded; }
  Edge input(unsigned index) override {
    if (m_ran) {  // the next sample: all is as it was before the first
      m_soc.reset();
      prepare();
    }
    return edge(note().input[index]);
  }
  Edge output(unsigned index) override { return edge(note().output[index]); }
  uint64_t region_address(unsigned region) const override { return m_regions.at(region); }

  presil_status run(uint64_t timeout_ns) override {
    m_ran = true;
    m_tags.clear();
    const uint64_t cycles = timeout_ns == 0 ? kNoTimeout : timeout_ns * m_clock_mhz / 1000;
    HostCpu::Ended ended;
    try {
      ended = m_cpu.run_program(cycles);
    } catch (const host_cpu::ProgramFailed& failed) {
      throw Failure(kDeviceFailed, failed.what() + written());
    }
    if (!ended.in_time) return late(cycles);
    if (m_tags.empty()) {
      throw Failure(kRefused, "host " + m_cpu.kind() + ": '" + m_file +
                                  "' has ended with exit code " + std::to_string(ended.status) +
                                  " and has run no job of its network" + written());
    }
    m_account = {{"cycles", m_cpu.cycle()},
                 {"busy_cycles", m_cpu.busy_cycles()},
                 {"instructions", m_cpu.instructions()},
                 {"exit_code", ended.status},
                 {"console", m_cpu.console()}};
    add_core_profile(m_cpu, m_account);
    return PRESIL_OK;
  }
  presil_status set_in_flight(unsigned) override { return PRESIL_REFUSED; }
  presil_status start(uint32_t&) override { return PRESIL_REFUSED; }
  presil_status wait(uint32_t, uint64_t) override { return PRESIL_REFUSED; }
  Edge output(unsigned index, uint32_t) override { return output(index); }
  std::string cancel() override { return ""; }
  std::string error() const override { return m_error; }
  void set_core_profile(bool on) override { m_cpu.profile(on); }
  json host() const override { return m_account; }

  /// Of its first job, by tags.
  bool recorded(const CommandRecord& record) override {
    if (!m_tags.insert({record.queue, record.tag}).second) return false;
    const QueueFrontend* queue = m_soc.queue(record.queue);
    const auto job = queue == nullptr ? nullptr : queue->oldest().job;
    if (job != nullptr) {
      for (size_t r = 0; r < m_regions.size(); ++r) m_regions[r] = job->entry.region_base[r];
    }
    return true;
  }

 private:
  static constexpr int kRefused = 2;

  void prepare() {
    m_cpu.reset();
    m_ran = false;
    if (!m_checked) note().checked = 0;
  }
  presil_image& note() const {
    uint8_t* bytes = m_cpu.bytes(PRESIL_IMAGE_AT, sizeof(presil_image));
    auto& image = *reinterpret_cast<presil_image*>(bytes);
    if (image.magic != PRESIL_IMAGE_MAGIC || image.version != PRESIL_IMAGE_VERSION) {
      throw Refusal("host", "'" + m_file +
                                "' has no network of this presil in its image; `presil firmware` "
                                "makes one that has it");
    }
    return image;
  }
  Edge edge(const presil_image_edge& e) const {
    uint8_t* bytes = m_cpu.bytes(e.address, e.bytes);
    if (bytes == nullptr) {
      throw Refusal("host", "'" + m_file + "' has a tensor at " + std::to_string(e.address) +
                                ", where the core has no memory; is the image of this SoC?");
    }
    return {bytes, e.bytes};
  }
  std::string written() const {
    std::string text = m_cpu.console();
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text.empty() ? "" : "; it has written: " + text;
  }
  presil_status late(uint64_t cycles) {
    const std::string fault = m_cpu.fault();
    m_error = "host " + m_cpu.kind() + ": '" + m_file + "' has not ended after " +
              std::to_string(cycles) + " cycles" + (fault.empty() ? "" : ", since " + fault) +
              written();
    if (m_tags.empty() || !fault.empty()) throw Failure(kDeviceFailed, m_error);
    return PRESIL_TIMED_OUT;
  }

  Soc& m_soc;
  const uint64_t m_clock_mhz;
  const std::string m_file;
  const bool m_checked;
  HostCpu& m_cpu;
  bool m_loaded = false, m_ran = false;
  std::set<std::pair<uint8_t, uint32_t>> m_tags;
  std::array<uint64_t, PRESIL_REGIONS> m_regions{};
  std::string m_error;
  json m_account;
};

}  // namespace

std::unique_ptr<JobDriver> image_driver(Soc& soc, const SocConfig& config, const json& host) {
  return std::make_unique<ImageDriver>(soc, config, host);
}

}  // namespace presil::platform
