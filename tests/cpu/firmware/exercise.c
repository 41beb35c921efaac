#include "tests/cpu/firmware/exercise.h"

#include <presil/presil.h>
#include <stdalign.h>

static void (*out)(const char* text);

static void tell(const char* name, uint32_t value) {
  char text[12];
  char* at = text + sizeof text;
  *--at = 0;
  *--at = '\n';
  do *--at = (char)('0' + value % 10);
  while ((value /= 10) != 0);
  out(name);
  out(" ");
  out(at);
}

int presil_exercise(const presil_port* port, void (*print)(const char* text)) {
  static alignas(16) uint8_t storage[1 << 15];
  out = print;
  presil_device* device = NULL;
  const presil_status status = presil_open(port, storage, sizeof storage, &device);
  tell("open", (uint32_t)status);
  if (device == NULL) return __LINE__;
  if (status != PRESIL_OK) {
    out(presil_error(device)->text);
    out("\n");
    return __LINE__;
  }
  const presil_capability c = presil_device_capability(device);
  tell("isa", c.isa_version);
  tell("macs_k", c.dla_macs_k);
  tell("channels", c.dma_channels);
  tell("counters", c.counters);
  tell("sram", c.sram_bytes);
  presil_buffer first, second;
  if (presil_buffer_alloc(device, 100, &first) != PRESIL_OK) return __LINE__;
  if (presil_buffer_alloc(device, 5000, &second) != PRESIL_OK) return __LINE__;
  tell("apart", (uint32_t)(second.address - first.address));
  for (uint32_t i = 0; i < 5000; ++i) ((uint8_t*)second.host)[i] = (uint8_t)(i * 7);
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 5000; ++i) sum += ((const uint8_t*)second.host)[i] << i % 3;
  tell("sum", sum);
  tell("wait", (uint32_t)port->wait(port->self, 50000));
  tell("again", (uint32_t)port->wait(port->self, 10000000));
  presil_buffer_free(device, &second);
  presil_buffer_free(device, &first);
  presil_close(device);
  return 0;
}
