#include "compiler_bridge/plan/layout.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "compiler_bridge/layer/in_place_layer.h"
#include "compiler_bridge/plan/dsp_blocks.h"
#include "compiler_bridge/plan/share.h"
#include "models/base/refusal.h"

namespace presil::plan {

bool Layout::share_bytes(TensorId a, TensorId b) const {
  const TensorPlace &p = place(a), &q = place(b);
  return p.storage != kNone && p.storage == q.storage && p.block < q.block + q.lanes.blocks() &&
         q.block < p.block + p.lanes.blocks();
}

std::vector<TensorId> Layout::sharing_storage(TensorId tensor) const {
  std::vector<TensorId> all;
  for (const TensorId other : blocked_of(tensor).tensors) {
    if (share_bytes(tensor, other)) all.push_back(other);
  }
  return all;
}

StoredTensors stored_tensors(const Layer& layer) {
  StoredTensors all;
  for (const Operand& operand : layer.work.operands()) {
    if (operand.form != Operand::Form::kBlocked) continue;
    (operand.write ? all.made : all.read).push_back(operand.tensor);
  }
  return all;
}

bool Layout::share_linear(TensorId a, TensorId b) const {
  const TensorPlace &p = place(a), &q = place(b);
  return p.flat != kNone && p.flat == q.flat && p.linear_at < q.linear_at + q.linear_bytes &&
         q.linear_at < p.linear_at + p.linear_bytes;
}

std::vector<TensorId> Layout::sharing_linear(TensorId tensor) const {
  std::vector<TensorId> all;
  for (const TensorId other : linear_buffers[size_t(place(tensor).flat)].tensors) {
    if (share_linear(tensor, other)) all.push_back(other);
  }
  return all;
}

int Layout::linear_ready(TensorId tensor) const {
  const TensorPlace& p = place(tensor);
  int ready = 0;
  if (p.flat == kNone) return ready;
  for (const LinearBuffer::Made& made : linear_buffers[size_t(p.flat)].made) {
    if (made.begin < p.linear_at + p.linear_bytes && p.linear_at < made.end) {
      ready = std::max(ready, made.ready);
    }
  }
  return ready;
}

namespace {

/// Why tensors that share bytes as NHWC need them.
struct FlatNeeds {
  bool needed = false;  ///< by the host or the network's edge
  bool input = false, constant = false;
  std::set<TensorId> outputs;
  std::set<int> blocked_buffers;  ///< classes that the DLA uses
  std::vector<TensorId> tensors;
};

class LayoutMaker {
 public:
  LayoutMaker(const ir::Graph& graph, const Layers& layers, const DlaConfig& config)
      : m_graph(graph), m_sharing(graph, layers, config) {
    m_layout.layers = layers;
    m_layout.places.resize(graph.tensors.size());
  }

  int lanes_differ() const { return m_sharing.lanes_differ(); }

  Layout run() {
    number_steps();
    make_blocked_buffers();
    find_images();
    make_linear_buffers();
    find_stores();
    find_makers();
    set_lifetimes();
    count_uses();
    find_loads();
    return std::move(m_layout);
  }

 private:
  void number_steps() {
    for (size_t i = 0; i < m_layout.layers.size(); ++i) {
      const layer::InPlaceLayer* in_place = m_layout.layers[i].work.in_place();
      const bool works = in_place == nullptr;
      m_layout.step_of.push_back(works ? static_cast<int>(m_layout.steps.size()) : kNone);
      if (works) m_layout.steps.push_back(static_cast<int>(i));
      if (in_place != nullptr && in_place->relation == layer::Relation::kFlip) {
        m_bit_flip_into.try_emplace(in_place->output, m_bit_flips.size());
        m_bit_flips.push_back(*in_place);
      }
    }
    for (int step = 0; step < m_layout.step_count(); ++step) {
      const int last = m_layout.steps[size_t(step)] + m_layout.layer_at(step).beside;
      int until = step;
      while (until + 1 < m_layout.step_count() && m_layout.steps[size_t(until) + 1] <= last)
        ++until;
      m_layout.until.push_back(until);
    }
  }

