#include "compiler_bridge/plan/layout.h"

#include <algorithm>
#include <map>
#include <set>

#include "compiler_bridge/plan/share.h"
#include "rtl/soc/refusal.h"

namespace presil::plan {

bool Layout::share_bytes(TensorId a, TensorId b) const {
  const TensorPlace &p = place(a), &q = place(b);
  return p.storage != kNone && p.storage == q.storage && p.block < q.block + q.lanes.blocks() &&
         q.block < p.block + p.lanes.blocks();
}

namespace {

class LayoutMaker {
 public:
  LayoutMaker(const ir::Graph& graph, const Partition& partition, const DlaConfig& config)
      : m_graph(graph),
        m_config(config),
        m_flat(graph.tensors.size()),
        m_storage(graph.tensors.size()) {
    m_layout.layers = partition.layers;
    m_layout.places.resize(graph.tensors.size());
  }

  Layout run() {
    number_steps();
    unite_views();
    // Where channels of two operands lie differently, a concatenation goes through memory; then
    // again from the start.
    do {
      m_shares.clear();
      m_cut_differently.clear();
      for (const Layer& layer : m_layout.layers) see(layer);
    } while (!give_lanes());
    make_storages();
    make_flats();
    find_stores();
    set_lifetimes();
    find_loads();
    return std::move(m_layout);
  }

 private:
  void number_steps() {
    for (size_t i = 0; i < m_layout.layers.size(); ++i) {
      const auto& work = m_layout.layers[i].work;
      const bool works =
          std::holds_alternative<DlaLayer>(work) || std::holds_alternative<HostLayer>(work);
      m_layout.step_of.push_back(works ? static_cast<int>(m_layout.steps.size()) : kNone);
      if (works) m_layout.steps.push_back(static_cast<int>(i));
      if (const auto* flip = std::get_if<FlipLayer>(&work)) m_flips.push_back(*flip);
    }
  }

  /// The flip that makes the tensor, if one does.
  const FlipLayer* flip_into(TensorId tensor) const {
    for (const FlipLayer& flip : m_flips) {
      if (flip.output == tensor) return &flip;
    }
    return nullptr;
  }

  void unite_views() {
    for (const Layer& layer : m_layout.layers) {
      const auto* view = std::get_if<ViewLayer>(&layer.work);
      if (view == nullptr) continue;
      m_flat.unite(view->input, view->output);
      const Extent a = extent_of(m_graph.tensor(view->input));
      const Extent b = extent_of(m_graph.tensor(view->output));
      if (a.c == b.c) m_storage.unite(view->input, view->output);
    }
  }

  Share& share(TensorId tensor) {
    const int id = m_storage.of(tensor);
    auto [it, fresh] = m_shares.try_emplace(id);
    if (fresh) it->second.extent = extent_of(m_graph.tensor(tensor));
    return it->second;
  }

  /// All layers must agree on channels and number of pixels; rows may be cut differently as long as
  /// nobody wants space between them.
  void see(TensorId tensor, const Extent& extent, const Layer& layer) {
    Share& s = share(tensor);
    if (extent.c != s.extent.c || extent.h * extent.w != s.extent.h * s.extent.w) {
      throw Refusal("plan", "layer " + layer.name + " sees tensor " + m_graph.tensor(tensor).name +
                                " as " + text_of(extent) + ", another layer or its shape says " +
                                text_of(s.extent) +
                                "; wants the same channels and number of pixels. This is a defect "
                                "of the partition");
    }
    if (!s.used && !s.made) s.extent = extent;
    if (!(extent == s.extent)) m_cut_differently.insert(m_storage.of(tensor));
  }

