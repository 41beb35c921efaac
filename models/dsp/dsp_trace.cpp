#include "models/dsp/dsp_trace.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "models/dsp/dsp_isa.h"
#include "models/dsp/dsp_listing.h"

namespace presil::dsp {
namespace {

constexpr unsigned kMostElements = 8;

std::string hex(uint64_t value, unsigned digits = 1) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%0*llx", static_cast<int>(digits),
                static_cast<unsigned long long>(value));
  return text;
}

/// As the contract names them.
const char* name_of(Cause cause) {
  switch (cause) {
    case Cause::kFetch:
      return "fetch";
    case Cause::kIllegal:
      return "illegal";
    case Cause::kBreakpoint:
      return "breakpoint";
    case Cause::kLoadMisaligned:
      return "load_misaligned";
    case Cause::kLoadFault:
      return "load_fault";
    case Cause::kStoreMisaligned:
      return "store_misaligned";
    case Cause::kStoreFault:
      return "store_fault";
    default:
      return "trap";
  }
}

std::string elements(const uint8_t* bytes, unsigned log2, uint64_t count) {
  std::string text;
  for (uint64_t i = 0; i < std::min<uint64_t>(count, kMostElements); ++i) {
    uint64_t value = 0;
    std::memcpy(&value, bytes + (i << log2), size_t{1} << log2);
    char one[24];
    std::snprintf(one, sizeof one, " %0*llx", 2 << log2, static_cast<unsigned long long>(value));
    text += one;
  }
  if (count > kMostElements) text += " ..";
  return text.empty() ? " nothing" : text;
}

}  // namespace

void Listing::begin(const std::string& title, std::vector<Symbol> functions, const Window& window) {
  m_title = title;
  m_functions = std::move(functions);
  m_window = window;
  m_pending = {};
  m_texts.clear();
}

void Listing::before(const Hart& hart, const Decoded& op, uint64_t of_program) {
  if (m_pending.any) write(hart, "");
  const uint64_t cycle = m_window.origin + of_program;
  if (cycle < m_window.first || cycle >= m_window.end) return;
  Pending& p = m_pending;
  p = {};
  p.any = true;
  p.cycle = cycle;
  p.pc = op.pc;
  p.rd = op.rd;
  p.stalls = hart.stalls;
  const Instruction& row = Isa::get().rows()[op.row];
  p.row = &row;
  const VectorOp* v = row.is_vector ? op.in.vector : nullptr;
  if (v != nullptr) {
    const bool access = row.vector.access != VectorInfo::Access::kNone;
    p.vector = !row.vector.store && writes(row, 'v');
    p.group = v->d;
    p.log2 = access ? static_cast<uint32_t>(__builtin_ctz(v->eew_bytes)) : v->d_log2;
    p.whole = v->whole;
    p.whole_elements = v->whole ? v->vlmax : 0;
    if (access) p.access = hex(hart.x[op.rs1]);
  } else if (writes(row, 'l') || writes(row, 'k')) {
    p.access = hex(hart.x[op.rs1] + static_cast<uint64_t>(op.imm));
  }
}

void Listing::stopped(const Hart& hart) {
  if (!m_pending.any) return;
  const Stop& stop = hart.stop;
  switch (stop.cause) {
    case Cause::kLater:
      m_pending = {};
      break;
    case Cause::kCall:
    case Cause::kWatchdog:
      write(hart, "");
      break;
    default:
      write(hart, std::string("trap ") + name_of(stop.cause) +
                      (stop.address != 0 ? " at " + hex(stop.address) : ""));
  }
}

const std::string& Listing::text_at(const Hart& hart, uint32_t pc) {
  const auto [at, made] = m_texts.try_emplace(pc);
  if (made) {
    const std::string place = place_in(m_functions, pc);
    char head[64];
    std::snprintf(head, sizeof head, "%08x  ", pc);
    at->second = head;
    at->second += place;
    if (place.size() < 32) at->second.resize(at->second.size() + 32 - place.size(), ' ');
    at->second += "  " + line_at(hart.memory, pc, m_functions).text;
  }
  return at->second;
}

std::string Listing::result(const Hart& hart) const {
  const Pending& p = m_pending;
  const Instruction& row = *p.row;
  if (p.vector) {
    // A group of one element, a mask's bits, or vl elements.
    const bool bits =
        row.vector.shape.commit == Commit::kBits || row.vector.shape.d == Width::kMask;
    const bool one = row.vector.shape.d == Width::kOne || row.vector.shape.d == Width::kOneWide;
    const uint64_t vl = p.whole ? p.whole_elements : hart.vl;
    const uint64_t count = bits ? (vl + 7) / 8 : one ? std::min<uint64_t>(vl, 1) : vl;
    const unsigned reg = p.group / hart.config.vlenb();
    return "v" + std::to_string(reg) + " =" + elements(hart.v + p.group, bits ? 0 : p.log2, count);
  }
  if (row.cls == Class::kConfigure) return "vl = " + std::to_string(hart.vl);
  if (writes(row, 'D')) return "f" + std::to_string(p.rd) + " = " + hex(hart.f[p.rd], 8);
  if (writes(row, 'd') && p.rd != 32) return "x" + std::to_string(p.rd) + " = " + hex(hart.x[p.rd]);
  return "";
}

void Listing::write(const Hart& hart, const std::string& end) {
  const Pending& p = m_pending;
  if (m_written >= m_most) {
    ++m_left_out;
    m_pending = {};
    return;
  }
  if (!m_title.empty()) m_out << std::exchange(m_title, "") << '\n';
  std::string line = std::to_string(p.cycle);
  line.insert(0, line.size() < 10 ? 10 - line.size() : 0, ' ');
  line += "  " + text_at(hart, p.pc);
  std::string notes;
  const auto add = [&notes](const std::string& what) {
    if (!what.empty()) notes += (notes.empty() ? "" : "; ") + what;
  };
  if (!p.access.empty()) add("at " + p.access);
  add(end.empty() ? result(hart) : end);
  for (size_t s = 1; s < p.stalls.size(); ++s)
    if (const uint64_t waited = hart.stalls[s] - p.stalls[s]; waited != 0)
      add("+" + std::to_string(waited) + " " + name_of(static_cast<Stall>(s)));
  if (!notes.empty()) {
    constexpr size_t kColumn = 88;
    if (line.size() < kColumn) line.resize(kColumn, ' ');
    line += "  # " + notes;
  }
  m_out << line << '\n';
  ++m_written;
  m_pending = {};
}

void Listing::end() {
  m_pending = {};
  if (m_left_out != 0)
    m_out << "# cut: " << m_written << " instructions are written, the " << m_left_out
          << " after them are left out\n";
}

}  // namespace presil::dsp
