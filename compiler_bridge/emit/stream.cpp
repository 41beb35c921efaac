#include "compiler_bridge/emit/stream.h"

#include <cstring>

#include "compiler_bridge/emit/streams.h"
#include "models/base/refusal.h"
#include "rtl/soc/engines.h"

namespace presil::emit {
namespace {

/// "  ; conv2d_2 tile 1 [3 4]"
std::string comment(const loadable::Loadable& l, const loadable::Command& entry) {
  if (entry.layer() < 0) return "";
  const loadable::Layer& layer = *l.layers()->Get(static_cast<uint32_t>(entry.layer()));
  std::string text = "  ; " + layer.name()->str();
  if (entry.tile() != 0) text += " tile " + std::to_string(entry.tile());
  if (layer.source_ops() == nullptr || layer.source_ops()->size() == 0) return text;
  std::string ops;
  for (const int op : *layer.source_ops()) ops += (ops.empty() ? "" : " ") + std::to_string(op);
  return text + " [" + ops + "]";
}

}  // namespace

std::string queue_name(uint8_t queue) {
  return presil_queue_name(queue);
}

const presil_command_format& format_of(uint8_t queue) {
  return *presil_engine_description_of(presil_kind_of_queue(queue))->format();
}

Streams streams_of(const loadable::Loadable& l) {
  Streams streams{};
  for (const loadable::Stream* s : *l.streams()) {
    const std::string stream = "the stream of queue " + std::to_string(s->queue());
    const bool none = presil_kind_of_queue(s->queue()) == PRESIL_ENGINE_NONE;
    if (none && s->queue() < PRESIL_QUEUES) {
      throw Refusal("streams", stream +
                                   " is of an engine from outside that is not loaded; name its "
                                   "folder: --engine DIR, or PRESIL_ENGINES");
    }
    if (none || streams[s->queue()] != nullptr) {
      throw Refusal("streams",
                    stream + " is of no queue, or there twice; compile the network again");
    }
    const uint64_t size = l.image()->size();
    const uint64_t bytes = uint64_t{s->commands()} * format_of(s->queue()).pitch_bytes;
    if (s->offset() > size || bytes > size - s->offset()) {
      throw Refusal("streams", stream + " ends at " + std::to_string(s->offset() + bytes) +
                                   ", outside the image of " + std::to_string(size) +
                                   " bytes; compile the network again");
    }
    streams[s->queue()] = s;
  }
  return streams;
}

std::string stream_text(const loadable::Loadable& l) {
  const Streams streams = streams_of(l);
  std::string text;
  for (const loadable::Command* entry : *l.commands()) {
    const uint8_t queue = entry->queue();
    const bool known = queue < PRESIL_QUEUES && streams[queue] != nullptr;
    if (!known || entry->index() >= streams[queue]->commands()) {
      throw Refusal("streams", "the debug map names command " + std::to_string(entry->index()) +
                                   " of queue " + std::to_string(queue) +
                                   ", which no stream has; compile the network again");
    }
    const presil_command_format& format = format_of(queue);
    uint32_t words[kMaxCommandWords];
    std::memcpy(words,
                l.image()->data() + streams[queue]->offset() +
                    uint64_t{entry->index()} * format.pitch_bytes,
                format.word_count * sizeof *words);
    text += queue_name(queue) + " " + std::to_string(entry->index()) + ": " +
            presil::command_to_text(format, words) + comment(l, *entry) + "\n";
  }
  return text;
}

std::vector<uint32_t> words_of(const std::vector<plan::ScheduledCommand>& commands, uint8_t queue) {
  std::vector<uint32_t> words;
  for (const plan::ScheduledCommand& command : commands) {
    if (command.queue != queue) continue;
    plan::append(command.word, words);
  }
  return words;
}

}  // namespace presil::emit
