#include "driver/port/baremetal/baremetal_port.h"

#include "driver/port/baremetal/core.h"

#define REGISTER(address) (*(volatile uint32_t*)(uintptr_t)(address))

/* 0: the window does not reach it. */
static uint32_t seen(const presil_window* w, uint64_t address, uint32_t bytes) {
  const uint64_t offset = address - w->system;
  return address < w->system || offset > w->bytes || bytes > w->bytes - offset
             ? 0
             : w->base + (uint32_t)offset;
}

static uint32_t read32(void* self, uint64_t address) {
  const uint32_t at = seen(&((presil_baremetal*)self)->registers, address, 4);
  return at ? REGISTER(at) : UINT32_MAX;
}

static void write32(void* self, uint64_t address, uint32_t value) {
  const uint32_t at = seen(&((presil_baremetal*)self)->registers, address, 4);
  if (at) REGISTER(at) = value;
}

static int alloc(void* self, size_t bytes, size_t align, presil_memory* memory) {
  presil_baremetal* b = self;
  const presil_window* w = &b->memory;
  const uint32_t mask = (uint32_t)(align ? align : 1) - 1;
  const uint32_t at = (b->used + mask) & ~mask;
  if (at < b->used || at > w->bytes || bytes > w->bytes - at) return 1;
  b->used = at + (uint32_t)bytes;
  memory->host = (void*)(uintptr_t)(w->base + at);
  memory->address = w->system + at;
  memory->bytes = bytes;
  return 0;
}

/* The last one is given back at once; the others when all that came after them are. */
static void release(void* self, presil_memory* memory) {
  presil_baremetal* b = self;
  const uint32_t at = (uint32_t)(memory->address - b->memory.system);
  if (at + (uint32_t)memory->bytes == b->used) b->used = at;
}

/* No cache that engines do not see: accesses need only to be complete. */
static void complete(void* self, const void* host, size_t bytes) {
  (void)self, (void)host, (void)bytes;
  presil_core_complete();
}

static uint64_t now_ns(void* self) {
  presil_baremetal* b = self;
  b->cycles += presil_core_passed(b);
  /* in parts: cycles * 1000 would overflow after some years */
  return b->cycles / b->cycles_per_us * 1000 +
         b->cycles % b->cycles_per_us * 1000 / b->cycles_per_us;
}

/* Sleeps until the line is up or the timer has run out. Interrupts are masked: no handler runs. */
static presil_wait_result wait(void* self, uint64_t timeout_ns) {
  presil_baremetal* b = self;
  const uint64_t start = now_ns(b);
  presil_core_watch(b);
  while (!presil_core_line_is_up(b)) {
    const uint64_t passed = now_ns(b) - start;
    if (passed >= timeout_ns) return PRESIL_WAIT_TIMED_OUT;
    presil_core_wait(b, (timeout_ns - passed) / 1000 + 1);
  }
  return PRESIL_WAIT_INTERRUPT;
}

static void spend(void* self, const presil_task* task) {
  (void)self, (void)task; /* it takes what it takes */
}

presil_port presil_baremetal_port(presil_baremetal* state) {
  state->used = 0;
  state->cycles = 0;
  presil_core_start(state);
  const presil_port port = {.self = state,
                            .read32 = read32,
                            .write32 = write32,
                            .alloc = alloc,
                            .release = release,
                            .clean = complete,
                            .invalidate = complete,
                            .wait = wait,
                            .spend = spend,
                            .now_ns = now_ns};
  return port;
}
