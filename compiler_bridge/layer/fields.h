// The data of a struct as text, `{in_h=48, kernel_h=3, lut="00ff.."}`, and back: for the text form
// of layers. A struct lists its fields once,
//   template <class Self, class F> static void fields(Self& s, F&& f) { f("in_h", s.in_h), ... }
// each a number, a bool, a string, bytes, a struct like it, or a list of these; a tensor is
// `tensor(s.input)`, a code of a command's contract `code("op", s.op)`, one of few words
// `word(kCuts, s.cut)`. A field that has its default is left out.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "compiler_bridge/dsp_image/dsp_image.h"
#include "compiler_bridge/ir/lexer.h"
#include "compiler_bridge/layer/operand.h"
#include "compiler_bridge/layer/weights.h"

namespace presil::layer {

/// A tensor, or several: `%12`.
template <class Ids>
struct TensorField {
  Ids& ids;
};
template <class Ids>
TensorField<Ids> tensor(Ids& ids) {
  return {ids};
}

/// A value that has a word: words[value].
template <class Enum, size_t count>
struct WordField {
  const std::array<const char*, count>& words;
  Enum& value;
};
template <class Enum, size_t count>
WordField<Enum, count> word(const std::array<const char*, count>& words, Enum& value) {
  return {words, value};
}

/// A value of an enumeration of the DLA's command, as its contract calls it.
template <class Enum>
struct CodeField {
  const char* field;
  Enum& value;
};
template <class Enum>
CodeField<Enum> code(const char* field, Enum& value) {
  return {field, value};
}
const char* word_of_code(const char* field, unsigned value);
/// Refuses (presil::Refusal) a word that the field does not have.
unsigned read_code(const char* field, ir::Lexer& from);

using ImagePtr = std::shared_ptr<const dsp_image::Image>;

class FieldWriter {
 public:
  /// @param all  of bytes and lists: each value; else long ones are shown as how many and a digest,
  ///             which FieldReader refuses
  explicit FieldWriter(bool all) : m_all(all) {}

  /// Adds the struct's fields.
  template <class T>
  void write(const T& s) {
    m_fields = fields_of(s);
  }
  /// "name=value", one by one.
  const std::vector<std::string>& fields() const { return m_fields; }

 private:
  template <class T>
  std::vector<std::string> fields_of(const T& s) const {
    static const T initial{};
    std::vector<std::string> defaults, list;
    T::fields(initial, [&](const char*, const auto& value) { defaults.push_back(text(value)); });
    size_t i = 0;
    T::fields(s, [&](const char* name, const auto& value) {
      std::string shown = text(value);
      if (shown != defaults[i++]) list.push_back(name + ("=" + std::move(shown)));
    });
    return list;
  }

  std::string text(bool value) const { return value ? "true" : "false"; }
  std::string text(const std::string& value) const;
  std::string text(const std::vector<uint8_t>& bytes) const;
  std::string text(const std::vector<int8_t>& bytes) const;
  std::string text(const Weights& weights) const;
  std::string text(const ImagePtr& image) const;
  template <class T>
  std::string text(const TensorField<T>& field) const {
    return tensor_text(field.ids);
  }
  template <class E, size_t n>
  std::string text(const WordField<E, n>& field) const {
    return field.words.at(static_cast<size_t>(field.value));
  }
  template <class E>
  std::string text(const CodeField<E>& field) const {
    return word_of_code(field.field, static_cast<unsigned>(field.value));
  }
  template <class T>
  std::string text(const T& value) const {
    if constexpr (std::is_integral_v<T>) {
      return std::to_string(value);
    } else {
      return "{" + joined(fields_of(value)) + "}";
    }
  }
  template <class T>
  std::string text(const std::vector<T>& values) const {
    if (const std::string digest = digest_of(values); !digest.empty()) return digest;
    std::vector<std::string> list;
    for (const T& value : values) list.push_back(text(value));
    return "[" + joined(list) + "]";
  }
  template <class T>
  std::string digest_of(const std::vector<T>& values) const {
    if constexpr (std::is_integral_v<T>) {
      return digest(values.data(), sizeof(T), values.size());
    } else {
      return "";
    }
  }

  static std::string tensor_text(TensorId id) {
    return id == kNoTensor ? "%none" : "%" + std::to_string(id);
  }
  static std::string tensor_text(const std::vector<TensorId>& ids);
  static std::string joined(const std::vector<std::string>& list);
  std::string bytes_text(const void* data, size_t size) const;
  /// "": all of it is shown.
  std::string digest(const void* data, size_t size, size_t count) const;

  bool m_all;
  std::vector<std::string> m_fields;
};

/// Refuses (presil::Refusal) with line and column what FieldWriter does not write.
class FieldReader {
 public:
  /// @param images  of the user, one of which a layer may name
  FieldReader(ir::Lexer& from, const std::vector<ImagePtr>& images)
      : m_from(from), m_images(images) {}

  template <class T>
  void read(T& s) {
    m_from.expect("{");
    while (!m_from.accept("}")) {
      const std::string name = m_from.word("the name of a field");
      m_from.expect("=");
      bool known = false;
      T::fields(s, [&](const char* field, auto&& value) {
        if (known || name != field) return;
        known = true;
        value_of(value);
      });
      if (!known) m_from.refuse("a field of this layer instead of \"" + name + "\"");
      if (m_from.accept("}")) return;
      m_from.expect(",");
    }
  }

 private:
  void value_of(bool& value);
  void value_of(std::string& value) { value = m_from.string(); }
  void value_of(std::vector<uint8_t>& bytes) { bytes = read_bytes(); }
  void value_of(std::vector<int8_t>& bytes);
  void value_of(Weights& weights);
  void value_of(ImagePtr& image);
  void value_of(TensorField<TensorId>& field) { field.ids = read_tensor(); }
  void value_of(TensorField<std::vector<TensorId>>& field);
  template <class E, size_t n>
  void value_of(WordField<E, n>& field) {
    for (size_t i = 0; i < n; ++i) {
      if (!m_from.accept(field.words[i])) continue;
      field.value = static_cast<E>(i);
      return;
    }
    m_from.refuse("one of the words that the field knows");
  }
  template <class E>
  void value_of(CodeField<E>& field) {
    field.value = static_cast<E>(read_code(field.field, m_from));
  }
  template <class T>
  void value_of(T& value) {
    if constexpr (std::is_integral_v<T>) {
      using Limits = std::numeric_limits<T>;
      constexpr auto most = static_cast<uint64_t>(Limits::max());
      constexpr auto high = static_cast<int64_t>(std::min<uint64_t>(most, INT64_MAX));
      value = static_cast<T>(m_from.integer(static_cast<int64_t>(Limits::min()), high));
    } else {
      read(value);
    }
  }
  template <class T>
  void value_of(std::vector<T>& values) {
    values.clear();
    m_from.expect("[");
    while (!m_from.accept("]")) {
      T value{};
      value_of(value);
      values.push_back(std::move(value));
      if (m_from.accept("]")) return;
      m_from.expect(",");
    }
  }
  std::vector<uint8_t> read_bytes();
  TensorId read_tensor();

  ir::Lexer& m_from;
  const std::vector<ImagePtr>& m_images;
};

}  // namespace presil::layer
