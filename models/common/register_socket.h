// A block's registers behind a TLM-2.0 target socket: 32-bit accesses, without time of their own, at
// the kernel's time. The low 16 bits of the address (PRESIL_TILE_BLOCK_BYTES) are the offset.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <systemc>
#include <tlm>

#include "models/common/timekeeper.h"
#include "rtl/common/register_bank.h"

namespace presil {

class RegisterSocket : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<RegisterSocket> in;

  RegisterSocket(sc_core::sc_module_name name, Timekeeper& timekeeper, RegisterBank& bank);

 private:
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

  Timekeeper& m_timekeeper;
  RegisterBank& m_bank;
};

}  // namespace presil
