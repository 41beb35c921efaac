// An AArch64 core as GDB sees it. The core's process looks for breakpoints and watchpoints itself
// and stops where there is one; its registers are in the channel then.
#include <algorithm>
#include <cstring>
#include <utility>

#include "sim/debug/debugger.h"
#include "sim/host_cpu/aarch64_core.h"

namespace presil::host_cpu {
namespace {

using debug::Bytes;

// Numbers of registers, in the order of the description.
enum : unsigned { kSp = 31, kPc = 32, kPstate = 33, kVector = 34, kFpsr = 66, kFpcr = 67, kAll };

std::string reg(const std::string& name, unsigned bits, const char* type) {
  return "<reg name=\"" + name + "\" bitsize=\"" + std::to_string(bits) + "\" type=\"" + type +
         "\"/>";
}

std::string described() {
  std::string text =
      "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target>"
      "<architecture>aarch64</architecture><feature name=\"org.gnu.gdb.aarch64.core\">";
  for (unsigned n = 0; n < kSp; ++n) text += reg("x" + std::to_string(n), 64, "int");
  text += reg("sp", 64, "data_ptr") + reg("pc", 64, "code_ptr") + reg("cpsr", 32, "int") +
          "</feature><feature name=\"org.gnu.gdb.aarch64.fpu\">"
          "<vector id=\"v4f\" type=\"ieee_single\" count=\"4\"/>"
          "<vector id=\"v16u\" type=\"uint8\" count=\"16\"/>"
          "<union id=\"aarch64v\"><field name=\"f\" type=\"v4f\"/>"
          "<field name=\"u\" type=\"v16u\"/></union>";
  for (unsigned n = 0; n < 32; ++n) text += reg("v" + std::to_string(n), 128, "aarch64v");
  return text + reg("fpsr", 32, "int") + reg("fpcr", 32, "int") + "</feature></target>";
}

template <class T>
Bytes bytes_of(const T& value) {
  Bytes bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

template <class T>
bool take(T& to, const Bytes& value) {
  if (value.size() < sizeof to) return false;
  std::memcpy(&to, value.data(), sizeof to);
  return true;
}

}  // namespace

class Aarch64Core::Debug : public CoreDebug, private debug::Target {
 public:
  Debug(Aarch64Core& core, debug::Debugger& debugger)
      : m_core(core), m_debugger(debugger), m_description(described()) {
    m_core.m_debug = this;
    state().on = state().every = 1;
  }
  ~Debug() override {
    m_core.m_debug = nullptr;
    state().on = 0;
  }

  void asleep() override {
    m_debugger.asleep(*this);
    look_for();
  }
  /// The core stands before an instruction.
  void stands() {
    m_debugger.at(*this, state().pc);
    if (!m_debugger.every_instruction()) m_debugger.asleep(*this);
    look_for();
  }

 private:
  aarch64::Debug& state() const { return m_core.m_channel->debug; }

  // What the core's process is to stop for; more than fits it asks about at each instruction.
  void look_for() {
    aarch64::Debug& d = state();
    d.on = m_debugger.is_free() ? 0 : 1;
    d.every = m_debugger.every_instruction() ? 1 : 0;
    d.was_read = 0;
    d.points = d.watches = 0;
    for (const uint64_t address : m_debugger.breakpoints()) {
      if (d.points < aarch64::Debug::kPoints)
        d.point[d.points++] = address;
      else
        d.every = 1;
    }
    for (const debug::Debugger::Watched& w : m_debugger.watched()) {
      using Watches = debug::Debugger::Watches;
      if (d.watches == aarch64::Debug::kWatches || w.value.size() > aarch64::Debug::kWatchBytes ||
          m_core.device_at(w.address)) {
        d.every = 1;
        continue;
      }
      aarch64::Debug::Watch& to = d.watch[d.watches++];
      to = {w.address, w.value.size(), w.what != Watches::kWrites, w.what != Watches::kReads, {}};
      std::copy(w.value.begin(), w.value.end(), to.value);
    }
  }

  const std::string& description() const override { return m_description; }
  unsigned registers() const override { return kAll; }
  uint64_t pc() const override { return state().pc; }
  std::string status() const override {
    return "cycle " + std::to_string(m_core.cycle()) + ", at '" + m_core.function_at(pc()) + "'";
  }
  Bytes register_bytes(unsigned n) const override {
    const aarch64::Debug& d = state();
    if (n < kSp) return bytes_of(d.x[n]);
    if (n == kSp) return bytes_of(d.sp);
    if (n == kPc) return bytes_of(d.pc);
    if (n == kPstate) return bytes_of(d.pstate);
    if (n < kFpsr) return bytes_of(d.v[n - kVector]);
    return bytes_of(n == kFpsr ? d.fpsr : d.fpcr);
  }
  bool set_register(unsigned n, const Bytes& value) override {
    aarch64::Debug& d = state();
    d.written = 1;
    if (n < kSp) return take(d.x[n], value);
    if (n == kSp) return take(d.sp, value);
    if (n == kPc) return take(d.pc, value);
    if (n >= kVector && n < kFpsr) return take(d.v[n - kVector], value);
    if (n == kFpsr || n == kFpcr) return take(n == kFpsr ? d.fpsr : d.fpcr, value);
    return false;
  }
  bool watch_reads(const std::vector<WatchedReads::Extent>&) override { return true; }
  bool was_read(uint64_t& address) override {
    address = state().read_at;
    return std::exchange(state().was_read, 0) != 0;
  }
  bool read(uint64_t address, uint8_t* to, size_t bytes) override {
    return m_core.reach(address, to, bytes, false);
  }
  bool write(uint64_t address, const uint8_t* from, size_t bytes) override {
    Bytes copy(from, from + bytes);
    return m_core.reach(address, copy.data(), bytes, true);
  }

  Aarch64Core& m_core;
  debug::Debugger& m_debugger;
  const std::string m_description;
};

void Aarch64Core::ask_debugger() {
  if (m_debug != nullptr) m_debug->stands();
}

bool Aarch64Core::device_at(uint64_t address) const {
  return std::any_of(m_parts.begin(), m_parts.end(), [address](const Part& p) {
    return p.device != nullptr && address - p.region.base < p.region.bytes;
  });
}

// For a debugger, whatever the program's rights: bytes, then words of devices.
bool Aarch64Core::reach(uint64_t address, uint8_t* data, size_t bytes, bool write) const {
  for (const Part& p : m_parts) {
    const uint64_t offset = address - p.region.base;
    if (offset >= p.region.bytes || bytes > p.region.bytes - offset) continue;
    if (p.device == nullptr) {
      std::memcpy(write ? p.host + offset : data, write ? data : p.host + offset, bytes);
      return true;
    }
    for (size_t done = 0; done < bytes;) {
      const auto at = static_cast<uint32_t>(address + done);
      const size_t part = std::min<size_t>(bytes - done, 4 - at % 4);
      if (write && part != 4) return false;
      uint32_t word = 0;
      if (write) std::memcpy(&word, data + done, part);
      if (!p.device->peek(at & ~3u, write, word)) return false;
      if (!write) std::memcpy(data + done, reinterpret_cast<uint8_t*>(&word) + at % 4, part);
      done += part;
    }
    return true;
  }
  return false;
}

std::unique_ptr<CoreDebug> Aarch64Core::debug(debug::Debugger& debugger) {
  return std::make_unique<Debug>(*this, debugger);
}

}  // namespace presil::host_cpu
