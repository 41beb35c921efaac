#include "compiler_bridge/plan/schedule.h"

#include <algorithm>
#include <array>

#include "compiler_bridge/plan/dla_word.h"
#include "compiler_bridge/plan/program.h"
#include "rtl/host/host_task.h"
#include "rtl/soc/refusal.h"

namespace presil::plan {

DmaQueues dma_queues(const DmaConfig& config) {
  const auto channel = [&](unsigned wanted) {
    return static_cast<uint8_t>(PRESIL_QUEUE_DMA0 + wanted % config.channels);
  };
  return {channel(0), channel(1), channel(2), channel(3)};
}

namespace {

/// What lies in an entry of a ring: a window of the input, a range of blocks.
using Key = std::array<int, 6>;

/// Follows a ring through the tiles of a layer: which entry holds what, and from which slot on an
/// entry may be written again.
class RingState {
 public:
  RingState(const Ring& ring, int from_slot)
      : m_ring(ring), m_entries(ring.buffers.size()) {
    for (Entry& e : m_entries) e.free_from = from_slot;
  }

  struct Turn {
    int buffer = kNone;
    bool fresh = false;  ///< the entry does not hold `key` yet
    int slot = 0;        ///< it may be filled before this slot
  };
  Turn take(const Key& key, int slot) {
    for (size_t i = 0; i < m_entries.size(); ++i) {
      if (!m_entries[i].filled || m_entries[i].key != key) continue;
      m_entries[i].free_from = slot + 1;
      return {m_ring.buffers[i], false, slot};
    }
    const size_t i = m_next++ % m_entries.size();
    const Turn turn{m_ring.buffers[i], true, m_entries[i].free_from};
    m_entries[i] = {key, true, slot + 1};
    return turn;
  }

 private:
  struct Entry {
    Key key{};
    bool filled = false;
    int free_from = 0;
  };
  const Ring& m_ring;
  std::vector<Entry> m_entries;
  size_t m_next = 0;
};

class Scheduler {
 public:
  Scheduler(const ir::Graph& graph, const Layout& layout, const Plan& plan, const SocConfig& config)
      : m_graph(graph), m_layout(layout), m_plan(plan), m_config(config),
        m_queues(dma_queues(config.dma)), m_flat_offsets(plan.flat_offsets) {}

  Schedule run() {
    m_schedule.tensors.resize(m_graph.tensors.size());
    put_constants();
    for (int step = 0; step < m_layout.step_count(); ++step) {
      m_first_slot.push_back(m_program.next_slot());
      m_step = step;
      m_layer = m_layout.steps[size_t(step)];
      // Loads of this step's tensors were put when it began or before; those of the steps that may
      // be prefetched from here are put by their own layers, later.
      load_storages();
      const auto& work = m_layout.layer_at(step).work;
      if (const auto* dla = std::get_if<DlaLayer>(&work)) {
        schedule_dla(*dla, m_plan.layers[size_t(step)]);
      } else {
        schedule_host(std::get<HostLayer>(work));
      }
    }
    copy_outputs();
    record_tensors();
    m_program.finish(m_schedule);
    return std::move(m_schedule);
  }

 private:
  using Entry = ProgramBuilder::Entry;

  void put_constants() {
    for (size_t i = 0; i < m_layout.flats.size(); ++i) {
      if (m_layout.flats[i].region != PRESIL_REGION_CONSTANTS) continue;
      for (TensorId t : m_layout.flats[i].tensors) {
        if (!m_graph.tensor(t).is_constant()) continue;
        m_flat_offsets[i] = m_schedule.image.add(*m_graph.tensor(t).data, PRESIL_BURST_BYTES);
      }
    }
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
    Entry e;
    e.queue = queue;
    const bool within = (copy.command.src_space == copy.command.dst_space);
    e.in_order = !within;
    e.word = std::move(copy.command);
    e.layer = m_layer;
    e.tile = tile;
    e.accesses = std::move(copy.accesses);
    return e;
  }

  // ---- places

  const Storage& storage(TensorId t) const { return m_layout.storage_of(t); }
  const KeptStorage& kept(TensorId t) const {
    return m_plan.storages[size_t(m_layout.place(t).storage)];
  }

