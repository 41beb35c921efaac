// The engine in RTL as a block of a SoC, by its library: alone it computes what plain code says;
// in lock-step with its model nothing differs, and what is wrong in the RTL is told with command,
// address and both values. POOL_ENGINE: another library of the engine than this build's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "models/base/refusal.h"
#include "pool/pool.h"
#include "pool_cases.h"
#include "pool_tile.h"
#include "sim/rtl/engine_rtl_library.h"

namespace presil::pool::test {
namespace {

using platform::BlockKind;
using platform::BlockKinds;
using testing::HasSubstr;

const EngineLibrary& engine() {
  const char* other = std::getenv("POOL_ENGINE");
  static const EngineLibrary opened(other != nullptr ? other : ENGINE_POOL, ENGINE_FOLDER);
  return opened;
}
const rtl::EngineRtl& library() {
  static const rtl::EngineRtlLibrary opened(engine().file(), engine().folder(), "pool");
  return opened.rtl();
}

/// Cases of every operation, and the SRAM that they are in.
struct Work {
  explicit Work(unsigned random_cases) : sram(Parameters().sram_bytes) {
    std::mt19937 random(7);
    for (uint8_t& byte : sram) byte = static_cast<uint8_t>(random());
    cases = {window(Op::kMax, 14, 14, 2, 2, 0, 2), window(Op::kAverage, 9, 9, 3, 2, 1, 1),
             resize(Op::kNearest, {7, 14}, {5, 9}, 2), resize(Op::kBilinear, {7, 14}, {7, 13}, 1),
             resize(Op::kBilinear, {6, 11}, {7, 13}, 1, Rounding::kUp)};
    for (unsigned i = 0; i < random_cases; ++i) cases.push_back(random_case(random));
    uint32_t at = 0;
    for (Case& k : cases) {
      at = place(k, at, sram);
      k.command.tag = static_cast<uint32_t>(100 + commands.size());
      commands.push_back(k.command);
    }
  }
  std::vector<uint8_t> sram;
  std::vector<Case> cases;
  std::vector<Command> commands;
};

std::string said(Tile& tile) {
  const rtl::Divergence* d = tile.block().divergence();
  return d == nullptr ? "" : d->text();
}

void expect_values(const Work& work, Tile& tile) {
  for (size_t i = 0; i < work.cases.size(); ++i) {
    EXPECT_EQ(found(work.cases[i], tile.sram.all), expected(work.cases[i], work.sram))
        << "command " << i;
  }
}

TEST(PoolLockstep, rtl_alone_computes_what_plain_code_says_whatever_its_batch) {
  const Work work(10);
  BlockKinds one;
  one.batch = 1;
  Tile tile("tile", engine(), library(), BlockKind::kRtl, {}, work.sram);
  Tile step("step", engine(), library(), BlockKind::kRtl, one, work.sram);
  for (Tile* t : {&tile, &step}) {
    t->submit(work.commands);
    ASSERT_TRUE(t->wait());
    expect_values(work, *t);
    ASSERT_EQ(t->records.size(), work.commands.size());
    EXPECT_TRUE(t->model_records.empty());
  }
  for (size_t i = 0; i < tile.records.size(); ++i) {
    const CommandRecord &a = tile.records[i], &b = step.records[i];
    EXPECT_EQ(a.tag, 100 + i);
    EXPECT_EQ(a.end - a.start, b.end - b.start) << "command " << i;
    EXPECT_EQ(a.offered - tile.records[0].offered, b.offered - step.records[0].offered);
  }
}

TEST(PoolLockstep, nothing_differs_and_records_are_those_of_the_model) {
  const Work work(20);
  Tile tile("tile", engine(), library(), BlockKind::kLockstep, {}, work.sram);
  tile.submit(work.commands);
  EXPECT_TRUE(tile.wait());
  ASSERT_EQ(said(tile), "");
  expect_values(work, tile);
  ASSERT_EQ(tile.records.size(), work.commands.size());
  ASSERT_EQ(tile.model_records.size(), work.commands.size());
  for (size_t i = 0; i < work.commands.size(); ++i) {
    const CommandRecord &rtl = tile.records[i], &model = tile.model_records[i];
    // The SRAM is all its own: README.md has the same cycles for both.
    EXPECT_EQ(rtl.end - rtl.start, model.end - model.start) << "command " << i;
    EXPECT_LE(std::abs(rtl.end - model.end), 2) << "command " << i;
    EXPECT_EQ(rtl.sram_read_bytes, model.sram_read_bytes);
    EXPECT_EQ(rtl.sram_written_bytes, model.sram_written_bytes);
    for (const Cause cause : {Cause::kRun, Cause::kSramBank, Cause::kDrain}) {
      EXPECT_EQ(rtl.cycles[cause], model.cycles[cause]) << "command " << i << name_of(cause);
    }
    const Cycle last = i == 0 ? 0 : tile.records[i - 1].end;
    EXPECT_EQ(rtl.cycles.total(), rtl.end - std::max(rtl.offered, last)) << "command " << i;
  }
}

TEST(PoolLockstep, waits_are_met_by_signals_of_others_and_its_own_reach_the_tile) {
  Work work(0);
  work.commands.resize(2);
  work.commands[0].signal = 3;
  work.commands[0].signal_add = 5;
  work.commands[1].wait0 = 3;
  work.commands[1].wait0_value = 7;
  Tile tile("tile", engine(), library(), BlockKind::kLockstep, {}, work.sram);
  tile.submit(work.commands);
  EXPECT_FALSE(tile.wait(20000)) << "the counter is 5, the wait is for 7";
  ASSERT_EQ(tile.records.size(), 1u);
  EXPECT_EQ(tile.sync().counter(3), 5u);
  tile.sync().port(0).signal(tile.time().timeline().now(), 3, 2);
  EXPECT_TRUE(tile.wait());
  EXPECT_EQ(said(tile), "");
  ASSERT_EQ(tile.records.size(), 2u);
  // Counter 3 is queue 2's, the host's (rtl/soc/address_map.h).
  const Cause host = wait_for(Cause::kWait, Signaller::kHost);
  EXPECT_GT(tile.records[1].cycles[host], 15000);
}

TEST(PoolLockstep, with_other_masters_at_the_banks_the_sum_is_in_the_band) {
  const Work work(20);
  Tile tile("tile", engine(), library(), BlockKind::kLockstep, {}, work.sram);
  tile.banks.announce(1, 0, 10000000, 40000000);  // 4 words a cycle of 16 banks: a quarter
  tile.submit(work.commands);
  EXPECT_TRUE(tile.wait());
  EXPECT_EQ(said(tile), "");
  expect_values(work, tile);
  Attribution rtl, model;
  for (const CommandRecord& r : tile.records) rtl += r.cycles;
  for (const CommandRecord& r : tile.model_records) model += r.cycles;
  EXPECT_GT(rtl[Cause::kSramBank], rtl[Cause::kRun] / 5);
  const auto error = std::abs(static_cast<double>(rtl.total() - model.total()));
  EXPECT_LE(error, 0.005 * static_cast<double>(rtl.total()));
}

TEST(PoolLockstep, what_the_model_refuses_the_rtl_refuses) {
  Work work(0);
  work.commands[1].clamp_low = 5;  // rule R1
  work.commands[1].clamp_high = 4;
  Tile tile("tile", engine(), library(), BlockKind::kLockstep, {}, work.sram);
  tile.submit(work.commands);
  EXPECT_TRUE(tile.wait());
  constexpr uint32_t kQueue = PRESIL_POOL_REG_QUEUE;
  EXPECT_EQ(tile.read(kQueue + PRESIL_QUEUE_REG_IRQ_STATUS),
            uint32_t{PRESIL_QUEUE_IRQ_STATUS_ERROR_MASK});
  EXPECT_EQ(tile.read(kQueue + PRESIL_QUEUE_REG_ERROR_COMMAND_INDEX), 1u);
  tile.read(kQueue + PRESIL_QUEUE_REG_ERROR);
  EXPECT_EQ(said(tile), "");
  EXPECT_EQ(tile.records.size(), 1u);
}

TEST(PoolLockstep, after_an_abort_both_begin_again) {
  const Work work(4);
  Tile tile("tile", engine(), library(), BlockKind::kLockstep, {}, work.sram);
  constexpr uint32_t kQueue = PRESIL_POOL_REG_QUEUE;
  tile.submit(work.commands);
  tile.time().pass(700);
  tile.write(kQueue + PRESIL_QUEUE_REG_CONTROL,
             PRESIL_QUEUE_CONTROL_ENABLE_MASK | PRESIL_QUEUE_CONTROL_ABORT_MASK);
  tile.time().pass(100);
  EXPECT_LT(tile.records.size(), work.commands.size());
  tile.write(kQueue + PRESIL_QUEUE_REG_IRQ_STATUS, 0xf);
  tile.write(kQueue + PRESIL_QUEUE_REG_CONTROL,
             PRESIL_QUEUE_CONTROL_ENABLE_MASK | PRESIL_QUEUE_CONTROL_START_MASK);
  EXPECT_TRUE(tile.wait());
  EXPECT_EQ(said(tile), "");
  expect_values(work, tile);
}

/// The RTL, one bit of whose third word written is wrong.
class Faulty : public rtl::EngineTop {
 public:
  Faulty() : m_top(library().make(1)) {}
  void settle() override {
    m_top->pins.in = pins.in;
    m_top->engine.in = engine.in;
    m_top->settle();
    pins = m_top->pins;
    engine = m_top->engine;
    if (engine.out.sram_request && engine.out.sram_write && m_written == 2) {
      engine.out.sram_word[1] ^= 0x100;
    }
  }
  void edge() override {
    m_written += engine.out.sram_request && engine.out.sram_write && engine.in.sram_grant;
    m_top->edge();
  }
  rtl::RegisterAccess register_access() const override { return m_top->register_access(); }
  bool failed() const override { return m_top->failed(); }
  std::unique_ptr<rtl::Waveform> waveform(const std::string&) override { return nullptr; }

