/* What a program without a C library has of <string.h>; driver/port/baremetal/memory.c. */
#ifndef PRESIL_BAREMETAL_STRING_H
#define PRESIL_BAREMETAL_STRING_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void* memcpy(void* to, const void* from, size_t bytes);
void* memmove(void* to, const void* from, size_t bytes);
void* memset(void* to, int value, size_t bytes);
int memcmp(const void* a, const void* b, size_t bytes);
size_t strlen(const char* text);
int strcmp(const char* a, const char* b);
int strncmp(const char* a, const char* b, size_t most);

#ifdef __cplusplus
}
#endif
#endif
