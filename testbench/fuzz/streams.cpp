#include "testbench/fuzz/streams.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <stdexcept>

#include "driver/core/device.h"
#include "driver/core/host_task.h"
#include "driver/port/mock/mock_port.h"
#include "models/dla/dla_core.h"
#include "models/dma/dma_core.h"
#include "rtl/host/host.h"

namespace presil::fuzz {
namespace {

/// Of work that a command may ask for and still be executed: multiply-accumulates, bytes, elements.
constexpr uint64_t kMostWork = 1 << 21;
constexpr unsigned kRegionBits = 32;  ///< each region has its own part of the addresses

/// The regions of a job: memory of exactly their sizes, so that the sanitizer sees what goes
/// beyond; the constants are not to be written to.
class Regions : public BytePort {
 public:
  std::array<std::vector<uint8_t>, PRESIL_REGIONS> bytes;

  static uint64_t address(unsigned region, uint64_t offset) {
    return (uint64_t{region} + 1) << kRegionBits | offset;
  }
  uint8_t* bytes_at(uint64_t address, size_t count) override {
    const uint64_t region = (address >> kRegionBits) - 1;
    const uint64_t offset = address & ((uint64_t{1} << kRegionBits) - 1);
    if (region >= PRESIL_REGIONS) return nullptr;
    std::vector<uint8_t>& all = bytes[region];
    return offset <= all.size() && count <= all.size() - offset ? all.data() + offset : nullptr;
  }
};

class SramBytes : public BytePort {
 public:
  std::vector<uint8_t> bytes;
  uint8_t* bytes_at(uint64_t address, size_t count) override {
    return address <= bytes.size() && count <= bytes.size() - address ? bytes.data() + address
                                                                      : nullptr;
  }
};

struct Stream {
  unsigned queue;
  uint64_t offset;  ///< in the image
  uint32_t commands;
  const presil_engine_description* engine;
  size_t command_bytes() const { return engine->format()->word_count * sizeof(uint32_t); }
};

/// A sound loadable, read once; its image is the one that is mutated.
struct Base {
  File file;
  presil_loadable loadable{};
  presil_limits limits{};
  std::vector<uint8_t> image, sound;
  std::vector<Stream> streams;
};

class Streams : public Target {
 public:
  explicit Streams(std::vector<File> loadables) : m_core(DlaConfig()) {
    m_mock.host.set_engines_kinds(m_mock.host.engines_kinds() | 1u << PRESIL_ENGINE_DSP);
    if (presil_open(m_mock.port(), m_storage.data(), m_storage.size() * sizeof m_storage[0],
                    &m_device) != PRESIL_OK) {
      throw std::logic_error("the mock does not open");
    }
    for (File& file : loadables) add(std::move(file));
  }
  ~Streams() override { presil_close(m_device); }

  /// Number of the loadable, then the words of its commands.
  std::vector<File> seeds() const override {
    std::vector<File> files;
    for (size_t i = 0; i < m_bases.size(); ++i) {
      File file = {static_cast<uint8_t>(i)};
      for (const Stream& s : m_bases[i].streams) {
        for (uint32_t c = 0; c < s.commands; ++c) {
          const uint8_t* at = command_in(m_bases[i].sound, s, c);
          file.insert(file.end(), at, at + s.command_bytes());
        }
      }
      files.push_back(std::move(file));
    }
    return files;
  }

  File mutate(const File& file, uint64_t seed) override;
  bool feed(const File& file) override;

 private:
  template <class Bytes>
  static auto command_in(Bytes& image, const Stream& s, uint32_t index) -> decltype(image.data()) {
    return image.data() + s.offset + uint64_t{index} * s.engine->format()->pitch_bytes;
  }
  void add(File file);
  void execute(const Base& base, const Stream& stream, const uint32_t* words);
  void execute_dla(const uint32_t* words);
  void execute_dma(const uint32_t* words);
  void execute_host(const Base& base, const uint32_t* words);
  void outside(const char* what) const { throw std::logic_error(std::string(what) + kOutside); }

  static constexpr const char* kOutside =
      " of a command that the check has taken lies outside the job's regions";

