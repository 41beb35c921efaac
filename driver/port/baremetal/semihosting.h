/* Requests to the host that runs the program: a simulator or a debugger. */
#ifndef PRESIL_BAREMETAL_SEMIHOSTING_H
#define PRESIL_BAREMETAL_SEMIHOSTING_H

void presil_semihosting_write(const char* text);
_Noreturn void presil_semihosting_exit(int status);

#endif
