/* Registers and memory mapped, interrupts by poll(2). Threads share the port: the one that sleeps
 * in poll wakes the others. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <presil/linux_uio.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MOST_BUFFERS 1024
#define SLICE_MS 10 /* of a sleep: another thread may have seen this one's interrupt */
#define PAGE 4096u

typedef struct block {
  uint64_t begin, end; /* offsets in the memory */
} block;

struct presil_uio {
  presil_uio_config config;
  presil_port port;
  volatile uint32_t* registers;
  uint8_t* memory;
  block blocks[MOST_BUFFERS]; /* by begin */
  unsigned count;
  pthread_mutex_t mutex;
  pthread_cond_t woken;
  bool polling;
  bool own; /* the descriptors */
};

static _Thread_local char error[512];

const char* presil_uio_error(void) {
  return error;
}

static volatile uint32_t* at(const presil_uio* u, uint64_t address) {
  const uint64_t offset = address - u->config.registers_address;
  return address < u->config.registers_address || offset + 4 > u->config.registers_bytes
             ? NULL
             : u->registers + offset / 4;
}

static uint32_t read32(void* self, uint64_t address) {
  volatile uint32_t* const from = at(self, address);
  atomic_thread_fence(memory_order_seq_cst);
  const uint32_t value = from ? *from : UINT32_MAX;
  atomic_thread_fence(memory_order_seq_cst);
  return value;
}

static void write32(void* self, uint64_t address, uint32_t value) {
  volatile uint32_t* const to = at(self, address);
  atomic_thread_fence(memory_order_seq_cst); /* what it tells of is there */
  if (to) *to = value;
}

/* The lowest gap. */
static int alloc(void* self, size_t bytes, size_t align, presil_memory* memory) {
  presil_uio* u = self;
  const uint64_t mask = align ? align - 1 : 0;
  uint64_t begin = 0;
  unsigned place = 0;
  for (; place < u->count; ++place) {
    if (begin + bytes <= u->blocks[place].begin) break;
    begin = (u->blocks[place].end + mask) & ~mask;
  }
  if (u->count == MOST_BUFFERS || bytes > u->config.memory_bytes ||
      begin > u->config.memory_bytes - bytes)
    return -1;
  memmove(&u->blocks[place + 1], &u->blocks[place], (u->count - place) * sizeof(block));
  u->blocks[place].begin = begin;
  u->blocks[place].end = begin + bytes;
  ++u->count;
  memory->host = u->memory + begin;
  memory->address = u->config.memory_address + begin;
  memory->bytes = bytes;
  return 0;
}

static void release(void* self, presil_memory* memory) {
  presil_uio* u = self;
  const uint64_t begin = memory->address - u->config.memory_address;
  for (unsigned i = 0; i < u->count; ++i) {
    if (u->blocks[i].begin != begin) continue;
    memmove(&u->blocks[i], &u->blocks[i + 1], (u->count - i - 1) * sizeof(block));
    --u->count;
    return;
  }
}

static void synchronise(const presil_uio* u, int for_device, const void* host, size_t bytes) {
  const uint64_t offset = (uint64_t)((const uint8_t*)host - u->memory);
  atomic_thread_fence(memory_order_seq_cst);
  if (u->config.sync && offset < u->config.memory_bytes)
    u->config.sync(u->config.user, for_device, offset, bytes);
}

static void clean(void* self, const void* host, size_t bytes) {
  synchronise(self, 1, host, bytes);
}

static void invalidate(void* self, const void* host, size_t bytes) {
  synchronise(self, 0, host, bytes);
}

static uint64_t now_ns(void* self) {
  (void)self;
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* The line may interrupt once more. */
static void enable(const presil_uio* u) {
  const uint32_t one = 1;
  const ssize_t written = write(u->config.interrupt_fd, &one, sizeof one);
  (void)written; /* a device that is always enabled takes none */
}

/* False: nothing came. */
static bool poll_slice(presil_uio* u, int milliseconds) {
  struct pollfd line = {u->config.interrupt_fd, POLLIN, 0};
  const bool up = poll(&line, 1, milliseconds) > 0;
  uint32_t count = 0;
  while (up && read(u->config.interrupt_fd, &count, sizeof count) > 0) {
  }
  return up;
}

/* Called with the lock held, sleeps without it. */
static presil_wait_result wait(void* self, uint64_t timeout_ns) {
  presil_uio* u = self;
  const uint64_t began = now_ns(u);
  const uint64_t slice_ns = SLICE_MS * UINT64_C(1000000);
  const uint64_t left = timeout_ns < slice_ns ? timeout_ns : slice_ns;
  if (u->polling) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)left;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&u->woken, &u->mutex, &until);
  } else {
    u->polling = true;
    enable(u);
    pthread_mutex_unlock(&u->mutex);
    const bool up = poll_slice(u, (int)((left + 999999) / 1000000));
    pthread_mutex_lock(&u->mutex);
    u->polling = false;
    pthread_cond_broadcast(&u->woken);
    if (up) return PRESIL_WAIT_INTERRUPT;
  }
  /* A slice that has passed is no timeout: what has happened meanwhile is to be looked at. */
  return now_ns(u) - began >= timeout_ns ? PRESIL_WAIT_TIMED_OUT : PRESIL_WAIT_INTERRUPT;
}

