#include "compiler_bridge/plan/search.h"

#include <algorithm>
#include <array>

namespace presil::plan {
namespace {

/// All that the tilings of a layer and their costs depend on: everything but the values that the
/// loader reads.
class Key {
 public:
  template <class... T>
  void put(T... values) {
    (m_values.push_back(static_cast<int64_t>(values)), ...);
  }

  void put_layer(const layer::DlaLayer& l) {
    put(l.op, l.in_h, l.in_w, l.in_c, l.out_h, l.out_w, l.out_c, l.kernel_h, l.kernel_w);
    put(l.stride_y, l.stride_x, l.dil_y, l.dil_x, l.pad_top, l.pad_left, l.pad_value, l.upsample2);
    put(l.sums);
    put(l.groups, l.weight_zero, l.has_computed_weights(), l.weights_by_row, l.in_zero, l.diagonal);
    put(l.weights.size(), l.bias.size(), l.multiplier.size(), l.shift.size(), l.lut.size());
    put(l.rule, l.div_recip, l.div_count, l.divide_inside, l.out_zero, l.act_min, l.act_max);
    const layer::ElementWise& e = l.ew;
    put(e.op, e.rule, e.operand != kNoTensor, e.a_zero, e.b_zero, e.out_zero, e.a_mult, e.b_mult);
    put(e.out_mult, e.a_shift, e.b_shift, e.out_shift, e.left_shift, e.act_min, e.act_max);
  }

  void put_storage(const BlockedBuffer* s) {
    put(s != nullptr);
    if (s == nullptr) return;
    put(s->form, s->extent.h, s->extent.w, s->extent.c, s->blocks, s->odd_rows, s->blocks_at_once);
  }

  std::vector<int64_t> take() { return std::move(m_values); }

 private:
  std::vector<int64_t> m_values;
};

std::vector<int64_t> key_of(const LayerShape& shape, Cut cut, bool coarse) {
  Key key;
  key.put_layer(*shape.layer);
  for (const BlockedBuffer* s : {shape.input, shape.operand, shape.output}) key.put_storage(s);
  key.put(shape.stream_input, shape.stream_operand, shape.stream_output, shape.broadcast);
  key.put(shape.linear_input, shape.linear_output, shape.last);
  key.put(shape.arriving, shape.prefetched, shape.packed, cut, coarse);
  for (const Run& run : shape.runs) key.put(run.b0, run.b1, run.c0, run.in_blocks, run.step);
  return key.take();
}

}  // namespace

Effort effort_of(int level) {
  // Units of level 2: 20 times what the hardest network of the corpus takes in 64 KiB, so that it
  // is a bound against searches without end and no choice among plans.
  constexpr std::array<Effort, kMostEffort + 1> kLevels = {{
      {0, 0, 1, 0, 0},
      {500'000, 500, 2, 0.1, 20'000},
      {8'000'000, 2'000, 6, 0.25, 200'000},
      {64'000'000, 20'000, 24, 4, 20'000'000},
  }};
  return kLevels.at(static_cast<size_t>(level));
}

void Search::begin(size_t layers) {
  if (m_begun) return;
  m_begun = true;
  m_few = has_few_layers(layers);
  m_left += m_effort.units_a_layer * layers;
}

void Search::spend(uint64_t units) {
  constexpr uint64_t kTellEvery = 256;
  m_spent += units;
  m_untold += units;
  if (m_untold < kTellEvery) return;
  m_untold = 0;
  tell();
}

bool Search::may_try(double lost) const {
  constexpr double kOfLost = 2;               // times as many more where all is lost
  const double few = m_few ? 50'000 : 5'000;  // units
  const double before = double(worked() - m_tried);
  const double share = m_effort.trials * (1 + kOfLost * lost);
  return m_effort.trials > 0 && !is_spent() && double(m_tried) < few + share * before;
}

bool Search::may_play(uint64_t bursts) const {
  constexpr double kFew = 3'000, kOfTrial = 3;  // more than a trial has: it knows better
  // Planning few layers takes so little that it says nothing of what playing them may take.
  if (m_few) return bursts <= 2 * m_effort.played;
  return bursts <= m_effort.played &&
         double(bursts) < kFew + kOfTrial * m_effort.trials * double(m_spent);
}

void Search::stage(const char* name, uint64_t total) {
  m_stage = name, m_total = total, m_done = 0;
  tell();
}

void Search::tell() const {
  if (m_progress) m_progress(m_stage, m_done, m_total);
}

MemoryStreams& Search::memory(const SocConfig& config) {
  if (!m_memory) m_memory.emplace(config);
  return *m_memory;
}

CommandTimes& Search::commands(const SocConfig& config) {
  if (!m_commands) m_commands.emplace(config.dla);
  return *m_commands;
}

const std::vector<TilingChoice>& Search::menu(const LayerShape& shape, Cut cut,
                                              const SocConfig& config) {
  const bool coarse = is_spent();
  const auto [it, fresh] = m_menus.try_emplace(key_of(shape, cut, coarse));
  m_most_bytes = std::max<uint64_t>(m_most_bytes, config.sram.bytes);
  if (fresh) it->second = tiling_menu(shape, cut, config, coarse, this, m_most_bytes);
  return it->second;
}

}  // namespace presil::plan
