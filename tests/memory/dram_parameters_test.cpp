// Every parameter of the DRAM moves something, or is refused: each one is changed, and looked at.
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

#include "models/base/refusal.h"
#include "tests/memory/dram_loop.h"

namespace presil::memory {
namespace {

/// "name=value name=value", without "dram."
void set(SocConfig& soc, const std::string& settings) {
  std::istringstream text(settings);
  for (std::string one; text >> one;) {
    const size_t equals = one.find('=');
    set_parameter(soc, "dram." + one.substr(0, equals), one.substr(equals + 1));
  }
}

/// When all is over, and the sum of the times at which reads were answered.
std::pair<int64_t, int64_t> times_of(const SocConfig& soc) {
  check(soc);
  ModelLoop loop(soc.dram);
  const int64_t clocks = loop.run({{stream(800, false), 8},
                                   {stream(400, true, 1u << 24), 16},
                                   {rows(400, 256, 1u << 15), 4},
                                   {scattered(2000, 64, 33), 24}});
  return {clocks, loop.answered_ps};
}

struct Move {
  std::string to, in;  ///< in what setting it moves something; "": as `edge` is
};

const std::map<std::string, Move> kMoves = {
    {"background_mb_per_s", {"6400", "setting=contended"}},
    {"background_pattern", {"random", "setting=contended"}},
    {"background_seed", {"2", "setting=contended background_pattern=random"}},
    {"bank_hash", {"0", ""}},
    {"bytes", {"1048576", "setting=contended background_pattern=random"}},
    {"channels", {"2", ""}},
    {"clock_ps", {"700", ""}},
    {"command_activate", {"6", ""}},
    {"command_buses", {"2", ""}},
    {"command_column", {"9", ""}},
    {"command_precharge", {"6", ""}},
    {"ideal_latency_ps", {"70000", "setting=ideal"}},
    {"map", {"row-bank3-col4-channel-col2", ""}},
    {"page", {"closed", ""}},
    {"peak_mb_per_s", {"6400", ""}},
    {"read_latency_ps", {"50000", ""}},
    {"read_queue", {"16", ""}},
    {"refresh", {"all_banks", ""}},
    {"setting", {"ideal", ""}},
    {"t_ccd_l", {"7", "preset=ddr4_2400 map=row-col4-bank2-group2-channel-col3"}},
    {"t_dqsck", {"12", ""}},
    {"t_dqss", {"3", ""}},
    {"t_faw", {"90", ""}},
    {"t_idle", {"64", "page=adaptive"}},
    {"t_ras", {"90", ""}},
    {"t_rcd", {"40", ""}},
    {"t_refi", {"3000", "refresh=all_banks"}},
    {"t_refi_pb", {"500", ""}},
    {"t_rfc_ab", {"600", "refresh=all_banks"}},
    {"t_rfc_pb", {"300", ""}},
    {"t_rl", {"34", ""}},
    {"t_rp", {"40", ""}},
    {"t_rrd", {"24", ""}},
    {"t_rrd_l", {"12", "preset=ddr4_2400"}},
    {"t_rtp", {"60", ""}},
    {"t_wl", {"20", ""}},
    {"t_wr", {"60", ""}},
    {"t_wtr", {"30", ""}},
    {"t_wtr_l", {"30", "preset=ddr4_2400"}},
    {"write_high", {"50", ""}},
    {"write_idle", {"200", ""}},
    {"write_least", {"100", ""}},
    {"write_low", {"60", ""}},
    {"write_queue", {"16", ""}},
};

TEST(DramParameters, each_one_moves_something) {
  std::istringstream lines(canonical_text(SocConfig{}));
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, 5, "dram.") != 0) continue;
    const std::string name = line.substr(5, line.find('=') - 5);
    SCOPED_TRACE(name);
    ASSERT_EQ(kMoves.count(name), 1u);
    const Move& move = kMoves.at(name);
    SocConfig soc;
    set(soc, move.in);
    const auto before = times_of(soc);
    set(soc, name + "=" + move.to);
    EXPECT_NE(times_of(soc), before);
  }
}

TEST(DramParameters, what_would_move_nothing_is_refused) {
  for (const char* settings :
       {"t_ccd_l=7", "t_rrd_l=12", "t_wtr_l=30", "write_low=80", "write_high=20", "map=row-col2",
        "preset=ddr5", "page=ajar", "write_high=101", "command_buses=3"}) {
    EXPECT_THROW(
        {
          SocConfig soc;
          set(soc, settings);
          check(soc);
        },
        Refusal)
        << settings;
  }
}

TEST(DramParameters, times_of_bank_groups_need_bank_groups) {
  SocConfig soc;
  set(soc, "t_ccd_l=7");
  try {
    check(soc);
    ADD_FAILURE();
  } catch (const Refusal& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("must be 0 where dram.map has no bank groups"),
              std::string::npos);
  }
}

TEST(DramParameters, a_preset_sets_its_table_and_leaves_the_rest) {
  SocConfig soc;
  set(soc, "write_queue=48 preset=hbm2");
  EXPECT_EQ(soc.dram.peak_mb_per_s, 32000u);
  EXPECT_EQ(soc.dram.command_buses, 2u);
  EXPECT_EQ(soc.dram.write_queue, 48u);
  set(soc, "preset=lpddr4_3200 write_queue=32");
  EXPECT_EQ(canonical_text(soc), canonical_text(SocConfig{}));
}

}  // namespace
}  // namespace presil::memory
