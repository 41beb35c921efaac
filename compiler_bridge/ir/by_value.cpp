#include "compiler_bridge/ir/by_value.h"

namespace presil::ir {

using K = OpKind;

bool is_by_value(OpKind kind) {
  switch (kind) {
    case K::kAdd:
    case K::kSub:
    case K::kMul:
    case K::kDiv:
    case K::kPow:
    case K::kSquaredDifference:
    case K::kMaximum:
    case K::kMinimum:
    case K::kFloorDiv:
    case K::kFloorMod:
    case K::kEqual:
    case K::kNotEqual:
    case K::kGreater:
    case K::kGreaterEqual:
    case K::kLess:
    case K::kLessEqual:
    case K::kLogicalAnd:
    case K::kLogicalOr:
    case K::kLogicalNot:
    case K::kSelect:
    case K::kRelu:
    case K::kRelu6:
    case K::kReluN1To1:
    case K::kRelu0To1:
    case K::kLeakyRelu:
    case K::kPrelu:
    case K::kHardSwish:
    case K::kLogistic:
    case K::kTanh:
    case K::kElu:
    case K::kGelu:
    case K::kExp:
    case K::kLog:
    case K::kSqrt:
    case K::kRsqrt:
    case K::kAbs:
    case K::kNeg:
    case K::kSquare:
    case K::kSign:
    case K::kSin:
    case K::kCos:
    case K::kFloor:
    case K::kCeil:
    case K::kRound:
    case K::kLut:
    case K::kQuantize:
    case K::kDequantize:
    case K::kCast:
      return true;
    default:
      return false;
  }
}

}  // namespace presil::ir
