#include "compiler_bridge/plan/dla_shapes.h"

#include "compiler_bridge/plan/pack.h"

namespace presil::plan {

DlaShapes::DlaShapes(const Layout& layout, const SocConfig& config, Search& search)
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

const std::vector<TilingChoice>& DlaShapes::menu(int step, Cut cut) {
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

}  // namespace presil::plan