  /// The bit flip that makes the tensor, if one does.
  const layer::InPlaceLayer* bit_flip_into(TensorId tensor) const {
    const auto found = m_bit_flip_into.find(tensor);
    return found == m_bit_flip_into.end() ? nullptr : &m_bit_flips[found->second];
  }

  void find_images() {
    m_layout.images_of.assign(m_layout.blocked_buffers.size(), kNone);
    std::map<TensorId, int> group_of;  // by whole tensor
    for (const auto& [part, whole] : m_graph.parts) {
      const int storage = m_layout.place(part).storage;
      if (storage == kNone || m_layout.images_of[size_t(storage)] != kNone) continue;
      const auto [group, fresh] =
          group_of.try_emplace(whole.of, static_cast<int>(m_layout.images.size()));
      if (fresh) m_layout.images.emplace_back();
      m_layout.images_of[size_t(storage)] = group->second;
      m_layout.images[size_t(group->second)].push_back(storage);
    }
  }

  void make_blocked_buffers() {
    std::map<int, int> blocked_of_root;
    for (size_t t = 0; t < m_graph.tensors.size(); ++t) {
      const auto it = m_sharing.shares().find(m_sharing.blocked_class(static_cast<int>(t)));
      if (it == m_sharing.shares().end()) continue;
      const auto [id, block] = m_sharing.root(it->first);
      const Share& whole = m_sharing.shares().at(id);
      if (!whole.used && !whole.made) continue;
      const auto [at, fresh] =
          blocked_of_root.try_emplace(id, static_cast<int>(m_layout.blocked_buffers.size()));
      if (fresh) m_layout.blocked_buffers.push_back(new_storage(id, whole));
      BlockedBuffer& storage = m_layout.blocked_buffers[size_t(at->second)];
      storage.tensors.push_back(static_cast<int>(t));
      if (it->second.odd_rows && m_sharing.cut_differently().count(it->first) == 0)
        storage.odd_rows = true;
      storage.blocks_at_once = std::max(storage.blocks_at_once, it->second.blocks_at_once);
      TensorPlace& place = m_layout.places[t];
      place.storage = at->second;
      place.block = block;
      place.lanes = m_sharing.lanes_of(static_cast<int>(t));
      place.lattice = it->second.lattice;
      if (!place.lattice.is_whole()) place.interleaved = it->second.whole;
    }
    for (int id : m_sharing.cut_differently()) {
      const auto it = blocked_of_root.find(m_sharing.root(id).first);
      if (it != blocked_of_root.end())
        m_layout.blocked_buffers[size_t(it->second)].odd_rows = false;
    }
  }

  static BlockedBuffer new_storage(int, const Share& whole) {
    BlockedBuffer storage;
    storage.extent = whole.extent;
    const bool rows = whole.packable && !whole.made &&
                      whole.extent.w * whole.extent.c <= int64_t{dla::Command::kRowBytesMax};
    storage.form = rows ? Form::kRows : Form::kC16;
    storage.blocks = rows ? 1 : whole.lanes.blocks();
    if (storage.blocks == 0) storage.blocks = (whole.extent.c + 15) / 16;
    return storage;
  }

  // ---- linear buffers

  /// Layout::stored_weights(), before loads are known.
  bool stored_weights(TensorId t) const {
    const auto it = m_sharing.shares().find(m_sharing.blocked_class(t));
    return it != m_sharing.shares().end() && it->second.made && m_layout.stored_weights(t);
  }

  /// Where its own form is open, before loads are known.
  bool is_linear(const Operand& operand) const {
    return operand.form == Operand::Form::kLinear ||
           (operand.form == Operand::Form::kEither && !stored_weights(operand.tensor));
  }

