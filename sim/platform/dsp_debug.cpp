#include "sim/platform/dsp_debug.h"

#include <algorithm>
#include <cstring>

#include "rtl/dsp/dsp_view.h"
#include "rtl/soc/address_map.h"
#include "sim/debug/riscv_registers.h"
#include "sim/platform/soc.h"

namespace presil::platform {
namespace {

using debug::Bytes, debug::bytes_of;
namespace riscv = debug::riscv;

// Numbers of registers, in the order of the description.
enum : unsigned { kVector = riscv::kOthers, kVstart = kVector + 32, kVl, kVtype, kVlenb, kAll };

std::string vector_type(const std::string& id, const std::string& of, unsigned count) {
  return "<vector id=\"" + id + "\" type=\"" + of + "\" count=\"" + std::to_string(count) + "\"/>";
}

std::string described(unsigned vlenb) {
  using riscv::described;
  std::string text = riscv::description_begins() + "<feature name=\"org.gnu.gdb.riscv.vector\">";
  text += vector_type("bytes", "uint8", vlenb) + vector_type("shorts", "uint16", vlenb / 2) +
          vector_type("words", "uint32", vlenb / 4) + vector_type("longs", "uint64", vlenb / 8) +
          "<union id=\"vector\"><field name=\"b\" type=\"bytes\"/>"
          "<field name=\"s\" type=\"shorts\"/><field name=\"w\" type=\"words\"/>"
          "<field name=\"l\" type=\"longs\"/></union>";
  for (unsigned n = 0; n < 32; ++n) text += described("v" + std::to_string(n), vlenb * 8, "vector");
  text += "</feature><feature name=\"org.gnu.gdb.riscv.csr\">";
  for (const char* name : {"vstart", "vl", "vtype", "vlenb"}) text += described(name, 64, "int");
  return text + "</feature></target>";
}

}  // namespace

void DspDebug::begins(const dsp::ProgramStart& start, dsp::Core& core) {
  m_before.begins(start, core);
  m_core = &core;
  m_start = start;
  if (m_description.empty()) m_description = described(core.hart().config.vlenb());
  core.memory().watch_reads(m_reads);
  core.set_tracer(this);
}

void DspDebug::ends(const dsp::ProgramStart& start, const dsp::Core& core) {
  m_before.ends(start, core);
}

void DspDebug::before(const dsp::Hart&, const dsp::Decoded& op, uint64_t cycle) {
  m_pc = op.pc;
  m_cycle = cycle;
  m_debugger.at(*this, m_pc);
}

std::string DspDebug::status() const {
  return "cycle " + std::to_string(static_cast<uint64_t>(m_start.origin) + m_cycle) + ", command " +
         std::to_string(m_start.index) + " of the DSP, tag " + std::to_string(m_start.tag);
}

unsigned DspDebug::registers() const {
  return kAll;
}

Bytes DspDebug::register_bytes(unsigned n) const {
  const dsp::Hart& h = m_core->hart();
  if (n < kVector) return riscv::register_bytes(h, m_pc, n);
  if (n < kVstart) {
    const uint8_t* first = m_core->vector_register(n - kVector);
    return Bytes(first, first + h.config.vlenb());
  }
  if (n == kVstart) return bytes_of<uint64_t>(h.vstart);
  if (n == kVl) return bytes_of<uint64_t>(h.vl);
  if (n == kVtype) return bytes_of<uint64_t>(h.vtype.csr());
  return bytes_of<uint64_t>(h.config.vlenb());
}

// The program's way stays its own: neither pc nor what blocks were decoded for can be written.
bool DspDebug::set_register(unsigned n, const Bytes& value) {
  dsp::Hart& h = m_core->hart();
  if (n < kVector) return riscv::set_register(h, n, value);
  if (n >= kVstart || value.size() != h.config.vlenb()) return false;
  std::memcpy(m_core->vector_register(n - kVector), value.data(), value.size());
  return true;
}

// What the program may touch, then the SRAM and the DRAM whole.
uint8_t* DspDebug::place(uint64_t address, size_t bytes) const {
  for (const dsp::Region& region : m_core->memory().regions()) {
    const uint64_t offset = address - region.base;
    if (region.host == nullptr || offset >= region.bytes || bytes > region.bytes - offset) continue;
    return region.host + offset;
  }
  const uint8_t* found = nullptr;
  if (address >= PRESIL_DRAM_BASE) {
    found = m_soc.system(address);
    if (found != nullptr && m_soc.system(address + bytes - 1) != found + bytes - 1) return nullptr;
  } else if (address >= PRESIL_DSP_SRAM) {
    const uint64_t offset = address - PRESIL_DSP_SRAM;
    found = m_soc.sram(offset);
    if (found != nullptr && m_soc.sram(offset + bytes - 1) == nullptr) return nullptr;
  }
  return const_cast<uint8_t*>(found);
}

bool DspDebug::watch_reads(const std::vector<WatchedReads::Extent>& extents) {
  m_reads = extents;
  m_core->memory().watch_reads(extents);
  return true;
}

bool DspDebug::was_read(uint64_t& address) {
  return m_core->memory().reads().take(address);
}

bool DspDebug::read(uint64_t address, uint8_t* to, size_t bytes) {
  const uint8_t* from = bytes == 0 ? nullptr : place(address, bytes);
  if (from != nullptr) std::memcpy(to, from, bytes);
  return from != nullptr;
}

bool DspDebug::write(uint64_t address, const uint8_t* from, size_t bytes) {
  uint8_t* to = bytes == 0 ? nullptr : place(address, bytes);
  if (to != nullptr) std::memcpy(to, from, bytes);
  return to != nullptr;
}

}  // namespace presil::platform
