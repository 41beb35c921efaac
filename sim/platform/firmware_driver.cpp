// The driver as firmware on a core: requests, and the bytes that lie in the SoC's memory. What the
// firmware cannot do is refused here by name.
#include <array>
#include <cstring>

#include "models/base/digest.h"
#include "models/base/refusal.h"
#include "rtl/host/host.h"
#include "rtl/soc/loadable_generated.h"
#include "sim/bridge/model_port.h"
#include "sim/host_cpu/host_cpu.h"
#include "sim/platform/core_account.h"
#include "sim/platform/job_driver.h"
#include "sim/platform/loadable_file.h"
#include "sim/platform/session.h"
#include "sim/platform/tensor_bytes.h"

namespace presil::platform {
namespace {

using host_cpu::HostCpu;
using nlohmann::json;

constexpr uint32_t kPage = 4096;
constexpr uint64_t kAlign = 64;
// Instead of no limit: a job that never ends is told by the driver.
constexpr uint64_t kNoTimeoutNs = 1'000'000'000'000;

class FirmwareDriver : public JobDriver {
 public:
  FirmwareDriver(Soc& soc, const SocConfig& config, const json& host)
      : m_soc(soc),
        m_cpu(soc.host_cpu({host.at("kind"), host.at("core"), host.at("firmware")})),
        m_timeline(soc.model_port().recorder().timeline()) {
    for (const auto& [name, engine] : config.engines) {
      if (engine.units == 0) continue;
      throw Refusal("host", "engine '" + name +
                                "' from outside needs --host native: the firmware " + "for " +
                                m_cpu.kind() +
                                " has no driver of it; or leave it out with "
                                "--set engines." +
                                name + ".units=0");
    }
    m_cpu.reset();
    m_cpu.start();
    presil_cpu_exchange& exchange = m_cpu.exchange();
    exchange.window_bytes = m_cpu.window_bytes();
    exchange.cycles_per_us = config.clock_mhz;
    const std::string stamp = soc_sha256(config);
    std::memcpy(exchange.stamp, stamp.c_str(), stamp.size() + 1);
    if (m_cpu.serve(PRESIL_CPU_OPEN) != PRESIL_OK) throw Failure(kDeviceFailed, error());
  }
  presil_status load(const std::vector<uint8_t>& file) override {
    check_kernels(file);
    presil_cpu_exchange& exchange = m_cpu.exchange();
    const uint64_t loadable_bytes = (file.size() + kPage - 1) / kPage * kPage;
    const uint64_t bytes = loadable_bytes + buffers(file);
    if (bytes > m_cpu.window_bytes() / 2) {
      throw Refusal("host", "the loadable has " + std::to_string(file.size()) +
                                " bytes, must be at most " +
                                std::to_string(m_cpu.window_bytes() / 2) + ", half of the window " +
                                "of " + m_cpu.kind() + " into DRAM; run with --host native");
    }
    exchange.window_bytes = m_cpu.window_bytes() - static_cast<uint32_t>(bytes);
    exchange.loadable = PRESIL_CPU_WINDOW + exchange.window_bytes;
    exchange.loadable_bytes = static_cast<uint32_t>(file.size());
    std::memcpy(m_cpu.window(exchange.window_bytes), file.data(), file.size());
    m_buffers = exchange.window_bytes + static_cast<uint32_t>(loadable_bytes);
    for (unsigned i = 0; i < PRESIL_CPU_EDGES; ++i) {
      exchange.given[i] = PRESIL_CPU_WINDOW + m_buffers + m_given[i];
      exchange.taken[i] = PRESIL_CPU_WINDOW + m_buffers + m_taken[i];
    }
    const uint64_t before = m_cpu.cycle();
    const auto status = static_cast<presil_status>(m_cpu.serve(PRESIL_CPU_LOAD));
    m_load_cycles = m_cpu.cycle() - before;
    m_loaded = status == PRESIL_OK;
    return status;
  }
  void unload() override { m_loaded = false; }  // the next load replaces it
  bool loaded() const override { return m_loaded; }
  Edge input(unsigned index) override {
    return {m_cpu.window(m_buffers + m_given.at(index)), m_cpu.exchange().input[index].bytes};
  }
  Edge output(unsigned index) override {
    return {m_cpu.window(m_buffers + m_taken.at(index)), m_cpu.exchange().output[index].bytes};
  }
  uint64_t region_address(unsigned region) const override {
    return m_cpu.exchange().region[region];
  }
  presil_status run(uint64_t timeout_ns) override {
    m_cpu.exchange().timeout_ns = timeout_ns == 0 ? kNoTimeoutNs : timeout_ns;
    m_timeline.begin(m_soc.now());
    const uint32_t status = m_cpu.serve(PRESIL_CPU_RUN);
    m_timeline.end();
    const HostCpu::Work work = m_cpu.driver_work();
    m_job = {{"cycles", work.cycles},
             {"busy_cycles", work.busy_cycles},
             {"instructions", work.instructions}};
    add_core_profile(m_cpu, m_job);
    return static_cast<presil_status>(status);
  }
  // Requests are served one after the other: a job has ended when the next one can be asked for.
  presil_status set_in_flight(unsigned) override { return PRESIL_REFUSED; }
  presil_status start(uint32_t&) override { return PRESIL_REFUSED; }
  presil_status wait(uint32_t, uint64_t) override { return PRESIL_REFUSED; }
  Edge output(unsigned index, uint32_t) override { return output(index); }
  std::string cancel() override {
    const std::string report = error();
    const bool cancelled = m_cpu.serve(PRESIL_CPU_CANCEL) == PRESIL_CANCELLED;
    const std::string also = error();
    std::memcpy(m_cpu.exchange().error, report.c_str(), report.size() + 1);
    return cancelled ? "" : also;
  }
  std::string error() const override {
    const char* text = m_cpu.exchange().error;
    return {text, strnlen(text, sizeof m_cpu.exchange().error)};
  }
  void set_core_profile(bool on) override { m_cpu.profile(on); }
  json host() const override {
    json account = m_job;
    account["load_cycles"] = m_load_cycles;
    return account;
  }

