// Each protocol rule broken once, and named; and kept, and not named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "testbench/common/axi_checker.h"
#include "testbench/common/axi_lite.h"

namespace presil::testbench {
namespace {

using testing::HasSubstr;

AxiAddress address(uint64_t at, unsigned beats, uint16_t id = 0, bool ready = true) {
  return {true, ready, id, at, static_cast<uint8_t>(beats - 1)};
}
AxiReadData beat(bool last, uint16_t id = 0, bool ready = true) {
  AxiReadData r;
  r.valid = true, r.ready = ready, r.id = id, r.last = last;
  return r;
}
AxiWriteData datum(bool last, uint32_t data = 0, bool ready = true) {
  AxiWriteData w;
  w.valid = true, w.ready = ready, w.data[0] = data, w.strobes = 0xffff, w.last = last;
  return w;
}
AxiResponse answer(uint16_t id = 0, uint8_t resp = 0) {
  return {true, true, id, resp};
}

TEST(StreamChecker, names_a_word_that_is_withdrawn_or_changed_while_it_waits) {
  Violations violations;
  StreamChecker<int> stream("words", violations);
  violations.next_cycle();
  EXPECT_FALSE(stream.cycle(true, false, 1));
  EXPECT_TRUE(stream.cycle(true, true, 1));
  EXPECT_TRUE(stream.cycle(true, true, 2));
  stream.cycle(true, false, 3);
  stream.cycle(false, false, 3, true);  // dropped by a clear
  EXPECT_EQ(violations.text(), "");
  stream.cycle(true, false, 4);
  stream.cycle(true, false, 5);
  EXPECT_THAT(violations.text(), HasSubstr("cycle 0: words changed what it offered"));
  stream.cycle(false, true, 5);
  EXPECT_THAT(violations.text(), HasSubstr("words withdrew what it offered"));
}

TEST(AxiReadChecker, accepts_bursts_in_turn_and_of_several_ids) {
  AxiReadChecker axi;
  axi.cycle(address(0x1080, 8, 1), {});
  axi.cycle(address(0x1000, 2, 2), {});
  axi.cycle(address(0x10f0, 1, 1), beat(false, 2));
  axi.cycle({}, beat(true, 2));
  for (int i = 0; i < 8; ++i) axi.cycle({}, beat(i == 7, 1));
  EXPECT_FALSE(axi.idle());
  axi.cycle({}, beat(true, 1, false));
  axi.cycle({}, beat(true, 1));
  EXPECT_TRUE(axi.idle());
  EXPECT_EQ(axi.violations().text(), "");
}

struct ReadFault {
  const char* said;
  void (*break_it)(AxiReadChecker&);
};
void PrintTo(const ReadFault& fault, std::ostream* out) {
  *out << fault.said;
}
class BrokenRead : public testing::TestWithParam<ReadFault> {};
TEST_P(BrokenRead, is_named) {
  AxiReadChecker axi;
  GetParam().break_it(axi);
  EXPECT_THAT(axi.violations().text(), HasSubstr(GetParam().said));
}
INSTANTIATE_TEST_SUITE_P(
    Rules, BrokenRead,
    testing::Values(
        ReadFault{"AR changed what it offered",
                  [](AxiReadChecker& axi) {
                    axi.cycle(address(0x1000, 1, 0, false), {});
                    axi.cycle(address(0x1010, 1), {});
                  }},
        ReadFault{"AR withdrew what it offered",
                  [](AxiReadChecker& axi) {
                    axi.cycle(address(0x1000, 1, 0, false), {});
                    axi.cycle({}, {});
                  }},
        ReadFault{"AR crosses 256 bytes",
                  [](AxiReadChecker& axi) { axi.cycle(address(0x10f0, 2), {}); }},
        ReadFault{"AR has more than 40 bits",
                  [](AxiReadChecker& axi) { axi.cycle(address(uint64_t{1} << 40, 1), {}); }},
        ReadFault{"AR is valid in reset",
                  [](AxiReadChecker& axi) { axi.cycle(address(0, 1), {}, true); }},
        ReadFault{"R of id 3 without an AR",
                  [](AxiReadChecker& axi) {
                    axi.cycle(address(0x1000, 1, 2), {});
                    axi.cycle({}, beat(true, 3));
                  }},
        ReadFault{"R of id 0 without an AR",  // not in the same cycle either
                  [](AxiReadChecker& axi) { axi.cycle(address(0x1000, 1), beat(true)); }},
        ReadFault{"R changed what it offered",
                  [](AxiReadChecker& axi) {
                    axi.cycle(address(0x1000, 2), {});
                    axi.cycle({}, beat(false, 0, false));
                    axi.cycle({}, beat(true));
                  }},
        ReadFault{"RLAST before the last beat",
                  [](AxiReadChecker& axi) {
                    axi.cycle(address(0x1000, 2), {});
                    axi.cycle({}, beat(true));
                  }},
        ReadFault{"no RLAST with the last beat",
                  [](AxiReadChecker& axi) {
                    axi.cycle(address(0x1000, 1), {});
                    axi.cycle({}, beat(false));
                  }},
        ReadFault{"R of another id within a burst",
                  [](AxiReadChecker& axi) {
                    axi.cycle(address(0x1000, 2, 1), {});
                    axi.cycle(address(0x1000, 2, 2), {});
                    axi.cycle({}, beat(false, 1));
                    axi.cycle({}, beat(false, 2));
                  }},
        ReadFault{"R answers EXOKAY",
                  [](AxiReadChecker& axi) {
                    axi.cycle(address(0x1000, 1), {});
                    AxiReadData r = beat(true);
                    r.resp = 1;
                    axi.cycle({}, r);
                  }},
        ReadFault{"R is valid in reset",
                  [](AxiReadChecker& axi) { axi.cycle({}, beat(true), true); }}));

TEST(AxiReadChecker, accepts_interleaved_ids_where_told_so) {
  AxiReadChecker axi(true);
  axi.cycle(address(0x1000, 2, 1), {});
  axi.cycle(address(0x1000, 2, 2), {});
  for (const bool last : {false, true}) {
    axi.cycle({}, beat(last, 1));
    axi.cycle({}, beat(last, 2));
  }
  EXPECT_TRUE(axi.idle());
  EXPECT_EQ(axi.violations().text(), "");
}

TEST(AxiReadChecker, forgets_what_was_outstanding_at_a_reset) {
  AxiReadChecker axi;
  axi.cycle(address(0x1000, 2), {});
  axi.cycle({}, {}, true);
  EXPECT_TRUE(axi.idle());
  axi.cycle({}, beat(false));
  EXPECT_THAT(axi.violations().text(), HasSubstr("without an AR"));
}

TEST(AxiWriteChecker, accepts_data_before_and_after_their_address) {
  AxiWriteChecker axi;
  axi.cycle({}, datum(false), {});
  axi.cycle({}, datum(true), {});
  axi.cycle(address(0x1000, 2, 4), {}, {});
  axi.cycle(address(0x1100, 1, 5), {}, answer(4));
  axi.cycle({}, datum(true), {});
  EXPECT_FALSE(axi.idle());
  axi.cycle({}, {}, answer(5, 2));
  EXPECT_TRUE(axi.idle());
  EXPECT_EQ(axi.violations().text(), "");
}

struct WriteFault {
  const char* said;
  void (*break_it)(AxiWriteChecker&);
};
void PrintTo(const WriteFault& fault, std::ostream* out) {
  *out << fault.said;
}
class BrokenWrite : public testing::TestWithParam<WriteFault> {};
TEST_P(BrokenWrite, is_named) {
  AxiWriteChecker axi;
  GetParam().break_it(axi);
  EXPECT_THAT(axi.violations().text(), HasSubstr(GetParam().said));
}
INSTANTIATE_TEST_SUITE_P(
    Rules, BrokenWrite,
    testing::Values(
        WriteFault{"AW changed what it offered",
                   [](AxiWriteChecker& axi) {
                     axi.cycle(address(0x1000, 1, 0, false), {}, {});
                     axi.cycle(address(0x1000, 2), {}, {});
                   }},
        WriteFault{"AW crosses 256 bytes",
                   [](AxiWriteChecker& axi) { axi.cycle(address(0x1010, 16), {}, {}); }},
        WriteFault{"W changed what it offered",
                   [](AxiWriteChecker& axi) {
                     axi.cycle({}, datum(false, 1, false), {});
                     axi.cycle({}, datum(false, 2), {});
                   }},
        WriteFault{"WLAST before the last beat",
                   [](AxiWriteChecker& axi) { axi.cycle(address(0x1000, 2), datum(true), {}); }},
        WriteFault{"no WLAST with the last beat",
                   [](AxiWriteChecker& axi) {
                     axi.cycle(address(0x1000, 1), datum(false), {});
                     axi.cycle({}, datum(true), {});
                   }},
        WriteFault{"W of more than 16 beats",
                   [](AxiWriteChecker& axi) {
                     for (int i = 0; i < 17; ++i) axi.cycle({}, datum(false), {});
                   }},
        WriteFault{"W is valid in reset",
                   [](AxiWriteChecker& axi) { axi.cycle({}, datum(true), {}, true); }},
        WriteFault{"B of id 0 before its AW and last W",
                   [](AxiWriteChecker& axi) {
                     axi.cycle(address(0x1000, 2), datum(false), {});
                     axi.cycle({}, {}, answer());
                   }},
        WriteFault{
            "B of id 0 before its AW and last W",  // not in the cycle of the last beat
            [](AxiWriteChecker& axi) { axi.cycle(address(0x1000, 1), datum(true), answer()); }},
        WriteFault{"B of id 7 before its AW and last W",
                   [](AxiWriteChecker& axi) {
                     axi.cycle(address(0x1000, 1, 6), datum(true), {});
                     axi.cycle({}, {}, answer(7));
                   }},
        WriteFault{"B answers EXOKAY",
                   [](AxiWriteChecker& axi) {
                     axi.cycle(address(0x1000, 1), datum(true), {});
                     axi.cycle({}, {}, answer(0, 1));
                   }},
        WriteFault{"B is valid in reset",
                   [](AxiWriteChecker& axi) { axi.cycle({}, {}, answer(), true); }}));

/// The register port of a top, without a top.
struct Port {
  uint8_t cfg_aw_valid_i = 0, cfg_aw_ready_o = 1, cfg_w_valid_i = 0, cfg_w_ready_o = 1;
  uint8_t cfg_w_strb_i = 15, cfg_b_valid_o = 0, cfg_b_ready_i = 1, cfg_b_resp_o = 0;
  uint8_t cfg_ar_valid_i = 0, cfg_ar_ready_o = 1, cfg_r_valid_o = 0, cfg_r_ready_i = 1;
  uint8_t cfg_r_resp_o = 0;
  uint16_t cfg_aw_addr_i = 0, cfg_ar_addr_i = 0;
  uint32_t cfg_w_data_i = 0, cfg_r_data_o = 0;
};

struct LiteFault {
  const char* said;
  void (*first)(Port&);
  void (*second)(Port&);
};
void PrintTo(const LiteFault& fault, std::ostream* out) {
  *out << fault.said;
}
class BrokenLite : public testing::TestWithParam<LiteFault> {};
TEST_P(BrokenLite, is_named) {
  AxiLiteChecker checker;
  Port first, second;
  GetParam().first(first);
  checker.cycle(first);
  EXPECT_EQ(checker.violations().text(), "");
  GetParam().second(second);
  checker.cycle(second);
  EXPECT_THAT(checker.violations().text(), HasSubstr(GetParam().said));
}
void write_both(Port& p) {
  p.cfg_aw_valid_i = p.cfg_w_valid_i = 1;
}
void read_one(Port& p) {
  p.cfg_ar_valid_i = 1;
}
INSTANTIATE_TEST_SUITE_P(
    Rules, BrokenLite,
    testing::Values(LiteFault{"AW changed what it offered",
                              [](Port& p) { p.cfg_aw_valid_i = 1, p.cfg_aw_ready_o = 0; },
                              [](Port& p) { p.cfg_aw_valid_i = 1, p.cfg_aw_addr_i = 4; }},
                    LiteFault{"W withdrew what it offered",
                              [](Port& p) { p.cfg_w_valid_i = 1, p.cfg_w_ready_o = 0; },
                              [](Port&) {}},
                    LiteFault{"AR withdrew what it offered",
                              [](Port& p) { p.cfg_ar_valid_i = 1, p.cfg_ar_ready_o = 0; },
                              [](Port&) {}},
                    LiteFault{"B without its AW and W", [](Port& p) { p.cfg_aw_valid_i = 1; },
                              [](Port& p) { p.cfg_b_valid_o = 1; }},
                    LiteFault{"B answers EXOKAY", write_both,
                              [](Port& p) { p.cfg_b_valid_o = 1, p.cfg_b_resp_o = 1; }},
                    LiteFault{"R without its AR", write_both, [](Port& p) { p.cfg_r_valid_o = 1; }},
                    LiteFault{"R answers EXOKAY", read_one,
                              [](Port& p) { p.cfg_r_valid_o = 1, p.cfg_r_resp_o = 1; }}));

TEST(AxiLiteChecker, names_an_answer_that_changes_while_it_waits_and_one_in_reset) {
  AxiLiteChecker checker;
  Port port;
  read_one(port);
  checker.cycle(port);
  port = {};
  port.cfg_r_valid_o = 1, port.cfg_r_ready_i = 0;
  checker.cycle(port);
  EXPECT_EQ(checker.violations().text(), "");
  port.cfg_r_data_o = 7;
  checker.cycle(port);
  EXPECT_THAT(checker.violations().text(), HasSubstr("R changed what it offered"));
  checker.cycle(port, true);
  EXPECT_THAT(checker.violations().text(), HasSubstr("an answer in reset"));
}

}  // namespace
}  // namespace presil::testbench
