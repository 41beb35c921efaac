/* Memory that the program and the engines share. */
#include "driver/core/device.h"

#define MOST_ADDRESS (UINT64_C(1) << 40)

presil_status presil_buffer_alloc(presil_device* d, size_t bytes, presil_buffer* buffer) {
  presil_memory memory;
  if (!presil_is_open(d)) return PRESIL_REFUSED;
  if (!buffer) return presil_refuse_argument(d, "buffer", "the buffer to fill in is NULL");
  presil_lock(d);
  const int failed = d->port.alloc(d->port.self, bytes, PRESIL_PAGE_BYTES, &memory);
  if (failed) {
    presil_text t =
        presil_error_begin(d, PRESIL_NO_MEMORY, presil_in_driver(), "buffer", -1, (int64_t)bytes);
    TEXT(&t, "no memory for a buffer of ", bytes, " bytes");
  }
  presil_unlock(d);
  if (failed) return PRESIL_NO_MEMORY;
  buffer->host = memory.host;
  buffer->address = memory.address;
  buffer->bytes = bytes;
  return PRESIL_OK;
}

void presil_buffer_free(presil_device* d, presil_buffer* buffer) {
  if (!presil_is_open(d) || !buffer || !buffer->host) return;
  presil_memory memory = {buffer->host, buffer->address, buffer->bytes};
  presil_lock(d);
  d->port.release(d->port.self, &memory);
  presil_unlock(d);
  buffer->host = NULL;
}

presil_status presil_buffer_import(presil_device* d, void* host, uint64_t address, size_t bytes,
                                   presil_buffer* buffer) {
  if (!presil_is_open(d)) return PRESIL_REFUSED;
  if (!buffer) return presil_refuse_argument(d, "buffer", "the buffer to fill in is NULL");
  const bool fits = address < MOST_ADDRESS && bytes <= MOST_ADDRESS - address;
  if (!host || bytes == 0 || address % PRESIL_PAGE_BYTES || !fits) {
    presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "address",
                                       presil_signed(address), PRESIL_PAGE_BYTES);
    TEXT(&t, "memory of ", bytes, " bytes at ", presil_in_hex(address),
         " cannot be imported: the address must be a multiple of 4096 below 2^40, the CPU's view "
         "not NULL");
    return PRESIL_REFUSED;
  }
  buffer->host = host;
  buffer->address = address;
  buffer->bytes = bytes;
  return PRESIL_OK;
}

static bool inside(presil_device* d, const presil_buffer* buffer, size_t offset, size_t bytes) {
  if (buffer && buffer->host && offset <= buffer->bytes && bytes <= buffer->bytes - offset)
    return true;
  const size_t has = buffer && buffer->host ? buffer->bytes : 0;
  presil_text t = presil_error_begin(d, PRESIL_REFUSED, presil_in_driver(), "bytes",
                                     presil_signed(bytes), presil_signed(has));
  TEXT(&t, bytes, " bytes at offset ", offset, " do not lie inside the buffer, which has ", has);
  return false;
}

presil_status presil_buffer_clean(presil_device* d, const presil_buffer* buffer, size_t offset,
                                  size_t bytes) {
  if (!presil_is_open(d) || !inside(d, buffer, offset, bytes)) return PRESIL_REFUSED;
  presil_lock(d);
  d->port.clean(d->port.self, (const uint8_t*)buffer->host + offset, bytes);
  presil_unlock(d);
  return PRESIL_OK;
}

presil_status presil_buffer_invalidate(presil_device* d, const presil_buffer* buffer, size_t offset,
                                       size_t bytes) {
  if (!presil_is_open(d) || !inside(d, buffer, offset, bytes)) return PRESIL_REFUSED;
  presil_lock(d);
  d->port.invalidate(d->port.self, (const uint8_t*)buffer->host + offset, bytes);
  presil_unlock(d);
  return PRESIL_OK;
}
