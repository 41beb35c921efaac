#include "sim/python/command_waits.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>

#include "rtl/soc/engines.h"
#include "rtl/soc/loadable_generated.h"
#include "sim/platform/loadable_file.h"

namespace presil::python {
namespace {

struct Wait {
  unsigned counter = 0;
  int64_t value = 0;
};

/// A counter after each command of a queue that adds to it.
struct Signal {
  int64_t sum;
  uint32_t tag;
};

class Reader {
 public:
  explicit Reader(const loadable::Loadable& l) : m_l(l), m_waits(l.commands()->size()) {
    for (const loadable::Stream* s : *l.streams()) {
      if (presil_kind_of_queue(s->queue()) == PRESIL_ENGINE_NONE) {
        throw std::out_of_range("command_waits: a stream of no queue, which no run takes");
      }
      read(*s, *presil_engine_description_of(presil_kind_of_queue(s->queue())));
    }
  }

  std::vector<std::vector<int64_t>> producers() const {
    std::vector<std::vector<int64_t>> all(m_waits.size());
    for (size_t tag = 0; tag < m_waits.size(); ++tag) {
      for (const Wait& wait : m_waits[tag]) all[tag].push_back(producer(wait));
    }
    return all;
  }

 private:
  int64_t producer(const Wait& wait) const {
    const auto signals = m_signals.find(wait.counter);
    if (wait.counter == 0 || wait.value <= 0 || signals == m_signals.end()) return -1;
    const std::vector<Signal>& s = signals->second;
    const auto met =
        std::lower_bound(s.begin(), s.end(), wait.value,
                         [](const Signal& signal, int64_t value) { return signal.sum < value; });
    return met == s.end() ? -1 : int64_t{met->tag};
  }

  void read(const loadable::Stream& s, const presil_engine_description& engine) {
    const presil_command_format& format = *engine.format();
    const uint64_t size = m_l.image()->size(), bytes = uint64_t{s.commands()} * format.pitch_bytes;
    if (s.offset() > size || bytes > size - s.offset()) {
      throw std::out_of_range("command_waits: a stream leaves the image, which no run takes");
    }
    for (uint32_t i = 0; i < s.commands(); ++i) {
      uint32_t words[PRESIL_MAX_COMMAND_WORDS];
      std::memcpy(words, m_l.image()->data() + s.offset() + uint64_t{i} * format.pitch_bytes,
                  format.word_count * sizeof *words);
      const auto get = [&](uint16_t field) {
        return presil_field_get(words, &format.fields[field]);
      };
      const auto tag = static_cast<uint32_t>(get(engine.tag));
      if (tag >= m_waits.size()) {
        throw std::out_of_range("command_waits: a tag without an entry, which no run takes");
      }
      m_waits[tag].clear();
      for (uint32_t w = 0; w < engine.waits; ++w) {
        m_waits[tag].push_back({static_cast<unsigned>(get(engine.wait[w])), get(engine.value[w])});
      }
      const auto signal = static_cast<unsigned>(get(engine.signal));
      if (signal == 0) continue;
      std::vector<Signal>& signals = m_signals[signal];  // a counter has one queue
      signals.push_back({(signals.empty() ? 0 : signals.back().sum) + get(engine.signal_add), tag});
    }
  }

  const loadable::Loadable& m_l;
  std::vector<std::vector<Wait>> m_waits;             // by tag
  std::map<unsigned, std::vector<Signal>> m_signals;  // by counter
};

}  // namespace

std::vector<std::vector<int64_t>> command_waits(ByteView bytes) {
  return Reader(platform::open_loadable(bytes.data, bytes.size)).producers();
}

}  // namespace presil::python
