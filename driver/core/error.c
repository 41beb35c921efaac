#include <string.h>

#include "driver/core/device.h"

static void copy(char* to, size_t bytes, const char* from) {
  presil_text t = presil_text_in(to, bytes);
  TEXT(&t, from);
}

void presil_error_clear(presil_device* device) {
  memset(&device->error, 0, sizeof device->error);
  device->error.command = -1;
  device->error.got = device->error.wanted = -1;
}

presil_text presil_error_begin(presil_device* device, presil_status status, presil_where where,
                               const char* field, int64_t got, int64_t expected) {
  presil_error_info* e = &device->error;
  presil_error_clear(device);
  e->status = status;
  e->command = where.command;
  e->got = got;
  e->wanted = expected;
  copy(e->block, sizeof e->block, where.block);
  copy(e->layer, sizeof e->layer, where.layer ? where.layer : "");
  copy(e->field, sizeof e->field, field ? field : "");
  presil_text t = presil_text_in(e->text, sizeof e->text);
  TEXT(&t, where.block);
  if (where.command >= 0) TEXT(&t, " command ", where.command);
  if (where.layer) TEXT(&t, " (layer ", where.layer, ")");
  TEXT(&t, ": ");
  return t;
}
