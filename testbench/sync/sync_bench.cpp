#include "testbench/sync/sync_bench.h"

#include <utility>

namespace presil::testbench {

namespace {
bool is_barrier_port(unsigned port) {
  return port == 3 || port == 7;
}
constexpr uint32_t kFar = 1u << 30;
}  // namespace

SyncBench::SyncBench(SyncModel& model, SyncDut& dut, const SyncConfig& config, unsigned seed)
    : m_model(model), m_dut(dut), m_config(config), m_random(seed) {
  for (const char* queue : {"dla", "dsp", "host", "dma"}) {
    for (const char* what :
         {" signals", " signals counter 0", " signals above limit", " signals a missing counter"}) {
      m_coverage[std::string(queue) + what];
    }
    for (const char* what :
         {" waits: met at once", " waits: met later", " waits: withdrawn", " waits: too far ahead",
          " barrier: met at once", " barrier: met later", " barrier: withdrawn"}) {
      if (std::string(queue) != "host") m_coverage[std::string(queue) + what];
    }
  }
  for (unsigned j = 0; j < m_config.slots; ++j) {
    m_coverage["slot " + std::to_string(j) + " fires"];
  }
  for (const char* what : {"signals of all queues in one cycle",
                           "one counter signalled by two queues in one cycle",
                           "add 0",
                           "add 65535",
                           "a counter wraps",
                           "COUNT set",
                           "COUNT refused: not enabled",
                           "COUNT refused: above limit",
                           "COUNT refused: counter 0",
                           "COUNT refused: missing counter",
                           "COUNT set while a signal of it lands",
                           "LIMIT written while a signal lands",
                           "status cleared while it is set",
                           "slot written while it fires",
                           "slot fires while its counter is signalled",
                           "slot compares with too far ahead",
                           "barrier of no counter",
                           "barrier of one counter",
                           "barrier with missing counters",
                           "barrier waits: shown by its port",
                           "access refused",
                           "interrupt rises",
                           "interrupt falls",
                           "reset with signals under way",
                           "overflow stays first",
                           "refused stays first"}) {
    m_coverage[what];
  }
  m_in.reset = true;
}

std::string SyncBench::engine_of(unsigned queue) {
  return queue == PRESIL_QUEUE_DLA    ? "dla"
         : queue == PRESIL_QUEUE_DSP  ? "dsp"
         : queue == PRESIL_QUEUE_HOST ? "host"
                                      : "dma";
}

std::string SyncBench::run(unsigned cycles) {
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    if (cycle % 500 == 0) new_pace();
    m_in.reset = cycle < 2 || one_in(3000);
    next_signals();
    next_waits();
    next_barriers();
    next_access();
    if (m_in.reset) m_in.access.reset();
    const SyncOutputs model = m_model.cycle(m_in), dut = m_dut.cycle(m_in);
    const std::string found = difference(model, dut) + m_model.complaints() + m_dut.complaints();
    if (!found.empty()) return "cycle " + std::to_string(cycle) + ": " + found;
    cover(model);
    m_out = model;
  }
  return {};
}

// -------------------------------------------------------------------------------------- stimuli

void SyncBench::new_pace() {
  m_signal_in = 1 + random(40);
  m_ask_in = 1 + random(30);
  m_ids = 2 + random(m_config.counters - 2);
}

uint8_t SyncBench::some_id() {
  if (one_in(30)) return static_cast<uint8_t>(random(256));
  return static_cast<uint8_t>(random(40) == 0 ? 0 : 1 + random(m_ids));
}

uint32_t SyncBench::some_value(uint8_t id) {
  const uint32_t now = m_model.counter(id);
  switch (random(40)) {
    case 0:
      return m_random();
    case 1:
      return now + kFar + random(3) - 1;
    case 2:
      return now + 2 * kFar + random(3) - 1;
    default:
      return now + random(12) - 3;
  }
}

void SyncBench::next_signals() {
  const bool all = one_in(200);
  const uint8_t same = some_id();
  const bool to_one = one_in(20);
  for (unsigned q = 0; q < PRESIL_LINKED_QUEUES; ++q) {
    SyncInputs::Signal& s = m_in.signals[q];
    s.valid = q != PRESIL_QUEUE_HOST && (all || one_in(m_signal_in));
    s.id = to_one ? same : some_id();
    s.add = static_cast<uint16_t>(one_in(30) ? (one_in(2) ? 0 : 65535) : 1 + random(3));
  }
}

