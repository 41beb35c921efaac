// The faults of one job in a session: places of a loadable become addresses, and what the host
// reads of memory that ECC cannot correct ends the job as a data abort does.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "models/common/record.h"
#include "sim/platform/job_driver.h"
#include "sim/platform/soc.h"

namespace presil::loadable {
struct Loadable;
}

namespace presil::platform {

class JobFaults {
 public:
  JobFaults(Soc& soc, const JobDriver& driver, const loadable::Loadable& loadable)
      : m_soc(soc), m_driver(driver), m_loadable(loadable) {}

  /// @param faults of message `job`. @throws Failure for an address or command that there is not
  void arm(const nlohmann::json& faults);
  /// The job is over. @return what has happened, in the order of the faults
  nlohmann::json disarm();
  /// A command has ended: of the host, what it has read is looked at.
  void ended(const CommandRecord& record);
  /// The host reads its outputs.
  void read_outputs(JobDriver& driver, size_t outputs);
  /// Why the host's read was refused; empty: none was.
  const std::string& abort() const { return m_abort; }

 private:
  bool erred_since(Cycle cycle) const;
  uint64_t address_of(const nlohmann::json& fault) const;
  void read(const std::string& what, uint64_t address, uint64_t bytes);

  Soc& m_soc;
  const JobDriver& m_driver;
  const loadable::Loadable& m_loadable;
  bool m_armed = false;
  std::string m_abort;
};

}  // namespace presil::platform
