// The words of USD's text: names, numbers, strings, assets, paths and marks, with their lines.
#pragma once

#include <cstdint>
#include <string_view>

namespace kinemorph::usd {

/// What a word is.
enum class TokenKind : std::uint8_t {
  kEnd,     ///< of the text
  kName,    ///< letters, digits, '_', with ':' and '.' between: "physics:mass", "inputs:st.connect"
  kNumber,  ///< also inf, -inf, nan
  kString,  ///< without its quotes, escapes as written
  kAsset,   ///< without its marks
  kPath,    ///< without < and >
  kMark,    ///< one of ( ) [ ] { } = , ; : &
  kWrong,   ///< no word: Lexer::complaint says why
};

/// A word of a text; it points into that.
struct Token {
  TokenKind kind = TokenKind::kEnd;  ///< what it is
  std::string_view text = {};        ///< what it says
  std::uint32_t line = 1;            ///< where it begins, from 1
  std::size_t begin = 0, end = 0;    ///< bytes of the text, quotes and marks included
  /// It is that mark.
  [[nodiscard]] bool Is(char mark) const { return kind == TokenKind::kMark && text[0] == mark; }
  /// It is that name.
  [[nodiscard]] bool Is(std::string_view name) const {
    return kind == TokenKind::kName && text == name;
  }
};

/// Cuts a text into words, one behind the other; comments and space are passed over. Linear, and
/// nothing is copied.
class Lexer {
 public:
  /// `line`: of the first byte. The text must outlive the words.
  explicit Lexer(std::string_view text, std::uint32_t line = 1) : text_(text), line_(line) {}
  /// The next word; kEnd again and again behind the last one.
  Token Next();
  /// Why the last word is kWrong.
  [[nodiscard]] const char* complaint() const { return complaint_; }

 private:
  void PassSpace();
  Token Name();
  Token Number();
  Token String(char quote);
  Token Asset();
  Token Path();
  Token Wrong(const char* why);
  [[nodiscard]] bool At(std::string_view what) const {
    return text_.substr(at_, what.size()) == what;
  }
  Token Made(TokenKind kind, std::size_t begin, std::size_t end) const;

  std::string_view text_;
  std::size_t at_ = 0, start_ = 0;
  std::uint32_t line_, start_line_ = 1;
  const char* complaint_ = "";
};

}  // namespace kinemorph::usd
