#include "compiler_bridge/plan/word.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "rtl/common/command_text.h"
#include "rtl/soc/engines.h"

namespace presil::plan {
namespace {

uint8_t counter_of(uint8_t queue) {
  return static_cast<uint8_t>(PRESIL_QUEUE_COUNTER(queue));
}

struct PutWaits {
  const Ordered& ordered;
  const uint32_t job_span;

  void operator()(dla::Command& c) const {
    put(ordered.waits[0], c.wait_weights, c.wait_weights_value);
    put(ordered.waits[1], c.wait_in, c.wait_in_value);
    put(ordered.waits[2], c.wait_out, c.wait_out_value);
    c.fence = ordered.fence;
  }
  void operator()(dsp::Command& c) const {
    put(ordered.waits[0], c.wait0, c.wait0_value);
    put(ordered.waits[1], c.wait1, c.wait1_value);
    put(ordered.waits[2], c.wait2, c.wait2_value);
  }
  void operator()(OutsideCommand& c) const {
    const presil_engine_description& engine = c.engine();
    if (ordered.fence) throw std::logic_error(std::string(engine.name) + ": it has no fence");
    for (unsigned port = 0; port < engine.waits && port < kGates; ++port) {
      uint8_t id = 0;
      int32_t value = 0;
      put(ordered.waits[port], id, value);
      c.set(engine.wait[port], id);
      c.set(engine.value[port], value);
    }
  }
  template <class Command>
  void operator()(Command& c) const {
    put(ordered.waits[0], c.wait0, c.wait0_value);
    put(ordered.waits[1], c.wait1, c.wait1_value);
    c.fence = ordered.fence;
  }
  void put(const Wait& wait, uint8_t& id, int32_t& value) const {
    if (wait.count == 0) return;
    id = counter_of(wait.queue);
    value = static_cast<int32_t>(wait.count) - static_cast<int32_t>(wait.before ? job_span : 0);
  }
};

/// Calls `own` with a command of presil's own engines, `outside` with one of another.
template <class AnyWord, class Own, class Outside>
void visit(AnyWord& word, Own&& own, Outside&& outside) {
  if (auto* c = std::get_if<OutsideCommand>(&word)) return outside(*c);
  std::visit(
      [&](auto& c) {
        using Command = std::decay_t<decltype(c)>;
        if constexpr (!std::is_same_v<Command, OutsideCommand>) own(c);
      },
      word);
}

}  // namespace

OutsideCommand::OutsideCommand(const presil_engine_description& engine) : m_engine(&engine) {
  const presil_command_format& format = *engine.format();
  if (format.isa_version_field >= 0) {
    const auto field = static_cast<unsigned>(format.isa_version_field);
    set(field, format.fields[field].min);
  }
}

OutsideCommand::OutsideCommand(const presil_engine_description& engine,
                               const std::vector<uint32_t>& words)
    : m_engine(&engine) {
  if (words.size() != engine.format()->word_count) {
    throw std::logic_error(std::string("engine ") + engine.name + ": command() has made " +
                           std::to_string(words.size()) + " words, must make " +
                           std::to_string(engine.format()->word_count));
  }
  std::copy(words.begin(), words.end(), m_words.begin());
}

void OutsideCommand::set(unsigned field, int64_t value) {
  presil_field_set(m_words.data(), &m_engine->format()->fields[field], value);
}

int64_t OutsideCommand::get(unsigned field) const {
  return presil_field_get(m_words.data(), &m_engine->format()->fields[field]);
}

Word nop_of(uint8_t queue) {
  const unsigned kind = presil_kind_of_queue(queue);
  switch (kind) {
    case PRESIL_ENGINE_DLA:
      return dla::Command{};
    case PRESIL_ENGINE_DSP:
      return dsp::Command{};
    case PRESIL_ENGINE_HOST:
      return host::Command{};
    case PRESIL_ENGINE_DMA:
      return dma::Command{};
    default:
      return OutsideCommand(*presil_engine_description_of(kind));
  }
}

size_t wait_ports(uint8_t queue) {
  const presil_engine_description& engine =
      *presil_engine_description_of(presil_kind_of_queue(queue));
  return std::min<size_t>(engine.waits, kGates);
}

void put_waits(Word& word, const Ordered& ordered, uint32_t job_span) {
  std::visit(PutWaits{ordered, job_span}, word);
}

void put_signal(Word& word, uint8_t counter, uint32_t add) {
  visit(
      word,
      [&](auto& c) {
        c.signal = counter;
        c.signal_add = static_cast<uint16_t>(add);
      },
      [&](OutsideCommand& c) {
        c.set(c.engine().signal, counter);
        c.set(c.engine().signal_add, add);
      });
}

void put_tag(Word& word, uint32_t tag) {
  visit(
      word, [&](auto& c) { c.tag = tag; }, [&](OutsideCommand& c) { c.set(c.engine().tag, tag); });
}

Signal signal_of(const Word& word) {
  Signal signal;
  visit(
      word,
      [&](const auto& c) {
        signal = {c.signal, c.signal_add};
      },
      [&](const OutsideCommand& c) {
        signal = {static_cast<uint8_t>(c.get(c.engine().signal)),
                  static_cast<uint32_t>(c.get(c.engine().signal_add))};
      });
  return signal;
}

std::string violation_of(const Word& word) {
  std::string text;
  visit(
      word,
      [&](const auto& c) {
        if (const auto violation = c.check()) text = to_text(*violation) + " in " + c.to_text();
      },
      [&](const OutsideCommand& c) {
        const presil_command_format& format = *c.engine().format();
        presil_violation violation{};
        if (presil_command_check(&format, c.words(), &violation) != PRESIL_QUEUE_ERROR_CODE_NONE) {
          text = to_text(violation) + " in " + command_to_text(format, c.words());
        }
      });
  return text;
}

void append(const Word& word, std::vector<uint32_t>& words) {
  const size_t at = words.size();
  visit(
      word,
      [&](const auto& c) {
        words.resize(at + c.kPitch / sizeof(uint32_t), 0);
        c.encode(words.data() + at);
      },
      [&](const OutsideCommand& c) {
        const presil_command_format& format = *c.engine().format();
        words.resize(at + format.pitch_bytes / sizeof(uint32_t), 0);
        std::copy_n(c.words(), format.word_count, words.begin() + static_cast<ptrdiff_t>(at));
      });
}

}  // namespace presil::plan