  void make_linear_buffers() {
    std::map<int, FlatNeeds> needs;
    const auto of = [&](TensorId t) -> FlatNeeds& { return needs[m_sharing.linear_class(t)]; };
    for (TensorId t : m_graph.inputs) of(t).needed = of(t).input = true;
    for (TensorId t : m_graph.outputs) {
      of(t).needed = true;
      of(t).outputs.insert(t);
    }
    const auto use = [&](TensorId t) {
      if (m_graph.tensor(t).is_constant()) of(t).needed = of(t).constant = true;
    };
    for (const Layer& layer : m_layout.layers) {
      if (const layer::InPlaceLayer* in_place = layer.work.in_place()) {
        if (in_place->relation == layer::Relation::kFlip) {
          const bool in = m_graph.tensor(in_place->output).dtype == ir::DType::kInt8;
          of(in ? in_place->input() : in_place->output).needed = true;
        } else if (in_place->relation == layer::Relation::kConcat) {
          of(in_place->output).needed |= m_sharing.goes_through_memory(in_place->output);
        }
        continue;
      }
      for (const Operand& operand : layer.work.operands()) {
        if (operand.form == Operand::Form::kCarried) continue;
        const TensorId t = operand.tensor;
        const bool linear = is_linear(operand);
        if (!operand.write && (linear || operand.form == Operand::Form::kBlocked)) use(t);
        if (linear) of(t).needed = true;
      }
    }
    // Two blocked buffers that are views of each other meet in the linear buffer.
    for (const auto& [id, s] : m_sharing.shares()) {
      if (s.used || s.made) of(id).blocked_buffers.insert(id);
    }
    for (int t = 0; t < static_cast<int>(m_graph.tensors.size()); ++t) {
      const auto need = needs.find(m_sharing.linear_class(t));
      if (need != needs.end()) need->second.tensors.push_back(t);
    }
    for (auto& [id, need] : needs) {
      if (need.needed || need.blocked_buffers.size() > 1) make_linear(id, need);
    }
    lay_out_regions();
  }

  void make_linear(int id, const FlatNeeds& need) {
    const int index = static_cast<int>(m_layout.linear_buffers.size());
    LinearBuffer flat;
    flat.bytes = m_graph.tensor(id).bytes();
    if (need.outputs.size() > 1 || (!need.outputs.empty() && (need.input || need.constant))) {
      throw Refusal("plan", "output " + m_graph.tensor(*need.outputs.begin()).name +
                                " shares its bytes with an input, a constant or another output; "
                                "requires a copy between them. This is a defect of the partition");
    }
    if (need.input) {
      flat.region = PRESIL_REGION_INPUTS;
    } else if (need.constant) {
      flat.region = PRESIL_REGION_CONSTANTS;
    } else if (!need.outputs.empty()) {
      flat.region = PRESIL_REGION_OUTPUTS;
    }
    flat.tensors = need.tensors;
    for (const TensorId t : need.tensors) {
      TensorPlace& place = m_layout.places[size_t(t)];
      place.flat = index;
      place.linear_at = m_sharing.linear_at(t);
      place.linear_bytes = m_graph.tensor(t).bytes();
    }
    m_layout.linear_buffers.push_back(flat);
  }

  /// Network inputs and outputs one after another, in the network's order, on burst boundaries.
  void lay_out_regions() {
    const auto put = [](LinearBuffer& flat, uint64_t& end) {
      flat.offset = end;
      end += (flat.bytes + PRESIL_BURST_BYTES - 1) / PRESIL_BURST_BYTES * PRESIL_BURST_BYTES;
    };
    for (TensorId t : m_graph.inputs) {
      put(m_layout.linear_buffers[size_t(m_layout.places[size_t(t)].flat)], m_layout.input_bytes);
    }
    for (LinearBuffer& flat : m_layout.linear_buffers) {
      if (flat.region == PRESIL_REGION_OUTPUTS) put(flat, m_layout.output_bytes);
    }
  }

  void find_stores() {
    for (const Layer& layer : m_layout.layers) {
      for (const TensorId made : stored_tensors(layer).made) find_stores(made);
      const layer::InPlaceLayer* in_place = layer.work.in_place();
      if (in_place != nullptr && in_place->relation == layer::Relation::kInterleave) {
        find_stores(in_place->output);
      }
    }
    find_stores_of_views();
  }

