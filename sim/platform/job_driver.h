// The driver as a session uses it: code of this process, or firmware on a core (sim/host_cpu).
#pragma once

#include <presil/presil.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/soc/soc_config.h"
#include "sim/platform/soc.h"

namespace presil::platform {

constexpr int kDeviceFailed = 3;  ///< exit code of a Failure

class JobDriver {
 public:
  struct Edge {
    uint8_t* data;
    size_t bytes;
  };
  virtual ~JobDriver() = default;

  /// @param file lives until the next one is loaded
  virtual presil_status load(const std::vector<uint8_t>& file) = 0;
  virtual void unload() = 0;
  virtual bool loaded() const = 0;
  virtual Edge input(unsigned index) = 0;
  virtual Edge output(unsigned index) = 0;
  /// System address of a region of its jobs.
  virtual uint64_t region_address(unsigned region) const = 0;
  /// Submits a job and waits for its end.
  virtual presil_status run(uint64_t timeout_ns) = 0;
  /// Jobs that are in flight at once: memory for so many; `input` is then of the next one.
  virtual presil_status set_in_flight(unsigned jobs) = 0;
  virtual presil_status start(uint32_t& job) = 0;
  virtual presil_status wait(uint32_t job, uint64_t timeout_ns) = 0;
  /// Of a job that has been waited for, until so many others have been started.
  virtual Edge output(unsigned index, uint32_t job) = 0;
  /// After PRESIL_TIMED_OUT: the next job can run. @return what to tell besides error(); empty: all
  /// is well
  virtual std::string cancel() = 0;
  /// Of what was not done.
  virtual std::string error() const = 0;
  /// The driver reads the engines' counters from now on of each "job", or of its "layers", at whose
  /// borders it then stops; empty: it does not. @return PRESIL_REFUSED: it cannot
  virtual presil_status set_counting(const std::string& by) {
    return by.empty() ? PRESIL_OK : PRESIL_REFUSED;
  }
  /// Of the last job: `names`, "dla.run"; `rows`: `layer` that began, `values`. Null: not read.
  virtual nlohmann::json counters() const { return nullptr; }
  /// A command has ended. @return whether it belongs to the job that is recorded
  virtual bool recorded(const CommandRecord&) { return true; }
  /// From now on `host` has where the core's time goes, in jobs from here on.
  virtual void set_core_profile(bool) {}
  /// What a core did since it was started, and in the last job; null for the native driver.
  virtual nlohmann::json host() const { return nullptr; }
};

/// @throws Failure where the device does not open
std::unique_ptr<JobDriver> native_driver(Soc& soc, const SocConfig& config);
/// @param host message `open`, key `host`
/// @throws Failure where the device does not open, Refusal of what this host cannot do
std::unique_ptr<JobDriver> firmware_driver(Soc& soc, const SocConfig& config,
                                           const nlohmann::json& host);

/// An image with a program of its own and a network (sim/host_cpu/image.h).
std::unique_ptr<JobDriver> image_driver(Soc& soc, const SocConfig& config,
                                        const nlohmann::json& host);

}  // namespace presil::platform
