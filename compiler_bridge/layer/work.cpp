#include "compiler_bridge/layer/work.h"

#include "compiler_bridge/layer/in_place_layer.h"
#include "compiler_bridge/layer/work_model.h"

namespace presil::layer {

const char* Work::word() const {
  return m_self->word();
}

const char* Work::engine() const {
  return m_self->engine();
}

Operands Work::operands() const {
  return m_self->operands();
}

uint64_t Work::weight_bytes() const {
  return m_self->weight_bytes();
}

KernelName Work::kernel_name() const {
  return m_self->kernel_name();
}

const InPlaceLayer* Work::in_place() const {
  return as<InPlaceLayer>();
}

void Work::write(FieldWriter& writer) const {
  m_self->write(writer);
}

const void* Work::get(const std::type_info& type) const {
  return m_self != nullptr && m_self->type() == type ? m_self->get() : nullptr;
}

void* Work::get_own(const std::type_info& type) {
  if (m_self == nullptr || m_self->type() != type) return nullptr;
  if (m_self.use_count() > 1) m_self = m_self->clone();
  return m_self->get();
}

}  // namespace presil::layer
