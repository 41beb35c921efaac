/* A compare slot of sync: an interrupt when a counter reaches a value. Slot 0, and 1 where the host
 * waits for two counters: of its next task, and of the end of an older job. */
#include "driver/core/device.h"
#include "rtl/sync/sync.h"

#define SYNC presil_in_tile(d, PRESIL_TILE_SYNC)

bool presil_slot_arm(presil_device* d, unsigned slot, uint32_t id, uint32_t value) {
  if (presil_reached(presil_count(d, id), value)) return false;
  if (slot) d->second_slot = true;
  presil_write(d, SYNC + PRESIL_SYNC_REG_SLOT_VALUE(slot), value);
  presil_write(d, SYNC + PRESIL_SYNC_REG_SLOT_CONTROL(slot),
               id << PRESIL_SYNC_SLOT_CONTROL_ID_SHIFT | PRESIL_SYNC_SLOT_CONTROL_ENABLE_MASK);
  if (!presil_reached(presil_count(d, id), value)) return true;
  /* It arrived between the two looks; the slot may or may not have seen it. */
  presil_write(d, SYNC + PRESIL_SYNC_REG_SLOT_CONTROL(slot), 0);
  presil_write(d, SYNC + PRESIL_SYNC_REG_IRQ_STATUS, 1u << slot);
  return false;
}
