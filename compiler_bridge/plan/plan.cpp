#include "compiler_bridge/plan/plan.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <set>

#include "compiler_bridge/plan/attempt.h"
#include "compiler_bridge/plan/engine_planners.h"
#include "compiler_bridge/plan/finalists.h"
#include "compiler_bridge/plan/kept_weights.h"
#include "compiler_bridge/plan/ladder.h"
#include "compiler_bridge/plan/scratch.h"
#include "compiler_bridge/plan/search.h"

namespace presil::plan {
namespace {

/// Why an attempt failed: where room is missing.
struct Shortage {
  int step = 0;
  uint64_t needed = 0;
  bool in_any_place = false;  ///< of buffers: too many bytes at the step, however they lie
};

/// Shares of the room that a search without units still tries.
constexpr double kLargeTiles = 0.6;

class Planner {
 public:
  Planner(const Layout& layout, const SocConfig& config, Search& search)
      : m_layout(layout),
        m_config(config),
        m_search(search),
        m_residents(layout),
        m_planners(layout, config, m_residents, search) {
    for (int step = 0; step < layout.step_count(); ++step) {
      for (const int storage : m_planners.of(step).not_to_keep(step)) {
        m_residents.keep_linear(storage);
      }
    }
    keep_as_decided();
  }

  Planned run() {
    m_search.stage("plan", uint64_t(m_layout.step_count()));
    const std::vector<Unfit> unfit =
        unfit_steps(m_planners, m_layout.step_count(), m_config.sram.bytes);
    if (!unfit.empty()) return misfits(unfit);
    m_attempts = attempts(m_layout.step_count(), m_search.decided().prefetch);
    for (Attempt& attempt : m_attempts) attempt.live = live_bytes(attempt);
    std::optional<Plan> best;
    Attempt by;
    Residents with = m_residents;
    Shortage shortage;
    for (int further = 0; further < m_search.effort().further_moves; further += best ? 1 : 0) {
      if (m_search.is_spent()) break;
      for (Attempt& attempt : m_attempts) {
        Shortage missing;
        std::optional<Plan> plan = try_plan(attempt, missing);
        if (attempt.is_least()) shortage = missing;
        if (plan && attempt.prefetch != m_search.decided().prefetch.value_or(attempt.prefetch))
          plan.reset();
        if (plan) m_finalists.offer(*plan);
        if (plan && (!best || plan->cycles < best->cycles)) {
          best = std::move(plan);
          by = attempt, with = m_residents;
        }
      }
      if (best && !m_search.decided().kept.empty()) break;
      const int step = best ? slowest_step(*best) : shortage.step;
      if (step == kNone) break;
      const bool may_leave = !best;  // the DSP's operands their blocks
      bool moved = move_one_out(step, may_leave);
      if (!moved && !best && m_not_stored.empty()) moved = move_one_out(kNone, may_leave);
      if (!m_not_stored.empty()) return {{}, {}, {}, m_not_stored};
      if (!moved && !best) return misfits({{shortage.step, shortage.needed}});
      if (!moved) break;
      m_search.done(uint64_t(best ? m_layout.step_count() : step));
    }
    Planned planned;
    if (best) m_residents = std::move(with), toggle_buffers(*best, std::move(by));
    if (best) look_at_small_tiles(*best);
    if (best) planned.plan = std::move(*best);
    if (!best) planned = first_that_fits();
    if (!planned.fits()) return planned;
    planned.others = m_finalists.beside(planned.plan);
    finish(planned.plan, 1'000'000 + 1'000 * uint64_t(m_layout.step_count()));
    const Search::Trial trial(m_search);
    for (Plan& other : planned.others) finish(other, m_search.spent() / 4);
    return planned;
  }

 private:
  /// @param units  for loads that may begin earlier
  void finish(Plan& plan, uint64_t units) {
    if (plan.prefetch == 0) prefetch_where_possible(plan, m_search.spent() + units);
    keep_weights(m_layout, m_config, m_planners, plan);
    place_scratch(m_layout, plan);
  }

  void keep_as_decided() {
    const std::map<std::string, bool>& kept = m_search.decided().kept;
    if (kept.empty()) return;
    const std::vector<std::string> names = buffer_names(m_layout);
    for (size_t i = 0; i < names.size(); ++i) {
      const auto said = kept.find(names[i]);
      const int buffer = static_cast<int>(i);
      if (said != kept.end() && said->second != m_residents.kept(buffer))
        m_residents.toggle(buffer);
    }
  }

  /// Spilling goes one way and looks at one step. Here each buffer beside which a layer loses time
  /// goes to the other side for a trial, then one goes in for another that goes out, until nothing
  /// makes the whole faster.
  void toggle_buffers(Plan& best, Attempt by) {
    if (!m_search.decided().kept.empty()) return;
    constexpr Cycle kSure = 512;  // faster by one cycle of so many
    for (bool any = true; any;) {
      any = false;
      for (const std::vector<int>& toggled : worth_a_trial(best)) {
        if (!m_search.may_try(lost_share(best))) return;
        if (!toggle(toggled)) continue;
        std::optional<Plan> plan = try_again(by, best.cycles);
        if (plan) m_finalists.offer(*plan);
        const bool faster = plan && plan->cycles + plan->cycles / kSure < best.cycles;
        if (!faster) toggle(toggled);
        if (faster) best = std::move(*plan), any = true;
      }
      for (const Attempt& other : any ? m_attempts : std::vector<Attempt>()) {
        std::optional<Plan> plan = try_again(other, best.cycles);
        if (plan) m_finalists.offer(*plan);
        if (plan && plan->cycles < best.cycles) best = std::move(*plan), by = other;
      }
    }
  }

  /// Beside small tiles weights of several steps fit. Sizes do not go by the SRAM, so
  /// that more of it finds the same.
  void look_at_small_tiles(Plan& best) {
    constexpr int kSteps = 3;
    constexpr uint64_t kLeast = 8192;
    if (m_search.is_spent() || m_search.decided().any() || !loses(best)) return;
    for (uint64_t bytes = rung_below(m_config.sram.bytes); bytes >= kLeast;
         bytes = rung_below(bytes)) {
      Attempt attempt{kSteps, 1.0, false, bytes};
      attempt.live = live_bytes(attempt);
      Shortage missing;
      std::optional<Plan> plan = try_plan(attempt, missing);
      if (plan) m_finalists.offer(*plan);
      if (plan && plan->cycles < best.cycles) best = std::move(*plan);
    }
  }

  /// All of them; false: none.
  bool toggle(const std::vector<int>& buffers) {
    for (size_t i = 0; i < buffers.size(); ++i) {
      if (m_residents.toggle(buffers[i])) continue;
      while (i-- > 0) m_residents.toggle(buffers[i]);
      return false;
    }
    return true;
  }

  /// Blocked buffers in whose life the plan's layers lose much to moving data, the most first; then
  /// pairs of them that live at the same time, of which the larger one is kept.
  std::vector<std::vector<int>> worth_a_trial(const Plan& plan) const {
    constexpr Cycle kMuch = 200;   // one cycle of so many
    constexpr uint64_t kRoom = 4;  // more by one of so many may have room too
    std::vector<std::pair<Cycle, int>> losers;
    for (size_t i = 0; i < m_layout.blocked_buffers.size(); ++i) {
      const BlockedBuffer& buffer = m_layout.blocked_buffers[i];
      Cycle lost = 0;
      for (int step = buffer.first; step <= std::min(buffer.last, m_layout.step_count() - 1);
           ++step) {
        lost += plan.layers[size_t(step)].lost;
      }
      if (lost > plan.cycles / kMuch) losers.emplace_back(-lost, static_cast<int>(i));
    }
    std::sort(losers.begin(), losers.end());
    std::vector<std::vector<int>> all, pairs;
    for (const auto& [lost, one] : losers) {
      all.push_back({one});
      for (const auto& [less, other] : losers) {
        if (other == one) break;
        const bool kept = m_residents.kept(one);
        if (kept == m_residents.kept(other)) continue;
        const BlockedBuffer& out = m_layout.blocked_buffers[size_t(kept ? one : other)];
        const BlockedBuffer& in = m_layout.blocked_buffers[size_t(kept ? other : one)];
        const bool meet = in.first <= out.last && out.first <= in.last;
        if (meet && in.bytes() <= out.bytes() + out.bytes() / kRoom) pairs.push_back({one, other});
      }
    }
    all.insert(all.end(), pairs.begin(), pairs.end());
    return all;
  }

  /// The attempt anew, for what stays now: for a plan of about `cycles`, if it can be one.
  std::optional<Plan> try_again(const Attempt& by, Cycle cycles) {
    constexpr Cycle kNear = 64;  // slower by one of so many: looked at more closely
    const Search::Trial trial(m_search);
    Attempt attempt{by.prefetch, by.share, by.in_order, by.most};
    attempt.live = live_bytes(attempt);
    Shortage missing;
    return try_plan(attempt, missing, cycles + cycles / kNear);
  }

  bool move_one_out(int step, bool may_leave) {
    const Residents::Moved moved = m_residents.move_one_out(step, may_leave);
    for (Attempt& attempt : m_attempts) {
      for (const int storage : moved.buffers) {
        const BlockedBuffer& s = m_layout.blocked_buffers[size_t(storage)];
        forget(attempt, s.bytes(), m_residents.first_step(s, attempt.prefetch), s.last);
      }
      if (moved.flat != kNone) {
        const LinearBuffer& f = m_layout.linear_buffers[size_t(moved.flat)];
        forget(attempt, f.bytes, f.first, f.last);
      }
    }
    m_not_stored.insert(moved.not_stored.begin(), moved.not_stored.end());
    return moved.any();
  }

  /// What lived from step `first` to step `last` is out: before that nothing changes.
  static void forget(Attempt& attempt, uint64_t bytes, int first, int last) {
    for (int step = first; step <= last; ++step) attempt.live[size_t(step)] -= bytes;
    if (first > last) return;
    attempt.checked = std::min(attempt.checked, first);
    // Of layers that come after, buffers are there as many steps ahead as loads may be; of others,
    // and of what they leave, one step.
    const int ahead = std::max(1, attempt.prefetch);
    if (first <= attempt.crowded + ahead && attempt.crowded - 1 <= last) attempt.crowded = kNone;
  }

  /// The end of a search that has no units left: at all steps that lack room something goes, until
  /// nothing lacks any.
  Planned first_that_fits() {
    for (;;) {
      std::vector<Shortage> all;
      Attempt& least = least_attempt();
      for (int step = least.checked; step < m_layout.step_count(); ++step) {
        Shortage missing;
        if (!has_room(least, step, missing)) all.push_back(missing);
      }
      if (all.empty()) {
        Shortage missing;
        std::optional<Plan> plan = try_plan(least, missing);
        for (Attempt& other : m_attempts) {
          if (!plan || other.prefetch != 1 || other.share < kLargeTiles) continue;
          std::optional<Plan> better = try_plan(other, missing);
          if (better && better->cycles < plan->cycles) plan = std::move(better);
        }
        if (plan) return {std::move(*plan)};
        all.push_back(missing);
      }
      bool any = false;
      for (const Shortage& shortage : all) any |= move_one_out(shortage.step, true);
      if (!any && m_not_stored.empty()) any = move_one_out(kNone, true);
      if (!m_not_stored.empty()) return {{}, {}, {}, m_not_stored};
      if (!any) return misfits({{all.front().step, all.front().needed}});
      m_search.done(uint64_t(m_layout.step_count()) - all.size());
    }
  }

  Attempt& least_attempt() {
    return *std::find_if(m_attempts.begin(), m_attempts.end(),
                         [](const Attempt& a) { return a.is_least(); });
  }

  // ---- one attempt

  /// @param most  cycles of a first plan from which on a second one is not worth the time
  std::optional<Plan> try_plan(Attempt& attempt, Shortage& shortage,
                               Cycle most = std::numeric_limits<Cycle>::max()) {
    if (attempt.crowded != kNone) return std::nullopt;
    for (; attempt.checked < m_layout.step_count(); ++attempt.checked) {
      if (!has_room(attempt, attempt.checked, shortage)) return std::nullopt;
    }
    LayersCost cost(attempt.prefetch);
    std::optional<Plan> plan = plan_layers(attempt, cost, shortage);
    if (shortage.in_any_place && !attempt.is_least()) attempt.crowded = shortage.step;
    if (!plan || !attempt.in_order || plan->cycles > most) return plan;
    // Each layer was chosen for those before it; now for those after it too.
    LayersCost again(attempt.prefetch, cost.layers());
    Shortage missing;
    std::optional<Plan> better = plan_layers(attempt, again, missing);
    return better && better->cycles < plan->cycles ? std::move(better) : std::move(plan);
  }

  std::optional<Plan> plan_layers(const Attempt& attempt, LayersCost& cost, Shortage& shortage) {
    Plan plan;
    plan.prefetch = attempt.prefetch;
    plan.layers.resize(size_t(m_layout.step_count()));
    keep_blocked_buffers(plan);
    keep_linear_buffers(plan);
    for (int step = 0; step < m_layout.step_count(); ++step) plan_step(plan, step, attempt, cost);
    m_search.spend(uint64_t(m_layout.step_count()));
    plan.cycles = cost.total();
    const Pressure pressure = highest_pressure(plan.buffers);
    const bool crowded = pressure.bytes > m_config.sram.bytes;
    shortage = {std::min(pressure.step, m_layout.step_count() - 1), pressure.bytes, crowded};
    if (crowded) return std::nullopt;
    plan.placing = place(plan.buffers);
    if (plan.placing.peak <= m_config.sram.bytes) return plan;
    shortage = {crowded_step(plan), plan.placing.peak};
    return std::nullopt;
  }

  /// The fullest step in the life of a buffer that could not be allocated.
  int crowded_step(const Plan& plan) const {
    const std::vector<uint64_t> live = live_bytes(plan.buffers);
    int step = kNone;
    for (size_t i = 0; i < plan.buffers.size(); ++i) {
      const Buffer& b = plan.buffers[i];
      if (plan.placing.offsets[i] + b.bytes <= m_config.sram.bytes) continue;
      for (int s = b.first; s <= std::min(b.last, m_layout.step_count() - 1); ++s) {
        if (step == kNone || live[size_t(s)] > live[size_t(step)]) step = s;
      }
    }
    return std::max(step, 0);
  }

  /// False: `shortage` says what is missing.
  bool has_room(const Attempt& attempt, int step, Shortage& shortage) {
    m_search.spend(1);
    const std::optional<uint64_t> needed =
        m_planners.of(step).lacking(step, room_of(attempt, step));
    if (needed) shortage = {step, *needed};
    return !needed;
  }

  /// @pre has_room()
  void plan_step(Plan& plan, int step, const Attempt& attempt, LayersCost& cost) {
    m_planners.of(step).add(plan, step, room_of(attempt, step), cost);
  }

  Room room_of(const Attempt& attempt, int step) const {
    const uint64_t taken = attempt.live[size_t(step)];
    const uint64_t left = taken < m_config.sram.bytes ? m_config.sram.bytes - taken : 0;
    return {taken, std::min(attempt.most, static_cast<uint64_t>(double(left) * attempt.share)),
            attempt.prefetch, attempt.in_order};
  }

  Placing place(const std::vector<Buffer>& buffers) {
    constexpr uint64_t kLooked = 64;  // neighbours of a buffer, for a unit
    Placing placing = place_buffers(buffers, m_config.sram.bytes);
    m_search.spend(buffers.size() + placing.looked_at / kLooked);
    return placing;
  }

  void keep_blocked_buffers(Plan& plan) const {
    plan.blocked_buffers.resize(m_layout.blocked_buffers.size());
    for (size_t i = 0; i < m_layout.blocked_buffers.size(); ++i) {
      const BlockedBuffer& storage = m_layout.blocked_buffers[i];
      KeptBuffer& kept = plan.blocked_buffers[i];
      kept.keep = m_residents.keep(static_cast<int>(i));
      const int first = m_residents.first_step(storage, plan.prefetch);
      if (storage.load != kNone) kept.load_step = first;
      if (kept.keep != Keep::kSram) continue;
      kept.buffer = static_cast<int>(plan.buffers.size());
      plan.buffers.push_back({storage.bytes(), kWordBytes, first, storage.last});
    }
  }

  void keep_linear_buffers(Plan& plan) const {
    plan.linear_buffers.assign(m_residents.linear_buffers(), kNone);
    for (size_t i = 0; i < m_residents.linear_buffers(); ++i) {
      const LinearBuffer& flat = m_layout.linear_buffers[i];
      if (!m_residents.is_resident(static_cast<int>(i))) continue;
      plan.linear_buffers[i] = static_cast<int>(plan.buffers.size());
      plan.buffers.push_back({flat.bytes, kWordBytes, flat.first, flat.last});
    }
  }

  std::vector<uint64_t> live_bytes(const Attempt& attempt) const {
    Plan plan;
    plan.prefetch = attempt.prefetch;
    keep_blocked_buffers(plan);
    keep_linear_buffers(plan);
    return live_bytes(plan.buffers);
  }

  std::vector<uint64_t> live_bytes(const std::vector<Buffer>& buffers) const {
    // What begins at each step less what has ended, summed up; unsigned differences wrap back.
    std::vector<uint64_t> live(size_t(m_layout.step_count()) + 1, 0);
    for (const Buffer& buffer : buffers) {
      if (buffer.first > buffer.last) continue;
      live[size_t(buffer.first)] += buffer.bytes;
      live[size_t(buffer.last) + 1] -= buffer.bytes;
    }
    std::partial_sum(live.begin(), live.end(), live.begin());
    return live;
  }

  /// A plan without prefetching may still have capacity for it here and there: each stream that
  /// finds the bytes free one step earlier begins then, as far as the units for that go.
  void prefetch_where_possible(Plan& plan, uint64_t most) {
    std::vector<uint64_t> live = live_bytes(plan.buffers);
    const auto earlier = [&](const Ring& ring, int& from, int ready) {
      if (!ring.used() || from == 0 || from - 1 < ready) return;
      uint64_t& there = live[size_t(from - 1)];
      const uint64_t more = ring.entry_bytes * ring.buffers.size();
      if (there + more > m_config.sram.bytes || m_search.spent() > most) return;
      const auto shift = [&](int by) {
        for (int b : ring.buffers) plan.buffers[size_t(b)].first += by;
      };
      shift(-1);
      Placing placing = place(plan.buffers);
      if (placing.peak > m_config.sram.bytes) return shift(+1);
      plan.placing = std::move(placing);
      there += more;
      --from;
    };
    for (int step = 0; step < m_layout.step_count(); ++step) {
      for (const EarlyLoads& loads :
           m_planners.of(step).early_loads(step, plan.layers[size_t(step)])) {
        earlier(*loads.ring, *loads.from, loads.ready);
      }
    }
  }

  /// The step that loses most to moving data; kNone: none loses more than a hundredth of what an
  /// image takes.
  int slowest_step(const Plan& plan) const {
    const auto slowest =
        std::max_element(plan.layers.begin(), plan.layers.end(),
                         [](const LayerPlan& a, const LayerPlan& b) { return a.lost < b.lost; });
    if (slowest == plan.layers.end() || slowest->lost <= plan.cycles / 100 / images()) return kNone;
    return static_cast<int>(slowest - plan.layers.begin());
  }

  Cycle images() const {
    size_t most = 1;
    for (const std::vector<int>& images : m_layout.images) most = std::max(most, images.size());
    return most;
  }

  Planned misfits(const std::vector<Unfit>& unfit) const {
    Planned planned;
    for (const Unfit& one : unfit) {
      planned.misfits.push_back({m_layout.steps[size_t(one.step)], verdict(one), one.needed});
    }
    return planned;
  }

  placement::Verdict verdict(const Unfit& unfit) const {
    return placement::verdict(
        placement::engine_named(m_layout.layer_at(unfit.step).engine()),
        placement::Verdict::Kind::kSram,
        {"sram.bytes", std::to_string(unfit.needed), std::to_string(m_config.sram.bytes)},
        "give the SoC more SRAM (sram.bytes)");
  }

  const Layout& m_layout;
  const SocConfig& m_config;
  Search& m_search;
  Residents m_residents;
  const EnginePlanners m_planners;
  std::vector<Attempt> m_attempts;
  Finalists m_finalists;
  std::set<int> m_not_stored;  ///< layers of the DSP whose operands would have to be dense
};

}  // namespace

Planned make_plan(const Layout& layout, const SocConfig& config, Search& search) {
  return Planner(layout, config, search).run();
}

}  // namespace presil::plan
