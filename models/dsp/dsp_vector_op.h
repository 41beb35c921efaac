// What a vector instruction is made of: the widths of its operands, which may overlap, how results
// are written, and a loop per element width.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/dsp/dsp_hart.h"
#include "models/dsp/dsp_timing.h"

namespace presil::dsp {

/// Operands of one execution, as its loop takes them: elements begin .. n - 1.
struct Call {
  uint8_t* d;           ///< destination
  const uint8_t* was;   ///< vd before: d itself, or what a masked instruction starts from
  const uint8_t* s2;    ///< vs2
  const uint8_t* s1;    ///< vs1
  uint64_t scalar;      ///< x register, immediate, or bits of an f register
  const uint8_t* mask;  ///< a byte per element, 0 or 1; null: all are active
  size_t begin, n;
  size_t vlmax;
  Hart* hart;
  const Decoded* op;
};
using Kernel = void (*)(const Call&);

/// A loop per form (vector, scalar) and SEW (8, 16, 32, 64); null: there is no such instruction.
using Kernels = std::array<std::array<Kernel, 4>, 2>;

/// Element width of an operand.
enum class Width : uint8_t {
  kNone,
  kSew,
  kWide,     ///< 2 SEW
  kHalf,     ///< SEW / 2
  kQuarter,  ///< SEW / 4
  kEighth,   ///< SEW / 8
  kMask,     ///< a bit per element, one register
  kOne,      ///< element 0 of one register, SEW
  kOneWide,  ///< element 0 of one register, 2 SEW
  k16,       ///< 16, whatever SEW is
  kReg1,     ///< whole registers, whatever LMUL is
  kReg2,
  kReg4,
  kReg8
};

/// How the results of a loop reach vd.
enum class Commit : uint8_t {
  kElements,  ///< active elements
  kBits,      ///< the loop writes a byte per element, 0 or 1; active bits of a mask register
  kItself     ///< the loop writes what it writes; it looks at the mask itself
};

enum ShapeFlag : uint16_t {
  kTernary = 1,       ///< written vd, vs1, vs2; vd is a source
  kNoOverlap = 2,     ///< vd overlaps no source
  kCarry = 4,         ///< v0 is an operand (always, or where vm is 0): all elements are written
  kWantsMask = 8,     ///< only with vm = 0
  kNoMask = 16,       ///< only with vm = 1
  kFromStart = 32,    ///< illegal where vstart is not 0
  kRounds = 64,       ///< illegal where frm is not a rounding mode
  kAnyOverlap = 128,  ///< vd may overlap any source: they are read before it is written
};

struct Shape {
  Width d = Width::kNone, s2 = Width::kNone, s1 = Width::kNone;
  uint16_t flags = 0;
  Commit commit = Commit::kElements;
  /// After the name: ".vv", ".vx"; with 'w', ".wv"; with 's' ".vs"; with 'm' ".vvm"; 'q' ".mm";
  /// 0: the name is complete.
  char style = 'v';
};

enum Form : uint8_t { kVV = 1, kVX = 2, kVI = 4, kVU = 8, kVF = 16, kUnary = 32, kWholeMove = 64 };
enum class Group : uint8_t { kOpi, kOpm, kOpf };

/// A line of a family's table.
struct VectorRow {
  uint8_t funct6;
  Group group;
  const char* name;
  uint8_t forms;  ///< of Form
  const Shape& shape;
  Class cls;
  Kernels kernels;
  int vs1 = -1, vs2 = -1;  ///< of instructions that these fields tell apart
};

/// A family's table.
struct Rows {
  const VectorRow* first;
  size_t count;
  template <size_t n>
  [[gnu::always_inline]] Rows(const VectorRow (&rows)[n]) : first(rows), count(n) {}
};

/// What the table says of a vector instruction.
struct VectorInfo {
  Shape shape;
  Form form = kVV;
  std::array<std::array<Kernel, 4>, 2> kernels{};  ///< for common and for the best hosts
  // loads and stores
  enum class Access : uint8_t { kNone, kUnit, kFirstFault, kMask, kWhole, kStrided, kIndexed };
  Access access = Access::kNone;
  bool store = false;
  uint8_t eew_log2 = 0;  ///< of data; of the index where there is one
};

/// A register group.
struct Span {
  unsigned reg = 0;
  int emul_log2 = 0;
  unsigned eew = 0;  ///< bits; 1: a mask; 0: not used
  unsigned registers() const { return emul_log2 > 0 ? 1u << emul_log2 : 1; }
};

/// A decoded vector instruction.
struct VectorOp {
  Kernel kernel = nullptr;
  uint32_t d = 0, s2 = 0, s1 = 0;  ///< bytes from v0
  uint32_t vlmax = 0;
  Form form = kVV;
  bool masked = false;
  uint8_t d_log2 = 0;  ///< bytes of an element of vd
  // loads and stores
  uint8_t eew_bytes = 0, index_bytes = 0, fields = 1;
  uint8_t group_registers = 1;  ///< of one field
  bool whole = false;           ///< as many elements as the registers have, whatever vl is
  uint8_t sew = 8;
  bool reads_d = false;
  Span vd, vs2, vs1;
  Cost cost;
};

struct Instruction;

/// Groups that `word` uses for this vtype. False: the encoding is reserved, or the DSP lacks it.
bool operands_of(const Instruction& row, uint32_t word, Vtype vtype, const Config& config,
                 VectorOp& out);

/// The families' tables and what executes their instructions, for one kind of host.
struct Lanes {
  std::array<Rows, 8> families;
  Handler (*handler)(const VectorInfo& info, bool masked);
};
/// For hosts of the common kind, and the best for this host; the same rows in the same order.
const Lanes& common_lanes();
const Lanes& best_lanes();
/// "AVX2", or "common instructions" where that is the best.
const char* best_lanes_name();

/// What loads and stores.
Handler vector_memory_handler(const VectorInfo& info, const VectorOp& op);

}  // namespace presil::dsp
