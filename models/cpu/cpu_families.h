// Handlers that rows of more than one family name.
#pragma once

#include "models/cpu/cpu_isa.h"

namespace presil::cpu {

Decoded* multiply_low(Hart& h, Decoded* o);
Decoded* multiply_low_flags(Hart& h, Decoded* o);
Decoded* extend_s16(Hart& h, Decoded* o);
Decoded* extend_s8(Hart& h, Decoded* o);
Decoded* extend_u16(Hart& h, Decoded* o);
Decoded* extend_u8(Hart& h, Decoded* o);
Decoded* reverse(Hart& h, Decoded* o);
Decoded* reverse_halves(Hart& h, Decoded* o);
Decoded* reverse_signed(Hart& h, Decoded* o);

// Accesses of one size, by Address.
extern const Accesses load_u32, load_u16, load_s16, load_u8, load_s8, load_pc;
extern const Accesses store_u32, store_u16, store_u8;
Decoded* push(Hart& h, Decoded* o);
Decoded* pop(Hart& h, Decoded* o);
Decoded* store_multiple(Hart& h, Decoded* o);
Decoded* load_multiple(Hart& h, Decoded* o);

Decoded* add_to_pc(Hart& h, Decoded* o);
Decoded* move_to_pc(Hart& h, Decoded* o);
Decoded* branch_exchange(Hart& h, Decoded* o);
Decoded* branch_link_exchange(Hart& h, Decoded* o);
Decoded* branch_if_zero(Hart& h, Decoded* o);
Decoded* branch_if_not_zero(Hart& h, Decoded* o);
Decoded* branch_always(Hart& h, Decoded* o);

Decoded* no_operation(Hart& h, Decoded* o);
Decoded* undefined(Hart& h, Decoded* o);
Decoded* supervisor_call(Hart& h, Decoded* o);
Decoded* breakpoint(Hart& h, Decoded* o);
Decoded* wait_for_event(Hart& h, Decoded* o);
Decoded* wait_for_interrupt(Hart& h, Decoded* o);
Decoded* send_event(Hart& h, Decoded* o);
Decoded* change_state(Hart& h, Decoded* o);

/// Before the first floating-point instruction of a block: access, context.
Decoded* prepare_float(Hart& h, Decoded* o);
/// Where a block ends without a branch.
Decoded* go_on(Hart& h, Decoded* o);

}  // namespace presil::cpu
