/* What programs give: an open device, a loaded network, places to write to. */
#include "driver/core/device.h"

presil_status presil_refuse_argument(presil_device* d, const char* field, const char* text) {
  presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), field, -1, -1);
  TEXT(&t, text);
  return PRESIL_REFUSED;
}

bool presil_is_open(presil_device* d) {
  if (d && !d->rings.host)
    presil_refuse_argument(d, "device", "the device is closed, or has not opened; open it first");
  return d && d->rings.host;
}

presil_device* presil_device_of(presil_network* n) {
  if (!n || !n->device) return NULL;
  if (presil_is_open(n->device)) return n->device;
  n->error = n->device->error;
  return NULL;
}
