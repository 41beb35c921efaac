#include "compiler_bridge/ir/lexer.h"

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "models/base/refusal.h"

namespace presil::ir {
namespace {

bool name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '/';
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

Lexer::Lexer(const std::string& text) : m_text(text) {
  advance();
}

char Lexer::at(size_t ahead) const {
  return m_position + ahead < m_text.size() ? m_text[m_position + ahead] : '\0';
}

void Lexer::step() {
  m_column = at() == '\n' ? 1 : m_column + 1;
  m_line += at() == '\n' ? 1 : 0;
  ++m_position;
}

void Lexer::fail(const std::string& what) const {
  throw Refusal("ir", "text line " + std::to_string(m_token.line) + ", column " +
                          std::to_string(m_token.column) + ": " + what);
}

void Lexer::refuse(const std::string& expected) const {
  const bool end = m_token.kind == Kind::kEnd;
  fail("got " + (end ? std::string("the end") : "\"" + m_token.text.substr(0, 40) + "\"") +
       ", expected " + expected);
}

void Lexer::advance() {
  for (;;) {
    while (std::isspace(static_cast<unsigned char>(at())) != 0) step();
    if (at() != '#') break;  // a comment runs to the end of its line
    while (m_position < m_text.size() && at() != '\n') step();
  }
  m_token = Token{Kind::kEnd, "", m_line, m_column};
  if (m_position >= m_text.size()) return;
  const char first = at();
  if (first == '"') {
    m_token.kind = Kind::kString;
    step();
    while (at() != '"') {
      if (m_position >= m_text.size()) fail("a string is not closed");
      if (at() == '\\') {
        step();
        if (at() == 'x') {
          const int high = hex_digit(at(1)), low = hex_digit(at(2));
          if (high < 0 || low < 0) fail("\\x must have two hexadecimal digits");
          m_token.text += static_cast<char>(high * 16 + low);
          step(), step(), step();
          continue;
        }
      }
      m_token.text += at();
      step();
    }
    step();
  } else if (first == '%') {
    m_token.kind = Kind::kReference;
    step();
    while (name_character(at())) m_token.text += at(), step();
    if (m_token.text.empty()) fail("% must be followed by a name or number");
  } else if (std::isdigit(static_cast<unsigned char>(first)) != 0 || first == '-') {
    m_token.kind = Kind::kNumber;
    do {
      m_token.text += at(), step();
    } while (name_character(at()) || ((at() == '-' || at() == '+') && m_token.text.back() == 'e'));
  } else if (name_character(first)) {
    m_token.kind = Kind::kWord;
    while (name_character(at())) m_token.text += at(), step();
  } else {
    m_token.kind = Kind::kPunctuation;
    m_token.text = first;
    step();
  }
}

Lexer::Token Lexer::next() {
  Token token = m_token;
  advance();
  return token;
}

bool Lexer::accept(const std::string& text) {
  const bool fits =
      (m_token.kind == Kind::kWord || m_token.kind == Kind::kPunctuation) && m_token.text == text;
  if (fits) advance();
  return fits;
}

void Lexer::expect(const std::string& text) {
  if (!accept(text)) refuse("\"" + text + "\"");
}

std::string Lexer::word(const char* what) {
  if (m_token.kind != Kind::kWord) refuse(what);
  return next().text;
}

std::string Lexer::string() {
  if (m_token.kind != Kind::kString) refuse("a string in quotes");
  return next().text;
}

int64_t Lexer::integer(int64_t low, int64_t high) {
  char* end = nullptr;
  errno = 0;
  const int64_t value = std::strtoll(m_token.text.c_str(), &end, 10);
  if (m_token.kind != Kind::kNumber || *end != '\0' || errno != 0 || value < low || value > high) {
    refuse("a whole number " + std::to_string(low) + ".." + std::to_string(high));
  }
  advance();
  return value;
}

float Lexer::real() {
  char* end = nullptr;
  const float value = std::strtof(m_token.text.c_str(), &end);
  const bool number = m_token.kind == Kind::kNumber ||
                      (m_token.kind == Kind::kWord && end != m_token.text.c_str());  // inf, nan
  if (!number || *end != '\0') refuse("a number");
  advance();
  return value;
}

std::string quoted(const std::string& unescaped) {
  std::string text = "\"";
  for (char c : unescaped) {
    char escape[8];
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned>(c));
      text += escape;
    } else {
      text += c;
    }
  }
  return text + "\"";
}

}  // namespace presil::ir
