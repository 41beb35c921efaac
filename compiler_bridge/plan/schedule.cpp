#include "compiler_bridge/plan/schedule.h"

#include <algorithm>

#include "compiler_bridge/layer/dma_layer.h"
#include "compiler_bridge/layer/host_layer.h"
#include "compiler_bridge/plan/computed_weights.h"
#include "compiler_bridge/plan/dla_word.h"
#include "compiler_bridge/plan/dsp_schedule.h"
#include "compiler_bridge/plan/host_task.h"
#include "compiler_bridge/plan/places.h"
#include "compiler_bridge/plan/program.h"
#include "compiler_bridge/plan/ring_state.h"
#include "compiler_bridge/plan/search.h"
#include "compiler_bridge/plan/tensor_record.h"

namespace presil::plan {

DmaQueues dma_queues(const DmaConfig& config) {
  const auto channel = [&](unsigned wanted) {
    return static_cast<uint8_t>(PRESIL_QUEUE_DMA0 + wanted % config.channels);
  };
  return {channel(0), channel(1), channel(2), channel(3)};
}

namespace {

/// Where everything of a tile lies in the SRAM.
struct TileViews {
  View input;    ///< its window, all blocks that its runs read
  View output;   ///< its pixels, doubled by upsample2
  View operand;  ///< its pixels, or one pixel for all
  bool broadcast = false;
  View sums;  ///< of a layer in parts: its pixels as int32
  uint64_t blob_at = 0;
};

class Scheduler {
 public:
  Scheduler(const ir::Graph& graph, const Layout& layout, const Plan& plan, const SocConfig& config,
            Dispatch dispatch)
      : m_graph(graph),
        m_layout(layout),
        m_plan(plan),
        m_config(config),
        m_queues(dma_queues(config.dma)),
        m_places(layout, plan, put_constants()),
        m_dsp(
            graph, layout, plan, m_places, m_schedule, m_program, m_queues, config.dsp,
            [this](int from, uint8_t queue) { return slot_from(from, queue); },
            [this](TensorId t, const View& all) {
              const Window window{0, all.rows, 0, all.columns, 0, 0};
              store_tile(t, all.columns, window, 0, all.blocks, all, 0);
            }) {
    if (dispatch == Dispatch::kHost) m_program.dispatch_by_host();
  }

  Schedule run(Search& search) {
    search.stage("schedule", uint64_t(m_layout.step_count()));
    m_schedule.tensors = record_tensors(m_graph, m_layout, m_places);
    for (int step = 0; step < m_layout.step_count(); ++step) {
      m_program.dispatch();
      m_first_slot.push_back(m_program.next_slot());
      m_step = step;
      m_layer = m_layout.steps[size_t(step)];
      search.tell(uint64_t(step));
      load_storages();
      const auto& work = m_layout.layer_at(step).work;
      if (const auto* dla = work.as<layer::DlaLayer>()) {
        schedule_dla(*dla, m_plan.layers[size_t(step)]);
      } else if (const auto* copy = work.as<layer::DmaLayer>()) {
        schedule_copy(*copy);
      } else if (const auto* dsp = work.as<layer::DspLayer>()) {
        m_dsp.add(step, *dsp);
      } else {
        schedule_host(*work.as<layer::HostLayer>());
      }
    }
    m_program.finish(m_schedule, search);
    return std::move(m_schedule);
  }

 private:
  using Entry = ProgramBuilder::Entry;

  /// Constants that are read as they are go into the image. @return the offsets of all flats
  std::vector<uint64_t> put_constants() {
    std::vector<uint64_t> offsets = m_plan.flat_offsets;
    for (size_t i = 0; i < m_layout.flats.size(); ++i) {
      if (m_layout.flats[i].region != PRESIL_REGION_CONSTANTS) continue;
      for (TensorId t : m_layout.flats[i].tensors) {
        if (!m_graph.tensor(t).is_constant()) continue;
        offsets[i] = m_schedule.image.add(*m_graph.tensor(t).data, PRESIL_BURST_BYTES);
      }
    }
    return offsets;
  }

