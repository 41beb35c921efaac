#include "rtl/common/register_bank.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "rtl/dla/dla_bank.h"
#include "rtl/dma/dma_bank.h"
#include "rtl/dsp/dsp_bank.h"
#include "rtl/host/host_bank.h"
#include "rtl/sync/sync_bank.h"

namespace presil {
namespace {

uint32_t read(RegisterBank& bank, uint32_t offset) {
  uint32_t value = 0xdeadbeef;
  EXPECT_EQ(bank.read(offset, value), Access::kOk) << offset;
  return value;
}

template <class B>
class AnyBank : public testing::Test {};
using Banks = testing::Types<dla::Bank, dma::Bank, dsp::Bank, sync::Bank, host::Bank>;
struct BankName {
  template <class>
  static std::string GetName(int i) {
    return std::array{"dla", "dma", "dsp", "sync", "host"}[size_t(i)];
  }
};
TYPED_TEST_SUITE(AnyBank, Banks, BankName);

TYPED_TEST(AnyBank, words_lie_in_order_inside_the_block_and_start_at_their_reset_value) {
  TypeParam bank;
  uint32_t next = 0;
  for (size_t i = 0; i < bank.word_count(); ++i) {
    const RegisterWord& w = bank.word(i);
    EXPECT_GE(w.offset, next) << w.name;
    next = w.offset + 4;
    EXPECT_EQ(bank.RegisterBank::get(w.offset), w.reset) << w.name;
    EXPECT_EQ(w.w1c & ~w.writable, 0u) << w.name;
    EXPECT_EQ(w.pulse & ~w.writable, 0u) << w.name;
  }
  EXPECT_LE(next, TypeParam::kSizeBytes);
}

TYPED_TEST(AnyBank, each_bit_reads_and_writes_as_its_access_says) {
  TypeParam bank;
  for (size_t i = 0; i < bank.word_count(); ++i) {
    const RegisterWord& w = bank.word(i);
    for (const uint32_t before : {0u, 0xffffffffu, 0xa5a5a5a5u}) {
      for (const uint32_t written : {0u, 0xffffffffu, 0x3c3c3c3cu}) {
        bank.RegisterBank::set(w.offset, before);
        const Access wrote = bank.write(w.offset, written);
        EXPECT_EQ(wrote, w.writable ? Access::kOk : Access::kReadOnly) << w.name;
        for (unsigned b = 0; b < 32; ++b) {
          const bool was = before >> b & 1, now = written >> b & 1;
          const bool plain = w.writable >> b & 1 && !(w.w1c >> b & 1) && !(w.pulse >> b & 1);
          const bool expected = plain ? now : w.w1c >> b & 1 ? was && !now : was;
          ASSERT_EQ(bank.RegisterBank::get(w.offset) >> b & 1, expected) << w.name << " bit " << b;
        }
        uint32_t value = 0xdeadbeef;
        const Access got = bank.read(w.offset, value);
        EXPECT_EQ(got, w.readable ? Access::kOk : Access::kWriteOnly) << w.name;
        EXPECT_EQ(value, bank.RegisterBank::get(w.offset) & w.readable) << w.name;
      }
    }
  }
}

TYPED_TEST(AnyBank, no_other_offset_answers) {
  TypeParam bank;
  uint32_t value = 1;
  EXPECT_EQ(bank.read(2, value), Access::kMisaligned);
  EXPECT_EQ(value, 0u);
  EXPECT_EQ(bank.write(3, 0), Access::kMisaligned);
  EXPECT_EQ(bank.read(TypeParam::kSizeBytes, value), Access::kUnmapped);
  EXPECT_EQ(bank.read(0xfffffffc, value), Access::kUnmapped);
  EXPECT_EQ(bank.write(TypeParam::kSizeBytes - 4, 0), Access::kUnmapped);
  EXPECT_THROW(bank.RegisterBank::get(TypeParam::kSizeBytes), std::out_of_range);
  EXPECT_THROW(bank.RegisterBank::on_write(TypeParam::kSizeBytes, nullptr), std::out_of_range);
}

TEST(RegisterBank, doorbell_hook_sees_the_value_before_and_what_was_written) {
  dla::Bank bank;
  bank.queue().set_head(3);
  uint32_t seen_before = 0, seen_written = 0, tail_in_hook = 0;
  bank.queue().on_write(PRESIL_QUEUE_REG_TAIL, [&](uint32_t before, uint32_t written) {
    seen_before = before;
    seen_written = written;
    tail_in_hook = bank.queue().tail();
  });
  bank.write(PRESIL_DLA_REG_QUEUE_TAIL, 4);
  bank.write(PRESIL_DLA_REG_QUEUE_TAIL, 0x10005);
  EXPECT_EQ(seen_before, 4u);
  EXPECT_EQ(seen_written, 0x10005u);
  EXPECT_EQ(tail_in_hook, 5);  // 16 bits are stored
}

TEST(RegisterBank, pulses_are_seen_and_not_stored) {
  dla::Bank bank;
  uint32_t written = 0;
  bank.queue().on_write(PRESIL_QUEUE_REG_CONTROL, [&](uint32_t, uint32_t w) { written = w; });
  bank.write(PRESIL_DLA_REG_QUEUE_CONTROL,
             PRESIL_QUEUE_CONTROL_ENABLE_MASK | PRESIL_QUEUE_CONTROL_ABORT_MASK);
  EXPECT_TRUE(written & PRESIL_QUEUE_CONTROL_ABORT_MASK);
  EXPECT_EQ(read(bank, PRESIL_DLA_REG_QUEUE_CONTROL), PRESIL_QUEUE_CONTROL_ENABLE_MASK);
}

TEST(RegisterBank, a_one_clears_an_interrupt_and_only_that) {
  dma::Bank bank;
  queue::View channel = bank.channel(2);
  channel.set_irq_status_error(true);
  channel.set_irq_status_job_done(true);
  bank.write(PRESIL_DMA_REG_CHANNEL_IRQ_STATUS(2), PRESIL_QUEUE_IRQ_STATUS_ERROR_MASK);
  EXPECT_FALSE(channel.irq_status_error());
  EXPECT_TRUE(channel.irq_status_job_done());
  EXPECT_EQ(read(bank, PRESIL_DMA_REG_CHANNEL_IRQ_STATUS(1)), 0u);
}

TEST(RegisterBank, read_hook_refreshes_before_the_answer) {
  host::Bank bank;
  bank.on_read(PRESIL_HOST_REG_TIME, [&] { bank.set_time_cycles(0x123456789a); });
  EXPECT_EQ(read(bank, PRESIL_HOST_REG_TIME), 0x3456789au);
  EXPECT_EQ(read(bank, PRESIL_HOST_REG_TIME_HI), 0x12u);
}

TEST(RegisterBank, fields_keep_to_their_bits) {
  dma::Bank bank;
  queue::View channel = bank.channel(7);
  channel.set_error_code(queue::ErrorCode::kMisaligned);
  channel.set_error_rule(0xff);
  channel.set_error_code(queue::ErrorCode::kBusError);
  channel.set_error_word(8);
  EXPECT_EQ(read(bank, PRESIL_DMA_REG_CHANNEL_ERROR(7)), 0x08ff0du);
  channel.set_ring_base(~uint64_t{0});
  EXPECT_EQ(channel.ring_base(), 0xffffffffffu);  // 40 bits
  EXPECT_EQ(channel.ring_size_log2(), 2);
  sync::Bank sync;
  sync.wait_port(8).set_state_id(63);
  sync.wait_port(8).set_state_signaller(sync::Engine::kDsp);
  EXPECT_EQ(sync.wait_port(8).state_signaller(), sync::Engine::kDsp);
  EXPECT_EQ(read(sync, PRESIL_SYNC_REG_WAIT_PORT_STATE(8)), 1u << 12 | 1u << 9 | 63u);  // met: 1
}

TEST(RegisterBank, reset_restores_values_and_keeps_hooks) {
  dla::Bank bank;
  int calls = 0;
  bank.queue().on_write(PRESIL_QUEUE_REG_TAIL, [&](uint32_t, uint32_t) { ++calls; });
  bank.write(PRESIL_DLA_REG_QUEUE_TAIL, 9);
  bank.reset();
  EXPECT_EQ(bank.queue().tail(), 0);
  EXPECT_EQ(bank.array_macs_k(), 16);
  bank.write(PRESIL_DLA_REG_QUEUE_TAIL, 9);
  EXPECT_EQ(calls, 2);
}

TEST(RegisterBank, queues_have_the_same_offsets_in_every_engine) {
  EXPECT_EQ(PRESIL_DLA_REG_QUEUE_TAIL - PRESIL_DLA_REG_QUEUE, PRESIL_QUEUE_REG_TAIL);
  EXPECT_EQ(PRESIL_DMA_REG_CHANNEL_TAIL(3) - PRESIL_DMA_REG_CHANNEL(3), PRESIL_QUEUE_REG_TAIL);
  EXPECT_EQ(PRESIL_DLA_REG_QUEUE, PRESIL_DMA_REG_CHANNEL(0));
}

}  // namespace
}  // namespace presil
