#include "sim/platform/hang_report.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "models/common/command_crc.h"
#include "rtl/soc/engines.h"
#include "rtl/soc/loadable_generated.h"

namespace presil::platform {
namespace {

using nlohmann::json;

constexpr size_t kLast = 16;  ///< commands of each queue that are shown

const char* name_of(queue::State state) {
  switch (state) {
    case queue::State::kIdle:
      return "idle";
    case queue::State::kRunning:
      return "running";
    case queue::State::kWaiting:
      return "waiting";
    case queue::State::kError:
      return "error";
    case queue::State::kStopped:
      return "stopped";
    case queue::State::kDraining:
      return "draining";
  }
  return "unknown";
}

struct Wait {
  unsigned counter = 0;  ///< id
  int64_t value = 0;     ///< relative to the job
  int64_t is = 0;
  bool met = false;
};

class Job {
 public:
  Job(const Soc& soc, const loadable::Loadable& loadable, uint64_t image,
      const std::vector<CommandRecord>& records, unsigned tile)
      : m_soc(soc),
        m_tile(tile),
        m_loadable(loadable),
        m_image(image),
        m_records(records),
        m_streams(PRESIL_QUEUES) {
    for (const loadable::Stream* stream : *loadable.streams()) m_streams[stream->queue()] = stream;
    find_base();
  }

  json report() const {
    json queues = json::array();
    for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
      if (m_streams[q] != nullptr) queues.push_back(queue(q));
    }
    json result = {{"cycle", m_soc.now()}, {"queues", queues}};
    if (const std::string core = m_soc.core_place(); !core.empty()) result["core"] = core;
    add_chain(result);
    return result;
  }

 private:
  // All entries of a job have its value_base; natively the first one has 0.
  void find_base() {
    for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
      const QueueFrontend* front = m_soc.queue(static_cast<uint8_t>(q), m_tile);
      if (m_streams[q] == nullptr || front == nullptr) continue;
      const QueueFrontend::Oldest oldest = front->oldest();
      if (oldest.job) m_base = static_cast<uint32_t>(oldest.job->entry.value_base);
    }
  }
  int64_t count(unsigned id) const {
    return static_cast<int32_t>(m_soc.counter(static_cast<uint8_t>(id), m_tile) - m_base);
  }
  bool done(unsigned q) const { return count(PRESIL_QUEUE_COUNTER(q)) >= m_loadable.job_span(); }

  const presil_engine_description& engine(unsigned q) const {
    return *presil_engine_description_of(presil_kind_of_queue(q));
  }
  const uint32_t* words(unsigned q, uint32_t index) const {
    const presil_command_format& format = *engine(q).format();
    const uint64_t at = m_streams[q]->offset() + uint64_t{index} * format.pitch_bytes;
    const auto* now = reinterpret_cast<const uint32_t*>(m_soc.system(m_image + at));
    const presil_field* crc = crc_field_of(format);
    if (now != nullptr && crc != nullptr && has_crc(now, format.word_count, *crc)) return now;
    return reinterpret_cast<const uint32_t*>(m_loadable.image()->data() + at);
  }
  int64_t field(unsigned q, uint32_t index, int field) const {
    return presil_field_get(words(q, index), &engine(q).format()->fields[field]);
  }

  /// The oldest command that has not ended; nothing: the queue has nothing to run.
  std::optional<uint32_t> oldest(unsigned q) const {
    if (const QueueFrontend* front = m_soc.queue(static_cast<uint8_t>(q), m_tile)) {
      const QueueFrontend::Oldest found = front->oldest();
      if (found.job && found.index < m_streams[q]->commands()) return found.index;
      return {};
    }
    uint32_t next = 0;  // of the host: after its last record
    for (const CommandRecord& r : m_records) {
      if (r.queue == q) next = std::max(next, r.index + 1);
    }
    if (next < m_streams[q]->commands()) return next;
    return {};
  }

  std::vector<Wait> waits(unsigned q, uint32_t index) const {
    std::vector<Wait> result;
    for (unsigned i = 0; i < engine(q).waits; ++i) {
      Wait wait;
      wait.counter = static_cast<unsigned>(field(q, index, engine(q).wait[i]));
      wait.value = field(q, index, engine(q).value[i]);
      if (wait.counter == 0) continue;
      wait.is = count(wait.counter);
      wait.met = wait.is >= wait.value;
      result.push_back(wait);
    }
    return result;
  }

  /// The command with which a queue's signals come to `value`.
  std::optional<uint32_t> signaller(unsigned q, int64_t value) const {
    if (q >= PRESIL_QUEUES || m_streams[q] == nullptr) return {};
    int64_t sum = 0;
    for (uint32_t i = 0; i < m_streams[q]->commands(); ++i) {
      if (field(q, i, engine(q).signal) != 0) sum += field(q, i, engine(q).signal_add);
      if (sum >= value) return i;
    }
    return {};
  }

  json command(unsigned q, uint32_t index) const {
    json result = {{"queue", presil_queue_name(q)}, {"command", index}};
    const auto tag = static_cast<uint64_t>(field(q, index, engine(q).tag));
    if (tag >= m_loadable.commands()->size()) return result;
    const int32_t layer = m_loadable.commands()->Get(static_cast<unsigned>(tag))->layer();
    result["tag"] = tag;
    if (layer >= 0)
      result["layer"] = m_loadable.layers()->Get(static_cast<unsigned>(layer))->name()->str();
    return result;
  }

