#include "compiler_bridge/layer/fields.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "rtl/dla/dla_command.h"

namespace presil::layer {
namespace {

/// More of them are not for people.
constexpr size_t kFew = 16;

const presil_field& field_named(const char* name) {
  const presil_command_format& format = dla::Command::format();
  return *std::find_if(format.fields, format.fields + format.field_count,
                       [&](const presil_field& f) { return std::strcmp(f.name, name) == 0; });
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/// "mine.elf:0badf00d": name and checksum.
std::string image_text(const dsp_image::Image& image) {
  char crc[16];
  std::snprintf(crc, sizeof crc, ":%08x", static_cast<unsigned>(image.crc));
  return image.name + crc;
}

}  // namespace

const char* word_of_code(const char* field, unsigned value) {
  return presil_field_code_name(&field_named(field), value);
}

unsigned read_code(const char* field, ir::Lexer& from) {
  const presil_field& f = field_named(field);
  for (unsigned value = 0; value < f.code_count; ++value) {
    if (f.codes[value] != nullptr && from.accept(f.codes[value])) return value;
  }
  from.refuse(std::string("a code of the command's field ") + field);
}

// ---- writing

std::string FieldWriter::text(const std::string& value) const {
  return ir::quoted(value);
}

std::string FieldWriter::text(const std::vector<uint8_t>& bytes) const {
  return bytes_text(bytes.data(), bytes.size());
}

std::string FieldWriter::text(const std::vector<int8_t>& bytes) const {
  return bytes_text(bytes.data(), bytes.size());
}

std::string FieldWriter::text(const Weights& weights) const {
  return bytes_text(weights.data(), weights.size());
}

std::string FieldWriter::text(const ImagePtr& image) const {
  return text(image == nullptr ? std::string() : image_text(*image));
}

std::string FieldWriter::tensor_text(const std::vector<TensorId>& ids) {
  std::vector<std::string> list;
  for (const TensorId id : ids) list.push_back(tensor_text(id));
  return "[" + joined(list) + "]";
}

std::string FieldWriter::joined(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& one : list) text += (text.empty() ? "" : ", ") + one;
  return text;
}

std::string FieldWriter::bytes_text(const void* data, size_t size) const {
  const std::string short_form = digest(data, 1, size);
  if (!short_form.empty()) return short_form;
  static const char* digits = "0123456789abcdef";
  std::string text = "\"";
  text.reserve(2 * size + 2);
  const auto* bytes = static_cast<const uint8_t*>(data);
  for (size_t i = 0; i < size; ++i) text += {digits[bytes[i] >> 4], digits[bytes[i] & 15]};
  return text + "\"";
}

// FNV-1a, 64 bits: tells contents apart for people; nothing relies on it.
std::string FieldWriter::digest(const void* data, size_t size, size_t count) const {
  if (m_all || count <= kFew) return "";
  uint64_t hash = 0xcbf29ce484222325u;
  const auto* bytes = static_cast<const uint8_t*>(data);
  for (size_t i = 0; i < size * count; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3u;
  char text[64];
  std::snprintf(text, sizeof text, "<%zu values, %016llx>", count,
                static_cast<unsigned long long>(hash));
  return text;
}

// ---- reading

void FieldReader::value_of(bool& value) {
  value = m_from.accept("true");
  if (!value) m_from.expect("false");
}

void FieldReader::value_of(std::vector<int8_t>& bytes) {
  const std::vector<uint8_t> read = read_bytes();
  bytes.assign(read.begin(), read.end());
}

void FieldReader::value_of(Weights& weights) {
  const std::vector<uint8_t> read = read_bytes();
  weights = std::vector<int8_t>(read.begin(), read.end());
}

void FieldReader::value_of(ImagePtr& image) {
  const ir::Lexer::Token named = m_from.peek();
  const auto found = std::find_if(m_images.begin(), m_images.end(), [&](const ImagePtr& one) {
    return image_text(*one) == named.text;
  });
  if (named.kind != ir::Lexer::Kind::kString || found == m_images.end()) {
    m_from.refuse("the name and checksum of an image that is given with the layers");
  }
  image = *found;
  m_from.next();
}

void FieldReader::value_of(TensorField<std::vector<TensorId>>& field) {
  field.ids.clear();
  m_from.expect("[");
  while (!m_from.accept("]")) {
    field.ids.push_back(read_tensor());
    if (m_from.accept("]")) return;
    m_from.expect(",");
  }
}

TensorId FieldReader::read_tensor() {
  const ir::Lexer::Token token = m_from.peek();
  const bool none = token.text == "none";
  char* end = nullptr;
  const long id = none ? kNoTensor : std::strtol(token.text.c_str(), &end, 10);
  const bool number = none || *end == '\0';
  if (token.kind != ir::Lexer::Kind::kReference || !number ||
      id > std::numeric_limits<TensorId>::max()) {
    m_from.refuse("a tensor by its number, %12, or %none");
  }
  m_from.next();
  return static_cast<TensorId>(id);
}

std::vector<uint8_t> FieldReader::read_bytes() {
  const ir::Lexer::Token token = m_from.peek();
  const bool digits =
      std::all_of(token.text.begin(), token.text.end(), [](char c) { return hex_digit(c) >= 0; });
  if (token.kind != ir::Lexer::Kind::kString || !digits || token.text.size() % 2 != 0) {
    m_from.refuse("bytes as hexadecimal digits in quotes");
  }
  std::vector<uint8_t> bytes;
  bytes.reserve(token.text.size() / 2);
  for (size_t i = 0; i < token.text.size(); i += 2) {
    bytes.push_back(
        static_cast<uint8_t>(hex_digit(token.text[i]) * 16 + hex_digit(token.text[i + 1])));
  }
  m_from.next();
  return bytes;
}

}  // namespace presil::layer
