#include "sim/platform/kernels.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "models/base/refusal.h"
#include "models/dsp/dsp_listing.h"
#include "rtl/soc/loadable_generated.h"
#include "sim/platform/kernel_names.h"

namespace presil::platform {
namespace {

using nlohmann::json;

json causes_of(const dsp::Stalls& stalls) {
  json causes = json::object();
  for (size_t s = 0; s < stalls.size(); ++s)
    if (stalls[s] != 0) causes[dsp::name_of(static_cast<dsp::Stall>(s))] = stalls[s];
  return causes;
}

[[noreturn]] void refuse(const std::string& file) {
  const std::string why = errno == 0 ? "" : std::string(" (") + std::strerror(errno) + ")";
  throw Refusal("trace", "'" + file + "' cannot be written" + why +
                             "; is its disk full? free some room, choose another folder, or take a "
                             "smaller --trace-window");
}

/// "# dsp command 1, layer softmax (tile 0), kernel softmax_i8"
std::string title_of(const loadable::Loadable& l, const dsp::ProgramStart& start,
                     const std::string& kernel) {
  std::string title = "# dsp command " + std::to_string(start.index);
  if (start.tag < l.commands()->size()) {
    const auto* command = l.commands()->Get(start.tag);
    const auto layer = static_cast<uint32_t>(command->layer());
    if (layer < l.layers()->size())
      title += ", layer " + l.layers()->Get(layer)->name()->str() + " (tile " +
               std::to_string(command->tile()) + ")";
  }
  return title + ", kernel " + kernel + ", first instruction in cycle " +
         std::to_string(start.origin);
}

}  // namespace

void Kernels::load(const loadable::Loadable& loadable) {
  m_loadable = &loadable;
  m_kernels.clear();
  m_code.clear();
}

void Kernels::begin_trace(const TraceOrder& order) {
  errno = 0;
  m_trace = std::make_unique<Trace>(order);
  if (!m_trace->file) {
    m_trace.reset();
    refuse(order.file);
  }
}

json Kernels::end_trace() {
  if (m_trace == nullptr || m_trace->ended) return json();
  m_trace->ended = true;  // a program that is about to be cancelled still knows the listing
  errno = 0;
  m_trace->listing.end();
  m_trace->file.close();
  if (!m_trace->file) refuse(m_trace->order.file);
  return {{"written", m_trace->listing.written()}, {"left_out", m_trace->listing.left_out()}};
}

void Kernels::begins(const dsp::ProgramStart& start, dsp::Core& core) {
  core.set_profiled(m_profiled);
  const bool traced =
      m_trace != nullptr && !m_trace->ended && m_trace->order.tags.count(start.tag) != 0;
  core.set_tracer(traced ? &m_trace->listing : nullptr);
  if (!traced) return;
  const std::vector<dsp::Symbol> functions = functions_of(*m_loadable, start.image_crc);
  m_trace->listing.begin(
      title_of(*m_loadable, start, kernel_at(functions, start.entry)), functions,
      {static_cast<uint64_t>(start.origin), m_trace->order.first, m_trace->order.end});
}

Kernels::Code& Kernels::code_of(uint32_t image_crc, const dsp::Memory& memory) {
  std::unique_ptr<Code>& code = m_code[image_crc];
  if (code != nullptr) return *code;
  code = std::make_unique<Code>();
  code->functions = functions_of(*m_loadable, image_crc);
  for (dsp::Region region : memory.regions()) {
    if ((region.rights & dsp::kExecute) == 0) continue;
    code->bytes.emplace_back(region.host, region.host + region.bytes);
    region.host = code->bytes.back().data();
    code->memory.add(region);
  }
  return *code;
}

void Kernels::ends(const dsp::ProgramStart& start, const dsp::Core& core) {
  Code& code = code_of(start.image_crc, core.hart().memory);
  auto kernel = std::find_if(m_kernels.begin(), m_kernels.end(), [&](const Kernel& k) {
    return k.image_crc == start.image_crc && k.entry == start.entry;
  });
  if (kernel == m_kernels.end()) {
    kernel = m_kernels.insert(kernel, Kernel{});
    kernel->name = kernel_at(code.functions, start.entry);
    kernel->image_crc = start.image_crc;
    kernel->entry = start.entry;
  }
  const uint64_t cycles = core.hart().cycle;
  ++kernel->calls;
  kernel->cycles += cycles;
  kernel->instructions += core.instructions();
  kernel->elements += core.hart().unit.elements();
  const dsp::Stalls stalls = core.stalls();
  for (size_t s = 0; s < stalls.size(); ++s) kernel->stalls[s] += stalls[s];
  auto& [calls, of_tag] = kernel->tags[start.tag];
  ++calls;
  of_tag += cycles;
  if (!m_profiled) return;
  for (const auto& [pc, here] : core.profile()) {
    dsp::PcProfile& sum = kernel->profile[pc];
    sum.executed += here.executed;
    sum.beats += here.beats;
    sum.elements += here.elements;
    for (size_t s = 0; s < stalls.size(); ++s) sum.stalls[s] += here.stalls[s];
  }
}

json Kernels::profile_of(const Kernel& kernel) const {
  if (kernel.profile.empty()) return json();
  const Code& code = *m_code.at(kernel.image_crc);
  json rows = json::array(), blocks = json::array(), functions = json::array();
  for (const auto& [pc, here] : kernel.profile) {
    dsp::Stalls waits = here.stalls;
    waits[static_cast<size_t>(dsp::Stall::kRun)] = 0;
    rows.push_back({pc, here.executed, dsp::cycles_of(here), causes_of(waits), here.beats,
                    here.elements, dsp::line_at(code.memory, pc, code.functions).text});
  }
  for (const dsp::Stretch& b : dsp::basic_blocks(kernel.profile, code.memory, code.functions))
    blocks.push_back({b.first, b.last, b.passes, b.cycles});
  for (const dsp::Symbol& f : code.functions) {
    const auto first = kernel.profile.lower_bound(static_cast<uint32_t>(f.address));
    if (first == kernel.profile.end() || first->first - f.address >= f.bytes) continue;
    functions.push_back({f.name, f.address, f.bytes});
  }
  return {{"instructions", rows}, {"blocks", blocks}, {"functions", functions}};
}

json Kernels::answer() const {
  json all = json::array();
  for (const Kernel& k : m_kernels) {
    json tags = json::array();
    for (const auto& [tag, sums] : k.tags) tags.push_back({tag, sums.first, sums.second});
    all.push_back({{"name", k.name},
                   {"calls", k.calls},
                   {"cycles", k.cycles},
                   {"instructions", k.instructions},
                   {"elements", k.elements},
                   {"causes", causes_of(k.stalls)},
                   {"tags", tags},
                   {"profile", profile_of(k)}});
  }
  return all;
}

}  // namespace presil::platform
