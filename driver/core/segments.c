/* Streams cut at layer borders, so that a job can give way there to one of a higher priority.
 *
 * The compiler writes commands down in one order, that of their tags, in which each comes after all
 * that it waits for. A border is where a layer begins to be computed. Before it is all that
 * computes earlier in that order, and what this waits for; of the DMA's other commands only what
 * the next segment waits for, so that its loads run beside this one's work, and the loads of later
 * layers do not hold it up. Whatever is before a border then runs to its end by itself.
 *
 * A queue's commands between two borders are a stream of their own, in a copy: a stream begins at a
 * multiple of 256 bytes. Where an engine keeps something from an earlier command (the DSP its
 * image) the copy begins with that command. */
#include <string.h>

#include "driver/core/device.h"

#define STREAM_ALIGN 256u

/* Of each queue a number of commands from its first one, and where its counter then is. */
typedef struct front {
  uint32_t command[PRESIL_QUEUES], level[PRESIL_QUEUES];
} front;

typedef struct walk {
  presil_network* n;
  front at;                    /* in the order of tags */
  front needed;                /* of the DMA: what the commands so far that compute wait for */
  front border;                /* where the newest border is in the order of tags */
  front cut;                   /* what is before the border before it */
  int32_t layer, border_layer; /* the last one that has begun; that of the newest border */
  uint32_t segments;           /* that are complete */
  size_t bytes;                /* of copies */
  presil_cut* cuts;            /* NULL: they are counted only */
  uint32_t* begins;            /* layer of each segment */
  const uint32_t* layers;      /* that begin at a border; NULL: all */
  uint32_t layer_count;
} walk;

static presil_status refuse(presil_network* n, const char* field, const char* text) {
  presil_device* d = n->device;
  presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), field, -1, -1);
  TEXT(&t, "the network cannot be cut at its layers: ", text);
  n->error = d->error;
  return PRESIL_REFUSED;
}

static bool copied(const presil_network* n, unsigned queue) {
  return n->streams[queue].commands && presil_queue_exists(n->device, queue);
}

static bool moves(unsigned queue) {
  return presil_kind_of_queue(queue) == PRESIL_ENGINE_DMA;
}

static bool leaves(unsigned queue, const uint32_t* words) {
  const presil_engine_driver* driver = presil_engine_driver_of(queue);
  return driver->leaves && driver->leaves(words);
}

static uint32_t signals(unsigned queue, const uint32_t* words) {
  const presil_engine_description* engine = presil_engine_of(queue);
  if (presil_engine_get(engine, words, engine->signal) == 0) return 0;
  return (uint32_t)presil_engine_get(engine, words, engine->signal_add);
}

/* The queue whose next command has this tag. */
static unsigned queue_of(const walk* w, uint32_t tag) {
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (w->at.command[q] >= w->n->streams[q].commands) continue;
    const presil_engine_description* engine = presil_engine_of(q);
    const uint32_t* words = presil_network_command(w->n, q, w->at.command[q]);
    if (presil_engine_get(engine, words, engine->tag) == tag) return q;
  }
  return PRESIL_QUEUES;
}

static bool waits_met(const walk* w, unsigned queue, const uint32_t* words) {
  const presil_engine_description* engine = presil_engine_of(queue);
  for (unsigned i = 0; i < engine->waits; ++i) {
    const int64_t id = presil_engine_get(engine, words, engine->wait[i]);
    if (id != 0 && presil_engine_get(engine, words, engine->value[i]) > w->at.level[id - 1])
      return false;
  }
  return true;
}

/* What the command waits for of the DMA, and what that waits for. Each call goes to earlier tags,
 * in another queue: no deeper than there are queues. */
static void need(walk* w, unsigned queue, const uint32_t* words) {
  const presil_engine_description* engine = presil_engine_of(queue);
  for (unsigned i = 0; i < engine->waits; ++i) {
    const int64_t id = presil_engine_get(engine, words, engine->wait[i]);
    const unsigned of = (unsigned)id - 1;
    if (id == 0 || !moves(of)) continue;
    const int64_t value = presil_engine_get(engine, words, engine->value[i]);
    while (w->needed.level[of] < value) {
      const uint32_t* earlier = presil_network_command(w->n, of, w->needed.command[of]++);
      w->needed.level[of] += signals(of, earlier);
      need(w, of, earlier);
    }
  }
}

/* The earlier command that a stream from `index` on needs before it; -1: none. */
static int64_t repeated(const presil_network* n, unsigned queue, uint32_t index) {
  if (!presil_engine_driver_of(queue)->leaves) return -1;
  for (uint32_t i = index;; --i) {
    if (leaves(queue, presil_network_command(n, queue, i))) return i == index ? -1 : (int64_t)i;
    if (i == 0) return -1;
  }
}

