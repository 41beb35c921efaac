#include "sim/platform/session.h"

#include <presil/remote.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "models/base/refusal.h"
#include "rtl/soc/loadable_generated.h"
#include "sim/debug/debugger.h"
#include "sim/engine/loaded_engines.h"
#include "sim/host_cpu/host_cpu.h"
#include "sim/platform/account.h"
#include "sim/platform/divergence_failure.h"
#include "sim/platform/dsp_debug.h"
#include "sim/platform/hang_report.h"
#include "sim/platform/inference_json.h"
#include "sim/platform/job_driver.h"
#include "sim/platform/job_faults.h"
#include "sim/platform/kernels.h"
#include "sim/platform/loadable_file.h"
#include "sim/platform/recorder.h"
#include "sim/platform/serve.h"
#include "sim/platform/shared_tensors.h"
#include "sim/platform/soc.h"
#include "sim/platform/soc_text.h"
#include "sim/platform/tensor_bytes.h"
#include "sim/platform/tile_jobs.h"

namespace presil::platform {
namespace {

using nlohmann::json;

constexpr int kHardware = 3;

host_cpu::Files files_of(const json& host) {
  return {host.at("kind"), host.at("core"), host.at("firmware")};
}

TraceOrder order_of(const json& message) {
  return {message.at("file"), message.at("tags"), message.at("first"), message.at("end"),
          message.at("most")};
}

}  // namespace

/// A tensor whose bytes are copied out when the last of the commands that complete it ends.
struct Kept {
  const loadable::Tensor* tensor;
  uint8_t* to;
  size_t commands;   ///< that complete it, one of each queue
  size_t ended = 0;  ///< of them, in this job
};

struct Session::State {
  Kernels kernels;                 ///< the SoC tells them of programs
  SocConfig config, compiled_for;  ///< the SoC, and what the driver takes it for
  std::unique_ptr<Soc> soc;
  std::unique_ptr<JobDriver> driver;
  std::vector<uint8_t> file;
  const loadable::Loadable* loadable = nullptr;
  std::optional<SharedTensors> shared;
  std::vector<uint8_t*> inputs, outputs;
  std::vector<Kept> kept;
  std::vector<std::vector<size_t>> kept_by_tag;  ///< indices of kept
  Recorder recorder;
  json host;  ///< of message open; null: native
  std::unique_ptr<debug::Debugger> cpu_debugger, dsp_debugger;
  std::unique_ptr<DspDebug> dsp_debug;
  std::optional<JobFaults> faults;
  std::vector<CommandRecord> model_records;  ///< of blocks in lock-step

  void must(presil_status status) const {
    if (status == PRESIL_OK) return;
    throw Failure(status == PRESIL_REFUSED || status == PRESIL_NO_MEMORY ? 2 : 3, driver->error());
  }

  /// A job that does not end is stopped, so that the next one can run; its report is kept.
  /// @return what has happened of the job's faults
  json end_of(presil_status status) {
    json detail = json::object();
    if (status == PRESIL_TIMED_OUT)
      detail["hang"] = hang_report(*soc, *loadable, driver->region_address(PRESIL_REGION_CONSTANTS),
                                   recorder.records());
    std::string report = status == PRESIL_OK ? "" : driver->error();
    if (status == PRESIL_TIMED_OUT) {
      const std::string also = driver->cancel();
      if (!also.empty()) report += "; then " + also;
    }
    const json happened = faults ? faults->disarm() : json();
    if (status == PRESIL_OK && faults) {
      faults->read_outputs(*driver, outputs.size());
      report = faults->abort();
    }
    if (report.empty()) return happened;
    if (faults) detail["faults"] = happened;
    const bool refused = status == PRESIL_REFUSED || status == PRESIL_NO_MEMORY;
    throw Failure(refused ? 2 : kHardware, report, detail.empty() ? json() : detail);
  }

  void must_have_one_tile(const std::string& message) const {
    if (soc->tiles() == 1) return;
    throw Failure(2, "simulation: message " + message + " is of one tile, and the SoC has " +
                         std::to_string(soc->tiles()) + "; message tiles is for them");
  }

