// What a block in RTL does in one cycle is told in one order, at whatever moment of it each was
// seen.
#include "sim/rtl/cycle_events.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "sim/rtl/dma_reference.h"

namespace presil::rtl {
namespace {

/// Every order of 0 .. count - 1.
std::vector<std::vector<unsigned>> orders(unsigned count) {
  std::vector<unsigned> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::vector<std::vector<unsigned>> all;
  do {
    all.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  return all;
}

template <class Kind>
void expect_one_order() {
  const auto kinds = static_cast<unsigned>(Kind::kCount);
  std::vector<unsigned> expected(kinds);
  std::iota(expected.begin(), expected.end(), 0u);
  CycleEvents<Kind> cycle;
  std::vector<unsigned> told;
  for (const auto& order : orders(kinds)) {
    told.clear();
    for (const unsigned kind : order) {
      cycle.add(static_cast<Kind>(kind), [&told, kind] { told.push_back(kind); });
    }
    ASSERT_TRUE(told.empty()) << "before the cycle is over";
    cycle.tell();
    ASSERT_EQ(told, expected);
  }
  cycle.tell();
  EXPECT_EQ(told, expected) << "each is told once";
}

TEST(CycleEvents, every_pair_of_kinds_of_the_dma_has_its_order) {
  expect_one_order<DmaEvent>();
}

TEST(CycleEvents, every_pair_of_kinds_of_the_dla_has_its_order) {
  expect_one_order<EngineEvent>();
}

TEST(CycleEvents, those_of_one_kind_come_as_they_were_seen) {
  CycleEvents<EngineEvent> cycle;
  std::vector<unsigned> told;
  for (unsigned i = 0; i < 3; ++i) {
    cycle.add(EngineEvent::kWritten, [&told, i] { told.push_back(i); });
    cycle.add(EngineEvent::kOffered, [&told, i] { told.push_back(10 + i); });
  }
  cycle.tell();
  EXPECT_EQ(told, (std::vector<unsigned>{10, 11, 12, 0, 1, 2}));
}

struct Bytes : BytePort {
  uint8_t* bytes_at(uint64_t address, size_t) override { return &all[address]; }
  std::vector<uint8_t> all = std::vector<uint8_t>(0x4000, 0x5a);
};

/// A copy inside the SRAM: the last word may be granted in the cycle in which the command ends.
FetchedCommand local_copy(uint32_t tag) {
  dma::Command c = dma::Command::make(dma::Op::kCopy);
  c.src_space = c.dst_space = dma::Space::kSram;
  c.src_base = 0x100;
  c.dst_base = 0x200;
  c.src_row_bytes = c.dst_row_bytes = 16;
  c.src_n = c.dst_n = {1, 1, 1, 1};
  c.tag = tag;
  FetchedCommand fetched;
  fetched.index = tag;
  fetched.words.resize(dma::Command::kWords);
  c.encode(fetched.words.data());
  return fetched;
}

TEST(CycleEvents, a_command_may_do_all_in_one_cycle_whatever_is_seen_first) {
  Bytes system, sram;
  std::vector<Divergence> found;
  DmaReference reference({}, sram, system, [&](const Divergence& d) { found.push_back(d); });
  CycleEvents<DmaEvent> cycle;
  const std::vector<uint8_t> word(16, 0x5a);
  const auto see = [&](unsigned what, const FetchedCommand& first, const FetchedCommand& second) {
    const uint32_t tag = first.index;
    switch (what) {
      case 0:
        return cycle.add(DmaEvent::kOffered, [&] { reference.offered(2, second, 10); });
      case 1:
        return cycle.add(DmaEvent::kBegun, [&] { reference.begun(2, 10); });
      case 2:
        return cycle.add(DmaEvent::kWritten,
                         [&] { reference.written(true, 2, 0x200, word.data(), 0xffff, 10); });
      default:
        return cycle.add(DmaEvent::kEnded, [&, tag] { reference.ended(2, tag, tag, 10); });
    }
  };
  FetchedCommand running = local_copy(0);
  reference.offered(2, running, 1);
  reference.begun(2, 2);
  uint32_t next = 1;
  for (const auto& order : orders(4)) {  // the one ends, the next begins
    const FetchedCommand offered = local_copy(next++);
    for (const unsigned what : order) see(what, running, offered);
    cycle.tell();
    running = offered;
    ASSERT_TRUE(found.empty()) << found[0].text();
  }
}

}  // namespace
}  // namespace presil::rtl