  driver::MockPort m_mock;
  std::vector<std::max_align_t> m_storage =
      std::vector<std::max_align_t>(presil_device_bytes() / sizeof(std::max_align_t) + 1);
  presil_device* m_device = nullptr;
  std::vector<Base> m_bases;
  const Base* m_sized = nullptr;  ///< whose regions m_regions has
  Regions m_regions;
  SramBytes m_sram;
  dla::Core m_core;
};

void Streams::add(File file) {
  m_bases.emplace_back();
  Base& base = m_bases.back();
  base.file = std::move(file);
  if (presil_loadable_read(base.file.data(), base.file.size() - PRESIL_CHECKSUM_BYTES,
                           &base.loadable) != nullptr) {
    throw std::logic_error("a seed is no loadable");
  }
  presil_network network{};
  network.device = m_device;
  base.limits.sram_bytes = m_device->capability.sram_bytes;
  base.limits.sync_count = base.loadable.counters;
  if (presil_load_check(m_device, &base.loadable, &network, &base.limits) != PRESIL_OK)
    throw std::logic_error(presil_error(m_device)->text);
  for (uint32_t i = 0; i < base.loadable.streams; ++i) {
    const presil_loadable_stream s = presil_loadable_get_stream(&base.loadable, i);
    const presil_engine_driver* driver = presil_engine_driver_of(s.queue);
    if (presil_queue_exists(m_device, s.queue) && driver->read_limits)
      driver->read_limits(m_device, &base.limits);
    base.streams.push_back({s.queue, s.offset, s.commands, presil_engine_of(s.queue)});
  }
  base.sound.assign(base.loadable.image, base.loadable.image + base.loadable.image_bytes);
  base.image = base.sound;
}

bool Streams::feed(const File& file) {
  if (file.empty() || file[0] >= m_bases.size()) return false;
  Base& base = m_bases[file[0]];
  size_t at = 1;
  for (const Stream& s : base.streams) {
    for (uint32_t c = 0; c < s.commands; ++c, at += s.command_bytes()) {
      if (at + s.command_bytes() > file.size()) return false;
      std::memcpy(command_in(base.image, s, c), file.data() + at, s.command_bytes());
    }
  }
  base.loadable.image = base.limits.image = base.image.data();
  base.limits.image_bytes = base.image.size();
  presil_error_clear(m_device);
  if (!presil_streams_check(m_device, &base.loadable, &base.limits)) {
    if (std::strchr(presil_error(m_device)->text, ':') == nullptr)
      throw std::logic_error("a refusal says too little");
    return false;
  }
  for (const Stream& s : base.streams) {  // what has not changed touches what it has touched
    for (uint32_t c = 0; c < s.commands; ++c) {
      const uint8_t* words = command_in(base.image, s, c);
      if (std::memcmp(words, command_in(base.sound, s, c), s.command_bytes()) == 0) continue;
      execute(base, s, reinterpret_cast<const uint32_t*>(words));
    }
  }
  return true;
}

void Streams::execute(const Base& base, const Stream& stream, const uint32_t* words) {
  if (m_sized != &base) {
    m_sized = &base;
    for (unsigned r = 0; r < PRESIL_REGIONS; ++r) {
      m_regions.bytes[r].assign(size_t{base.limits.region_pages[r]} * PRESIL_PAGE_BYTES, 1);
      m_regions.bytes[r].shrink_to_fit();
    }
    m_sram.bytes.assign(base.limits.sram_bytes, 1);
    m_sram.bytes.shrink_to_fit();
  }
  switch (stream.engine->kind) {
    case PRESIL_ENGINE_DLA:
      return execute_dla(words);
    case PRESIL_ENGINE_DMA:
      return execute_dma(words);
    case PRESIL_ENGINE_HOST:
      return execute_host(base, words);
    default:
      return;  // programs of the DSP are watched while they run (models/dsp/dsp_memory)
  }
}

void Streams::execute_dla(const uint32_t* words) {
  const dla::Command c = dla::Command::decode(words);
  const uint64_t outputs = uint64_t{c.out_h} * c.out_w * c.out_blocks * 16;
  const uint64_t taps = uint64_t{c.kernel_h} * c.kernel_w * c.in_blocks * 16;
  const uint64_t inputs = uint64_t{c.in_h} * c.in_w * c.in_blocks * 16;
  if (outputs * taps > kMostWork || inputs > kMostWork) return;
  m_core.execute(c, m_sram.bytes.data());
}

void Streams::execute_dma(const uint32_t* words) {
  const dma::Command c = dma::Command::decode(words);
  if (c.op == dma::Op::kNop) return;
  const bool from_sram = c.src_space == dma::Space::kSram,
             to_sram = c.dst_space == dma::Space::kSram;
  const dma::Side from =
      dma::source_of(c, from_sram ? c.src_base : Regions::address(c.src_region, c.src_base));
  const dma::Side to =
      dma::destination_of(c, to_sram ? c.dst_base : Regions::address(c.dst_region, c.dst_base));
  if (from.bytes() > kMostWork || to.bytes() > kMostWork) return;
  if (!to_sram && c.dst_region == PRESIL_REGION_CONSTANTS) outside("the destination");
  BytePort& source = from_sram ? static_cast<BytePort&>(m_sram) : m_regions;
  BytePort& destination = to_sram ? static_cast<BytePort&>(m_sram) : m_regions;
  if (!dma::run(c, from, source, to, destination)) outside("a row");
}

void Streams::execute_host(const Base& base, const uint32_t* words) {
  const auto field = [&](unsigned f) {
    return presil_field_get(words, &presil_host_command_fields()[f]);
  };
  if (field(PRESIL_HOST_COMMAND_OP) != PRESIL_HOST_OP_RUN) return;
  presil_host_task task = presil_host_task_of(words, base.image.data());
  uint64_t elements = 0;
  for (uint32_t i = 0; i < task.count; ++i) {
    const auto bytes = static_cast<uint64_t>(presil_tensor_bytes(&task.tensors[i]));
    const auto& entry = task.entries[i];
    elements += bytes;
    task.tensors[i].data =
        entry.region < PRESIL_REGIONS
            ? m_regions.bytes_at(Regions::address(entry.region, entry.offset), bytes)
            : nullptr;
    if (task.tensors[i].data == nullptr) outside("a tensor");
    if (i >= presil_kernel_reads(task.kernel, task.count) &&
        entry.region == PRESIL_REGION_CONSTANTS)
      outside("a result");
  }
  if (elements > kMostWork) return;
  presil_kernel_refusal refusal;
  presil_kernel_run(task.kernel, task.tensors, task.count, task.attributes, task.attribute_bytes,
                    &refusal);
}

/// One to three changes: a field to a value at, beside or between its limits, a bit, two commands
/// in each other's place, a command instead of another.
File Streams::mutate(const File& file, uint64_t seed) {
  Random random(seed);
  File result = file;
  if (file.empty() || file[0] >= m_bases.size()) return result;
  const Base& base = m_bases[file[0]];
  const auto command_at = [&](size_t stream, uint32_t index) {
    size_t at = 1;
    for (size_t s = 0; s < stream; ++s)
      at += base.streams[s].command_bytes() * base.streams[s].commands;
    return at + index * base.streams[stream].command_bytes();
  };
  for (uint64_t left = 1 + random.below(3); left > 0; --left) {
    const size_t s = random.below(base.streams.size());
    const Stream& stream = base.streams[s];
    const auto index = static_cast<uint32_t>(random.below(stream.commands));
    const auto other = static_cast<uint32_t>(random.below(stream.commands));
    const size_t at = command_at(s, index), there = command_at(s, other);
    const size_t bytes = stream.command_bytes();
    if (at + bytes > result.size() || there + bytes > result.size()) return result;
    uint32_t words[PRESIL_MAX_COMMAND_WORDS];
    std::memcpy(words, result.data() + at, bytes);
    const presil_command_format& format = *stream.engine->format();
    const presil_field& field = format.fields[random.below(format.field_count)];
    const int64_t span = field.max - field.min, is = presil_field_get(words, &field);
    switch (random.below(10)) {
      case 0:
        words[random.below(format.word_count)] ^= 1u << random.below(32);
        break;
      case 1:
        std::swap_ranges(result.begin() + static_cast<std::ptrdiff_t>(at),
                         result.begin() + static_cast<std::ptrdiff_t>(at + bytes),
                         result.begin() + static_cast<std::ptrdiff_t>(there));
        continue;
      case 2:
        std::memmove(result.data() + at, result.data() + there, bytes);
        continue;
      case 3:
        presil_field_set(words, &field, field.min + static_cast<int64_t>(random.below(2)));
        break;
      case 4:
        presil_field_set(words, &field, field.max - static_cast<int64_t>(random.below(2)));
        break;
      case 5:
        presil_field_set(words, &field, is + static_cast<int64_t>(random.below(33)) - 16);
        break;
      case 6:
        presil_field_set(words, &field, is + 16 * (static_cast<int64_t>(random.below(33)) - 16));
        break;
      case 7:
        presil_field_set(words, &field, is * (1 << random.below(4)) >> random.below(4));
        break;
      default:
        presil_field_set(words, &field,
                         field.min + static_cast<int64_t>(random.below(static_cast<uint64_t>(span) +
                                                                       (span < INT64_MAX))));
        break;
    }
    std::memcpy(result.data() + at, words, bytes);
  }
  return result;
}

}  // namespace

std::unique_ptr<Target> streams_target(std::vector<File> loadables) {
  return std::make_unique<Streams>(std::move(loadables));
}

}  // namespace presil::fuzz
