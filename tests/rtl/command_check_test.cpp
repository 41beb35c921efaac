// Every gate from both sides: refused at n - 1 (or n + 1), accepted at n.
#include <gtest/gtest.h>

#include "rtl/common/job_entry.h"
#include "rtl/dla/dla_command.h"
#include "rtl/dma/dma_command.h"
#include "rtl/dsp/dsp_command.h"
#include "rtl/host/host_command.h"

namespace presil {
namespace {

presil_queue_error_code code_of(const std::optional<presil_violation>& v) {
  return v ? v->code : PRESIL_QUEUE_ERROR_CODE_NONE;
}

// What the width can hold, beyond what is legal.
int64_t least(const presil_field& f) {
  return f.is_signed ? -(int64_t{1} << (f.width - 1)) : 0;
}
int64_t most(const presil_field& f) {
  return (int64_t{1} << (f.width - f.is_signed)) - 1;
}

template <class C>
void check_gates(const C& base) {
  ASSERT_FALSE(base.check()) << base.to_text();
  const presil_command_format& format = C::format();
  const int64_t op = format.op_field >= 0 ? base.get(format.op_field) : -1;
  for (unsigned i = 0; i < format.field_count; ++i) {
    const presil_field& f = format.fields[i];
    if (int(i) == format.op_field || int(i) == format.isa_version_field) continue;
    const bool used = presil_field_used(&f, op);
    const auto verdict = [&](int64_t value) {
      uint32_t words[C::kWords];
      base.encode(words);
      presil_field_set(words, &f, value);
      const auto found = C::check(words);
      if (found) {
        EXPECT_STREQ(found->field, f.name);
        EXPECT_EQ(found->got, value);
        EXPECT_EQ(found->word, f.word);
      }
      return code_of(found);
    };
    SCOPED_TRACE(std::string(format.name) + "." + f.name + " op " + std::to_string(op));
    if (!used) {
      EXPECT_EQ(verdict(0), PRESIL_QUEUE_ERROR_CODE_NONE);
      EXPECT_EQ(verdict(f.is_signed ? -1 : 1), PRESIL_QUEUE_ERROR_CODE_ILLEGAL_VALUE);
      continue;
    }
    if (f.codes != nullptr) {
      for (int64_t v = 0; v <= most(f); ++v) {
        const bool defined = presil_field_code_name(&f, v) != nullptr;
        const bool legal = f.legal_codes >> v & 1;
        EXPECT_EQ(verdict(v), legal     ? PRESIL_QUEUE_ERROR_CODE_NONE
                              : defined ? PRESIL_QUEUE_ERROR_CODE_UNSUPPORTED
                                        : PRESIL_QUEUE_ERROR_CODE_ILLEGAL_VALUE)
            << v;
      }
      continue;
    }
    const int64_t step = f.multiple_of;
    const int64_t low = f.min, high = f.max - f.max % step;
    EXPECT_EQ(verdict(low), PRESIL_QUEUE_ERROR_CODE_NONE);
    EXPECT_EQ(verdict(high), PRESIL_QUEUE_ERROR_CODE_NONE);
    if (low > least(f)) {
      EXPECT_EQ(verdict(low - 1), PRESIL_QUEUE_ERROR_CODE_ILLEGAL_VALUE);
    }
    if (f.max < most(f)) {
      EXPECT_EQ(verdict(f.max + 1), PRESIL_QUEUE_ERROR_CODE_ILLEGAL_VALUE);
    }
    if (step > 1) {
      EXPECT_EQ(verdict(low + step - 1), PRESIL_QUEUE_ERROR_CODE_MISALIGNED);
      EXPECT_EQ(verdict(low + step), PRESIL_QUEUE_ERROR_CODE_NONE);
      EXPECT_EQ(verdict(low + step + 1), PRESIL_QUEUE_ERROR_CODE_MISALIGNED);
    }
  }
  for (unsigned w = 0; w < C::kWords; ++w) {
    for (unsigned bit = 0; bit < 32; ++bit) {
      if (!(format.reserved[w] >> bit & 1)) continue;
      uint32_t words[C::kWords];
      base.encode(words);
      words[w] |= 1u << bit;
      const auto found = C::check(words);
      ASSERT_EQ(code_of(found), PRESIL_QUEUE_ERROR_CODE_RESERVED_BITS) << w << ":" << bit;
      EXPECT_EQ(found->word, w);
      EXPECT_EQ(found->got, int64_t(1u << bit));
    }
  }
}

TEST(CommandCheck, dla_gates_at_n_and_next_to_it) {
  for (int op = 0; op <= 5; ++op) check_gates(dla::Command::make(dla::Op(op)));
}
TEST(CommandCheck, dma_gates_at_n_and_next_to_it) {
  for (int op = 0; op <= 2; ++op) check_gates(dma::Command::make(dma::Op(op)));
}
TEST(CommandCheck, dsp_gates_at_n_and_next_to_it) {
  for (int op = 0; op <= 2; ++op) check_gates(dsp::Command::make(dsp::Op(op)));
}
TEST(CommandCheck, host_gates_at_n_and_next_to_it) {
  for (int op = 0; op <= 1; ++op) check_gates(host::Command::make(host::Op(op)));
}
TEST(CommandCheck, job_entry_gates_at_n_and_next_to_it) {
  check_gates(JobEntry{});
}

TEST(CommandCheck, version_comes_before_operation_before_reserved_bits) {
  uint32_t words[dla::Command::kWords] = {};
  words[0] = 0x0200000f;  // version 2, op 15
  words[38] = 1u << 16;
  EXPECT_EQ(code_of(dla::Command::check(words)), PRESIL_QUEUE_ERROR_CODE_BAD_VERSION);
  words[0] = 0x0100000f;
  EXPECT_EQ(code_of(dla::Command::check(words)), PRESIL_QUEUE_ERROR_CODE_BAD_OP);
  words[0] = 0x01000001;
  EXPECT_EQ(code_of(dla::Command::check(words)), PRESIL_QUEUE_ERROR_CODE_RESERVED_BITS);
  words[38] = 0;
  EXPECT_EQ(code_of(dla::Command::check(words)), PRESIL_QUEUE_ERROR_CODE_ILLEGAL_VALUE);
}

TEST(CommandCheck, int16_int4_int2_are_refused_as_unsupported) {
  dla::Command c = dla::Command::make(dla::Op::kConv);
  c.w_bits = dla::WBits::kInt4;
  EXPECT_EQ(code_of(c.check()), PRESIL_QUEUE_ERROR_CODE_UNSUPPORTED);
  c.w_bits = dla::WBits::kInt2;
  EXPECT_EQ(code_of(c.check()), PRESIL_QUEUE_ERROR_CODE_UNSUPPORTED);
  c = dla::Command::make(dla::Op::kConv);
  c.in_type = dla::InType::kInt16;
  EXPECT_EQ(code_of(c.check()), PRESIL_QUEUE_ERROR_CODE_UNSUPPORTED);
  c = dla::Command::make(dla::Op::kConv);
  c.rule = dla::Rule::kMulAddShift;
  EXPECT_EQ(code_of(c.check()), PRESIL_QUEUE_ERROR_CODE_UNSUPPORTED);
}

TEST(CommandCheck, a_member_too_large_for_its_field_is_found_before_it_is_cut) {
  dla::Command c = dla::Command::make(dla::Op::kConv);
  c.in_base = 0x1000000;  // 25 bits in a field of 24
  const auto found = c.check();
  ASSERT_TRUE(found);
  EXPECT_EQ(to_text(*found), "in_base is 16777216, must be 0..16777215 (word 7)");
}

TEST(CommandCheck, a_violation_reads_field_value_requirement) {
  dla::Command c = dla::Command::make(dla::Op::kConv);
  c.in_base = 7;
  EXPECT_EQ(to_text(*c.check()), "in_base is 7, must be a multiple of 16 (word 7)");
  c = dla::Command::make(dla::Op::kConv);
  c.kernel_h = 0;
  EXPECT_EQ(to_text(*c.check()), "kernel_h is 0, must be 1..63 (word 8)");
  c = dla::Command{};
  c.kernel_h = 3;
  EXPECT_EQ(to_text(*c.check()), "kernel_h is 3, must be 0 (word 8)");
  uint32_t words[dla::Command::kWords];
  dla::Command{}.encode(words);
  words[38] = 0x300000;
  EXPECT_EQ(to_text(*dla::Command::check(words)),
            "reserved bits are 0x00300000, must be 0 (word 38)");
}

}  // namespace
}  // namespace presil
