#include "models/dsp/dsp_csr.h"

#include "models/dsp/dsp_blocks.h"

namespace presil::dsp {
namespace {

using Read = uint64_t (*)(Hart&, const Decoded&);
using Write = void (*)(Hart&, uint64_t);

struct Row {
  uint16_t number;
  const char* name;
  Read read;
  Write write;  // null: read-only, a write is an illegal instruction
};

// RV64 with C, F, I, M and, by Zve, no V bit.
constexpr uint64_t kMisa = uint64_t{2} << 62 | 1 << 2 | 1 << 5 | 1 << 8 | 1 << 12;
// FS and VS always dirty, hence SD; the machine's mode is the only one.
constexpr uint64_t kMstatus = uint64_t{1} << 63 | 3 << 13 | 3 << 9 | 3 << 11;

void ignored(Hart&, uint64_t) {}
uint64_t zero(Hart&, const Decoded&) {
  return 0;
}
uint64_t cycles(Hart& h, const Decoded& o) {
  return cycle_of(h, o);
}
uint64_t retired(Hart& h, const Decoded& o) {
  return h.blocks->retired_before(o);
}

template <Stall first, Stall last>
uint64_t stalled(Hart& h, const Decoded&) {
  const auto all = h.blocks->stalls();
  uint64_t sum = 0;
  for (auto s = static_cast<size_t>(first); s <= static_cast<size_t>(last); ++s)
    sum += all[s] + h.stalls[s];
  return sum;
}

constexpr Row kRows[] = {
    {0x001, "fflags", [](Hart& h, const Decoded&) -> uint64_t { return h.fflags; },
     [](Hart& h, uint64_t v) { h.fflags = v & 31; }},
    {0x002, "frm", [](Hart& h, const Decoded&) -> uint64_t { return h.frm; },
     [](Hart& h, uint64_t v) { h.frm = v & 7; }},
    {0x003, "fcsr", [](Hart& h, const Decoded&) -> uint64_t { return h.frm << 5 | h.fflags; },
     [](Hart& h, uint64_t v) {
       h.fflags = v & 31;
       h.frm = v >> 5 & 7;
     }},
    {0x008, "vstart", [](Hart& h, const Decoded&) -> uint64_t { return h.vstart; },
     [](Hart& h, uint64_t v) { h.vstart = v & (h.config.vlen - 1); }},
    {0x009, "vxsat", [](Hart& h, const Decoded&) -> uint64_t { return h.vxsat; },
     [](Hart& h, uint64_t v) { h.vxsat = v & 1; }},
    {0x00a, "vxrm", [](Hart& h, const Decoded&) -> uint64_t { return h.vxrm; },
     [](Hart& h, uint64_t v) { h.vxrm = v & 3; }},
    {0x00f, "vcsr", [](Hart& h, const Decoded&) -> uint64_t { return h.vxrm << 1 | h.vxsat; },
     [](Hart& h, uint64_t v) {
       h.vxsat = v & 1;
       h.vxrm = v >> 1 & 3;
     }},
    {0x300, "mstatus", [](Hart&, const Decoded&) { return kMstatus; }, ignored},
    {0x301, "misa", [](Hart&, const Decoded&) { return kMisa; }, ignored},
    {0x341, "mepc", [](Hart& h, const Decoded&) -> uint64_t { return h.stop.pc; }, ignored},
    {0x342, "mcause", [](Hart& h, const Decoded&) { return static_cast<uint64_t>(h.stop.cause); },
     ignored},
    {0x343, "mtval", [](Hart& h, const Decoded&) { return h.stop.address; }, ignored},
    {0xb00, "mcycle", cycles, ignored},
    {0xb02, "minstret", retired, ignored},
    {0xb03, "mhpmcounter3", stalled<Stall::kLoadUse, Stall::kLoadUse>, ignored},
    {0xb04, "mhpmcounter4", stalled<Stall::kBranch, Stall::kBranch>, ignored},
    {0xb05, "mhpmcounter5", stalled<Stall::kDivide, Stall::kDivide>, ignored},
    {0xb06, "mhpmcounter6", stalled<Stall::kVectorQueue, Stall::kVectorQueue>, ignored},
    {0xb07, "mhpmcounter7", stalled<Stall::kVectorResult, Stall::kVectorResult>, ignored},
    {0xb08, "mhpmcounter8", stalled<Stall::kBank, Stall::kBank>, ignored},
    {0xb09, "mhpmcounter9", stalled<Stall::kFar, Stall::kFar>, ignored},
    {0xb0a, "mhpmcounter10", stalled<Stall::kDevice, Stall::kDevice>, ignored},
    {0xc00, "cycle", cycles, nullptr},
    {0xc01, "time", cycles, nullptr},
    {0xc02, "instret", retired, nullptr},
    {0xc20, "vl", [](Hart& h, const Decoded&) { return h.vl; }, nullptr},
    {0xc21, "vtype", [](Hart& h, const Decoded&) { return h.vtype.csr(); }, nullptr},
    {0xc22, "vlenb", [](Hart& h, const Decoded&) -> uint64_t { return h.config.vlenb(); }, nullptr},
    {0xf14, "mhartid", zero, nullptr},
};

const Row* find(unsigned number) {
  for (const Row& row : kRows)
    if (row.number == number) return &row;
  return nullptr;
}

}  // namespace

bool read_csr(Hart& hart, const Decoded& op, unsigned number, uint64_t& value) {
  const Row* row = find(number);
  if (row != nullptr) value = row->read(hart, op);
  return row != nullptr;
}

bool write_csr(Hart& hart, unsigned number, uint64_t value) {
  const Row* row = find(number);
  if (row == nullptr || row->write == nullptr) return false;
  row->write(hart, value);
  return true;
}

const char* csr_name(unsigned number) {
  const Row* row = find(number);
  return row == nullptr ? nullptr : row->name;
}

}  // namespace presil::dsp
