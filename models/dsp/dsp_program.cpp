#include "models/dsp/dsp_program.h"

#include <algorithm>
#include <cstring>

#include "rtl/dsp/dsp.h"
#include "rtl/soc/address_map.h"

namespace presil::dsp {
namespace {

constexpr uint32_t kMostCopied = 16 << 20;                        ///< bytes of a copy
constexpr unsigned kReturn = 1, kStackPointer = 2, kResult = 10;  // ra, sp, a0
constexpr uint8_t kEcall[4] = {0x73, 0, 0, 0};
constexpr uint64_t kSramEnd = PRESIL_DSP_SRAM + uint64_t{PRESIL_TILE_SRAM_BYTES};

Config config_of(const DspConfig& d) {
  Config c;
  c.vlen = d.vlen;
  c.dlen = d.dlen;
  c.elen = d.elen;
  c.arithmetic_sequencers = d.arithmetic_sequencers;
  c.gather_by_element = d.gather_by_element != 0;
  return c;
}

bool in_dram(uint64_t address) {
  return address >= PRESIL_DRAM_BASE;
}
bool in_sram(uint64_t address) {
  return address >= PRESIL_DSP_SRAM && address < kSramEnd;
}

}  // namespace

Program::Program(const SocConfig& config, BytePort& sram, OwnChannel& channel, SramBanks* banks)
    : m_dtcm_bytes(config.dsp.dtcm_bytes),
      m_sram(sram),
      m_channel(channel),
      m_core(config_of(config.dsp)),
      m_itcm(config.dsp.itcm_bytes),
      m_dtcm(config.dsp.dtcm_bytes) {
  m_core.hart().unit.share(banks);
}

// -------------------------------------------------------------------------------------- the image

void Program::set_image(const std::vector<uint8_t>& bytes) {
  std::copy(bytes.begin(), bytes.end(), m_itcm.begin());
  m_image_bytes = static_cast<uint32_t>(bytes.size());
  m_core.forget_instructions();
}

void Program::drop_image() {
  m_image_bytes = 0;
  m_core.forget_instructions();
}

// ------------------------------------------------------------------------------------------ a run

void Program::begin(const Setup& setup) {
  m_setup = setup;
  Memory& memory = m_core.memory();
  memory.clear();
  const uint64_t top = PRESIL_DSP_DTCM + uint64_t{m_dtcm_bytes}, stack = top - kStackBytes;
  const auto tcm = [&](uint64_t base, uint64_t bytes, uint8_t* host, uint8_t rights) {
    memory.add({base, bytes, host, rights, Space::kTcm, PRESIL_DSP_REGION_NO_TENSOR, nullptr});
  };
  tcm(PRESIL_DSP_ITCM, m_image_bytes, m_itcm.data(), kRead | kExecute);
  tcm(PRESIL_DSP_EXIT, sizeof kEcall, const_cast<uint8_t*>(kEcall), kExecute);
  tcm(stack, kStackBytes, &m_dtcm[stack - PRESIL_DSP_DTCM], kRead | kWrite);
  tcm(PRESIL_DSP_DTCM, stack - PRESIL_DSP_GUARD_BYTES - PRESIL_DSP_DTCM, m_dtcm.data(),
      kRead | kWrite);
  const uint64_t args = PRESIL_DSP_SRAM + setup.args;
  memory.add({args, setup.args_bytes, m_sram.bytes_at(setup.args, setup.args_bytes), kRead,
              Space::kSram, PRESIL_DSP_REGION_NO_TENSOR, nullptr});
  for (const Region& region : setup.regions) memory.add(region);
  memory.add({PRESIL_DSP_OWN, PRESIL_DSP_OWN_BYTES, nullptr, kRead | kWrite, Space::kDevice,
              PRESIL_DSP_REGION_NO_TENSOR, this});
  m_core.reset();
  Hart& hart = m_core.hart();
  hart.x[kReturn] = PRESIL_DSP_EXIT;
  hart.x[kStackPointer] = top;
  hart.x[kResult] = args;
  m_pc = setup.entry;
  m_waits = false;
  m_trap = {};
  m_refused.reset();
  m_source = m_destination = 0;
  m_row_bytes = m_rows = 0;
  m_source_stride = m_destination_stride = 0;
}

Program::State Program::advance(uint64_t limit) {
  Hart& hart = m_core.hart();
  if (hart.cycle >= m_setup.watchdog) {
    trapped({Cause::kWatchdog, static_cast<uint32_t>(m_pc), 0, 0, hart.vstart});
    return State::kTrapped;
  }
  const Stop& stop = m_core.run(m_pc, std::min(limit, m_setup.watchdog));
  m_pc = stop.pc;
  switch (stop.cause) {
    case Cause::kLater:
      m_waits = true;
      return State::kWaiting;
    case Cause::kWatchdog:
      if (hart.cycle < m_setup.watchdog) return State::kRunning;
      break;
    case Cause::kCall:
      if (hart.x[kResult] == 0) return State::kEnded;
      break;
    default:
      break;
  }
  trapped(stop);
  return State::kTrapped;
}

void Program::waited_until(uint64_t cycle) {
  Hart& hart = m_core.hart();
  m_waits = false;
  if (cycle <= hart.cycle) return;
  charge(hart, static_cast<uint32_t>(m_pc), Stall::kDevice, cycle - hart.cycle);
}

// ------------------------------------------------------------------------------------------ traps

void Program::trapped(const Stop& stop) {
  const Hart& hart = m_core.hart();
  m_trap = {};
  m_trap.pc = stop.pc;
  m_trap.word = stop.word;
  m_trap.address = stop.address;
  m_trap.vstart = stop.vstart;
  m_trap.sp = hart.x[kStackPointer];
  m_trap.cycle = hart.cycle;
  m_trap.cause = static_cast<TrapCause>(stop.cause);
  if (stop.cause == Cause::kWatchdog) m_trap.word = instruction_at(m_trap.pc);
  if (stop.cause == Cause::kCall) {
    m_trap.cause = TrapCause::kKernelRefused;
    m_trap.code = static_cast<uint32_t>(hart.x[kResult]);
    return;
  }
  if (m_refused) {
    m_trap.cause = static_cast<TrapCause>(m_refused->cause);
    m_trap.address = m_refused->address;
  }
  const bool access =
      m_trap.cause >= TrapCause::kLoadMisaligned && m_trap.cause <= TrapCause::kStoreFault;
  if (!access) return;
  const uint64_t stack = PRESIL_DSP_DTCM + uint64_t{m_dtcm_bytes} - kStackBytes;
  if (m_trap.address < stack && m_trap.address >= stack - PRESIL_DSP_GUARD_BYTES)
    m_trap.cause = TrapCause::kStackGuard;
  find_nearest(m_trap.address);
}

// Which would have been the next; 0: there is none.
uint32_t Program::instruction_at(uint32_t pc) const {
  uint32_t word = 0;
  for (unsigned half = 0; half < 2 && (half == 0 || (word & 3) == 3); ++half) {
    const uint8_t* bytes = m_core.hart().memory.at(pc + 2 * half, 2, kExecute);
    if (bytes != nullptr)
      word |= uint32_t{bytes[0]} << 16 * half | uint32_t{bytes[1]} << (16 * half + 8);
  }
  return word;
}

// The region at or next to an address, in the same memory; of several the first.
void Program::find_nearest(uint64_t address) {
  if (!in_sram(address) && !in_dram(address)) return;
  uint64_t best = ~uint64_t{0};
  for (size_t k = 0; k < m_setup.regions.size(); ++k) {
    const Region& region = m_setup.regions[k];
    if (in_dram(region.base) != in_dram(address)) continue;
    const uint64_t last = region.base + region.bytes - 1;
    const Near near = address < region.base ? Near::kBelow
                      : address > last      ? Near::kAbove
                                            : Near::kInRegion;
    const uint64_t distance = near == Near::kBelow   ? region.base - address
                              : near == Near::kAbove ? address - last
                                                     : address - region.base;
    const uint64_t rank = near == Near::kInRegion ? 0 : distance;
    if (rank >= best) continue;
    best = rank;
    m_trap.near = near;
    m_trap.region = static_cast<uint8_t>(k);
    m_trap.tensor = region.tensor;
    m_trap.distance = static_cast<uint32_t>(std::min<uint64_t>(distance, 0xffffffffu));
  }
}

// ---------------------------------------------------------------------------------- own registers

Device::Answer Program::load(uint64_t address, unsigned bytes, uint64_t cycle, uint64_t& value) {
  const auto offset = static_cast<uint32_t>(address - PRESIL_DSP_OWN);
  const auto of_region = [&](uint32_t first) -> const Region* {
    const uint32_t k = (offset - first) / 8;
    return k < m_setup.regions.size() ? &m_setup.regions[k] : nullptr;
  };
  unsigned wide = 4;
  switch (offset) {
    case PRESIL_DSP_OWN_DMA_START:
      value = m_channel.started();
      break;
    case PRESIL_DSP_OWN_DMA_DONE:
      value = m_channel.done();
      break;
    case PRESIL_DSP_OWN_REGION_COUNT:
      value = m_setup.regions.size();
      break;
    case PRESIL_DSP_OWN_CYCLE:
      value = cycle;
      wide = 8;
      break;
    case PRESIL_DSP_OWN_ARGS:
      value = PRESIL_DSP_SRAM + m_setup.args;
      wide = 8;
      break;
    default: {
      if (offset < PRESIL_DSP_OWN_REGION_BASE(0) || offset % 8 != 0) return Answer::kRefused;
      const bool size = offset >= PRESIL_DSP_OWN_REGION_SIZE(0);
      const Region* region =
          of_region(size ? PRESIL_DSP_OWN_REGION_SIZE(0) : PRESIL_DSP_OWN_REGION_BASE(0));
      value = region == nullptr ? 0 : size ? region->bytes : region->base;
      wide = 8;
    }
  }
  return bytes == wide ? Answer::kDone : Answer::kRefused;
}

Device::Answer Program::store(uint64_t address, unsigned bytes, uint64_t cycle, uint64_t value) {
  const auto offset = static_cast<uint32_t>(address - PRESIL_DSP_OWN);
  const auto word = static_cast<uint32_t>(value);
  const bool wide = offset == PRESIL_DSP_OWN_DMA_SOURCE || offset == PRESIL_DSP_OWN_DMA_DESTINATION;
  if (bytes != (wide ? 8u : 4u)) return Answer::kRefused;
  switch (offset) {
    case PRESIL_DSP_OWN_DMA_SOURCE:
      m_source = value;
      return Answer::kDone;
    case PRESIL_DSP_OWN_DMA_DESTINATION:
      m_destination = value;
      return Answer::kDone;
    case PRESIL_DSP_OWN_DMA_ROW_BYTES:
      m_row_bytes = word;
      return Answer::kDone;
    case PRESIL_DSP_OWN_DMA_ROWS:
      m_rows = word;
      return Answer::kDone;
    case PRESIL_DSP_OWN_DMA_SOURCE_STRIDE:
      m_source_stride = static_cast<int32_t>(word);
      return Answer::kDone;
    case PRESIL_DSP_OWN_DMA_DESTINATION_STRIDE:
      m_destination_stride = static_cast<int32_t>(word);
      return Answer::kDone;
    case PRESIL_DSP_OWN_DMA_START:
      return m_channel.full() ? Answer::kLater : start_copy(cycle);
    case PRESIL_DSP_OWN_DMA_WAIT:
      // Tickets wrap around.
      return static_cast<int32_t>(m_channel.done() - word) >= 0 ||
                     static_cast<int32_t>(m_channel.started() - word) < 0
                 ? Answer::kDone
                 : Answer::kLater;
    default:
      return Answer::kRefused;
  }
}

// A row of a copy: in one region with the right. The first byte that is refused is after the
// region that holds the row's beginning.
bool Program::row(uint64_t address, Right right, Cause cause, uint8_t*& host, bool& dram) {
  const Region* region = m_core.memory().find(address, m_row_bytes, right);
  if (region != nullptr && region->host != nullptr) {
    host = region->host + (address - region->base);
    dram = region->space == Space::kDram;
    return true;
  }
  uint64_t blame = address;
  const Region* holds = region == nullptr ? m_core.memory().find(address, 1, right) : nullptr;
  if (holds != nullptr) blame = holds->base + holds->bytes;
  m_refused = Refused{cause, blame};
  return false;
}

Device::Answer Program::start_copy(uint64_t cycle) {
  Copy copy;
  const uint64_t total = uint64_t{m_row_bytes} * m_rows;
  if (total > kMostCopied) {
    m_refused = Refused{Cause::kLoadFault, m_source};
    return Answer::kRefused;
  }
  copy.row_bytes = m_row_bytes;
  copy.rows = m_row_bytes == 0 ? 0 : m_rows;
  copy.from.address = m_source;
  copy.from.stride = m_source_stride;
  copy.to.address = m_destination;
  copy.to.stride = m_destination_stride;
  copy.bytes.resize(static_cast<size_t>(total));
  for (uint32_t r = 0; r < copy.rows; ++r) {
    uint8_t* from = nullptr;
    uint8_t* to = nullptr;
    const auto at = [&](uint64_t base, int64_t stride) {
      return base + static_cast<uint64_t>(stride * static_cast<int64_t>(r));
    };
    if (!row(at(m_source, m_source_stride), kRead, Cause::kLoadFault, from, copy.from.dram) ||
        !row(at(m_destination, m_destination_stride), kWrite, Cause::kStoreFault, to, copy.to.dram))
      return Answer::kRefused;
    std::memcpy(&copy.bytes[size_t{r} * m_row_bytes], from, m_row_bytes);
    copy.destination.push_back(to);
  }
  // What is outstanding is awaited from here on: the core must not run ahead of it.
  m_core.hart().limit = std::min(m_core.hart().limit, cycle + 1);
  m_channel.start(std::move(copy), cycle);
  return Answer::kDone;
}

}  // namespace presil::dsp
