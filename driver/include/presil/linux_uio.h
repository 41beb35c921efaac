/* The driver's port on a board under Linux, from user space: the tile's registers by a UIO device
 * (/dev/uio0), its interrupt by the same, and memory that the engines reach by one that can be
 * mapped and has a known address (/dev/udmabuf0, or another dma-buf). Link presil::linux_uio. */
#ifndef PRESIL_LINUX_UIO_H
#define PRESIL_LINUX_UIO_H

#include <presil/port.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

typedef struct presil_uio presil_uio;

typedef struct presil_uio_config {
  int registers_fd;           /* map 0 is the tile's registers */
  uint64_t registers_address; /* of its first byte, as the driver names it: PRESIL_TILE_BASE(0) */
  size_t registers_bytes;
  int interrupt_fd; /* 32-bit words: written 1 enables, read counts; usually registers_fd */
  int memory_fd;
  uint64_t memory_address; /* of its first byte, as the engines see it; multiple of 4 KiB */
  size_t memory_bytes;
  /* NULL: caches are coherent, or the memory is mapped without. Else as the memory's device has it:
   * u-dma-buf's sync_for_device and sync_for_cpu. */
  void (*sync)(void* user, int for_device, uint64_t offset, size_t bytes);
  void* user;
} presil_uio_config;

/* Descriptors stay the caller's. @return NULL: presil_uio_error says why */
presil_uio* presil_uio_open(const presil_uio_config* config);
/* By names, as "uio0" and "udmabuf0": sizes and addresses are what sysfs says of them.
 * @param dev, sysfs where these are mounted, as "/dev" and "/sys" */
presil_uio* presil_uio_open_board(const char* dev, const char* sysfs, const char* uio,
                                  const char* memory, uint64_t registers_address);
const char* presil_uio_error(void);
const presil_port* presil_uio_port(presil_uio* uio);
/* Where the registers are mapped. */
volatile void* presil_uio_registers(presil_uio* uio);
void presil_uio_close(presil_uio* uio);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
