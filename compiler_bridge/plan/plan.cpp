#include "compiler_bridge/plan/plan.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "compiler_bridge/plan/choose_tiling.h"
#include "compiler_bridge/plan/cost.h"
#include "compiler_bridge/plan/dsp_plan.h"
#include "compiler_bridge/plan/scratch.h"

namespace presil::plan {
namespace {

/// How hard to try: weights loaded this many steps ahead, tiles in this share of the room left.
struct Attempt {
  int prefetch = 0;
  double share = 1.0;
  /// Asks for the least room in every step: where it fails, something has to go.
  bool is_least() const { return prefetch == 0 && share == 1.0; }
};

/// Why an attempt failed: where room is missing.
struct Shortage {
  int step = 0;
  uint64_t needed = 0;
};

/// Steps that weights are loaded ahead: a bound, so that time and memory of planning are linear.
constexpr int kMostAhead = 256;

/// Storages moved out after the first plan that fits, in search of a faster one.
constexpr int kFurtherMoves = 6;

class Planner {
 public:
  Planner(const Layout& layout, const SocConfig& config)
      : m_layout(layout),
        m_config(config),
        m_keep(layout.storages.size(), Keep::kSram),
        m_stays(layout.flats.size()),
        m_made(layout.storages.size()),
        m_uses(layout.storages.size(), 0) {
    for (size_t i = 0; i < m_stays.size(); ++i) m_stays[i] = layout.flats[i].uses_of_dsp > 0;
    for (int step = 0; step < layout.step_count(); ++step) {
      for (const TensorId t : stored_tensors(layout.layer_at(step)).made) {
        Made& made = m_made[size_t(layout.place(t).storage)];
        if (made.first == kNone) made.first = step, made.tensor = t;
        made.last = step;
      }
      const bool dsp = std::holds_alternative<DspLayer>(layout.layer_at(step).work);
      for (const TensorId t : used_in(step)) {
        const int storage = layout.place(t).storage;
        if (storage == kNone) continue;
        ++m_uses[size_t(storage)];
        if (dsp) m_of_dsp[storage].insert(layout.steps[size_t(step)]);
      }
    }
  }

  Plan run() {
    for (int step = 0; step < m_layout.step_count(); ++step) move_unaligned_rows_out(step);
    std::optional<Plan> best;
    Shortage shortage;
    for (int further = 0; further < kFurtherMoves; further += best ? 1 : 0) {
      for (const Attempt& attempt : attempts()) {
        Shortage missing;
        std::optional<Plan> plan = try_plan(attempt, missing);
        if (attempt.is_least()) shortage = missing;
        if (plan && (!best || plan->cycles < best->cycles)) best = std::move(plan);
      }
      const int step = best ? slowest_step(*best) : shortage.step;
      if (step == kNone) break;
      const bool may_leave = !best;  // the DSP's operands their blocks
      if (!move_one_out(step, may_leave) && (best || !move_one_out(kNone, may_leave))) break;
    }
    if (!best) refuse(shortage);
    if (best->prefetch == 0) prefetch_where_possible(*best);
    place_scratch(m_layout, *best);
    return std::move(*best);
  }

 private:
  /// From the most overlap to the least; the last words are small tiles without any overlap.
  std::vector<Attempt> attempts() const {
    std::vector<Attempt> all;
    const int most = std::min(m_layout.step_count(), kMostAhead);
    for (int ahead = most; ahead > 1; ahead /= 2) all.push_back({ahead, 1.0});
    for (double share : {1.0, 0.8, 0.6, 0.4, 0.2, 0.1, 0.05}) all.push_back({1, share});
    for (double share : {1.0, 0.8, 0.6}) all.push_back({0, share});
    return all;
  }

  const DlaLayer* dla_layer(int step) const {
    return std::get_if<DlaLayer>(&m_layout.layer_at(step).work);
  }

  bool kept_in_sram(int storage) const { return m_keep[size_t(storage)] == Keep::kSram; }

  LayerShape shape_of(const DlaLayer& layer) const {
    LayerShape shape;
    const auto& in = m_layout.place(layer.input);
    const auto& out = m_layout.place(layer.output);
    shape.layer = &layer;
    shape.input = &m_layout.storage_of(layer.input);
    shape.output = &m_layout.storage_of(layer.output);
    shape.stream_input = !kept_in_sram(in.storage);
    shape.stream_output = !kept_in_sram(out.storage);
    shape.packed = is_packed(layer, *shape.input);
    shape.runs = runs_of(layer, shape.packed, in.lanes, out.lanes, m_config.dla);
    if (layer.ew.operand != kNoTensor) {
      shape.operand = &m_layout.storage_of(layer.ew.operand);
      shape.stream_operand = !kept_in_sram(m_layout.place(layer.ew.operand).storage);
      shape.broadcast = shape.operand->extent.h * shape.operand->extent.w == 1;
    }
    return shape;
  }

