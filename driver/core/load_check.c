/* What a loadable must be before its streams are looked at: for this SoC, with inputs and
 * outputs inside their regions and a debug map that points into itself. */
#include <string.h>

#include "driver/core/device.h"
#include "driver/kernels/host/kernels.h"

static presil_status refuse(presil_device* d, const char* field, int64_t got, int64_t expected,
                            const char* a, const char* b, const char* c) {
  presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), field, got, expected);
  TEXT(&t, "the loadable is refused: ", a, b, c);
  return PRESIL_REFUSED;
}

/* Version, configuration, capabilities. */
static presil_status check_soc(presil_device* d, const presil_loadable* l) {
  const presil_capability* c = &d->capability;
  if (l->isa_version != c->isa_version) {
    presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "isa_version",
                                       l->isa_version, c->isa_version);
    TEXT(&t, "the loadable is refused: it has isa_version ", l->isa_version, ", this SoC requires ",
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
    TEXT(&t, "the loadable is refused: job_span is ", l->job_span, ", must be 1..", 1 << 20);
    return PRESIL_REFUSED;
  }
  return PRESIL_OK;
}

uint64_t presil_region_bytes(const presil_loadable* l, uint32_t region) {
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
    const uint64_t bytes = presil_region_bytes(l, r);
    const uint64_t largest = UINT64_C(65535) * PRESIL_PAGE_BYTES; /* region_limit has 16 bits */
    if (bytes > largest) {
      presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "region",
                                         presil_signed(bytes), (int64_t)largest);
      TEXT(&t, "the loadable is refused: region ", r, " has ", bytes, " bytes, must be at most ",
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
  const uint64_t room = presil_region_bytes(l, t.region);
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

/* Images of the DSP, with the functions that reports name. */
static presil_status check_dsp_images(presil_device* d, const presil_loadable* l) {
  for (uint32_t i = 0; i < l->dsp_images; ++i) {
    const presil_loadable_dsp_image image = presil_loadable_get_dsp_image(l, i);
    if (image.offset % 16 == 0 && image.offset <= l->image_bytes &&
        image.bytes <= l->image_bytes - image.offset)
      continue;
    presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "dsp_images",
                                       presil_signed(image.offset), (int64_t)l->image_bytes);
    TEXT(&t, "the loadable is refused: DSP image ", i, " of ", image.bytes, " bytes at ",
         presil_in_hex(image.offset), " does not lie at a multiple of 16 inside its image of ",
         l->image_bytes, " bytes");
    return PRESIL_REFUSED;
  }
  return PRESIL_OK;
}

presil_status presil_load_check(presil_device* d, const presil_loadable* l, presil_network* n,
                                presil_limits* limits) {
  presil_status status = check_soc(d, l);
  if (status == PRESIL_OK && l->image_bytes == 0)
    status = refuse(d, "image", 0, 1, "its image is empty", "", "");
  if (status == PRESIL_OK) status = check_regions(d, l, limits);
  if (status == PRESIL_OK) status = check_edges(d, l, n);
  if (status == PRESIL_OK) status = check_map(d, l);
  if (status == PRESIL_OK) status = check_dsp_images(d, l);
  return status;
}
