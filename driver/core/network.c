/* Loading a network: guards first, then memory, then copies; and what a program asks of it. */
#include <string.h>

#include "driver/core/device.h"

size_t presil_network_bytes(void) {
  return sizeof(presil_network);
}

bool presil_network_allocate(presil_device* d, uint64_t bytes, presil_memory* memory) {
  if (bytes == 0) return true;
  const uint64_t pages = (bytes + PRESIL_PAGE_BYTES - 1) / PRESIL_PAGE_BYTES * PRESIL_PAGE_BYTES;
  if (d->port.alloc(d->port.self, (size_t)pages, PRESIL_PAGE_BYTES, memory) == 0) {
    memory->bytes = (size_t)pages;
    memset(memory->host, 0, memory->bytes);
    return true;
  }
  memset(memory, 0, sizeof *memory);
  return false;
}

/* Memory of further jobs in flight, beyond `sets`. */
static void release_sets(presil_network* n, unsigned sets) {
  presil_device* d = n->device;
  for (unsigned set = sets; set < PRESIL_MOST_SETS; ++set) {
    for (unsigned r = 0; r < PRESIL_REGIONS; ++r) {
      presil_memory* memory = &n->more[set - 1][r];
      if (memory->bytes) d->port.release(d->port.self, memory);
      memory->bytes = 0;
    }
  }
}

static void release(presil_network* n) {
  presil_device* d = n->device;
  if (n->same && n->same != n) { /* the others keep it */
    n->same->same_before = n->same_before;
    n->same_before->same = n->same;
    n->regions[PRESIL_REGION_CONSTANTS].bytes = 0;
  }
  for (unsigned r = 0; r < PRESIL_REGIONS; ++r) {
    if (n->regions[r].bytes) d->port.release(d->port.self, &n->regions[r]);
    n->regions[r].bytes = 0;
  }
  release_sets(n, 1);
  presil_segments_release(n);
  if (n->map.bytes) d->port.release(d->port.self, &n->map);
  n->map.bytes = 0;
}

/* Calls read_limits of the engines whose queues the loadable names. */
static void read_limits(presil_device* d, const presil_loadable* l, presil_limits* limits) {
  for (uint32_t i = 0; i < l->streams; ++i) {
    const unsigned queue = presil_loadable_get_stream(l, i).queue;
    if (!presil_queue_exists(d, queue)) continue;
    const presil_engine_driver* driver = presil_engine_driver_of(queue);
    if (driver->read_limits) driver->read_limits(d, limits);
  }
}

static presil_status prepare_queues(presil_device* d, const presil_loadable* l) {
  presil_status status = PRESIL_OK;
  for (uint32_t i = 0; i < l->streams && status == PRESIL_OK; ++i) {
    const unsigned queue = presil_loadable_get_stream(l, i).queue;
    if (presil_queue_exists(d, queue)) status = presil_queue_prepare(d, queue);
  }
  return status;
}

/* What reports of the DSP need: names of tensors, functions of its images. */
static uint32_t symbols_of(const presil_loadable* l) {
  uint32_t symbols = 0;
  for (uint32_t i = 0; i < l->dsp_images; ++i)
    symbols += presil_loadable_get_dsp_image(l, i).symbols;
  return symbols;
}

static size_t dsp_name_bytes(const presil_loadable* l) {
  size_t bytes = 0;
  for (uint32_t i = 0; i < l->tensors; ++i)
    bytes += strlen(presil_loadable_get_tensor(l, i).name) + 1;
  for (uint32_t i = 0; i < l->dsp_images; ++i) {
    const uint32_t symbols = presil_loadable_get_dsp_image(l, i).symbols;
    for (uint32_t k = 0; k < symbols; ++k)
      bytes += strlen(presil_loadable_get_symbol(l, i, k).name) + 1;
  }
  return bytes;
}

static size_t name_bytes(const presil_loadable* l, const presil_network* n) {
  size_t bytes = n->tensors ? dsp_name_bytes(l) : 0;
  for (uint32_t i = 0; i < l->layers; ++i) bytes += strlen(presil_loadable_get_layer(l, i)) + 1;
  for (uint32_t i = 0; i < n->inputs; ++i) bytes += strlen(n->input[i].info.name) + 1;
  for (uint32_t i = 0; i < n->outputs; ++i) bytes += strlen(n->output[i].info.name) + 1;
  return bytes;
}