static void spend(void* self, const presil_task* task) {
  (void)self, (void)task; /* it takes what it takes */
}

static void lock(void* self) {
  pthread_mutex_lock(&((presil_uio*)self)->mutex);
}

static void unlock(void* self) {
  pthread_mutex_unlock(&((presil_uio*)self)->mutex);
}

static int handle(void* self) {
  enable(self);
  return ((presil_uio*)self)->config.interrupt_fd;
}

static presil_uio* refuse(presil_uio* u, const char* what) {
  snprintf(error, sizeof error, "linux_uio: %s (%s)", what, strerror(errno));
  free(u);
  return NULL;
}

presil_uio* presil_uio_open(const presil_uio_config* config) {
  presil_uio* u = calloc(1, sizeof *u);
  if (!u) return refuse(u, "no memory for the port");
  u->config = *config;
  errno = EINVAL;
  if (config->memory_address % PAGE)
    return refuse(u, "the memory's address must be a multiple of 4096");
  void* const registers = mmap(NULL, config->registers_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                               config->registers_fd, 0);
  if (registers == MAP_FAILED)
    return refuse(u, "the registers cannot be mapped; map 0 of the UIO device must hold them");
  void* const memory =
      mmap(NULL, config->memory_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, config->memory_fd, 0);
  if (memory == MAP_FAILED) {
    munmap(registers, config->registers_bytes);
    return refuse(u, "the memory cannot be mapped");
  }
  u->registers = registers;
  u->memory = memory;
  const int flags = fcntl(config->interrupt_fd, F_GETFL);
  if (flags >= 0) fcntl(config->interrupt_fd, F_SETFL, flags | O_NONBLOCK);
  pthread_mutex_init(&u->mutex, NULL);
  pthread_cond_init(&u->woken, NULL);
  const presil_port port = {.self = u,
                            .read32 = read32,
                            .write32 = write32,
                            .alloc = alloc,
                            .release = release,
                            .clean = clean,
                            .invalidate = invalidate,
                            .wait = wait,
                            .spend = spend,
                            .now_ns = now_ns,
                            .lock = lock,
                            .unlock = unlock,
                            .handle = handle};
  u->port = port;
  return u;
}

/* A number in a file of sysfs; false: there is none. */
static bool number_in(const char* sysfs, const char* kind, const char* name, const char* entry,
                      uint64_t* number) {
  char path[256];
  snprintf(path, sizeof path, "%s/class/%s/%s/%s", sysfs, kind, name, entry);
  FILE* file = fopen(path, "r");
  unsigned long long value = 0;
  const bool read = file && fscanf(file, "%lli", (long long*)&value) == 1;
  if (file) fclose(file);
  *number = value;
  if (!read) snprintf(error, sizeof error, "linux_uio: '%s' has no number", path);
  return read;
}

static int open_in(const char* dev, const char* name) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", dev, name);
  const int fd = open(path, O_RDWR | O_SYNC | O_CLOEXEC);
  if (fd < 0)
    snprintf(error, sizeof error, "linux_uio: '%s' does not open (%s)", path, strerror(errno));
  return fd;
}

presil_uio* presil_uio_open_board(const char* dev, const char* sysfs, const char* uio,
                                  const char* memory, uint64_t registers_address) {
  uint64_t registers_bytes = 0, memory_bytes = 0, memory_address = 0;
  if (!number_in(sysfs, "uio", uio, "maps/map0/size", &registers_bytes) ||
      !number_in(sysfs, "u-dma-buf", memory, "size", &memory_bytes) ||
      !number_in(sysfs, "u-dma-buf", memory, "phys_addr", &memory_address))
    return NULL;
  const int registers_fd = open_in(dev, uio);
  const int memory_fd = registers_fd < 0 ? -1 : open_in(dev, memory);
  presil_uio* opened = NULL;
  if (memory_fd >= 0) {
    const presil_uio_config config = {
        registers_fd, registers_address, (size_t)registers_bytes, registers_fd,
        memory_fd,    memory_address,    (size_t)memory_bytes,    NULL,
        NULL};
    opened = presil_uio_open(&config);
  }
  if (opened) {
    opened->own = true;
  } else {
    if (registers_fd >= 0) close(registers_fd);
    if (memory_fd >= 0) close(memory_fd);
  }
  return opened;
}

const presil_port* presil_uio_port(presil_uio* u) {
  return u ? &u->port : NULL;
}

volatile void* presil_uio_registers(presil_uio* u) {
  return u->registers;
}

void presil_uio_close(presil_uio* u) {
  if (!u) return;
  munmap((void*)(uintptr_t)u->registers, u->config.registers_bytes);
  munmap(u->memory, u->config.memory_bytes);
  if (u->own) {
    close(u->config.registers_fd);
    close(u->config.memory_fd);
  }
  pthread_mutex_destroy(&u->mutex);
  pthread_cond_destroy(&u->woken);
  free(u);
}