  void see(const Layer& layer) {
    if (const auto* work = std::get_if<DlaLayer>(&layer.work)) {
      const int scale = work->upsample2 ? 2 : 1;
      see(work->input, {work->in_h, work->in_w, work->in_c}, layer);
      Share& input = share(work->input);
      input.used = true;
      if (work->kernel_h > 1 && is_lane_wise(*work)) input.odd_rows = true;
      const unsigned lanes = is_lane_wise(*work) ? m_config.macs_k : m_config.macs_c;
      input.blocks_at_once = std::max(input.blocks_at_once, static_cast<int>(lanes) / kWordBytes);
      const bool takes_rows = work->op == dla::Op::kConv && work->in_c <= 8 && work->dil_x == 1 &&
                              work->stride_x * work->in_c <= kWordBytes;
      if (!takes_rows) input.packable = false;
      if (work->ew.operand != kNoTensor) {
        see(work->ew.operand, extent_of(m_graph.tensor(work->ew.operand)), layer);
        Share& operand = share(work->ew.operand);
        operand.used = true;
        operand.packable = false;
      }
      see(work->output, {work->out_h * scale, work->out_w * scale, work->out_c}, layer);
      Share& output = share(work->output);
      output.made = true;
      output.packable = false;
    } else if (const auto* concat = std::get_if<ConcatLayer>(&layer.work)) {
      see_concat(*concat, layer);
    } else if (const auto* interleave = std::get_if<InterleaveLayer>(&layer.work)) {
      see_interleave(*interleave, layer);
    }
  }

  /// The inputs are made by DLA layers that came before, each for this concatenation only. In
  /// place: they are written where the concatenation lies. Through memory: they are stored into its
  /// flat.
  void see_concat(const ConcatLayer& concat, const Layer& layer) {
    const int whole = m_storage.of(concat.output);
    const bool in_place = m_through_memory.count(concat.output) == 0;
    Share& output = share(concat.output);
    output.made = in_place;
    output.packable = false;
    for (TensorId tensor : concat.inputs) {
      Share& input = share(tensor);
      if (!input.made || input.whole != kNoTensor || m_storage.of(tensor) == whole) {
        throw Refusal("plan", "tensor " + m_graph.tensor(tensor).name +
                                  " cannot be written in place as a part of " + layer.name +
                                  ": wants a tensor that the DLA makes for this concatenation "
                                  "only. This is a defect of the partition");
      }
      input.whole = concat.output;
      if (!in_place) continue;
      if (input.extent.h != output.extent.h || input.extent.w != output.extent.w) {
        m_cut_differently.insert(m_storage.of(tensor));
        m_cut_differently.insert(whole);
      }
      input.parent = whole;
    }
  }

  void see_interleave(const InterleaveLayer& interleave, const Layer& layer) {
    Share& output = share(interleave.output);
    output.made = true;
    output.packable = false;
    const int columns = extent_of(m_graph.tensor(interleave.output)).w;
    int index = 0;
    for (TensorId tensor : interleave.inputs) {
      Share& input = share(tensor);
      if (!input.made || input.used || input.whole != kNoTensor) {
        throw Refusal("plan", "tensor " + m_graph.tensor(tensor).name +
                                  " cannot be written in place as a part of " + layer.name +
                                  ": wants a tensor that the DLA makes for it only. This is a "
                                  "defect of the partition");
      }
      input.whole = interleave.output;
      input.parent = m_storage.of(interleave.output);
      input.lattice = {index / interleave.stride_x, index % interleave.stride_x,
                       interleave.stride_y, interleave.stride_x, columns};
      ++index;
    }
  }

  /// @return false: a concatenation more has to go through memory
  bool give_lanes() {
    for (const Layer& layer : m_layout.layers) {
      if (const auto* work = std::get_if<DlaLayer>(&layer.work)) {
        if (!give_lanes(*work, layer)) return false;
      } else if (const auto* concat = std::get_if<ConcatLayer>(&layer.work)) {
        give_lanes(*concat);
      } else if (const auto* interleave = std::get_if<InterleaveLayer>(&layer.work)) {
        if (!give_lanes(*interleave)) return false;
      }
    }
    return true;
  }

  /// All parts have their channels in the same lanes.
  bool give_lanes(const InterleaveLayer& interleave) {
    Share& output = share(interleave.output);
    output.lanes = lanes_of(interleave.inputs.front());
    output.lanes_from = share(interleave.inputs.front()).lanes_from;
    for (TensorId tensor : interleave.inputs) {
      if (lanes_of(tensor) == output.lanes) continue;
      const TensorId from = share(tensor).lanes_from;
      m_through_memory.insert(from != kNoTensor ? from : output.lanes_from);
      return false;
    }
    return true;
  }

