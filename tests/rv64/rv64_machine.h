// A core with code, a handler, data and a few lines to run one program on it. The handler notes
// mepc, mcause, mtval, mstatus in x20 .. x23, counts itself in x24, and goes on after the
// instruction (4 bytes) that trapped; after an interrupt at the instruction that comes next.
#pragma once

#include <cstring>
#include <vector>

#include "models/rv64/rv64_core.h"
#include "tests/dsp/dsp_assembler.h"

namespace presil::rv64 {

constexpr int64_t kMstatus = 0x300, kMie = 0x304, kMtvec = 0x305, kMscratch = 0x340, kMepc = 0x341,
                  kMcause = 0x342, kMtval = 0x343, kMip = 0x344, kCycle = 0xc00;
constexpr uint32_t kMretWord = 0x30200073, kWfiWord = 0x10500073;

struct Machine64 {
  static constexpr uint64_t kCode = 0x10000, kHandler = 0x1000, kData = 0x20000000;
  Core core;
  std::vector<uint8_t> code = std::vector<uint8_t>(4096), handler = std::vector<uint8_t>(4096),
                       data = std::vector<uint8_t>(4096);
  std::string text;

  explicit Machine64(const Config& config = {}) : core(config) {
    using dsp::kExecute, dsp::kRead, dsp::kWrite, dsp::Space;
    core.memory().add({kCode, code.size(), code.data(), kRead | kExecute, Space::kTcm, 0, nullptr});
    core.memory().add(
        {kHandler, handler.size(), handler.data(), kRead | kExecute, Space::kTcm, 0, nullptr});
    core.memory().add({kData, data.size(), data.data(), kRead | kWrite, Space::kTcm, 0, nullptr});
    core.set_console([this](const std::string& part) { text += part; });
    core.reset(kCode);
    dsp::Assembler h(kHandler);
    h("csrrs", {20, kMepc, 0});
    h("csrrs", {21, kMcause, 0});
    h("csrrs", {22, kMtval, 0});
    h("csrrs", {23, kMstatus, 0});
    h("addi", {24, 24, 1});
    h("blt", {21, 0, 12});  // interrupts have bit 63
    h("addi", {25, 20, 4});
    h("csrrw", {0, kMepc, 25});
    h.word(kMretWord);
    set_handler(h);
    core.hart().x[10] = kData;
    core.hart().x[11] = Clint::kBase;
  }
  void set_handler(const dsp::Assembler& h) {
    std::memcpy(handler.data(), h.bytes().data(), h.bytes().size());
  }
  /// What the assembler has, after mtvec = kHandler + `mode`; then it sleeps indefinitely.
  const Stop& run(dsp::Assembler& a, uint64_t limit = 100000) {
    a.word(kWfiWord);
    a("jal", {0, -4});
    std::memcpy(code.data(), a.bytes().data(), a.bytes().size());
    core.forget_instructions();
    return core.run_awake(limit);
  }
  static dsp::Assembler begun(int32_t mode = 0) {
    dsp::Assembler a(kCode);
    a.li(5, static_cast<int32_t>(kHandler) + mode);
    a("csrrw", {0, kMtvec, 5});
    return a;
  }
  uint64_t x(unsigned n) const { return core.hart().x[n]; }
};

}  // namespace presil::rv64
