#include "sim/rtl/outside_block.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "models/base/refusal.h"
#include "sim/engine/engine_library.h"
#include "sim/rtl/engine_rtl_library.h"
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

void check_built_as(const EngineRtl& rtl, const platform::EngineBlockPlace& place) {
  const uint32_t bytes = place.config.sram.bytes;
  if (rtl.sram_bytes != bytes) {
    refuse(rtl, "sram.bytes", rtl.sram_bytes, bytes,
           "build the engine with -DPRESIL_ENGINE_SRAM_BYTES=" + std::to_string(bytes));
  }
  for (unsigned i = 0; i < rtl.parameter_count; ++i) {
    const EngineRtlParameter& p = rtl.parameters[i];
    const uint64_t required = place.parameters.at(p.place);
    if (required == p.value) continue;
    refuse(rtl, std::string("engines.") + rtl.name + "." + p.name, p.value, required,
           "build the engine with this default in its engine.yaml");
  }
}

}  // namespace

OutsideBlock::OutsideBlock(const platform::EngineBlockPlace& place, platform::BlockKind kind,
                           const EngineRtl& rtl)
    : QueueBlock(
          instance_name(place.library.description(), place.queue),
          {place.library.description().queue_offset, place.library.description().counters_offset,
           counters_end(place.library.description())}),
      m_parameters(place.parameters) {
  check_built_as(rtl, place);
  const EnginePlugin& plugin = place.library.plugin();
  Timeline& timeline = place.timekeeper.timeline();
  const uint32_t bytes = place.config.sram.bytes;
  uint8_t* sram = place.sram.bytes_at(0, bytes);
  std::unique_ptr<Model> model;
  if (kind == platform::BlockKind::kLockstep) {
    model.reset(new Model{{rtl.name, timeline, place.fetch, reporter()}, nullptr, nullptr});
    model->reference =
        std::make_unique<OutsideReference>(plugin, m_parameters.data(), sram, bytes, reporter());
    const EnginePlace engine{timeline,           model->bursts.model(), place.system, place.sram,
                             place.counters,     &place.banks,          place.queue,  bytes,
                             m_parameters.data()};
    model->shadow = std::make_unique<OutsideShadow>(plugin, engine, place.watch, reporter());
  }
  BurstPort& fetch = model != nullptr ? static_cast<BurstPort&>(model->bursts) : place.fetch;
  const RtlOptions options = options_of(place.kinds);
  auto block = std::make_unique<OutsideRtl>(
      *plugin.description, instance_name(*plugin.description, place.queue), place.queue,
      std::unique_ptr<EngineTop>(rtl.make(options.seed)), place.timekeeper, fetch, place.system,
      OutsideRtl::Memory{sram, bytes, &place.banks}, place.counters, options);
  begin(std::move(block), std::move(model));
}

std::unique_ptr<platform::Block> make_outside(const platform::EngineBlockPlace& place,
                                              platform::BlockKind kind, bool waveforms) {
  static std::map<std::string, std::unique_ptr<EngineRtlLibrary>> opened;
  const EngineLibrary& engine = place.library;
  const std::string name = engine.description().name;
  auto& library = opened[name];
  if (library == nullptr) {
    library = std::make_unique<EngineRtlLibrary>(engine.file(), engine.folder(), name, waveforms);
  }
  return std::make_unique<OutsideBlock>(place, kind, library->rtl());
}

}  // namespace presil::rtl
