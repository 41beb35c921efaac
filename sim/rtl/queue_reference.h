// The values that an engine in RTL with one queue must write, computed from the words that it
// fetched and the SRAM as it was when its commands began. What engines have in common.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "sim/rtl/fetched_commands.h"

namespace presil::rtl {

class QueueReference {
 public:
  virtual ~QueueReference() = default;
  QueueReference(const QueueReference&) = delete;
  QueueReference& operator=(const QueueReference&) = delete;

  void fetched(uint64_t address, const uint8_t* bytes, unsigned count) {
    m_fetched.fetched(address, bytes, count);
  }
  /// The queue goes on after an error or an abort: what it had fetched is fetched again.
  void restarted() { m_fetched.restarted(); }

  // ---- As QueueTap.
  virtual void dropped() = 0;
  virtual void offered(uint32_t index, Cycle cycle) = 0;
  virtual void started(unsigned place) = 0;
  virtual void written(uint32_t address, const uint8_t* bytes, Cycle cycle) = 0;
  virtual void ended(uint32_t index, uint32_t tag, Cycle cycle) = 0;

 protected:
  /// @param report called with what differs
  QueueReference(std::string block, unsigned pitch_bytes,
                 std::function<void(const Divergence&)> report)
      : m_block(std::move(block)), m_report(std::move(report)), m_fetched(pitch_bytes) {}

  /// What has been fetched and is now offered; nothing, and told: it has not been.
  std::optional<FetchedCommand> take(uint32_t index, Cycle cycle);
  /// A difference in a command, or outside of all (nullptr).
  Divergence at(const FetchedCommand* command, uint32_t tag, const char* stage, Cycle cycle) const;
  void report(const Divergence& difference) const { m_report(difference); }
  /// Another command ends than the oldest one. @return whether it does
  bool ends_another(const FetchedCommand& oldest, uint32_t oldest_tag, uint32_t index, uint32_t tag,
                    Cycle cycle) const;

 private:
  std::string m_block;
  std::function<void(const Divergence&)> m_report;
  FetchedCommands m_fetched;
};

}  // namespace presil::rtl
