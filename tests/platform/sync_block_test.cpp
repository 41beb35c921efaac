// Sync in RTL as a block of the platform: it does in every cycle what its model does, whenever it
// is asked, signalled or accessed; and lock-step, which says so, finds what a block could do wrong.
#include "sim/rtl/sync_block.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <map>
#include <random>
#include <set>

#include "rtl/sync/sync.h"

namespace presil::rtl {
namespace {

/// A sync that does wrong what a test asks for.
class FaultyTop : public SyncTop {
 public:
  std::function<void(SyncPins::In&)> spoil_in;
  std::function<void(SyncPins::Out&)> spoil_out;

  void settle() override {
    m_top->pins.in = pins.in;
    if (spoil_in) spoil_in(m_top->pins.in);
    m_top->settle();
    pins.in.cfg = m_top->pins.in.cfg;
    pins.out = m_top->pins.out;
    if (spoil_out) spoil_out(pins.out);
  }
  void edge() override { m_top->edge(); }
  uint32_t counter(unsigned id) const override { return m_top->counter(id); }
  unsigned counters() const override { return m_top->counters(); }
  std::vector<uint8_t> state() override { return m_top->state(); }
  void set_state(const std::vector<uint8_t>& state) override { m_top->set_state(state); }
  bool failed() const override { return m_top->failed(); }
  std::unique_ptr<Waveform> waveform(const std::string&) override { return nullptr; }

 private:
  std::unique_ptr<SyncTop> m_top = make_sync_top(1);
};

struct Bus : sc_core::sc_module {
  explicit Bus(sc_core::sc_module_name name) : sc_module(name) {}
  tlm_utils::simple_initiator_socket<Bus> socket{"socket"};

  bool access(bool write, uint16_t offset, uint32_t& value) {
    tlm::tlm_generic_payload payload;
    payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(offset);
    payload.set_data_ptr(reinterpret_cast<uint8_t*>(&value));
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    return payload.is_response_ok();
  }
};

class SyncBlockTest : public ::testing::Test {
 protected:
  SyncBlockTest() {
    kinds.sync = platform::BlockKind::kLockstep;
    auto made = std::make_unique<FaultyTop>();
    top = made.get();
    block =
        std::make_unique<SyncBlock>(platform::SyncPlace{config, kinds, keeper}, std::move(made));
    bus.socket.bind(block->registers());
    block->on_interrupt([this](bool level) { lines.push_back({keeper.cycle(), level}); });
  }
  void write(uint16_t offset, uint32_t value) { bus.access(true, offset, value); }
  uint32_t read(uint16_t offset) {
    uint32_t value = 0;
    bus.access(false, offset, value);
    return value;
  }
  /// Queue 0 signals, queue 3 waits for it.
  void one_signal() {
    keeper.timeline().at(100, Phase::kEngine, [this] {
      block->port(3).when_met(3, 0, 5, 7, [this](Cycle at) { met_at.push_back(at); });
    });
    keeper.timeline().at(200, Phase::kEngine, [this] { block->port(0).signal(200, 5, 7); });
    keeper.pass(300);
  }
  std::string stage() const {
    return block->divergence() == nullptr ? "none" : block->divergence()->stage;
  }

