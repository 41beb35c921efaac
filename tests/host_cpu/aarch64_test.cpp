// What stands beside an AArch64 core, and the memory that its process sees.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

#include "sim/host_cpu/aarch64_peripherals.h"
#include "sim/host_cpu/shared_pages.h"

namespace presil::host_cpu {
namespace {

TEST(Aarch64, the_timer_counts_the_cores_cycles_and_fires_where_it_is_on_and_not_masked) {
  TimerFrame timer;
  uint32_t value = 0;
  constexpr uint64_t kNow = 0x123456789;
  EXPECT_EQ(timer.load(TimerFrame::kBase, kNow, value), Access::kDone);
  EXPECT_EQ(value, 0x23456789u);
  EXPECT_EQ(timer.load(TimerFrame::kBase + 4, kNow, value), Access::kDone);
  EXPECT_EQ(value, 1u);
  EXPECT_EQ(timer.store(TimerFrame::kBase + 0x20, 0, 0x10), Access::kDone);
  EXPECT_EQ(timer.store(TimerFrame::kBase + 0x24, 0, 2), Access::kDone);
  const struct {
    uint32_t control;
    uint64_t next;
  } cases[] = {
      {0, HostCore::kNever}, {1, 0x200000010}, {2, HostCore::kNever}, {3, HostCore::kNever}};
  for (const auto& c : cases) {
    EXPECT_EQ(timer.store(TimerFrame::kBase + 0x2c, 0, c.control), Access::kDone);
    EXPECT_EQ(timer.next(), c.next) << c.control;
  }
  timer.store(TimerFrame::kBase + 0x2c, 0, 1);
  timer.load(TimerFrame::kBase + 0x2c, 0x20000000f, value);
  EXPECT_EQ(value, 1u);
  timer.load(TimerFrame::kBase + 0x2c, 0x200000010, value);
  EXPECT_EQ(value, 5u);
  EXPECT_EQ(timer.load(TimerFrame::kBase + 8, 0, value), Access::kRefused);
  EXPECT_EQ(timer.store(TimerFrame::kBase, 0, 0), Access::kRefused);
}

TEST(Aarch64, the_distributor_shows_the_line) {
  Distributor distributor;
  uint32_t value = 7;
  EXPECT_EQ(distributor.load(Distributor::kBase + 0x204, 0, value), Access::kDone);
  EXPECT_EQ(value, 0u);
  distributor.set_line(true);
  distributor.load(Distributor::kBase + 0x204, 0, value);
  EXPECT_EQ(value, 1u);
  EXPECT_EQ(distributor.store(Distributor::kBase + 0x104, 0, 1), Access::kDone);
  distributor.load(Distributor::kBase + 0x104, 0, value);
  EXPECT_EQ(value, 1u);
  EXPECT_EQ(distributor.load(Distributor::kBase + 0x200, 0, value), Access::kRefused);
  EXPECT_EQ(distributor.store(Distributor::kBase + 0x204, 0, 1), Access::kRefused);
}

TEST(Aarch64, pages_that_are_taken_over_keep_what_they_hold_and_their_address) {
  constexpr uint64_t kBytes = 64 << 20, kPage = 4096;
  void* const map = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(map, MAP_FAILED);
  auto* const bytes = static_cast<uint8_t*>(map);
  bytes[5] = 11;
  bytes[7 * kPage + 1] = 12;
  bytes[kBytes - 1] = 13;
  SharedFile file;
  const uint64_t before = file.grow(100);  // whole pages
  EXPECT_EQ(before, 0u);
  const uint64_t offset = file.take_over(bytes, kBytes);
  EXPECT_EQ(offset, kPage);
  EXPECT_EQ(bytes[5], 11);
  EXPECT_EQ(bytes[7 * kPage + 1], 12);
  EXPECT_EQ(bytes[kBytes - 1], 13);
  EXPECT_EQ(bytes[2 * kPage], 0);
  uint8_t* const other = file.map(offset, kBytes);
  EXPECT_EQ(other[kBytes - 1], 13);
  other[9 * kPage] = 14;  // as the other process does
  EXPECT_EQ(bytes[9 * kPage], 14);
  bytes[5] = 15;
  EXPECT_EQ(other[5], 15);
  SharedFile::unmap(other, kBytes);
  SharedFile::unmap(bytes, kBytes);
}

}  // namespace
}  // namespace presil::host_cpu
