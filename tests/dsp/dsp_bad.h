// What bad programs and bad commands have in common: the regions that they find, and the good job
// that must be exact after them.
#pragma once

#include <gtest/gtest.h>

#include "tests/dsp/dsp_tile.h"

namespace presil::dsp {

/// Regions: 0 read-only, 1 writable, both of 64 bytes with a gap between; 2 in DRAM, writable.
inline void regions(DspTile& tile) {
  tile.region(0, 0x100, 64, DspTile::kInSram | DspTile::kReads | DspTile::tensor(5));
  tile.region(1, 0x200, 64,
              DspTile::kInSram | DspTile::kReads | DspTile::kWrites | DspTile::tensor(6));
  tile.region(2, 0x1000, 64, 3 | DspTile::kWrites | DspTile::tensor(7));
}

/// A good job after a bad one: writes 42 into region 1.
inline void expect_recovered(DspTile& tile) {
  const uint32_t signalled = tile.sync.counter(DspTile::kOwn);
  tile.recover();
  EXPECT_EQ(tile.engine.bank().trap_cause(), TrapCause::kNone);
  EXPECT_EQ(tile.engine.bank().trap_address(), 0u);
  regions(tile);
  Assembler a(PRESIL_DSP_ITCM);
  region_base(a, 5, 1);
  a("addi", {6, 0, 42});
  a("sw", {6, 0, 5});
  give_back(a, 0);
  const Command select = tile.image(a, 0x4000);
  tile.submit({select, DspTile::run(select, 3, 9)});
  tile.time.run_all();
  EXPECT_EQ(tile.state(), PRESIL_QUEUE_STATE_IDLE) << to_text(tile);
  EXPECT_EQ(tile.sram.data()[0x200], 42);
  EXPECT_EQ(tile.sync.counter(DspTile::kOwn), signalled + 1);
}

}  // namespace presil::dsp