  bool give_lanes(const DlaLayer& work, const Layer& layer) {
    Share& output = share(work.output);
    output.lanes = is_lane_wise(work) ? lanes_of(work.input) : Lanes::dense(work.out_c);
    output.lanes_from = is_lane_wise(work) ? share(work.input).lanes_from : kNoTensor;
    if (work.ew.operand == kNoTensor) return true;
    const Lanes operand = lanes_of(work.ew.operand);
    const TensorId from = share(work.ew.operand).lanes_from;
    if (!is_lane_wise(work)) {  // a convolution can put its channels anywhere
      output.lanes = operand;
      output.lanes_from = from;
    }
    if (output.lanes == operand) return true;
    const TensorId culprit = from != kNoTensor ? from : output.lanes_from;
    if (culprit == kNoTensor) {
      throw Refusal("plan", "layer " + layer.name + " combines tensors of " +
                                std::to_string(output.lanes.channels()) + " and " +
                                std::to_string(operand.channels()) +
                                " channels, wants as many. This is a defect of the partition");
    }
    m_through_memory.insert(culprit);
    return false;
  }

  void give_lanes(const ConcatLayer& concat) {
    const bool in_place = m_through_memory.count(concat.output) == 0;
    Lanes whole;
    for (TensorId tensor : concat.inputs) {
      Share& input = share(tensor);
      input.channel = whole.channels();
      if (in_place) input.block = whole.blocks();
      whole.append(lanes_of(tensor));
    }
    Share& output = share(concat.output);
    output.lanes = in_place ? whole : Lanes::dense(whole.channels());
    if (!output.lanes.is_dense()) output.lanes_from = concat.output;
  }

  const Lanes& lanes_of(TensorId tensor) {
    Share& s = share(tensor);
    if (s.lanes.segments.empty()) s.lanes = Lanes::dense(s.extent.c);
    return s.lanes;
  }

  /// The outermost concatenation and the first block in it.
  std::pair<int, int> root(int id) const {
    int block = 0;
    while (m_shares.at(id).parent != kNone) {
      block += m_shares.at(id).block;
      id = m_shares.at(id).parent;
    }
    return {id, block};
  }

  void make_storages() {
    std::map<int, int> storage_of_root;
    for (size_t t = 0; t < m_graph.tensors.size(); ++t) {
      const auto it = m_shares.find(m_storage.of(static_cast<int>(t)));
      if (it == m_shares.end()) continue;
      const auto [id, block] = root(it->first);
      const Share& whole = m_shares.at(id);
      if (!whole.used && !whole.made) continue;
      const auto [at, fresh] =
          storage_of_root.try_emplace(id, static_cast<int>(m_layout.storages.size()));
      if (fresh) m_layout.storages.push_back(new_storage(id, whole));
      Storage& storage = m_layout.storages[size_t(at->second)];
      storage.tensors.push_back(static_cast<int>(t));
      if (it->second.odd_rows && m_cut_differently.count(it->first) == 0) storage.odd_rows = true;
      storage.blocks_at_once = std::max(storage.blocks_at_once, it->second.blocks_at_once);
      TensorPlace& place = m_layout.places[t];
      place.storage = at->second;
      place.block = block;
      place.lanes = lanes_of(static_cast<int>(t));
      place.lattice = it->second.lattice;
      if (!place.lattice.is_whole()) place.interleaved = it->second.whole;
    }
    for (int id : m_cut_differently) {
      const auto it = storage_of_root.find(root(id).first);
      if (it != storage_of_root.end()) m_layout.storages[size_t(it->second)].odd_rows = false;
    }
  }

  static Storage new_storage(int, const Share& whole) {
    Storage storage;
    storage.extent = whole.extent;
    const bool rows = whole.packable && !whole.made && whole.extent.w * whole.extent.c <= 65535;
    storage.form = rows ? Form::kRows : Form::kC16;
    storage.blocks = rows ? 1 : whole.lanes.blocks();
    if (storage.blocks == 0) storage.blocks = (whole.extent.c + 15) / 16;
    return storage;
  }

  // ---- flats