  std::string does(unsigned q) const {
    const auto index = oldest(q);
    if (done(q)) return "has done all of the job";
    if (!index) return "has nothing to run";
    for (const Wait& wait : waits(q, *index)) {
      if (!wait.met) return "waits at command " + std::to_string(*index);
    }
    const QueueFrontend* front = m_soc.queue(static_cast<uint8_t>(q), m_tile);
    if (front != nullptr && front->stands())
      return "stands before command " + std::to_string(*index);
    return "is at command " + std::to_string(*index);
  }

  json queue(unsigned q) const {
    const QueueFrontend* front = m_soc.queue(static_cast<uint8_t>(q), m_tile);
    json result = {{"queue", presil_queue_name(q)},
                   {"commands", m_streams[q]->commands()},
                   {"counter", count(PRESIL_QUEUE_COUNTER(q))},
                   {"of", m_loadable.job_span()},
                   {"done", done(q)},
                   {"does", does(q)}};
    if (front != nullptr) result["state"] = name_of(front->state());
    if (const auto index = oldest(q); index && !done(q)) {
      result["oldest"] = command(q, *index);
      json& all = result["waits"] = json::array();
      for (const Wait& wait : waits(q, *index)) {
        all.push_back(
            {{"counter", wait.counter}, {"value", wait.value}, {"is", wait.is}, {"met", wait.met}});
        const unsigned by = wait.counter - PRESIL_QUEUE_COUNTER(0);
        if (const auto command_of = signaller(by, wait.value)) {
          all.back()["signaller"] = command(by, *command_of);
          all.back()["signaller"]["does"] = does(by);
        }
      }
    }
    result["last"] = last(q);
    return result;
  }

  json last(unsigned q) const {
    std::vector<const CommandRecord*> own;
    for (const CommandRecord& r : m_records) {
      if (r.queue == q) own.push_back(&r);
    }
    json result = json::array();
    for (size_t i = own.size() > kLast ? own.size() - kLast : 0; i < own.size(); ++i) {
      json one = command(q, own[i]->index);
      one["start"] = own[i]->start;
      one["end"] = own[i]->end;
      result.push_back(one);
    }
    return result;
  }

  /// From the first queue that has not ended, from waiting queue to signaller, to one that waits
  /// for none.
  void add_chain(json& result) const {
    json chain = json::array();
    std::vector<unsigned> seen;
    unsigned q = 0;
    while (q < PRESIL_QUEUES && (m_streams[q] == nullptr || done(q))) ++q;
    if (q == PRESIL_QUEUES) {
      result["chain"] = chain;
      result["culprit"] = {{"queue", "host"},
                           {"why",
                            "every queue has done the job, the host has not seen it: an "
                            "interrupt is lost"}};
      return;
    }
    for (;;) {
      const auto index = oldest(q);
      json link = index ? command(q, *index) : json{{"queue", presil_queue_name(q)}};
      const auto unmet = index ? first_unmet(q, *index) : std::optional<Wait>();
      if (!unmet) {
        link["why"] = why(q, index);
        chain.push_back(link);
        result["culprit"] = link;
        break;
      }
      link["counter"] = unmet->counter;
      link["value"] = unmet->value;
      link["is"] = unmet->is;
      chain.push_back(link);
      const unsigned by = unmet->counter - PRESIL_QUEUE_COUNTER(0);
      const bool again = std::find(seen.begin(), seen.end(), q) != seen.end();
      seen.push_back(q);
      const auto signals = signaller(by, unmet->value);
      if (again || !signals) {
        link["why"] = again ? "each waits for the next in a circle"
                            : "no command signals counter " + std::to_string(unmet->counter) +
                                  " up to " + std::to_string(unmet->value);
        result["culprit"] = link;
        break;
      }
      if (done(by)) {
        link["why"] = presil_queue_name(by) +
                      std::string(
                          " has done all of the job, yet the counter is lower: a signal "
                          "is lost");
        result["culprit"] = link;
        break;
      }
      q = by;
    }
    result["chain"] = chain;
  }

  std::optional<Wait> first_unmet(unsigned q, uint32_t index) const {
    for (const Wait& wait : waits(q, index)) {
      if (!wait.met) return wait;
    }
    return {};
  }

  size_t ended(unsigned q) const {
    return static_cast<size_t>(std::count_if(m_records.begin(), m_records.end(),
                                             [q](const CommandRecord& r) { return r.queue == q; }));
  }

  std::string why(unsigned q, std::optional<uint32_t> index) const {
    const QueueFrontend* front = m_soc.queue(static_cast<uint8_t>(q), m_tile);
    if (!index && ended(q) == m_streams[q]->commands()) {
      return "has run all its commands, its counter is " +
             std::to_string(count(PRESIL_QUEUE_COUNTER(q))) + " of " +
             std::to_string(m_loadable.job_span()) + ": a signal is missing";
    }
    if (!index) {
      return front != nullptr && front->state() == queue::State::kIdle && front->jobs() == 0
                 ? "has nothing to run: its doorbell was lost, or it was reset"
                 : "has a job and no command: its entry or its first command is being fetched";
    }
    if (front == nullptr) return "has all it waits for: the host has not run it";
    if (front->stands())
      return "has all it waits for and stands: its clock or the engine is stopped";
    return "has all it waits for and has not ended";
  }

  const Soc& m_soc;
  const unsigned m_tile;
  const loadable::Loadable& m_loadable;
  uint64_t m_image;
  const std::vector<CommandRecord>& m_records;
  std::vector<const loadable::Stream*> m_streams;  ///< by queue
  uint32_t m_base = 0;                             ///< value_base of the job
};

}  // namespace

json hang_report(const Soc& soc, const loadable::Loadable& loadable, uint64_t image,
                 const std::vector<CommandRecord>& records, unsigned tile) {
  return Job(soc, loadable, image, records, tile).report();
}

}  // namespace presil::platform