  /// A view comes back from where the tensor was stored whose bytes it shows.
  void find_stores_of_views() {
    std::map<TensorId, std::vector<TensorId>> made_of;  // by linear class
    for (const Layer& layer : m_layout.layers) {
      for (const TensorId made : stored_tensors(layer).made) {
        if (!m_layout.place(made).stores.empty()) {
          made_of[m_sharing.linear_class(made)].push_back(made);
        }
      }
    }
    for (const Layer& layer : m_layout.layers) {
      for (const Operand& operand : layer.work.operands()) {
        const TensorId view = operand.tensor;
        TensorPlace& place = m_layout.places[size_t(view)];
        if (operand.write || operand.form == Operand::Form::kLinear || !place.stores.empty()) {
          continue;
        }
        for (const TensorId made : made_of[m_sharing.linear_class(view)]) {
          const TensorPlace& stored = m_layout.place(made);
          if (stored.storage == place.storage && same_bytes(made, view)) {
            place.stores = stored.stores;
            break;
          }
        }
      }
    }
  }

  void find_stores(TensorId made) {
    TensorPlace& place = m_layout.places[size_t(made)];
    int channel = 0;
    for (TensorId t = made; t != kNoTensor;) {
      const int channels = m_sharing.lanes_of(t).channels();
      if (m_layout.place(t).flat != kNone) place.stores.push_back({t, channel, channels, false});
      for (const layer::InPlaceLayer& flip_sign : m_bit_flips) {
        if (!same_bytes(flip_sign.input(), t)) continue;
        place.stores.push_back({flip_sign.output, channel, channels, true});
      }
      const Share& s = m_sharing.of(t);
      channel += s.channel;
      t = s.whole;
    }
  }

  /// What each step leaves in linear buffers: LinearBuffer::made, one entry for each range of
  /// bytes.
  void find_makers() {
    std::map<std::tuple<int, uint64_t, uint64_t>, int> ready;  // flat, begin, end
    const auto make = [&](TensorId t, int step) {
      const TensorPlace& p = m_layout.place(t);
      if (p.flat != kNone)
        ready[{p.flat, p.linear_at, p.linear_at + p.linear_bytes}] =
            m_layout.until[size_t(step)] + 1;
    };
    for (int step = 0; step < m_layout.step_count(); ++step) {
      const Layer& layer = m_layout.layer_at(step);
      for (const TensorId t : stored_tensors(layer).made) {
        for (const TensorPlace::Store& store : m_layout.place(t).stores) make(store.tensor, step);
      }
      for (const Operand& operand : layer.work.operands()) {
        if (operand.write && is_linear(operand)) make(operand.tensor, step);
      }
    }
    for (const auto& [range, step] : ready) {
      const auto [index, begin, end] = range;
      flat(index).made.push_back({begin, end, step});
    }
  }

  /// One is a view of the other.
  bool same_bytes(TensorId a, TensorId b) const {
    return m_sharing.linear_class(a) == m_sharing.linear_class(b) &&
           m_sharing.linear_at(a) == m_sharing.linear_at(b) &&
           m_graph.tensor(a).bytes() == m_graph.tensor(b).bytes();
  }

  // ---- lifetimes

  template <class Thing>
  void touch(Thing& thing, int step) const {
    thing.first = std::min(thing.first, step);
    thing.last = std::max(thing.last, m_layout.until[size_t(step)]);
  }
  BlockedBuffer& storage(TensorId t) {
    return m_layout.blocked_buffers[size_t(m_layout.place(t).storage)];
  }
  LinearBuffer& flat(int index) { return m_layout.linear_buffers[size_t(index)]; }

  void touch_linear(TensorId t, int step) {
    if (m_layout.place(t).flat != kNone) touch(flat(m_layout.place(t).flat), step);
  }

