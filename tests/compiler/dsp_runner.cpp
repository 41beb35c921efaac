#include "tests/compiler/dsp_runner.h"

#include <algorithm>
#include <cstring>

#include "models/dsp/dsp_core.h"
#include "rtl/common/field.h"
#include "rtl/dsp/dsp.h"
#include "rtl/dsp/dsp_view.h"

namespace presil::tests {
namespace {

dsp::Config core_of(const DspConfig& config) {
  dsp::Config core;
  core.vlen = config.vlen;
  core.dlen = config.dlen;
  core.elen = config.elen;
  return core;
}

constexpr uint64_t kDram = uint64_t{1} << 39, kRegionStep = uint64_t{1} << 32;

/// The fields of a command that the program has to do with.
struct Fields {
  uint32_t op, entry, args_base, args_bytes, regions_base, region_count, watchdog, image_offset,
      image_bytes, image_region, image_crc;
  explicit Fields(const uint32_t* words) {
    const auto get = [&](unsigned field) {
      return static_cast<uint32_t>(
          presil_field_get(words, &presil_dsp_command_format()->fields[field]));
    };
    op = get(PRESIL_DSP_COMMAND_OP), entry = get(PRESIL_DSP_COMMAND_ENTRY);
    args_base = get(PRESIL_DSP_COMMAND_ARGS_BASE), args_bytes = get(PRESIL_DSP_COMMAND_ARGS_BYTES);
    regions_base = get(PRESIL_DSP_COMMAND_REGIONS_BASE);
    region_count = get(PRESIL_DSP_COMMAND_REGION_COUNT);
    watchdog = get(PRESIL_DSP_COMMAND_WATCHDOG);
    image_offset = get(PRESIL_DSP_COMMAND_IMAGE_OFFSET);
    image_bytes = get(PRESIL_DSP_COMMAND_IMAGE_BYTES);
    image_region = get(PRESIL_DSP_COMMAND_IMAGE_REGION);
    image_crc = get(PRESIL_DSP_COMMAND_IMAGE_CRC);
  }
};

}  // namespace

class DspRunner::Machine {
 public:
  explicit Machine(const DspConfig& config)
      : m_core(core_of(config)),
        m_registers(m_core.memory()),
        m_itcm(config.itcm_bytes),
        m_dtcm(config.dtcm_bytes) {}
  std::string select(const Fields& command, const Regions& regions);
  std::string run(const Fields& command, std::vector<uint8_t>& sram, Regions& regions);

 private:
  /// The program's own registers; a copy is done at once.
  struct Registers : dsp::Device {
    explicit Registers(dsp::Memory& of) : memory(of) {}
    Answer load(uint64_t address, unsigned bytes, uint64_t cycle, uint64_t& value) override;
    Answer store(uint64_t address, unsigned bytes, uint64_t cycle, uint64_t value) override;
    bool read(uint64_t at, unsigned bytes, uint64_t& value) const;
    bool write(uint64_t at, unsigned bytes, uint64_t value);
    bool copy();