  /// The slot before which a load may be put that can be under way from step `from` on. Where that
  /// step's own tiles come through the same queue, before its last command, so that they go first.
  int slot_from(int from, uint8_t queue) const {
    if (from >= m_step) return m_first_slot[size_t(m_step)];
    const LayerPlan& plan = m_plan.layers[size_t(from)];
    const bool busy = queue == m_queues.weights ? plan.blob.buffers.size() > 1
                                                : plan.input.used() || plan.operand.used();
    const int first = m_first_slot[size_t(from)], next = m_first_slot[size_t(from) + 1];
    return busy ? std::max(first, next - 1) : first;
  }

  Entry entry(DmaCopy copy, uint8_t queue, uint32_t tile) const {
    return dma_entry(std::move(copy), queue, m_layer, tile);
  }

  // ---- loads of storages that stay in the SRAM

  /// Whole, what this step is the first to read; the rows of its input come as its tiles want them.
  void load_storages() {
    for (const Load& load : m_layout.loads) {
      const KeptStorage& k = m_plan.storages[size_t(load.storage)];
      if (k.keep != Keep::kSram || load.first_use != m_step) continue;
      const auto* layer = m_layout.layer_at(m_step).work.as<layer::DlaLayer>();
      m_arrived = 0;
      const Extent& extent = m_layout.storages[size_t(load.storage)].extent;
      if (layer != nullptr && m_layout.place(layer->input).storage == load.storage &&
          layer->in_h == extent.h) {
        m_arriving = &load;
      } else {
        load_rows(load, 0, m_layout.storages[size_t(load.storage)].extent.h, 0);
      }
    }
  }

  /// Brings the rows that a tile reads and that are not there yet; after the last tile, all others.
  void load_arriving(int until, uint32_t tile) {
    if (m_arriving == nullptr || until <= m_arrived) return;
    load_rows(*m_arriving, m_arrived, until, tile);
    m_arrived = until;
  }

  void load_rows(const Load& load, int y0, int y1, uint32_t tile) {
    const Storage& s = m_layout.storages[size_t(load.storage)];
    const Window rows{y0, y1, 0, s.extent.w, 0, 0};
    const View to = m_places.stored(load.tensor, s.extent.w, rows, 0, s.blocks);
    const FlatView from = m_places.flat(load.from, s.extent.w, rows, 0, s.extent.c, s.extent.c);
    for (DmaCopy& copy : load_flat(from, to, load.flip)) {
      m_program.before(slot_from(m_plan.storages[size_t(load.storage)].load_step, m_queues.loads),
                       entry(std::move(copy), m_queues.loads, tile));
    }
  }

  // ---- tiles in and out

  /// Puts the load of a window of a tensor that is kept outside.
  void load_tile(TensorId t, int columns, const Window& w, int b0, int b1, const View& to, int slot,
                 uint32_t tile) {
    const TensorPlace& place = m_layout.place(t);
    const auto put = [&](DmaCopy copy) {
      m_program.before(slot, entry(std::move(copy), m_queues.loads, tile));
    };
    if (m_places.kept(t).keep == Keep::kTiles) {
      put(copy_view(m_places.stored(t, columns, w, b0, b1), to));
      return;
    }
    const int channels = place.lanes.channels();
    const int first = b0 * 16;
    const int count = to.words ? std::min(channels, b1 * 16) - first : channels;
    const int loaded = m_places.storage(t).load;
    TensorPlace::Store from;  // what the DLA has made comes back from where it was stored
    if (loaded != kNone) {
      const Load& load = m_layout.loads[size_t(loaded)];
      from = {load.from, 0, channels, load.flip};
    } else {
      from = place.stores.front();
    }
    const FlatView view =
        m_places.flat(from.tensor, columns, w, from.channel + first, count, from.channels);
    for (DmaCopy& copy : load_flat(view, to, from.flip)) put(std::move(copy));
  }

