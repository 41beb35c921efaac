#include "compiler_bridge/replay/streams.h"

#include <cstdlib>
#include <cstring>

#include "compiler_bridge/engine/engine_compiler.h"
#include "compiler_bridge/engine/joined.h"
#include "models/base/refusal.h"
#include "rtl/soc/engines.h"

namespace presil::replay {
namespace {

/// A whole number of the SoC that the file was made for: "dla.macs_k=16".
unsigned parameter(const loadable::Loadable& l, const std::string& name) {
  const std::string text = "\n" + l.soc_text()->str(), line = "\n" + name + "=";
  const size_t at = text.find(line);
  const unsigned long value =
      at == std::string::npos ? 0 : std::strtoul(text.c_str() + at + line.size(), nullptr, 10);
  if (value == 0 || value > 64 || value % 16 != 0) {
    throw Refusal("memory", "the loadable's SoC has no sound " + name +
                                ", must be 16, 32, 48 or 64; compile the network again");
  }
  return static_cast<unsigned>(value);
}

class Reader {
 public:
  explicit Reader(const loadable::Loadable& l)
      : m_l(l), m_array{parameter(l, "dla.macs_k"), parameter(l, "dla.macs_c")} {}

  Queues all() {
    Queues queues;
    for (const loadable::Stream* s : *m_l.streams()) {
      const unsigned kind = presil_kind_of_queue(s->queue());
      if (kind == PRESIL_ENGINE_NONE) {
        throw Refusal("memory", "a stream is for queue " + std::to_string(s->queue()) +
                                    ", must be one that an engine has (0 .. " +
                                    std::to_string(PRESIL_OWN_QUEUES - 1) +
                                    ", or of one that is loaded: --engine)");
      }
      std::vector<Command>& commands = queues[s->queue()];
      switch (kind) {
        case PRESIL_ENGINE_DLA:
          read<dla::Command>(*s, commands);
          break;
        case PRESIL_ENGINE_HOST:
          read<host::Command>(*s, commands);
          break;
        case PRESIL_ENGINE_DSP:
          read<dsp::Command>(*s, commands);
          break;
        case PRESIL_ENGINE_DMA:
          read<dma::Command>(*s, commands);
          break;
        default:
          read_outside(*s, *presil_engine_description_of(kind), commands);
      }
    }
    return queues;
  }

 private:
  template <class C>
  void read(const loadable::Stream& s, std::vector<Command>& commands) {
    check_inside(s, C::kPitch);
    for (uint32_t i = 0; i < s.commands(); ++i) {
      uint32_t words[C::kWords];
      std::memcpy(words, at(s, i, C::kPitch), sizeof words);
      const C word = C::decode(words);
      Command command;
      command.queue = s.queue();
      command.index = i;
      name(command, word.tag);
      command.nop = static_cast<unsigned>(word.op) == 0;
      command.fence = word.fence;
      command.signal = word.signal;
      command.add = word.signal_add;
      fill(command, word);
      commands.push_back(std::move(command));
    }
  }

  /// Of an engine from outside, which says itself what its commands touch.
  void read_outside(const loadable::Stream& s, const presil_engine_description& engine,
                    std::vector<Command>& commands) {
    const presil_command_format& format = *engine.format();
    const engine::Joined* joined = engine::find(engine.name);
    if (joined == nullptr || joined->compiler == nullptr) {
      throw Refusal("memory", "the stream of " + std::string(presil_queue_name(s.queue())) +
                                  " cannot be checked: its engine does not say what its commands "
                                  "touch; give it a compiler part (compiler_bridge/engine)");
    }
    check_inside(s, format.pitch_bytes);
    const auto get = [&](const uint32_t* words, unsigned field) {
      return presil_field_get(words, &format.fields[field]);
    };
    for (uint32_t i = 0; i < s.commands(); ++i) {
      uint32_t words[PRESIL_MAX_COMMAND_WORDS] = {};
      std::memcpy(words, at(s, i, format.pitch_bytes), format.word_count * sizeof *words);
      Command command;
      command.queue = s.queue();
      command.index = i;
      name(command, static_cast<uint32_t>(get(words, engine.tag)));
      command.nop = get(words, static_cast<unsigned>(format.op_field)) == 0;
      command.signal = static_cast<unsigned>(get(words, engine.signal));
      command.add = get(words, engine.signal_add);
      for (unsigned port = 0; port < engine.waits && port < kGates; ++port) {
        command.waits[port] = {static_cast<uint8_t>(get(words, engine.wait[port])),
                               static_cast<int32_t>(get(words, engine.value[port]))};
      }
      if (!command.nop) {
        for (const engine::Bytes& b : joined->compiler->touched(words)) {
          command.accesses.push_back(
              {kIn, b.write, b.write ? "result" : "operand", {{kSram, b.begin, b.end}}});
        }
      }
      commands.push_back(std::move(command));
    }
  }

