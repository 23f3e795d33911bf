#include "read/lexer.h"

#include "kinemorph/graph/base/text.h"

namespace kinemorph::usd {
namespace {

// Names may hold letters of other alphabets since USD 24.03.
bool StartsName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool GoesOnName(char c) { return StartsName(c) || IsDigit(c); }

}  // namespace

// Words are views of the text with their place in it. Numbers are not read here: most of a stage
// are points that nobody asks for.
Token Lexer::Made(TokenKind kind, std::size_t begin, std::size_t end) const {
  return {kind, text_.substr(begin, end - begin), start_line_, start_, at_};
}

Token Lexer::Wrong(const char* why) {
  complaint_ = why;
  return Made(TokenKind::kWrong, start_, at_);
}

void Lexer::PassSpace() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') {
      ++line_, ++at_;
    } else if (IsSpace(c)) {
      ++at_;
    } else if (c == '#' || At("//")) {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (At("/*")) {
      at_ += 2;
      for (; at_ < text_.size() && !At("*/"); ++at_)
        if (text_[at_] == '\n') ++line_;
      at_ = at_ + 2 < text_.size() ? at_ + 2 : text_.size();
    } else {
      return;
    }
  }
}

Token Lexer::Next() {
  PassSpace();
  start_ = at_, start_line_ = line_;
  if (at_ >= text_.size()) return Made(TokenKind::kEnd, at_, at_);
  const char c = text_[at_];
  if (StartsName(c)) return Name();
  if (IsDigit(c) || c == '-' || c == '+' || c == '.') return Number();
  if (c == '"' || c == '\'') return String(c);
  if (c == '@') return Asset();
  if (c == '<') return Path();
  ++at_;
  if (std::string_view("()[]{}=,;:&").find(c) == std::string_view::npos)
    return Wrong("is not a character of USD's text");
  return Made(TokenKind::kMark, start_, at_);
}

// "inf" and "nan" are numbers only where a value is wanted: what reads values knows.
// Names are joined by colons (namespaces) and dots (".connect"), as long as a name goes on behind
// them.
Token Lexer::Name() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    const bool joins =
        (c == ':' || c == '.') && at_ + 1 < text_.size() && StartsName(text_[at_ + 1]);
    // Namespaces may begin with a digit: "primvars:st:0" has none of its own there.
    if (!GoesOnName(c) && !joins &&
        !(c == ':' && at_ + 1 < text_.size() && IsDigit(text_[at_ + 1])))
      break;
    ++at_;
  }
  return Made(TokenKind::kName, start_, at_);
}

Token Lexer::Number() {
  if (text_[at_] == '-' || text_[at_] == '+') ++at_;
  for (const std::string_view word : {"inf", "nan"}) {
    if (!At(word)) continue;
    at_ += word.size();
    return Made(TokenKind::kNumber, start_, at_);
  }
  bool digits = false;
  while (at_ < text_.size() && (IsDigit(text_[at_]) || text_[at_] == '.'))
    digits = digits || text_[at_] != '.', ++at_;
  if (digits && at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
    ++at_;
    if (at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+')) ++at_;
    while (at_ < text_.size() && IsDigit(text_[at_])) ++at_;
  }
  if (!digits) return Wrong("is not a number");
  return Made(TokenKind::kNumber, start_, at_);
}

Token Lexer::String(char quote) {
  // Three quotes open a text of many lines.
  const char three[] = {quote, quote, quote};
  const bool many = At({three, 3});
  at_ += many ? 3 : 1;
  const std::size_t begin = at_;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '\n') {
      if (!many) return Wrong("begins a string that does not end on its line");
      ++line_;
    } else if (c == '\\') {
      if (at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++line_;
      ++at_;
    } else if (many ? At({three, 3}) : c == quote) {
      const std::size_t end = at_;
      at_ += many ? 3 : 1;
      return Made(TokenKind::kString, begin, end);
    }
  }
  at_ = text_.size();
  return Wrong("begins a string that does not end");
}

Token Lexer::Asset() {
  // A name of a file in three marks may hold marks itself, if a backslash stands before three of
  // them.
  const bool many = At("@@@");
  at_ += many ? 3 : 1;
  const std::size_t begin = at_;
  for (; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
    if (many && At("\\@@@")) {
      at_ += 3;
    } else if (many ? At("@@@") : text_[at_] == '@') {
      if (many)  // up to two more belong to the name
        for (int i = 0; i < 2 && At("@@@@"); ++i) ++at_;
      const std::size_t end = at_;
      at_ += many ? 3 : 1;
      return Made(TokenKind::kAsset, begin, end);
    }
  }
  return Wrong("begins the name of a file that does not end on its line");
}

Token Lexer::Path() {
  const std::size_t begin = ++at_;
  for (; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
    if (text_[at_] != '>') continue;
    ++at_;
    return Made(TokenKind::kPath, begin, at_ - 1);
  }
  return Wrong("begins a path that does not end on its line");
}

}  // namespace kinemorph::usd
