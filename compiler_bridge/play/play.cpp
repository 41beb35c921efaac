#include "compiler_bridge/play/play.h"

#include <algorithm>
#include <array>

#include "compiler_bridge/play/tile.h"

namespace presil::play {
namespace {

uint64_t up(uint64_t bytes, uint64_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

/// The memory of a job as the driver lays it out: rings, its map of the network, regions.
class Memory {
 public:
  Memory(const Program& program, uint64_t image_bytes) {
    uint64_t at = PRESIL_DRAM_BASE + kPage * PRESIL_LINKED_QUEUES +
                  up(program.schedule.commands.size() * sizeof(uint32_t) + 1, kPage);
    const auto put = [&](unsigned region, uint64_t bytes) {
      m_base[region] = at;
      m_pages[region] = static_cast<uint16_t>(up(bytes, kPage) / kPage);
      at += up(bytes, kPage);
    };
    put(PRESIL_REGION_CONSTANTS, image_bytes);
    put(PRESIL_REGION_INPUTS, program.input_bytes);
    put(PRESIL_REGION_OUTPUTS, program.output_bytes);
    put(PRESIL_REGION_SCRATCH, program.scratch_bytes);
    m_end = at;
  }
  uint64_t end() const { return m_end; }
  uint64_t image() const { return m_base[PRESIL_REGION_CONSTANTS]; }
  void fill(JobEntry& job) const {
    job.region_base = m_base;
    job.region_limit = m_pages;
  }

 private:
  std::array<uint64_t, PRESIL_REGIONS> m_base{};
  std::array<uint16_t, PRESIL_REGIONS> m_pages{};
  uint64_t m_end = 0;
};

/// When the first doorbell rings: after the driver has opened the device and set the counters, in
/// register accesses as it makes them. It says where in the DRAM's refreshes the job begins.
Cycle opened(const SocConfig& config, unsigned counters) {
  constexpr unsigned kDevice = 51, kQueue = 10;
  const unsigned queues = config.dla.units + config.dma.channels;
  return Cycle{config.noc.cycles_register_write} * (kDevice + kQueue * queues + counters);
}

/// The commands of a queue, and where they lie in the image.
struct Stream {
  std::vector<uint32_t> words;
  uint32_t commands = 0;
  uint64_t offset = 0;
};

}  // namespace

std::optional<Cycle> play(const Program& program, const SocConfig& config,
                          const std::function<Cycle(const plan::ScheduledCommand&)>& told) {
  Tile tile(config);
  std::array<Stream, PRESIL_QUEUES> streams;
  unsigned counters = 0;
  for (const plan::ScheduledCommand& command : program.schedule.commands) {
    Stream& stream = streams[command.queue];
    plan::append(command.word, stream.words);
    ++stream.commands;
    counters = std::max(counters, PRESIL_QUEUE_COUNTER(command.queue));
    if (!tile.plays(command.queue)) tile.timed(command.queue).add({&command.word, told(command)});
  }
  uint64_t image_bytes = program.schedule.image.bytes().size();
  for (Stream& stream : streams) {
    if (stream.commands == 0) continue;
    stream.offset = up(image_bytes, PRESIL_BURST_BYTES);
    image_bytes = stream.offset + stream.words.size() * sizeof stream.words[0];
  }
  const Memory memory(program, image_bytes);
  if (memory.end() > PRESIL_DRAM_BASE + config.dram.bytes) return std::nullopt;

  size_t commands = 0;
  Cycle rung = opened(config, counters);
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    const auto queue = static_cast<uint8_t>(q);
    Stream& stream = streams[q];
    if (stream.commands == 0) continue;
    rung += queue == PRESIL_QUEUE_HOST ? 0 : config.noc.cycles_register_write;
    if (!tile.plays(queue)) {
      tile.timed(queue).start(rung);
      continue;
    }
    commands += stream.commands;
    JobEntry job;
    job.isa_version = presil_kind_of_queue(q) == PRESIL_ENGINE_DLA ? PRESIL_DLA_ISA_VERSION
                                                                   : PRESIL_DMA_ISA_VERSION;
    job.stream_address = memory.image() + stream.offset;
    job.command_count = stream.commands;
    job.sync_count = static_cast<uint8_t>(counters);
    memory.fill(job);
    tile.submit(queue, job, stream.words, rung);
  }
  tile.run();
  Cycle last = tile.last();
  for (const auto& [queue, timed] : tile.timed()) {
    if (!timed.ended()) return std::nullopt;
    if (queue != PRESIL_QUEUE_HOST) last = std::max(last, timed.end());
  }
  if (tile.commands() != commands) return std::nullopt;
  return commands == 0 ? last : last - tile.first();
}

}  // namespace presil::play
