/* The streams of a loadable, walked in software before any hardware is touched.
 *
 * Each command: fields by the contract's table, rules between fields by the block's page, counters,
 * addresses, its entry in the debug map. Then all streams together: signals add up to job_span, and
 * a symbolic run of all queues comes to its end, so that every wait ends. */
#include <string.h>

#include "driver/core/device.h"

void presil_walk_words(const presil_walk* w, unsigned queue, uint32_t index, uint32_t* words) {
  const struct presil_command_format* format = presil_engine_of(queue)->format();
  const uint8_t* const at =
      w->loadable->image + w->streams[queue].offset + (uint64_t)index * format->pitch_bytes;
  memcpy(words, at, format->word_count * sizeof *words);
}

presil_where presil_walk_where(const presil_walk* w, unsigned queue, uint32_t index,
                               const uint32_t* words) {
  presil_where at = {presil_queue_name(queue), index, NULL};
  const presil_engine_description* engine = presil_engine_of(queue);
  const int64_t tag = presil_engine_get(engine, words, engine->tag);
  if (tag < w->loadable->commands) {
    const int32_t layer = presil_loadable_get_command(w->loadable, (uint32_t)tag).layer;
    if (layer >= 0 && (uint32_t)layer < w->loadable->layers)
      at.layer = presil_loadable_get_layer(w->loadable, (uint32_t)layer);
  }
  return at;
}

static void must_be(presil_text* t, int64_t low, int64_t high) {
  if (low == high) {
    TEXT(t, ", must be ", low);
  } else if (low == INT64_MIN) {
    TEXT(t, ", must be at most ", high);
  } else if (high == INT64_MAX) {
    TEXT(t, ", must be at least ", low);
  } else {
    TEXT(t, ", must be ", low, "..", high);
  }
}

static bool refuse_field(presil_walk* w, presil_where at, const struct presil_violation* v) {
  presil_text t = presil_error_begin(w->device, PRESIL_REFUSED, at, v->field, v->got,
                                     v->got > v->max ? v->max : v->min);
  if (v->code == PRESIL_QUEUE_ERROR_CODE_RESERVED_BITS) {
    TEXT(&t, "reserved bits are ", presil_in_hex((uint64_t)v->got), ", must be 0");
  } else if (v->code == PRESIL_QUEUE_ERROR_CODE_UNSUPPORTED) {
    TEXT(&t, v->field, " is ", v->got, ", a code that this hardware does not support");
  } else if (v->code == PRESIL_QUEUE_ERROR_CODE_MISALIGNED) {
    TEXT(&t, v->field, " is ", v->got, ", must be a multiple of ", v->multiple_of);
  } else {
    TEXT(&t, v->field, " is ", v->got);
    must_be(&t, v->min, v->max);
  }
  TEXT(&t, " (word ", v->word, ")");
  return false;
}

static bool refuse_finding(presil_walk* w, unsigned queue, presil_where at,
                           const presil_finding* f) {
  presil_text t = presil_error_begin(w->device, PRESIL_REFUSED, at, f->what, f->got,
                                     f->got > f->high ? f->high : f->low);
  TEXT(&t, f->what, " is ", f->got);
  must_be(&t, f->low, f->high);
  if (f->why) TEXT(&t, ": ", f->why);
  const presil_engine_description* engine = presil_engine_of(queue);
  const bool outside = engine->kind >= PRESIL_ENGINE_KINDS; /* its folder may be anywhere */
  if (f->rule)
    TEXT(&t, " (rule R", f->rule, outside ? " of engine " : " of rtl/", engine->name,
         outside ? ")" : "/README.md)");
  return false;
}

/* "counter 4 (dma0)" */
static void counter_name(presil_text* t, uint32_t id) {
  TEXT(t, "counter ", id, " (", presil_queue_name(id - 1), ")");
}

static bool counters_of_command(presil_walk* w, unsigned queue, presil_where at,
                                const uint32_t* words) {
  const presil_engine_description* engine = presil_engine_of(queue);
  for (unsigned i = 0; i < engine->waits; ++i) {
    const int64_t id = presil_engine_get(engine, words, engine->wait[i]);
    if (id == 0) continue;
    const char* const field = engine->format()->fields[engine->wait[i]].name;
    if (id > w->limits->sync_count) {
      presil_text t =
          presil_error_begin(w->device, PRESIL_REFUSED, at, field, id, w->limits->sync_count);
      TEXT(&t, field, " is counter ", id, ", the loadable has counters 1..", w->limits->sync_count);
      return false;
    }
  }
  const int64_t signal = presil_engine_get(engine, words, engine->signal);
  const int64_t own = PRESIL_QUEUE_COUNTER(queue);
  if (signal != 0 && signal != own) {
    presil_text t = presil_error_begin(w->device, PRESIL_REFUSED, at, "signal", signal, own);
    TEXT(&t, "signal is counter ", signal, ", must be 0 or the queue's own, ", own);
    return false;
  }
  return true;
}

