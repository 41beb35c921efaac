// The layers of the DLA as tilings are chosen for them: what of it does not change from plan to
// plan is found once.
#pragma once

#include <array>
#include <vector>

#include "compiler_bridge/plan/search.h"

namespace presil::plan {

class DlaShapes {
 public:
  DlaShapes(const Layout& layout, const SocConfig& config, Search& search);

  /// Null: the step is no layer of the DLA.
  const layer::DlaLayer* layer(int step) const { return m_shapes[size_t(step)].layer; }

  /// The layer of a step whose tensors come and go by tiles unless their blocked buffers are kept.
  /// It is this one until the step is asked for again.
  template <class Kept>
  LayerShape& shape(int step, const Kept& kept) {
    LayerShape& shape = m_shapes[size_t(step)];
    const layer::DlaLayer& layer = *shape.layer;
    shape.stream_input = !kept(m_layout.place(layer.input).storage);
    shape.stream_output = !kept(m_layout.place(layer.output).storage);
    shape.stream_operand =
        shape.operand != nullptr && !kept(m_layout.place(layer.ew.operand).storage);
    shape.prefetched = false;
    shape.arriving = 0;
    return shape;
  }

  /// As it was asked for last.
  const LayerShape& shape(int step) const { return m_shapes[size_t(step)]; }

  /// Its tilings, by what is set in the shape.
  const std::vector<TilingChoice>& menu(int step, Cut cut);

 private:
  static constexpr size_t kCuts = 3, kFlags = 5;
  using Menus = std::array<const std::vector<TilingChoice>*, kCuts << kFlags>;

  const Layout& m_layout;
  const SocConfig& m_config;
  Search& m_search;
  std::vector<LayerShape> m_shapes;  ///< by step
  std::vector<Menus> m_menus;        ///< by step; null: not asked for yet
};

}  // namespace presil::plan