  void make_flats() {
    std::map<int, FlatNeeds> needs;
    const auto of = [&](TensorId t) -> FlatNeeds& { return needs[m_flat.of(t)]; };
    for (TensorId t : m_graph.inputs) of(t).wanted = of(t).input = true;
    for (TensorId t : m_graph.outputs) {
      of(t).wanted = true;
      of(t).outputs.insert(t);
    }
    const auto use = [&](TensorId t) {
      if (m_graph.tensor(t).is_constant()) of(t).wanted = of(t).constant = true;
    };
    for (const Layer& layer : m_layout.layers) {
      if (const auto* host = std::get_if<HostLayer>(&layer.work)) {
        for (TensorId t : host->inputs) use(t), of(t).wanted = true;
        for (TensorId t : host->outputs) of(t).wanted = true;
      } else if (const auto* work = std::get_if<DlaLayer>(&layer.work)) {
        use(work->input);
        if (work->ew.operand != kNoTensor) use(work->ew.operand);
      } else if (const auto* flip = std::get_if<FlipLayer>(&layer.work)) {
        const bool in = m_graph.tensor(flip->output).dtype == ir::DType::kInt8;
        of(in ? flip->input : flip->output).wanted = true;
      } else if (const auto* concat = std::get_if<ConcatLayer>(&layer.work)) {
        of(concat->output).wanted |= m_through_memory.count(concat->output) != 0;
      }
    }
    // Two storages that are views of each other meet in the flat.
    for (const auto& [id, s] : m_shares) {
      if (s.used || s.made) of(id).storages.insert(id);
    }
    for (auto& [id, need] : needs) {
      if (need.wanted || need.storages.size() > 1) make_flat(id, need);
    }
    lay_out_regions();
  }

  void make_flat(int id, const FlatNeeds& need) {
    const int index = static_cast<int>(m_layout.flats.size());
    Flat flat;
    flat.bytes = m_graph.tensor(id).bytes();
    if (need.outputs.size() > 1 || (!need.outputs.empty() && (need.input || need.constant))) {
      throw Refusal("plan", "output " + m_graph.tensor(*need.outputs.begin()).name +
                                " shares its bytes with an input, a constant or another output; "
                                "wants a copy between them. This is a defect of the partition");
    }
    if (need.input) {
      flat.region = PRESIL_REGION_INPUTS;
    } else if (need.constant) {
      flat.region = PRESIL_REGION_CONSTANTS;
    } else if (!need.outputs.empty()) {
      flat.region = PRESIL_REGION_OUTPUTS;
    }
    for (size_t t = 0; t < m_graph.tensors.size(); ++t) {
      if (m_flat.of(static_cast<int>(t)) != id) continue;
      flat.tensors.push_back(static_cast<int>(t));
      m_layout.places[t].flat = index;
    }
    m_layout.flats.push_back(flat);
  }

  /// Network inputs and outputs one after another, in the network's order, on burst boundaries.
  void lay_out_regions() {
    const auto put = [](Flat& flat, uint64_t& end) {
      flat.offset = end;
      end += (flat.bytes + PRESIL_BURST_BYTES - 1) / PRESIL_BURST_BYTES * PRESIL_BURST_BYTES;
    };
    for (TensorId t : m_graph.inputs) {
      put(m_layout.flats[size_t(m_layout.places[size_t(t)].flat)], m_layout.input_bytes);
    }
    for (Flat& flat : m_layout.flats) {
      if (flat.region == PRESIL_REGION_OUTPUTS) put(flat, m_layout.output_bytes);
    }
  }

  void find_stores() {
    for (const Layer& layer : m_layout.layers) {
      if (const auto* work = std::get_if<DlaLayer>(&layer.work)) find_stores(work->output);
      const auto* interleave = std::get_if<InterleaveLayer>(&layer.work);
      if (interleave != nullptr) find_stores(interleave->output);
    }
  }

  void find_stores(TensorId made) {
    TensorPlace& place = m_layout.places[size_t(made)];
    int channel = 0;
    for (TensorId t = made; t != kNoTensor;) {
      const int flat = m_layout.place(t).flat;
      const int channels = lanes_of(t).channels();
      if (flat != kNone) place.stores.push_back({flat, channel, channels, false});
      for (const FlipLayer& flip : m_flips) {
        if (m_flat.of(flip.input) != m_flat.of(t)) continue;
        place.stores.push_back({m_layout.place(flip.output).flat, channel, channels, true});
      }
      const Share& s = share(t);
      channel += s.channel;
      t = s.whole;
    }
  }

