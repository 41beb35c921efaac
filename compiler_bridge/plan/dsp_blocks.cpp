#include "compiler_bridge/plan/dsp_blocks.h"

#include <algorithm>

#include "compiler_bridge/layer/in_place_layer.h"
#include "compiler_bridge/plan/cost.h"
#include "compiler_bridge/plan/forms.h"
#include "compiler_bridge/plan/share.h"

namespace presil::plan {
namespace {

using Blocks = layer::DspOperand::Blocks;
using OperandCut = layer::DspOperand::Cut;

class Chooser {
 public:
  Chooser(const ir::Graph& graph, Layers& layers, const SocConfig& config)
      : m_graph(graph),
        m_layers(layers),
        m_config(config),
        m_class(blocked_classes(graph, layers)) {
    for (const Layer& layer : m_layers) look(layer);
  }

  void run(const std::set<int>& dense) {
    for (size_t i = 0; i < m_layers.size(); ++i) {
      auto* layer = m_layers[i].work.edit<layer::DspLayer>();
      if (layer == nullptr) {
        make(m_layers[i]);
      } else if (dense.count(static_cast<int>(i)) == 0) {
        choose(*layer);
      }
    }
  }

 private:
  int of(TensorId tensor) const { return m_class.of(tensor); }
  Extent extent(TensorId tensor) const { return extent_of(m_graph.tensor(tensor)); }

  /// What is read in blocks, wherever it comes in the order.
  void look(const Layer& layer) {
    for (const Operand& operand : layer.work.operands()) {
      if (operand.write) continue;
      if (operand.form == Operand::Form::kBlocked) m_read.insert(of(operand.tensor));
      if (operand.packable) m_packable.insert(of(operand.tensor));
      // Where both operands of a product are computed, lanes that no channel has are 0 in them.
      if (operand.zero_padding) m_padded_with_zero.insert(of(operand.tensor));
    }
  }

  void make(const Layer& layer) {
    const layer::InPlaceLayer* in_place = layer.work.in_place();
    const bool joins = in_place != nullptr && (in_place->relation == layer::Relation::kConcat ||
                                               in_place->relation == layer::Relation::kInterleave);
    for (const Operand& operand : layer.work.operands()) {
      const bool blocked = joins || operand.form == Operand::Form::kBlocked;
      if (operand.write && blocked) m_made.insert(of(operand.tensor));
    }
  }
  bool made(const layer::DspOperand& o) const { return m_made.count(of(o.tensor)) != 0; }
  bool read(const layer::DspOperand& o) const { return m_read.count(of(o.tensor)) != 0; }

  void choose(layer::DspLayer& layer) {
    const auto memory = [](const layer::DspOperand& o) { return o.cut == OperandCut::kMemory; };
    if (std::any_of(layer.outputs.begin(), layer.outputs.end(), memory)) return;
    const auto says = [&](Blocks blocks) {
      return std::any_of(layer.outputs.begin(), layer.outputs.end(),
                         [&](const layer::DspOperand& o) { return o.blocks == blocks; });
    };
    if (says(Blocks::kLanes)) choose_lanes(layer);
    if (says(Blocks::kRows)) choose_rows(layer);
    choose_own(layer);
    for (const layer::DspOperand& output : layer.outputs) {
      if (output.stored) m_made.insert(of(output.tensor));
    }
  }

  template <class F>
  static void each(layer::DspLayer& layer, F&& f) {
    for (layer::DspOperand& operand : layer.inputs) f(operand, false);
    for (layer::DspOperand& operand : layer.outputs) f(operand, true);
  }

  void choose_lanes(layer::DspLayer& layer) {
    bool fits = true, met = false;
    const int channels = extent(layer.outputs.front().tensor).c;
    Cycle saved = 0;
    each(layer, [&](const layer::DspOperand& o, bool output) {
      if (o.blocks == Blocks::kNone) {
        fits &= !o.is_cut();
        return;
      }
      fits &= extent(o.tensor).c == channels && (!output || may_pad(o));
      if (output ? !read(o) : !made(o)) return;
      met = true;
      saved += moves(o);
    });
    if (!fits || !met) return;
    const int64_t lanes = (channels + 15) / 16 * 16;
    const int64_t padding = (layer.rows * lanes + channels - 1) / channels - layer.rows;
    if (layer.cycles(layer.rows + padding) > layer.cycles(layer.rows) + saved) return;
    layer.padding = padding;
    layer.columns = extent(layer.outputs.front().tensor).w;
    each(layer, [](layer::DspOperand& o, bool) { o.stored = o.blocks == Blocks::kLanes; });
  }

  void choose_rows(layer::DspLayer& layer) {
    const Extent image = extent(layer.outputs.front().tensor);
    bool rows = true;
    each(layer, [&](const layer::DspOperand& o, bool) {
      if (o.cut != OperandCut::kRows) return;
      const Extent e = extent(o.tensor);
      rows &= e.h == image.h && e.w == image.w && o.shape == std::vector<int64_t>{e.c};
    });
    if (!rows || layer.rows != int64_t{image.h} * image.w) return;
    each(layer, [&](layer::DspOperand& o, bool output) {
      if (o.blocks != Blocks::kRows || !lies_dense(extent(o.tensor))) return;
      o.stored = output ? read(o) && may_pad(o) : made(o);
      if (o.stored) layer.columns = image.w;
    });
  }

  /// Dense rows are better for a convolution that packs them.
  void choose_own(layer::DspLayer& layer) {
    each(layer, [&](layer::DspOperand& o, bool output) {
      if (o.blocks != Blocks::kOwn) return;
      const bool packed = m_packable.count(of(o.tensor)) != 0;
      o.stored = output ? read(o) && !packed && may_pad(o) : made(o);
    });
  }

  /// The channels of a pixel: in one block, or in blocks of one pixel, which lie one after another
  /// where no array reads two at once.
  bool lies_dense(const Extent& e) const {
    if (e.c <= kWordBytes) return true;
    return e.h * e.w == 1 && m_config.dla.macs_c == kWordBytes && m_config.dla.macs_k == kWordBytes;
  }

  /// What reads it does not mind what is in lanes that no channel has.
  bool may_pad(const layer::DspOperand& o) const {
    return extent(o.tensor).c % kWordBytes == 0 || m_padded_with_zero.count(of(o.tensor)) == 0;
  }

  /// There and back: what the DLA has in its form and the DSP dense.
  Cycle moves(const layer::DspOperand& o) const {
    const Extent e = extent(o.tensor);
    const uint64_t pixels = uint64_t(e.h) * uint64_t(e.w), c = uint64_t(e.c);
    return move_cycles(pixels * ((c + 15) / 16 * 16), 1, m_config) +
           move_cycles(pixels * c, 1, m_config);
  }

  const ir::Graph& m_graph;
  Layers& m_layers;
  const SocConfig& m_config;
  const Classes m_class;
  std::set<int> m_made, m_read, m_packable, m_padded_with_zero;  ///< storage classes
};

}  // namespace

void store_operands(const ir::Graph& graph, Layers& layers, const std::set<int>& dense,
                    const SocConfig& config) {
  Chooser(graph, layers, config).run(dense);
}

}  // namespace presil::plan