  /// Dense rows cannot be entered in the middle of a word: where a row is cut into column tiles,
  /// DMA brings each tile's part.
  void move_unaligned_rows_out(int step) {
    const DlaLayer* layer = dla_layer(step);
    if (layer == nullptr || m_layout.storage_of(layer->input).form != Form::kRows) return;
    if (layer->out_w > most_columns(*layer, m_config.dla)) {
      m_keep[size_t(m_layout.place(layer->input).storage)] = Keep::kFlat;
    }
  }

  // ---- one attempt

  std::optional<Plan> try_plan(const Attempt& attempt, Shortage& shortage) {
    Plan plan;
    plan.prefetch = attempt.prefetch;
    plan.layers.resize(size_t(m_layout.step_count()));
    keep_storages(plan);
    keep_flats(plan);
    const std::vector<uint64_t> live = live_bytes(plan);
    LayersCost cost(attempt.prefetch);
    for (int step = 0; step < m_layout.step_count(); ++step) {
      if (const auto* dsp = std::get_if<DspLayer>(&m_layout.layer_at(step).work)) {
        if (!plan_dsp(plan, step, *dsp, budget(attempt, live[size_t(step)]), cost, shortage)) {
          return std::nullopt;
        }
        continue;
      }
      const DlaLayer* layer = dla_layer(step);
      if (layer == nullptr) continue;
      LayerShape shape = shape_of(*layer);
      shape.prefetched = attempt.prefetch > 0 && weights_ready(*layer) < step;
      shape.arriving = arriving_bytes(plan, step, *layer);
      const uint64_t taken = live[size_t(step)];
      const TilingChoice* choice = choose(step, shape, budget(attempt, taken));
      if (choice == nullptr) {
        const uint64_t least = std::min(menu(step, shape, Cut::kColumns).front().bytes,
                                        menu(step, shape, Cut::kChannels).front().bytes);
        shortage = {step, taken + least};
        return std::nullopt;
      }
      cost.add(choice->ahead, choice->cycles, choice->moved);
      plan.layers[size_t(step)] = plan_layer(plan, step, shape, choice->tiling);
      plan.layers[size_t(step)].lost = choice->lost;
    }
    plan.cycles = cost.total();
    plan.placing = place_buffers(plan.buffers);
    if (plan.placing.peak > m_config.sram.bytes) {
      const Pressure pressure = highest_pressure(plan.buffers);
      shortage = {std::min(pressure.step, m_layout.step_count() - 1), plan.placing.peak};
      return std::nullopt;
    }
    return plan;
  }

  uint64_t budget(const Attempt& attempt, uint64_t taken) const {
    const uint64_t room = taken < m_config.sram.bytes ? m_config.sram.bytes - taken : 0;
    return static_cast<uint64_t>(double(room) * attempt.share);
  }

  /// Columns are cut where rows are not enough; sums are made in parts where that does not help
  /// either, or where it is faster than a tiling that loses much to moving data. Null: none fits.
  const TilingChoice* choose(int step, const LayerShape& shape, uint64_t budget) {
    constexpr Cycle kMuch = 8;  // one cycle of so many
    const TilingChoice* best = choose_tiling(menu(step, shape, Cut::kRows), budget);
    if (best == nullptr) best = choose_tiling(menu(step, shape, Cut::kColumns), budget);
    if (best != nullptr && best->lost * kMuch <= best->cycles) return best;
    const TilingChoice* parts = choose_tiling(menu(step, shape, Cut::kChannels), budget);
    return best == nullptr || (parts != nullptr && parts->cycles < best->cycles) ? parts : best;
  }

  /// Tilings of a layer do not depend on what else is tried: each menu is made once.
  const std::vector<TilingChoice>& menu(int step, const LayerShape& shape, Cut cut) {
    const MenuKey key{step,
                      shape.stream_input,
                      shape.stream_operand,
                      shape.stream_output,
                      shape.arriving != 0,
                      shape.prefetched,
                      cut};
    const auto [it, fresh] = m_menus.try_emplace(key);
    if (fresh) it->second = tiling_menu(shape, cut, m_config);
    return it->second;
  }

