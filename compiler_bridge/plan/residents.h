// Which blocked buffers and linear buffers stay in the SRAM while a plan is sought, and what to
// spill next.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "compiler_bridge/plan/plan.h"

namespace presil::plan {

class Residents {
 public:
  /// At first all.
  explicit Residents(const Layout& layout);

  /// Not the storage: some layer's tiles could not enter it there.
  void keep_linear(int storage) {
    m_keep[size_t(storage)] = Keep::kLinear;
    m_never.insert(storage);
  }

  Keep keep(int storage) const { return m_keep[size_t(storage)]; }
  bool kept(int storage) const { return keep(storage) == Keep::kSram; }
  bool is_resident(int flat) const { return m_stays[size_t(flat)]; }
  size_t linear_buffers() const { return m_stays.size(); }

  /// What a move took out of the SRAM; neither: nothing.
  struct Moved {
    std::vector<int> buffers = {};
    int flat = kNone;
    std::set<int> not_stored = {};  ///< nothing, for these layers of the DSP have it there
    bool any() const { return !buffers.empty() || flat != kNone; }
  };
  /// Moves the storage out that frees most for its traffic at the step (kNone: at any), with those
  /// of the other images of a batch, or a linear buffer that frees more. None: there is nothing
  /// left, or it is one that the DSP has there, which `may_leave`, in another layout.
  Moved move_one_out(int step, bool may_leave);

  /// Moves the storage out, or in again, with those of the other images of a batch. False: it has
  /// to stay where it is.
  bool toggle(int storage);

  /// The step from which on a storage lives: for a load, whose beginning it is put at.
  /// @param prefetch  steps that loads may come ahead
  int first_step(const BlockedBuffer& storage, int prefetch) const;
  /// Bytes of an input that cannot be loaded before the step begins, and that its layer is the
  /// first to read.
  uint64_t arriving_bytes(int step, TensorId input, int prefetch) const;

  /// The first step after all that writes a tensor's storage.
  int made_by(int storage) const { return m_made[size_t(storage)].last + 1; }

 private:
  /// Operands that may lie in blocked buffers.
  Operands used_in(int step) const;
  bool used_in(int step, int index) const;
  Keep keep_outside(int index) const;
  uint64_t traffic(int index) const;
  int linear_to_move(int step, int best, double best_price) const;
  /// The storage and those of the other images of a batch that are where it is.
  std::vector<int> with_images(int storage) const;

  const Layout* m_layout;
  std::vector<Keep> m_keep;   ///< by storage
  std::vector<bool> m_stays;  ///< by flat: in the SRAM
  std::set<int> m_never;      ///< buffers that are not kept
  /// First and last step that writes a storage, or begins while one does.
  struct Made {
    int first = kNone, last = -1;
    TensorId tensor = kNoTensor;  ///< by the first one
  };
  std::vector<Made> m_made;  ///< by storage
  std::vector<int> m_uses;   ///< by storage: of all layers
  /// By storage: layers that have it there by choice.
  std::map<int, std::set<int>> m_by_choice;
};

}  // namespace presil::plan
