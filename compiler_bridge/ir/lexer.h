// Words of the text form: names, numbers, strings, tensor references, punctuation.
#pragma once

#include <cstdint>
#include <string>

namespace presil::ir {

/// A string as Lexer::string reads it.
std::string quoted(const std::string& text);

class Lexer {
 public:
  enum class Kind { kWord, kNumber, kString, kReference, kPunctuation, kEnd };
  struct Token {
    Kind kind = Kind::kEnd;
    std::string text;  ///< reference: without %; string: unescaped
    int line = 1, column = 1;
  };

  explicit Lexer(const std::string& text);

  const Token& peek() const { return m_token; }
  Token next();
  /// Takes the token when it is this word or punctuation.
  bool accept(const std::string& text);
  void expect(const std::string& text);
  std::string word(const char* what);
  std::string string();
  int64_t integer(int64_t low, int64_t high);
  float real();
  /// Refusal at the current token: "line 3, column 7: got ..., expected ..."
  [[noreturn]] void refuse(const std::string& expected) const;

 private:
  void advance();
  char at(size_t ahead = 0) const;
  void step();
  [[noreturn]] void fail(const std::string& what) const;

  std::string m_text;
  size_t m_position = 0;
  int m_line = 1, m_column = 1;
  Token m_token;
};

}  // namespace presil::ir