  /// Puts the stores of what a tile has computed, to wherever it is wanted outside.
  void store_tile(TensorId t, int columns, const Window& w, int b0, int b1, const View& from,
                  uint32_t tile) {
    const TensorPlace& place = m_layout.place(t);
    if (m_places.kept(t).keep == Keep::kTiles) {
      Entry e =
          entry(copy_view(from, m_places.stored(t, columns, w, b0, b1)), m_queues.stores, tile);
      e.completes = m_layout.sharing_storage(t);
      m_program.after(std::move(e));
    }
    for (const TensorPlace::Store& store : place.stores) {
      for (const Segment& s : place.lanes.segments) {
        const int first = std::max(s.block, b0),
                  last = std::min(s.block + (s.channels + 15) / 16, b1);
        if (first >= last) continue;
        const int skipped = (first - s.block) * 16;
        const int channels = std::min(s.channels, (last - s.block) * 16) - skipped;
        View part = from;
        part.base += uint64_t(first - b0) * from.block_pitch;
        part.blocks = last - first;
        const FlatView to =
            m_places.flat(store.tensor, columns, w, store.channel + s.channel + skipped, channels,
                          store.channels, place.lattice);
        for (DmaCopy& copy : store_flat(part, to, store.flip)) {
          Entry e = entry(std::move(copy), m_queues.stores, tile);
          e.completes = m_layout.sharing_flat(store.tensor);
          e.completes_flat = true;
          m_program.after(std::move(e));
        }
      }
    }
  }

  // ---- DLA

  void schedule_dla(const layer::DlaLayer& layer, const LayerPlan& plan) {
    RingState inputs(plan.input, slot_from(plan.input_from, m_queues.loads));
    RingState operands(plan.operand, slot_from(plan.operand_from, m_queues.loads));
    RingState outputs(plan.output, m_first_slot[size_t(m_step)]);
    RingState blobs(plan.blob, slot_from(plan.blob_from, m_queues.weights));
    const std::vector<Tile> tiles = tiles_of(layer, plan.runs, plan.tiling);
    for (size_t i = 0; i < tiles.size(); ++i) {
      const Tile& tile = tiles[i];
      const auto number = static_cast<uint32_t>(i);
      if (layer.has_computed_weights()) make_weights(layer, plan, tile, blobs, number);
      const int slot = m_program.next_slot();
      const Slots slots{slot, slot + static_cast<int>(tile.runs.size())};
      const Window window = window_of(layer, tile);
      TileViews views;
      views.input = input_view(layer, tile, window, inputs, slots, number);
      const int rows = i + 1 == tiles.size() ? m_places.storage(layer.input).extent.h : window.y1;
      load_arriving(rows, number);
      views.blob_at = blob_at(layer, plan, tile, blobs, slots, number);
      if (layer.ew.operand != kNoTensor) {
        views.broadcast = broadcast(layer);
        views.operand = operand_view(layer, tile, views.broadcast, operands, slots, number);
      }
      const int scale = layer.upsample2 ? 2 : 1;
      const Window made{tile.y0 * scale, tile.y1 * scale, tile.x0 * scale, tile.x1 * scale, 0, 0};
      if (plan.sums.used()) {
        views.sums = sums_view(tile, m_plan.offset_of(plan.sums.buffers.front()));
      }
      if (tile.last) views.output = output_view(layer, tile, made, outputs, slots);
      compute(layer, plan, tile, window, views, number);
      if (!tile.last) continue;
      if (m_layout.place(layer.output).interleaved != kNoTensor &&
          m_places.kept(layer.output).keep == Keep::kSram) {
        if (i + 1 == tiles.size()) store_interleaved(layer.output, plan.runs.back().b1, number);
        continue;
      }
      store_tile(layer.output, layer.out_w * scale, made, tile.b0, tile.b1, views.output, number);
    }
    m_arriving = nullptr;
  }

