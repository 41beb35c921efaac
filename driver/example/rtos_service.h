/* The driver under an RTOS: nothing polls, and no task waits inside the driver. One task serves it
 * and sleeps in a semaphore that the SoC's interrupt gives; any others run networks, and each
 * sleeps in a semaphore of its own until its job has ended. The port needs `lock` and `unlock`: a
 * mutex.
 *
 * On Zephyr the semaphores are k_sem, elsewhere POSIX's. */
#ifndef PRESIL_EXAMPLE_RTOS_SERVICE_H
#define PRESIL_EXAMPLE_RTOS_SERVICE_H

#include <presil/presil.h>

#ifdef __ZEPHYR__
#include <zephyr/kernel.h>
typedef struct k_sem semaphore;
#else
#include <semaphore.h>
typedef sem_t semaphore;
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct soc_service {
  presil_device* device;
  void (*unmask)(void* board); /* the SoC's line at the interrupt controller; NULL: not masked */
  void* board;
  semaphore work;
  volatile bool ends;
} soc_service;

void soc_service_init(soc_service* s, presil_device* device, void (*unmask)(void*), void* board);
/* Of the line's interrupt handler, which masks the line: it stays up until the driver is served. */
void soc_service_interrupt(soc_service* s);
/* A task of its own: returns after soc_service_end. */
void soc_service_task(soc_service* s);
void soc_service_end(soc_service* s);

/* Of any other task, with a network of its own: a job from its submission to its end. Its outputs
 * are presil_job_output(network, *job, ...). */
presil_status soc_service_run(soc_service* s, presil_network* network, uint8_t priority,
                              uint32_t* job);

#ifdef __cplusplus
}
#endif

#endif
