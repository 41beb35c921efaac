#include "sim/platform/tile_jobs.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rtl/soc/loadable_generated.h"
#include "sim/platform/account.h"
#include "sim/platform/hang_report.h"
#include "sim/platform/kernels.h"
#include "sim/platform/loadable_file.h"
#include "sim/platform/native_driver.h"
#include "sim/platform/session.h"
#include "sim/platform/shared_tensors.h"
#include "sim/platform/tensor_bytes.h"

namespace presil::platform {
namespace {

using nlohmann::json;

constexpr int kHardware = 3;

/// What the tiles work off: which sample is next, where tensors lie.
struct Work {
  unsigned samples, in_flight;
  uint64_t timeout_ns;
  SharedTensors memory;
  std::vector<uint64_t> inputs, outputs;  ///< offsets, the samples one after another
  unsigned next = 0;
  std::optional<Failure> failed;  ///< nothing more begins

  explicit Work(const json& message)
      : samples(message.at("count")),
        in_flight(message.at("in_flight")),
        timeout_ns(message.at("timeout_ns")),
        memory(message.at("memory").get<std::string>()),
        inputs(message.at("inputs").get<std::vector<uint64_t>>()),
        outputs(message.at("outputs").get<std::vector<uint64_t>>()) {}
  bool more() const { return next < samples && !failed; }
  uint8_t* at(uint64_t offset, unsigned sample, size_t bytes) {
    return memory.at(offset + uint64_t{sample} * bytes, bytes);
  }
};

/// A program that some of the tiles run.
struct File {
  std::vector<uint8_t> bytes;
  std::vector<std::pair<unsigned, uint64_t>> kept;  ///< tensor, offset as of Work
  const loadable::Loadable* loadable = nullptr;
};

File file_of(const json& about) {
  const std::string path = about.at("file");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw Failure(2, "loadable: '" + path + "' cannot be read");
  File file;
  file.bytes.assign(std::istreambuf_iterator<char>(stream), {});
  file.kept = about.at("kept").get<std::vector<std::pair<unsigned, uint64_t>>>();
  return file;
}

/// A tensor that is copied out when the last of the commands that complete it has ended.
struct Kept {
  const loadable::Tensor* tensor;
  uint64_t offset;
  size_t commands, ended = 0;
};

class TileRun {
 public:
  /// @param same  that runs the same file; nullptr: the first that does
  TileRun(Soc& soc, const SocConfig& config, unsigned tile, File& file, const TileRun* same,
          Work& work);
  ~TileRun();
  /// A sample while all other tiles rest; it is counted nowhere else. @return its cycles
  Cycle alone(unsigned sample);
  void work();
  json account() const;

 private:
  void start();
  void end();
  void ended(const CommandRecord& record);
  void keep_tensors();
  void copy_out(Kept& kept);
  [[noreturn]] void fail(presil_status status, unsigned sample);

