// DTCM that the library's kernels share: one runs at a time, and none leaves anything in it.
#pragma once

#include <stddef.h>

namespace presil::dsp {

constexpr size_t kWorkspaceBytes = 112 << 10;
extern "C" char presil_dsp_workspace[kWorkspaceBytes];

/// The workspace as one T, whose bytes have any value.
template <class T>
T& workspace() {
  static_assert(sizeof(T) <= kWorkspaceBytes);
  return *reinterpret_cast<T*>(presil_dsp_workspace);
}

/// A copy of values in DTCM, if it has the room: a scalar load of the SRAM waits for it.
template <class T, size_t room>
const T* nearby(const T* values, size_t count, T (&copy)[room]) {
  if (count > room) return values;
  __builtin_memcpy(copy, values, count * sizeof(T));
  return copy;
}

}  // namespace presil::dsp