  /// Pixels [y0, y1) x [x0, x1) and blocks [b0, b1) of a tensor whose rows have `columns` pixels,
  /// in its storage (SRAM or scratch region).
  View stored(TensorId t, int columns, const Window& w, int b0, int b1) const {
    const Storage& s = storage(t);
    const KeptStorage& k = kept(t);
    View v;
    v.words = s.form == Form::kC16;
    v.x_step = s.x_step();
    v.row_pitch = s.row_pitch(columns);
    v.block_pitch = s.block_pitch();
    v.rows = w.rows(), v.columns = w.columns(), v.blocks = b1 - b0;
    v.space = k.keep == Keep::kSram ? kSram : region_space(PRESIL_REGION_SCRATCH);
    const uint64_t base = k.keep == Keep::kSram ? m_plan.offset_of(k.buffer) : k.offset;
    v.base = base + uint64_t(m_layout.place(t).block + b0) * v.block_pitch +
             uint64_t(w.y0) * v.row_pitch + uint64_t(w.x0) * v.x_step;
    return v;
  }

  /// The same pixels in a tile buffer of their own.
  View tiled(TensorId t, const Window& w, int b0, int b1, int buffer) const {
    const Storage& s = storage(t);
    View v;
    v.words = s.form == Form::kC16;
    v.x_step = s.x_step();
    v.row_pitch = s.row_pitch(w.columns());
    v.rows = w.rows(), v.columns = w.columns(), v.blocks = b1 - b0;
    v.block_pitch = v.row_pitch * static_cast<uint32_t>(v.rows);
    v.base = m_plan.offset_of(buffer);
    return v;
  }

  FlatView flat(int index, int columns, const Window& w, int channel, int channels,
                int whole) const {
    FlatView v;
    v.space = region_space(m_layout.flats[size_t(index)].region);
    v.channels = channels;
    v.x_step = static_cast<uint32_t>(whole);
    v.row_pitch = static_cast<uint32_t>(whole * columns);
    v.rows = w.rows(), v.columns = w.columns();
    v.base = m_flat_offsets[size_t(index)] + uint64_t(w.y0) * v.row_pitch +
             uint64_t(w.x0) * v.x_step + uint64_t(channel);
    return v;
  }

  // ---- loads of storages that stay in the SRAM

