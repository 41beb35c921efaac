// The rules between the fields of a DMA command are written once in rtl/dma/engine.yaml and twice
// in code, by the driver and by the model. What the driver accepts the engine must not refuse;
// where both refuse, it is for the same reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "models/dma/dma_check.h"
#include "rtl/dma/dma_command.h"
#include "rtl/dma/dma_rules.h"
#include "tests/common/rules_met.h"
#include "tests/dma/dma_oracle.h"

extern "C" {
#include "driver/core/engine.h"
}

namespace presil::dma {
namespace {

constexpr uint32_t kSramBytes = 1u << 20;
constexpr uint16_t kRegionPages[PRESIL_REGIONS] = {1, 2, 16, 256, 4096, 65535, 0, 8};

struct Verdict {
  presil_queue_error_code code = PRESIL_QUEUE_ERROR_CODE_NONE;
  unsigned rule = 0;
};

Verdict of_driver(const uint32_t* words) {
  presil_violation violation{};
  if (presil_command_check(&Command::format(), words, &violation)) return {violation.code, 0};
  presil_limits limits{};
  limits.sram_bytes = kSramBytes;
  std::copy(std::begin(kRegionPages), std::end(kRegionPages), limits.region_pages);
  presil_finding finding{};
  if (presil_engine_driver_of(PRESIL_QUEUE_DMA0)->check(words, &limits, &finding)) return {};
  return {finding.code, finding.rule};
}

Verdict of_model(const uint32_t* words) {
  JobContext job;
  job.entry.sync_count = 255;  // counters are the stream's, not the command's, in the driver
  std::copy(std::begin(kRegionPages), std::end(kRegionPages), job.entry.region_limit.begin());
  const auto fault = check(words, job, kSramBytes);
  return fault ? Verdict{fault->code, fault->rule} : Verdict{};
}

// Mostly what is legal or just beside it: random bits would never come past the first rule.
int64_t value_for(const presil_field& f, int64_t old, std::mt19937& random) {
  switch (random() % 6) {
    case 0:
      return 0;
    case 1:
      return f.min;
    case 2:
      return f.max;
    case 3:
      return f.min + int64_t(random() % (uint64_t(f.max - f.min) + 1));
    case 4:
      return int64_t(random() % 40);
    default:
      return old + int64_t(random() % 3) - 1;
  }
}

// A command that moves a few bytes, somewhere in SRAM or in a region.
Command place(Command c, std::mt19937& random) {
  const auto side = [&](Space& space, uint8_t& region, uint64_t& base) {
    space = Space(random() % 2);
    region = space == Space::kSystem ? uint8_t(random() % PRESIL_REGIONS) : 0;
    const uint64_t end =
        space == Space::kSystem ? uint64_t(kRegionPages[region]) << 12 : kSramBytes;
    if (random() % 2) base += random() % (end + 1) - std::min<uint64_t>(end, random() % 4096);
    base &= (uint64_t{1} << 40) - 1;
  };
  if (c.op == Op::kCopy) side(c.src_space, c.src_region, c.src_base);
  side(c.dst_space, c.dst_region, c.dst_base);
  return c;
}

TEST(RulesAgree, driver_and_model_refuse_the_same_dma_commands_for_the_same_rule) {
  std::mt19937 random(11);
  std::set<unsigned> rules;
  int accepted = 0, out_of_range = 0;
  for (int round = 0; round < 60000; ++round) {
    Command c = place(test::random_case(random).command, random);
    const int changes = random() % 3;
    for (int i = 0; i < changes; ++i) {
      const unsigned field = 1 + random() % (Command::kFields - 1);
      c.set(field, value_for(Command::format().fields[field], c.get(field), random));
    }
    uint32_t words[Command::kWords];
    c.encode(words);
    c = Command::decode(words);  // a value too large for its field is cut
    const Verdict driver = of_driver(words), model = of_model(words);
    ASSERT_EQ(driver.code, model.code) << c.to_text();
    switch (model.code) {
      case PRESIL_QUEUE_ERROR_CODE_NONE:
        ++accepted;
        break;
      case PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE:
        ++out_of_range;
        break;
      case PRESIL_QUEUE_ERROR_CODE_STREAM_LENGTH:
        // The registers hold no rule with this code; the driver's sentence names one of R5 to R8.
        ASSERT_EQ(model.rule, 0u) << c.to_text();
        ASSERT_TRUE(driver.rule == 5 || driver.rule == 6u + unsigned(c.pack))
            << "R" << driver.rule << ": " << c.to_text();
        break;
      default:
        ASSERT_EQ(driver.rule, model.rule) << c.to_text();
    }
    if (driver.rule) {
      ASSERT_LE(driver.rule, PRESIL_DMA_RULES);
      ASSERT_EQ(driver.code, presil_dma_rules()[driver.rule - 1].code) << c.to_text();
      rules.insert(driver.rule);
    }
  }
  EXPECT_GT(accepted, 5000);
  EXPECT_GT(out_of_range, 500);
  presil::test::expect_rules_met("dma", presil_dma_rules(), PRESIL_DMA_RULES, rules);
}

}  // namespace
}  // namespace presil::dma
