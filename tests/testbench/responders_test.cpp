// The responders keep the protocol that the checkers know, and the memory holds what was written.
#include <gtest/gtest.h>

#include <vector>

#include "testbench/common/axi_checker.h"
#include "testbench/common/read_responder.h"
#include "testbench/common/write_responder.h"

namespace presil::testbench {
namespace {

constexpr uint64_t kBase = 0x8000000000;
constexpr unsigned kBytes = 4096;

TEST(WriteResponder, keeps_the_protocol_and_writes_the_strobed_bytes) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    std::mt19937 random(seed);
    std::vector<uint8_t> memory(kBytes), expected(kBytes);
    WriteResponder responder([&](uint64_t a) { return &memory[a - kBase]; }, seed);
    responder.pace.take = 1 + seed % 3;
    responder.pace.error = 10;
    AxiWriteChecker checker;
    AxiAddress aw;
    AxiWriteData w;
    std::deque<std::pair<uint64_t, unsigned>> data;  // address and beats of bursts to be sent
    unsigned answers = 0, errors = 0, bursts = 0;
    for (int64_t cycle = 0; cycle < 20000 || !checker.idle(); ++cycle) {
      ASSERT_LT(cycle, 40000);
      if (!aw.valid && cycle < 20000 && random() % 4 == 0) {
        const unsigned place = random() % (kBytes / 16);
        const unsigned beats = 1 + random() % (16 - place % 16);
        aw = {true, false, static_cast<uint16_t>(random() % 4), kBase + 16 * place,
              static_cast<uint8_t>(beats - 1)};
        data.push_back({aw.address, beats});
        ++bursts;
      }
      if (!w.valid && !data.empty() && random() % 2 == 0) {
        w.valid = true;
        for (uint32_t& word : w.data) word = static_cast<uint32_t>(random());
        w.strobes = static_cast<uint16_t>(random());
        w.last = data.front().second == 1;
      }
      aw.ready = responder.aw_ready();
      w.ready = responder.w_ready();
      AxiResponse b = responder.b(cycle);
      b.ready = random() % 2;
      checker.cycle(aw, w, b);
      responder.take(cycle, aw, w, b.ready);
      if (b.valid && b.ready) {
        ++answers;
        errors += b.resp != 0;
      }
      if (w.valid && w.ready) {
        const auto* bytes = reinterpret_cast<const uint8_t*>(w.data.data());
        for (unsigned i = 0; i < 16; ++i) {
          if (w.strobes >> i & 1) expected[data.front().first - kBase + i] = bytes[i];
        }
        data.front().first += 16;
        if (--data.front().second == 0) data.pop_front();
        w = {};
      }
      if (aw.valid && aw.ready) aw = {};
    }
    EXPECT_EQ(checker.violations().text(), "");
    EXPECT_TRUE(responder.idle());
    EXPECT_EQ(answers, bursts);
    EXPECT_GT(errors, bursts / 20);
    EXPECT_EQ(memory, expected);
  }
}

TEST(ReadResponder, keeps_the_protocol_and_reads_the_memory) {
  std::mt19937 random(1);
  std::vector<uint8_t> memory(kBytes);
  for (uint8_t& byte : memory) byte = static_cast<uint8_t>(random());
  ReadResponder responder([&](uint64_t a) { return &memory[a - kBase]; }, 1);
  responder.pace.gap = 2;
  responder.pace.error = 10;
  AxiReadChecker checker;
  std::deque<uint64_t> beats;  // addresses to come
  unsigned errors = 0, read = 0;
  for (int64_t cycle = 0; cycle < 20000; ++cycle) {
    AxiAddress ar;
    if (random() % 16 == 0) {
      const unsigned place = random() % (kBytes / 16);
      const unsigned count = 1 + random() % (16 - place % 16);
      ar = {true, true, 0, kBase + 16 * place, static_cast<uint8_t>(count - 1)};
    }
    AxiReadData r;
    if (const auto beat = responder.beat(cycle)) {
      r = {true, true, 0, beat->data, beat->resp, beat->last};
      errors += r.resp != 0;
      ++read;
      ASSERT_FALSE(beats.empty());
      EXPECT_EQ(std::memcmp(r.data.data(), &memory[beats.front() - kBase], 16), 0);
      beats.pop_front();
    }
    checker.cycle(ar, r);
    if (!ar.valid) continue;
    responder.accept(cycle, ar.address, ar.len + 1u);
    for (unsigned i = 0; i <= ar.len; ++i) beats.push_back(ar.address + 16 * i);
  }
  EXPECT_EQ(checker.violations().text(), "");
  EXPECT_GT(read, 5000u);
  EXPECT_GT(errors, 20u);
}

}  // namespace
}  // namespace presil::testbench
