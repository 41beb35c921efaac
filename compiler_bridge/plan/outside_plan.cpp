#include "compiler_bridge/plan/outside_plan.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

#include "compiler_bridge/plan/cost.h"

namespace presil::plan {
namespace {

/// Of 1, 2, 4, ... parts of a whole, as large as a command can be.
std::vector<int> halves(int whole, int most) {
  std::vector<int> sizes;
  for (int parts = 1; parts < 2 * whole; parts *= 2) {
    const int size = (whole + parts - 1) / parts;
    if (size <= most && (sizes.empty() || size < sizes.back())) sizes.push_back(size);
  }
  if (sizes.empty()) sizes.push_back(std::min(whole, most));
  return sizes;
}

uint64_t padded(uint64_t bytes) {
  return (bytes + kWordBytes - 1) / kWordBytes * kWordBytes;
}

/// Tiles that differ in position alone are asked for once: the first, the last and one between, of
/// rows and of blocks.
class Cycles {
 public:
  Cycles(const OutsideShape& shape, const SocConfig& config)
      : m_shape(shape), m_instance(shape.engine->in(config)) {}

  Cycle of(const engine::Tile& tile) {
    const bool edge = tile.y0 == 0 || tile.y1 == m_shape.rows;
    const auto key = std::make_tuple(tile.rows(), tile.blocks(), edge ? tile.y0 : -1);
    const auto [it, fresh] = m_known.try_emplace(key);
    if (fresh) {
      it->second = m_shape.engine->compiler->cycles(*m_shape.work, tile, m_instance);
    }
    return it->second;
  }