    dsp::Memory& memory;
    std::vector<dsp::Region> regions;
    uint64_t source = 0, destination = 0;
    uint32_t row_bytes = 0, rows = 0, ticket = 0;
    int32_t source_stride = 0, destination_stride = 0;
  };
  dsp::Core m_core;
  Registers m_registers;
  std::vector<uint8_t> m_itcm, m_dtcm;
  bool m_resident = false;
  uint32_t m_crc = 0;
};

DspRunner::DspRunner(const DspConfig& config) : m_machine(std::make_unique<Machine>(config)) {}
DspRunner::~DspRunner() = default;

dsp::Device::Answer DspRunner::Machine::Registers::load(uint64_t address, unsigned bytes, uint64_t,
                                                        uint64_t& value) {
  return read(address - PRESIL_DSP_OWN, bytes, value) ? Answer::kDone : Answer::kRefused;
}

dsp::Device::Answer DspRunner::Machine::Registers::store(uint64_t address, unsigned bytes, uint64_t,
                                                         uint64_t value) {
  return write(address - PRESIL_DSP_OWN, bytes, value) ? Answer::kDone : Answer::kRefused;
}

bool DspRunner::Machine::Registers::read(uint64_t at, unsigned bytes, uint64_t& value) const {
  const uint64_t k = (at - PRESIL_DSP_OWN_REGION_BASE(0)) / 8;
  if (at >= PRESIL_DSP_OWN_REGION_BASE(0) && bytes == 8 && at % 8 == 0 && k < 32) {
    const bool size = k >= PRESIL_DSP_REGIONS;
    const uint64_t n = k % PRESIL_DSP_REGIONS;
    value = n >= regions.size() ? 0 : size ? regions[n].bytes : regions[n].base;
    return true;
  }
  const bool counts = at == PRESIL_DSP_OWN_DMA_START || at == PRESIL_DSP_OWN_DMA_DONE ||
                      at == PRESIL_DSP_OWN_DMA_WAIT;
  if (!counts || bytes != 4) return false;
  value = ticket;
  return true;
}

bool DspRunner::Machine::Registers::write(uint64_t at, unsigned bytes, uint64_t value) {
  const auto word = static_cast<uint32_t>(value);
  switch (at) {
    case PRESIL_DSP_OWN_DMA_SOURCE:
      return source = value, bytes == 8;
    case PRESIL_DSP_OWN_DMA_DESTINATION:
      return destination = value, bytes == 8;
    case PRESIL_DSP_OWN_DMA_ROW_BYTES:
      return row_bytes = word, bytes == 4;
    case PRESIL_DSP_OWN_DMA_ROWS:
      return rows = word, bytes == 4;
    case PRESIL_DSP_OWN_DMA_SOURCE_STRIDE:
      return source_stride = int32_t(word), bytes == 4;
    case PRESIL_DSP_OWN_DMA_DESTINATION_STRIDE:
      return destination_stride = int32_t(word), bytes == 4;
    case PRESIL_DSP_OWN_DMA_START:
      return bytes == 4 && copy();
    case PRESIL_DSP_OWN_DMA_WAIT:
      return bytes == 4;
    default:
      return false;
  }
}

bool DspRunner::Machine::Registers::copy() {
  for (uint32_t r = 0; r < rows; ++r) {
    const uint64_t from = source + uint64_t(int64_t(r) * source_stride);
    const uint64_t to = destination + uint64_t(int64_t(r) * destination_stride);
    const uint8_t* read = memory.at(from, row_bytes, dsp::kRead);
    uint8_t* write = memory.at(to, row_bytes, dsp::kWrite);
    if (read == nullptr || write == nullptr) return false;
    std::memmove(write, read, row_bytes);
  }
  ++ticket;
  return true;
}

std::string DspRunner::execute(const uint32_t* words, std::vector<uint8_t>& sram,
                               Regions& regions) {
  const Fields command(words);
  if (command.op == PRESIL_DSP_OP_SELECT) return m_machine->select(command, regions);
  return command.op == PRESIL_DSP_OP_RUN ? m_machine->run(command, sram, regions) : "";
}

std::string DspRunner::Machine::select(const Fields& command, const Regions& regions) {
  const std::vector<uint8_t>& from = regions[command.image_region];
  const uint64_t end = uint64_t{command.image_offset} + command.image_bytes;
  if (end > from.size() || command.image_bytes > m_itcm.size()) return "an image has no room";
  std::copy_n(from.begin() + command.image_offset, command.image_bytes, m_itcm.begin());
  m_core.forget_instructions();
  m_resident = true;
  m_crc = command.image_crc;
  return "";
}

std::string DspRunner::Machine::run(const Fields& command, std::vector<uint8_t>& sram,
                                    Regions& regions) {
  if (!m_resident || command.image_crc != m_crc) return "another image is resident";
  const uint8_t ecall[4] = {0x73, 0, 0, 0};
  std::vector<uint8_t> exit(ecall, ecall + 4);
  dsp::Memory& memory = m_core.memory();
  memory.clear();
  memory.add({PRESIL_DSP_ITCM, m_itcm.size(), m_itcm.data(), dsp::kRead | dsp::kExecute,
              dsp::Space::kTcm, 0, nullptr});
  memory.add({PRESIL_DSP_EXIT, 4, exit.data(), dsp::kExecute, dsp::Space::kTcm, 0, nullptr});
  memory.add({PRESIL_DSP_DTCM, m_dtcm.size(), m_dtcm.data(), dsp::kRead | dsp::kWrite,
              dsp::Space::kTcm, 0, nullptr});
  memory.add({PRESIL_DSP_OWN, PRESIL_DSP_OWN_BYTES, nullptr, dsp::kRead | dsp::kWrite,
              dsp::Space::kDevice, 0, &m_registers});
  const uint64_t args = PRESIL_DSP_SRAM + command.args_base;
  memory.add({args, command.args_bytes, sram.data() + command.args_base, dsp::kRead,
              dsp::Space::kSram, 0, nullptr});
  m_registers.regions.clear();
  m_registers.ticket = 0;
  for (uint32_t k = 0; k < command.region_count; ++k) {
    presil_dsp_region entry;
    std::memcpy(&entry, sram.data() + command.regions_base + k * sizeof entry, sizeof entry);
    const uint32_t space = entry.what & PRESIL_DSP_REGION_SPACE_MASK;
    const bool inside = space == PRESIL_DSP_REGION_SPACE_SRAM;
    if (!inside && space >= regions.size()) return "a region lies nowhere";
    std::vector<uint8_t>& bytes = inside ? sram : regions[space];
    if (entry.bytes == 0 || uint64_t{entry.offset} + entry.bytes > bytes.size()) {
      return "region " + std::to_string(k) + " leaves its memory";
    }
    dsp::Region region;
    region.base = entry.offset + (inside ? PRESIL_DSP_SRAM : kDram + space * kRegionStep);
    region.bytes = entry.bytes;
    region.host = bytes.data() + entry.offset;
    if ((entry.what & PRESIL_DSP_REGION_READ) != 0) region.rights |= dsp::kRead;
    if ((entry.what & PRESIL_DSP_REGION_WRITE) != 0) region.rights |= dsp::kWrite;
    region.space = inside ? dsp::Space::kSram : dsp::Space::kDram;
    m_registers.regions.push_back(region);
    memory.add(region);
  }
  m_core.reset();
  dsp::Hart& hart = m_core.hart();
  hart.x[1] = PRESIL_DSP_EXIT;
  hart.x[2] = PRESIL_DSP_DTCM + m_dtcm.size();
  hart.x[10] = args;
  const dsp::Stop& stop = m_core.run(command.entry, command.watchdog);
  if (stop.cause != dsp::Cause::kCall) {
    return "a kernel stops with cause " + std::to_string(static_cast<int>(stop.cause)) +
           ", address " + std::to_string(stop.address);
  }
  if (hart.x[10] != 0) return "a kernel refuses with code " + std::to_string(hart.x[10]);
  return "";
}

}  // namespace presil::tests
