/* Compare slot 0 of sync: an interrupt when a counter reaches a value. */
#include "driver/core/device.h"
#include "rtl/sync/sync.h"

#define SYNC presil_in_tile(d, PRESIL_TILE_SYNC)

bool presil_slot_arm(presil_device* d, uint32_t id, uint32_t value) {
  if (presil_reached(presil_count(d, id), value)) return false;
  presil_write(d, SYNC + PRESIL_SYNC_REG_SLOT_VALUE(0), value);
  presil_write(d, SYNC + PRESIL_SYNC_REG_SLOT_CONTROL(0),
               id << PRESIL_SYNC_SLOT_CONTROL_ID_SHIFT | PRESIL_SYNC_SLOT_CONTROL_ENABLE_MASK);
  if (!presil_reached(presil_count(d, id), value)) return true;
  /* It arrived between the two looks; the slot may or may not have seen it. */
  presil_write(d, SYNC + PRESIL_SYNC_REG_SLOT_CONTROL(0), 0);
  presil_write(d, SYNC + PRESIL_SYNC_REG_IRQ_STATUS, 1);
  return false;
}