  /// An input that cannot be loaded before the layer begins, and that the layer is the first to
  /// read.
  uint64_t arriving_bytes(const Plan& plan, int step, const DlaLayer& layer) const {
    const int index = m_layout.place(layer.input).storage;
    const Storage& storage = m_layout.storages[size_t(index)];
    if (storage.load == kNone || !kept_in_sram(index)) return 0;
    const Load& load = m_layout.loads[size_t(storage.load)];
    const bool now = load.first_use == step && plan.storages[size_t(index)].load_step == step;
    return now ? storage.bytes() : 0;
  }

  void keep_storages(Plan& plan) const {
    plan.storages.resize(m_layout.storages.size());
    for (size_t i = 0; i < m_layout.storages.size(); ++i) {
      const Storage& storage = m_layout.storages[i];
      KeptStorage& kept = plan.storages[i];
      kept.keep = m_keep[i];
      int first = storage.first;
      if (storage.load != kNone) {
        const Load& load = m_layout.loads[size_t(storage.load)];
        kept.load_step = std::max(load.ready, load.first_use - std::max(0, plan.prefetch));
        first = kept.load_step;
      }
      if (kept.keep != Keep::kSram) continue;
      kept.buffer = static_cast<int>(plan.buffers.size());
      plan.buffers.push_back({storage.bytes(), kWordBytes, first, storage.last});
    }
  }

  void keep_flats(Plan& plan) const {
    plan.flat_buffers.assign(m_stays.size(), kNone);
    for (size_t i = 0; i < m_stays.size(); ++i) {
      const Flat& flat = m_layout.flats[i];
      if (!m_stays[i]) continue;
      plan.flat_buffers[i] = static_cast<int>(plan.buffers.size());
      plan.buffers.push_back({flat.bytes, kWordBytes, flat.first, flat.last});
    }
  }

  std::vector<uint64_t> live_bytes(const Plan& plan) const {
    // What begins at each step less what has ended, summed up; unsigned differences wrap back.
    std::vector<uint64_t> live(size_t(m_layout.step_count()) + 1, 0);
    for (const Buffer& buffer : plan.buffers) {
      if (buffer.first > buffer.last) continue;
      live[size_t(buffer.first)] += buffer.bytes;
      live[size_t(buffer.last) + 1] -= buffer.bytes;
    }
    std::partial_sum(live.begin(), live.end(), live.begin());
    return live;
  }

  // ---- layers of the DSP

  /// False: `shortage` says what is missing.
  bool plan_dsp(Plan& plan, int step, const DspLayer& layer, uint64_t budget, LayersCost& cost,
                Shortage& shortage) const {
    const MovedOperands moved =
        moved_operands(layer, m_layout, [&](int flat) { return plan.stays(flat); });
    const DspChoice choice = choose_dsp(layer, moved, budget, m_config);
    if (choice.tiles == 0) {
      shortage = {step, m_config.sram.bytes - budget + choice.bytes};
      return false;
    }
    cost.add(0, choice.cycles, choice.moved);
    const int before = plan.prefetch > 0 ? std::max(0, step - 1) : step;
    const int after = plan.prefetch > 0 ? std::min(step + 1, m_layout.step_count() - 1) : step;
    LayerPlan& planned = plan.layers[size_t(step)];
    planned.lost = choice.lost;
    planned.blob_from = std::max(0, step - plan.prefetch);
    const uint64_t blob = dsp_blob(layer, moved, choice.tiles).bytes;
    planned.blob = new_ring(plan, blob, 1, planned.blob_from, step);
    planned.dsp.tiles = choice.tiles;
    planned.dsp.scratch = new_ring(plan, layer.scratch_bytes, 1, step, step);
    const int64_t rows = rows_of_tile(layer, choice.tiles);
    const auto add = [&](const DspOperand& operand, int first, int last) {
      const bool has_ring = moved[planned.dsp.operands.size()];
      const uint64_t entry = has_ring ? most_bytes(layer, operand, rows) : 0;
      const int depth = operand.is_cut() ? choice.depth : 1;
      planned.dsp.operands.push_back(new_ring(plan, entry, depth, first, last));
      planned.dsp.operand_from.push_back(first);
    };
    for (const DspOperand& operand : layer.inputs) {
      const bool made = !operand.constant && m_layout.place(operand.tensor).flat != kNone;
      const int ready = made ? m_layout.flat_ready(operand.tensor) : 0;
      add(operand, std::clamp(ready, before, step), step);
    }
    for (const DspOperand& operand : layer.outputs) add(operand, step, after);
    return true;
  }

