#include "sim/rtl/fetched_commands.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace presil::rtl {

void FetchedCommand::name(Divergence& difference) const {
  difference.in_command = true;
  difference.index = index;
  difference.words = words;
}

bool FetchedJob::fetched(uint64_t address, const uint8_t* bytes, unsigned count) {
  if (m_job && m_commands < m_job->command_count &&
      address == m_job->stream_address + uint64_t{m_commands} * m_pitch) {
    ++m_commands;
    return true;
  }
  uint32_t words[JobEntry::kWords] = {};
  std::memcpy(words, bytes, std::min<size_t>(count, sizeof words));
  m_job = JobEntry::decode(words);
  m_commands = 0;
  return false;
}

void FetchedCommands::fetched(uint64_t address, const uint8_t* bytes, unsigned count) {
  if (!m_job.fetched(address, bytes, count)) return;
  std::vector<uint32_t> words(count / sizeof(uint32_t));
  std::memcpy(words.data(), bytes, count);
  m_commands.push_back({m_job.entry(), m_job.commands() - 1, std::move(words)});
}

void FetchedCommands::restarted() {
  m_commands.clear();
  m_job.restarted();
}

std::optional<FetchedCommand> FetchedCommands::offered(uint32_t index) {
  if (m_commands.empty() || m_commands.front().index != index) return {};
  FetchedCommand command = std::move(m_commands.front());
  m_commands.pop_front();
  return command;
}

}  // namespace presil::rtl
