#include "compiler_bridge/emit/stream.h"

#include <array>
#include <optional>
#include <sstream>

#include "rtl/soc/refusal.h"

namespace presil::emit {
namespace {

constexpr std::array<const char*, PRESIL_QUEUE_DMA0> kEngines = {"dla", "dsp", "host"};

std::optional<uint8_t> queue_of(const std::string& name) {
  for (uint8_t q = 0; q < PRESIL_QUEUES; ++q) {
    if (queue_name(q) == name) return q;
  }
  return std::nullopt;
}

template <class Command>
std::optional<plan::Word> word_of(const std::string& text, std::string& error) {
  const auto command = Command::from_text(text, &error);
  if (!command) return std::nullopt;
  return plan::Word{*command};
}

std::optional<plan::Word> word_of(uint8_t queue, const std::string& text, std::string& error) {
  if (queue == PRESIL_QUEUE_DLA) return word_of<dla::Command>(text, error);
  if (queue == PRESIL_QUEUE_HOST) return word_of<host::Command>(text, error);
  return word_of<dma::Command>(text, error);
}

[[noreturn]] void refuse(int line, const std::string& what) {
  throw Refusal("emit", "line " + std::to_string(line) + " of the stream text: " + what +
                            "; wants 'queue index: command'");
}

}  // namespace

std::string queue_name(uint8_t queue) {
  if (queue < kEngines.size()) return kEngines[queue];
  return "dma" + std::to_string(queue - PRESIL_QUEUE_DMA0);
}

std::string to_text(const std::vector<plan::ScheduledCommand>& commands,
                    const std::vector<plan::Layer>& layers) {
  std::string text;
  for (const plan::ScheduledCommand& command : commands) {
    text += queue_name(command.queue) + " " + std::to_string(command.index) + ": ";
    text += std::visit([](const auto& c) { return c.to_text(); }, command.word);
    if (command.layer != plan::kNone) {
      text += "  ; " + layers[static_cast<size_t>(command.layer)].name;
      if (command.tile != 0) text += " tile " + std::to_string(command.tile);
    }
    text += "\n";
  }
  return text;
}

std::vector<plan::ScheduledCommand> from_text(const std::string& text) {
  std::vector<plan::ScheduledCommand> commands;
  std::array<uint32_t, PRESIL_QUEUES> count{};
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    line = line.substr(0, line.find(';'));
    while (!line.empty() && line.back() == ' ') line.pop_back();
    if (line.empty()) continue;
    const size_t space = line.find(' '), colon = line.find(": ");
    if (space == std::string::npos || colon == std::string::npos || space > colon) {
      refuse(number, "got '" + line + "'");
    }
    plan::ScheduledCommand command;
    const auto queue = queue_of(line.substr(0, space));
    if (!queue) refuse(number, "there is no queue '" + line.substr(0, space) + "'");
    command.queue = *queue;
    command.index = count[*queue]++;
    if (line.substr(space + 1, colon - space - 1) != std::to_string(command.index)) {
      refuse(number, "the index should be " + std::to_string(command.index));
    }
    std::string error;
    const auto word = word_of(*queue, line.substr(colon + 2), error);
    if (!word) refuse(number, error);
    command.word = *word;
    commands.push_back(command);
  }
  return commands;
}

std::vector<uint32_t> words_of(const std::vector<plan::ScheduledCommand>& commands, uint8_t queue) {
  std::vector<uint32_t> words;
  for (const plan::ScheduledCommand& command : commands) {
    if (command.queue != queue) continue;
    std::visit(
        [&](const auto& c) {
          const size_t at = words.size();
          words.resize(at + c.kPitch / sizeof(uint32_t), 0);
          c.encode(words.data() + at);
        },
        command.word);
  }
  return words;
}

}  // namespace presil::emit
