#include "models/dla/dla_known.h"

#include <string_view>

namespace presil::dla {

size_t KnownCommands::Hash::operator()(const Key& key) const {
  const auto* bytes = reinterpret_cast<const char*>(key.words.data());
  return std::hash<std::string_view>()({bytes, sizeof key.words}) ^ key.sram_base;
}

std::shared_ptr<KnownCommand> KnownCommands::find(const Key& key) const {
  const auto it = m_commands.find(key);
  return it == m_commands.end() ? nullptr : it->second;
}

void KnownCommands::add(const Key& key, std::shared_ptr<KnownCommand> command) {
  if (m_commands.size() == kMost) m_commands.clear();
  m_commands.emplace(key, std::move(command));
}

}  // namespace presil::dla
