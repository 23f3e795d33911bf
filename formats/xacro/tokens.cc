// The words of an expression.
#include <algorithm>
#include <array>
#include <cmath>

#include "kinemorph/graph/base/text.h"
#include "syntax.h"

// The lexer of Python's expressions, cut down to what this grammar can use. What Python has and
// kinemorph has not (complex numbers, f-strings, bytes) gets the code xacro-unsupported, so that
// the author knows that the text is legal; what Python refuses too gets xacro-syntax.

namespace kinemorph::xacro {
namespace {

bool StartsName(char c) {
  // Python allows letters of all alphabets in a name. Any byte beyond ASCII is taken for one,
  // because the text is known to be UTF-8 by now.
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool ContinuesName(char c) { return StartsName(c) || IsDigit(c); }

class Words {
 public:
  Words(std::string_view text, Machine& machine, std::vector<Token>& tokens)
      : text_(text), machine_(machine), tokens_(tokens) {}

  bool All() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      // Inside brackets a line end is a blank, as in Python. An attribute never has one (XML turns
      // it into a blank), a text node may.
      if (c == '\n' && open_ == 0) return Wrong("a line ends within the expression");
      if (IsSpace(c)) {
        ++at_;
      } else if (StartsName(c)) {
        if (!Name()) return false;
      } else if (IsDigit(c) || (c == '.' && at_ + 1 < text_.size() && IsDigit(text_[at_ + 1]))) {
        if (!Number()) return false;
      } else if (c == '\'' || c == '"') {
        if (!Text(false)) return false;
      } else if (!Operator()) {
        return false;
      }
    }
    tokens_.emplace_back();
    return true;
  }

 private:
  bool Wrong(const std::string& why) { return machine_.Fail("xacro-syntax", why); }

  bool Name() {
    std::size_t end = at_;
    while (end < text_.size() && ContinuesName(text_[end])) ++end;
    std::string word(text_.substr(at_, end - at_));
    // r'..' and u'..' mean a text; b'..' and f'..' are values that nothing here could use.
    if (end < text_.size() && (text_[end] == '\'' || text_[end] == '"')) {
      const std::string prefix = LowerCase(word);
      if (prefix == "r" || prefix == "u") {
        at_ = end;
        return Text(prefix == "r");
      }
      return machine_.Fail("xacro-unsupported",
                           "a text with the prefix '" + word + "' is not supported");
    }
    at_ = end;
    // The program xacro refuses such names too: they lead from any object to the interpreter
    // itself.
    if (word.starts_with("__"))
      return machine_.Fail("xacro-unsupported",
                           "name '" + word + "' begins with two underscores, which is refused");
    tokens_.push_back({Token::Kind::kName, std::move(word), {}});
    return true;
  }

  bool Number() {
    const std::size_t begin = at_;
    const auto digits = [&](std::string_view allowed) {
      while (at_ < text_.size() && allowed.find(text_[at_]) != std::string_view::npos) ++at_;
    };
    const char second = begin + 1 < text_.size() ? LowerCase(text_.substr(begin + 1, 1))[0] : ' ';
    const int base = text_[begin] != '0' ? 10
                     : second == 'x'     ? 16
                     : second == 'o'     ? 8
                     : second == 'b'     ? 2
                                         : 10;
    bool whole = true;
    if (base != 10) {
      at_ += 2;
      digits("0123456789abcdefABCDEF_");
    } else {
      digits("0123456789_");
      if (at_ < text_.size() && text_[at_] == '.') {
        whole = false;
        ++at_;
        digits("0123456789_");
      }
      // An 'e' belongs to the number only where a digit follows, with or without a sign: 1e is an
      // error, and so is 1em.
      if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
        std::size_t exponent = at_ + 1;
        if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-'))
          ++exponent;
        if (exponent < text_.size() && IsDigit(text_[exponent])) {
          whole = false;
          at_ = exponent;
          digits("0123456789_");
        }
      }
    }
    const std::string word(text_.substr(begin, at_ - begin));
    if (at_ < text_.size() && ContinuesName(text_[at_])) {
      if (text_[at_] == 'j' || text_[at_] == 'J')
        return machine_.Fail("xacro-unsupported", "complex numbers are not supported");
      return Wrong("'" + word + text_[at_] + "' is not a number");
    }
    Token token{Token::Kind::kNumber, word, {}};
    if (whole) {
      // Python refuses 010, which was octal once, but takes 00 and 0_0 for zero.
      const bool zeros = base == 10 && word.size() > 1 && word[0] == '0' &&
                         word.find_first_not_of("0_") != std::string::npos;
      std::int64_t value = 0;
      const Parsed parsed = ParseInteger(word, value, base);
      if (parsed == Parsed::kTooLarge) return TooLarge(word);
      if (zeros || parsed != Parsed::kDone)
        return Wrong("'" + word + "' is not a number" + (zeros ? ": it begins with 0" : ""));
      token.value = value;
    } else {
      double value = 0;
      if (!ParseFloat(word, value)) return Wrong("'" + word + "' is not a number");
      token.value = value;
    }
    tokens_.push_back(std::move(token));
    return true;
  }

