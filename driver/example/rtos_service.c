#include "rtos_service.h"

#ifdef __ZEPHYR__
static void prepare(semaphore* s) {
  k_sem_init(s, 0, K_SEM_MAX_LIMIT);
}
static void give(semaphore* s) {
  k_sem_give(s);
}
static void take(semaphore* s) {
  k_sem_take(s, K_FOREVER);
}
#else
static void prepare(semaphore* s) {
  sem_init(s, 0, 0);
}
static void give(semaphore* s) {
  sem_post(s);
}
static void take(semaphore* s) {
  while (sem_wait(s) != 0) {
  } /* a signal has come */
}
#endif

void soc_service_init(soc_service* s, presil_device* device, void (*unmask)(void*), void* board) {
  s->device = device;
  s->unmask = unmask;
  s->board = board;
  s->ends = false;
  prepare(&s->work);
}

void soc_service_interrupt(soc_service* s) {
  give(&s->work);
}

void soc_service_task(soc_service* s) {
  while (!s->ends) {
    take(&s->work);
    presil_device_service(s->device); /* host tasks, ends of jobs, failures: calls `ended` */
    if (s->unmask) s->unmask(s->board);
  }
}

void soc_service_end(soc_service* s) {
  s->ends = true;
  give(&s->work);
}

typedef struct call {
  semaphore done;
  presil_status status;
} call;

static void ended(void* user, presil_network* network, uint32_t job, presil_status status) {
  call* c = user;
  (void)network, (void)job;
  c->status = status;
  give(&c->done);
}

presil_status soc_service_run(soc_service* s, presil_network* network, uint8_t priority,
                              uint32_t* job) {
  call c;
  prepare(&c.done);
  const presil_job_options options = {.priority = priority, .ended = ended, .user = &c};
  const presil_status status = presil_job_start(network, &options, job);
  if (status != PRESIL_OK) return status;
  give(&s->work); /* its first host task may be due */
  take(&c.done);
  return c.status;
}
