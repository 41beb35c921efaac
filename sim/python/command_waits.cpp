#include "sim/python/command_waits.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>

#include "rtl/dla/dla_command.h"
#include "rtl/dma/dma_command.h"
#include "rtl/dsp/dsp_command.h"
#include "rtl/host/host_command.h"
#include "rtl/soc/address_map.h"
#include "rtl/soc/loadable_generated.h"
#include "sim/platform/loadable_file.h"

namespace presil::python {
namespace {

struct Wait {
  unsigned counter = 0;
  int64_t value = 0;
};

std::vector<Wait> waits_of(const dla::Command& c) {
  return {{c.wait_in, c.wait_in_value},
          {c.wait_weights, c.wait_weights_value},
          {c.wait_out, c.wait_out_value}};
}
std::vector<Wait> waits_of(const dma::Command& c) {
  return {{c.wait0, c.wait0_value}, {c.wait1, c.wait1_value}};
}
std::vector<Wait> waits_of(const dsp::Command& c) {
  return {{c.wait0, c.wait0_value}, {c.wait1, c.wait1_value}, {c.wait2, c.wait2_value}};
}
std::vector<Wait> waits_of(const host::Command& c) {
  return {{c.wait0, c.wait0_value}, {c.wait1, c.wait1_value}};
}

/// A counter after each command of a queue that adds to it.
struct Signal {
  int64_t sum;
  uint32_t tag;
};

class Reader {
 public:
  explicit Reader(const loadable::Loadable& l) : m_l(l), m_waits(l.commands()->size()) {
    for (const loadable::Stream* s : *l.streams()) {
      switch (s->queue()) {
        case PRESIL_QUEUE_DLA:
          read<dla::Command>(*s);
          break;
        case PRESIL_QUEUE_DSP:
          read<dsp::Command>(*s);
          break;
        case PRESIL_QUEUE_HOST:
          read<host::Command>(*s);
          break;
        default:
          read<dma::Command>(*s);
      }
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

  template <class C>
  void read(const loadable::Stream& s) {
    const uint64_t size = m_l.image()->size(), bytes = uint64_t{s.commands()} * C::kPitch;
    if (s.offset() > size || bytes > size - s.offset()) {
      throw std::out_of_range("command_waits: a stream leaves the image, which no run takes");
    }
    for (uint32_t i = 0; i < s.commands(); ++i) {
      uint32_t words[C::kWords];
      std::memcpy(words, m_l.image()->data() + s.offset() + uint64_t{i} * C::kPitch, sizeof words);
      const C command = C::decode(words);
      if (command.tag >= m_waits.size()) {
        throw std::out_of_range("command_waits: a tag without an entry, which no run takes");
      }
      m_waits[command.tag] = waits_of(command);
      if (command.signal == 0) continue;
      std::vector<Signal>& signals = m_signals[command.signal];  // a counter has one queue
      signals.push_back(
          {(signals.empty() ? 0 : signals.back().sum) + command.signal_add, command.tag});
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
