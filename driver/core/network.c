/* Loading a network: guards first, then memory, then copies. */
#include <string.h>

#include "driver/core/device.h"
#include "driver/kernels/kernels.h"

size_t presil_network_bytes(void) {
  return sizeof(presil_network);
}

static presil_status refuse(presil_device* d, const char* field, int64_t got, int64_t wanted,
                            const char* a, const char* b, const char* c) {
  presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), field, got, wanted);
  TEXT(&t, "the loadable is refused: ", a, b, c);
  return PRESIL_REFUSED;
}

/* Version, configuration, capabilities. */
static presil_status check_soc(presil_device* d, const presil_loadable* l) {
  const presil_capability* c = &d->capability;
  if (l->isa_version != c->isa_version) {
    presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "isa_version",
                                       l->isa_version, c->isa_version);
    TEXT(&t, "the loadable is refused: it has isa_version ", l->isa_version, ", this SoC wants ",
         c->isa_version, "; compile the network again");
    return PRESIL_REFUSED;
  }
  if (d->stamp[0] && strcmp(d->stamp, l->soc_sha256) != 0) {
    presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "soc_sha256", -1, -1);
    TEXT(&t, "the loadable is refused: it was compiled for another SoC, '", l->soc_name,
         "' with configuration ", l->soc_sha256, "; this SoC is ");
    TEXT(&t, d->stamp, "; compile the network again for this SoC");
    return PRESIL_REFUSED;
  }
  if (l->sram_bytes > c->sram_bytes) {
    presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "sram_bytes",
                                       l->sram_bytes, c->sram_bytes);
    TEXT(&t, "the loadable is refused: it uses ", l->sram_bytes, " bytes of SRAM, this SoC has ",
         c->sram_bytes);
    return PRESIL_REFUSED;
  }
  if (l->counters > c->counters) {
    presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "counters",
                                       l->counters, c->counters);
    TEXT(&t, "the loadable is refused: it uses ", l->counters, " counters, this SoC has ",
         c->counters);
    return PRESIL_REFUSED;
  }
  if (l->job_span < 1 || l->job_span > 1u << 20) {
    presil_text t =
        presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "job_span", l->job_span, 1 << 20);
    TEXT(&t, "the loadable is refused: job_span is ", l->job_span, ", wants 1..", 1 << 20);
    return PRESIL_REFUSED;
  }
  return PRESIL_OK;
}

static presil_status check_image(presil_device* d, const presil_loadable* l) {
  char digits[PRESIL_SHA256_DIGITS + 1];
  if (l->image_bytes == 0) return refuse(d, "image", 0, 1, "its image is empty", "", "");
  presil_sha256(l->image, l->image_bytes, digits);
  if (strcmp(digits, l->image_sha256) == 0) return PRESIL_OK;
  presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "image_sha256", -1, -1);
  TEXT(&t, "the loadable is refused: it is damaged; SHA-256 of its image is ", digits,
       ", the file says ", l->image_sha256, "; compile the network again or copy the file again");
  return PRESIL_REFUSED;
}

static uint64_t region_bytes(const presil_loadable* l, uint32_t region) {
  switch (region) {
    case PRESIL_REGION_CONSTANTS:
      return l->image_bytes;
    case PRESIL_REGION_INPUTS:
      return l->input_bytes;
    case PRESIL_REGION_OUTPUTS:
      return l->output_bytes;
    case PRESIL_REGION_SCRATCH:
      return l->scratch_bytes;
    default:
      return 0;
  }
}

static presil_status check_regions(presil_device* d, const presil_loadable* l,
                                   presil_limits* limits) {
  for (uint32_t r = 0; r < PRESIL_REGIONS; ++r) {
    const uint64_t bytes = region_bytes(l, r);
    const uint64_t largest = UINT64_C(65535) * PRESIL_PAGE_BYTES; /* region_limit has 16 bits */
    if (bytes > largest) {
      presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "region",
                                         presil_signed(bytes), (int64_t)largest);
      TEXT(&t, "the loadable is refused: region ", r, " has ", bytes, " bytes, wants at most ",
           largest);
      return PRESIL_REFUSED;
    }
    limits->region_pages[r] = (uint32_t)((bytes + PRESIL_PAGE_BYTES - 1) / PRESIL_PAGE_BYTES);
  }
  return PRESIL_OK;
}