static const char* append(char** at, const char* name) {
  char* const begin = *at;
  const size_t bytes = strlen(name) + 1;
  memcpy(begin, name, bytes);
  *at += bytes;
  return begin;
}

static void fill_dsp(presil_network* n, const presil_loadable* l, presil_symbol* symbol,
                     uint32_t* tensor_name, char* names, char** at) {
  for (uint32_t i = 0; i < n->tensors; ++i)
    tensor_name[i] = (uint32_t)(append(at, presil_loadable_get_tensor(l, i).name) - names);
  if (n->tensors == 0) return;
  for (uint32_t i = 0; i < l->dsp_images; ++i) {
    const presil_loadable_dsp_image image = presil_loadable_get_dsp_image(l, i);
    for (uint32_t k = 0; k < image.symbols; ++k, ++symbol) {
      const presil_loadable_symbol s = presil_loadable_get_symbol(l, i, k);
      symbol->image_crc = image.crc;
      symbol->address = s.address;
      symbol->bytes = s.bytes;
      symbol->name = (uint32_t)(append(at, s.name) - names);
    }
  }
}

/* Copies what errors need of the loadable: layer of each tag, names. */
static void fill_map(presil_network* n, const presil_loadable* l) {
  int32_t* layer_of_tag = n->map.host;
  uint32_t* layer_name = (uint32_t*)(layer_of_tag + l->commands);
  uint32_t* tensor_name = layer_name + l->layers;
  presil_symbol* symbol = (presil_symbol*)(tensor_name + n->tensors);
  char* const names = (char*)(symbol + n->symbols);
  char* at = names;
  for (uint32_t i = 0; i < l->commands; ++i)
    layer_of_tag[i] = presil_loadable_get_command(l, i).layer;
  for (uint32_t i = 0; i < l->layers; ++i)
    layer_name[i] = (uint32_t)(append(&at, presil_loadable_get_layer(l, i)) - names);
  for (uint32_t i = 0; i < n->inputs; ++i)
    n->input[i].info.name = append(&at, n->input[i].info.name);
  for (uint32_t i = 0; i < n->outputs; ++i)
    n->output[i].info.name = append(&at, n->output[i].info.name);
  n->commands = l->commands;
  n->layers = l->layers;
  n->layer_of_tag = layer_of_tag;
  n->layer_name = layer_name;
  n->tensor_name = tensor_name;
  n->symbol = symbol;
  fill_dsp(n, l, symbol, tensor_name, names, &at);
  n->names = names;
}

/* From here on a command that is not what has been checked is found when it is fetched. */
static void write_crcs(presil_network* n) {
  uint8_t* const image = n->regions[PRESIL_REGION_CONSTANTS].host;
  for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
    if (n->streams[q].commands == 0) continue;
    const struct presil_command_format* format = presil_engine_of(q)->format();
    uint8_t* at = image + n->streams[q].offset;
    for (uint32_t i = 0; i < n->streams[q].commands; ++i, at += format->pitch_bytes)
      presil_crc_write(format, (uint32_t*)at);
  }
}

static void share(presil_network* n, presil_network* other) {
  n->regions[PRESIL_REGION_CONSTANTS] = other->regions[PRESIL_REGION_CONSTANTS];
  n->same = other->same;
  n->same_before = other;
  n->same->same_before = n;
  other->same = n;
}

