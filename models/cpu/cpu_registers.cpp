// The system control space: 0xe0001000 (cycle counter), 0xe000e000 to 0xe000efff.
#include "models/cpu/cpu_blocks.h"
#include "models/cpu/cpu_system.h"

namespace presil::cpu {
namespace {

constexpr uint32_t kInterrupts = 0xe000e100, kInterruptsEnd = 0xe000e800, kMpu = 0xe000ed90,
                   kMpuEnd = 0xe000edd0;

}  // namespace

// Bytes and halves of priorities and fault status have their own; others are read as words.
bool System::load(uint32_t address, unsigned bytes, uint64_t cycle, uint32_t& value) {
  const uint32_t word = load_word(address & ~3u, cycle);
  value = word >> (address & 3) * 8 & (bytes == 4 ? ~0u : (1u << bytes * 8) - 1);
  return true;
}

bool System::store(uint32_t address, unsigned bytes, uint64_t cycle, uint32_t value) {
  const uint32_t at = address & ~3u;
  if (bytes == 4) {
    store_word(at, value, cycle);
    return true;
  }
  const unsigned shift = (address & 3) * 8;
  const uint32_t mask = ((1u << bytes * 8) - 1) << shift;
  const bool clears = at == 0xe000ed28;  // writes of 1 clear: the others are written as 0
  const uint32_t before = clears ? 0 : load_word(at, cycle);
  store_word(at, (before & ~mask) | (value << shift & mask), cycle);
  return true;
}

uint32_t System::load_interrupts(uint32_t address) const {
  const uint32_t offset = address - kInterrupts;
  uint32_t value = 0;
  if (address >= 0xe000e400) {
    for (unsigned i = 0; i < 4; ++i) {
      const size_t n = kFirstInterrupt + (address - 0xe000e400) + i;
      if (n < m_exceptions.size())
        value |= static_cast<uint32_t>(m_exceptions[n].priority & 255) << 8 * i;
    }
    return value;
  }
  const unsigned kind = offset / 0x80, first = kFirstInterrupt + offset % 0x80 * 8;
  for (unsigned i = 0; i < 32 && first + i < m_exceptions.size(); ++i) {
    const Exception& e = m_exceptions[first + i];
    const bool bit = kind < 2 ? e.enabled : kind < 4 ? e.pending : kind == 4 && e.active;
    value |= (bit ? 1u : 0) << i;
  }
  return value;
}

void System::store_interrupts(uint32_t address, uint32_t value) {
  const uint32_t offset = address - kInterrupts;
  const uint32_t kept = 255u & ~((1u << (8 - m_hart.config.priority_bits)) - 1);
  if (address >= 0xe000e400) {
    for (unsigned i = 0; i < 4; ++i) {
      const size_t n = kFirstInterrupt + (address - 0xe000e400) + i;
      if (n < m_exceptions.size())
        m_exceptions[n].priority = static_cast<int16_t>(value >> 8 * i & kept);
    }
  } else {
    const unsigned kind = offset / 0x80, first = kFirstInterrupt + offset % 0x80 * 8;
    for (unsigned i = 0; i < 32 && first + i < m_exceptions.size(); ++i) {
      Exception& e = m_exceptions[first + i];
      if ((value >> i & 1) == 0) continue;
      if (kind == 0) e.enabled = true;
      if (kind == 1) e.enabled = false;
      if (kind == 2) set_pending(first + i);
      if (kind == 3) e.pending = e.level && !e.active;  // a line that is high stays pending
    }
  }
  changed();
}

uint32_t System::handler_state() const {
  const auto bit = [](bool set, unsigned n) { return set ? 1u << n : 0; };
  const auto& e = m_exceptions;
  return bit(e[4].active, 0) | bit(e[5].active, 1) | bit(e[6].active, 3) | bit(e[11].active, 7) |
         bit(e[12].active, 8) | bit(e[14].active, 10) | bit(e[15].active, 11) |
         bit(e[6].pending, 12) | bit(e[4].pending, 13) | bit(e[5].pending, 14) |
         bit(e[11].pending, 15) | bit(e[4].enabled, 16) | bit(e[5].enabled, 17) |
         bit(e[6].enabled, 18);
}

void System::set_handler_state(uint32_t value) {
  m_may_be_pending = true;
  auto& e = m_exceptions;
  const auto bit = [value](unsigned n) { return (value >> n & 1) != 0; };
  e[4].active = bit(0), e[5].active = bit(1), e[6].active = bit(3), e[11].active = bit(7);
  e[12].active = bit(8), e[14].active = bit(10), e[15].active = bit(11);
  e[6].pending = bit(12), e[4].pending = bit(13), e[5].pending = bit(14);
  e[11].pending = bit(15);
  for (unsigned n = 0; n < 3; ++n) e[kMemManage + n].enabled = bit(16 + n);
}

// What start-up code asks the identification registers for.
uint32_t System::feature(uint32_t address) const {
  const Config& c = m_hart.config;
  const bool fpv5 = c.fpu == Fpu::kFpv5, any = c.fpu != Fpu::kNone;
  switch (address) {
    case 0xe000ed40:
      return 0x30;  // ID_PFR0: T32
    case 0xe000ed44:
      return 0x200;  // ID_PFR1: two stack pointers
    case 0xe000ed60:
      return 0x01101110;  // ID_ISAR0: divide, bit fields
    case 0xe000ed64:
      return c.dsp ? 0x02112000 : 0x02111000;
    case 0xe000ed68:
      return 0x21232231;
    case 0xe000ed6c:
      return c.dsp ? 0x01111131 : 0x01111130;
    case 0xe000ed70:
      return 0x01310132;
    case 0xe000ef40:
      return any ? 0x10110021 : 0;  // MVFR0: single precision
    case 0xe000ef44:
      return any ? 0x11000011 : 0;  // MVFR1: FMA, half, default NaN
    case 0xe000ef48:
      return fpv5 ? 0x40 : 0;  // MVFR2: VSEL, VRINT, ...
    default:
      return 0;
  }
}

uint32_t System::load_word(uint32_t address, uint64_t cycle) {
  if (address >= kInterrupts && address < kInterruptsEnd) return load_interrupts(address);
  if (address >= kMpu && address < kMpuEnd) return m_mpu.load(address - kMpu);
  const auto priority = [this](unsigned n) {
    return static_cast<uint32_t>(m_exceptions[n].priority & 255);
  };
  switch (address) {
    case 0xe0001000:
      return m_dwt_control;
    case 0xe0001004:
      return (m_dwt_control & 1) != 0 ? static_cast<uint32_t>(cycle - m_dwt_from) : 0;
    case 0xe000e004:
      return (m_hart.config.interrupts - 1) / 32;  // ICTR
    case 0xe000e010: {
      advance(cycle);
      const uint32_t value = m_timer_control;
      m_timer_control &= ~(1u << 16);
      return value;
    }
    case 0xe000e014:
      return m_timer_reload;
    case 0xe000e018:
      advance(cycle);
      return timer_value(cycle);
    case 0xe000e01c:
      return 0xc0000000;  // no reference clock, no calibration
    case 0xe000ed00:
      return m_hart.config.cpuid;
    case 0xe000ed04: {
      const unsigned urgent = most_urgent();
      const bool nested = m_ipsr == 0 || handler_state() == 0;
      return m_ipsr | (nested ? 1u << 11 : 0) | urgent << 12 |
             (urgent >= kFirstInterrupt ? 1u << 22 : 0) |
             (m_exceptions[kSysTick].pending ? 1u << 26 : 0) |
             (m_exceptions[kPendSv].pending ? 1u << 28 : 0) |
             (m_exceptions[kNmi].pending ? 1u << 31 : 0);
    }
    case 0xe000ed08:
      return m_vtor;
    case 0xe000ed0c:
      return 0xfa050000 | (m_aircr & 0x700);
    case 0xe000ed10:
      return m_scr;
    case 0xe000ed14:
      return m_ccr;
    case 0xe000ed18:
      return priority(4) | priority(5) << 8 | priority(6) << 16;
    case 0xe000ed1c:
      return priority(11) << 24;
    case 0xe000ed20:
      return priority(12) | priority(14) << 16 | priority(15) << 24;
    case 0xe000ed24:
      return handler_state();
    case 0xe000ed28:
      return m_cfsr;
    case 0xe000ed2c:
      return m_hfsr;
    case 0xe000ed30:
      return m_dfsr;
    case 0xe000ed34:
      return m_mmfar;
    case 0xe000ed38:
      return m_bfar;
    case 0xe000ed88:
      return m_cpacr;
    case 0xe000edfc:
      return m_demcr;
    case 0xe000ef34:
      return m_fpccr;
    case 0xe000ef38:
      return m_fpcar;
    case 0xe000ef3c:
      return m_fpdscr;
    default:
      return feature(address);
  }
}

void System::store_word(uint32_t address, uint32_t value, uint64_t cycle) {
  if (address >= kInterrupts && address < kInterruptsEnd) return store_interrupts(address, value);
  if (address >= kMpu && address < kMpuEnd) {
    m_mpu.store(address - kMpu, value);
    m_hart.memory.forget();
    m_hart.blocks->drop();
    update_privilege();
    return changed();
  }
  const uint32_t kept = 255u & ~((1u << (8 - m_hart.config.priority_bits)) - 1);
  const auto set_priority = [&](unsigned n, unsigned shift) {
    m_exceptions[n].priority = static_cast<int16_t>(value >> shift & kept);
  };
  switch (address) {
    case 0xe0001000:
      m_dwt_control = (m_demcr & 1u << 24) != 0 ? value & 1 : 0;
      if (m_dwt_from == 0) m_dwt_from = cycle;
      break;
    case 0xe0001004:
      m_dwt_from = cycle - value;
      break;
    case 0xe000e010: {
      const uint32_t now = timer_value(cycle);
      m_timer_control = value & 7;
      set_timer(cycle, now);
      break;
    }
    case 0xe000e014:
      m_timer_reload = value & 0xffffff;
      break;
    case 0xe000e018:
      m_timer_control &= ~(1u << 16);
      set_timer(cycle, 0);
      break;
    case 0xe000ed04:
      if ((value & 1u << 31) != 0) set_pending(kNmi);
      if ((value & 1u << 28) != 0) set_pending(kPendSv);
      if ((value & 1u << 27) != 0) m_exceptions[kPendSv].pending = false;
      if ((value & 1u << 26) != 0) set_pending(kSysTick);
      if ((value & 1u << 25) != 0) m_exceptions[kSysTick].pending = false;
      break;
    case 0xe000ed08:
      m_vtor = value & ~0x7fu;
      break;
    case 0xe000ed0c:
      if (value >> 16 != 0x5fa) break;  // VECTKEY
      m_aircr = value & 0x700;
      m_reset_requested |= (value & 4) != 0;
      break;
    case 0xe000ed10:
      m_scr = value & 0x16;
      break;
    case 0xe000ed14:
      m_ccr = m_hart.config.v8() ? (value & 0x71e) | 0x201 : value & 0x31b;
      break;
    case 0xe000ed18:
      set_priority(4, 0), set_priority(5, 8), set_priority(6, 16);
      break;
    case 0xe000ed1c:
      set_priority(11, 24);
      break;
    case 0xe000ed20:
      set_priority(12, 0), set_priority(14, 16), set_priority(15, 24);
      break;
    case 0xe000ed24:
      set_handler_state(value);
      break;
    case 0xe000ed28:
      m_cfsr &= ~value;
      break;
    case 0xe000ed2c:
      m_hfsr &= ~value;
      break;
    case 0xe000ed30:
      m_dfsr &= ~value;
      break;
    case 0xe000ed34:
      m_mmfar = value;
      break;
    case 0xe000ed38:
      m_bfar = value;
      break;
    case 0xe000ed88:
      if (m_hart.config.fpu != Fpu::kNone) m_cpacr = value & 0xf00000;
      update_float();
      break;
    case 0xe000edfc:
      m_demcr = value & 1u << 24;
      break;
    case 0xe000ef00:
      if ((value & 511) + kFirstInterrupt < m_exceptions.size())
        set_pending((value & 511) + kFirstInterrupt);
      break;
    case 0xe000ef34:
      m_fpccr = (value & 0xc0000001);
      update_float();
      break;
    case 0xe000ef38:
      m_fpcar = value & ~7u;
      break;
    case 0xe000ef3c:
      m_fpdscr = value & kFpModes;
      break;
    default:
      break;
  }
  changed();
}

}  // namespace presil::cpu
