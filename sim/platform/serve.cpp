#include "sim/platform/serve.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rtl/soc/address_map.h"
#include "sim/platform/own_device.h"
#include "sim/platform/served_network.h"
#include "sim/platform/session.h"

namespace presil::platform {
namespace {

using nlohmann::json;

constexpr int kHardware = 3;
constexpr unsigned kInDriver = 2;  ///< jobs of a network that the driver has, one of them in line
constexpr Cycle kFarAway = Cycle{1} << 50;
constexpr size_t kNone = std::numeric_limits<size_t>::max();

struct Request {
  size_t network;
  Cycle arrival;
  unsigned sample;
  uint32_t job = 0;
  Cycle started = -1, ended = -1;
  uint32_t held = 0;
  uint64_t different = 0;
  bool asked = false;  ///< the driver has it
};

/// A job has the engines.
struct Span {
  uint32_t job;
  Cycle begin, end;
};

class Server {
 public:
  Server(Soc& soc, const SocConfig& config, const json& message);
  ~Server();
  json run();

 private:
  Cycle alone(size_t network, std::vector<Cycle>* segments = nullptr);
  void choose_borders(size_t network);
  void all_requests();
  void start(size_t request);
  void start_what_can();
  void sleep_until(Cycle cycle);
  void service();
  void read_events();
  void event(const presil_event& event);
  void end(size_t request);
  void look_for_hang(bool dead);
  [[noreturn]] void fail_late(size_t network, uint32_t job, const std::string& what);
  presil_wait_result wait_until(Cycle cycle);
  [[noreturn]] void fail() const;
  json busy() const;
  json answer() const;
  Cycle cycle_of(uint64_t ns) const;

