// Random programs of the DSP's tests, interrupted all the time, end in the state in which
// qemu-riscv64 ends them undisturbed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "models/rv64/rv64_core.h"
#include "tests/common/qemu.h"
#include "tests/dsp/dsp_assembler.h"
#include "tests/dsp/dsp_qemu.h"

namespace presil::rv64 {
namespace {

using dsp::Assembler;

constexpr uint64_t kHandler = 0x1000, kSink = 0x03000000, kSaved = 0x04000000;

// Calls of the program: write (64) takes the bytes at x11, x12 of them; exit (93) stops the core.
struct Sink : dsp::Device {
  Core* core = nullptr;
  std::vector<uint8_t> out;
  bool ended = false;
  Answer load(uint64_t, unsigned, uint64_t, uint64_t&) override { return Answer::kRefused; }
  Answer store(uint64_t, unsigned, uint64_t, uint64_t) override {
    const auto& x = core->hart().x;
    if (x[17] != 64) {
      ended = true;
      return Answer::kLater;
    }
    const uint8_t* bytes = core->memory().at(x[11], x[12], dsp::kRead);
    if (bytes == nullptr) return Answer::kRefused;
    out.insert(out.end(), bytes, bytes + x[12]);
    return Answer::kDone;
  }
};

// What the handler keeps at the address in mscratch: x6, x7, its step, how often it was entered.
constexpr int64_t kX6 = 0, kX7 = 8, kStep = 16, kEntered = 24;

// A call goes to the sink; an interrupt lets the timer run out again after a random step.
std::vector<uint8_t> handler() {
  Assembler h(kHandler);
  h("csrrw", {5, 0x340, 5});  // mscratch
  h("sd", {6, kX6, 5});
  h("sd", {7, kX7, 5});
  h("csrrs", {6, 0x342, 0});
  constexpr int64_t kCallWords = 5, kTimerWords = 13;
  h("blt", {6, 0, 4 * (1 + kCallWords + 1)});
  h("csrrs", {6, 0x341, 0});
  h("addi", {6, 6, 4});
  h("csrrw", {0, 0x341, 6});
  h("lui", {6, static_cast<int64_t>(kSink >> 12)});
  h("sd", {0, 0, 6});
  h("jal", {0, 4 * (1 + kTimerWords)});
  h("ld", {6, kEntered, 5});
  h("addi", {6, 6, 1});
  h("sd", {6, kEntered, 5});
  h("ld", {6, kStep, 5});
  h("slli", {7, 6, 2});
  h("add", {6, 6, 7});
  h("addi", {6, 6, 37});
  h("andi", {6, 6, 255});  // step = (step * 5 + 37) mod 256: all values come
  h("sd", {6, kStep, 5});
  h("csrrs", {7, 0xc01, 0});
  h("add", {6, 6, 7});
  h("lui", {7, static_cast<int64_t>((Clint::kBase + 0x4000) >> 12)});
  h("sd", {6, 0, 7});
  h("ld", {6, kX6, 5});
  h("ld", {7, kX7, 5});
  h("csrrw", {5, 0x340, 5});
  h.word(0x30200073);
  return h.bytes();
}

TEST(Rv64Random, programs_interrupted_at_any_block_end_as_undisturbed) {
  if (!dsp::has_qemu()) GTEST_SKIP() << dsp::kNoQemu;
  const char* all = std::getenv("PRESIL_ALL");
  const int count = all != nullptr && std::string(all) == "1" ? 3000 : 200;
  dsp::Random random(23);
  std::vector<dsp::Program> programs;
  for (int i = 0; i < count; ++i) programs.push_back(dsp::random_scalar_program(random));
  dsp::Linked linked = dsp::link(programs, 512, false);
  const qemu::TemporaryFile file;
  dsp::write_elf(file.name(), linked);
  const std::vector<uint8_t> expected = dsp::run_qemu(file.name(), 512);

  Core core{Config{}};
  Sink sink;
  sink.core = &core;
  std::vector<uint8_t> code = handler(), saved(4096);
  const auto add = [&](uint64_t base, std::vector<uint8_t>& bytes, uint8_t rights) {
    core.memory().add({base, bytes.size(), bytes.data(), rights, dsp::Space::kTcm, 0, nullptr});
  };
  add(dsp::Linked::kCode, linked.code, dsp::kRead | dsp::kExecute);
  add(dsp::Linked::kData, linked.data, dsp::kRead | dsp::kWrite);
  add(kHandler, code, dsp::kRead | dsp::kExecute);
  add(kSaved, saved, dsp::kRead | dsp::kWrite);
  core.memory().add({kSink, 8, nullptr, dsp::kWrite, dsp::Space::kDevice, 0, &sink});
  core.reset(dsp::Linked::kCode);
  // As a monitor has left it: vectors, timer at once, interrupts on.
  Machine& machine = const_cast<Machine&>(core.machine());
  machine.write(0x305, 0, kHandler);
  machine.write(0x340, 0, kSaved);
  machine.write(0x304, 0, 1 << Machine::kTimer);
  machine.write(0x300, 0, 8);
  core.memory().find(Clint::kBase, 8, dsp::kWrite)->device->store(Clint::kBase + 0x4000, 8, 0, 50);
  while (!sink.ended) {
    const Reason reason = core.run_awake(core.cycle() + 1'000'000).reason;
    ASSERT_EQ(reason, sink.ended ? Reason::kLater : Reason::kTime);
  }
  uint64_t entered = 0;
  std::memcpy(&entered, saved.data() + kEntered, 8);
  EXPECT_EQ(qemu::first_difference(expected, sink.out), -1);
  EXPECT_EQ(sink.out.size(), expected.size());
  EXPECT_GT(entered, 20 * static_cast<uint64_t>(count));
}

}  // namespace
}  // namespace presil::rv64