  bool TooLarge(const std::string& word) {
    return machine_.Fail("xacro-overflow", "'" + word + "' does not fit 64 bits");
  }

  // A text in quotes, with escapes unless it is raw. Neighbours are joined by the parser.
  bool Text(bool raw) {
    const std::string_view quote = text_.substr(at_, 3) == std::string(3, text_[at_])
                                       ? text_.substr(at_, 3)
                                       : text_.substr(at_, 1);
    at_ += quote.size();
    std::string value;
    while (true) {
      if (at_ >= text_.size()) return Wrong("a text in quotes does not end");
      if (text_.substr(at_, quote.size()) == quote) break;
      const char c = text_[at_++];
      if (c == '\n' && quote.size() == 1) return Wrong("a text in quotes does not end in its line");
      if (c != '\\') {
        value += c;
      } else if (raw) {
        // A backslash in a raw text stays, and still protects the quote behind it.
        value += c;
        if (at_ < text_.size()) value += text_[at_++];
      } else if (!Escape(value)) {
        return false;
      }
    }
    at_ += quote.size();
    tokens_.push_back({Token::Kind::kText, "", std::move(value)});
    return true;
  }

  bool Escape(std::string& value) {
    if (at_ >= text_.size()) return Wrong("a text in quotes does not end");
    const char c = text_[at_++];
    // Letters behind the backslash, and what they stand for at the same place of the second text. A
    // line end after a backslash is left out.
    constexpr std::string_view kLetters = "\\'\"abfnrtv\n", kMeant = "\\'\"\a\b\f\n\r\t\v";
    const std::size_t known = kLetters.find(c);
    if (c == '\n') return true;
    if (known != std::string_view::npos) {
      value += kMeant[known];
      return true;
    }
    const std::size_t count = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (count > 0) {
      const std::string_view hex = text_.substr(std::min(at_, text_.size()), count);
      if (hex.size() != count || !AddCharacter(hex, value))
        return Wrong("an escape \\" + std::string(1, c) + " names no character");
      at_ += count;
      return true;
    }
    if (IsDigit(c) || c == 'N')
      return machine_.Fail("xacro-unsupported",
                           "the escape \\" + std::string(1, c) + " is not supported");
    // An escape that Python does not know stands for itself, backslash and all.
    value += '\\';
    value += c;
    return true;
  }

  bool Operator() {
    // Longer operators go first, or '**' would be two of '*'. Those that no expression uses (':=',
    // braces) are here for the sake of the parser's message.
    constexpr std::array<std::string_view, 30> kOperators = {
        "**", "//", "<<", ">>", "<=", ">=", "==", "!=", ":=", "+", "-", "*", "/", "%", "&",
        "|",  "^",  "~",  "<",  ">",  "(",  ")",  "[",  "]",  "{", "}", ",", ":", ".", "="};
    for (const std::string_view op : kOperators) {
      if (text_.substr(at_, op.size()) != op) continue;
      if (op == "(" || op == "[") ++open_;
      if (op == ")" || op == "]") --open_;
      if (open_ > Machine::kDeepest)
        return machine_.Fail(
            "xacro-too-deep",
            "brackets are nested more than " + std::to_string(Machine::kDeepest) + " levels deep");
      tokens_.push_back({Token::Kind::kOperator, std::string(op), {}});
      at_ += op.size();
      return true;
    }
    return Wrong("'" + std::string(1, text_[at_]) + "' means nothing here");
  }

  std::string_view text_;
  Machine& machine_;
  std::vector<Token>& tokens_;
  std::size_t at_ = 0;
  int open_ = 0;
};

}  // namespace

bool IsKeyword(std::string_view word) {
  constexpr std::array<std::string_view, 35> kKeywords = {
      "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
      "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
      "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
      "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
  return std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end();
}

bool IsIdentifier(std::string_view word) {
  return !word.empty() && StartsName(word.front()) &&
         std::all_of(word.begin(), word.end(), ContinuesName) && !IsKeyword(word);
}

bool Tokens(std::string_view text, Machine& machine, std::vector<Token>& tokens) {
  // The longest expression of public robots has 250 bytes; a limit keeps the parser's time small.
  if (text.size() > Machine::kLongestExpression)
    return machine.Fail(
        "xacro-too-large",
        "an expression is longer than " + std::to_string(Machine::kLongestExpression) + " bytes");
  return Words(text, machine, tokens).All();
}

}  // namespace kinemorph::xacro
