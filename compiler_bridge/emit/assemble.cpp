// Readable streams back to words.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <sstream>

#include "compiler_bridge/emit/stream.h"
#include "compiler_bridge/emit/streams.h"
#include "models/base/checksum.h"
#include "models/base/refusal.h"
#include "rtl/common/command_text.h"
#include "rtl/soc/engines.h"

namespace presil::emit {
namespace {

[[noreturn]] void refuse(const std::string& where, const std::string& what) {
  throw Refusal("assemble", where + ": " + what);
}

/// What a value of the field looks like: its codes, or its range.
std::string expected(const presil_field& field) {
  std::string text;
  for (int v = 0; v < field.code_count; ++v) {
    if (field.codes[v] != nullptr) text += (text.empty() ? "" : ", ") + std::string(field.codes[v]);
  }
  if (!text.empty()) return "one of " + text;
  return std::to_string(field.min) + ".." + std::to_string(field.max);
}

bool is_code(const presil_field& field, const std::string& name) {
  for (int v = 0; v < field.code_count; ++v) {
    if (field.codes[v] != nullptr && name == field.codes[v]) return true;
  }
  return false;
}

/// Whether the field can hold the number that the text says.
bool holds(const presil_field& field, const std::string& text) {
  char* end = nullptr;
  const int64_t value = std::strtoll(text.c_str(), &end, 0);
  if (text.empty() || *end != '\0') return false;
  uint32_t words[kMaxCommandWords] = {};
  presil_field_set(words, &field, value);
  return presil_field_get(words, &field) == value;
}

/// The first word of a command's text that cannot be read, and what it should be; "": none.
std::string reason_against(const presil_command_format& format, const std::string& text) {
  std::istringstream words(text);
  std::string word;
  words >> word;
  const presil_field& op = format.fields[format.op_field];
  if (!is_code(op, word) && !holds(op, word)) {
    return "the operation is '" + word + "', must be " + expected(op);
  }
  while (words >> word) {
    const size_t equal = word.find('=');
    if (equal == std::string::npos) return "got '" + word + "', must be field=value";
    const std::string name = word.substr(0, equal), value = word.substr(equal + 1);
    const presil_field* end = format.fields + format.field_count;
    const presil_field* field =
        std::find_if(format.fields, end, [&](const presil_field& f) { return name == f.name; });
    if (field == end) {
      const std::string command = format.name, block = command.substr(0, command.find('_'));
      return "there is no field '" + name + "', must be one of rtl/" + block + "/" + block +
             "_tables.md";
    }
    if (!is_code(*field, value) && !holds(*field, value)) {
      return name + " is '" + value + "', must be " + expected(*field);
    }
  }
  return "";
}

template <class Command>
plan::Word word_of(const std::string& text, const std::string& where) {
  const std::string wrong = reason_against(Command::format(), text);
  if (!wrong.empty()) refuse(where, wrong);
  std::string error;
  const auto command = Command::from_text(text, &error);
  if (!command) refuse(where, error);
  const auto violation = command->check();
  if (violation) refuse(where, presil::to_text(*violation));
  return plan::Word{*command};
}

plan::Word word_of(const presil_engine_description& engine, const std::string& text,
                   const std::string& where) {
  const presil_command_format& format = *engine.format();
  const std::string wrong = reason_against(format, text);
  if (!wrong.empty()) refuse(where, wrong);
  std::string error;
  std::vector<uint32_t> words(format.word_count, 0);
  if (!command_from_text(format, text, words.data(), &error)) refuse(where, error);
  presil_violation violation{};
  if (presil_command_check(&format, words.data(), &violation) != PRESIL_QUEUE_ERROR_CODE_NONE) {
    refuse(where, presil::to_text(violation));
  }
  return plan::OutsideCommand(engine, words);
}

plan::Word word_of(uint8_t queue, const std::string& text, const std::string& where) {
  const unsigned kind = presil_kind_of_queue(queue);
  switch (kind) {
    case PRESIL_ENGINE_DLA:
      return word_of<dla::Command>(text, where);
    case PRESIL_ENGINE_DSP:
      return word_of<dsp::Command>(text, where);
    case PRESIL_ENGINE_HOST:
      return word_of<host::Command>(text, where);
    case PRESIL_ENGINE_DMA:
      return word_of<dma::Command>(text, where);
    default:
      return word_of(*presil_engine_description_of(kind), text, where);
  }
}

std::string all_queues() {
  std::string names;
  for (uint8_t q = 0; q < PRESIL_QUEUES; ++q) {
    if (presil_kind_of_queue(q) == PRESIL_ENGINE_NONE) continue;
    names += (names.empty() ? "" : ", ") + queue_name(q);
  }
  return names;
}

std::optional<uint8_t> queue_of(const std::string& name) {
  for (uint8_t q = 0; q < PRESIL_QUEUES; ++q) {
    if (presil_kind_of_queue(q) != PRESIL_ENGINE_NONE && queue_name(q) == name) return q;
  }
  return std::nullopt;
}

}  // namespace

std::vector<plan::ScheduledCommand> from_text(const std::string& text) {
  std::vector<plan::ScheduledCommand> commands;
  std::array<uint32_t, PRESIL_QUEUES> count{};
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    line = line.substr(0, line.find(';'));
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
    if (line.empty()) continue;
    const std::string where = "line " + std::to_string(number);
    const size_t space = line.find(' '), colon = line.find(": ");
    if (space == std::string::npos || colon == std::string::npos || space > colon) {
      refuse(where, "got '" + line + "', must be 'queue index: command'");
    }
    const std::string name = line.substr(0, space);
    const std::string index = line.substr(space + 1, colon - space - 1);
    const auto queue = queue_of(name);
    if (!queue) refuse(where, "there is no queue '" + name + "', must be one of " + all_queues());
    plan::ScheduledCommand command;
    command.queue = *queue;
    command.index = count[*queue]++;
    if (index != std::to_string(command.index)) {
      refuse(where, "this is command " + std::to_string(command.index) + " of " + name +
                        ", the text says " + index + "; commands of a queue are in order from 0");
    }
    command.word = word_of(*queue, line.substr(colon + 2), where + ", " + name + " " + index);
    commands.push_back(command);
  }
  return commands;
}

std::vector<uint8_t> assemble(const std::string& text, const std::vector<uint8_t>& file) {
  const std::vector<plan::ScheduledCommand> commands = from_text(text);
  const loadable::Loadable& l = *loadable::GetLoadable(file.data());
  const Streams streams = streams_of(l);
  std::vector<uint8_t> result(file.begin(),
                              file.end() - static_cast<std::ptrdiff_t>(kChecksumBytes));
  for (uint8_t q = 0; q < PRESIL_QUEUES; ++q) {
    if (presil_kind_of_queue(q) == PRESIL_ENGINE_NONE) continue;
    const std::vector<uint32_t> words = words_of(commands, q);
    const uint64_t got = words.size() * sizeof words[0] / format_of(q).pitch_bytes;
    const uint64_t has = streams[q] != nullptr ? streams[q]->commands() : 0;
    if (got != has) {
      refuse("queue " + queue_name(q), "the text has " + std::to_string(got) +
                                           " commands, the loadable " + std::to_string(has) +
                                           "; requires as many: change commands, add none");
    }
    if (has == 0) continue;
    const auto at = static_cast<size_t>(l.image()->data() + streams[q]->offset() - file.data());
    std::memcpy(result.data() + at, words.data(), words.size() * sizeof words[0]);
  }
  append_checksum(result);
  return result;
}

}  // namespace presil::emit