  Soc& m_soc;
  const presil_port* m_port;
  Cycle m_period_ps;
  Cycle m_timeout;
  SharedTensors m_memory;
  OwnDevice m_device;
  std::vector<std::unique_ptr<ServedNetwork>> m_networks;
  std::vector<Request> m_requests;             ///< by arrival
  std::vector<std::deque<size_t>> m_waiting;   ///< by network: requests not yet with the driver
  std::vector<std::vector<size_t>> m_started;  ///< by network: those it has, oldest first
  std::vector<size_t> m_network_of_job;
  std::map<uint32_t, size_t> m_request_of_job;
  std::vector<Span> m_spans;
  uint32_t m_holder = UINT32_MAX;  ///< job that has the engines
  presil_event m_last{};           ///< event that has been seen
  Cycle m_begin = 0;
  size_t m_done = 0;
  json m_alone = json::array();
  json m_first;  ///< byte that differs
  /// By network and queue.
  std::vector<std::vector<Cycle>> m_busy;
  std::vector<std::pair<uint64_t, uint64_t>> m_dram;  ///< by network: bytes read, written
  std::vector<std::pair<Cycle, Cycle>> m_host;        ///< host tasks: begin, busy cycles
};

Server::Server(Soc& soc, const SocConfig& config, const json& message)
    : m_soc(soc),
      m_port(soc.port()),
      m_period_ps(static_cast<Cycle>(1000000 / config.clock_mhz)),
      m_timeout(message.at("timeout_cycles")),
      m_memory(message.at("memory").get<std::string>()),
      m_device(soc, config) {
  for (const json& about : message.at("networks"))
    m_networks.push_back(std::make_unique<ServedNetwork>(m_device.get(), about, m_memory));
  for (const json& r : message.at("requests"))
    m_requests.push_back({r.at(0).get<size_t>(), r.at(1).get<Cycle>(), r.at(2).get<unsigned>()});
  m_waiting.resize(m_networks.size());
  m_started.resize(m_networks.size());
  m_busy.assign(m_networks.size(), std::vector<Cycle>(PRESIL_QUEUES, 0));
  m_dram.resize(m_networks.size());
  presil_device_set_depth(m_device.get(), 1);  // what is next is decided as late as can be
  m_soc.observe([this](const CommandRecord& record) {
    if (record.queue == PRESIL_QUEUE_HOST) {  // of the job that has the engines then
      m_host.emplace_back(record.start, record.cycles.busy());
      return;
    }
    if (record.job >= m_network_of_job.size()) return;
    const size_t network = m_network_of_job[record.job];
    m_busy[network][record.queue] += record.cycles.busy();
    m_dram[network].first += record.dram_read_bytes;
    m_dram[network].second += record.dram_written_bytes;
  });
}

Server::~Server() {
  m_soc.observe([](const CommandRecord&) {});
}

Cycle Server::cycle_of(uint64_t ns) const {
  return (static_cast<Cycle>(ns) * 1000 + m_period_ps - 1) / m_period_ps;  // of a rounded-down time
}

void Server::fail() const {
  throw Failure(kHardware, presil_error(m_device.get())->text);
}

// From its arrival to its end, nothing else being there.
// segments: cycles from border to border.
Cycle Server::alone(size_t network, std::vector<Cycle>* segments) {
  ServedNetwork& n = *m_networks[network];
  n.put(0);
  const Cycle begin = m_soc.now();
  uint32_t job = 0;
  m_network_of_job.push_back(network);
  if (presil_job_submit(n.get(), &job) != PRESIL_OK) fail();
  presil_job_info info{};
  Cycle border = begin;
  for (unsigned passed = 0; info.state != PRESIL_JOB_ENDED;) {
    if (presil_job_poll(n.get(), job, &info) != PRESIL_OK) fail();
    if (segments != nullptr && (info.borders != passed || info.state == PRESIL_JOB_ENDED))
      segments->push_back(m_soc.now() - std::exchange(border, m_soc.now()));
    passed = info.borders;
    if (info.state == PRESIL_JOB_ENDED) break;
    const bool dead = wait_until(begin + m_timeout) == PRESIL_WAIT_DEAD;
    if (dead || m_soc.now() - begin >= m_timeout) fail_late(network, job, "a job alone");
  }
  const Cycle cycles = m_soc.now() - begin;
  if (presil_job_wait(n.get(), job, 0) != PRESIL_OK) fail();
  std::vector<std::pair<unsigned, uint64_t>> first;
  if (n.different(job, 0, first) != 0 && m_first.is_null())
    m_first = {{"network", network}, {"output", first[0].first}, {"byte", first[0].second}};
  return cycles;
}

// Every border costs the engines a stand: of the layers' borders those are kept that the longest
// layer asks for. What is between two of them takes no longer than it does.
void Server::choose_borders(size_t network) {
  ServedNetwork& n = *m_networks[network];
  n.set_preemptible();
  std::vector<Cycle> times;
  const Cycle every = alone(network, &times);
  const std::vector<uint32_t> all = n.borders();
  std::vector<std::pair<uint32_t, Cycle>> layers;
  Cycle longest = 0, since = 0;
  for (size_t i = 0; i < all.size() && i < times.size(); ++i) {
    layers.emplace_back(all[i], times[i]);
    longest = std::max(longest, times[i]);
  }
  std::vector<uint32_t> borders;
  json told = json::array();
  for (const auto& [layer, cycles] : layers) {
    if (borders.empty() || since + cycles > longest) {
      borders.push_back(layer);
      since = 0;
    }
    since += cycles;
    told.push_back({layer, cycles});
  }
  n.set_preemptible(borders);
  json& one = m_alone[network];
  one["layers"] = std::move(told);
  one["borders"] = borders;
  one["every_border_cycles"] = every;
  one["by_layer_cycles"] = alone(network);
}

json Server::run() {
  for (size_t i = 0; i < m_networks.size(); ++i) {
    m_alone.push_back({{"cycles", alone(i)}});
    if (m_networks[i]->preemptible()) choose_borders(i);
    m_networks[i]->set_in_flight(kInDriver);
  }
  for (auto& queues : m_busy) std::fill(queues.begin(), queues.end(), 0);
  std::fill(m_dram.begin(), m_dram.end(), std::pair<uint64_t, uint64_t>{});
  m_host.clear();
  read_events();
  m_spans.clear();
  m_begin = m_soc.now();
  all_requests();
  return answer();
}

void Server::all_requests() {
  for (size_t next = 0; m_done < m_requests.size();) {
    while (next < m_requests.size() && m_begin + m_requests[next].arrival <= m_soc.now()) {
      m_waiting[m_requests[next].network].push_back(next);
      ++next;
    }
    start_what_can();
    const size_t done = m_done;
    service();
    if (m_done != done) continue;  // its network's next one can start
    if (next < m_requests.size() && m_begin + m_requests[next].arrival <= m_soc.now()) continue;
    sleep_until(next < m_requests.size() ? m_begin + m_requests[next].arrival : kFarAway);
  }
}

void Server::start_what_can() {
  for (;;) {  // the oldest of all whose network has memory for one more
    size_t oldest = kNone;
    for (size_t n = 0; n < m_networks.size(); ++n) {
      if (m_waiting[n].empty() || m_started[n].size() >= kInDriver) continue;
      oldest = std::min(oldest, m_waiting[n].front());
    }
    if (oldest == kNone) return;
    m_waiting[m_requests[oldest].network].pop_front();
    start(oldest);
  }
}

void Server::start(size_t request) {
  Request& r = m_requests[request];
  ServedNetwork& n = *m_networks[r.network];
  n.put(r.sample);
  presil_job_options options{};
  options.priority = n.priority();
  m_request_of_job[static_cast<uint32_t>(m_network_of_job.size())] = request;
  m_network_of_job.push_back(r.network);
  m_started[r.network].push_back(request);
  if (presil_job_start(n.get(), &options, &r.job) != PRESIL_OK) fail();
  r.asked = true;
  read_events();
}

void Server::service() {
  if (presil_device_service(m_device.get()) == UINT32_MAX) fail();
  read_events();
}

// What has the engines when, and what has ended: the driver's log, of which it keeps the newest.
void Server::read_events() {
  presil_event events[PRESIL_EVENTS];
  const uint32_t count = presil_events(m_device.get(), events, PRESIL_EVENTS);
  uint32_t first = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const presil_event& e = events[i];
    if (e.time_ns == m_last.time_ns && e.kind == m_last.kind && e.job == m_last.job) first = i + 1;
  }
  for (uint32_t i = first; i < count; ++i) event(events[i]);
  if (count > 0) m_last = events[count - 1];
}

void Server::event(const presil_event& e) {
  const Cycle at = cycle_of(e.time_ns);
  const auto found = m_request_of_job.find(e.job);
  switch (e.kind) {
    case PRESIL_EVENT_STARTED:
    case PRESIL_EVENT_RESUMED:
      m_holder = e.job;
      m_spans.push_back({e.job, at, at});
      if (found != m_request_of_job.end() && e.kind == PRESIL_EVENT_STARTED)
        m_requests[found->second].started = at;
      break;
    case PRESIL_EVENT_HELD:
      if (m_holder == e.job) m_spans.back().end = at;
      if (found != m_request_of_job.end()) ++m_requests[found->second].held;
      break;
    case PRESIL_EVENT_ENDED:
      if (m_holder == e.job) m_spans.back().end = at;
      m_holder = UINT32_MAX;
      if (found == m_request_of_job.end()) break;
      m_requests[found->second].ended = at;
      end(found->second);
      break;
    default:
      break;
  }
}

void Server::end(size_t request) {
  Request& r = m_requests[request];
  ServedNetwork& n = *m_networks[r.network];
  std::vector<std::pair<unsigned, uint64_t>> first;
  if (presil_job_wait(n.get(), r.job, 0) != PRESIL_OK) fail();  // it has ended: at once
  r.different = n.different(r.job, r.sample, first);
  if (r.different != 0 && m_first.is_null()) {
    m_first = {{"network", r.network},
               {"request", request},
               {"output", first[0].first},
               {"byte", first[0].second}};
  }
  auto& started = m_started[r.network];
  started.erase(std::find(started.begin(), started.end(), request));
  ++m_done;
}

presil_wait_result Server::wait_until(Cycle cycle) {
  const Cycle cycles = cycle - m_soc.now();
  if (cycles <= 0) return PRESIL_WAIT_TIMED_OUT;
  return m_port->wait(m_port->self, static_cast<uint64_t>((cycles * m_period_ps + 999) / 1000));
}

/// Until then, an interrupt, or the time by which a job must have ended.
void Server::sleep_until(Cycle cycle) {
  for (const auto& started : m_started) {
    for (const size_t request : started) {
      const Request& r = m_requests[request];
      if (r.started >= 0) cycle = std::min(cycle, r.started + m_timeout);
    }
  }
  look_for_hang(wait_until(cycle) == PRESIL_WAIT_DEAD);
}

void Server::look_for_hang(bool dead) {
  for (const auto& started : m_started) {
    for (const size_t request : started) {
      const Request& r = m_requests[request];
      const bool late = r.started >= 0 && m_soc.now() - r.started >= m_timeout;
      if (dead || late) fail_late(r.network, r.job, "request " + std::to_string(request));
    }
  }
}

/// With what the driver says of where its commands are.
void Server::fail_late(size_t network, uint32_t job, const std::string& what) {
  const ServedNetwork& n = *m_networks[network];
  const bool ended = presil_job_wait(n.get(), job, 1) == PRESIL_OK;  // in this very moment
  const std::string driver = ended ? "" : presil_error(m_device.get())->text;
  const size_t where = std::min(driver.find("; "), driver.size());
  throw Failure(kHardware, "serve: network '" + n.name() + "', " + what + " did not end within " +
                               std::to_string(m_timeout) + " cycles of its start" +
                               driver.substr(where));
}

json Server::busy() const {
  auto busy = m_busy;
  for (const auto& [begin, cycles] : m_host) {
    const auto after = std::upper_bound(m_spans.begin(), m_spans.end(), begin,
                                        [](Cycle at, const Span& span) { return at < span.begin; });
    if (after == m_spans.begin()) continue;
    busy[m_network_of_job[std::prev(after)->job]][PRESIL_QUEUE_HOST] += cycles;
  }
  return busy;
}

json Server::answer() const {
  json requests = json::array(), spans = json::array(), networks = json::array();
  for (const Request& r : m_requests) {
    requests.push_back(
        {r.network, r.arrival, r.started - m_begin, r.ended - m_begin, r.held, r.different});
  }
  for (const Span& s : m_spans) {
    const auto request = m_request_of_job.find(s.job);
    if (request == m_request_of_job.end()) continue;
    spans.push_back({request->second, s.begin - m_begin, s.end - m_begin});
  }
  for (size_t i = 0; i < m_networks.size(); ++i) {
    networks.push_back({{"alone", m_alone[i]},
                        {"output_bytes", m_networks[i]->output_bytes()},
                        {"dram_read", m_dram[i].first},
                        {"dram_written", m_dram[i].second}});
  }
  return {{"networks", networks}, {"requests", requests},         {"spans", spans},
          {"busy", busy()},       {"end", m_soc.now() - m_begin}, {"first", m_first}};
}

}  // namespace

json serve(Soc& soc, const SocConfig& config, const json& message) {
  return Server(soc, config, message).run();
}

}  // namespace presil::platform
