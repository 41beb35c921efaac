#include "sim/rtl/outside_block.h"

#include <algorithm>
#include <string>
#include <utility>

#include "models/base/refusal.h"
#include "sim/rtl/outside_reference.h"
#include "sim/rtl/outside_rtl.h"
#include "sim/rtl/outside_shadow.h"

namespace presil::rtl {
namespace {

/// Where its counters end.
uint32_t counters_end(const presil_engine_description& engine) {
  if (engine.counter_count == 0) return engine.counters_offset;
  uint32_t end = engine.counters_control + 4;
  for (uint32_t i = 0; i < engine.counter_count; ++i) {
    end = std::max(end, engine.counters[i].offset + 8);
  }
  return engine.counters_offset + end;
}

[[noreturn]] void refuse(const EngineRtl& rtl, const std::string& parameter, uint64_t built,
                         uint64_t required, const std::string& remedy) {
  throw Refusal("block", std::string(rtl.name) + "=rtl is built with " + parameter + " = " +
                             std::to_string(built) + ", this SoC requires " +
                             std::to_string(required) + "; run with --block " + rtl.name +
                             "=model, or " + remedy);
}

void check_built_as(const EngineRtl& rtl, const EnginePlace& place) {
  if (rtl.sram_bytes != place.sram_bytes) {
    refuse(rtl, "sram.bytes", rtl.sram_bytes, place.sram_bytes,
           "build the engine with -DPRESIL_ENGINE_SRAM_BYTES=" + std::to_string(place.sram_bytes));
  }
  if (place.parameters == nullptr) return;
  for (unsigned i = 0; i < rtl.parameter_count; ++i) {
    const EngineRtlParameter& p = rtl.parameters[i];
    const uint64_t required = place.parameters[p.place];
    if (required == p.value) continue;
    refuse(rtl, std::string("engines.") + rtl.name + "." + p.name, p.value, required,
           "build the engine with this default in its engine.yaml");
  }
}

}  // namespace

OutsideBlock::OutsideBlock(const EnginePlugin& plugin, const EngineRtl& rtl,
                           const OutsidePlace& place)
    : QueueBlock(plugin.description->name,
                 {plugin.description->queue_offset, plugin.description->counters_offset,
                  counters_end(*plugin.description)}) {
  check_built_as(rtl, place.engine);
  const EnginePlace& engine = place.engine;
  uint8_t* sram = engine.sram.bytes_at(0, engine.sram_bytes);
  std::unique_ptr<Model> model;
  if (place.kind == platform::BlockKind::kLockstep) {
    const std::string name = plugin.description->name;
    model.reset(new Model{{name, engine.timeline, engine.fetch, reporter()}, nullptr, nullptr});
    model->reference = std::make_unique<OutsideReference>(plugin, engine.parameters, sram,
                                                          engine.sram_bytes, reporter());
    model->shadow = std::make_unique<OutsideShadow>(plugin, engine, model->bursts.model(),
                                                    place.watch, reporter());
  }
  BurstPort& fetch = model != nullptr ? static_cast<BurstPort&>(model->bursts) : engine.fetch;
  const RtlOptions options = options_of(place.kinds);
  auto block = std::make_unique<OutsideRtl>(
      *plugin.description, engine.queue, std::unique_ptr<EngineTop>(rtl.make(options.seed)),
      place.timekeeper, fetch, engine.system,
      OutsideRtl::Memory{sram, engine.sram_bytes, engine.banks}, engine.counters, options);
  begin(std::move(block), std::move(model));
}

}  // namespace presil::rtl