static size_t copy_bytes(const presil_network* n, unsigned queue, uint32_t begin, uint32_t end) {
  if (begin == end || !copied(n, queue)) return 0;
  const size_t commands = end - begin + (repeated(n, queue, begin) >= 0);
  const size_t bytes = commands * presil_engine_of(queue)->format()->pitch_bytes;
  return (bytes + STREAM_ALIGN - 1) / STREAM_ALIGN * STREAM_ALIGN;
}

/* Of the DMA, what is both needed by now and earlier than the border. */
static void cut_at_border(walk* w) {
  presil_network* n = w->n;
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (!n->streams[q].commands) continue;
    const bool less = moves(q) && w->needed.command[q] < w->border.command[q];
    const front* end = less ? &w->needed : &w->border;
    if (w->cuts) {
      presil_cut* at = &w->cuts[(size_t)w->segments * n->used_queues + n->used_queue[q]];
      at->offset = (uint32_t)w->bytes;
      at[n->used_queues].command = end->command[q];
      at[n->used_queues].level = end->level[q];
    }
    w->bytes += copy_bytes(n, q, w->cut.command[q], end->command[q]);
    w->cut.command[q] = end->command[q];
  }
  ++w->segments;
}

static bool may_cut(const walk* w, int32_t layer) {
  for (uint32_t i = 0; w->layers && i < w->layer_count; ++i) {
    if (w->layers[i] == (uint32_t)layer) return true;
  }
  return !w->layers;
}

/* The segment before the newest border is known when the one after it is. */
static void begin_layer(walk* w, int32_t layer) {
  const bool first = w->layer < 0;
  w->layer = layer;
  if (!first && !may_cut(w, layer)) return;
  if (w->border_layer >= 0) cut_at_border(w);
  if (w->begins && first) w->begins[0] = (uint32_t)layer;
  if (first) return;
  if (w->begins) w->begins[w->segments + 1] = (uint32_t)layer;
  w->border = w->at;
  w->border_layer = layer;
}

static presil_status walk_all(walk* w) {
  presil_network* n = w->n;
  w->layer = w->border_layer = -1;
  for (uint32_t tag = 0; tag < n->commands; ++tag) {
    const unsigned q = queue_of(w, tag);
    if (q == PRESIL_QUEUES)
      return refuse(n, "tag", "its commands are not numbered in the order of their queues");
    const uint32_t* words = presil_network_command(n, q, w->at.command[q]);
    if (!waits_met(w, q, words))
      return refuse(n, "tag", "a command waits for one that is numbered after it");
    if (!signals(q, words)) return refuse(n, "signal", "a command does not signal");
    const bool computes = !moves(q) && !leaves(q, words);
    if (computes && n->layer_of_tag[tag] > w->layer) begin_layer(w, n->layer_of_tag[tag]);
    if (!moves(q)) need(w, q, words);
    w->at.level[q] += signals(q, words);
    ++w->at.command[q];
  }
  if (w->border_layer >= 0) cut_at_border(w);
  w->border = w->needed = w->at;
  cut_at_border(w);
  return PRESIL_OK;
}

/* The command again, as one that neither waits nor signals. */
static void repeat(const presil_network* n, unsigned queue, uint32_t index, uint8_t* to) {
  const presil_engine_description* engine = presil_engine_of(queue);
  const struct presil_command_format* format = engine->format();
  uint32_t words[PRESIL_MAX_COMMAND_WORDS];
  memcpy(words, presil_network_command(n, queue, index), format->word_count * sizeof *words);
  for (unsigned i = 0; i < engine->waits; ++i) {
    presil_field_set(words, &format->fields[engine->wait[i]], 0);
    presil_field_set(words, &format->fields[engine->value[i]], 0);
  }
  presil_field_set(words, &format->fields[engine->signal], 0);
  presil_field_set(words, &format->fields[engine->signal_add], 0);
  presil_crc_write(format, words);
  memcpy(to, words, format->word_count * sizeof *words);
}

static const presil_cut* cut_of(const presil_network* n, uint32_t segment, unsigned queue) {
  return &n->cuts[(size_t)segment * n->used_queues + n->used_queue[queue]];
}

static void copy_streams(presil_network* n) {
  for (uint32_t s = 0; s < n->segments; ++s) {
    for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
      const presil_cut* from = copied(n, q) ? cut_of(n, s, q) : NULL;
      if (!from || from->command == from[n->used_queues].command) continue;
      const size_t pitch = presil_engine_of(q)->format()->pitch_bytes;
      uint8_t* to = (uint8_t*)n->copies.host + from->offset;
      const int64_t before = repeated(n, q, from->command);
      if (before >= 0) {
        repeat(n, q, (uint32_t)before, to);
        to += pitch;
      }
      memcpy(to, presil_network_command(n, q, from->command),
             (from[n->used_queues].command - from->command) * pitch);
    }
  }
  n->device->port.clean(n->device->port.self, n->copies.host, n->copies.bytes);
}

