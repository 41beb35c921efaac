/* Firmware of cpu_firmware_test. */
#include "driver/port/baremetal/baremetal_port.h"
#include "driver/port/baremetal/semihosting.h"
#include "tests/cpu/firmware/exercise.h"

static presil_baremetal soc = {.registers = {0x40000000u, 0, 1u << 26},
                               .memory = {0x60000000u, 0x8000000000u, 1u << 20},
                               .interrupt = 5,
                               .cycles_per_us = 100};

int main(void) {
  const presil_port port = presil_baremetal_port(&soc);
  const uint64_t start = port.now_ns(port.self);
  const int failed = presil_exercise(&port, presil_semihosting_write);
  if (failed) return failed;
  return port.now_ns(port.self) - start >= 50000 ? 0 : __LINE__;
}
