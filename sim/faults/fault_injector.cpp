#include "sim/faults/fault_injector.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "models/common/command_crc.h"
#include "rtl/common/job.h"
#include "rtl/soc/address_map.h"
#include "rtl/soc/engines.h"

namespace presil::faults {
namespace {

constexpr unsigned kMostFetch = 160;  ///< bytes of a command or ring entry
constexpr unsigned kRingEntries = 4;  ///< as the driver sets it up

bool is_of(const Burst& burst, Access access) {
  switch (access) {
    case Access::kRead:
      return !burst.write && burst.bytes > kMostFetch;
    case Access::kWrite:
      return burst.write;
    case Access::kFetch:
      return !burst.write && burst.bytes <= kMostFetch;
    case Access::kAny:
      break;
  }
  return true;
}

bool of_bursts(Kind kind) {
  return kind == Kind::kBusError || kind == Kind::kWrongOrder || kind == Kind::kLateAnswer;
}
bool of_writes(Kind kind) {
  return kind == Kind::kLostDoorbell || kind == Kind::kCorruptJob;
}

/// Address of register tail of a queue; 0: it has none.
uint64_t tail_of(uint8_t queue) {
  const unsigned kind = presil_kind_of_queue(queue);
  const presil_engine_description* engine = presil_engine_description_of(kind);
  if (engine == nullptr || engine->queue_pitch == 0) return 0;
  return PRESIL_TILE_BASE(0) + PRESIL_TILE_ENGINE(kind, presil_instance_of_queue(queue)) +
         engine->queue_offset + engine->queue_pitch * presil_channel_of_queue(queue) +
         PRESIL_QUEUE_REG_TAIL;
}

void noise(uint8_t* bytes, uint64_t count, uint32_t seed) {
  std::mt19937_64 random(seed);
  for (uint64_t i = 0; i + 8 <= count; i += 8) {
    const uint64_t word = random();
    std::memcpy(bytes + i, &word, 8);
  }
}

}  // namespace

void Injector::arm(const std::vector<Fault>& faults, uint64_t dram_bytes) {
  disarm();
  m_happened.clear();
  m_pending.assign(faults.size(), {});
  if (faults.empty()) return;
  m_armed = std::make_shared<bool>(true);
  m_begin = m_tile.timekeeper.timeline().now();
  m_dram_bytes = dram_bytes;
  for (const Fault& fault : faults) m_happened.push_back({fault, 0, -1});
  bool bursts = false, writes = false;
  for (size_t i = 0; i < faults.size(); ++i) {
    bursts = bursts || of_bursts(faults[i].kind);
    writes = writes || of_writes(faults[i].kind);
    if (!of_bursts(faults[i].kind) && !of_writes(faults[i].kind)) schedule(i);
  }
  if (bursts)
    m_tile.memory.crossbar().disturb([this](const Burst& burst) { return of_burst(burst); });
  if (writes)
    m_tile.host.lose_writes([this](uint64_t a, uint32_t value) { return of_write(a, value); });
}

void Injector::disarm() {
  if (!m_armed) return;
  *m_armed = false;
  m_armed.reset();
  m_tile.memory.crossbar().disturb({});
  m_tile.host.lose_writes({});
  m_lost = m_spurious = 0;
  show_lines();
  for (const Happened& h : m_happened) stand(h.fault, false);
}

void Injector::schedule(size_t index) {
  const Fault& fault = m_happened[index].fault;
  Timeline& timeline = m_tile.timekeeper.timeline();
  timeline.at(m_begin + fault.cycle, Phase::kEngine, [this, index, armed = m_armed] {
    if (*armed) happen(index);
  });
  if (fault.cycles == 0) return;
  timeline.at(m_begin + fault.cycle + fault.cycles, Phase::kEngine, [this, index, armed = m_armed] {
    if (*armed) end(m_happened[index].fault);
  });
}

void Injector::end(const Fault& fault) {
  if (fault.kind == Kind::kLostInterrupt) m_lost &= ~fault.lines;
  if (fault.kind == Kind::kSpuriousInterrupt) m_spurious &= ~fault.lines;
  show_lines();
  stand(fault, false);
}

void Injector::happens(size_t index) {
  Happened& h = m_happened[index];
  if (h.times++ == 0) h.first = m_tile.timekeeper.timeline().now();
}

void Injector::happen(size_t index) {
  const Fault fault = m_happened[index].fault;
  happens(index);
  switch (fault.kind) {
    case Kind::kEccSingle:
    case Kind::kEccDouble:
    case Kind::kCorruptCommand:
      return invert(fault);
    case Kind::kStuck:
    case Kind::kClockStop:
      return stand(fault, true);
    case Kind::kLostInterrupt:
      m_lost |= fault.lines;
      return show_lines();
    case Kind::kSpuriousInterrupt:
      m_spurious |= fault.lines;
      return show_lines();
    case Kind::kPowerLoss:
      lose_memory(fault);
      return m_tile.reset();
    case Kind::kReset:
      return m_tile.reset();
    default:
      return;
  }
}

/// One more burst, or doorbell, that it looks at.
bool Injector::meets(size_t index) {
  const Fault& fault = m_happened[index].fault;
  const uint64_t number = m_pending[index].met++;
  if (number < fault.after || number - fault.after >= fault.count) return false;
  happens(index);
  return true;
}

noc::Crossbar::BurstFault Injector::of_burst(const Burst& burst) {
  noc::Crossbar::BurstFault result;
  for (size_t i = 0; i < m_happened.size(); ++i) {
    const Fault& fault = m_happened[i].fault;
    if (!of_bursts(fault.kind) || fault.queue != burst.master || !is_of(burst, fault.access))
      continue;
    if (m_tile.timekeeper.timeline().now() < m_begin + fault.cycle || !meets(i)) continue;
    if (fault.kind == Kind::kLateAnswer) {
      result.late = std::max(result.late, fault.cycles);
    } else {
      result.error = true;
    }
  }
  return result;
}

bool Injector::of_write(uint64_t address, uint32_t value) {
  bool lost = false;
  for (size_t i = 0; i < m_happened.size(); ++i) {
    const Fault fault = m_happened[i].fault;
    if (!of_writes(fault.kind) || address != tail_of(fault.queue) || !meets(i)) continue;
    if (fault.kind == Kind::kLostDoorbell) {
      lost = true;
    } else {
      corrupt_entry(fault, value);
    }
  }
  return lost;
}

void Injector::show_lines() {
  m_tile.host.disturb_lines(m_lost, m_spurious);
}

void Injector::stand(const Fault& fault, bool stands) {
  if (fault.kind != Kind::kStuck && fault.kind != Kind::kClockStop) return;
  if (QueueFrontend* queue = m_tile.queue(fault.queue))
    queue->stand(stands, fault.kind == Kind::kClockStop);
}

// Bits of a word with one error are those that its decoder gives; those of a word with two are not.
void Injector::invert(const Fault& fault) {
  BytePort& bytes =
      fault.sram ? static_cast<BytePort&>(m_tile.memory.sram()) : m_tile.memory.system();
  const uint64_t at = fault.address / 4 * 4;
  uint8_t* word = bytes.bytes_at(at, 4);
  if (word == nullptr) return;
  if (fault.kind != Kind::kEccSingle) {
    uint32_t value = 0;
    std::memcpy(&value, word, 4);
    value ^= fault.bits;
    std::memcpy(word, &value, 4);
  }
  if (fault.kind == Kind::kCorruptCommand) {
    if (fault.new_crc) write_crc(fault);
    return;
  }
  const unsigned wrong = fault.kind == Kind::kEccSingle ? 1 : 2;
  if (fault.sram) {
    m_tile.memory.sram().errors().add(at, wrong);
  } else if (at >= PRESIL_DRAM_BASE) {
    m_tile.memory.dram().errors().add(at - PRESIL_DRAM_BASE, wrong);
  }
}

// As software would that rewrites a stream: its field has the CRC of the new words.
void Injector::write_crc(const Fault& fault) {
  const presil_engine_description* engine =
      presil_engine_description_of(presil_kind_of_queue(fault.queue));
  const presil_field* crc = engine == nullptr ? nullptr : crc_field_of(*engine->format());
  if (crc == nullptr) return;
  const unsigned count = engine->format()->word_count;
  uint8_t* command = m_tile.memory.system().bytes_at(fault.address - 4 * fault.word, 4 * count);
  if (command == nullptr) return;
  auto* words = reinterpret_cast<uint32_t*>(command);
  presil_field_set(words, crc, crc_of(words, count, *crc));
}

void Injector::corrupt_entry(const Fault& fault, uint32_t tail) {
  const QueueFrontend* queue = m_tile.queue(fault.queue);
  if (queue == nullptr) return;
  const uint64_t slot = (tail - 1) % kRingEntries;
  uint8_t* word = m_tile.memory.system().bytes_at(
      queue->ring_base() + slot * PRESIL_JOB_ENTRY_BYTES + 4 * uint64_t{fault.word % 32}, 4);
  if (word == nullptr) return;
  uint32_t value = 0;
  std::memcpy(&value, word, 4);
  value ^= fault.bits;
  std::memcpy(word, &value, 4);
}

void Injector::lose_memory(const Fault& fault) {
  memory::Sram& sram = m_tile.memory.sram();
  memory::Bytes& dram = m_tile.memory.dram();
  noise(sram.data(), sram.size(), fault.seed);
  noise(dram.data(), std::min(m_dram_bytes, dram.size()), fault.seed + 1);
  sram.errors().clear();
  dram.errors().clear();
}

}  // namespace presil::faults
