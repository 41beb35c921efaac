// The driver's port into a simulation: register accesses through the simulated host's bus, buffers
// in the simulated DRAM (the driver sees its bytes in place), time through models/host.
#pragma once

#include <presil/port.h>

#include <mutex>

#include "models/common/ports.h"
#include "models/host/host.h"
#include "sim/bridge/buffer_heap.h"
#include "sim/bridge/host_recorder.h"

namespace presil::bridge {

class ModelPort {
 public:
  /// @param memory the system address space as the host's tile sees it
  /// @param heap of it, what is given out as buffers; the ports of all tiles share it
  ModelPort(host::Host& host, BytePort& memory, BufferHeap& heap);
  ModelPort(const ModelPort&) = delete;
  ModelPort& operator=(const ModelPort&) = delete;

  const presil_port* port() const { return &m_port; }
  HostRecorder& recorder() { return m_recorder; }

  // ---- an inference by the native driver: what the SoC's files say that its code and its
  // program's copies take, at times when nothing else happens, is added and not simulated
  void begin_inference(uint64_t input_bytes);
  void end_inference(uint64_t output_bytes);

 private:
  int alloc(size_t bytes, size_t align, presil_memory* memory);
  uint32_t read32(uint64_t address);
  void write32(uint64_t address, uint32_t value);
  void cache(bool clean, size_t bytes);
  presil_wait_result wait(uint64_t timeout_ns);
  void spend(const presil_task& task);

  host::Host& m_host;
  BytePort& m_memory;
  BufferHeap& m_heap;
  HostRecorder m_recorder;
  presil_port m_port{};
  std::mutex m_mutex;  ///< the driver on a tile is one thread at a time
};

}  // namespace presil::bridge