  SocConfig config;
  platform::BlockKinds kinds;
  Timekeeper keeper{"time", period_ps_of(1000)};
  FaultyTop* top = nullptr;
  std::unique_ptr<SyncBlock> block;
  Bus bus{"bus"};
  std::vector<std::pair<Cycle, bool>> lines;
  std::vector<Cycle> met_at;
};

TEST_F(SyncBlockTest, a_wait_ends_two_cycles_after_the_signal) {
  one_signal();
  EXPECT_EQ(met_at, std::vector<Cycle>{202});
  EXPECT_EQ(read(PRESIL_SYNC_REG_COUNT(5)), 7u);
  EXPECT_EQ(block->divergence(), nullptr);
}

TEST_F(SyncBlockTest, it_is_ticked_for_what_is_new_and_not_else) {
  one_signal();
  const uint64_t ticks = block->ticks();
  EXPECT_LE(ticks, 40u);
  keeper.pass(1'000'000);
  EXPECT_EQ(block->ticks(), ticks);
}

TEST_F(SyncBlockTest, a_slot_raises_the_line_four_cycles_after_the_signal) {
  write(PRESIL_SYNC_REG_IRQ_ENABLE, 1);
  keeper.pass(8);
  write(PRESIL_SYNC_REG_SLOT(0) + PRESIL_SYNC_SLOT_REG_VALUE, 7);
  keeper.pass(8);
  write(PRESIL_SYNC_REG_SLOT(0) + PRESIL_SYNC_SLOT_REG_CONTROL,
        5 | PRESIL_SYNC_SLOT_CONTROL_ENABLE_MASK);
  one_signal();
  write(PRESIL_SYNC_REG_IRQ_STATUS, 1);
  EXPECT_EQ(lines, (std::vector<std::pair<Cycle, bool>>{{204, true}, {316, false}}));
  EXPECT_EQ(block->divergence(), nullptr) << block->divergence()->text();
}

/// Questions, signals and accesses in any cycle, near each other and far, over all ports.
TEST_F(SyncBlockTest, random_work_in_every_cycle_shows_no_difference) {
  std::mt19937 random(1);
  const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
  constexpr unsigned kIds = 12;
  const auto value_near = [&](unsigned id) {
    const uint32_t count = block->counter(id);
    const unsigned kind = below(20);
    if (kind == 0) return count + (1u << 30) + below(3);
    if (kind == 1) return count - below(1000);
    return count + 1 + below(6);
  };
  std::set<std::pair<unsigned, Cycle>> signalled;
  unsigned met = 0, asked = 0, accesses = 0, errors = 0, close = 0;
  Cycle last_access = 0;
  const auto act = [&] {
    const uint8_t queue = static_cast<uint8_t>(std::array{0, 1, 3, 4, 5, 6, 10}[below(7)]);
    const uint8_t port = static_cast<uint8_t>(std::array{0, 1, 3}[below(3)]);
    const uint8_t id = static_cast<uint8_t>(below(40) == 0 ? 200 : 1 + below(kIds));
    switch (below(5)) {
      case 0:
        block->port(queue).withdraw(queue, port);
        break;
      case 1:
      case 2: {
        ++asked;
        block->port(queue).when_met(queue, port, id, value_near(id % kIds), [&](Cycle at) {
          ++met;
          EXPECT_EQ(at, keeper.cycle());
        });
        break;
      }
      default: {
        const Cycle when = keeper.cycle() + below(4);
        if (!signalled.insert({queue, when}).second) break;
        block->port(queue).signal(when, id, static_cast<uint16_t>(below(8)));
      }
    }
  };
  const auto access = [&] {
    const unsigned slot = below(8);
    const uint16_t kOffsets[] = {
        PRESIL_SYNC_REG_ID,
        PRESIL_SYNC_REG_CONTROL,
        PRESIL_SYNC_REG_SIGNAL,
        PRESIL_SYNC_REG_SIGNAL,
        PRESIL_SYNC_REG_LIMIT,
        PRESIL_SYNC_REG_IRQ_STATUS,
        PRESIL_SYNC_REG_IRQ_STATUS,
        PRESIL_SYNC_REG_IRQ_ENABLE,
        PRESIL_SYNC_REG_OVERFLOW,
        PRESIL_SYNC_REG_REFUSED,
        static_cast<uint16_t>(PRESIL_SYNC_REG_COUNT(below(kIds))),
        static_cast<uint16_t>(PRESIL_SYNC_REG_SLOT(slot) + PRESIL_SYNC_SLOT_REG_VALUE),
        static_cast<uint16_t>(PRESIL_SYNC_REG_SLOT(slot) + PRESIL_SYNC_SLOT_REG_CONTROL),
        static_cast<uint16_t>(PRESIL_SYNC_REG_WAIT_PORT(below(24)) +
                              PRESIL_SYNC_WAIT_PORT_REG_VALUE),
        static_cast<uint16_t>(PRESIL_SYNC_REG_WAIT_PORT(below(24)) +
                              PRESIL_SYNC_WAIT_PORT_REG_STATE),
        static_cast<uint16_t>(4 * below(64))};
    const uint16_t offset = kOffsets[below(16)];
    uint32_t value = below(16);
    if (offset == PRESIL_SYNC_REG_SIGNAL) value = 1 + below(kIds) + (below(8) << 16);
    if (offset == PRESIL_SYNC_REG_LIMIT) value = below(4) == 0 ? below(kIds) : 63;
    if (offset == PRESIL_SYNC_REG_IRQ_STATUS || offset == PRESIL_SYNC_REG_IRQ_ENABLE) value = ~0u;
    if (offset >= PRESIL_SYNC_REG_SLOT(0) && offset < PRESIL_SYNC_REG_SLOT(8)) {
      value = offset % 8 == PRESIL_SYNC_SLOT_REG_VALUE
                  ? value_near(1 + below(kIds))
                  : 1 + below(kIds) + PRESIL_SYNC_SLOT_CONTROL_ENABLE_MASK;
    }
    ++accesses;
    close += keeper.cycle() - last_access < 4;
    last_access = keeper.cycle();
    errors += !bus.access(below(2) == 0, offset, value);
  };
  for (unsigned step = 0; step < 10'000 && block->divergence() == nullptr; ++step) {
    const Cycle now = keeper.cycle();
    const Cycle length = below(10) == 0 ? 2 + below(40) : 2 + below(2);
    for (unsigned i = below(3); i > 0; --i) {
      const Phase phases[] = {Phase::kMemory, Phase::kEngine, Phase::kGrant};
      keeper.timeline().at(now + below(static_cast<unsigned>(length)), phases[below(3)], act);
    }
    keeper.pass(length);
    if (below(3) == 0) access();
  }
  ASSERT_EQ(block->divergence(), nullptr) << block->divergence()->text();
  EXPECT_GT(met, 1500u);
  EXPECT_GT(asked, met);
  EXPECT_GT(accesses, 2500u);
  EXPECT_GT(close, 250u);
  EXPECT_GT(errors, 50u);
  EXPECT_GT(lines.size(), 100u);
}

// ---------------------------------------------------------------------------- what it finds

TEST_F(SyncBlockTest, a_lost_signal_is_told_in_the_cycle_in_which_the_counter_misses_it) {
  top->spoil_in = [](SyncPins::In& in) { in.signals[0].valid = false; };
  one_signal();
  ASSERT_EQ(stage(), "counter");
  EXPECT_EQ(block->divergence()->rtl_cycle, 202);
  EXPECT_EQ(block->divergence()->model, "counter 5 is 7");
  EXPECT_EQ(block->divergence()->rtl, "counter 5 is 0");
  EXPECT_TRUE(met_at.empty());
}

TEST_F(SyncBlockTest, an_early_answer_is_told) {
  top->spoil_out = [](SyncPins::Out& out) { out.met[8] = true; };
  one_signal();
  ASSERT_EQ(stage(), "met");
  EXPECT_EQ(block->divergence()->rtl_cycle, 100);
  EXPECT_EQ(block->divergence()->model,
            "lets queue 3 port 0, which waits for counter 5 to reach 7 wait");
}

TEST_F(SyncBlockTest, a_wait_that_does_not_end_is_told) {
  top->spoil_out = [](SyncPins::Out& out) { out.met[8] = false; };
  one_signal();
  ASSERT_EQ(stage(), "met");
  EXPECT_EQ(block->divergence()->rtl_cycle, 202);
  EXPECT_EQ(block->divergence()->model,
            "lets queue 3 port 0, which waits for counter 5 to reach 7 go on");
}

TEST_F(SyncBlockTest, a_wrong_last_signaller_is_told) {
  top->spoil_out = [](SyncPins::Out& out) { out.signaller[8] ^= 1; };
  one_signal();
  EXPECT_EQ(stage(), "signaller");
  EXPECT_EQ(block->divergence()->rtl_cycle, 100);
}

TEST_F(SyncBlockTest, a_line_that_stays_low_is_told) {
  top->spoil_out = [](SyncPins::Out& out) { out.irq = false; };
  write(PRESIL_SYNC_REG_IRQ_ENABLE, ~0u);
  keeper.pass(8);
  write(PRESIL_SYNC_REG_SIGNAL, 0);  // counter 0: refused
  keeper.pass(8);
  ASSERT_EQ(stage(), "interrupt");
  EXPECT_EQ(block->divergence()->model, "line is high");
  EXPECT_EQ(block->divergence()->rtl_cycle, 10);
}

TEST_F(SyncBlockTest, a_wrong_register_is_told_and_a_halted_block_answers_errors) {
  top->spoil_out = [](SyncPins::Out& out) { out.answer.data ^= 4; };
  read(PRESIL_SYNC_REG_LIMIT);
  ASSERT_EQ(stage(), "register");
  EXPECT_EQ(block->divergence()->address, PRESIL_SYNC_REG_LIMIT);
  EXPECT_EQ(block->divergence()->rtl, "0x0000003b");
  uint32_t value = 0;
  keeper.pass(8);
  EXPECT_FALSE(bus.access(false, PRESIL_SYNC_REG_LIMIT, value));
}

// ------------------------------------------------------------------------- when it may sleep

TEST(SyncTop, after_four_cycles_of_the_same_inputs_nothing_changes_in_it) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::mt19937 random(seed);
    const auto top = make_sync_top(seed);
    const auto cycle = [&] {
      top->settle();
      top->edge();
      top->pins.in.signals = {};
      top->pins.in.cfg = {};
    };
    for (unsigned step = 0; step < 30; ++step) {
      for (unsigned n = random() % 4; n > 0; --n) {
        SyncPins::In& in = top->pins.in;
        const auto id = static_cast<uint8_t>(random() % 6);
        const uint32_t value = random() % 8 == 0 ? 1u << 30 : random() % 40;
        switch (random() % 4) {
          case 0:
            in.signals[std::array{0, 3, 5}[random() % 3]] = {true, id, 3};
            break;
          case 1:
            in.waits[std::array{0, 1, 8, 11}[random() % 4]] = {random() % 4 != 0, id, value};
            break;
          case 2:
            in.barriers[random() % 4] = {random() % 4 != 0, id, value};
            break;
          default:  // a slot, as a write asked for two cycles ago
            in.cfg.ask(true,
                       static_cast<uint16_t>(PRESIL_SYNC_REG_SLOT(random() % 2) +
                                             (random() % 2 ? PRESIL_SYNC_SLOT_REG_VALUE
                                                           : PRESIL_SYNC_SLOT_REG_CONTROL)),
                       id | PRESIL_SYNC_SLOT_CONTROL_ENABLE_MASK);
            cycle();
            cycle();
        }
      }
      if (random() % 3 != 0) {
        cycle();
        continue;
      }
      for (unsigned i = 0; i < SyncRtl::kDepth; ++i) cycle();
      top->settle();
      const std::vector<uint8_t> rests = top->state();
      cycle();
      top->settle();
      EXPECT_EQ(top->state(), rests) << seed;
    }
  }
}

TEST(SyncTop, goes_on_from_a_kept_state) {
  const auto top = make_sync_top(1);
  const auto signal = [&](uint16_t add) {
    top->pins.in.signals[0] = {true, 5, add};
    top->settle();
    top->edge();
    top->pins.in.signals = {};
    for (int i = 0; i < 3; ++i) {
      top->settle();
      top->edge();
    }
    return top->counter(5);
  };
  EXPECT_EQ(signal(1), 1u);
  const std::vector<uint8_t> kept = top->state();
  EXPECT_EQ(signal(2), 3u);
  top->set_state(kept);
  EXPECT_EQ(top->counter(5), 1u);
  EXPECT_EQ(signal(5), 6u);
}

}  // namespace
}  // namespace presil::rtl