  /// Behind the last step that makes a part of an interleaved tensor in the SRAM, all of it.
  void store_interleaved(TensorId part, int blocks, uint32_t number) {
    const TensorId whole = m_layout.place(part).interleaved;
    for (int step = m_step + 1; step < m_layout.step_count(); ++step) {
      const auto* later = m_layout.layer_at(step).work.as<layer::DlaLayer>();
      if (later != nullptr && m_layout.place(later->output).interleaved == whole) return;
    }
    const Extent extent = extent_of(m_graph.tensor(whole));
    const Window all{0, extent.h, 0, extent.w, 0, 0};
    store_tile(whole, extent.w, all, 0, blocks, m_places.stored(whole, extent.w, all, 0, blocks),
               number);
  }

  bool broadcast(const layer::DlaLayer& layer) const {
    const Extent& e = m_places.storage(layer.ew.operand).extent;
    return e.h * e.w == 1;
  }

  View input_view(const layer::DlaLayer& layer, const Tile& tile, const Window& window,
                  RingState& ring, const Slots& slots, uint32_t number) {
    const int b0 = tile.c0(), b1 = tile.c1();
    if (!ring.used()) return m_places.stored(layer.input, layer.in_w, window, b0, b1);
    const auto turn = ring.take({window.y0, window.y1, window.x0, window.x1, b0, b1}, slots);
    const View view = m_places.tiled(layer.input, window, b0, b1, turn.buffer);
    if (turn.fresh) {
      load_tile(layer.input, layer.in_w, window, b0, b1, view, turn.slot, number);
    }
    return view;
  }

  View operand_view(const layer::DlaLayer& layer, const Tile& tile, bool broadcast, RingState& ring,
                    const Slots& slots, uint32_t number) {
    const TensorId t = layer.ew.operand;
    const Window w =
        broadcast ? Window{0, 1, 0, 1, 0, 0} : Window{tile.y0, tile.y1, tile.x0, tile.x1, 0, 0};
    const int columns = broadcast ? 1 : layer.out_w;
    if (!ring.used()) return m_places.stored(t, columns, w, tile.b0, tile.b1);
    const auto turn = ring.take({w.y0, w.y1, w.x0, w.x1, tile.b0, tile.b1}, slots);
    const View view = m_places.tiled(t, w, tile.b0, tile.b1, turn.buffer);
    if (turn.fresh) load_tile(t, columns, w, tile.b0, tile.b1, view, turn.slot, number);
    return view;
  }

  View output_view(const layer::DlaLayer& layer, const Tile& tile, const Window& made,
                   RingState& ring, const Slots& slots) {
    const int columns = layer.out_w * (layer.upsample2 ? 2 : 1);
    if (!ring.used()) return m_places.stored(layer.output, columns, made, tile.b0, tile.b1);
    // No two tiles are the same, so every turn is a fresh one.
    const auto turn = ring.take({made.y0, made.y1, made.x0, made.x1, tile.b0, tile.b1}, slots);
    return m_places.tiled(layer.output, made, tile.b0, tile.b1, turn.buffer);
  }

  static RingKey blob_key(const layer::DlaLayer& layer, const Tile& tile) {
    return {tile.b0, tile.b1, tile.c0(), tile.c1(), layer.weights_by_row ? tile.y0 : 0, 0};
  }