void SyncBench::next_waits() {
  for (unsigned p = 0; p < kSyncPorts; ++p) {
    SyncInputs::Wait& wait = m_in.waits[p];
    if (is_barrier_port(p)) continue;
    if (wait.valid && !m_out.met[p] && !one_in(100)) continue;  // it goes on waiting
    wait.valid = one_in(m_ask_in);
    wait.id = wait.valid && wait.id != 0 && one_in(4) ? wait.id : some_id();
    wait.value = some_value(wait.id);
  }
}

void SyncBench::next_barriers() {
  for (unsigned q = 0; q < PRESIL_LINKED_QUEUES; ++q) {
    SyncInputs::Barrier& b = m_in.barriers[q];
    if (q == PRESIL_QUEUE_HOST) continue;
    if (b.valid && !m_out.barrier_met[q] && !one_in(50)) continue;
    b.valid = one_in(4 * m_ask_in);
    b.first = static_cast<uint8_t>(1 + random(one_in(20) ? 255 : m_ids));
    b.count = static_cast<uint8_t>(random(one_in(10) ? 256 - b.first : 4));
    uint32_t least = m_model.counter(b.first);
    for (unsigned i = 1; i < b.count; ++i) {
      const uint32_t other = m_model.counter(static_cast<uint8_t>(b.first + i));
      if (static_cast<int32_t>(other - least) < 0) least = other;
    }
    b.value = one_in(50) ? m_random() : least + random(4) - 1;
  }
}

void SyncBench::next_access() {
  m_in.access.reset();
  if (m_pause > 0) {
    --m_pause;
    return;
  }
  m_pause = 1 + (one_in(3) ? random(6) : 0);
  if (one_in(2)) {
    m_in.access = SyncInputs::Access{false, some_offset(), 0};
  } else {
    m_in.access = some_write();
  }
}

uint16_t SyncBench::some_offset() {
  switch (random(8)) {
    case 0:
      return static_cast<uint16_t>(random(0x1100));
    case 1:
    case 2:
      return static_cast<uint16_t>(PRESIL_SYNC_REG_COUNT(some_id()));
    case 3:
    case 4:
      return static_cast<uint16_t>(PRESIL_SYNC_REG_WAIT_PORT(0) + 4 * random(2 * kSyncPorts));
    default:
      return static_cast<uint16_t>(4 * random(0x80 / 4));
  }
}

SyncInputs::Access SyncBench::some_write() {
  const auto to = [](uint32_t offset, uint32_t value) {
    return SyncInputs::Access{true, static_cast<uint16_t>(offset), value};
  };
  const uint8_t id = some_id();
  const unsigned slot = random(PRESIL_SYNC_SLOT_COUNT);
  switch (random(16)) {
    case 0:
      return to(PRESIL_SYNC_REG_CONTROL, m_random());
    case 1:
      return to(PRESIL_SYNC_REG_LIMIT, one_in(2) ? m_config.counters - 1 : random(m_ids + 4));
    case 2:
    case 3:
      return to(PRESIL_SYNC_REG_COUNT(id),
                one_in(4) ? 0xfffffff0u : m_model.counter(id) + random(9));
    case 4:
    case 5:
    case 6:
      return to(PRESIL_SYNC_REG_SIGNAL, id | m_random() << 16 >> random(16));
    case 7:
    case 8:
      return to(PRESIL_SYNC_REG_IRQ_STATUS, one_in(4) ? m_random() : ~0u);
    case 9:
      return to(PRESIL_SYNC_REG_IRQ_ENABLE, one_in(2) ? ~0u : m_random());
    case 10:
    case 11:
      return to(PRESIL_SYNC_REG_SLOT(slot) + PRESIL_SYNC_SLOT_REG_VALUE,
                some_value(static_cast<uint8_t>(
                    m_model.get(PRESIL_SYNC_REG_SLOT(slot) + PRESIL_SYNC_SLOT_REG_CONTROL))));
    case 12:
    case 13:
    case 14:
      return to(PRESIL_SYNC_REG_SLOT(slot) + PRESIL_SYNC_SLOT_REG_CONTROL,
                id | (one_in(5) ? 0 : PRESIL_SYNC_SLOT_CONTROL_ENABLE_MASK));
    default:
      return to(some_offset(), m_random());
  }
}

// ----------------------------------------------------------------------------------- comparison

