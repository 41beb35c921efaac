#include "sim/bridge/model_port.h"

#include <cstdio>

#include "models/dsp/dsp_isa.h"

namespace presil::bridge {
namespace {

ModelPort& me(void* self) {
  return *static_cast<ModelPort*>(self);
}

}  // namespace

ModelPort::ModelPort(host::Host& host, BytePort& memory, BufferHeap& heap)
    : m_host(host), m_memory(memory), m_heap(heap) {
  m_port.self = this;
  m_port.read32 = [](void* self, uint64_t address) { return me(self).read32(address); };
  m_port.write32 = [](void* self, uint64_t address, uint32_t value) {
    me(self).write32(address, value);
  };
  m_port.alloc = [](void* self, size_t bytes_requested, size_t align, presil_memory* memory_out) {
    return me(self).alloc(bytes_requested, align, memory_out);
  };
  m_port.release = [](void* self, presil_memory* memory_given) {
    me(self).m_heap.release(memory_given->address);
    *memory_given = {};
  };
  // One set of bytes: what either side writes, the other sees.
  m_port.clean = [](void* self, const void*, size_t bytes) { me(self).cache(true, bytes); };
  m_port.invalidate = [](void* self, const void*, size_t bytes) { me(self).cache(false, bytes); };
  m_port.wait = [](void* self, uint64_t timeout_ns) { return me(self).wait(timeout_ns); };
  m_port.spend = [](void* self, const presil_task* task) { me(self).spend(*task); };
  m_port.now_ns = [](void* self) {
    return static_cast<uint64_t>(me(self).m_host.now() * me(self).m_host.period_ps() / 1000);
  };
  m_port.observe = [](void* self, presil_host_state state, uint32_t id, uint32_t tag) {
    me(self).m_recorder.observe(state, static_cast<uint8_t>(id), tag, me(self).m_host.now());
  };
  m_port.lock = [](void* self) { me(self).m_mutex.lock(); };
  m_port.unlock = [](void* self) { me(self).m_mutex.unlock(); };
  m_port.instruction = [](void*, uint32_t word, char* text, size_t bytes) {
    const std::string words = dsp::disassemble(word);  // ".word ..." where it is none
    std::snprintf(text, bytes, "%s", words[0] == '.' ? "" : words.c_str());
  };
}

int ModelPort::alloc(size_t bytes, size_t align, presil_memory* memory) {
  const auto address = m_heap.allocate(bytes, align);
  if (!address) return -1;
  uint8_t* host = m_memory.bytes_at(*address, bytes);
  if (host == nullptr) {
    m_heap.release(*address);
    return -1;
  }
  *memory = {host, *address, bytes};
  return 0;
}

uint32_t ModelPort::read32(uint64_t address) {
  const uint32_t value = m_host.read32(address);
  m_recorder.timeline().pass(HostWork::kRegisterRead, m_host.now());
  return value;
}

void ModelPort::write32(uint64_t address, uint32_t value) {
  HostTimeline& timeline = m_recorder.timeline();
  const bool doorbell = timeline.on() && is_doorbell(address);
  if (doorbell) {
    timeline.add(InferencePart::kSubmission, HostWork::kCode, m_host.costs().cycles_submit_queue,
                 1);
  }
  m_host.write32(address, value);
  timeline.pass(doorbell ? HostWork::kDoorbell : HostWork::kRegisterWrite, m_host.now());
}

// A task's own are in its price.
void ModelPort::cache(bool clean, size_t bytes) {
  if (m_recorder.runs()) return;
  const HostConfig& costs = m_host.costs();
  m_recorder.timeline().add(InferencePart::kCache, HostWork::kCache,
                            (clean ? host::clean_cycles : host::invalidate_cycles)(costs, bytes),
                            host::cache_lines(costs, bytes));
}

void ModelPort::begin_inference(uint64_t input_bytes) {
  HostTimeline& timeline = m_recorder.timeline();
  timeline.begin(m_host.now());
  timeline.add(InferencePart::kInputCopy, HostWork::kInputCopy,
               host::copy_cycles(m_host.costs(), input_bytes), input_bytes);
  timeline.add(InferencePart::kSubmission, HostWork::kCode, m_host.costs().cycles_submit, 0);
}

void ModelPort::end_inference(uint64_t output_bytes) {
  HostTimeline& timeline = m_recorder.timeline();
  timeline.add(InferencePart::kDriver, HostWork::kCode, m_host.costs().cycles_return, 0);
  timeline.add(InferencePart::kOutputCopy, HostWork::kOutputCopy,
               host::copy_cycles(m_host.costs(), output_bytes), output_bytes);
  timeline.end();
}

presil_wait_result ModelPort::wait(uint64_t timeout_ns) {
  const Cycle cycles = timeout_ns == 0 || timeout_ns > uint64_t{1} << 52
                           ? Timeline::kNever
                           : static_cast<Cycle>(timeout_ns) * 1000 / m_host.period_ps();
  const host::WaitResult result = m_host.wait(cycles);
  const bool woken = result == host::WaitResult::kInterrupt;
  HostTimeline& timeline = m_recorder.timeline();
  timeline.pass(HostWork::kAsleep, m_host.now() - (woken ? m_host.costs().cycles_interrupt : 0));
  timeline.pass(HostWork::kInterrupt, m_host.now());
  switch (result) {
    case host::WaitResult::kInterrupt:
      return PRESIL_WAIT_INTERRUPT;
    case host::WaitResult::kTimedOut:
      return PRESIL_WAIT_TIMED_OUT;
    case host::WaitResult::kDead:
      break;
  }
  return PRESIL_WAIT_DEAD;
}

void ModelPort::spend(const presil_task& task) {
  m_host.spend({task.kernel_name, task.elements, task.bytes});
  HostTimeline& timeline = m_recorder.timeline();
  timeline.pass(HostWork::kOperator,
                m_host.now() - host::invalidate_cycles(m_host.costs(), task.bytes));
  timeline.pass(HostWork::kCache, m_host.now(), host::cache_lines(m_host.costs(), task.bytes));
}

}  // namespace presil::bridge