  void set_lifetimes() {
    const int end = std::max<int>(0, m_layout.step_count() - 1);
    for (BlockedBuffer& s : m_layout.blocked_buffers) s.first = end + 1, s.last = -1;
    for (LinearBuffer& f : m_layout.linear_buffers) f.first = end + 1, f.last = -1;
    const auto read = [&](TensorId t, int step) {
      touch(storage(t), step);
      const layer::InPlaceLayer* flip_sign = bit_flip_into(t);
      const int index = m_layout.place(flip_sign != nullptr ? flip_sign->input() : t).flat;
      if (index != kNone) touch(flat(index), step);
      // Outside the SRAM it may be bytes of others alone: after a sign-bit flip, or of a whole.
      const auto& stores = m_layout.place(t).stores;
      if (!stores.empty()) touch(flat(m_layout.place(stores.front().tensor).flat), step);
    };
    for (int step = 0; step < m_layout.step_count(); ++step) {
      const Layer& layer = m_layout.layer_at(step);
      const StoredTensors stored = stored_tensors(layer);
      for (const TensorId t : stored.read) read(t, step);
      for (const TensorId t : stored.made) {
        touch(storage(t), step);
        for (const auto& store : m_layout.place(t).stores) {
          touch(flat(m_layout.place(store.tensor).flat), step);
        }
      }
      for (const Operand& operand : layer.work.operands()) {
        if (operand.form == Operand::Form::kBlocked) continue;
        if (operand.form == Operand::Form::kEither && stored_weights(operand.tensor)) {
          read(operand.tensor, step);
        } else {
          touch_linear(operand.tensor, step);
        }
      }
    }
  }

  void count_uses() {
    std::set<int> in_memory;
    for (size_t i = 0; i < m_layout.linear_buffers.size(); ++i) {
      if (m_layout.linear_buffers[i].region != PRESIL_REGION_SCRATCH)
        in_memory.insert(static_cast<int>(i));
    }
    const auto each_linear = [&](auto&& f) {
      for (const Layer& layer : m_layout.layers) {
        for (const Operand& operand : layer.work.operands()) {
          const int index = m_layout.place(operand.tensor).flat;
          if (operand.form == Operand::Form::kLinear && index != kNone) f(operand, index);
        }
      }
    };
    each_linear([&](const Operand& operand, int index) {
      if (operand.in_memory) in_memory.insert(index);
    });
    each_linear([&](const Operand& operand, int index) {
      if (in_memory.count(index) != 0) return;
      if (operand.in_sram) ++flat(index).uses_of_dsp;
      if (operand.copied) ++flat(index).uses_of_dma;
    });
  }

  // ---- loads

  void find_loads() {
    std::vector<int> first_read(m_layout.blocked_buffers.size(), m_layout.step_count());
    for (int step = m_layout.step_count() - 1; step >= 0; --step) {
      for (const TensorId t : stored_tensors(m_layout.layer_at(step)).read) {
        const int index = m_layout.place(t).storage;
        if (index != kNone) first_read[size_t(index)] = step;
      }
    }
    for (auto& [id, s] : m_sharing.shares()) {
      if (s.made) continue;
      Load load;
      load.tensor = id;
      load.storage = m_layout.place(id).storage;
      load.from = id;
      if (const layer::InPlaceLayer* flip_sign = bit_flip_into(id)) {
        load.from = flip_sign->input();
        load.flip_sign = true;
      }
      if (m_layout.place(load.from).flat == kNone) {
        throw Refusal("plan",
                      "tensor " + m_graph.tensor(id).name +
                          " is read but nothing makes it. This is a defect of the partition");
      }
      load.ready = m_layout.linear_ready(load.from);
      load.first_use = std::min(m_layout.blocked_buffers[size_t(load.storage)].last,
                                first_read[size_t(load.storage)]);
      m_layout.blocked_buffers[size_t(load.storage)].load = static_cast<int>(m_layout.loads.size());
      m_layout.loads.push_back(load);
    }
  }

  const ir::Graph& m_graph;
  Sharing m_sharing;
  std::vector<layer::InPlaceLayer> m_bit_flips;
  std::map<TensorId, size_t> m_bit_flip_into;  ///< in m_bit_flips
  Layout m_layout;
};

}  // namespace

Layout lay_out(const ir::Graph& graph, const Layers& layers, const SocConfig& config,
               const std::set<int>& dense) {
  std::set<int> left = dense;
  for (;;) {
    Layers blocked = layers;
    store_operands(graph, blocked, left, config);
    LayoutMaker maker(graph, blocked, config.dla);
    if (maker.lanes_differ() == kNone) return maker.run();
    left.insert(maker.lanes_differ());
  }
}

}  // namespace presil::plan