std::string SyncBench::difference(const SyncOutputs& model, const SyncOutputs& dut) const {
  std::string text;
  const auto differs = [&](const std::string& what, uint64_t a, uint64_t b) {
    if (a != b) text += what + " is " + std::to_string(b) + ", must be " + std::to_string(a) + "\n";
  };
  for (unsigned p = 0; p < kSyncPorts; ++p) {
    differs("met of port " + std::to_string(p), model.met[p], dut.met[p]);
    differs("signaller of port " + std::to_string(p), model.signaller[p], dut.signaller[p]);
  }
  for (unsigned q = 0; q < PRESIL_LINKED_QUEUES; ++q) {
    differs("barrier of queue " + std::to_string(q), model.barrier_met[q], dut.barrier_met[q]);
  }
  differs("the interrupt line", model.irq, dut.irq);
  differs("the presence of an answer", model.answer.has_value(), dut.answer.has_value());
  if (!model.answer || !dut.answer) return text;
  const std::string access = m_acted ? (m_acted->write ? " of the write of " : " of the read of ") +
                                           std::to_string(m_acted->offset)
                                     : "";
  differs("the error" + access, model.answer->error, dut.answer->error);
  differs("the value" + access, model.answer->value, dut.answer->value);
  return text;
}

// ------------------------------------------------------------------------------------- coverage

void SyncBench::cover(const SyncOutputs& out) {
  if (m_in.reset) {
    bool under_way = false;
    for (const auto& s : m_under_way) under_way |= s.valid;
    if (under_way) seen("reset with signals under way");
    m_under_way = m_landing = {};
    m_asked.reset(), m_acted.reset();
    m_waited = {}, m_barrier_waited = {}, m_slot_met = {};
  } else {
    cover_landing();
    cover_waits(out);
    cover_access();
    if (out.answer && out.answer->error) seen("access refused");
    if (out.irq != m_out.irq) seen(out.irq ? "interrupt rises" : "interrupt falls");
    m_landing = m_under_way;
    m_under_way = m_in.signals;
    m_acted = std::exchange(m_asked, m_in.access);
    // SIGNAL acts as the host's completion one cycle later
    if (m_acted && m_acted->write && m_acted->offset == PRESIL_SYNC_REG_SIGNAL) {
      m_in.signals[PRESIL_QUEUE_HOST] = {};
      const auto v = m_acted->value;
      m_under_way[PRESIL_QUEUE_HOST] = {true, static_cast<uint8_t>(v),
                                        static_cast<uint16_t>(v >> 16)};
    }
  }
  for (unsigned i = 0; i < 256; ++i) m_counters[i] = m_model.counter(static_cast<uint8_t>(i));
  m_status = m_model.get(PRESIL_SYNC_REG_IRQ_STATUS);
}

// Signals of two cycles ago show in the counters now.
void SyncBench::cover_landing() {
  std::array<unsigned, 256> of_id{};
  unsigned valid = 0;
  const uint32_t limit = m_model.get(PRESIL_SYNC_REG_LIMIT);
  for (unsigned q = 0; q < PRESIL_LINKED_QUEUES; ++q) {
    const SyncInputs::Signal& s = m_landing[q];
    if (!s.valid) continue;
    ++valid;
    if (++of_id[s.id] == 2) seen("one counter signalled by two queues in one cycle");
    seen(engine_of(q) + (s.id == 0                   ? " signals counter 0"
                         : s.id >= m_config.counters ? " signals a missing counter"
                         : s.id > limit              ? " signals above limit"
                                                     : " signals"));
    if (s.add == 0) seen("add 0");
    if (s.add == 65535) seen("add 65535");
    if (m_model.counter(s.id) < m_counters[s.id]) seen("a counter wraps");
  }
  if (valid >= PRESIL_LINKED_QUEUES - 1) seen("signals of all queues in one cycle");
  const uint32_t status = m_model.get(PRESIL_SYNC_REG_IRQ_STATUS);
  const uint32_t slots = status & ~m_status & PRESIL_SYNC_IRQ_STATUS_SLOT_MASK;
  for (unsigned j = 0; j < m_config.slots; ++j) {
    const uint32_t control = m_model.get(PRESIL_SYNC_REG_SLOT(j) + PRESIL_SYNC_SLOT_REG_CONTROL);
    if (slots >> j & 1) {
      seen("slot " + std::to_string(j) + " fires");
      if (of_id[control & 0xff] != 0) seen("slot fires while its counter is signalled");
    }
    const uint32_t past = m_model.counter(static_cast<uint8_t>(control)) -
                          m_model.get(PRESIL_SYNC_REG_SLOT(j) + PRESIL_SYNC_SLOT_REG_VALUE);
    const bool on = (control & PRESIL_SYNC_SLOT_CONTROL_ENABLE_MASK) && (control & 0xff) != 0;
    if (on && past >> 30 == 2) seen("slot compares with too far ahead");
    m_slot_met[j] = on && past >> 31 == 0 ? m_slot_met[j] + 1 : 0;
  }
  if (!m_acted || !m_acted->write) return;
  const unsigned offset = m_acted->offset;
  if (offset == PRESIL_SYNC_REG_LIMIT && valid != 0) seen("LIMIT written while a signal lands");
  if (offset >= PRESIL_SYNC_REG_COUNT(0) && offset < PRESIL_SYNC_REG_COUNT(256) &&
      offset % 4 == 0) {
    const unsigned id = (offset - PRESIL_SYNC_REG_COUNT(0)) / 4;
    const bool enabled = m_model.get(PRESIL_SYNC_REG_CONTROL) & 1;
    seen(id == 0                   ? "COUNT refused: counter 0"
         : id >= m_config.counters ? "COUNT refused: missing counter"
         : id > limit              ? "COUNT refused: above limit"
         : !enabled                ? "COUNT refused: not enabled"
         : of_id[id] != 0          ? "COUNT set while a signal of it lands"
                                   : "COUNT set");
  }
  if (offset == PRESIL_SYNC_REG_IRQ_STATUS && (m_acted->value & status & 0x3ff) != 0) {
    seen("status cleared while it is set");
  }
}