  Soc& m_soc;
  const unsigned m_tile;
  File& m_file;
  Work& m_work;
  NativeDriver m_driver;
  Recorder m_recorder;
  Kernels m_kernels;
  Soc::TileDram m_dram_before;
  std::vector<unsigned> m_samples;                      ///< that it has taken, in this order
  std::deque<std::pair<unsigned, uint32_t>> m_running;  ///< sample and job, oldest first
  std::vector<Kept> m_kept;
  std::vector<std::vector<size_t>> m_kept_by_tag;
};

TileRun::TileRun(Soc& soc, const SocConfig& config, unsigned tile, File& file, const TileRun* same,
                 Work& work)
    : m_soc(soc), m_tile(tile), m_file(file), m_work(work), m_driver(soc, config, tile) {
  const presil_status loaded =
      m_driver.load(file.bytes, same == nullptr ? nullptr : &same->m_driver);
  if (loaded != PRESIL_OK) {
    const bool refused = loaded == PRESIL_REFUSED || loaded == PRESIL_NO_MEMORY;
    throw Failure(refused ? 2 : kHardware,
                  "tile " + std::to_string(tile) + ": " + m_driver.error());
  }
  if (file.loadable == nullptr)
    file.loadable = &open_loadable(file.bytes.data(), file.bytes.size());
  if (m_driver.set_in_flight(work.in_flight) != PRESIL_OK) throw Failure(2, m_driver.error());
  keep_tensors();
  m_kernels.load(*file.loadable);
  m_soc.set_layers(layers_by_tag(*file.loadable), tile);
  m_soc.watch_programs(&m_kernels, tile);
  m_soc.observe([this](const CommandRecord& record) { ended(record); }, tile);
  m_dram_before = m_soc.tile_dram(tile);
}

TileRun::~TileRun() {
  m_soc.observe([](const CommandRecord&) {}, m_tile);
  m_soc.watch_programs(nullptr, m_tile);
}

void TileRun::keep_tensors() {
  const loadable::Loadable& l = *m_file.loadable;
  m_kept_by_tag.resize(l.commands()->size());
  for (const auto& [index, offset] : m_file.kept) {
    const loadable::Tensor* tensor = l.tensors()->Get(index);
    std::vector<uint32_t> tags = {tensor->complete_tag()};
    if (tensor->other_tags() != nullptr)
      tags.insert(tags.end(), tensor->other_tags()->begin(), tensor->other_tags()->end());
    for (const uint32_t tag : tags) m_kept_by_tag.at(tag).push_back(m_kept.size());
    m_kept.push_back({tensor, offset, tags.size()});
  }
}

void TileRun::ended(const CommandRecord& record) {
  m_recorder.add(record);
  if (record.tag >= m_kept_by_tag.size()) return;
  for (const size_t index : m_kept_by_tag[record.tag]) {
    if (++m_kept[index].ended == m_kept[index].commands) copy_out(m_kept[index]);
  }
}

void TileRun::copy_out(Kept& kept) {
  kept.ended = 0;
  const unsigned sample = m_samples.back();  // of which there is one: in_flight is 1 with `kept`
  gather(
      *kept.tensor,
      [this](bool sram, uint8_t region, uint64_t offset) {
        return sram ? m_soc.sram(offset, m_tile)
                    : m_soc.system(m_driver.region_address(region) + offset);
      },
      m_work.at(kept.offset, sample, plain_bytes(*kept.tensor)));
}

Cycle TileRun::alone(unsigned sample) {
  m_work.next = sample;
  m_soc.run({[this] {
    try {
      start();
      end();
    } catch (const Failure& failure) {
      m_work.failed = failure;
    }
  }});
  if (m_work.failed) throw Failure(*m_work.failed);
  const Cycle cycles = m_recorder.summary().cycles();
  m_work.next = 0;
  m_samples.clear();
  m_recorder.clear();
  m_kernels.load(*m_file.loadable);
  m_dram_before = m_soc.tile_dram(m_tile);
  return cycles;
}

void TileRun::work() {
  try {
    while (m_work.more() || !m_running.empty()) {
      if (m_work.more() && m_running.size() < m_work.in_flight)
        start();
      else
        end();
    }
  } catch (const Failure& failure) {
    if (!m_work.failed) m_work.failed = failure;
  }
}

void TileRun::start() {
  const unsigned sample = m_work.next++;
  m_samples.push_back(sample);
  for (unsigned i = 0; i < m_work.inputs.size(); ++i) {
    const JobDriver::Edge to = m_driver.input(i);
    std::memcpy(to.data, m_work.at(m_work.inputs[i], sample, to.bytes), to.bytes);
  }
  uint32_t job = 0;
  if (const presil_status status = m_driver.start(job); status != PRESIL_OK) fail(status, sample);
  m_running.emplace_back(sample, job);
}

void TileRun::end() {
  const auto [sample, job] = m_running.front();
  m_running.pop_front();
  const presil_status status = m_driver.wait(job, m_work.timeout_ns);
  if (status != PRESIL_OK) fail(status, sample);
  for (unsigned i = 0; i < m_work.outputs.size(); ++i) {
    const JobDriver::Edge from = m_driver.output(i, job);
    std::memcpy(m_work.at(m_work.outputs[i], sample, from.bytes), from.data, from.bytes);
  }
}

void TileRun::fail(presil_status status, unsigned sample) {
  json detail = {{"tile", m_tile}, {"sample", sample}};
  if (status == PRESIL_TIMED_OUT) {
    detail["hang"] =
        hang_report(m_soc, *m_file.loadable, m_driver.region_address(PRESIL_REGION_CONSTANTS),
                    m_recorder.records(), m_tile);
  }
  std::string text = "sample " + std::to_string(sample) + " on tile " + std::to_string(m_tile) +
                     ": " + m_driver.error();
  if (status == PRESIL_TIMED_OUT) {
    const std::string also = m_driver.cancel();
    if (!also.empty()) text += "; then " + also;
  }
  const bool refused = status == PRESIL_REFUSED || status == PRESIL_NO_MEMORY;
  throw Failure(refused ? 2 : kHardware, text, detail);
}

json TileRun::account() const {
  json account = account_of(m_recorder);
  account["samples"] = m_samples;
  std::tie(account["begins"], account["ends"]) = times_of(m_recorder.records(), m_samples.size());
  json& records = account["records"] = json::array();
  std::set<uint32_t> seen;  // the first sample's: later ones have the same tags
  for (const CommandRecord& record : m_recorder.records()) {
    if (seen.insert(record.tag).second) records.push_back(record_of(record));
  }
  const Soc::TileDram now = m_soc.tile_dram(m_tile);
  account["dram"] = {{"reads", now.reads - m_dram_before.reads},
                     {"bytes_read", now.bytes_read - m_dram_before.bytes_read},
                     {"bytes_written", now.bytes_written - m_dram_before.bytes_written},
                     {"waited_for_tiles", now.waited - m_dram_before.waited}};
  account["kernels"] = m_kernels.answer();
  return account;
}

}  // namespace

json tile_jobs(Soc& soc, const SocConfig& config, const json& message) {
  Work work(message);
  std::vector<File> files;
  for (const json& about : message.at("programs")) files.push_back(file_of(about));
  const std::vector<size_t> file_of_tile = message.at("program_of_tile");
  std::vector<const TileRun*> first(files.size(), nullptr);
  std::vector<std::unique_ptr<TileRun>> tiles;
  std::vector<std::function<void()>> programs;
  for (unsigned t = 0; t < soc.tiles(); ++t) {
    const size_t file = file_of_tile.at(t);
    tiles.push_back(
        std::make_unique<TileRun>(soc, tile_of(config, t), t, files.at(file), first[file], work));
    if (first[file] == nullptr) first[file] = tiles.back().get();
    programs.emplace_back([run = tiles.back().get()] { run->work(); });
  }
  const double began = cpu_seconds();
  json alone = json::array();
  for (size_t file = 0; file < files.size(); ++file) {
    const auto found = std::find(file_of_tile.begin(), file_of_tile.end(), file);
    TileRun& tile = *tiles.at(static_cast<size_t>(found - file_of_tile.begin()));
    json& cycles = alone.emplace_back(json::array());
    for (const unsigned sample : message.at("alone").get<std::vector<unsigned>>())
      cycles.push_back(tile.alone(sample));
  }
  const Soc::DramCounts dram_before = soc.dram_counts();
  const Cycle submitted = soc.now();
  soc.run(std::move(programs));
  if (work.failed) throw Failure(*work.failed);
  json reply = {
      {"total_cycles", soc.now() - submitted}, {"alone", alone}, {"cpu_s", cpu_seconds() - began}};
  reply.update(dram_account(dram_before, soc.dram_counts()));
  json& accounts = reply["tiles"] = json::array();
  for (const auto& tile : tiles) accounts.push_back(tile->account());
  const Soc::DramTraffic traffic = soc.dram_traffic();
  reply["dram_traffic"] = {{"bin_cycles", traffic.bin_cycles}, {"bytes", traffic.bytes}};
  return reply;
}

}  // namespace presil::platform
