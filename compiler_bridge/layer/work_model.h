// How a struct becomes a Work: for the .cpp of the struct alone.
#pragma once

#include <type_traits>
#include <utility>

#include "compiler_bridge/layer/fields.h"
#include "compiler_bridge/layer/work.h"

namespace presil::layer {

/// Whether the struct answers: what it leaves out has the default.
template <class T, class = void>
struct has_kernel_name : std::false_type {};
template <class T>
struct has_kernel_name<T, std::void_t<decltype(std::declval<const T&>().kernel_name())>>
    : std::true_type {};

class Work::Concept {
 public:
  virtual ~Concept() = default;
  virtual std::shared_ptr<Concept> clone() const = 0;
  virtual const std::type_info& type() const = 0;
  virtual void* get() = 0;
  virtual const char* word() const = 0;
  virtual const char* engine() const = 0;
  virtual Operands operands() const = 0;
  virtual uint64_t weight_bytes() const = 0;
  virtual KernelName kernel_name() const = 0;
  virtual void write(FieldWriter& writer) const = 0;
};

template <class T>
class Work::Model final : public Work::Concept {
 public:
  explicit Model(T work) : m_work(std::move(work)) {}

  std::shared_ptr<Concept> clone() const override { return std::make_shared<Model>(m_work); }
  const std::type_info& type() const override { return typeid(T); }
  void* get() override { return &m_work; }
  const char* word() const override { return T::kWord; }
  const char* engine() const override { return T::kEngine; }
  Operands operands() const override { return m_work.operands(); }
  uint64_t weight_bytes() const override { return m_work.weight_bytes(); }
  KernelName kernel_name() const override {
    if constexpr (has_kernel_name<T>::value) return m_work.kernel_name();
    return {};
  }
  void write(FieldWriter& writer) const override { writer.write(m_work); }

 private:
  T m_work;
};

template <class T, class>
Work::Work(T work) : m_self(std::make_shared<Model<T>>(std::move(work))) {}

template <class T>
Work read_work(FieldReader& reader) {
  T work;
  reader.read(work);
  return work;
}

}  // namespace presil::layer