  json answer(const json& message);
  json listen(const json& message);
  json open(const json& message);
  json load(const json& message);
  void refuse_other_engines() const;
  json job(const json& message);
  json jobs(const json& message);
  json remote(const json& message);
  json serve_all(const json& message);
  json run_tiles(const json& message);
  json totals(const Soc::DramCounts& before, double began) const;
  presil_status run(uint64_t timeout_ns);
  json reset();
  void open_driver();
  void ended(const CommandRecord& record);
  SpaceBytes spaces() const;
};

json Session::State::open(const json& message) {
  const std::string soc_text = message.at("soc");
  config = soc_of_text(soc_text, message.at("soc_name"));
  if (soc != nullptr) throw Failure(70, "simulation: this process has a SoC already");
  for (const json& place : message.value("engines", json::array())) load_engine(place);
  check_engines(config);
  BlockKinds kinds;
  const json blocks = message.value("blocks", json::object());
  for (const auto& [block, kind] : blocks.items()) set_block(kinds, block, kind);
  compiled_for = soc_of_text(message.value("compiled_for", soc_text), message.at("soc_name"));
  kinds.values = message.value("values", kinds.values);
  kinds.seed = message.value("rtl_seed", kinds.seed);
  kinds.batch = message.value("rtl_batch", kinds.batch);
  if (const auto trace = message.find("trace"); trace != message.end())
    kinds.trace = {trace->at("folder"), trace->at("first"), trace->at("end")};
  soc = std::make_unique<Soc>(config, kinds, rtl_maker());
  soc->observe([this](const CommandRecord& record) { ended(record); });
  soc->watch_programs(&kernels);
  if (dsp_debugger != nullptr) {
    if (config.dsp.units == 0)
      throw Refusal("gdb", "the SoC has no DSP, dsp.units must be 1; or leave dsp:PORT out");
    dsp_debug = std::make_unique<DspDebug>(*soc, *dsp_debugger, kernels);
    soc->watch_programs(dsp_debug.get());
  }
  soc->observe_model([this](const CommandRecord& record) { model_records.push_back(record); });
  host = message.value("host", json());
  open_driver();
  return json::object();
}

/// Before `open`: where debuggers may come to. @return the ports
json Session::State::listen(const json& message) {
  json ports = json::object();
  for (const auto& [core, port] : message.at("ports").items()) {
    auto& debugger = core == "dsp" ? dsp_debugger : cpu_debugger;
    debugger = std::make_unique<debug::Debugger>(port.get<uint16_t>());
    ports[core] = debugger->port();
  }
  return {{"ports", ports}};
}

void Session::State::open_driver() {
  if (cpu_debugger != nullptr && !host.is_null())
    soc->host_cpu(files_of(host)).debug(*cpu_debugger);
  if (host.is_null())
    driver = native_driver(*soc, compiled_for);
  else
    driver = (host.value("image", false) ? image_driver : firmware_driver)(*soc, config, host);
}

/// The tile's reset, after which its software begins anew: device and network as before.
json Session::State::reset() {
  if (driver == nullptr || !driver->loaded())
    throw Failure(70, "simulation: a reset before a network was loaded");
  driver.reset();
  soc->reset();
  open_driver();
  must(driver->load(file));
  return json::object();
}

/// The driver has refused the file: where it is for other engines, that is what to say.
void Session::State::refuse_other_engines() const {
  std::string text;
  try {
    const loadable::Loadable& l = open_loadable(file.data(), file.size());
    text = engines_differ(soc_of_text(l.soc_text()->str(), l.soc_name()->str()), config);
  } catch (const Refusal&) {
    return;  // what the driver says of it
  }
  if (!text.empty()) throw Failure(2, text);
}

json Session::State::load(const json& message) {
  if (driver == nullptr) throw Failure(70, "simulation: a network before a SoC was opened");
  must_have_one_tile("load");
  if (driver->loaded()) {  // one at a time: what was there goes, its memory with it
    driver->unload();
    shared.reset();
  }
  const std::string path = message.at("loadable");
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  if (!stream) throw Failure(2, "loadable: '" + path + "' cannot be read");
  file.resize(static_cast<size_t>(stream.tellg()));
  stream.seekg(0);
  stream.read(reinterpret_cast<char*>(file.data()), static_cast<std::streamsize>(file.size()));
  const presil_status loaded = driver->load(file);
  if (loaded == PRESIL_REFUSED) refuse_other_engines();
  must(loaded);
  try {  // the driver looks at what engines do, this at what is copied out for checks
    loadable = &open_loadable(file.data(), file.size());
  } catch (const Refusal& refusal) {
    throw Failure(2, refusal.what());
  }
  kernels.load(*loadable);
  soc->set_layers(layers_by_tag(*loadable));

  shared.emplace(message.at("memory").get<std::string>());
  const auto places = [&](const char* key, const flatbuffers::Vector<int32_t>& tensors) {
    const std::vector<uint64_t> offsets = message.at(key);
    std::vector<uint8_t*> result;
    for (size_t i = 0; i < tensors.size(); ++i) {
      const auto& tensor = *loadable->tensors()->Get(static_cast<unsigned>(tensors.Get(i)));
      result.push_back(shared->at(offsets.at(i), plain_bytes(tensor)));
    }
    return result;
  };
  inputs = places("inputs", *loadable->inputs());
  outputs = places("outputs", *loadable->outputs());
  kept.clear();
  kept_by_tag.assign(loadable->commands()->size(), {});
  for (const auto& [index, offset] :
       message.at("kept").get<std::vector<std::pair<unsigned, uint64_t>>>()) {
    if (index >= loadable->tensors()->size()) {
      throw Failure(70, "simulation: there is no tensor " + std::to_string(index) + " to keep");
    }
    const auto* tensor = loadable->tensors()->Get(index);
    std::vector<uint32_t> tags = {tensor->complete_tag()};
    if (tensor->other_tags() != nullptr) {
      tags.insert(tags.end(), tensor->other_tags()->begin(), tensor->other_tags()->end());
    }
    for (const uint32_t tag : tags) kept_by_tag.at(tag).push_back(kept.size());
    kept.push_back({tensor, shared->at(offset, plain_bytes(*tensor)), tags.size()});
  }
  return json::object();
}

SpaceBytes Session::State::spaces() const {
  return [this](bool sram, uint8_t region, uint64_t offset) {
    return sram ? soc->sram(offset) : soc->system(driver->region_address(region) + offset);
  };
}

void Session::State::ended(const CommandRecord& record) {
  if (driver != nullptr && !driver->recorded(record)) return;
  recorder.add(record);
  if (faults) faults->ended(record);
  if (record.tag >= kept_by_tag.size()) return;
  for (const size_t index : kept_by_tag[record.tag]) {
    Kept& one = kept[index];
    if (++one.ended < one.commands) continue;
    one.ended = 0;
    gather(*one.tensor, spaces(), one.to);
  }
}

/// What the engines and the memory did since the recorder was cleared.
json Session::State::totals(const Soc::DramCounts& before, double began) const {
  json reply = account_of(recorder);
  reply["cpu_s"] = cpu_seconds() - began;
  reply.update(dram_account(before, soc->dram_counts()));
  return reply;
}

/// Firmware that ends in a fault of its core is a defect, but where faults were asked for.
presil_status Session::State::run(uint64_t timeout_ns) {
  try {
    return driver->run(timeout_ns);
  } catch (const std::runtime_error& ended) {
    if (!faults || dynamic_cast<const Refusal*>(&ended) != nullptr) throw;
    throw Failure(kHardware, ended.what(), {{"faults", faults->disarm()}});
  }
}

json Session::State::job(const json& message) {
  if (driver == nullptr || !driver->loaded())
    throw Failure(70, "simulation: a job before a network was loaded");
  must(driver->set_counting(message.value("counters", "")));
  driver->set_core_profile(message.value("core_profile", false));
  for (unsigned i = 0; i < inputs.size(); ++i) {
    const JobDriver::Edge to = driver->input(i);
    std::memcpy(to.data, inputs[i], to.bytes);
  }
  recorder.clear();
  const Soc::DramCounts dram_before = soc->dram_counts();
  kernels.set_profiled(message.value("profile", false));
  if (const auto trace = message.find("trace"); trace != message.end())
    kernels.begin_trace(order_of(*trace));
  const double began = cpu_seconds();
  model_records.clear();
  for (Kept& one : kept) one.ended = 0;
  faults.reset();
  if (const auto given = message.find("faults"); given != message.end()) {
    faults.emplace(*soc, *driver, *loadable);
    faults->arm(*given);
  }
  const Cycle submitted = soc->now();
  const presil_status status = run(message.at("timeout_ns").get<uint64_t>());
  const Cycle total_cycles = soc->now() - submitted;
  const json traced = kernels.end_trace();
  if (status != PRESIL_OK) soc->stuck();
  if (const rtl::Divergence* divergence = soc->divergence()) throw failure_of(*divergence);
  json reply = totals(dram_before, began);
  const json happened = end_of(status);
  for (unsigned i = 0; i < outputs.size(); ++i) {
    const JobDriver::Edge from = driver->output(i);
    std::memcpy(outputs[i], from.data, from.bytes);
  }
  reply["total_cycles"] = total_cycles;
  reply["inference"] = inference_of(*soc, recorder);
  reply["trace"] = traced;
  if (const json core = driver->host(); !core.is_null()) reply["host"] = core;
  if (faults) reply["faults"] = happened;
  if (const json counters = driver->counters(); !counters.is_null()) reply["counters"] = counters;
  if (message.at("records").get<bool>()) {
    json& records = reply["records"] = json::array();
    for (const CommandRecord& record : recorder.records()) records.push_back(record_of(record));
    json& models = reply["model_records"] = json::array();
    for (const CommandRecord& record : model_records) models.push_back(record_of(record));
    const Soc::DramTraffic traffic = soc->dram_traffic();
    reply["dram_traffic"] = {{"bin_cycles", traffic.bin_cycles}, {"bytes", traffic.bytes}};
  }
  return reply;
}

json Session::State::jobs(const json& message) {
  if (driver == nullptr || !driver->loaded())
    throw Failure(70, "simulation: jobs before a network was loaded");
  const unsigned count = message.at("count"), in_flight = message.at("in_flight");
  const uint64_t timeout_ns = message.at("timeout_ns");
  SharedTensors memory(message.at("memory").get<std::string>());
  const auto place = [&](const char* key, unsigned index, unsigned job, size_t bytes) {
    return memory.at(message.at(key).at(index).get<uint64_t>() + uint64_t{job} * bytes, bytes);
  };
  must(driver->set_in_flight(in_flight));
  recorder.clear();
  model_records.clear();
  for (Kept& one : kept) one.ended = 0;
  const Soc::DramCounts dram_before = soc->dram_counts();
  const double began = cpu_seconds();
  const Cycle submitted = soc->now();
  std::vector<uint32_t> ids;
  for (unsigned done = 0; done < count; ++done) {
    while (ids.size() < count && ids.size() < done + in_flight) {
      const auto next = static_cast<unsigned>(ids.size());
      for (unsigned i = 0; i < inputs.size(); ++i) {
        const JobDriver::Edge to = driver->input(i);
        std::memcpy(to.data, place("inputs", i, next, to.bytes), to.bytes);
      }
      ids.push_back(0);
      must(driver->start(ids.back()));
    }
    const presil_status status = driver->wait(ids[done], timeout_ns);
    if (status != PRESIL_OK) soc->stuck();
    if (const rtl::Divergence* divergence = soc->divergence()) throw failure_of(*divergence);
    end_of(status);
    for (unsigned i = 0; i < outputs.size(); ++i) {
      const JobDriver::Edge from = driver->output(i, ids[done]);
      std::memcpy(place("outputs", i, done, from.bytes), from.data, from.bytes);
    }
  }
  const Cycle total_cycles = soc->now() - submitted;
  json reply = totals(dram_before, began);
  reply["total_cycles"] = total_cycles;
  reply["trace"] = nullptr;
  std::tie(reply["begins"], reply["ends"]) = times_of(recorder.records(), count);
  json& records = reply["records"] = json::array();
  std::set<uint32_t> seen;  // the first job's: later ones have the same tags
  for (const CommandRecord& record : recorder.records()) {
    if (seen.insert(record.tag).second) records.push_back(record_of(record));
  }
  reply["model_records"] = json::array();
  const Soc::DramTraffic traffic = soc->dram_traffic();
  reply["dram_traffic"] = {{"bin_cycles", traffic.bin_cycles}, {"bytes", traffic.bytes}};
  must(driver->set_in_flight(1));
  return reply;
}

/// The SoC is another process's from now on: its driver has the queues.
json Session::State::remote(const json& message) {
  if (soc == nullptr) throw Failure(70, "simulation: remote before a SoC was opened");
  must_have_one_tile("remote");
  driver.reset();
  soc->watch_programs(nullptr);  // no loadable is known here that names them
  soc->observe([](const CommandRecord&) {});
  const char* const wrong = presil_remote_serve(message.at("name").get<std::string>().c_str(),
                                                soc->port(), message.at("bytes").get<size_t>(),
                                                message.at("timeout_ms").get<uint32_t>());
  if (wrong != nullptr) throw Failure(kHardware, wrong);
  return json::object();
}

/// Networks of its own on the SoC, whose driver is opened for them.
json Session::State::serve_all(const json& message) {
  if (soc == nullptr) throw Failure(70, "simulation: serve before a SoC was opened");
  driver.reset();
  soc->watch_programs(nullptr);  // several loadables may have the same names for them
  return serve(*soc, config, message);
}

/// A program of their own for each tile, whose drivers are opened for them.
json Session::State::run_tiles(const json& message) {
  if (soc == nullptr) throw Failure(70, "simulation: samples over tiles before a SoC was opened");
  driver.reset();
  return tile_jobs(*soc, config, message);
}

Session::Session() : m_state(std::make_unique<State>()) {}
Session::~Session() = default;

json Session::answer(const json& message) {
  try {
    return m_state->answer(message);
  } catch (const debug::Killed& killed) {
    throw Failure(2, std::string("gdb: ") + killed.what());
  }
}

json Session::State::answer(const json& message) {
  const std::string what = message.at("do");
  if (what == "listen") return listen(message);
  if (what == "open") return open(message);
  if (what == "load") return load(message);
  if (what == "job") return job(message);
  if (what == "jobs") return jobs(message);
  if (what == "serve") return serve_all(message);
  if (what == "tiles") return run_tiles(message);
  if (what == "remote") return remote(message);
  if (what == "reset") return reset();
  if (what == "kernels") return {{"kernels", kernels.answer()}};
  if (what == "usage") {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return {{"peak_rss_bytes", int64_t{usage.ru_maxrss} * 1024}};
  }
  throw Failure(70, "simulation: message '" + what + "' is unknown");
}

}  // namespace presil::platform