/* @param other  whose image it uses; NULL: it has its own */
static presil_status place(presil_device* d, const presil_loadable* l, presil_network* n,
                           presil_network* other) {
  const bool dsp = l->dsp_images != 0; /* its reports name tensors and functions */
  n->tensors = dsp ? l->tensors : 0;
  n->symbols = dsp ? symbols_of(l) : 0;
  const size_t map = (l->commands + (size_t)l->layers + n->tensors) * sizeof(uint32_t) +
                     n->symbols * sizeof(presil_symbol) + name_bytes(l, n) + 1;
  bool ok = presil_network_allocate(d, map, &n->map);
  if (other) share(n, other);
  for (uint32_t r = other ? PRESIL_REGION_INPUTS : 0; r < PRESIL_REGIONS; ++r)
    ok = ok && presil_network_allocate(d, presil_region_bytes(l, r), &n->regions[r]);
  if (!ok) {
    release(n);
    presil_text t = presil_error_begin(d, PRESIL_NO_MEMORY, presil_in_driver(), "memory", -1, -1);
    TEXT(&t, "no memory for the network: image ", l->image_bytes, ", inputs ", l->input_bytes,
         ", outputs ", l->output_bytes, ", scratch ", l->scratch_bytes);
    TEXT(&t, " bytes");
    return PRESIL_NO_MEMORY;
  }
  fill_map(n, l);
  for (uint32_t i = 0; i < l->streams; ++i) {
    const presil_loadable_stream s = presil_loadable_get_stream(l, i);
    n->streams[s.queue].commands = s.commands;
    n->streams[s.queue].offset = s.offset;
  }
  if (!other) {
    memcpy(n->regions[PRESIL_REGION_CONSTANTS].host, l->image, l->image_bytes);
    write_crcs(n);
  }
  for (unsigned r = 0; r < PRESIL_REGIONS; ++r) {
    if (n->regions[r].bytes) d->port.clean(d->port.self, n->regions[r].host, n->regions[r].bytes);
  }
  return PRESIL_OK;
}

/* Of the loadable that `other` was loaded from? */
static bool is_same(const presil_network* other, uint32_t checksum) {
  return other->device && other->checksum == checksum;
}

static presil_status load(presil_device* d, presil_network* other, const void* bytes, size_t size,
                          void* storage, size_t storage_bytes, presil_network** network) {
  presil_loadable l;
  *network = NULL;
  presil_error_clear(d);
  if (!storage || storage_bytes < sizeof(presil_network) || (uintptr_t)storage % 16 != 0) {
    presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "storage",
                                       (int64_t)storage_bytes, (int64_t)sizeof(presil_network));
    TEXT(&t, "storage for a network has ", storage_bytes, " bytes, requires ",
         sizeof(presil_network), ", aligned to 16");
    return PRESIL_REFUSED;
  }
  const char* wrong = presil_checksum_check(bytes, size);
  if (!wrong) wrong = presil_loadable_read(bytes, size - PRESIL_CHECKSUM_BYTES, &l);
  if (wrong) {
    presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "loadable",
                                       presil_signed(size), -1);
    TEXT(&t, "the loadable is refused: ", wrong);
    return PRESIL_REFUSED;
  }
  uint32_t checksum = 0;
  memcpy(&checksum, (const uint8_t*)bytes + size - PRESIL_CHECKSUM_BYTES, sizeof checksum);
  if (other && !is_same(other, checksum))
    return presil_refuse_argument(
        d, "other", "the network whose image is to be used is not loaded, or is of other bytes");
  presil_network* n = storage;
  memset(n, 0, sizeof *n);
  n->device = d;
  n->same = n->same_before = n;
  n->checksum = checksum;
  n->sets = 1;
  n->overlaps = l.overlaps;
  n->job_span = l.job_span;
  n->counters = l.counters;
  n->sram_bytes = l.sram_bytes;
  presil_limits limits = {l.sram_bytes,  0, 0, 0,   l.counters, {0}, l.image,
                          l.image_bytes, 0, 0, NULL};
  presil_status status = presil_load_check(d, &l, n, &limits);
  if (status != PRESIL_OK) return status;
  read_limits(d, &l, &limits);
  if (!presil_streams_check(d, &l, &limits)) return PRESIL_REFUSED;

  status = place(d, &l, n, other);
  if (status == PRESIL_OK) {
    status = prepare_queues(d, &l);
    if (status != PRESIL_OK) release(n);
  }
  if (status == PRESIL_OK) *network = n;
  return status;
}

static presil_status load_locked(presil_device* d, presil_network* other, const void* bytes,
                                 size_t size, void* memory, size_t memory_bytes,
                                 presil_network** network) {
  if (network) *network = NULL;
  if (!presil_is_open(d)) return PRESIL_REFUSED;
  if (!network) return presil_refuse_argument(d, "network", "the pointer for the network is NULL");
  if (!bytes && size) return presil_refuse_argument(d, "loadable", "the loadable is NULL");
  presil_lock(d);
  const presil_status status = load(d, other, bytes, size, memory, memory_bytes, network);
  presil_unlock(d);
  return status;
}

presil_status presil_network_load(presil_device* d, const void* bytes, size_t size, void* memory,
                                  size_t memory_bytes, presil_network** network) {
  return load_locked(d, NULL, bytes, size, memory, memory_bytes, network);
}