  // ---- lifetimes

  template <class Thing>
  static void touch(Thing& thing, int step) {
    thing.first = std::min(thing.first, step);
    thing.last = std::max(thing.last, step);
  }
  Storage& storage(TensorId t) { return m_layout.storages[size_t(m_layout.place(t).storage)]; }
  Flat& flat(int index) { return m_layout.flats[size_t(index)]; }

  void set_lifetimes() {
    const int end = std::max<int>(0, m_layout.step_count() - 1);
    for (Storage& s : m_layout.storages) s.first = end + 1, s.last = -1;
    for (Flat& f : m_layout.flats) f.first = end + 1, f.last = -1;
    const auto read = [&](TensorId t, int step) {
      touch(storage(t), step);
      const FlipLayer* flip = flip_into(t);
      const int index = m_layout.place(flip != nullptr ? flip->input : t).flat;
      if (index != kNone) touch(flat(index), step);
    };
    for (int step = 0; step < m_layout.step_count(); ++step) {
      const auto& layer = m_layout.layer_at(step).work;
      if (const auto* work = std::get_if<DlaLayer>(&layer)) {
        read(work->input, step);
        if (work->ew.operand != kNoTensor) read(work->ew.operand, step);
        touch(storage(work->output), step);
        for (const auto& store : m_layout.place(work->output).stores) touch(flat(store.flat), step);
      } else if (const auto* host = std::get_if<HostLayer>(&layer)) {
        for (TensorId t : host->inputs) touch(flat(m_layout.place(t).flat), step);
        for (TensorId t : host->outputs) touch(flat(m_layout.place(t).flat), step);
      }
    }
  }

  // ---- loads

  void find_loads() {
    for (auto& [id, s] : m_shares) {
      if (s.made) continue;
      Load load;
      load.tensor = id;
      load.storage = m_layout.place(id).storage;
      load.flat = m_layout.place(id).flat;
      if (const FlipLayer* flip = flip_into(id)) {
        load.flat = m_layout.place(flip->input).flat;
        load.flip = true;
      }
      if (load.flat == kNone) {
        throw Refusal("plan",
                      "tensor " + m_graph.tensor(id).name +
                          " is read but nobody makes it. This is a defect of the partition");
      }
      load.first_use = m_layout.storages[size_t(load.storage)].last;
      for (int step = 0; step < m_layout.step_count(); ++step) {
        const auto& layer = m_layout.layer_at(step).work;
        if (makes(layer, load.flat)) load.ready = step + 1;
        if (const auto* work = std::get_if<DlaLayer>(&layer)) {
          const auto reads = [&](TensorId t) {
            return t != kNoTensor && m_layout.place(t).storage == load.storage;
          };
          if (reads(work->input) || reads(work->ew.operand)) {
            load.first_use = std::min(load.first_use, step);
          }
        }
      }
      m_layout.storages[size_t(load.storage)].load = static_cast<int>(m_layout.loads.size());
      m_layout.loads.push_back(load);
    }
  }

  bool makes(const decltype(Layer::work)& layer, int flat) const {
    if (const auto* work = std::get_if<DlaLayer>(&layer)) {
      const auto& stores = m_layout.place(work->output).stores;
      return std::any_of(stores.begin(), stores.end(),
                         [&](const TensorPlace::Store& s) { return s.flat == flat; });
    }
    const auto* host = std::get_if<HostLayer>(&layer);
    return host != nullptr &&
           std::any_of(host->outputs.begin(), host->outputs.end(),
                       [&](TensorId t) { return m_layout.place(t).flat == flat; });
  }

  const ir::Graph& m_graph;
  const DlaConfig& m_config;
  Classes m_flat, m_storage;
  std::vector<FlipLayer> m_flips;
  std::map<int, Share> m_shares;        ///< by storage class
  std::set<int> m_cut_differently;      ///< storage classes whose rows are seen in two ways
  std::set<TensorId> m_through_memory;  ///< concatenations that are not written in place
  Layout m_layout;
};

}  // namespace

Layout lay_out(const ir::Graph& graph, const Partition& partition, const DlaConfig& config) {
  return LayoutMaker(graph, partition, config).run();
}

}  // namespace presil::plan