 private:
  std::unique_ptr<rtl::EngineTop> m_top;
  unsigned m_written = 0;
};

TEST(PoolLockstep, a_wrong_bit_is_told_with_command_address_and_both_values) {
  const Work work(0);
  rtl::EngineRtl faulty = library();
  faulty.make = [](uint32_t) -> rtl::EngineTop* { return new Faulty; };
  Tile tile("tile", engine(), faulty, BlockKind::kLockstep, {}, work.sram);
  tile.submit(work.commands);
  EXPECT_FALSE(tile.wait(100000));
  const rtl::Divergence* d = tile.block().divergence();
  ASSERT_NE(d, nullptr);
  EXPECT_EQ(d->block, "pool");
  EXPECT_EQ(d->stage, "write");
  EXPECT_EQ(d->index, 0u);
  EXPECT_EQ(d->tag, 100u);
  EXPECT_EQ(d->address, work.commands[0].out_base + 32);  // its third word
  // Bit 8 of word 1 is bit 0 of channel 5.
  std::vector<int8_t> right = expected(work.cases[0], work.sram);
  char two[3];
  std::snprintf(two, sizeof two, "%02x", static_cast<uint8_t>(right[32 + 5]));
  EXPECT_EQ(d->model.substr(10, 2), two);
  std::snprintf(two, sizeof two, "%02x", static_cast<uint8_t>(right[32 + 5] ^ 1));
  EXPECT_EQ(d->rtl.substr(10, 2), two);
  EXPECT_EQ(d->model.substr(12), d->rtl.substr(12));
  EXPECT_GT(d->rtl_cycle, 0);
  EXPECT_TRUE(tile.records.empty()) << "the RTL has stopped";
}

TEST(PoolLockstep, rtl_of_other_parameters_is_refused_with_both_values) {
  rtl::EngineRtl other = library();
  const rtl::EngineRtlParameter parameters[] = {{"table_entries", 0, 64}};
  other.parameters = parameters;
  other.parameter_count = 1;
  try {
    Tile tile("tile", engine(), other, BlockKind::kRtl, {}, Work(0).sram);
    ADD_FAILURE() << "taken";
  } catch (const Refusal& refusal) {
    EXPECT_STREQ(refusal.what(),
                 "block: pool=rtl is built with engines.pool.table_entries = 64, this SoC requires "
                 "128; run with --block pool=model, or build the engine with this default in its "
                 "engine.yaml");
  }
}

std::string refusal_of(const std::string& engine_file, const std::string& name) {
  try {
    rtl::EngineRtlLibrary(engine_file, "/folder", name);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "taken";
}

TEST(PoolLockstep, an_engine_without_rtl_is_refused_with_what_to_do) {
  EXPECT_EQ(
      refusal_of("/nowhere/libengine_pool.so", "pool"),
      "block: pool in RTL: /nowhere/libengine_pool_rtl.so (engine /folder) is not there, must "
      "be: the engine's RTL as built from `rtl:` of its engine.yaml; run with --block "
      "pool=model, or build the target engine_pool_rtl (there is none without `rtl:`, or "
      "without the Debian package verilator)");
}

TEST(PoolLockstep, what_is_not_the_rtl_of_the_engine_is_refused) {
  EXPECT_THAT(refusal_of(engine().file(), "other"),
              HasSubstr("is the RTL of engine pool, must be that of other"));
  const std::string folder = ::testing::TempDir() + "pool_lockstep_" + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  const std::string wrong = folder + "/libengine_pool_rtl.so";
  std::ofstream(wrong) << "no library";
  EXPECT_THAT(refusal_of(folder + "/libengine_pool.so", "pool"), HasSubstr("cannot be opened: "));
  std::filesystem::remove(wrong);
  std::filesystem::copy_file(engine().file(), wrong);
  EXPECT_THAT(refusal_of(folder + "/libengine_pool.so", "pool"),
              HasSubstr("has no function presil_engine_rtl, must be built by presil"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace presil::pool::test