presil_status presil_network_load_shared(presil_device* d, presil_network* other, const void* bytes,
                                         size_t size, void* memory, size_t memory_bytes,
                                         presil_network** network) {
  if (other) return load_locked(d, other, bytes, size, memory, memory_bytes, network);
  if (network) *network = NULL;
  if (!presil_is_open(d)) return PRESIL_REFUSED;
  return presil_refuse_argument(d, "other", "the network whose image is to be used is NULL");
}

void presil_network_unload(presil_network* n) {
  if (!n) return;
  presil_device* d = n->device;
  if (!d) return;
  presil_lock(d);
  presil_forget_jobs(d, n);
  if (n->on_hold) --d->holds;
  if (d->counters_of == n) d->counters_of = NULL;
  release(n);
  n->device = NULL;
  presil_unlock(d);
}

uint32_t presil_network_inputs(const presil_network* n) {
  return n && n->device ? n->inputs : 0;
}
uint32_t presil_network_outputs(const presil_network* n) {
  return n && n->device ? n->outputs : 0;
}

static presil_status edge_info(const presil_network* n, const presil_edge* edges, uint32_t count,
                               uint32_t index, const char* what, presil_tensor_info* info) {
  if (!info) return presil_refuse_argument(n->device, what, "the pointer for the tensor is NULL");
  if (index >= count) {
    presil_text t =
        presil_error_begin(n->device, PRESIL_REFUSED, presil_in_driver(), what, index, count);
    TEXT(&t, what, " ", index, " does not exist, the network has ", count);
    return PRESIL_REFUSED;
  }
  *info = edges[index].info;
  return PRESIL_OK;
}

presil_status presil_network_input_info(const presil_network* n, uint32_t index,
                                        presil_tensor_info* info) {
  if (!n || !n->device) return PRESIL_REFUSED;
  return edge_info(n, n->input, n->inputs, index, "input", info);
}

presil_status presil_network_output_info(const presil_network* n, uint32_t index,
                                         presil_tensor_info* info) {
  if (!n || !n->device) return PRESIL_REFUSED;
  return edge_info(n, n->output, n->outputs, index, "output", info);
}

static uint8_t* edge_data(const presil_network* n, const presil_edge* edge, unsigned set) {
  const bool further = set > 0 && edge->region != PRESIL_REGION_CONSTANTS;
  const presil_memory* memory =
      further ? &n->more[set - 1][edge->region] : &n->regions[edge->region];
  return (uint8_t*)memory->host + edge->offset;
}

void* presil_network_input(presil_network* n, uint32_t index) {
  return n && n->device && index < n->inputs ? edge_data(n, &n->input[index], n->next_set) : NULL;
}

const void* presil_network_output(const presil_network* n, uint32_t index) {
  return n && n->device && index < n->outputs ? edge_data(n, &n->output[index], n->last_set) : NULL;
}

const void* presil_job_output(const presil_network* n, uint32_t job, uint32_t index) {
  if (!n || !n->device || index >= n->outputs) return NULL;
  for (unsigned set = 0; set < n->sets; ++set) {
    if (n->set_used[set] && n->set_job[set] == job) return edge_data(n, &n->output[index], set);
  }
  return NULL;
}

presil_status presil_network_set_in_flight(presil_network* n, uint32_t jobs) {
  presil_device* d = presil_device_of(n);
  if (!d) return PRESIL_REFUSED;
  presil_status status = PRESIL_OK;
  presil_lock(d);
  if (jobs < 1 || jobs > PRESIL_MOST_SETS || presil_in_flight(d, n)) {
    status = PRESIL_REFUSED;
    presil_text t =
        presil_error_begin(d, status, presil_in_driver(), "jobs", jobs, PRESIL_MOST_SETS);
    if (jobs < 1 || jobs > PRESIL_MOST_SETS) {
      TEXT(&t, "jobs in flight is ", jobs, ", must be 1..", PRESIL_MOST_SETS);
    } else {
      TEXT(&t, "a job of this network is in flight; wait for it or cancel it first");
    }
  }
  for (unsigned set = n->sets; status == PRESIL_OK && set < jobs; ++set) {
    for (unsigned r = PRESIL_REGION_INPUTS; r < PRESIL_REGIONS && status == PRESIL_OK; ++r) {
      presil_memory* memory = &n->more[set - 1][r];
      if (!presil_network_allocate(d, n->regions[r].bytes, memory)) {
        status = PRESIL_NO_MEMORY;
        presil_text t = presil_error_begin(d, status, presil_in_driver(), "memory", jobs, n->sets);
        TEXT(&t, "no memory for ", jobs, " jobs in flight, requires ", n->regions[r].bytes,
             " bytes for region ", r, " of each");
      } else if (memory->bytes) {
        d->port.clean(d->port.self, memory->host, memory->bytes);
      }
    }
  }
  if (status == PRESIL_OK) {
    n->sets = (uint8_t)jobs;
    n->next_set = n->last_set = 0;
    memset(n->set_used, 0, sizeof n->set_used);
  } else {
    n->error = d->error;
  }
  release_sets(n, n->sets);
  presil_unlock(d);
  return status;
}

