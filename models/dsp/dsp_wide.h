// Integers of 128 bits, for products and sums of 64.
#pragma once

namespace presil::dsp {

__extension__ typedef unsigned __int128 Wide;
__extension__ typedef __int128 SignedWide;

}  // namespace presil::dsp