 private:
  const OutsideShape& m_shape;
  const engine::Instance m_instance;
  std::map<std::tuple<int, int, int>, Cycle> m_known;
};

/// Tiles at once, on an instance each: what comes and goes by tiles needs a buffer for each.
int parallel(const OutsideShape& shape, const OutsideChoice& choice, uint64_t tiles,
             const SocConfig& config) {
  const unsigned units = shape.engine->in(config).engine.units;
  const auto most = static_cast<int>(std::min<uint64_t>(std::max(1u, units), tiles));
  const bool streams =
      choice.constants != 0 || std::count(shape.streamed.begin(), shape.streamed.end(), true) != 0;
  return streams ? std::min(most, choice.depth) : most;
}

OutsideChoice choice_of(const OutsideShape& shape, int rows, int blocks, int depth, Cycles& cycles,
                        const SocConfig& config) {
  const std::vector<engine::Tile> tiles = outside_tiles(shape, rows, blocks);
  OutsideChoice choice;
  choice.rows = rows, choice.blocks = blocks;
  choice.depth = std::min(depth, static_cast<int>(tiles.size()));
  choice.entry_bytes.assign(shape.operands.size(), 0);
  std::vector<uint64_t> moved(shape.operands.size(), 0);
  uint64_t constants = 0, loads = 0;
  TileCost cost;
  for (const engine::Tile& tile : tiles) {
    for (size_t i = 0; i < shape.operands.size(); ++i) {
      if (!shape.streamed[i]) continue;
      const bool result = i == shape.reads();
      const engine::Part part = result ? tile : shape.engine->compiler->reads(*shape.work, i, tile);
      const Window window = outside_window(shape, i, part);
      const BlockedBuffer& buffer = *shape.buffers[i];
      const uint64_t bytes =
          uint64_t(buffer.block_pitch(window.rows(), window.columns())) * uint64_t(part.blocks());
      choice.entry_bytes[i] = std::max(choice.entry_bytes[i], bytes);
      moved[i] += bytes;
      loads += result ? 0 : 1;
    }
    const uint64_t own = padded(shape.engine->compiler->constants(*shape.work, tile).size());
    choice.constants = std::max(choice.constants, own);
    constants += own;
    cost.compute += cycles.of(tile);
  }
  uint64_t loaded = constants + shape.arriving;
  for (size_t i = 0; i < shape.reads(); ++i) loaded += moved[i];
  const uint64_t n = tiles.size();
  // Of a result that stays, its stores are left out as the DLA's are: both are compared.
  const uint64_t stores = shape.streamed.back() ? n : 0;
  const uint64_t stored = moved.back();
  if (loaded != 0) {
    loads += (constants != 0 ? n : 0) + (shape.arriving != 0 ? n : 0);
    cost.load = move_cycles(loaded, loads, config);
  }
  if (stores != 0) cost.store = move_cycles(stored, stores, config);
  cost.memory = memory_cycles(loaded + stored, config);
  cost.tiles = cost.commands = cost.sums = static_cast<int>(n);
  cost.first = cost.load / static_cast<Cycle>(n);
  cost.last = cost.store / static_cast<Cycle>(n);
  cost.depth = choice.depth;
  cost.fill = cost.first, cost.drain = cost.last;
  cost.parallel = parallel(shape, choice, n, config);
  for (const uint64_t bytes : choice.entry_bytes) choice.bytes += bytes * uint64_t(choice.depth);
  choice.bytes += choice.constants * uint64_t(choice.depth);
  choice.cycles = cost.total();
  choice.moved = cost.load + cost.store;
  choice.lost = std::max(Cycle{0}, choice.cycles - cost.compute / cost.parallel);
  return choice;
}

}  // namespace

OutsideShape outside_shape(const Layout& layout, int step) {
  OutsideShape shape;
  const Layer& layer = layout.layer_at(step);
  shape.engine = engine::find(layer.engine());
  if (shape.engine == nullptr) return shape;
  shape.work = &layer.work;
  std::vector<layer::Operand> results;
  for (const layer::Operand& operand : layer.work.operands()) {
    if (operand.form != layer::Operand::Form::kBlocked || !operand.extent) {
      throw std::logic_error(layer.name + ": an operand of the engine " + shape.engine->name +
                             " must be blocked, with its extent");
    }
    (operand.write ? results : shape.operands).push_back(operand);
  }
  if (results.size() != 1) {
    throw std::logic_error(layer.name + ": a layer of the engine " + shape.engine->name +
                           " must have one result");
  }
  shape.operands.push_back(results.front());
  for (const layer::Operand& operand : shape.operands) {
    shape.buffers.push_back(&layout.blocked_of(operand.tensor));
  }
  shape.streamed.assign(shape.operands.size(), false);
  shape.rows = shape.result().extent->h;
  shape.blocks = layout.place(shape.result().tensor).lanes.blocks();
  return shape;
}

std::vector<engine::Tile> outside_tiles(const OutsideShape& shape, int rows, int blocks) {
  std::vector<engine::Tile> tiles;
  for (int b = 0; b < shape.blocks; b += blocks) {
    for (int y = 0; y < shape.rows; y += rows) {
      tiles.push_back({y, std::min(y + rows, shape.rows), b, std::min(b + blocks, shape.blocks)});
    }
  }
  return tiles;
}

Window outside_window(const OutsideShape& shape, size_t operand, const engine::Part& part) {
  return {part.y0, part.y1, 0, shape.operands[operand].extent->w, 0, 0};
}

std::vector<OutsideChoice> outside_menu(const OutsideShape& shape, const SocConfig& config) {
  const engine::Tile most = shape.engine->compiler->most(*shape.work, shape.engine->in(config));
  const unsigned units = shape.engine->in(config).engine.units;
  std::vector<OutsideChoice> menu;
  Cycles cycles(shape, config);
  for (const int blocks : halves(shape.blocks, most.b1)) {
    for (const int rows : halves(shape.rows, most.y1)) {
      for (int depth = 2 * std::max(1, static_cast<int>(units)); depth >= 1; --depth) {
        menu.push_back(choice_of(shape, rows, blocks, depth, cycles, config));
      }
    }
  }
  return menu;
}

uint64_t least_bytes(const std::vector<OutsideChoice>& menu) {
  uint64_t least = UINT64_MAX;
  for (const OutsideChoice& choice : menu) least = std::min(least, choice.bytes);
  return least;
}

OutsideSteps::OutsideSteps(const Layout& layout, const SocConfig& config)
    : m_layout(layout), m_config(config) {
  for (int step = 0; step < layout.step_count(); ++step) {
    m_steps.push_back({outside_shape(layout, step), {}});
  }
}

const std::vector<OutsideChoice>& OutsideSteps::menu(Layer& step) {
  std::vector<bool> key = step.shape.streamed;
  key.push_back(step.shape.arriving != 0);
  const auto [it, fresh] = step.menus.try_emplace(key);
  if (fresh) it->second = outside_menu(step.shape, m_config);
  return it->second;
}

const OutsideChoice* OutsideSteps::choose(int number, const std::function<bool(int)>& kept,
                                          uint64_t arriving, uint64_t budget) {
  Layer& step = m_steps[size_t(number)];
  for (size_t i = 0; i < step.shape.operands.size(); ++i) {
    step.shape.streamed[i] = !kept(m_layout.place(step.shape.operands[i].tensor).storage);
  }
  step.shape.arriving = arriving;
  const OutsideChoice* best = nullptr;
  for (const OutsideChoice& choice : menu(step)) {
    if (choice.bytes > budget) continue;
    if (best == nullptr || choice.cycles < best->cycles) best = &choice;
  }
  return best;
}

uint64_t OutsideSteps::least(int number, bool any) {
  Layer& step = m_steps[size_t(number)];
  const size_t operands = step.shape.operands.size();
  uint64_t least = UINT64_MAX;
  for (size_t kept = 0; kept < (any ? size_t{1} << operands : 1); ++kept) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < operands; ++i) {
      step.shape.streamed[i] = (kept >> i & 1) == 0;
      if (!step.shape.streamed[i]) bytes = std::max(bytes, step.shape.buffers[i]->bytes());
    }
    step.shape.arriving = 0;
    least = std::min(least, bytes + least_bytes(menu(step)));
  }
  return least;
}

}  // namespace presil::plan