  static Ring new_ring(Plan& plan, uint64_t entry, int depth, int first, int last) {
    Ring r;
    r.entry_bytes = entry;
    for (int i = 0; entry != 0 && i < depth; ++i) {
      r.buffers.push_back(static_cast<int>(plan.buffers.size()));
      plan.buffers.push_back({entry, kWordBytes, first, last});
    }
    return r;
  }

  LayerPlan plan_layer(Plan& plan, int step, const LayerShape& shape, const Tiling& tiling) const {
    const TileBytes bytes = tile_bytes(shape, tiling, m_config.dla);
    const RingDepths depths = ring_depths(shape, tiling, m_config.dla);
    const int before = plan.prefetch > 0 ? std::max(0, step - 1) : step;
    const int after = plan.prefetch > 0 ? std::min(step + 1, m_layout.step_count() - 1) : step;
    LayerPlan layer;
    layer.tiling = tiling;
    layer.runs = shape.runs;
    layer.packed = shape.packed;
    layer.blob_from = depths.blob > 1 ? before : std::max(0, step - plan.prefetch);
    layer.blob_from = std::max(layer.blob_from, weights_ready(*shape.layer));
    layer.input_from = std::clamp(ready(shape.layer->input), before, step);
    if (shape.operand != nullptr) {
      layer.operand_from = std::clamp(ready(shape.layer->ew.operand), before, step);
    }
    const auto ring = [&](uint64_t entry, int depth, int first, int last) {
      return new_ring(plan, entry, depth, first, last);
    };
    layer.input = ring(bytes.input, depths.input, layer.input_from, step);
    layer.operand = ring(bytes.operand, depths.operand, layer.operand_from, step);
    layer.output = ring(bytes.output, depths.output, step, after);
    layer.blob = ring(bytes.blob, depths.blob, layer.blob_from, step);
    layer.sums = ring(bytes.sums, 1, step, step);
    return layer;
  }

  /// The first step at which weights are there.
  int weights_ready(const DlaLayer& layer) const {
    const TensorId t = layer.weights_from;
    if (t == kNoTensor) return 0;
    return m_layout.stored_weights(t) ? ready(t) : m_layout.flat_ready(t);
  }

  /// The first step at which all of the tensor's storage is in memory.
  int ready(TensorId tensor) const {
    const int index = m_layout.place(tensor).storage;
    const Storage& storage = m_layout.storages[size_t(index)];
    if (storage.load != kNone) return m_layout.loads[size_t(storage.load)].ready;
    return m_made[size_t(index)].last + 1;
  }

  /// A plan without prefetching may still have room for it here and there: each stream that finds
  /// the bytes free one step earlier begins then.
  void prefetch_where_possible(Plan& plan) const {
    const auto earlier = [&](const Ring& ring, int& from, int ready) {
      if (!ring.used() || from == 0 || from - 1 < ready) return;
      const auto shift = [&](int by) {
        for (int b : ring.buffers) plan.buffers[size_t(b)].first += by;
      };
      shift(-1);
      Placing placing = place_buffers(plan.buffers);
      if (placing.peak > m_config.sram.bytes) return shift(+1);
      plan.placing = std::move(placing);
      --from;
    };
    for (int step = 0; step < m_layout.step_count(); ++step) {
      const DlaLayer* layer = dla_layer(step);
      if (layer == nullptr) continue;
      LayerPlan& p = plan.layers[size_t(step)];
      earlier(p.blob, p.blob_from, weights_ready(*layer));
      earlier(p.input, p.input_from, ready(layer->input));
      if (p.operand.used()) earlier(p.operand, p.operand_from, ready(layer->ew.operand));
    }
  }

  /// The step that loses most to moving data; kNone: none loses more than a hundredth of all.
  static int slowest_step(const Plan& plan) {
    const auto slowest =
        std::max_element(plan.layers.begin(), plan.layers.end(),
                         [](const LayerPlan& a, const LayerPlan& b) { return a.lost < b.lost; });
    if (slowest == plan.layers.end() || slowest->lost <= plan.cycles / 100) return kNone;
    return static_cast<int>(slowest - plan.layers.begin());
  }

  // ---- moving storages out

  /// A storage that is loaded, or all of whose bytes go to one flat anyway, is kept as that flat.
  Keep keep_outside(int index) const {
    const Storage& storage = m_layout.storages[size_t(index)];
    if (storage.load != kNone) return Keep::kFlat;
    const Made& made = m_made[size_t(index)];
    if (made.first == kNone) return Keep::kTiles;
    const TensorPlace& place = m_layout.place(made.tensor);
    const bool whole =
        place.block == 0 && place.lanes.blocks() == storage.blocks && place.lattice.is_whole();
    return whole && place.lanes.is_dense() && !place.stores.empty() ? Keep::kFlat : Keep::kTiles;
  }

