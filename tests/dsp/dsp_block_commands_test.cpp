// Commands, images and region tables that the block refuses: every rule of rtl/dsp/README.md by its
// number, every reserved encoding; and the next job is exact.
#include "rtl/dsp/dsp_rules.h"
#include "tests/common/rules_met.h"
#include "tests/dsp/dsp_bad.h"

namespace presil::dsp {
namespace {

struct Refusal {
  uint32_t code, rule, word;
  uint64_t address;
};

/// What the queue says of a command after a good select.
Refusal refused(const std::function<void(Command& run, Command& select, DspTile& tile)>& spoil) {
  DspTile tile;
  regions(tile);
  Assembler a(PRESIL_DSP_ITCM);
  give_back(a, 0);
  Command select = tile.image(a);
  Command run = DspTile::run(select, 3);
  spoil(run, select, tile);
  tile.submit({select, run});
  tile.time.run_all();
  const Refusal r{tile.error(), tile.rule(),
                  (tile.read(PRESIL_QUEUE_REG_ERROR) & PRESIL_QUEUE_ERROR_WORD_MASK) >>
                      PRESIL_QUEUE_ERROR_WORD_SHIFT,
                  tile.read(PRESIL_QUEUE_REG_ERROR_ADDRESS) |
                      uint64_t{tile.read(PRESIL_QUEUE_REG_ERROR_ADDRESS_HI)} << 32};
  EXPECT_EQ(tile.sync.counter(DspTile::kOwn), r.code == 0 ? 1u : 0u);
  if (r.code != 0) expect_recovered(tile);
  return r;
}

TEST(DspCommands, every_rule_of_the_page_has_its_number) {
  constexpr uint32_t kBroken = PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN,
                     kRange = PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE;
  const uint64_t sram = 1 << 20;
  struct Case {
    unsigned breaks;  // rule of the page; the queue reports it with code rule_broken alone
    const char* what;
    std::function<void(Command&, Command&, DspTile&)> spoil;
    Refusal expected;
  };
  const Case cases[] = {
      {0, "nothing", [](Command&, Command&, DspTile&) {}, {0, 0, 0, 0}},
      {1,
       "entry below",
       [](Command& r, Command&, DspTile&) { r.entry = PRESIL_DSP_ITCM - 2; },
       {kBroken, 1, 7, 0}},
      {1,
       "entry above",
       [](Command& r, Command&, DspTile&) { r.entry = PRESIL_DSP_ITCM + 65536; },
       {kBroken, 1, 7, 0}},
      {2,
       "a trap is no error",
       [](Command& r, Command&, DspTile&) { r.on_trap = OnTrap::kGoOn; },
       {PRESIL_QUEUE_ERROR_CODE_UNSUPPORTED, 0, 0, 0}},
      {3,
       "large image",
       [](Command&, Command& s, DspTile&) { s.image_bytes = 65536 + 16; },
       {kBroken, 3, 13, 0}},
      {4,
       "region in SRAM",
       [](Command&, Command& s, DspTile&) {
         s.image_in_sram = true;
         s.image_region = 1;
       },
       {kBroken, 4, 14, 0}},
      {4,
       "far in SRAM",
       [](Command&, Command& s, DspTile&) {
         s.image_in_sram = true;
         s.image_offset = 1 << 24;
       },
       {kBroken, 4, 14, 0}},
      {5,
       "counter",
       [](Command& r, Command&, DspTile&) { r.wait2 = 41; },
       {PRESIL_QUEUE_ERROR_CODE_SYNC_LIMIT, 0, 2, 0}},
      {6,
       "arguments",
       [&](Command& r, Command&, DspTile&) { r.args_base = sram - 32; },
       {kRange, 0, 8, sram - 32}},
      {6,
       "table",
       [&](Command& r, Command&, DspTile&) { r.regions_base = sram - 32; },
       {kRange, 0, 11, sram - 32}},
      {7,
       "image after its region",
       [](Command&, Command& s, DspTile&) { s.image_offset = DspTile::kRegionBytes; },
       {kRange, 0, 12, DspTile::kImages + DspTile::kRegionBytes}},
      {7,
       "image after SRAM",
       [&](Command&, Command& s, DspTile&) {
         s.image_in_sram = true;
         s.image_offset = sram;
       },
       {kRange, 0, 12, sram}},
      {8,
       "another image",
       [](Command& r, Command&, DspTile&) { r.image_crc ^= 1; },
       {kBroken, 8, 15, 0}},
      {8,
       "entry after the image",
       [](Command& r, Command& s, DspTile&) { r.entry += s.image_bytes; },
       {kBroken, 8, 15, 0}},
      {9,
       "damaged image",
       [](Command&, Command&, DspTile& t) { *t.map.bytes_at(DspTile::kImages + 9, 1) ^= 4; },
       {kBroken, 9, 15, 0}},
      {10,
       "no space",
       [](Command&, Command&, DspTile& t) { t.region(1, 0, 16, 9 | DspTile::kReads); },
       {kBroken, 10, 11, DspTile::kTable + 16}},
      {10,
       "no bytes",
       [](Command&, Command&, DspTile& t) { t.region(1, 0, 0, 8 | DspTile::kReads); },
       {kBroken, 10, 11, DspTile::kTable + 16}},
      {10,
       "no right",
       [](Command&, Command&, DspTile& t) { t.region(1, 0, 16, 8); },
       {kBroken, 10, 11, DspTile::kTable + 16}},
      {11,
       "region after SRAM",
       [&](Command&, Command&, DspTile& t) { t.region(2, sram - 8, 9, 8 | DspTile::kReads); },
       {kRange, 0, 11, DspTile::kTable + 32}},
      {11,
       "region after its region",
       [](Command&, Command&, DspTile& t) {
         t.region(2, DspTile::kRegionBytes, 1, 3 | DspTile::kReads);
       },
       {kRange, 0, 11, DspTile::kTable + 32}},
      {11,
       "region that the job lacks",
       [](Command&, Command&, DspTile& t) { t.region(0, 0, 1, 2 | DspTile::kReads); },
       {kRange, 0, 11, DspTile::kTable}},
  };
  std::set<unsigned> rules;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Refusal got = refused(c.spoil);
    if (c.breaks != 0) {
      EXPECT_EQ(got.code, presil_dsp_rules()[c.breaks - 1].code);
      EXPECT_EQ(c.expected.rule, c.expected.code == kBroken ? c.breaks : 0);
      rules.insert(c.breaks);
    }
    EXPECT_EQ(got.code, c.expected.code);
    EXPECT_EQ(got.rule, c.expected.rule);
    EXPECT_EQ(got.word, c.expected.word);
    EXPECT_EQ(got.address, c.expected.address);
  }
  presil::test::expect_rules_met("dsp", presil_dsp_rules(), PRESIL_DSP_RULES, rules);
}

TEST(DspCommands, every_reserved_bit_of_a_region_entry_is_refused) {
  for (unsigned bit = 0; bit < 32; ++bit) {
    SCOPED_TRACE(bit);
    const bool reserved = PRESIL_DSP_REGION_RESERVED >> bit & 1;
    if (reserved) {
      const Refusal got = refused([bit](Command&, Command&, DspTile& t) {
        t.region(0, 0x100, 64, DspTile::kInSram | DspTile::kReads | 1u << bit);
      });
      EXPECT_EQ(got.rule, 10u);
    }
    const Refusal last = refused([bit](Command&, Command&, DspTile& t) {
      t.region(0, 0x100, 64, DspTile::kInSram | DspTile::kReads, 1u << bit);
    });
    EXPECT_EQ(last.rule, 10u);
  }
}

// What the table of fields says of single bits and values is tested for all commands in tests/rtl;
// here that the block looks, at every word and for every operation.
TEST(DspCommands, every_reserved_encoding_of_a_command_is_refused) {
  const presil_command_format& format = Command::format();
  const JobContext job = [] {
    JobContext j;
    j.entry.sync_count = 255;
    j.entry.region_limit[0] = 0xffff;
    return j;
  }();
  const Limits limits{1 << 20, 65536, true};
  for (const Op op : {Op::kNop, Op::kRun, Op::kSelect}) {
    Command c = Command::make(op);
    if (op == Op::kRun) c.entry = PRESIL_DSP_ITCM;
    uint32_t good[Command::kWords];
    c.encode(good);
    ASSERT_FALSE(check(good, job, limits));
    for (unsigned w = 0; w < Command::kWords; ++w) {
      for (unsigned bit = 0; bit < 32; ++bit) {
        if (!(format.reserved[w] >> bit & 1)) continue;
        uint32_t words[Command::kWords];
        std::copy(std::begin(good), std::end(good), words);
        words[w] |= 1u << bit;
        const auto error = check(words, job, limits);
        ASSERT_TRUE(error) << w << ":" << bit;
        EXPECT_EQ(error->code, PRESIL_QUEUE_ERROR_CODE_RESERVED_BITS);
        EXPECT_EQ(error->word, w);
      }
    }
    for (unsigned code = 3; code < 16; ++code) {
      uint32_t words[Command::kWords];
      std::copy(std::begin(good), std::end(good), words);
      words[0] = (words[0] & ~15u) | code;
      EXPECT_EQ(check(words, job, limits)->code, PRESIL_QUEUE_ERROR_CODE_BAD_OP);
    }
    for (unsigned i = 0; i < format.field_count; ++i) {  // a field that the operation does not use
      const presil_field& f = format.fields[i];
      if (f.used_by == 0 || (f.used_by >> unsigned(op) & 1)) continue;
      uint32_t words[Command::kWords];
      std::copy(std::begin(good), std::end(good), words);
      presil_field_set(words, &f, f.multiple_of > 1 ? f.multiple_of : f.max);
      const auto error = check(words, job, limits);
      ASSERT_TRUE(error) << f.name;
      EXPECT_EQ(error->code, PRESIL_QUEUE_ERROR_CODE_ILLEGAL_VALUE) << f.name;
    }
  }
}

}  // namespace
}  // namespace presil::dsp