static bool map_entry(presil_walk* w, unsigned queue, uint32_t index, presil_where at,
                      int64_t tag) {
  if (tag >= w->loadable->commands) {
    presil_text t =
        presil_error_begin(w->device, PRESIL_REFUSED, at, "tag", tag, w->loadable->commands);
    TEXT(&t, "tag is ", tag, ", the debug map has ", w->loadable->commands, " entries");
    return false;
  }
  const presil_loadable_command entry = presil_loadable_get_command(w->loadable, (uint32_t)tag);
  if (entry.queue == queue && entry.index == index) return true;
  presil_text t = presil_error_begin(w->device, PRESIL_REFUSED, at, "tag", tag, index);
  TEXT(&t, "its tag ", tag, " is ", presil_queue_name(entry.queue), " command ", entry.index,
       " in the debug map");
  return false;
}

static bool check_command(presil_walk* w, unsigned queue, uint32_t index) {
  const presil_engine_description* engine = presil_engine_of(queue);
  uint32_t words[PRESIL_MAX_COMMAND_WORDS];
  presil_walk_words(w, queue, index, words);
  const presil_where at = presil_walk_where(w, queue, index, words);
  struct presil_violation violation;
  if (presil_command_check(engine->format(), words, &violation) != PRESIL_QUEUE_ERROR_CODE_NONE) {
    return refuse_field(w, at, &violation);
  }
  presil_finding finding;
  presil_limits limits = *w->limits;
  limits.parameters = w->device->parameters[engine->kind];
  if (!presil_engine_driver_of(queue)->check(words, &limits, &finding))
    return refuse_finding(w, queue, at, &finding);
  return counters_of_command(w, queue, at, words) &&
         map_entry(w, queue, index, at, presil_engine_get(engine, words, engine->tag));
}

/* A queue that the driver walks needs no hardware. */
static bool queue_of_soc(const presil_device* d, const presil_engine_description* engine,
                         unsigned queue) {
  const bool walked = engine->kind < PRESIL_ENGINE_KINDS && engine->queue_pitch == 0;
  return walked || presil_queue_exists(d, queue);
}

/* The check of an engine from outside must know how it was built. */
static bool parameters_known(const presil_walk* w, const presil_engine_description* engine) {
  presil_device* const d = w->device;
  if (engine->kind < PRESIL_ENGINE_KINDS || d->parameters[engine->kind]) return true;
  const presil_where at = {engine->name, -1, NULL};
  presil_text t = presil_error_begin(d, PRESIL_REFUSED, at, "parameters", -1, -1);
  TEXT(&t, "the parameters of engine ", engine->name,
       " are not known, must be given before a network that uses it is loaded: "
       "presil_device_set_parameters");
  return false;
}

/* The table of streams: known queues, each once, inside the image. */
static bool check_table(presil_walk* w) {
  const presil_loadable* l = w->loadable;
  presil_device* const d = w->device;
  for (uint32_t i = 0; i < l->streams; ++i) {
    const presil_loadable_stream s = presil_loadable_get_stream(l, i);
    const presil_engine_description* engine = presil_engine_of(s.queue);
    const presil_where at = {presil_queue_name(s.queue), -1, NULL};
    if (!engine || !queue_of_soc(d, engine, s.queue)) {
      presil_text t = presil_error_begin(d, PRESIL_REFUSED, at, "queue", s.queue, -1);
      TEXT(&t, "the loadable has a stream for queue ", s.queue, ", which this SoC does not have");
      return false;
    }
    if (!parameters_known(w, engine)) return false;
    if (w->streams[s.queue].commands) {
      presil_text t = presil_error_begin(d, PRESIL_REFUSED, at, "queue", s.queue, -1);
      TEXT(&t, "the loadable has two streams for this queue");
      return false;
    }
    const uint64_t pitch = engine->format()->pitch_bytes;
    if (s.offset % 256 || s.commands == 0 || s.commands > 0xffffff || s.offset > l->image_bytes ||
        s.commands * pitch > l->image_bytes - s.offset) {
      presil_text t = presil_error_begin(d, PRESIL_REFUSED, at, "stream", (int64_t)s.offset,
                                         (int64_t)l->image_bytes);
      TEXT(&t, "its stream of ", s.commands, " commands at ", presil_in_hex(s.offset),
           " does not lie at a multiple of 256 inside the image of ", l->image_bytes, " bytes");
      return false;
    }
    w->streams[s.queue] = s;
  }
  return true;
}

/* What engines ask of the order of their commands. */
static bool check_streams(presil_walk* w) {
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    const presil_engine_driver* driver = presil_engine_driver_of(q);
    if (w->streams[q].commands && driver->check_stream && !driver->check_stream(w, q)) return false;
  }
  return true;
}

/* Signals of each queue: together job_span, and the last command gives the last of them, so that
 * the counter tells when the queue has ended. */
