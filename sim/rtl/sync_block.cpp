#include "sim/rtl/sync_block.h"

#include <utility>

#include "sim/rtl/register_match.h"
#include "sim/rtl/rtl_options.h"

namespace presil::rtl {
namespace {

template <class Question>
std::string question_text(const Question& q) {
  return "queue " + std::to_string(q.queue) + " port " + std::to_string(q.port) +
         ", which waits for counter " + std::to_string(q.id) + " to reach " +
         std::to_string(q.value);
}

}  // namespace

/// The links of a queue in lock-step: the model hears all that the RTL does.
class SyncBlock::Port : public CounterPort {
 public:
  Port(SyncBlock& block, uint8_t queue)
      : m_block(block), m_rtl(block.m_sync.port(queue)), m_model(block.m_model->port(queue)) {}
  bool met(uint8_t id, uint32_t value) const override { return m_rtl.met(id, value); }
  void when_met(uint8_t queue, uint8_t port, uint8_t id, uint32_t value,
                std::function<void(Cycle)> then) override {
    m_block.compare_later();
    m_model.when_met(queue, port, id, value, [](Cycle) {});
    m_rtl.when_met(
        queue, port, id, value,
        [this, answer = Answer{queue, port, id, value}, then = std::move(then)](Cycle at) {
          m_block.m_answers.push_back(answer);
          then(at);
        });
  }
  void withdraw(uint8_t queue, uint8_t port) override {
    m_block.compare_later();
    m_model.withdraw(queue, port);
    m_rtl.withdraw(queue, port);
  }
  void signal(Cycle when, uint8_t id, uint16_t add) override {
    m_model.signal(when, id, add);
    m_rtl.signal(when, id, add);
  }

 private:
  SyncBlock& m_block;
  CounterPort &m_rtl, &m_model;
};

SyncBlock::SyncBlock(const platform::SyncPlace& place, std::unique_ptr<SyncTop> top)
    : m_timeline(place.timekeeper.timeline()),
      m_sync("sync", place.config.sync, place.timekeeper, std::move(top)) {
  record(m_sync, m_sync.top(), place.kinds.trace, "sync", place.timekeeper.period_ps());
  m_sync.on_failure([this](Cycle cycle) {
    if (!m_divergence) m_divergence = Divergence::assertion("sync", cycle);
  });
  if (place.kinds.sync != platform::BlockKind::kLockstep) return;
  m_model = std::make_unique<sync::SyncUnit>(place.config.sync, m_timeline);
  m_model->on_interrupt([this](bool line) {
    m_model_line = line;
    compare_later();
  });
  m_model->watch([this](uint8_t) { compare_later(); });
  for (uint8_t queue = 0; queue < PRESIL_LINKED_QUEUES; ++queue) {
    m_ports.push_back(std::make_unique<Port>(*this, queue));
  }
  m_sync.tap(this);
}
SyncBlock::~SyncBlock() = default;

CounterPort& SyncBlock::port(uint8_t queue) {
  return m_model ? *m_ports[queue] : m_sync.port(queue);
}

void SyncBlock::ticked() {
  compare_later();
}

void SyncBlock::compare_later() {
  const Cycle now = m_timeline.now();
  if (m_compare == now) return;
  m_compare = now;
  m_timeline.at(now, Phase::kGrant, [this] { compare(); });
}

// Only the first difference counts: what comes after may be its consequence.
void SyncBlock::report(Divergence difference) {
  if (m_divergence) return;
  m_sync.halt();
  difference.block = "sync";
  difference.model_cycle = difference.rtl_cycle = m_timeline.now();
  m_divergence = std::move(difference);
}

void SyncBlock::report(const char* stage, const std::string& model, const std::string& rtl) {
  Divergence difference;
  difference.stage = stage;
  difference.model = model;
  difference.rtl = rtl;
  report(difference);
}

// What both show at the end of a cycle.
void SyncBlock::compare() {
  m_compare = -1;
  const std::vector<Answer> answers = std::exchange(m_answers, {});
  if (m_divergence) return;
  for (unsigned id = 0; id < m_sync.counters(); ++id) {
    const uint32_t model = m_model->counter(static_cast<uint8_t>(id)), rtl = m_sync.counter(id);
    const std::string name = "counter " + std::to_string(id) + " is ";
    if (model != rtl) {
      return report("counter", name + std::to_string(model), name + std::to_string(rtl));
    }
  }
  for (const Answer& answer : answers) {
    if (m_model->port(answer.queue).met(answer.id, answer.value)) continue;
    return report("met", "lets " + question_text(answer) + " wait", "does not");
  }
  for (const SyncRtl::Ask& ask : m_sync.waiting()) {
    if (m_model->port(ask.queue).met(ask.id, ask.value)) {
      return report("met", "lets " + question_text(ask) + " go on", "does not");
    }
    const auto signaller = static_cast<uint8_t>(m_model->signaller(ask.id));
    if (ask.barrier || signaller == ask.signaller) continue;
    const std::string name = "counter " + std::to_string(ask.id) + " was signalled by engine ";
    return report("signaller", name + std::to_string(signaller),
                  name + std::to_string(ask.signaller));
  }
  Divergence difference;
  if (lines_differ(m_model_line, m_sync.line(), difference)) report(difference);
}

// The model sees the same access in the same cycle.
void SyncBlock::accessed(bool write, uint16_t offset, uint32_t value, bool error, Cycle) {
  uint32_t model = value;
  sync::Bank& bank = m_model->bank();
  const Access access = write ? bank.write(offset, value) : bank.read(offset, model);
  compare_later();
  Divergence difference;
  difference.address = offset;
  if (answers_differ({write, access != Access::kOk, error, model, value}, difference)) {
    report(difference);
  }
}

}  // namespace presil::rtl
