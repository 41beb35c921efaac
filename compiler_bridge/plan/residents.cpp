#include "compiler_bridge/plan/residents.h"

#include <algorithm>

namespace presil::plan {

Residents::Residents(const Layout& layout)
    : m_layout(&layout),
      m_keep(layout.blocked_buffers.size(), Keep::kSram),
      m_stays(layout.linear_buffers.size()),
      m_made(layout.blocked_buffers.size()),
      m_uses(layout.blocked_buffers.size(), 0) {
  for (size_t i = 0; i < m_stays.size(); ++i) m_stays[i] = layout.linear_buffers[i].uses() > 0;
  for (int step = 0; step < layout.step_count(); ++step) {
    for (const TensorId t : stored_tensors(layout.layer_at(step)).made) {
      Made& made = m_made[size_t(layout.place(t).storage)];
      if (made.first == kNone) made.first = step, made.tensor = t;
      made.last = std::max(made.last, layout.until[size_t(step)]);
    }
    for (const Operand& operand : used_in(step)) {
      const int storage = layout.place(operand.tensor).storage;
      if (storage == kNone) continue;
      ++m_uses[size_t(storage)];
      if (operand.by_choice) m_by_choice[storage].insert(layout.steps[size_t(step)]);
    }
  }
}

int Residents::first_step(const BlockedBuffer& storage, int prefetch) const {
  if (storage.load == kNone) return storage.first;
  const Load& load = m_layout->loads[size_t(storage.load)];
  return std::max(load.ready, load.first_use - std::max(0, prefetch));
}

uint64_t Residents::arriving_bytes(int step, TensorId input, int prefetch) const {
  const int index = m_layout->place(input).storage;
  const BlockedBuffer& storage = m_layout->blocked_buffers[size_t(index)];
  if (storage.load == kNone || !kept(index)) return 0;
  const Load& load = m_layout->loads[size_t(storage.load)];
  const bool now = load.first_use == step && first_step(storage, prefetch) == step;
  return now ? storage.bytes() : 0;
}

/// A storage that is loaded, or all of whose bytes go to one linear buffer anyway, is kept as that
/// linear buffer.
Keep Residents::keep_outside(int index) const {
  const BlockedBuffer& storage = m_layout->blocked_buffers[size_t(index)];
  if (storage.load != kNone) return Keep::kLinear;
  const Made& made = m_made[size_t(index)];
  if (made.first == kNone) return Keep::kTiles;
  const TensorPlace& place = m_layout->place(made.tensor);
  const bool whole =
      place.block == 0 && place.lanes.blocks() == storage.blocks && place.lattice.is_whole();
  return whole && place.lanes.is_dense() && !place.stores.empty() ? Keep::kLinear : Keep::kTiles;
}

/// Traffic that a storage causes when it is outside, in bytes.
uint64_t Residents::traffic(int index) const {
  return uint64_t(m_uses[size_t(index)]) * m_layout->blocked_buffers[size_t(index)].bytes();
}

Operands Residents::used_in(int step) const {
  Operands used;
  for (const Operand& operand : m_layout->layer_at(step).work.operands()) {
    const bool blocked =
        operand.form == Operand::Form::kBlocked || operand.form == Operand::Form::kEither;
    if (blocked) used.push_back(operand);
  }
  return used;
}

bool Residents::used_in(int step, int index) const {
  const Operands used = used_in(step);
  return std::any_of(used.begin(), used.end(), [&](const Operand& operand) {
    return m_layout->place(operand.tensor).storage == index;
  });
}

Residents::Moved Residents::move_one_out(int step, bool may_leave) {
  int best = kNone;
  double best_price = 0;
  for (size_t i = 0; i < m_keep.size(); ++i) {
    const BlockedBuffer& storage = m_layout->blocked_buffers[i];
    const int index = static_cast<int>(i);
    if (m_keep[i] != Keep::kSram) continue;
    if (!may_leave && m_by_choice.count(index) != 0) continue;
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
  const int flat = linear_to_move(step, best, best_price);
  if (flat != kNone) {
    m_stays[size_t(flat)] = false;
    return {{}, flat};
  }
  if (best == kNone) return {};
  const auto chosen = m_by_choice.find(best);
  if (chosen != m_by_choice.end()) return {{}, kNone, chosen->second};
  Moved moved{with_images(best)};
  for (const int storage : moved.buffers) m_keep[size_t(storage)] = keep_outside(storage);
  return moved;
}

std::vector<int> Residents::with_images(int storage) const {
  std::vector<int> all = {storage};
  const int images = m_layout->images_of[size_t(storage)];
  for (const int other : images == kNone ? std::vector<int>() : m_layout->images[size_t(images)]) {
    const bool moves = m_by_choice.count(other) == 0 && m_never.count(other) == 0;
    if (other != storage && kept(other) == kept(storage) && moves) all.push_back(other);
  }
  return all;
}

bool Residents::toggle(int storage) {
  if (m_by_choice.count(storage) != 0 || m_never.count(storage) != 0) return false;
  const bool out = kept(storage);
  for (const int one : with_images(storage)) {
    m_keep[size_t(one)] = out ? keep_outside(one) : Keep::kSram;
  }
  return true;
}

/// A linear buffer that frees more for its traffic than storage `best`; kNone: there is none.
int Residents::linear_to_move(int step, int best, double best_price) const {
  int found = kNone;
  for (size_t i = 0; i < m_stays.size(); ++i) {
    const LinearBuffer& flat = m_layout->linear_buffers[i];
    if (!m_stays[i] || flat.bytes == 0) continue;
    if (step != kNone && (flat.first > step || flat.last < step)) continue;
    const double price = double(flat.uses()) / double(flat.bytes);
    if ((best != kNone || found != kNone) && price >= best_price) continue;
    found = static_cast<int>(i), best_price = price;
  }
  return found;
}

}  // namespace presil::plan
