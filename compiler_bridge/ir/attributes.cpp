#include "compiler_bridge/ir/attributes.h"

namespace presil::ir {

Attributes::Attributes() noexcept = default;
Attributes::Attributes(const Attributes&) = default;
Attributes::Attributes(Attributes&&) noexcept = default;
Attributes& Attributes::operator=(const Attributes&) = default;
Attributes& Attributes::operator=(Attributes&&) noexcept = default;
Attributes::~Attributes() = default;

}  // namespace presil::ir