/* An input or output: dense NHWC, in a region that a job owns. */
static presil_status check_edge(presil_device* d, const presil_loadable* l, int32_t index,
                                const char* what, presil_edge* edge) {
  static const char* const dtypes[] = {"int8",  "uint8",   "int16", "int32",
                                       "int64", "float32", "bool"};
  if (index < 0 || (uint32_t)index >= l->tensors)
    return refuse(d, what, index, l->tensors, "an ", what, " names no tensor");
  const presil_loadable_tensor t = presil_loadable_get_tensor(l, (uint32_t)index);
  const uint32_t size = presil_dtype_bytes(t.dtype);
  if (size == 0)
    return refuse(d, what, t.dtype, PRESIL_BOOL, what, " has an unknown type: ", t.name);
  if (t.rank > 8) return refuse(d, what, t.rank, 8, what, " has more than 8 axes: ", t.name);
  uint64_t bytes = size;
  for (uint32_t i = 0; i < t.rank; ++i) {
    if (t.shape[i] < 1 || t.shape[i] > 1 << 28 || bytes > UINT64_C(1) << 32) {
      return refuse(d, what, t.shape[i], 1, what, " has an impossible shape: ", t.name);
    }
    bytes *= (uint64_t)t.shape[i];
  }
  if (bytes != t.bytes)
    return refuse(d, what, presil_signed(t.bytes), presil_signed(bytes), what,
                  " has another size than its shape: ", t.name);
  const uint64_t room = region_bytes(l, t.region);
  if (!t.in_region || !t.nhwc || t.region == PRESIL_REGION_CONSTANTS || t.offset % size != 0 ||
      t.offset > room || bytes > room - t.offset) {
    return refuse(d, what, presil_signed(t.offset), (int64_t)room, what,
                  " does not lie as NHWC inside its region: ", t.name);
  }
  memset(edge, 0, sizeof *edge);
  edge->info.name = t.name; /* the caller's bytes; copied to the map later */
  edge->info.dtype = dtypes[t.dtype];
  edge->info.rank = t.rank;
  memcpy(edge->info.shape, t.shape, sizeof edge->info.shape);
  edge->info.bytes = (size_t)bytes;
  edge->info.scale = t.scale;
  edge->info.zero_point = t.zero_point;
  edge->region = t.region;
  edge->offset = t.offset;
  return PRESIL_OK;
}

static presil_status check_edges(presil_device* d, const presil_loadable* l, presil_network* n) {
  if (l->inputs > PRESIL_MAX_EDGES)
    return refuse(d, "inputs", l->inputs, PRESIL_MAX_EDGES, "it has more than 16 inputs", "", "");
  if (l->outputs > PRESIL_MAX_EDGES)
    return refuse(d, "outputs", l->outputs, PRESIL_MAX_EDGES, "it has more than 16 outputs", "",
                  "");
  n->inputs = l->inputs;
  n->outputs = l->outputs;
  for (uint32_t i = 0; i < l->inputs; ++i) {
    const presil_status s =
        check_edge(d, l, presil_loadable_get_input(l, i), "input", &n->input[i]);
    if (s != PRESIL_OK) return s;
  }
  for (uint32_t i = 0; i < l->outputs; ++i) {
    const presil_status s =
        check_edge(d, l, presil_loadable_get_output(l, i), "output", &n->output[i]);
    if (s != PRESIL_OK) return s;
  }
  return PRESIL_OK;
}

/* The map must not point outside itself, nor a kept tensor to a command that does not exist. */
static presil_status check_map(presil_device* d, const presil_loadable* l) {
  for (uint32_t i = 0; i < l->commands; ++i) {
    const int32_t layer = presil_loadable_get_command(l, i).layer;
    if (layer < -1 || layer >= (int64_t)l->layers) {
      presil_text t =
          presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "layer", layer, l->layers);
      TEXT(&t, "the loadable is refused: entry ", i, " of its debug map names layer ", layer,
           " of ", l->layers);
      return PRESIL_REFUSED;
    }
  }
  return PRESIL_OK;
}

