// What random programs execute: instructions by width, group and mask.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "models/dsp/dsp_isa.h"
#include "models/dsp/dsp_trace.h"

namespace presil::dsp {

/// A vector instruction under a vtype.
struct Use {
  unsigned row = 0;
  bool masked = false;
  unsigned sew = 8;
  int lmul_log2 = 0;
  bool operator<(const Use& o) const {
    return std::tie(row, masked, sew, lmul_log2) < std::tie(o.row, o.masked, o.sew, o.lmul_log2);
  }
};

/// Every (row, mask) under a vtype, or under all, that some operands make legal.
std::vector<Use> legal_uses(const Config& config, Vtype vtype);
std::vector<Use> legal_uses(const Config& config);
/// "vadd.vv, masked, e8, mf8"
std::string to_text(const Use& use);

/// Told of every instruction that a core executes.
class Coverage : public Tracer {
 public:
  void before(const Hart& hart, const Decoded& op, uint64_t cycle) override;
  void stopped(const Hart&) override {}

  void add(const Coverage& other);
  /// Times that a row was executed, of vector instructions with a vl other than 0.
  uint64_t executed(unsigned row) const;
  /// Legal uses that were not executed, and executed ones that are not among the legal.
  std::vector<std::string> missing(const Config& config) const;
  std::vector<std::string> beyond(const Config& config) const;

 private:
  std::map<unsigned, uint64_t> m_rows;
  std::map<Use, uint64_t> m_uses;
};

}  // namespace presil::dsp
