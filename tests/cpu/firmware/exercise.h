/* What the firmware and the native program of cpu_firmware_test do with the driver. */
#ifndef PRESIL_TESTS_CPU_EXERCISE_H
#define PRESIL_TESTS_CPU_EXERCISE_H

#include <presil/port.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens the SoC, takes buffers, waits; tells by `print` what it finds. 0, or the line that failed.
 */
int presil_exercise(const presil_port* port, void (*print)(const char* text));

#ifdef __cplusplus
}
#endif
#endif
