#include "sim/debug/riscv_registers.h"

namespace presil::debug::riscv {

std::string described(const std::string& name, unsigned bits, const std::string& type) {
  return "<reg name=\"" + name + "\" bitsize=\"" + std::to_string(bits) + "\" type=\"" + type +
         "\"/>";
}

std::string description_begins() {
  std::string text =
      "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target>"
      "<architecture>riscv:rv64</architecture><feature name=\"org.gnu.gdb.riscv.cpu\">";
  for (unsigned n = 0; n < kPc; ++n) text += described("x" + std::to_string(n), 64, "int");
  text += described("pc", 64, "code_ptr") + "</feature>";
  text += "<feature name=\"org.gnu.gdb.riscv.fpu\">";
  for (unsigned n = 0; n < 32; ++n) text += described("f" + std::to_string(n), 32, "ieee_single");
  for (const char* name : {"fflags", "frm", "fcsr"}) text += described(name, 32, "int");
  return text + "</feature>";
}

}  // namespace presil::debug::riscv
