/* The newest events of a device, in a ring. */
#include "driver/core/device.h"

void presil_log(presil_device* d, presil_event_kind kind, uint32_t job) {
  const presil_event event = {d->port.now_ns(d->port.self), kind, job};
  d->events[d->event_count++ % PRESIL_EVENTS] = event;
}

uint32_t presil_events(presil_device* d, presil_event* events, uint32_t capacity) {
  if (!d || (capacity && !events)) return 0;
  presil_lock(d);
  uint32_t count = d->event_count < PRESIL_EVENTS ? d->event_count : PRESIL_EVENTS;
  if (count > capacity) count = capacity;
  for (uint32_t i = 0; i < count; ++i)
    events[i] = d->events[(d->event_count - count + i) % PRESIL_EVENTS];
  presil_unlock(d);
  return count;
}
