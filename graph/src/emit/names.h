// Names of others in generated text: what they may not do is end a comment, a string or a tag.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace kinemorph::emit {

/// Letters, digits and underscores; other characters become one underscore each.
[[nodiscard]] std::string Identifier(std::string_view text);
/// The same as the name of files and functions: starts with a letter, no word of C, no device of
/// Windows, at most 40 characters.
[[nodiscard]] std::string ModelIdentifier(std::string_view text);
/// `text` between the quotes of a C string.
[[nodiscard]] std::string CString(std::string_view text);
/// A MATLAB expression that gives `text`.
[[nodiscard]] std::string MatlabString(std::string_view text);
/// For comments: printable ASCII without anything that starts or ends one.
[[nodiscard]] std::string PlainText(std::string_view text);

/// Makes identifiers unique, also where capitals do not count.
class UniqueNames {
 public:
  [[nodiscard]] std::string Add(std::string_view text);

 private:
  std::set<std::string> used_;
};

}  // namespace kinemorph::emit