  /// What a matrix that the graph computes wants before it is weights: parameters and its rows in
  /// their sets, biases corrected. The tile then finds all of it in the ring.
  void make_weights(const layer::DlaLayer& layer, const LayerPlan& plan, const Tile& tile,
                    RingState& ring, uint32_t number) {
    const int slot = m_program.next_slot();
    const auto turn = ring.take(blob_key(layer, tile), {slot, slot + 1});
    if (!turn.fresh) return;
    const uint64_t at = m_plan.offset_of(turn.buffer);
    const Run& run = tile.runs.front();  // no groups: there is one
    const Blob blob = blob_of(layer, plan.packed, tile.runs, m_config.dla);
    const auto put = [&](DmaCopy copy) {
      m_program.before(turn.slot, entry(std::move(copy), m_queues.weights, number));
    };
    const auto [offset, bytes] = blob_in_image(layer, plan, tile);
    put(copy_bytes(region_space(PRESIL_REGION_CONSTANTS), offset, kSram, at, bytes));
    const WeightSets sets = weight_sets(layer, blob.runs.front(), at, m_config.dla);
    const Extent matrices = extent_of(m_graph.tensor(layer.weights_from));
    for (DmaCopy& copy : weight_copies(layer, tile, matrices, m_layout, m_places, sets)) {
      put(std::move(copy));
    }
    for (int i = 0; i < corrections(layer); ++i) {
      Entry e;
      e.queue = PRESIL_QUEUE_DLA;
      e.word = correction_word(layer, run, blob.runs.front(), at, lanes_of(layer, run.b1 - 1));
      e.layer = m_layer;
      e.tile = number;
      e.accesses = correction_accesses(run, blob, at);
      m_program.compute(std::move(e));
    }
  }

  uint64_t blob_at(const layer::DlaLayer& layer, const LayerPlan& plan, const Tile& tile,
                   RingState& ring, const Slots& slots, uint32_t number) {
    if (!ring.used()) return 0;
    const auto turn = ring.take(blob_key(layer, tile), slots);
    const uint64_t at = m_plan.offset_of(turn.buffer);
    if (turn.fresh) {
      const auto [offset, bytes] = blob_in_image(layer, plan, tile);
      m_program.before(turn.slot, entry(copy_bytes(region_space(PRESIL_REGION_CONSTANTS), offset,
                                                   kSram, at, bytes),
                                        m_queues.weights, number));
    }
    return at;
  }

  /// Packs each range of blocks once, however often it is loaded.
  std::pair<uint64_t, uint64_t> blob_in_image(const layer::DlaLayer& layer, const LayerPlan& plan,
                                              const Tile& tile) {
    if (m_blob_layer != m_layer) m_blobs.clear();
    m_blob_layer = m_layer;
    for (const PackedBlob& blob : m_blobs) {
      if (blob.block == tile.b0 && blob.in_block == tile.c0()) return {blob.offset, blob.bytes};
    }
    const std::vector<uint8_t> bytes =
        pack_blob(layer, plan.packed, m_layout.place(layer.input).lanes,
                  m_layout.place(layer.output).lanes, tile.runs, m_config.dla);
    m_blobs.push_back(
        {tile.b0, tile.c0(), m_schedule.image.add(bytes, PRESIL_BURST_BYTES), bytes.size()});
    return {m_blobs.back().offset, m_blobs.back().bytes};
  }

  /// Channels in an output block.
  int lanes_of(const layer::DlaLayer& layer, int block) const {
    const std::vector<int> channel = m_layout.place(layer.output).lanes.channel_of_lane();
    const auto first = channel.begin() + block * 16;
    return static_cast<int>(std::count_if(first, first + 16, [](int c) { return c >= 0; }));
  }

  /// One command for each run of the tile.
  void compute(const layer::DlaLayer& layer, const LayerPlan& plan, const Tile& tile,
               const Window& window, const TileViews& views, uint32_t number) {
    const Blob blob = blob_of(layer, plan.packed, tile.runs, m_config.dla);
    for (size_t r = 0; r < tile.runs.size(); ++r) {
      const Run& run = tile.runs[r];
      RunViews own;
      own.input = views.input.part(run.c0 - tile.c0(), run.c1() - run.c0);
      const auto made = [&](const View& view) { return view.part(run.b0 - tile.b0, run.blocks()); };
      own.output = made(views.output);
      own.operand = made(views.operand);
      own.broadcast = views.broadcast;
      own.sums = made(views.sums);
      own.blob_at = views.blob_at;
      own.blob = blob.runs[r];
      if (layer.diagonal != 0) {  // the channels of the weights that are the tile's columns
        own.blob.weights += uint32_t(tile.x0 / layer.diagonal) * own.blob.cb_pitch;
      }
      compute(layer, plan, tile, run, window, own, blob.bytes, number);
    }
  }