void presil_segments_release(presil_network* n) {
  presil_device* d = n->device;
  if (n->copies.bytes) d->port.release(d->port.self, &n->copies);
  if (n->cut_memory.bytes) d->port.release(d->port.self, &n->cut_memory);
  n->copies.bytes = n->cut_memory.bytes = 0;
  n->cuts = NULL;
  n->segments = 0;
}

static presil_status make(presil_network* n, const uint32_t* layers, uint32_t layer_count) {
  presil_device* d = n->device;
  n->used_queues = 0;
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (!n->streams[q].commands) continue;
    if (presil_kind_of_queue(q) >= PRESIL_ENGINE_KINDS)
      return refuse(n, "engine",
                    "an engine from outside may keep what an earlier command has left");
    n->used_queue[q] = (uint8_t)n->used_queues++;
  }
  walk counted = {.n = n, .layers = layers, .layer_count = layer_count};
  const presil_status status = walk_all(&counted);
  if (status != PRESIL_OK) return status;
  const size_t cuts = ((size_t)counted.segments + 1) * n->used_queues;
  const size_t bytes = cuts * sizeof(presil_cut) + counted.segments * sizeof(uint32_t);
  if (!presil_network_allocate(d, bytes, &n->cut_memory) ||
      !presil_network_allocate(d, counted.bytes, &n->copies)) {
    presil_segments_release(n);
    presil_text t = presil_error_begin(d, PRESIL_NO_MEMORY, presil_in_driver(), "memory", -1, -1);
    TEXT(&t, "no memory for a network in ", counted.segments, " segments, requires ",
         bytes + counted.bytes, " bytes");
    n->error = d->error;
    return PRESIL_NO_MEMORY;
  }
  presil_cut* const cut = n->cut_memory.host;
  walk filled = {.n = n,
                 .cuts = cut,
                 .begins = (uint32_t*)(cut + cuts),
                 .layers = layers,
                 .layer_count = layer_count};
  walk_all(&filled);
  n->cuts = cut;
  n->begins = filled.begins;
  n->segments = filled.segments;
  copy_streams(n);
  return PRESIL_OK;
}

presil_status presil_network_set_preemptible(presil_network* n, const uint32_t* layers,
                                             uint32_t count) {
  presil_device* d = presil_device_of(n);
  if (!d) return PRESIL_REFUSED;
  if (count && !layers && count != PRESIL_EVERY_LAYER)
    return refuse(n, "layers", "layers is NULL, must be so with PRESIL_EVERY_LAYER alone");
  presil_lock(d);
  presil_status status = PRESIL_OK;
  if (presil_in_flight(d, n)) {
    status = PRESIL_REFUSED;
    presil_text t = presil_error_begin(d, status, presil_in_driver(), "job", -1, -1);
    TEXT(&t, "a job of this network is in flight; wait for it or cancel it first");
    n->error = d->error;
  } else {
    presil_segments_release(n);
    if (count) status = make(n, layers, count);
  }
  presil_unlock(d);
  return status;
}

uint32_t presil_network_borders(const presil_network* n, uint32_t* layers, uint32_t capacity) {
  const uint32_t borders = n && n->device ? n->segments : 0;
  for (uint32_t i = 0; layers && i < borders && i < capacity; ++i) layers[i] = n->begins[i];
  return borders;
}

uint32_t presil_network_segments(const presil_network* n) {
  return n && n->segments ? n->segments : 1;
}

presil_stream presil_segment_stream(const presil_network* n, uint32_t segment, unsigned queue) {
  presil_stream stream = {n->regions[PRESIL_REGION_CONSTANTS].address + n->streams[queue].offset,
                          n->streams[queue].commands, 0, 0};
  if (!n->segments || !stream.commands) return stream;
  const presil_cut* from = cut_of(n, segment, queue);
  stream.address = n->copies.address + from->offset;
  stream.first = from->command;
  stream.commands = from[n->used_queues].command - from->command;
  if (!stream.commands || !copied(n, queue) || repeated(n, queue, from->command) < 0) return stream;
  stream.repeated = 1;
  ++stream.commands;
  return stream;
}

uint32_t presil_cut_command(const presil_network* n, uint32_t segment, unsigned queue) {
  return cut_of(n, segment, queue)->command;
}

uint32_t presil_segment_level(const presil_network* n, uint32_t segment, unsigned queue) {
  if (!n->streams[queue].commands) return 0;
  return n->segments ? cut_of(n, segment, queue)->level : segment ? n->job_span : 0;
}

uint32_t presil_stream_index(const presil_network* n, unsigned queue, uint32_t index) {
  if (!n->segments || index == UINT32_MAX || !presil_queue_exists(n->device, queue)) return index;
  const presil_stream stream = presil_segment_stream(n, n->job.segment, queue);
  return stream.first + (index > stream.repeated ? index - stream.repeated : 0);
}
