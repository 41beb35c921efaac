// What an engine computes for one layer, as a value: the engine's own struct under the questions
// that all stages ask.
//
// Such a struct (DlaLayer, DspLayer, HostLayer, DmaLayer, InPlaceLayer, one of an engine from
// outside) is plain data with
//   kWord, kEngine        its word in the text form; the engine's name
//   operands()            its tensors, with what the engine requires of their form
//   weight_bytes()        of the weights that it brings itself
//   fields(self, f)       all its data by name, for the text form (fields.h)
// and, where its engine has an answer to it,
//   kernel_name()         the kernel that computes it
// and becomes a Work by `template Work::Work(T)` in its own .cpp, which includes work_model.h.
#pragma once

#include <memory>
#include <string>
#include <typeinfo>

#include "compiler_bridge/layer/operand.h"

namespace presil::layer {

class FieldReader;
class FieldWriter;
struct InPlaceLayer;

/// A kernel as it is named where it is written.
struct KernelName {
  std::string kernel;  ///< "": the engine has none
  std::string image;   ///< the user's file; "": of presil's own
};

class Work {
 public:
  Work() = default;  ///< nothing; only to be assigned to
  template <class T, class = decltype(T::kWord)>
  Work(T work);

  const char* word() const;
  const char* engine() const;
  Operands operands() const;
  uint64_t weight_bytes() const;
  KernelName kernel_name() const;
  /// Null: an engine does something.
  const InPlaceLayer* in_place() const;
  void write(FieldWriter& writer) const;

  /// The engine's own struct, for the engine's own stages; null: it is another engine's.
  template <class T>
  const T* as() const {
    return static_cast<const T*>(get(typeid(T)));
  }
  /// To change it; what else is a copy of this stays as it is.
  template <class T>
  T* edit() {
    return static_cast<T*>(get_own(typeid(T)));
  }

 private:
  class Concept;
  template <class T>
  class Model;
  const void* get(const std::type_info& type) const;
  void* get_own(const std::type_info& type);

  std::shared_ptr<Concept> m_self;  ///< copied when it is edited
};

/// Reads what Work::write() wrote.
template <class T>
Work read_work(FieldReader& reader);

}  // namespace presil::layer