 private:
  uint64_t buffers(const std::vector<uint8_t>& file);
  void check_kernels(const std::vector<uint8_t>& file) const;

  Soc& m_soc;
  HostCpu& m_cpu;
  bridge::HostTimeline& m_timeline;
  std::array<uint32_t, PRESIL_CPU_EDGES> m_given{}, m_taken{};  ///< from m_buffers on
  uint32_t m_buffers = 0;  ///< the program's own, in the window after the loadable
  bool m_loaded = false;
  uint64_t m_load_cycles = 0;
  json m_job;
};

/// Lays out the program's own buffers of inputs and outputs. @return their bytes, in pages
uint64_t FirmwareDriver::buffers(const std::vector<uint8_t>& file) {
  const loadable::Loadable* l = nullptr;
  try {
    l = &open_loadable(file.data(), file.size());
  } catch (const Refusal&) {
    return 0;  // what the driver says of it
  }
  uint64_t offset = 0;
  const auto place = [&](const flatbuffers::Vector<int32_t>& tensors, auto& at) {
    for (unsigned i = 0; i < tensors.size() && i < PRESIL_CPU_EDGES; ++i) {
      at[i] = static_cast<uint32_t>(offset);
      const auto tensor = static_cast<unsigned>(tensors.Get(i));
      offset += (plain_bytes(*l->tensors()->Get(tensor)) + kAlign - 1) / kAlign * kAlign;
    }
  };
  place(*l->inputs(), m_given);
  place(*l->outputs(), m_taken);
  return (offset + kPage - 1) / kPage * kPage;
}

/// @throws Refusal that names the first operator whose kernel the firmware does not have
void FirmwareDriver::check_kernels(const std::vector<uint8_t>& file) const {
  const loadable::Loadable* l = nullptr;
  try {
    l = &open_loadable(file.data(), file.size());
  } catch (const Refusal&) {
    return;  // what the driver says of it
  }
  const auto field = [](const uint32_t* words, unsigned which) {
    return static_cast<uint32_t>(presil_field_get(words, &presil_host_command_fields()[which]));
  };
  for (const loadable::Stream* stream : *l->streams()) {
    if (stream->queue() != PRESIL_QUEUE_HOST) continue;
    for (uint32_t i = 0; i < stream->commands(); ++i) {
      uint32_t words[PRESIL_HOST_COMMAND_WORDS];
      std::memcpy(words, l->image()->data() + stream->offset() + i * PRESIL_HOST_COMMAND_PITCH,
                  sizeof words);
      if (field(words, PRESIL_HOST_COMMAND_OP) != PRESIL_HOST_OP_RUN) continue;
      const uint32_t kernel = field(words, PRESIL_HOST_COMMAND_KERNEL_ID);
      const char* const name = m_cpu.lacks(kernel);
      if (name == nullptr) continue;
      const uint32_t tag = field(words, PRESIL_HOST_COMMAND_TAG);
      const int layer = tag < l->commands()->size() ? l->commands()->Get(tag)->layer() : -1;
      const std::string of =
          layer < 0
              ? ""
              : " (layer '" + l->layers()->Get(static_cast<unsigned>(layer))->name()->str() + "')";
      throw Refusal("host", "operator '" + std::string(name) + "' of the host" + of +
                                " needs --host native: the firmware for " + m_cpu.kind() +
                                " does not have this kernel");
    }
  }
}

}  // namespace

std::unique_ptr<JobDriver> firmware_driver(Soc& soc, const SocConfig& config, const json& host) {
  return std::make_unique<FirmwareDriver>(soc, config, host);
}

}  // namespace presil::platform