  /// Traffic that a storage causes when it is outside, in bytes.
  uint64_t traffic(int index) const {
    return uint64_t(m_uses[size_t(index)]) * m_layout.storages[size_t(index)].bytes();
  }

  std::vector<TensorId> used_in(int step) const {
    auto [used, made] = stored_tensors(m_layout.layer_at(step));
    used.insert(used.end(), made.begin(), made.end());
    const DlaLayer* layer = dla_layer(step);
    if (layer != nullptr && layer->has_computed_weights()) used.push_back(layer->weights_from);
    return used;
  }

  bool used_in(int step, int index) const {
    const std::vector<TensorId> used = used_in(step);
    return std::any_of(used.begin(), used.end(),
                       [&](TensorId t) { return m_layout.place(t).storage == index; });
  }

  /// Moves the storage out that frees most for its traffic at the step (kNone: at any). False:
  /// there is none.
  /// @throw NotStored where it is one that the DSP has there, which `may_leave`
  bool move_one_out(int step, bool may_leave) {
    int best = kNone;
    double best_price = 0;
    for (size_t i = 0; i < m_keep.size(); ++i) {
      const Storage& storage = m_layout.storages[i];
      const int index = static_cast<int>(i);
      if (m_keep[i] != Keep::kSram) continue;
      if (!may_leave && m_of_dsp.count(index) != 0) continue;
      if (step != kNone && (storage.first > step || storage.last < step)) continue;
      // A tensor that the step itself uses still needs tile buffers: it frees about half.
      constexpr double kFreedInUse = 0.5;
      const double freed =
          double(storage.bytes()) * (step != kNone && used_in(step, index) ? kFreedInUse : 1);
      const double price = double(traffic(index)) / freed / freed;
      if (best != kNone && price >= best_price) continue;
      best = index;
      best_price = price;
    }
    const int flat = flat_to_move(step, best, best_price);
    if (flat != kNone) {
      m_stays[size_t(flat)] = false;
      return true;
    }
    if (best == kNone) return false;
    const auto dsp = m_of_dsp.find(best);
    if (dsp != m_of_dsp.end()) throw NotStored{dsp->second};
    m_keep[size_t(best)] = keep_outside(best);
    return true;
  }

  /// A flat that frees more for its traffic than storage `best`; kNone: there is none.
  int flat_to_move(int step, int best, double best_price) const {
    int found = kNone;
    for (size_t i = 0; i < m_stays.size(); ++i) {
      const Flat& flat = m_layout.flats[i];
      if (!m_stays[i] || flat.bytes == 0) continue;
      if (step != kNone && (flat.first > step || flat.last < step)) continue;
      const double price = double(flat.uses_of_dsp) / double(flat.bytes);
      if ((best != kNone || found != kNone) && price >= best_price) continue;
      found = static_cast<int>(i), best_price = price;
    }
    return found;
  }

  [[noreturn]] void refuse(const Shortage& shortage) const {
    const Layer& layer = m_layout.layer_at(shortage.step);
    const bool dsp = std::holds_alternative<DspLayer>(layer.work);
    throw NoRoom(m_layout.steps[size_t(shortage.step)], layer.name + " (" + layer.op + ")",
                 dsp ? "dsp" : "dla",
                 "needs " + std::to_string(shortage.needed) +
                     " bytes of SRAM even in the smallest tiles, sram.bytes is " +
                     std::to_string(m_config.sram.bytes));
  }

  const Layout& m_layout;
  const SocConfig& m_config;
  std::vector<Keep> m_keep;   ///< by storage
  std::vector<bool> m_stays;  ///< by flat: in the SRAM
  /// First and last step that writes a storage.
  struct Made {
    int first = kNone, last = -1;
    TensorId tensor = kNoTensor;  ///< by the first one
  };
  std::vector<Made> m_made;               ///< by storage
  std::vector<int> m_uses;                ///< by storage: of all layers
  std::map<int, std::set<int>> m_of_dsp;  ///< by storage: layers of the DSP that have it there
  using MenuKey = std::tuple<int, bool, bool, bool, bool, bool, Cut>;
  std::map<MenuKey, std::vector<TilingChoice>> m_menus;
};

}  // namespace

Plan make_plan(const Layout& layout, const SocConfig& config) {
  return Planner(layout, config).run();
}

}  // namespace presil::plan
