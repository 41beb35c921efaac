// The rules between fields are written once in rtl/dla/engine.yaml and twice in code, by the driver
// and by the model. A stream that the driver accepts must not be refused by the engine, and both
// must name the same rule.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "models/dla/dla_check.h"
#include "rtl/dla/dla_command.h"
#include "rtl/dla/dla_rules.h"
#include "tests/common/rules_met.h"

extern "C" {
#include "driver/core/engine.h"
}

namespace presil::dla {
namespace {

struct Verdict {
  presil_queue_error_code code = PRESIL_QUEUE_ERROR_CODE_NONE;
  unsigned rule = 0;
};

Verdict of_driver(const uint32_t* words, const DlaConfig& config, uint32_t sram_bytes) {
  presil_violation violation{};
  if (presil_command_check(&Command::format(), words, &violation)) return {violation.code, 0};
  presil_limits limits{};
  limits.sram_bytes = sram_bytes;
  limits.acc_depth = config.acc_depth;
  limits.macs_k = config.macs_k;
  limits.macs_c = config.macs_c;
  presil_finding finding{};
  if (presil_engine_driver_of(PRESIL_QUEUE_DLA)->check(words, &limits, &finding)) return {};
  return {finding.code, finding.rule};
}

Verdict of_model(const uint32_t* words, const DlaConfig& config, uint32_t sram_bytes) {
  const auto fault = check(words, config, 0, 255, sram_bytes);
  return fault ? Verdict{fault->code, fault->rule} : Verdict{};
}

Command legal(Op op) {
  Command c = Command::make(op);
  c.in_kb_step = op == Op::kConv ? 0 : 1;
  if (op == Op::kMaxpool) c.rule = Rule::kNone;
  return c;
}

// Mostly what is legal or just beside it: random bits would never come past the first rule.
int64_t value_for(const presil_field& f, std::mt19937& random) {
  const int64_t step = f.multiple_of;
  switch (random() % 6) {
    case 0:
      return 0;
    case 1:
      return f.min;
    case 2:
      return f.max - f.max % step;
    case 3:
      return step * int64_t(1 + random() % 4);
    case 4:
      return f.min + int64_t(random() % (uint64_t(f.max - f.min) + 1)) / step * step;
    default:
      return int64_t(random() % 40);
  }
}

TEST(RulesAgree, driver_and_model_refuse_the_same_dla_commands_for_the_same_rule) {
  std::mt19937 random(7);
  std::set<unsigned> rules;
  int accepted = 0, out_of_range = 0;
  for (int round = 0; round < 400000; ++round) {
    DlaConfig config;
    if (round % 4 == 0) config.macs_k = config.macs_c = 32;
    if (round % 8 == 0) config.acc_depth = 64;
    Command c = legal(Op(1 + round % 5));
    const int changes = 1 + random() % 6;
    for (int i = 0; i < changes; ++i) {
      const unsigned field = 1 + random() % (Command::kFields - 1);
      c.set(field, value_for(Command::format().fields[field], random));
    }
    uint32_t words[Command::kWords];
    c.encode(words);
    const uint32_t sram_bytes = 1u << 20;
    const Verdict driver = of_driver(words, config, sram_bytes),
                  model = of_model(words, config, sram_bytes);
    ASSERT_EQ(driver.code, model.code) << c.to_text();
    ASSERT_EQ(driver.rule, model.rule) << c.to_text();
    if (model.code == PRESIL_QUEUE_ERROR_CODE_NONE) ++accepted;
    if (model.code == PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE) ++out_of_range;
    if (model.rule) {
      ASSERT_LE(model.rule, PRESIL_DLA_RULES);
      ASSERT_EQ(model.code, presil_dla_rules()[model.rule - 1].code) << c.to_text();
      rules.insert(model.rule);
    }
  }
  EXPECT_GT(accepted, 10000);
  EXPECT_GT(out_of_range, 1000);
  presil::test::expect_rules_met("dla", presil_dla_rules(), PRESIL_DLA_RULES, rules);
}

}  // namespace
}  // namespace presil::dla