  void compute(const layer::DlaLayer& layer, const LayerPlan& plan, const Tile& tile,
               const Run& run, const Window& window, const RunViews& views, uint32_t blob_bytes,
               uint32_t number) {
    Entry e;
    e.queue = PRESIL_QUEUE_DLA;
    e.word = dla_word(layer, plan.packed, tile, run, window, views, lanes_of(layer, run.b1 - 1),
                      m_config.dla);
    e.layer = m_layer;
    e.tile = number;
    e.accesses = accesses(views.input, Gate::kIn, false);
    const auto add = [&](const std::vector<Access>& more) {
      e.accesses.insert(e.accesses.end(), more.begin(), more.end());
    };
    if (layer.ew.operand != kNoTensor) add(accesses(views.operand, Gate::kIn, false));
    if (blob_bytes != 0) {
      add({{kSram, Gate::kWeights, false, views.blob_at, views.blob_at + blob_bytes}});
    }
    if (!tile.first) add(accesses(views.sums, Gate::kIn, false));
    add(accesses(tile.last ? views.output : views.sums, Gate::kOut, true));
    if (tile.last && m_places.kept(layer.output).keep == Keep::kSram)
      e.completes = m_layout.sharing_storage(layer.output);
    m_program.compute(std::move(e));
  }

  // ---- host and DMA

  void schedule_copy(const layer::DmaLayer& layer) {
    const uint64_t to = m_places.flat_offset(layer.output);
    for (const layer::DmaLayer::Move& move : layer.moves) {
      const uint64_t from = m_places.flat_offset(move.input);
      for (DmaCopy& copy : copy_rows(move.bytes, m_places.flat_space(move.input), from,
                                     m_places.flat_space(layer.output), to, layer.flip)) {
        Entry e = entry(std::move(copy), m_queues.copies, 0);
        e.completes = m_layout.sharing_flat(layer.output);
        e.completes_flat = true;
        m_program.compute(std::move(e));
      }
    }
  }

  void schedule_host(const layer::HostLayer& layer) {
    HostTask task = host_task(layer, m_graph, m_layout, m_places, m_schedule.image);
    Entry e;
    e.queue = PRESIL_QUEUE_HOST;
    e.layer = m_layer;
    e.word = task.command;
    e.accesses = std::move(task.accesses);
    e.completes = std::move(task.completes);
    e.completes_flat = true;
    m_program.compute(std::move(e));
  }

  const ir::Graph& m_graph;
  const Layout& m_layout;
  const Plan& m_plan;
  const SocConfig& m_config;
  DmaQueues m_queues;
  Schedule m_schedule;
  Places m_places;
  ProgramBuilder m_program;
  DspScheduler m_dsp;
  std::vector<int> m_first_slot;  ///< by step
  int m_step = 0;
  int m_layer = kNone;
  const Load* m_arriving = nullptr;  ///< the load that is put row by row,
  int m_arrived = 0;                 ///< and the rows put so far
  struct PackedBlob {
    int block = 0, in_block = 0;
    uint64_t offset = 0, bytes = 0;
  };
  std::vector<PackedBlob> m_blobs;  ///< of layer m_blob_layer
  int m_blob_layer = kNone;
};

}  // namespace

Schedule make_schedule(const ir::Graph& graph, const Layout& layout, const Plan& plan,
                       const SocConfig& config, Dispatch dispatch, Search* search) {
  Search none;
  return Scheduler(graph, layout, plan, config, dispatch).run(search == nullptr ? none : *search);
}

}  // namespace presil::plan