  void check_inside(const loadable::Stream& s, unsigned pitch) const {
    const uint64_t size = m_l.image()->size(), bytes = uint64_t{s.commands()} * pitch;
    if (s.offset() <= size && bytes <= size - s.offset()) return;
    throw Refusal("memory", "the stream of " + std::string(presil_queue_name(s.queue())) +
                                " ends at " + std::to_string(s.offset() + bytes) +
                                " of an image of " + std::to_string(size) +
                                " bytes; compile the network again");
  }

  const uint8_t* at(const loadable::Stream& s, uint32_t command, unsigned pitch) const {
    return m_l.image()->data() + s.offset() + uint64_t{command} * pitch;
  }

  void name(Command& command, uint32_t tag) {
    command.name =
        std::string(presil_queue_name(command.queue)) + " " + std::to_string(command.index);
    if (tag >= m_l.commands()->size()) {
      throw Refusal("memory", command.name + " has tag " + std::to_string(tag) +
                                  ", beyond the debug map; compile the network again");
    }
    const loadable::Command& entry = *m_l.commands()->Get(tag);
    if (entry.layer() < 0) return;
    command.layer = entry.layer();
    command.name += " (" + m_l.layers()->Get(static_cast<uint32_t>(entry.layer()))->name()->str();
    if (entry.tile() != 0) command.name += " tile " + std::to_string(entry.tile());
    command.name += ")";
  }

  /// One run of bytes from one address to another.
  static std::optional<Loaded> loaded(const std::vector<Access>& accesses) {
    if (accesses.size() != 2 || accesses[0].spans.size() != 1 || accesses[1].spans.size() != 1) {
      return std::nullopt;
    }
    const Span &from = accesses[0].spans[0], &to = accesses[1].spans[0];
    if (from.end - from.begin != to.end - to.begin) return std::nullopt;
    return Loaded{to.begin, from.begin, to.end - to.begin};
  }

  void fill(Command& command, const dla::Command& c) {
    command.waits[kWeights] = {c.wait_weights, c.wait_weights_value};
    command.waits[kIn] = {c.wait_in, c.wait_in_value};
    command.waits[kOut] = {c.wait_out, c.wait_out_value};
    command.accesses = accesses_of(c, m_array);
  }
  void fill(Command& command, const dma::Command& c) {
    command.waits[0] = {c.wait0, c.wait0_value};
    command.waits[1] = {c.wait1, c.wait1_value};
    command.local = c.op == dma::Op::kCopy && c.src_space == c.dst_space;
    command.accesses = accesses_of(c);
    command.loaded = loaded(command.accesses);
    const bool constants =
        c.src_space == dma::Space::kSystem && c.src_region == PRESIL_REGION_CONSTANTS;
    if (!constants || c.dst_space != dma::Space::kSram || c.xor80) command.loaded.reset();
  }
  void fill(Command& command, const dsp::Command& c) {
    command.waits[0] = {c.wait0, c.wait0_value};
    command.waits[1] = {c.wait1, c.wait1_value};
    command.waits[2] = {c.wait2, c.wait2_value};
    command.accesses = accesses_of(c);
    if (c.op != dsp::Op::kRun) return;
    command.arguments = command.accesses.front().spans.front();
    command.regions = command.accesses.back().spans.front();
  }
  void fill(Command& command, const host::Command& c) {
    command.waits[0] = {c.wait0, c.wait0_value};
    command.waits[1] = {c.wait1, c.wait1_value};
    command.accesses = accesses_of(c, m_l.image()->data(), m_l.image()->size());
  }

  const loadable::Loadable& m_l;
  const Array m_array;
};

}  // namespace

Queues read_streams(const loadable::Loadable& l) {
  return Reader(l).all();
}

}  // namespace presil::replay
