// Printed from every engine.yaml with its contract by `python3 rtl/gen/print.py`; do not edit. C11.
// clang-format off
#pragma once

#include <stdint.h>

#include "rtl/common/joined_engines.h"

#define PRESIL_TILE_ENGINES 0x2000000u /* registers of instance i of kind k: + (k << 20) + (i << 14) */
#define PRESIL_ENGINE_KIND_SHIFT 20
#define PRESIL_ENGINE_INSTANCE_SHIFT 14
#define PRESIL_ENGINE_BYTES (1u << PRESIL_ENGINE_INSTANCE_SHIFT)
#define PRESIL_ENGINE_INSTANCES 64u /* of a kind in a tile, at most */
#define PRESIL_ENGINE_MOST_KINDS 32u

/* Kinds of engines; engine_e of sync has the same codes. */
enum presil_engine_kind {
  PRESIL_ENGINE_DLA = 0, /* The convolution engine. */
  PRESIL_ENGINE_DSP = 1, /* The vector DSP. */
  PRESIL_ENGINE_DMA = 2, /* A DMA channel. */
  PRESIL_ENGINE_HOST = 3, /* The host, through register SIGNAL or COUNT. */
  PRESIL_ENGINE_KINDS = 4, /* those that are printed here; of engines outside any from here on */
  PRESIL_ENGINE_NONE = 32 /* of a queue that no engine has */
};

/* X(dla, DLA) for every kind, in the order of their numbers. */
#define PRESIL_FOR_EACH_ENGINE(X) X(dla, DLA) X(dsp, DSP) X(dma, DMA) X(host, HOST)

/* Registers of an instance, in its tile. */
#define PRESIL_TILE_ENGINE(kind, instance) (PRESIL_TILE_ENGINES + ((uint32_t)(kind) << PRESIL_ENGINE_KIND_SHIFT) + ((uint32_t)(instance) << PRESIL_ENGINE_INSTANCE_SHIFT))
/* Of instance 0. */
#define PRESIL_TILE_DLA 0x2000000u
#define PRESIL_TILE_DSP 0x2100000u
#define PRESIL_TILE_DMA 0x2200000u
#define PRESIL_TILE_HOST 0x2300000u

/* Queues, in the order of a loadable's streams; DLA1: of instance 1. */
enum presil_queue {
  PRESIL_QUEUE_DLA = 0,
  PRESIL_QUEUE_DSP = 1,
  PRESIL_QUEUE_HOST = 2,
  PRESIL_QUEUE_DMA0 = 3,
  PRESIL_QUEUE_DMA1 = 4,
  PRESIL_QUEUE_DMA2 = 5,
  PRESIL_QUEUE_DMA3 = 6,
  PRESIL_QUEUE_DMA4 = 7,
  PRESIL_QUEUE_DMA5 = 8,
  PRESIL_QUEUE_DMA6 = 9,
  PRESIL_QUEUE_DMA7 = 10,
  PRESIL_QUEUE_DLA1 = 11,
  PRESIL_QUEUE_DLA2 = 12,
  PRESIL_QUEUE_DLA3 = 13,
  PRESIL_OWN_QUEUES = 14,
  PRESIL_OUTSIDE_QUEUES = 8, /* for engines that join when a program runs (rtl/common/joined_engines.h) */
  PRESIL_QUEUES = 22,
  PRESIL_LINKED_QUEUES = 11 /* those before it are of a tile with one engine of each kind: sync in RTL has links for them */
};

/* Over all engines. */
#define PRESIL_MAX_COMMAND_WORDS 40

/* PRESIL_ENGINE_NONE: no engine has it. */
static inline enum presil_engine_kind presil_kind_of_queue(unsigned queue) {
  static const unsigned char kinds[PRESIL_OWN_QUEUES] = {0, 1, 3, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0};
  return (enum presil_engine_kind)(queue < PRESIL_OWN_QUEUES ? kinds[queue] : presil_joined_kind(queue));
}

/* Which engine of its kind has it. */
static inline unsigned presil_instance_of_queue(unsigned queue) {
  static const unsigned char instances[PRESIL_OWN_QUEUES] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3};
  return queue < PRESIL_OWN_QUEUES ? instances[queue] : presil_joined_instance(queue);
}

/* Which one of its engine's queues it is. */
static inline unsigned presil_channel_of_queue(unsigned queue) {
  static const unsigned char channels[PRESIL_OWN_QUEUES] = {0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 0};
  return queue < PRESIL_OWN_QUEUES ? channels[queue] : presil_joined_channel(queue);
}

/* The first queue of an instance; PRESIL_QUEUES: there is no such instance. */
static inline unsigned presil_first_queue(unsigned kind, unsigned instance) {
  unsigned queue = 0;
  while (queue < PRESIL_QUEUES && (presil_kind_of_queue(queue) != kind || presil_instance_of_queue(queue) != instance)) ++queue;
  return queue;
}

/* "dla", "dla1", "dma3"; "queue" for a number that is of none. */
static inline const char* presil_queue_name(unsigned queue) {
  static const char* const names[PRESIL_OWN_QUEUES] = {
      "dla",
      "dsp",
      "host",
      "dma0",
      "dma1",
      "dma2",
      "dma3",
      "dma4",
      "dma5",
      "dma6",
      "dma7",
      "dla1",
      "dla2",
      "dla3",
  };
  return queue < PRESIL_OWN_QUEUES ? names[queue] : presil_joined_queue_name(queue);
}