uint32_t presil_network_sram_bytes(const presil_network* n) {
  return n && n->device ? n->sram_bytes : 0;
}

presil_status presil_network_set_sram(presil_network* n, uint32_t address) {
  presil_device* d = presil_device_of(n);
  if (!d) return PRESIL_REFUSED;
  const uint32_t most = d->capability.sram_bytes - n->sram_bytes; /* it has been loaded: >= 0 */
  presil_status status = PRESIL_REFUSED;
  presil_lock(d);
  if (presil_in_flight(d, n)) {
    presil_text t = presil_error_begin(d, status, presil_in_driver(), "job", -1, -1);
    TEXT(&t, "a job of this network is in flight; wait for it or cancel it first");
  } else if (address > most || address % 16 != 0) {
    presil_text t = presil_error_begin(d, status, presil_in_driver(), "sram", address, most);
    TEXT(&t, "the network's SRAM begins at ", address, ", must be a multiple of 16 up to ", most,
         ": it has ", n->sram_bytes);
    TEXT(&t, " bytes of ", d->capability.sram_bytes);
  } else {
    n->sram_base = address;
    status = PRESIL_OK;
  }
  if (status != PRESIL_OK) n->error = d->error;
  presil_unlock(d);
  return status;
}

static void hold(presil_network* n, bool on) {
  presil_device* d = n->device;
  if (n->on_hold == on) return;
  n->on_hold = on;
  d->holds = on ? d->holds + 1 : d->holds - 1;
  presil_dispatch(d);
}

void presil_network_hold(presil_network* n, bool on) {
  presil_device* d = presil_device_of(n);
  if (!d) return;
  presil_lock(d);
  hold(n, on);
  presil_unlock(d);
}

bool presil_network_overlaps(const presil_network* n) {
  return n && n->device && n->overlaps;
}

size_t presil_network_region_bytes(const presil_network* n, uint32_t region) {
  return n && n->device && region < PRESIL_REGIONS ? n->regions[region].bytes : 0;
}

const presil_error_info* presil_network_error(const presil_network* n) {
  static const presil_error_info none = {
      PRESIL_REFUSED, "driver", -1, "",
      "network",      -1,       -1, "driver: there is no network, or it has been unloaded"};
  return n && n->device ? &n->error : &none;
}

uint64_t presil_network_region_address(const presil_network* n, uint32_t region) {
  if (!n || !n->device) return 0;
  return region < PRESIL_REGIONS && n->regions[region].bytes ? n->regions[region].address : 0;
}

const uint32_t* presil_network_command(const presil_network* n, unsigned queue, uint32_t index) {
  const uint64_t at =
      n->streams[queue].offset + (uint64_t)index * presil_engine_of(queue)->format()->pitch_bytes;
  return (const uint32_t*)((const uint8_t*)n->regions[PRESIL_REGION_CONSTANTS].host + at);
}

const char* presil_network_layer(const presil_network* n, unsigned queue, uint32_t index) {
  if (!presil_engine_of(queue) || index >= n->streams[queue].commands) return NULL;
  const presil_engine_description* engine = presil_engine_of(queue);
  const int64_t tag =
      presil_engine_get(engine, presil_network_command(n, queue, index), engine->tag);
  if (tag >= n->commands) return NULL; /* was checked at load: memory has changed */
  const int32_t layer = n->layer_of_tag[tag];
  return layer < 0 ? NULL : n->names + n->layer_name[layer];
}
