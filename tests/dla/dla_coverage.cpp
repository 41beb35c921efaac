#include "tests/dla/dla_coverage.h"

#include <ostream>
#include <vector>

namespace presil::dla::test {
namespace {

const char* const kOperations[] = {"nop", "conv", "dwconv", "maxpool", "sumpool", "pass"};

// Not of interest one by one: the tag, and addresses and pitches, of which every bit decides.
bool counts(const presil_field& field) {
  return std::string(field.name) != "tag" && std::string(field.name) != "isa_version" &&
         std::string(field.name) != "op" && field.is_hex == 0;
}

std::vector<std::string> classes_of(const presil_field& field) {
  std::vector<std::string> classes;
  if (field.codes != nullptr) {
    for (int64_t v = 0; v < field.code_count; ++v) {
      if (field.legal_codes >> v & 1) classes.push_back(presil_field_code_name(&field, v));
    }
  } else if (field.is_signed) {
    if (field.min < 0) classes.push_back("negative");
    classes.push_back("0");
    if (field.max > 0) classes.push_back("positive");
  } else {
    const int64_t step = field.multiple_of > 1 ? field.multiple_of : 1;
    classes.push_back(std::to_string(field.min));
    if (field.max > field.min) classes.push_back(std::to_string(field.min + step));
    if (field.max > field.min + step) classes.push_back("more");
  }
  return classes;
}

std::string class_of(const presil_field& field, int64_t value) {
  if (field.codes != nullptr) return presil_field_code_name(&field, value);
  if (field.is_signed) return value < 0 ? "negative" : value == 0 ? "0" : "positive";
  const int64_t step = field.multiple_of > 1 ? field.multiple_of : 1;
  return value > field.min + step ? "more" : std::to_string(value);
}

// What a command has that other things may meet.
std::vector<std::string> traits_of(const Command& c) {
  static const char* const kRules[] = {"double", "float", "", "divide", "", "single", "", "none"};
  std::vector<std::string> traits{std::string("rule ") + kRules[static_cast<size_t>(c.rule)]};
  const auto has = [&](bool it, const char* name) {
    if (it) traits.push_back(name);
  };
  has(c.packed, "packed");
  has(c.ew_op != EwOp::kNone && c.ew_rule == EwRule::kTflite, "second operand, tflite");
  has(c.ew_op != EwOp::kNone && c.ew_rule == EwRule::kXnnpack, "second operand, xnnpack");
  has(c.out_type == OutType::kInt32, "sums out");
  has(c.acc_init == AccInit::kInt32, "sums in");
  has(c.upsample2, "upsampled");
  has(c.lut_en, "table");
  has(c.out_h > c.block_rows, "several blocks");
  has(c.out_blocks > 1, "several groups");
  has(c.out_lanes_last < 16, "part of a group");
  has(c.stride_x > 1 || c.stride_y > 1, "strided");
  has(c.dil_x > 1, "dilated in x");
  has(c.dil_y > 1, "dilated in y");
  has(c.pad_top > 0 || c.pad_left > 0, "padded");
  has(c.kernel_h > 4 || c.kernel_w > 4, "kernel over 4");
  has(c.in_kb_step > 0 && c.op == Op::kConv, "grouped");
  has(c.w_zero != 0, "weights' zero point");
  return traits;
}

const char* const kTraits[] = {"double rounding",
                               "float requantisation",
                               "rule divide",
                               "rule none",
                               "packed",
                               "second operand, tflite",
                               "second operand, xnnpack",
                               "sums out",
                               "sums in",
                               "upsampled",
                               "table",
                               "several blocks",
                               "several groups",
                               "part of a group",
                               "strided",
                               "dilated in x",
                               "dilated in y",
                               "padded",
                               "kernel over 4",
                               "grouped",
                               "weights' zero point"};

void print_missing(std::ostream& out, const char* what, const std::set<std::string>& all,
                   const std::map<std::string, unsigned>& seen) {
  out << what << ": " << seen.size() << " of " << all.size() << " seen; not seen:";
  for (const std::string& name : all) {
    if (seen.count(name) == 0) out << ' ' << name << ';';
  }
  out << '\n';
}

}  // namespace

void Coverage::add(const Command& c) {
  uint32_t words[Command::kWords];
  c.encode(words);
  const presil_command_format& format = Command::format();
  const std::string op = kOperations[static_cast<size_t>(c.op)];
  for (unsigned i = 0; i < format.field_count; ++i) {
    const presil_field& field = format.fields[i];
    if (!counts(field) || !presil_field_used(&field, static_cast<int64_t>(c.op))) continue;
    ++m_classes[op + "." + field.name + "=" + class_of(field, presil_field_get(words, &field))];
  }
  if (c.op == Op::kNop) return;
  const std::vector<std::string> traits = traits_of(c);
  for (size_t i = 0; i < traits.size(); ++i) {
    ++m_crosses[op + ", " + traits[i]];
    for (size_t j = i + 1; j < traits.size(); ++j) {
      ++m_crosses[op + ", " + traits[i] + ", " + traits[j]];
    }
  }
}

std::set<std::string> Coverage::all_classes() {
  std::set<std::string> all;
  const presil_command_format& format = Command::format();
  for (int64_t op = 0; op < 6; ++op) {
    for (unsigned i = 0; i < format.field_count; ++i) {
      const presil_field& field = format.fields[i];
      if (!counts(field) || !presil_field_used(&field, op)) continue;
      for (const std::string& name : classes_of(field)) {
        all.insert(std::string(kOperations[op]) + "." + field.name + "=" + name);
      }
    }
  }
  return all;
}

std::set<std::string> Coverage::all_crosses() {
  std::set<std::string> all;
  for (int64_t op = 1; op < 6; ++op) {
    const std::string name = kOperations[op];
    for (size_t i = 0; i < std::size(kTraits); ++i) {
      all.insert(name + ", " + kTraits[i]);
      const std::string one = kTraits[i];
      for (size_t j = i + 1; j < std::size(kTraits); ++j) {
        if (one.rfind("rule", 0) == 0 && std::string(kTraits[j]).rfind("rule", 0) == 0) continue;
        all.insert(name + ", " + one + ", " + kTraits[j]);
      }
    }
  }
  return all;
}

void Coverage::print(std::ostream& out) const {
  print_missing(out, "classes of fields", all_classes(), m_classes);
  const std::set<std::string> all = all_crosses();
  out << "crosses: " << m_crosses.size() << " of " << all.size()
      << " seen (rules between fields forbid some)\n";
}

}  // namespace presil::dla::test
