// A core of the M profile as GDB sees it.
#include <algorithm>
#include <cstring>

#include "sim/debug/debugger.h"
#include "sim/host_cpu/arm_core.h"

namespace presil::host_cpu {
namespace {

using debug::Bytes;

// Numbers of registers, in the order of the description.
enum : unsigned {
  kPc = 15,
  kXpsr = 16,
  kMsp = 17,
  kPsp = 18,
  kDouble = 19,
  kDoubles = 16,
  kFpscr = kDouble + kDoubles
};
constexpr uint32_t kThumb = 1u << 24;
constexpr uint32_t kTimer = 0xe000e010;  // a read of its control clears a flag

std::string described(bool floats) {
  std::string text =
      "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target>"
      "<architecture>arm</architecture><feature name=\"org.gnu.gdb.arm.m-profile\">";
  for (unsigned n = 0; n < 13; ++n)
    text += "<reg name=\"r" + std::to_string(n) + "\" bitsize=\"32\"/>";
  text +=
      "<reg name=\"sp\" bitsize=\"32\" type=\"data_ptr\"/><reg name=\"lr\" bitsize=\"32\"/>"
      "<reg name=\"pc\" bitsize=\"32\" type=\"code_ptr\"/><reg name=\"xpsr\" bitsize=\"32\"/>"
      "</feature><feature name=\"org.gnu.gdb.arm.m-system\">"
      "<reg name=\"msp\" bitsize=\"32\" type=\"data_ptr\"/>"
      "<reg name=\"psp\" bitsize=\"32\" type=\"data_ptr\"/></feature>";
  if (floats) {
    text += "<feature name=\"org.gnu.gdb.arm.vfp\">";
    for (unsigned n = 0; n < kDoubles; ++n)
      text += "<reg name=\"d" + std::to_string(n) + "\" bitsize=\"64\" type=\"ieee_double\"/>";
    text += "<reg name=\"fpscr\" bitsize=\"32\"/></feature>";
  }
  return text + "</target>";
}

Bytes word(uint32_t value) {
  Bytes bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

class ArmDebug : public CoreDebug, private cpu::Tracer, private debug::Target {
 public:
  ArmDebug(cpu::Core& core, const cpu::Image& image, debug::Debugger& debugger)
      : m_core(core),
        m_image(image),
        m_debugger(debugger),
        m_floats(core.hart().config.fpu != cpu::Fpu::kNone),
        m_description(described(m_floats)) {
    m_core.set_tracer(this);
  }
  ~ArmDebug() override { m_core.set_tracer(nullptr); }

  void asleep() override {
    m_pc = m_core.hart().pc;
    m_it = m_core.hart().it;
    m_debugger.asleep(*this);
    m_core.hart().pc = m_pc;
  }

 private:
  bool before(cpu::Hart&, const cpu::Decoded& op) override {
    m_pc = op.pc;
    m_it = op.it;
    m_at = &op;
    m_debugger.at(*this, m_pc);
    m_at = nullptr;
    if (m_pc == op.pc) return false;
    m_core.hart().pc = m_pc;
    m_core.hart().it = 0;
    return true;
  }

  const std::string& description() const override { return m_description; }
  unsigned registers() const override { return m_floats ? kFpscr + 1 : kDouble; }
  uint64_t pc() const override { return m_pc; }
  std::string status() const override {
    const uint64_t cycle = m_core.cycle() + (m_at == nullptr ? 0 : m_at->at);
    return "cycle " + std::to_string(cycle) + ", at '" + cpu::function_at(m_image, m_pc) + "'" +
           (m_core.sleeping() ? ", asleep (WFI)" : "");
  }
  Bytes register_bytes(unsigned n) const override {
    const cpu::Hart& h = m_core.hart();
    if (n < kPc) return word(h.r[n]);
    if (n == kPc) return word(m_pc);
    if (n == kXpsr) {
      return word(h.apsr() | (m_it & 3u) << 25 | (m_it >> 2 & 63u) << 10 | kThumb |
                  m_core.system().current_exception());
    }
    if (n == kMsp || n == kPsp) return word(m_core.system().read_special(n == kMsp ? 8 : 9));
    if (n == kFpscr) return word(h.fpscr);
    Bytes bytes(8);
    std::memcpy(bytes.data(), &h.s[2 * (n - kDouble)], bytes.size());
    return bytes;
  }
  bool set_register(unsigned n, const Bytes& value) override {
    cpu::Hart& h = m_core.hart();
    uint32_t bits = 0;
    if (value.size() < sizeof bits) return false;
    std::memcpy(&bits, value.data(), sizeof bits);
    if (n < kPc) {
      h.r[n] = n == 13 ? bits & ~3u : bits;
    } else if (n == kPc) {
      m_pc = bits & ~1u;
    } else if (n == kXpsr) {
      h.set_nzcv(bits);
      h.q = bits >> 27 & 1;
      h.ge = bits >> 16 & 15;
    } else if (n == kFpscr) {
      h.fpscr = bits;
    } else if (n >= kDouble && value.size() == 8) {
      std::memcpy(&h.s[2 * (n - kDouble)], value.data(), value.size());
    } else {
      return false;
    }
    return true;
  }

  bool watch_reads(const std::vector<WatchedReads::Extent>& extents) override {
    m_core.memory().watch_reads(extents);
    return true;
  }
  bool was_read(uint64_t& address) override { return m_core.memory().reads().take(address); }

  bool read(uint64_t address, uint8_t* to, size_t bytes) override {
    return access(address, to, bytes, false);
  }
  bool write(uint64_t address, const uint8_t* from, size_t bytes) override {
    Bytes copy(from, from + bytes);
    if (!access(address, copy.data(), bytes, true)) return false;
    m_core.forget_instructions();
    return true;
  }
  // Whatever the program's rights: bytes, then words of devices and of the core's own registers.
  bool access(uint64_t address, uint8_t* data, size_t bytes, bool write) {
    if (address >> 32 != 0) return false;
    const auto first = static_cast<uint32_t>(address);
    for (const cpu::Region& region : m_core.memory().regions()) {
      const uint32_t offset = first - region.base;
      if (offset >= region.bytes || bytes > region.bytes - offset) continue;
      if (region.host == nullptr) return words(region.device, first, data, bytes, write);
      uint8_t* const host = region.host + offset;
      std::memcpy(write ? host : data, write ? data : host, bytes);
      return true;
    }
    return cpu::System::owns(first) && words(nullptr, first, data, bytes, write);
  }
  bool words(cpu::Device* device, uint32_t address, uint8_t* data, size_t bytes, bool write) {
    while (bytes != 0) {
      const uint32_t offset = address & 3;
      const size_t part = std::min<size_t>(bytes, 4 - offset);
      if (write && part != 4) return false;
      uint32_t value = 0;
      if (write) std::memcpy(&value, data, part);
      if (!one(device, address - offset, write, value)) return false;
      if (!write) std::memcpy(data, reinterpret_cast<uint8_t*>(&value) + offset, part);
      address += static_cast<uint32_t>(part), data += part, bytes -= part;
    }
    return true;
  }
  bool one(cpu::Device* device, uint32_t address, bool write, uint32_t& value) {
    if (device != nullptr) return device->peek(address, write, value);
    if (address == kTimer) return false;
    return write ? m_core.system().store(address, 4, m_core.cycle(), value)
                 : m_core.system().load(address, 4, m_core.cycle(), value);
  }

  cpu::Core& m_core;
  const cpu::Image& m_image;
  debug::Debugger& m_debugger;
  const bool m_floats;
  const std::string m_description;
  uint32_t m_pc = 0;
  uint8_t m_it = 0;
  const cpu::Decoded* m_at = nullptr;
};

}  // namespace

std::unique_ptr<CoreDebug> ArmCore::debug(debug::Debugger& debugger) {
  return std::make_unique<ArmDebug>(m_core, m_image, debugger);
}

}  // namespace presil::host_cpu
