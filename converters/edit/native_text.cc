// Loss reports and exact changes name kept content by its words, so that a user sees what went
// without opening the file: the start tag as far as it fits into a line of a terminal, then in
// brackets what the elements in it say. Plugins and blocks can be pages long; the lengths below
// keep a line readable.
#include "edit/native_text.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "kinemorph/formats/native_weight.h"
#include "kinemorph/graph/base/text.h"

namespace kinemorph {
namespace {

constexpr std::size_t kLongestTag = 99, kLongestWord = 30, kMostWords = 8;

std::string AttributesText(const NativeElement& element) {
  std::string text;
  for (const auto& [name, value] : element.attributes)
    text += (text.empty() ? "" : " ") + name + "=\"" + value + "\"";
  return text;
}

// By element that says something: its name, and its attributes (but the outermost's) and text.
std::vector<std::pair<std::string, std::string>> SaidIn(const NativeElement& content) {
  std::vector<std::pair<std::string, std::string>> words;
  ForEachIn(content, [&](const NativeElement& element) {
    std::string said = &element == &content ? "" : AttributesText(element);
    if (const std::string_view text = Trimmed(element.text); !text.empty())
      said += (said.empty() ? "" : " ") + std::string(text);
    if (!said.empty()) words.emplace_back(element.name, said);
  });
  return words;
}

}  // namespace

std::string ContentText(const NativeData& data) {
  const NativeElement& content = data.content;

  // Where nothing of it was kept, or its attributes are very long, the name alone stands.
  if (content.kind == NativeElement::Kind::kComment) return "<!--" + content.text + "-->";
  const std::string attributes = AttributesText(content);
  std::string text = "<" + content.name + (attributes.empty() ? "" : " ") + attributes;
  if (content.empty() || text.size() >= kLongestTag) text = "<" + data.element;
  text += '>';

  // The outermost text stands without a name, since the tag in front is its name.
  std::string inner;
  const auto words = SaidIn(content);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i == kMostWords) {
      inner += ", ...";
      break;
    }
    const auto& [name, said] = words[i];
    if (i > 0) inner += ", ";
    if (name != data.element) inner += name + " ";
    inner += said.size() > kLongestWord ? "..." : said;
  }
  return inner.empty() ? text : text + " (" + inner + ")";
}

std::string TagsText(const NativeData& data) {
  // A `<gazebo>` block only wraps: what a user looks for are the elements in it, each once.
  if (!OnlyWraps(data)) return "<" + data.element + ">";
  std::vector<std::string> names;
  for (const auto& [name, said] : SaidIn(data.content))
    if (names.size() < kMostWords && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  if (names.empty()) names.push_back(data.element);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "<" : ", <") + name + ">";
  return text;
}

}  // namespace kinemorph