static bool allocate(presil_device* d, uint64_t bytes, presil_memory* memory) {
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

static void release(presil_network* n) {
  presil_device* d = n->device;
  for (unsigned r = 0; r < PRESIL_REGIONS; ++r) {
    if (n->regions[r].bytes) d->port.release(d->port.self, &n->regions[r]);
    n->regions[r].bytes = 0;
  }
  if (n->map.bytes) d->port.release(d->port.self, &n->map);
  n->map.bytes = 0;
}

static size_t name_bytes(const presil_loadable* l, const presil_network* n) {
  size_t bytes = 0;
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

/* Copies what errors need of the loadable: layer of each tag, names. */
static void fill_map(presil_network* n, const presil_loadable* l) {
  int32_t* layer_of_tag = n->map.host;
  uint32_t* layer_name = (uint32_t*)(layer_of_tag + l->commands);
  char* const names = (char*)(layer_name + l->layers);
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
  n->names = names;
}

static presil_status place(presil_device* d, const presil_loadable* l, presil_network* n) {
  const size_t map = (l->commands + (size_t)l->layers) * sizeof(uint32_t) + name_bytes(l, n) + 1;
  bool ok = allocate(d, map, &n->map);
  for (uint32_t r = 0; r < PRESIL_REGIONS; ++r)
    ok = ok && allocate(d, region_bytes(l, r), &n->regions[r]);
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
  memcpy(n->regions[PRESIL_REGION_CONSTANTS].host, l->image, l->image_bytes);
  for (unsigned r = 0; r < PRESIL_REGIONS; ++r) {
    if (n->regions[r].bytes) d->port.clean(d->port.self, n->regions[r].host, n->regions[r].bytes);
  }
  return PRESIL_OK;
}

presil_status presil_network_load(presil_device* d, const void* bytes, size_t size, void* storage,
                                  size_t storage_bytes, presil_network** network) {
  presil_loadable l;
  presil_status status;
  *network = NULL;
  presil_error_clear(d);
  if (!storage || storage_bytes < sizeof(presil_network) || (uintptr_t)storage % 16 != 0) {
    presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "storage",
                                       (int64_t)storage_bytes, (int64_t)sizeof(presil_network));
    TEXT(&t, "storage for a network has ", storage_bytes, " bytes, wants ", sizeof(presil_network),
         ", aligned to 16");
    return PRESIL_REFUSED;
  }
  if (!bytes) return refuse(d, "loadable", -1, -1, "there are no bytes", "", "");
  const char* const wrong = presil_loadable_read(bytes, size, &l);
  if (wrong) return refuse(d, "loadable", (int64_t)size, -1, wrong, "", "");
  presil_network* n = storage;
  memset(n, 0, sizeof *n);
  n->device = d;
  n->job_span = l.job_span;
  n->counters = l.counters;
  presil_limits limits = {d->capability.sram_bytes,
                          d->capability.dla_acc_depth,
                          d->capability.dla_macs_k,
                          d->capability.dla_macs_c,
                          l.counters,
                          {0},
                          l.image,
                          l.image_bytes};
  if ((status = check_soc(d, &l)) != PRESIL_OK || (status = check_image(d, &l)) != PRESIL_OK ||
      (status = check_regions(d, &l, &limits)) != PRESIL_OK ||
      (status = check_edges(d, &l, n)) != PRESIL_OK || (status = check_map(d, &l)) != PRESIL_OK) {
    return status;
  }
  if (!presil_streams_check(d, &l, &limits)) return PRESIL_REFUSED;

  status = place(d, &l, n);
  if (status == PRESIL_OK) *network = n;
  return status;
}

void presil_network_unload(presil_network* n) {
  if (!n) return;
  if (n->device->running == n) presil_recover(n);
  if (n->device->counters_of == n) n->device->counters_of = NULL;
  release(n);
}

uint32_t presil_network_inputs(const presil_network* n) {
  return n->inputs;
}
uint32_t presil_network_outputs(const presil_network* n) {
  return n->outputs;
}

static presil_status edge_info(const presil_network* n, const presil_edge* edges, uint32_t count,
                               uint32_t index, const char* what, presil_tensor_info* info) {
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
  return edge_info(n, n->input, n->inputs, index, "input", info);
}

presil_status presil_network_output_info(const presil_network* n, uint32_t index,
                                         presil_tensor_info* info) {
  return edge_info(n, n->output, n->outputs, index, "output", info);
}

static uint8_t* edge_data(const presil_network* n, const presil_edge* edge) {
  return (uint8_t*)n->regions[edge->region].host + edge->offset;
}

void* presil_network_input(presil_network* n, uint32_t index) {
  return index < n->inputs ? edge_data(n, &n->input[index]) : NULL;
}

const void* presil_network_output(const presil_network* n, uint32_t index) {
  return index < n->outputs ? edge_data(n, &n->output[index]) : NULL;
}

uint64_t presil_network_region_address(const presil_network* n, uint32_t region) {
  return region < PRESIL_REGIONS && n->regions[region].bytes ? n->regions[region].address : 0;
}

const uint32_t* presil_network_command(const presil_network* n, unsigned queue, uint32_t index) {
  const uint64_t at =
      n->streams[queue].offset + (uint64_t)index * presil_engine_of(queue)->format()->pitch_bytes;
  return (const uint32_t*)((const uint8_t*)n->regions[PRESIL_REGION_CONSTANTS].host + at);
}

const char* presil_network_layer(const presil_network* n, unsigned queue, uint32_t index) {
  if (!presil_engine_of(queue) || index >= n->streams[queue].commands) return NULL;
  const presil_engine* engine = presil_engine_of(queue);
  const int64_t tag =
      presil_engine_get(engine, presil_network_command(n, queue, index), engine->tag);
  const int32_t layer = n->layer_of_tag[tag]; /* checked at load */
  return layer < 0 ? NULL : n->names + n->layer_name[layer];
}