static bool check_signals(presil_walk* w) {
  const int64_t span = w->loadable->job_span;
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (!w->streams[q].commands) continue;
    const presil_engine_description* engine = presil_engine_of(q);
    uint32_t words[PRESIL_MAX_COMMAND_WORDS];
    int64_t sum = 0, add = 0;
    for (uint32_t i = 0; i < w->streams[q].commands; ++i) {
      presil_walk_words(w, q, i, words);
      add = presil_engine_get(engine, words, engine->signal)
                ? presil_engine_get(engine, words, engine->signal_add)
                : 0;
      sum += add;
    }
    const presil_where at = {presil_queue_name(q), (int64_t)w->streams[q].commands - 1, NULL};
    if (sum != span) {
      presil_text t = presil_error_begin(w->device, PRESIL_REFUSED, at, "signal_add", sum, span);
      TEXT(&t, "the signals of this stream add up to ", sum, ", must be job_span, ", span);
      return false;
    }
    if (add == 0) {
      presil_text t =
          presil_error_begin(w->device, PRESIL_REFUSED, at, "signal", 0, PRESIL_QUEUE_COUNTER(q));
      TEXT(&t,
           "the last command of a stream must signal; without it no engine learns that it has "
           "ended");
      return false;
    }
  }
  return true;
}

/* The first wait of a command that counters do not meet: its number in the engine's list, -1 none.
 */
static int unmet(const presil_engine_description* engine, const uint32_t* words,
                 const int64_t* count) {
  for (unsigned i = 0; i < engine->waits; ++i) {
    const int64_t id = presil_engine_get(engine, words, engine->wait[i]);
    if (id != 0 && presil_engine_get(engine, words, engine->value[i]) > count[id]) return (int)i;
  }
  return -1;
}

/* Runs all queues by their waits and signals alone. Counters only rise, so the order in which
 * queues are tried does not matter: either all end, or some never can. */
static bool check_progress(presil_walk* w) {
  int64_t count[256] = {0};
  uint32_t next[PRESIL_QUEUES] = {0};
  uint32_t words[PRESIL_MAX_COMMAND_WORDS];
  for (bool moved = true; moved;) {
    moved = false;
    for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
      const presil_engine_description* engine = presil_engine_of(q);
      for (; next[q] < w->streams[q].commands; ++next[q], moved = true) {
        presil_walk_words(w, q, next[q], words);
        if (unmet(engine, words, count) >= 0) break;
        count[presil_engine_get(engine, words, engine->signal)] +=
            presil_engine_get(engine, words, engine->signal_add);
      }
    }
  }
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (next[q] == w->streams[q].commands) continue;
    const presil_engine_description* engine = presil_engine_of(q);
    presil_walk_words(w, q, next[q], words);
    const int i = unmet(engine, words, count);
    const uint32_t id = (uint32_t)presil_engine_get(engine, words, engine->wait[i]);
    const int64_t value = presil_engine_get(engine, words, engine->value[i]);
    const unsigned signaller = id - 1;
    presil_text t =
        presil_error_begin(w->device, PRESIL_REFUSED, presil_walk_where(w, q, next[q], words),
                           engine->format()->fields[engine->value[i]].name, value, count[id]);
    TEXT(&t, "waits until ");
    counter_name(&t, id);
    TEXT(&t, " is ", value, ", which never happens: it stays at ", count[id]);
    if (signaller < PRESIL_QUEUES && next[signaller] < w->streams[signaller].commands) {
      TEXT(&t, ", because ", presil_queue_name(signaller), " command ", next[signaller],
           " waits too");
    }
    return false;
  }
  return true;
}

/* A counter that no command signals keeps the value of an earlier job. */
static bool check_waited_counters(presil_walk* w) {
  uint32_t words[PRESIL_MAX_COMMAND_WORDS];
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    const presil_engine_description* engine = presil_engine_of(q);
    for (uint32_t i = 0; i < w->streams[q].commands; ++i) {
      presil_walk_words(w, q, i, words);
      for (unsigned k = 0; k < engine->waits; ++k) {
        const int64_t id = presil_engine_get(engine, words, engine->wait[k]);
        if (id == 0 || (id <= PRESIL_QUEUES && w->streams[id - 1].commands)) continue;
        const char* const field = engine->format()->fields[engine->wait[k]].name;
        presil_text t = presil_error_begin(w->device, PRESIL_REFUSED,
                                           presil_walk_where(w, q, i, words), field, id, -1);
        TEXT(&t, field, " is counter ", id, ", which no stream of the loadable signals");
        return false;
      }
    }
  }
  return true;
}

bool presil_streams_check(presil_device* device, const presil_loadable* loadable,
                          const presil_limits* limits) {
  presil_walk w = {device, loadable, limits, {{0, 0, 0}}};
  if (!check_table(&w)) return false;
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    for (uint32_t i = 0; i < w.streams[q].commands; ++i) {
      if (!check_command(&w, q, i)) return false;
    }
  }
  return check_streams(&w) && check_signals(&w) && check_waited_counters(&w) && check_progress(&w);
}
