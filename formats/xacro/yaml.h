// The YAML that files beside robots use.
#pragma once

#include <string>
#include <string_view>

#include "value.h"

namespace kinemorph::xacro {

/// What a word without quotes stands for in YAML 1.1: a number, a truth, nothing, or itself.
bool YamlScalar(std::string_view text, Machine& machine, Value& out);

/// A place in a YAML text, and the texts that are written there in another way than as a word.
class YamlText {
 public:
  YamlText(std::string_view text, Machine& machine) : text_(text), machine_(machine) {}

 protected:
  bool Wrong(const std::string& why) { return machine_.Fail("xacro-yaml", why); }
  [[nodiscard]] char Peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\n';
  }
  [[nodiscard]] bool IsBlankAt(std::size_t i) const;
  void Blanks();
  /// Whether nothing but a comment follows in this line.
  [[nodiscard]] bool LineEnds() const;
  /// The same behind blanks; an error otherwise.
  bool EndOfLine();
  /// 'a' or "a".
  bool Quoted(std::string& text);
  /// | keeps line ends, > joins lines; deeper than the column `outer`.
  bool BlockText(int outer, std::string& text);

  std::string_view text_;
  Machine& machine_;
  std::size_t at_ = 0;

 private:
  bool Escape(std::string& text);
};

}  // namespace kinemorph::xacro