  /// Those that this step is the first to read; of an input whose rows the layer takes one after
  /// another, only what comes before: load_rows brings the rest.
  void load_storages() {
    for (const Load& load : m_layout.loads) {
      const KeptStorage& k = m_plan.storages[size_t(load.storage)];
      if (k.keep != Keep::kSram || load.first_use != m_step) continue;
      const auto* layer = std::get_if<DlaLayer>(&m_layout.layer_at(m_step).work);
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
    const View to = stored(load.tensor, s.extent.w, rows, 0, s.blocks);
    const FlatView from = flat(load.flat, s.extent.w, rows, 0, s.extent.c, s.extent.c);
    for (DmaCopy& copy : load_flat(from, to)) {
      m_program.before(slot_from(m_plan.storages[size_t(load.storage)].load_step, m_queues.loads),
                       entry(std::move(copy), m_queues.loads, tile));
    }
  }

  // ---- tiles in and out

  /// Puts the load of a window of a tensor that is kept outside.
  void load_tile(TensorId t, int columns, const Window& w, int b0, int b1, const View& to,
                 int slot, uint32_t tile) {
    const TensorPlace& place = m_layout.place(t);
    const auto put = [&](DmaCopy copy) {
      m_program.before(slot, entry(std::move(copy), m_queues.loads, tile));
    };
    if (kept(t).keep == Keep::kTiles) {
      put(copy_view(stored(t, columns, w, b0, b1), to));
      return;
    }
    const int channels = place.lanes.channels();
    const int first = b0 * 16;
    const int count = to.words ? std::min(channels, b1 * 16) - first : channels;
    const int index = storage(t).load != kNone
                          ? m_layout.loads[size_t(storage(t).load)].flat
                          : place.stores.front().flat;
    const int whole = storage(t).load != kNone ? channels : place.stores.front().channels;
    const int offset = storage(t).load != kNone ? 0 : place.stores.front().channel;
    for (DmaCopy& copy :
         load_flat(flat(index, columns, w, offset + first, count, whole), to)) {
      put(std::move(copy));
    }
  }

  /// Puts the stores of what a tile has computed, to wherever it is wanted outside.
  void store_tile(TensorId t, int columns, const Window& w, int b0, int b1, const View& from,
                  uint32_t tile) {
    const TensorPlace& place = m_layout.place(t);
    if (kept(t).keep == Keep::kTiles) {
      Entry e = entry(copy_view(from, stored(t, columns, w, b0, b1)), m_queues.stores, tile);
      e.completes = {t};
      m_program.after(std::move(e));
    }
    for (const TensorPlace::Store& store : place.stores) {
      for (const Segment& s : place.lanes.segments) {
        const int first = std::max(s.block, b0), last = std::min(s.block + (s.channels + 15) / 16, b1);
        if (first >= last) continue;
        const int skipped = (first - s.block) * 16;
        const int channels = std::min(s.channels, (last - s.block) * 16) - skipped;
        View part = from;
        part.base += uint64_t(first - b0) * from.block_pitch;
        part.blocks = last - first;
        const FlatView to = flat(store.flat, columns, w, store.channel + s.channel + skipped,
                                 channels, store.channels);
        for (DmaCopy& copy : store_flat(part, to)) {
          Entry e = entry(std::move(copy), m_queues.stores, tile);
          e.completes = m_layout.flats[size_t(store.flat)].tensors;
          e.completes_flat = true;
          m_program.after(std::move(e));
        }
      }
    }
  }

  // ---- DLA

  void schedule_dla(const DlaLayer& layer, const LayerPlan& plan) {
    RingState inputs(plan.input, slot_from(plan.input_from, m_queues.loads));
    RingState operands(plan.operand, slot_from(plan.operand_from, m_queues.loads));
    RingState outputs(plan.output, m_first_slot[size_t(m_step)]);
    RingState blobs(plan.blob, slot_from(plan.blob_from, m_queues.weights));
    const std::vector<Tile> tiles = tiles_of(layer, plan.blocks, plan.tiling);
    for (size_t i = 0; i < tiles.size(); ++i) {
      const Tile& tile = tiles[i];
      const auto number = static_cast<uint32_t>(i);
      const int slot = m_program.next_slot();
      const Window window = window_of(layer, tile);
      TileViews views;
      views.input = input_view(layer, plan, tile, window, inputs, slot, number);
      const int rows = i + 1 == tiles.size() ? storage(layer.input).extent.h : window.y1;
      load_arriving(rows, number);
      views.blob_shape = blob_shape(layer, plan.packed, plan.in_blocks, tile.blocks(), m_config.dla);
      views.blob = blob_at(layer, plan, tile, blobs, slot, number);
      if (layer.ew.operand != kNoTensor) {
        views.broadcast = broadcast(layer);
        views.operand = operand_view(layer, plan, tile, views.broadcast, operands, slot, number);
      }
      const int scale = layer.upsample2 ? 2 : 1;
      const Window made{tile.y0 * scale, tile.y1 * scale, tile.x0 * scale, tile.x1 * scale, 0, 0};
      views.output = output_view(layer, plan, tile, made, outputs, slot);
      compute(layer, plan, tile, window, views, number);
      store_tile(layer.output, layer.out_w * scale, made, tile.b0, tile.b1, views.output, number);
    }
    m_arriving = nullptr;
  }

  bool broadcast(const DlaLayer& layer) const {
    const Extent& e = storage(layer.ew.operand).extent;
    return e.h * e.w == 1;
  }

  View input_view(const DlaLayer& layer, const LayerPlan& plan, const Tile& tile,
                  const Window& window, RingState& ring, int slot, uint32_t number) {
    const bool own_lanes = is_lane_wise(layer);
    const int b0 = own_lanes ? tile.b0 : 0;
    const int b1 = own_lanes ? tile.b1 : (plan.packed ? 1 : plan.in_blocks);
    if (!plan.input.used()) return stored(layer.input, layer.in_w, window, b0, b1);
    const auto turn = ring.take({window.y0, window.y1, window.x0, window.x1, b0, b1}, slot);
    const View view = tiled(layer.input, window, b0, b1, turn.buffer);
    if (turn.fresh) {
      load_tile(layer.input, layer.in_w, window, b0, b1, view, turn.slot, number);
    }
    return view;
  }

  View operand_view(const DlaLayer& layer, const LayerPlan& plan, const Tile& tile, bool broadcast,
                    RingState& ring, int slot, uint32_t number) {
    const TensorId t = layer.ew.operand;
    const Window w = broadcast ? Window{0, 1, 0, 1, 0, 0}
                               : Window{tile.y0, tile.y1, tile.x0, tile.x1, 0, 0};
    const int columns = broadcast ? 1 : layer.out_w;
    if (!plan.operand.used()) return stored(t, columns, w, tile.b0, tile.b1);
    const auto turn = ring.take({w.y0, w.y1, w.x0, w.x1, tile.b0, tile.b1}, slot);
    const View view = tiled(t, w, tile.b0, tile.b1, turn.buffer);
    if (turn.fresh) load_tile(t, columns, w, tile.b0, tile.b1, view, turn.slot, number);
    return view;
  }

  View output_view(const DlaLayer& layer, const LayerPlan& plan, const Tile& tile,
                   const Window& made, RingState& ring, int slot) {
    const int columns = layer.out_w * (layer.upsample2 ? 2 : 1);
    if (!plan.output.used()) return stored(layer.output, columns, made, tile.b0, tile.b1);
    // No two tiles are the same, so every turn is a fresh one.
    const auto turn = ring.take({made.y0, made.y1, made.x0, made.x1, tile.b0, tile.b1}, slot);
    return tiled(layer.output, made, tile.b0, tile.b1, turn.buffer);
  }

  uint64_t blob_at(const DlaLayer& layer, const LayerPlan& plan, const Tile& tile, RingState& ring,
                   int slot, uint32_t number) {
    if (!plan.blob.used()) return 0;
    const auto turn = ring.take({tile.b0, tile.b1, 0, 0, 0, 0}, slot);
    const uint64_t at = m_plan.offset_of(turn.buffer);
    if (turn.fresh) {
      const auto [offset, bytes] = blob_in_image(layer, plan, tile);
      m_program.before(turn.slot,
                       entry(copy_bytes(region_space(PRESIL_REGION_CONSTANTS), offset, kSram, at,
                                        bytes),
                             m_queues.weights, number));
    }
    return at;
  }

  /// Packs each range of blocks once, however often it is loaded.
  std::pair<uint64_t, uint64_t> blob_in_image(const DlaLayer& layer, const LayerPlan& plan,
                                              const Tile& tile) {
    if (m_blob_layer != m_layer) m_blobs.clear();
    m_blob_layer = m_layer;
    for (const Blob& blob : m_blobs) {
      if (blob.block == tile.b0) return {blob.offset, blob.bytes};
    }
    const std::vector<uint8_t> bytes =
        pack_blob(layer, plan.packed, m_layout.place(layer.input).lanes,
                  m_layout.place(layer.output).lanes, tile.b0, tile.b1, m_config.dla);
    m_blobs.push_back(
        {tile.b0, m_schedule.image.add(bytes, PRESIL_BURST_BYTES), bytes.size()});
    return {m_blobs.back().offset, m_blobs.back().bytes};
  }

  void compute(const DlaLayer& layer, const LayerPlan& plan, const Tile& tile,
               const Window& window, const TileViews& views, uint32_t number) {
    const std::vector<int> channel = m_layout.place(layer.output).lanes.channel_of_lane();
    const auto last_block = channel.begin() + (tile.b1 - 1) * 16;
    const auto lanes = std::count_if(last_block, last_block + 16, [](int c) { return c >= 0; });
    Entry e;
    e.queue = PRESIL_QUEUE_DLA;
    e.word = dla_word(layer, plan.packed, tile, window, views, static_cast<int>(lanes), m_config.dla);
    e.layer = m_layer;
    e.tile = number;
    e.accesses = accesses(views.input, Gate::kIn, false);
    const auto add = [&](const std::vector<Access>& more) {
      e.accesses.insert(e.accesses.end(), more.begin(), more.end());
    };
    if (layer.ew.operand != kNoTensor) add(accesses(views.operand, Gate::kIn, false));
    if (views.blob_shape.bytes != 0) {
      add({{kSram, Gate::kWeights, false, views.blob, views.blob + views.blob_shape.bytes}});
    }
    add(accesses(views.output, Gate::kOut, true));
    if (kept(layer.output).keep == Keep::kSram) e.completes = sharing(layer.output);
    m_program.compute(std::move(e));
  }

  bool share_bytes(TensorId a, TensorId b) const {
    const TensorPlace &p = m_layout.place(a), &q = m_layout.place(b);
    return p.storage != kNone && p.storage == q.storage && p.block < q.block + q.lanes.blocks() &&
           q.block < p.block + p.lanes.blocks();
  }

  /// The tensor and all whose bytes in the storage include some of its: views, concatenations.
  std::vector<int> sharing(TensorId t) const {
    std::vector<int> tensors;
    for (TensorId other : storage(t).tensors) {
      if (share_bytes(t, other)) tensors.push_back(other);
    }
    return tensors;
  }

  // ---- host

  void schedule_host(const HostLayer& layer) {
    Entry e;
    e.queue = PRESIL_QUEUE_HOST;
    e.layer = m_layer;
    host::Command c = host::Command::make(host::Op::kRun);
    std::vector<presil_host_tensor> list;
    const auto add = [&](const std::vector<TensorId>& tensors, bool write) {
      for (TensorId t : tensors) {
        const int index = m_layout.place(t).flat;
        const Flat& f = m_layout.flats[size_t(index)];
        const uint64_t begin = m_flat_offsets[size_t(index)];
        list.push_back(host_tensor(t, f.region, begin));
        // Constants never change: nobody has to wait for them.
        if (f.region == PRESIL_REGION_CONSTANTS) continue;
        e.accesses.push_back({region_space(f.region), write ? Gate::kOut : Gate::kIn, write, begin,
                              begin + f.bytes});
        if (write) e.completes.insert(e.completes.end(), f.tensors.begin(), f.tensors.end());
        e.completes_flat = true;
      }
    };
    add(layer.inputs, false);
    add(layer.outputs, true);
    c.kernel_id = static_cast<uint16_t>(layer.kernel);
    c.tensors_offset =
        static_cast<uint32_t>(m_schedule.image.add(list, PRESIL_HOST_TENSOR_ALIGN));
    c.tensors_bytes = static_cast<uint32_t>(list.size() * sizeof(presil_host_tensor));
    if (!layer.attributes.empty()) {
      c.attributes_offset = static_cast<uint32_t>(
          m_schedule.image.add(layer.attributes, PRESIL_HOST_ATTRIBUTE_ALIGN));
      c.attributes_bytes = static_cast<uint32_t>(layer.attributes.size());
    }
    e.word = c;
    m_program.compute(std::move(e));
  }

  presil_host_tensor host_tensor(TensorId id, unsigned region, uint64_t offset) const {
    const ir::Tensor& tensor = m_graph.tensor(id);
    presil_host_tensor entry{};
    entry.dtype = static_cast<uint32_t>(tensor.dtype);
    entry.rank = static_cast<uint32_t>(tensor.shape.size());
    if (entry.rank > std::size(entry.shape)) {
      throw Refusal("plan", "tensor " + tensor.name + " has " + std::to_string(entry.rank) +
                                " axes, a host task wants at most 6");
    }
    for (size_t i = 0; i < tensor.shape.size(); ++i) {
      entry.shape[i] = static_cast<uint32_t>(tensor.shape[i]);
    }
    entry.region = region;
    entry.offset = offset;
    if (tensor.quantization.per_tensor()) {
      entry.scale = tensor.quantization.scale();
      entry.zero_point = tensor.quantization.zero_point();
    }
    return entry;
  }

  // ---- ends

  void copy_outputs() {
    m_layer = kNone;
    for (const Layout::Copy& copy : m_layout.copies) {
      const auto space = [&](int f) { return region_space(m_layout.flats[size_t(f)].region); };
      Entry e = entry(copy_bytes(space(copy.from), m_flat_offsets[size_t(copy.from)],
                                 space(copy.to), m_flat_offsets[size_t(copy.to)],
                                 m_layout.flats[size_t(copy.to)].bytes),
                      m_queues.copies, 0);
      e.completes = m_layout.flats[size_t(copy.to)].tensors;
      e.completes_flat = true;
      m_program.after(std::move(e));
    }
  }

  /// Where each tensor can be looked at: its flat, where it has one; else its storage, as long as
  /// a later layer reads it there (what nobody reads may be overwritten tile by tile before the last
  /// tile is made).
  void record_tensors() {
    for (size_t t = 0; t < m_graph.tensors.size(); ++t) {
      const TensorPlace& place = m_layout.places[t];
      TensorRecord& record = m_schedule.tensors[t];
      if (place.flat != kNone) {
        const Flat& f = m_layout.flats[size_t(place.flat)];
        record.placed = true;
        record.flat = true;
        record.space = region_space(f.region);
        record.offset = m_flat_offsets[size_t(place.flat)];
        record.bytes = m_graph.tensors[t].bytes();
      } else if (place.storage != kNone && is_read(static_cast<int>(t))) {
        record_storage(static_cast<int>(t), record);
      }
    }
    // An output that is a copy lies in its own flat.
    for (const Layout::Copy& copy : m_layout.copies) {
      const Flat& f = m_layout.flats[size_t(copy.to)];
      TensorRecord& record = m_schedule.tensors[size_t(f.tensors.front())];
      record.space = region_space(f.region);
      record.offset = m_flat_offsets[size_t(copy.to)];
    }
  }

  bool is_read(TensorId t) const {
    for (int step = 0; step < m_layout.step_count(); ++step) {
      const auto* layer = std::get_if<DlaLayer>(&m_layout.layer_at(step).work);
      if (layer == nullptr) continue;
      if (share_bytes(layer->input, t)) return true;
      if (layer->ew.operand != kNoTensor && share_bytes(layer->ew.operand, t)) return true;
    }
    return false;
  }

  void record_storage(TensorId t, TensorRecord& record) const {
    const Storage& s = storage(t);
    const Extent extent = extent_of(m_graph.tensor(t));
    const Lanes& lanes = m_layout.place(t).lanes;
    const View v = stored(t, extent.w, {0, extent.h, 0, extent.w, 0, 0}, 0, lanes.blocks());
    record.placed = true;
    record.space = v.space;
    record.offset = v.base;
    record.x_pitch = v.x_step;
    record.row_pitch = v.row_pitch;
    record.block_pitch = s.block_pitch();
    record.bytes = uint64_t(s.block_pitch()) * uint64_t(lanes.blocks());
    if (!lanes.is_dense()) record.lane_channel = lanes.channel_of_lane();
  }

  const ir::Graph& m_graph;
  const Layout& m_layout;
  const Plan& m_plan;
  const SocConfig& m_config;
  DmaQueues m_queues;
  std::vector<uint64_t> m_flat_offsets;
  Schedule m_schedule;
  ProgramBuilder m_program;
  std::vector<int> m_first_slot;  ///< by step
  int m_step = 0;
  int m_layer = kNone;
  const Load* m_arriving = nullptr;  ///< the load that is put row by row,
  int m_arrived = 0;                 ///< and the rows put so far
  struct Blob {
    int block = 0;
    uint64_t offset = 0, bytes = 0;
  };
  std::vector<Blob> m_blobs;  ///< of layer m_blob_layer
  int m_blob_layer = kNone;
};

}  // namespace

Schedule make_schedule(const ir::Graph& graph, const Layout& layout, const Plan& plan,
                       const SocConfig& config) {
  return Scheduler(graph, layout, plan, config).run();
}

}  // namespace presil::plan
