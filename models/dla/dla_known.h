// Commands that a DLA has seen: checked, relocated, planned, with the runs that have been computed.
// A network's stream comes again with every sample.
#pragma once

#include <array>
#include <memory>
#include <unordered_map>

#include "models/dla/dla_run.h"
#include "rtl/dla/dla_command.h"

namespace presil::dla {

/// A command that check() accepted.
struct KnownCommand {
  KnownCommand(const Command& relocated, const DlaConfig& config) : plan(relocated, config) {}
  const Plan plan;
  KnownRuns runs;
};

class KnownCommands {
 public:
  /// What check() and relocated() are told; the same key, the same answer.
  struct Key {
    std::array<uint32_t, Command::kWords> words{};
    uint32_t sram_base = 0;
    uint8_t sync_count = 0;
    bool operator==(const Key& other) const {
      return words == other.words && sram_base == other.sram_base && sync_count == other.sync_count;
    }
  };

  /// @return nullptr where it is not known
  std::shared_ptr<KnownCommand> find(const Key& key) const;
  /// Others are forgotten where they are too many.
  void add(const Key& key, std::shared_ptr<KnownCommand> command);

 private:
  static constexpr size_t kMost = 4096;  // some MB
  struct Hash {
    size_t operator()(const Key& key) const;
  };
  std::unordered_map<Key, std::shared_ptr<KnownCommand>, Hash> m_commands;
};

}  // namespace presil::dla
