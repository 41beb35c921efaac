#include "driver/port/mock/mock_port.h"

namespace presil::driver {
namespace {

MockPort& me(void* self) {
  return *static_cast<MockPort*>(self);
}

}  // namespace

MockPort::MockPort(unsigned tile, const MockPort* same)
    : m_tile(tile), m_memory(same == nullptr ? std::make_shared<Memory>() : same->m_memory) {
  host.set_id_tile(static_cast<uint16_t>(tile));
  m_port.self = this;
  m_port.read32 = [](void* self, uint64_t address) { return me(self).read32(address); };
  m_port.write32 = [](void* self, uint64_t address, uint32_t value) {
    me(self).write32(address, value);
  };
  m_port.alloc = [](void* self, size_t bytes, size_t align, presil_memory* memory) {
    return me(self).alloc(bytes, align, memory);
  };
  m_port.release = [](void* self, presil_memory* memory) {
    me(self).m_memory->blocks.erase(memory->address);
  };
  m_port.clean = [](void* self, const void*, size_t) { me(self).trace.emplace_back("clean"); };
  m_port.invalidate = [](void* self, const void*, size_t) {
    me(self).trace.emplace_back("invalidate");
  };
  m_port.wait = [](void* self, uint64_t timeout_ns) { return me(self).wait(timeout_ns); };
  m_port.spend = [](void* self, const presil_task* task) {
    MockPort& mock = me(self);
    mock.tasks.push_back(*task);
    mock.trace.push_back(std::string("spend ") + task->kernel_name);
    const uint64_t end = mock.now_ns + mock.task_ns;
    while (mock.run_next_event(end)) {
    }
    mock.now_ns = end;
  };
  m_port.now_ns = [](void* self) { return me(self).now_ns; };
  m_port.observe = [](void* self, presil_host_state state, uint32_t id, uint32_t) {
    if (state == PRESIL_HOST_WAIT) me(self).trace.push_back("wait " + std::to_string(id));
  };
  m_port.lock = [](void* self) { me(self).m_mutex.lock(); };
  m_port.unlock = [](void* self) { me(self).m_mutex.unlock(); };
  m_port.reset = [](void* self) { return me(self).reset(); };
  m_port.power = [](void* self, int on) {
    me(self).powered = on != 0;
    return 0;
  };
  host.set_engines_kinds(1u << PRESIL_ENGINE_DLA | 1u << PRESIL_ENGINE_DMA);
  on_abort = [this](unsigned number) {
    queue(number).set_status_state(queue::State::kStopped);
    queue(number).set_irq_status_stopped(true);
  };

  sync.on_write(PRESIL_SYNC_REG_SIGNAL, [this](uint32_t, uint32_t written) {
    const unsigned id = written & PRESIL_SYNC_SIGNAL_ID_MASK;
    const uint32_t add = written >> PRESIL_SYNC_SIGNAL_ADD_SHIFT;
    trace.push_back("signal " + std::to_string(id) + "+" + std::to_string(add));
    signal(id, add);
  });
  for (unsigned slot = 0; slot < PRESIL_SYNC_SLOT_COUNT; ++slot) {
    sync.on_write(PRESIL_SYNC_REG_SLOT_CONTROL(slot),
                  [this](uint32_t, uint32_t) { compare_slots(); });
  }
  for (unsigned id = 0; id < PRESIL_SYNC_COUNT_COUNT; ++id) {
    sync.on_write(PRESIL_SYNC_REG_COUNT(id), [this, id](uint32_t before, uint32_t) {
      if (!sync.control_set_enable()) {
        sync.set(PRESIL_SYNC_REG_COUNT(id), before);
        sync.set_irq_status_refused(true);
      }
    });
  }
  for (unsigned number : {0u, 1u, 3u, 4u, 5u, 6u}) {
    queue(number).on_write(PRESIL_QUEUE_REG_TAIL, [this, number](uint32_t, uint32_t) {
      if (on_doorbell) on_doorbell(number);
    });
    queue(number).on_write(PRESIL_QUEUE_REG_CONTROL, [this, number](uint32_t, uint32_t written) {
      if (written & PRESIL_QUEUE_CONTROL_ABORT_MASK) on_abort(number);
      if (written & PRESIL_QUEUE_CONTROL_START_MASK)
        queue(number).set_status_state(queue::State::kIdle);
    });
  }
}

queue::View MockPort::queue(unsigned number) {
  if (number == PRESIL_QUEUE_DLA) return dla.queue();
  if (number == PRESIL_QUEUE_DSP) return dsp.queue();
  return dma.channel(number - PRESIL_QUEUE_DMA0);
}

void MockPort::signal(unsigned id, uint32_t add) {
  sync.set(PRESIL_SYNC_REG_COUNT(id), count(id) + add);
  compare_slots();
}

void MockPort::fail(unsigned number, queue::ErrorCode code, uint32_t command, uint32_t job,
                    unsigned rule) {
  queue::View q = queue(number);
  q.set_status_state(queue::State::kError);
  q.set_error_code(code);
  q.set_error_rule(static_cast<uint8_t>(rule));
  q.set_error_command_index(command);
  q.set_error_job_tag(job);
  q.set_irq_status_error(true);
}

void MockPort::lend(uint64_t address, uint8_t* bytes, size_t size) {
  m_lent = {address, bytes, size};
}

uint8_t* MockPort::bytes_at(uint64_t address, size_t bytes) {
  if (address >= m_lent.address && address - m_lent.address < m_lent.size &&
      bytes <= m_lent.size - (address - m_lent.address)) {
    return m_lent.bytes + (address - m_lent.address);
  }
  auto block = m_memory->blocks.upper_bound(address);
  if (block == m_memory->blocks.begin()) return nullptr;
  --block;
  const uint64_t offset = address - block->first;
  if (offset > block->second.size() || bytes > block->second.size() - offset) return nullptr;
  return block->second.data() + offset;
}

RegisterBank* MockPort::bank_of(uint64_t address, uint32_t& offset) {
  offset = static_cast<uint32_t>(address % PRESIL_TILE_BLOCK_BYTES);
  const uint64_t base = PRESIL_TILE_BASE(m_tile);
  if (address < base || address - base >= PRESIL_TILE_BASE(1)) return nullptr;
  switch (address - base - offset) {
    case PRESIL_TILE_DLA:
      return &dla;
    case PRESIL_TILE_DMA:
      return &dma;
    case PRESIL_TILE_DSP:
      return host.engines_kinds() >> PRESIL_ENGINE_DSP & 1 ? &dsp : nullptr;
    case PRESIL_TILE_SYNC:
      return &sync;
    case PRESIL_TILE_HOST:
      return &host;
    default:
      return nullptr;
  }
}

uint32_t MockPort::read32(uint64_t address) {
  line_up();  // brings irq_pending up to date
  uint32_t offset = 0, value = 0;
  RegisterBank* bank = bank_of(address, offset);
  if (bank == nullptr || bank->read(offset, value) != Access::kOk) ++bus_errors;
  return value;
}

void MockPort::write32(uint64_t address, uint32_t value) {
  uint32_t offset = 0;
  writes.push_back({address, value});
  RegisterBank* bank = bank_of(address, offset);
  if (bank == nullptr || bank->write(offset, value) != Access::kOk) ++bus_errors;
}

int MockPort::alloc(size_t bytes, size_t align, presil_memory* memory) {
  if (allocations_left == 0) return -1;
  --allocations_left;
  uint64_t& next = m_memory->next_address;
  next = (next + align - 1) / align * align;
  std::vector<uint8_t>& block = m_memory->blocks[next];
  block.assign(bytes, 0xa5);
  *memory = {block.data(), next, bytes};
  next += bytes;
  return 0;
}

// Engines at rest, rings empty, counters 0; memory stays.
int MockPort::reset() {
  ++resets;
  m_events.clear();
  for (unsigned number : {0u, 1u, 3u, 4u, 5u, 6u}) {
    queue::View q = queue(number);
    q.set_status_state(queue::State::kIdle);
    q.set_head(0);
    q.set_tail(0);
    q.set_irq_status_error(false);
    q.set_irq_status_stopped(false);
  }
  for (unsigned id = 0; id < PRESIL_SYNC_COUNT_COUNT; ++id) sync.set(PRESIL_SYNC_REG_COUNT(id), 0);
  sync.set(PRESIL_SYNC_REG_IRQ_STATUS, 0);
  return 0;
}

bool MockPort::line_up() {
  const auto pending = [](const queue::View& q) {
    return (q.get(PRESIL_QUEUE_REG_IRQ_STATUS) & q.get(PRESIL_QUEUE_REG_IRQ_ENABLE)) != 0;
  };
  bool any_channel = false;
  for (unsigned c = 0; c < 4; ++c) any_channel |= pending(dma.channel(c));
  host.set_irq_pending_engines(static_cast<uint32_t>(pending(dla.queue())) << PRESIL_ENGINE_DLA |
                               static_cast<uint32_t>(pending(dsp.queue())) << PRESIL_ENGINE_DSP |
                               static_cast<uint32_t>(any_channel) << PRESIL_ENGINE_DMA);
  host.set_irq_pending_sync(
      (sync.get(PRESIL_SYNC_REG_IRQ_STATUS) & sync.get(PRESIL_SYNC_REG_IRQ_ENABLE)) != 0);
  return (host.get(PRESIL_HOST_REG_IRQ_PENDING) & host.get(PRESIL_HOST_REG_IRQ_ENABLE)) != 0;
}

bool MockPort::run_next_event(uint64_t until_ns) {
  const auto first = m_events.begin();
  if (first == m_events.end() || first->first > until_ns) return false;
  now_ns = first->first > now_ns ? first->first : now_ns;
  const auto action = first->second;
  m_events.erase(first);
  action();
  return true;
}

presil_wait_result MockPort::wait(uint64_t timeout_ns) {
  const uint64_t end = timeout_ns > UINT64_MAX - now_ns ? UINT64_MAX : now_ns + timeout_ns;
  while (!line_up()) {
    if (m_events.empty()) return PRESIL_WAIT_DEAD;
    if (run_next_event(end)) continue;
    now_ns = end;
    return PRESIL_WAIT_TIMED_OUT;
  }
  return PRESIL_WAIT_INTERRUPT;
}

void MockPort::compare_slots() {
  for (unsigned i = 0; i < PRESIL_SYNC_SLOT_COUNT; ++i) {
    sync::SlotView slot = sync.slot(i);
    if (!slot.control_enable()) continue;
    if (static_cast<int32_t>(count(slot.control_id()) - slot.value()) < 0) continue;
    slot.set_control_enable(false);
    sync.set(PRESIL_SYNC_REG_IRQ_STATUS, sync.get(PRESIL_SYNC_REG_IRQ_STATUS) | 1u << i);
  }
}

}  // namespace presil::driver
