#include "compiler_bridge/plan/step_shapes.h"

#include <algorithm>
#include <set>

#include "compiler_bridge/plan/dsp_blocks.h"
#include "compiler_bridge/plan/dsp_plan.h"
#include "compiler_bridge/plan/outside_plan.h"
#include "compiler_bridge/plan/pack.h"

namespace presil::plan {

StepShapes::StepShapes(const Layout& layout, const SocConfig& config, Search& search)
    : m_layout(layout),
      m_config(config),
      m_search(search),
      m_shapes(size_t(layout.step_count())),
      m_menus(size_t(layout.step_count()), Menus{}) {
  for (int step = 0; step < layout.step_count(); ++step) {
    const auto* layer = layout.layer_at(step).work.as<layer::DlaLayer>();
    if (layer == nullptr) continue;
    LayerShape& shape = m_shapes[size_t(step)];
    shape.layer = layer;
    shape.input = &layout.blocked_of(layer->input);
    shape.output = &layout.blocked_of(layer->output);
    shape.linear_input = shape.input->load != kNone;
    shape.linear_output = !layout.place(layer->output).stores.empty();
    shape.last = step + 1 == layout.step_count();
    shape.packed = is_packed(*layer, *shape.input);
    shape.runs = runs_of(*layer, shape.packed, layout.place(layer->input).lanes,
                         layout.place(layer->output).lanes, config.dla);
    if (layer->ew.operand != kNoTensor) {
      shape.operand = &layout.blocked_of(layer->ew.operand);
      shape.broadcast = shape.operand->extent.h * shape.operand->extent.w == 1;
    }
  }
}

const std::vector<TilingChoice>& StepShapes::menu(int step, Cut cut) {
  const LayerShape& shape = m_shapes[size_t(step)];
  size_t index = static_cast<size_t>(cut);
  for (const bool flag : {shape.stream_input, shape.stream_operand, shape.stream_output,
                          shape.arriving != 0, shape.prefetched}) {
    index = 2 * index + (flag ? 1 : 0);
  }
  const std::vector<TilingChoice>*& menu = m_menus[size_t(step)][index];
  if (menu == nullptr) menu = &m_search.menu(shape, cut, m_config);
  return *menu;
}

namespace {

/// Calls `f` with each subset of them.
template <class T, class F>
void each_subset(const std::set<T>& all, F&& f) {
  const std::vector<T> items(all.begin(), all.end());
  for (size_t bits = 0; bits < size_t{1} << items.size(); ++bits) {
    std::set<T> some;
    for (size_t i = 0; i < items.size(); ++i) {
      if ((bits >> i & 1) != 0) some.insert(items[i]);
    }
    f(some);
  }
}

/// The least that a layer takes of the SRAM: what of its tensors is kept, and its tiles for the
/// others. Once `enough` is enough, it looks no further.
class Least {
 public:
  Least(const Layout& layout, const SocConfig& config, Search& search)
      : m_layout(layout),
        m_config(config),
        m_shapes(layout, config, search),
        m_outside(layout, config),
        m_enough(config.sram.bytes) {}

  /// 0: not known.
  uint64_t with_nothing_kept(int step) {
    if (m_outside.is_one(step)) return m_outside.least(step, false);
    if (m_shapes.layer(step) != nullptr) return tiled(step, {});
    const auto* dsp = m_layout.layer_at(step).work.as<layer::DspLayer>();
    return dsp == nullptr || dsp->is_stored() ? 0 : of_dsp(*dsp, {});
  }

  /// A lower bound.
  uint64_t with_any_kept(int step) {
    if (m_outside.is_one(step)) return m_outside.least(step, true);
    uint64_t least = UINT64_MAX;
    if (const layer::DlaLayer* layer = m_shapes.layer(step)) {
      std::set<int> blocked_buffers = {m_layout.place(layer->input).storage,
                                       m_layout.place(layer->output).storage};
      if (layer->ew.operand != kNoTensor) {
        blocked_buffers.insert(m_layout.place(layer->ew.operand).storage);
      }
      each_subset(blocked_buffers, [&](const std::set<int>& kept) {
        uint64_t bytes = tiled(step, kept);
        for (const int index : kept) bytes += m_layout.blocked_buffers[size_t(index)].bytes();
        least = std::min(least, bytes);
      });
      return least;
    }
    const auto& dsp = *m_layout.layer_at(step).work.as<layer::DspLayer>();
    std::set<int> linear_buffers;
    for (const auto* operands : {&dsp.inputs, &dsp.outputs}) {
      for (const layer::DspOperand& o : *operands) {
        const int index = m_layout.place(o.tensor).flat;
        if (o.is_moved() && m_layout.linear_buffers[size_t(index)].uses_of_dsp > 0)
          linear_buffers.insert(index);
      }
    }
    constexpr size_t kMost = 8;
    if (linear_buffers.size() > kMost) return 0;  // too many ways to say
    each_subset(linear_buffers, [&](const std::set<int>& kept) {
      uint64_t bytes = of_dsp(dsp, kept);
      for (const int index : kept) bytes += m_layout.linear_buffers[size_t(index)].bytes;
      least = std::min(least, bytes);
    });
    return least;
  }

 private:
  uint64_t tiled(int step, const std::set<int>& kept) {
    LayerShape& shape = m_shapes.shape(step, [&](int storage) { return kept.count(storage) != 0; });
    uint64_t least = UINT64_MAX;
    for (const bool arriving : {false, true}) {
      if (arriving && shape.stream_input) continue;
      shape.arriving = arriving ? 1 : 0;
      for (const Cut cut : {Cut::kColumns, Cut::kChannels}) {
        if (least > m_enough) {
          least = std::min(least, least_bytes(shape, cut, m_config, m_enough));
        }
      }
    }
    return least;
  }

  uint64_t of_dsp(const layer::DspLayer& layer, const std::set<int>& kept) const {
    const MovedOperands moved =
        moved_operands(layer, m_layout, [&](int flat) { return kept.count(flat) != 0; });
    uint64_t least = UINT64_MAX;
    for (const DspChoice& choice : dsp_menu(layer, moved, m_config)) {
      least = std::min(least, choice.bytes);
    }
    return least;
  }

  const Layout& m_layout;
  const SocConfig& m_config;
  StepShapes m_shapes;
  OutsideSteps m_outside;
  uint64_t m_enough;
};

}  // namespace

std::vector<Unfit> unfit_steps(const Layout& layout, const SocConfig& config, Search& search) {
  std::vector<Unfit> unfit;
  Least least(layout, config, search);
  for (int step = 0; step < layout.step_count(); ++step) {
    const uint64_t needed = least.with_nothing_kept(step);
    if (needed <= config.sram.bytes) continue;
    if (least.with_any_kept(step) > config.sram.bytes) unfit.push_back({step, needed});
  }
  return unfit;
}

}  // namespace presil::plan
