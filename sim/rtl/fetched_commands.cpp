#include "sim/rtl/fetched_commands.h"

#include <cstring>
#include <utility>

namespace presil::rtl {

void FetchedCommand::name(Divergence& difference) const {
  difference.in_command = true;
  difference.index = index;
  difference.words = words;
}

void FetchedCommands::fetched(uint64_t address, const uint8_t* bytes, unsigned count) {
  std::vector<uint32_t> words(count / sizeof(uint32_t));
  std::memcpy(words.data(), bytes, count);
  if (m_job && m_next_index < m_job->command_count &&
      address == m_job->stream_address + uint64_t{m_next_index} * m_pitch) {
    m_commands.push_back({*m_job, m_next_index++, std::move(words)});
  } else {
    m_job = JobEntry::decode(words.data());
    m_next_index = 0;
  }
}

void FetchedCommands::restarted() {
  m_commands.clear();
  m_job.reset();
}

std::optional<FetchedCommand> FetchedCommands::offered(uint32_t index) {
  if (m_commands.empty() || m_commands.front().index != index) return {};
  FetchedCommand command = std::move(m_commands.front());
  m_commands.pop_front();
  return command;
}

}  // namespace presil::rtl