void SyncBench::cover_waits(const SyncOutputs& out) {
  for (unsigned p = 0; p < kSyncPorts; ++p) {
    if (is_barrier_port(p)) continue;
    const std::string engine = p < 3 ? "dla" : p < 8 ? "dsp" : "dma";
    const SyncInputs::Wait& wait = m_in.waits[p];
    if (!wait.valid) {
      if (m_waited[p] != 0 && !m_out.met[p]) seen(engine + " waits: withdrawn");
      m_waited[p] = 0;
      continue;
    }
    if (out.met[p]) {
      seen(engine + (m_waited[p] == 0 ? " waits: met at once" : " waits: met later"));
      m_waited[p] = 0;
      continue;
    }
    if (m_waited[p]++ == 0 && (m_model.counter(wait.id) - wait.value) >> 30 == 2) {
      seen(engine + " waits: too far ahead");
    }
  }
  for (unsigned q = 0; q < PRESIL_LINKED_QUEUES; ++q) {
    const SyncInputs::Barrier& b = m_in.barriers[q];
    if (!b.valid) {
      if (m_barrier_waited[q] != 0 && !m_out.barrier_met[q]) {
        seen(engine_of(q) + " barrier: withdrawn");
      }
      m_barrier_waited[q] = 0;
      continue;
    }
    if (b.count <= 1) seen(b.count == 0 ? "barrier of no counter" : "barrier of one counter");
    if (b.first + b.count > m_config.counters) seen("barrier with missing counters");
    if (out.barrier_met[q]) {
      seen(engine_of(q) +
           (m_barrier_waited[q] == 0 ? " barrier: met at once" : " barrier: met later"));
      m_barrier_waited[q] = 0;
    } else {
      ++m_barrier_waited[q];
    }
  }
}

void SyncBench::cover_access() {
  const uint32_t status = m_model.get(PRESIL_SYNC_REG_IRQ_STATUS);
  if (status & m_status & PRESIL_SYNC_IRQ_STATUS_OVERFLOW_MASK) seen("overflow stays first");
  if (status & m_status & PRESIL_SYNC_IRQ_STATUS_REFUSED_MASK) seen("refused stays first");
  if (!m_acted) return;
  for (unsigned j = 0; j < m_config.slots; ++j) {
    const unsigned control = PRESIL_SYNC_REG_SLOT(j) + PRESIL_SYNC_SLOT_REG_CONTROL;
    if (m_acted->write && m_acted->offset == control && m_slot_met[j] > 0) {
      seen("slot written while it fires");
    }
  }
  for (unsigned p : {3u, 7u}) {
    const unsigned state = PRESIL_SYNC_REG_WAIT_PORT(p) + PRESIL_SYNC_WAIT_PORT_REG_STATE;
    const bool waits = m_barrier_waited[p / 4] != 0;
    if (!m_acted->write && m_acted->offset == state && waits) {
      seen("barrier waits: shown by its port");
    }
  }
}

}  // namespace presil::testbench
